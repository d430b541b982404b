import Git
import SettingsModel

/// git guesses renames by how alike two texts are. Where one side removed an option and added a like one, it takes the second
/// for the first, and merges what the other side did to the first into it.
enum MistakenRename {
    /// Whether three files that git gave for `path` are not of one option: one side has another title than the base, and the
    /// option never had the base's title at that path. Renaming an option leaves its title, and a new title leaves its path.
    static func isOne(
        at path: String, base: SettingsOption, ours: SettingsOption, theirs: SettingsOption, in repository: borrowing Repository
    ) throws(GitError) -> Bool {
        guard base.title != ours.title || base.title != theirs.title, ours.title != theirs.title,
            let head = try repository.references.head().commit
        else { return false }
        let tree = try repository.objects.header(head).tree
        // Theirs made it: here it is new.
        if base.title == ours.title { return try repository.objects.entry(at: path, in: tree) == nil }
        guard base.title == theirs.title else { return false }
        var walk = try repository.objects.commits(from: [head], order: .topological)
        var seen: ObjectID?
        while let id = try walk.next() {
            guard let entry = try repository.objects.entry(at: path, in: try repository.objects.header(id).tree), entry.id != seen
            else {
                continue
            }
            seen = entry.id
            let file = try? repository.objects.blob(entry.id, atMost: JSON.sizeLimit)
            if let file, let option = try? SettingsOption(file: file, acceptingAnyValue: true), option.title == base.title {
                return false
            }
        }
        return true
    }

    /// The same from the files' bytes, in the repository that the current folder lies in; false where that can't be told.
    static func isOne(at path: String, base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> Bool {
        func option(_ file: [UInt8]) -> SettingsOption? { try? SettingsOption(file: file, acceptingAnyValue: true) }
        guard let base = option(base), let ours = option(ours), let theirs = option(theirs),
            base.title != ours.title
                || base.title != theirs.title,
            let directory = try? Repository.discover(from: "."), let repository = try? Repository.open(at: directory)
        else { return false }
        return (try? isOne(at: path, base: base, ours: ours, theirs: theirs, in: repository)) ?? false
    }
}

extension Merging {
    func isMistakenRename(
        _ path: String, base: SettingsOption, ours: SettingsOption, theirs: SettingsOption
    ) throws(Problem) -> Bool {
        try git(MistakenRename.isOne(at: path, base: base, ours: ours, theirs: theirs, in: versions.repository))
    }
}
