import SettingsModel

/// The GSettings paths of groups: from the group's schema, or else the group's name appended to the path of its parent.
struct GroupPaths {
    private let groups: [Key: SettingsGroup]
    private var known: [Key: String] = [.root: "/"]

    init(_ settings: SettingsContent) {
        groups = settings.groups
        if let path = SchemaNote(groups[.root])?.path { known[.root] = path.string }
    }

    mutating func path(of group: Key) -> String {
        if let path = known[group] { return path }
        let section = groups[group]
        let path =
            SchemaNote(section)?.path?.string
            ?? self.path(of: group.group) + (section?.other["key"]?.text?.string ?? group.name) + "/"
        known[group] = path
        return path
    }
}
