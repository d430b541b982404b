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

    init(base: Snapshot, removing: Set<Subject> = []) {
        self.base = base
        self.removing = removing
    }

    /// Two options or groups of one group whose names differ by case alone.
    struct Clash: Hashable {
        var name: Subject
        var other: Subject

        var reversed: Clash { Clash(name: other, other: name) }
    }

    mutating func add(_ subject: Subject) throws(Problem) {
        guard let clash = try clash(adding: subject) else { return }
        throw .key(.differsByCase(subject.key, existing: clash.other.key))
    }

    /// Where there is a clash, `subject` does not come in.
    mutating func clash(adding subject: Subject) throws(Problem) -> Clash? {
        var group = Key.root
        for (depth, part) in subject.key.parts.enumerated() {
            let name = Name(name: part, isFolder: depth < subject.key.parts.count - 1 || subject.isGroup, isNew: true)
            var names = if let known = groups[group] { known } else { try self.names(in: group) }
            let folded = part.lowercased()
            for other in names[folded] ?? [] where other.name != part {
                let existing = try self.subject(other, in: group)
                if !other.isNew, try isGoing(existing) { continue }
                return Clash(name: try self.subject(name, in: group), other: existing)
            }
            if !(names[folded] ?? []).contains(where: { $0.name == part && $0.isFolder == name.isFolder }) {
                groups[group] = nil
                names[folded, default: []].append(name)
            }
            groups[group] = names
            group = try self.subject(name, in: group).key
        }
        return nil
    }

    /// Whether nothing of it stays.
    private func isGoing(_ existing: Subject) throws(Problem) -> Bool {
        guard existing.isGroup else { return removing.contains(existing) }
        let staying = try base.subjects(in: existing.key).filter { $0 != .option(existing.key) && !removing.contains($0) }
        return staying.isEmpty
    }

    private func names(in group: Key) throws(Problem) -> [String: [Name]] {
        var names: [String: [Name]] = [:]
        for (name, isFolder) in try base.names(in: group) {
            names[name.lowercased(), default: []].append(Name(name: name, isFolder: isFolder))
        }
        return names
    }

    private func subject(_ name: Name, in group: Key) throws(Problem) -> Subject {
        let key: Key
        do { key = try group.appending(name.name) } catch { throw .key(.malformed(name.name, error)) }
        return name.isFolder ? .group(key) : .option(key)
    }
}

extension Snapshot {
    /// The names in a folder, an option's without its ending; whether each is a folder.
    func names(in group: Key) throws(Problem) -> [(name: String, isFolder: Bool)] {
        let (objects, store) = (versions.repository.objects, try git(folder))
        guard let folder = try git(objects.folder(group.path, of: store)) else { return [] }
        return try git(objects.entries(of: folder)).compactMap { entry in
            if entry.mode == .tree { return (entry.name, true) }
            return entry.name.hasSuffix(".json") ? (String(entry.name.dropLast(5)), false) : nil
        }
    }
}
