import Files
import Base
/// The line that makes git ignore a path.
package struct IgnoreRule: Hashable, Sendable {
    /// From the work tree's root where it lies there, else the whole path.
    package let file: String
    /// Counted from 1.
    package let line: Int
    package let pattern: String
    /// Why the file can't be read: then it may ignore anything.
    package var failure: String?
}

extension IgnoreRule: CustomStringConvertible {
    /// As `git check-ignore --verbose` names it.
    package var description: String { "\(file):\(line):\(pattern)" }
}

/// What git ignores in a work tree: by `.gitignore` at every level, `info/exclude` and the user's own file. Whether a path
/// is tracked, and so can't be ignored, is not asked here. Files are read once.
package final class IgnoreRules {
    private struct File {
        var name: String
        /// Where it lies, in bytes from the root, with a slash at the end unless that is the root.
        var folder = 0
        var patterns: [IgnorePattern]
        var failure: String?
    }

    private struct Folder {
        /// What its own `.gitignore` says, and those above it, the strongest first.
        var files: [File] = []
        /// What makes git ignore the folder itself, or one around it: nothing in it can be taken back.
        var rule: IgnoreRule?
    }

    private let work: String
    private let gitDirectory: String
    private var folders: [String: Folder] = [:]
    /// The strongest first.
    private lazy var general: [File] = [
        Self.file(common + "/info/exclude", shown: shown(common + "/info/exclude")), userFile(),
    ].compactMap { $0 }
    private lazy var common = (try? Repository.directories(of: work).common) ?? gitDirectory
    /// Each configuration that git would read here, the weakest first; nil where one includes another.
    private lazy var configurations = readConfigurations()
    private lazy var ignoresCase = configured("ignoreCase")?.lowercased() == "true"

    /// `workDirectory` is the work tree's root, `gitDirectory` its own git directory.
    package init(workDirectory: String, gitDirectory: String) {
        work = FileSystem.trimmed(workDirectory)
        self.gitDirectory = FileSystem.trimmed(gitDirectory)
    }

    /// What makes git ignore this path from the work tree's root; nil where nothing does.
    package func rule(for path: String, isFolder: Bool = false) -> IgnoreRule? {
        let parent = parent(of: path)
        if let rule = folder(parent).rule { return rule }
        return ownRule(for: path, isFolder: isFolder)
    }

    private func parent(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    private func folder(_ path: String) -> Folder {
        if let known = folders[path] { return known }
        var folder = Folder()
        if !path.isEmpty {
            folder = self.folder(parent(of: path))
            folder.rule = folder.rule ?? ownRule(for: path, isFolder: true)
        }
        let name = path.isEmpty ? ".gitignore" : path + "/.gitignore"
        if folder.rule == nil, var file = Self.file("\(work)/\(name)", shown: name) {
            file.folder = path.isEmpty ? 0 : path.utf8.count + 1
            folder.files.insert(file, at: 0)
        }
        folders[path] = folder
        return folder
    }

    /// The rule for the path itself, whatever is said of the folders around it.
    private func ownRule(for path: String, isFolder: Bool) -> IgnoreRule? {
        let parent = parent(of: path)
        let files = folder(parent).files
        if files.isEmpty, general.isEmpty { return nil }
        let (folds, nameStart) = (ignoresCase, parent.isEmpty ? 0 : parent.utf8.count + 1)
        var path = path
        return path.withUTF8 { bytes in
            let whole = UnsafeRawBufferPointer(bytes)
            let name = UnsafeRawBufferPointer(rebasing: whole[nameStart...])
            for file in [files, general].joined() {
                let relative = UnsafeRawBufferPointer(rebasing: whole[file.folder...])
                let pattern = file.patterns.last { $0.matches(relative, name: name, isFolder: isFolder, ignoringCase: folds) }
                guard let pattern else { continue }
                if pattern.isNegated { return nil }
                return IgnoreRule(file: file.name, line: pattern.line, pattern: pattern.text, failure: file.failure)
            }
            return nil
        }
    }

    /// Nil where there is none, or nothing in it. A symbolic link is not followed, as git follows none.
    private static func file(_ path: String, shown name: String) -> File? {
        // One that can't be read may ignore anything.
        let read = Result { () throws(SystemFailure) in try FileSystem.bytes(of: path, atMost: sizeLimit) }
        let everything = [UInt8(ascii: "*")]
        let bytes: [UInt8]
        var failure: String?
        switch read {
        case .success(let found?): bytes = found
        case .success(nil): return nil
        case .failure(let error): (bytes, failure) = (everything, error.reason)
        }
        var patterns: [IgnorePattern] = []
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let lines = bytes.dropFirst(isMarked ? 3 : 0).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let pattern = IgnorePattern(line, number: index + 1) { patterns.append(pattern) }
        }
        return patterns.isEmpty ? nil : File(name: name, patterns: patterns, failure: failure)
    }

    private static let sizeLimit = 64 << 20
    /// A larger configuration is nobody's own.
    private static let configurationLimit = 1 << 20

    private func shown(_ path: String) -> String {
        path.hasPrefix(work + "/") ? String(path.dropFirst(work.count + 1)) : path
    }
}

/// The user's own file, and what else git's configuration says of ignoring. libgit2 is asked only where a configuration
/// includes another: starting it takes longer than reading an option.
extension IgnoreRules {
    private func userFile() -> File? {
        var path = Library.userFolders.map { $0.git + "/ignore" }.first { (try? FileSystem.isThere($0)) ?? false }
        if let configured = configured("excludesFile") { path = expanded(configured) }
        guard let path, let resolved = try? FileSystem.resolved(path) else { return nil }
        return Self.file(resolved, shown: path)
    }

    private func expanded(_ path: String) -> String {
        if path.hasPrefix("~/"), let home = Library.userFolders.first?.home { return home + path.dropFirst() }
        if path.hasPrefix("~") || path.hasPrefix("%") { return (try? Configuration.expanded(path: path)) ?? path }
        return path.hasPrefix("/") ? path : "\(work)/\(path)"
    }

    /// A key's value in the section `core`.
    private func configured(_ key: String) -> String? {
        if let value = Library.environment.value("core.\(key)") { return value }
        if let configurations {
            let values = configurations.compactMap { $0.value(of: key.lowercased(), in: "core") }
            if !values.contains(where: { $0.contains("\\") }) { return values.last }
        }
        guard let repository = try? Repository.open(at: work) else {
            return (try? RepositoryConfiguration.ofUser("core.\(key)")).flatMap { $0 }
        }
        return (try? repository.configuration.configured("core.\(key)")).flatMap { $0 }
    }

    private func readConfigurations() -> [ConfigurationText]? {
        let own = [common + "/config", gitDirectory + "/config.worktree"]
        let texts: [String] = (Library.configurationFiles + own).compactMap { path in
            guard let resolved = try? FileSystem.resolved(path) else { return nil }
            return (try? FileSystem.bytes(of: resolved, atMost: Self.configurationLimit))?.map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        return texts.contains(where: ConfigurationText.includes) ? nil : texts.map { ConfigurationText($0) }
    }
}
