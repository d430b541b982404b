import Files
package import Git
package import SettingsModel

/// What git ignores in a store's folder, which is no part of the store: files that a rule matches and that are not tracked.
/// Made for one look at the files, as the rules are read once.
final class Ignored {
    private let rules: IgnoreRules
    private let work: String
    private let gitDirectory: String
    /// Where the store's folder lies in the repository: empty, or with a slash at its end.
    private let prefix: String
    /// What counts as tracked beside what is in git's index.
    var isRecorded: (String) -> Bool = { _ in false }
    /// The paths in git's index below the store's folder, sorted by bytes; nil where it can't be read. Needed only where a
    /// rule matches.
    private lazy var tracked = Index.indexedPaths(under: prefix, workDirectory: work, gitDirectory: gitDirectory)?
        .sorted { $0.precedesInBytes($1) }

    /// Nil where no git could ignore anything: the store is in no repository, or git ignores it as a whole, so that it is
    /// files and nothing else. `asRecorded`: also of a store that git ignores.
    init?(_ folder: StoreFolder, asRecorded: Bool = false) {
        guard folder.bareRepository == nil, let gitDirectory = folder.gitDirectory, let work = try? folder.repositoryRoot else {
            return nil
        }
        let place = Folder.resolved(folder.path)
        let inside = place.utf8.dropFirst(FileSystem.trimmed(work).utf8.count).drop { $0 == UInt8(ascii: "/") }
        prefix = inside.isEmpty ? "" : String(decoding: inside, as: UTF8.self) + "/"
        self.work = work
        self.gitDirectory = gitDirectory
        rules = IgnoreRules(workDirectory: work, gitDirectory: gitDirectory)
        if !asRecorded, rules.rule(for: prefix + Subject.store.path) != nil, !isTracked(Subject.store.path) { return nil }
    }

    /// Why git ignores a file, by its path from the store's folder; nil where it doesn't.
    func rule(for path: String) throws(Problem) -> IgnoreRule? {
        guard let rule = rules.rule(for: prefix + path), !isTracked(path) else { return nil }
        try rule.checkIsKnown()
        return rule
    }

    /// Whether git ignores a folder and all that is in it.
    func holds(folder path: String) throws(Problem) -> Bool {
        guard let rule = rules.rule(for: prefix + path, isFolder: true), tracked != nil, !tracksFiles(in: path) else {
            return false
        }
        try rule.checkIsKnown()
        return true
    }

    /// Whether a symbolic link is tracked as one, or ignored: no group of the store is expected in its place then.
    func excludes(link path: String) throws(Problem) -> Bool {
        if isIndexed(path) { return true }
        guard let rule = rules.rule(for: prefix + path), !tracksFiles(in: path) else { return false }
        try rule.checkIsKnown()
        return true
    }

    private func isTracked(_ path: String) -> Bool { tracked == nil || isRecorded(path) || isIndexed(path) }

    private func isIndexed(_ path: String) -> Bool {
        guard let tracked else { return false }
        let place = place(of: path)
        return place < tracked.count && tracked[place].utf8.elementsEqual(path.utf8)
    }

    private func tracksFiles(in folder: String) -> Bool {
        let start = folder + "/"
        return tracked?[place(of: start)...].first?.utf8.starts(with: start.utf8) ?? false
    }

    /// The first tracked path that doesn't come before this one.
    private func place(of path: String) -> Int {
        let tracked = tracked ?? []
        var (low, high) = (0, tracked.count)
        while low < high {
            let middle = (low + high) / 2
            if tracked[middle].precedesInBytes(path) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension StoreFolder {
    /// Why git ignores a file of the store's folder, which then is no part of the store; nil where it doesn't.
    package func ignoreRule(for subject: Subject) throws(Problem) -> IgnoreRule? {
        guard let ignored = Ignored(self) else { return nil }
        return try ignored.rule(for: subject.path)
    }
}

extension Snapshot {
    /// Why git would ignore a file that this version doesn't have.
    package func ignoreRule(for subject: Subject) throws(Problem) -> IgnoreRule? {
        try versions.folder.ignoreRule(for: subject)
    }
}

extension IgnoreRule {
    /// Throws where the file that the rule should stand in can't be read: then nobody knows what is ignored.
    func checkIsKnown() throws(Problem) {
        guard let failure else { return }
        throw .file(.unknownIgnores(file: file, reason: failure))
    }
}
