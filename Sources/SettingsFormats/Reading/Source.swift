import Files
package import SettingsModel

/// The files that a person named to read settings from: each by itself, or everything below a folder.
///
/// Symbolic links below a given folder are not followed, and files larger than `sizeLimit` are not read.
package struct Source {
    /// The paths as given.
    package var given: [String]
    /// The files in byte order of their paths, those of one folder together.
    package var files: [File]

    /// The maximum size of a file in bytes.
    package static let sizeLimit = 16 << 20
    /// The maximum number of files below the given folders.
    static let countLimit = 100_000
    static let depthLimit = 32

    package struct File {
        /// The path as given, or the given folder's path with the path below it.
        package var path: String
        /// The path relative to the given folder, with `/`; for a file that was given itself, its name.
        package var relativePath: String
        /// Where the file lies, with the folders above the given path: what a file is for may depend on them.
        var location: String
        fileprivate var content: Content

        /// `location`: the path where it is no other.
        fileprivate init(path: String, relativePath: String, location: String? = nil, content: Content) {
            (self.path, self.relativePath, self.content) = (path, relativePath, content)
            self.location = location ?? path
        }

        fileprivate enum Content {
            case disk(isLink: Bool)
            case memory([UInt8])
        }

        package var name: String {
            String(relativePath[(relativePath.lastIndex(of: "/").map(relativePath.index(after:)) ?? relativePath.startIndex)...])
        }
        /// Its folder below the given one, with a trailing slash; empty for the given folder itself.
        package var folder: String { String(relativePath.dropLast(name.count)) }

        /// Whether it is a symbolic link below a given folder.
        package var isLink: Bool { if case .disk(isLink: true) = content { true } else { false } }

        package func bytes() throws(Refusal) -> [UInt8] {
            switch content {
            case .memory(let bytes): return bytes
            case .disk(isLink: true):
                throw Refusal(
                    "is a symbolic link, and symbolic links are not followed", in: path, hint: "put the file itself there")
            case .disk(isLink: false): return try File.contents(of: path, follows: false)
            }
        }

        fileprivate static func standardInput() throws(Refusal) -> [UInt8] {
            try whole("standard input") { () throws(SystemFailure) in try ThisProcess.standardInput(atMost: sizeLimit) }
        }

        /// The content of a regular file.
        fileprivate static func contents(of path: String, follows: Bool) throws(Refusal) -> [UInt8] {
            try whole(path) { () throws(SystemFailure) in
                try FileSystem.contents(of: path, following: follows, limit: sizeLimit)
            }
        }

        private static func whole(_ path: String, _ read: () throws(SystemFailure) -> [UInt8]?) throws(Refusal) -> [UInt8] {
            let found: [UInt8]?
            do { found = try read() } catch { throw Refusal(unreadable: path, error) }
            guard let bytes = found else { throw Refusal("is not a regular file", in: path) }
            guard bytes.count <= sizeLimit else {
                throw Refusal(
                    "is larger than \(sizeLimit >> 20) MiB", in: path, hint: "settings are small: is this the right file?")
            }
            return bytes
        }
    }

    /// Lists the files; their contents are read on demand.
    package init(paths: [String]) throws(Refusal) {
        given = paths
        files = []
        for path in paths {
            if path == "-" {
                files.append(File(path: "standard input", relativePath: "", content: .memory(try File.standardInput())))
                continue
            }
            let found: FileAttributes
            do { found = try FileSystem.existing(path, following: true) } catch {
                var refusal = Refusal("\(path): \(error.reason)", hint: "name a file or a folder that exists")
                refusal.isMissing = error.isMissing
                throw refusal
            }
            if found.kind == .folder {
                var trimmed = path
                while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
                try addFolder(trimmed, below: "", depth: 0)
            } else {
                try files.append(File(named: path))
            }
        }
    }

    /// Standard input, under a name with this extension.
    init(standardInput bytes: [UInt8], ending: String) {
        given = ["standard input"]
        files = [File(path: "standard input", relativePath: "standard input\(ending)", content: .memory(bytes))]
    }

    /// Joins several sources.
    init(joining sources: [Source]) {
        given = sources.flatMap(\.given)
        files = sources.flatMap(\.files)
    }

    /// Files in memory, for tests.
    package init(files: [(path: String, bytes: [UInt8])]) {
        given = files.map(\.path)
        self.files = files.map { File(path: $0.path, relativePath: $0.path, content: .memory($0.bytes)) }
    }

    private mutating func addFolder(_ path: String, below: String, depth: Int) throws(Refusal) {
        guard depth < Source.depthLimit else {
            throw Refusal(
                "has folders nested more than \(Source.depthLimit) levels deep", in: path,
                hint: "name the folder that contains the settings")
        }
        let entries: [(name: String, entry: FileAttributes.Kind)]
        do { entries = try FileSystem.entries(of: path) } catch { throw Refusal(unreadable: path, error) }
        for (name, entry) in entries.sorted(by: { $0.name.precedesInBytes($1.name) }) {
            let full = "\(path)/\(name)"
            switch entry {
            case .folder: try addFolder(full, below: below + name + "/", depth: depth + 1)
            case .file, .link:
                guard files.count < Source.countLimit else {
                    throw Refusal(
                        "contains more than \(Source.countLimit) files", in: given.joined(separator: ", "),
                        hint: "name the folder that contains the settings")
                }
                files.append(
                    File(
                        path: full, relativePath: below + name, location: FileSystem.absolute(full),
                        content: .disk(isLink: entry != .file)))
            case .special: continue
            }
        }
    }

    /// The file at a path relative to `file`'s folder; nil if there is none. For a file that was given itself, a file
    /// next to it.
    package func file(_ name: String, beside file: File) -> File? {
        if let found = files.first(where: {
            $0.relativePath == file.folder + name
                && $0.path.dropLast($0.relativePath.count) == file.path.dropLast(file.relativePath.count)
        }) {
            return found
        }
        guard case .disk = file.content, given.contains(file.path), !name.contains("/") else { return nil }
        let path = String(file.path.dropLast(file.name.count) + name)
        return FileSystem.kind(of: path).map {
            File(path: path, relativePath: name, location: FileSystem.absolute(path), content: .disk(isLink: $0 == .link))
        }
    }
}

extension Source.File {
    /// A file that was given itself: a symbolic link is followed.
    package init(named path: String) throws(Refusal) {
        var resolved = path
        if FileSystem.kind(of: path) == .link {
            do { resolved = try FileSystem.resolved(path) } catch { throw Refusal(unreadable: path, error) }
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let content =
            resolved == path ? Content.disk(isLink: false) : .memory(try Self.contents(of: resolved, follows: true))
        self.init(path: path, relativePath: name, location: FileSystem.absolute(path), content: content)
    }
}

extension Source {
    /// The path from the root.
    package static func location(of path: String) -> String { FileSystem.absolute(path) }

    /// The current content of an output file; nil if there is none or it is a folder.
    package static func present(_ path: String) throws(Refusal) -> [UInt8]? {
        guard FileSystem.kind(of: path, following: true) == .file else { return nil }
        return try File.contents(of: path, follows: true)
    }
}

extension Refusal {
    fileprivate init(unreadable path: String, _ failure: SystemFailure) {
        self.init("can't be read: \(failure.reason)", in: path)
        isUnreadable = true
    }
}
