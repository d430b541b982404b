import Git
import SettingsModel

/// The names that a store's groups hold while new ones come in: none may differ by case alone from one that stays.
struct Names {
    let base: Snapshot
    /// What goes at the same time.
    let removing: Set<Subject>

    private struct Name {
        var name: String
        var isFolder: Bool
        var isNew = false
    }

    /// By group, then by the name in lower case.
    private var groups: [Key: [String: [Name]]] = [:]

    init(base: Snapshot, removing: Set<Subject>) {
        self.base = base
        self.removing = removing
    }

    mutating func add(_ subject: Subject) throws(Problem) {
        var group = Key.root
        for (depth, part) in subject.key.parts.enumerated() {
            let isLast = depth == subject.key.parts.count - 1
            var names = if let known = groups[group] { known } else { try self.names(in: group) }
            let folded = part.lowercased()
            for other in names[folded] ?? [] where other.name != part {
                let key = try appending(other.name, to: group)
                if !other.isFolder, !isLast { continue }
                if !other.isNew,
                    other.isFolder
                        ? removing.contains(where: { $0.key.isWithin(key) }) : removing.contains(.option(key))
                {
                    continue
                }
                throw .key(.differsByCase(subject.key, existing: key))
            }
            let name = Name(name: part, isFolder: !isLast || subject.isGroup, isNew: true)
            if !(names[folded] ?? []).contains(where: { $0.name == part && $0.isFolder == name.isFolder }) {
                groups[group] = nil
                names[folded, default: []].append(name)
            }
            groups[group] = names
            group = try appending(part, to: group)
        }
    }

    private func names(in group: Key) throws(Problem) -> [String: [Name]] {
        var names: [String: [Name]] = [:]
        for (name, isFolder) in try base.names(in: group) {
            names[name.lowercased(), default: []].append(Name(name: name, isFolder: isFolder))
        }
        return names
    }

    private func appending(_ name: String, to group: Key) throws(Problem) -> Key {
        do { return try group.appending(name) } catch { throw .key(.malformed(name, error)) }
    }
}

extension Snapshot {
    /// The names in a folder, an option's without its ending; whether each is a folder.
    func names(in group: Key) throws(Problem) -> [(name: String, isFolder: Bool)] {
        guard let tree else { return [] }
        let objects = versions.repository.objects
        guard let folder = try git(objects.folder(versions.folderInRepository(of: group), of: tree)) else { return [] }
        return try git(objects.entries(of: folder)).compactMap { entry in
            if entry.mode == .tree { return (entry.name, true) }
            return entry.name.hasSuffix(".json") ? (String(entry.name.dropLast(5)), false) : nil
        }
    }
}
