/// Groups that one side removed with all that is in them. One that only lost its file is a group without members.
struct RemovedGroups {
    private let base: SettingsContent
    private let ours: SettingsContent
    private let theirs: SettingsContent
    /// Those that the other side renamed.
    private let renamed: Set<Subject>
    /// The groups that each state has something in, once they are needed.
    private var groups: (base: Set<Key>, ours: Set<Key>, theirs: Set<Key>)?

    init(base: SettingsContent, ours: SettingsContent, theirs: SettingsContent, renamed: Set<Subject> = []) {
        self.base = base
        self.ours = ours
        self.theirs = theirs
        self.renamed = renamed
    }

    /// Whether one side removed a group that the other renamed, or of which it changed the file.
    mutating func areContesting(_ subject: Subject) -> Bool {
        if renamed.contains(subject) { return true }
        guard case .group(let key) = subject, !key.isRoot, (ours[subject] == nil) != (theirs[subject] == nil),
            ours[subject] ?? theirs[subject] != base[subject]
        else { return false }
        let groups = groups ?? (base: Self.holding(base), ours: ours.allGroups, theirs: theirs.allGroups)
        self.groups = groups
        return groups.base.contains(key) && !(ours[subject] == nil ? groups.ours : groups.theirs).contains(key)
    }

    /// The groups around options.
    private static func holding(_ settings: SettingsContent) -> Set<Key> {
        SettingsContent(options: settings.options).allGroups
    }
}
