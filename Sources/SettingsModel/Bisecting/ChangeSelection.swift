/// The changes between two states, any of which can be applied without the others as far as they don't need each other.
package struct ChangeSelection: Sendable {
    /// The state without any of the changes.
    package let base: SettingsContent
    /// In the order in which they were made. An added option may be followed by changes of its facets.
    package let changes: [Change]
    private let renames: [Int]

    package init(base: SettingsContent, changes: [Change]) {
        self.base = base
        self.changes = changes
        renames = changes.indices.filter { changes[$0].renaming != nil }
    }

    /// The state with the changes at these places; nil if they can't be applied without others.
    package func content(with chosen: Set<Int>) -> SettingsContent? { content(with: chosen, since: base) }

    private func content(with chosen: Set<Int>, since base: SettingsContent) -> SettingsContent? {
        var content = base
        // What is added or renamed comes first: the other changes may be about it.
        for comesFirst in [true, false] {
            var part: [Change] = []
            for index in chosen.sorted() {
                let change = changes[index]
                guard comesFirst == (change.renaming != nil || change.facet == .existence) else { continue }
                part.append(named(change, at: index, chosen))
            }
            let merge = content.merging(part)
            guard merge.conflicts.isEmpty else { return nil }
            content = merge.settings
        }
        return content
    }

    /// A change under the names that its items have if not all renames are chosen.
    private func named(_ change: Change, at index: Int, _ chosen: Set<Int>) -> Change {
        var change = change
        let isRename = change.renaming != nil
        for rename in renames.reversed() where !chosen.contains(rename) && !(isRename && rename >= index) {
            guard let (old, new) = changes[rename].renaming else { continue }
            if isRename, let (from, to) = change.renaming {
                change.before = .key(from.renamed(from: new, to: old).key)
                change.after = .key(to.renamed(from: new, to: old).key)
            }
            change.subject = change.subject.renamed(from: new, to: old)
        }
        return change
    }

    /// Groups of changes in order: those that can't be applied one without the other are one group. With each, the places of
    /// the groups that it can't be applied without.
    package func groups() -> (groups: [[Int]], requirements: [Set<Int>]) {
        var required: [Set<Int>] = changes.map { _ in [] }
        for component in related() {
            let base = excerpt(component)
            for change in component where content(with: [change], since: base) == nil {
                required[change] = needed(by: change, among: component, since: base)
            }
        }
        let reached = changes.indices.map { reach($0, required) }
        var place: [Int: Int] = [:]
        var groups: [[Int]] = []
        for change in changes.indices {
            let group = ([change] + reached[change].filter { $0 != change && reached[$0].contains(change) }).sorted()
            // At the place of its last change.
            guard group.last == change else { continue }
            for member in group { place[member] = groups.count }
            groups.append(group)
        }
        let requirements = groups.indices.map { index in
            Set(groups[index].flatMap { reached[$0] }.compactMap { place[$0] }).subtracting([index])
        }
        return (groups, requirements)
    }

    private func reach(_ change: Int, _ required: [Set<Int>]) -> Set<Int> {
        var reached = required[change]
        var open = Array(reached)
        while let next = open.popLast() {
            for more in required[next] where reached.insert(more).inserted { open.append(more) }
        }
        return reached
    }

    /// A smallest set of changes in `component` without which `change` can't be applied.
    private func needed(by change: Int, among component: [Int], since base: SettingsContent) -> Set<Int> {
        func isEnough(_ others: Set<Int>) -> Bool { content(with: others.union([change]), since: base) != nil }
        let own = Set(component.filter { $0 != change && (changes[$0].subject.key == changes[change].subject.key) })
        var needed = isEnough(own) ? own : Set(component).subtracting([change])
        guard isEnough(needed) else { return needed }
        for other in needed.sorted().reversed() where isEnough(needed.subtracting([other])) { needed.remove(other) }
        return needed
    }

    /// Changes that are about the same items, or rename them, together.
    private func related() -> [[Int]] {
        var links = Array(changes.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while links[index] != index { index = links[index] }
            return index
        }
        func link(_ one: Int, _ other: Int) {
            let (one, other) = (root(one), root(other))
            links[max(one, other)] = min(one, other)
        }
        var first: [Key: Int] = [:]
        for (index, change) in changes.enumerated() {
            if let other = first[change.subject.key] { link(other, index) } else { first[change.subject.key] = index }
        }
        // A name that one rename takes may be another one's to leave.
        for rename in renames {
            guard let (old, new) = changes[rename].renaming else { continue }
            for key in [old.key, new.key] {
                if let other = first[key] { link(other, rename) } else { first[key] = rename }
            }
        }
        for rename in renames {
            guard let (old, new) = changes[rename].renaming else { continue }
            for (key, index) in first where key.isWithin(old.key) || key.isWithin(new.key) { link(rename, index) }
        }
        return Dictionary(grouping: changes.indices, by: root).values.map { $0.sorted() }
    }

    /// The items that these changes are about, by any of their names.
    private func excerpt(_ component: [Int]) -> SettingsContent {
        let renamed = component.compactMap { changes[$0].renaming }
        var excerpt = SettingsContent(definition: base.definition)
        for change in component { excerpt[changes[change].subject] = base[changes[change].subject] }
        for subject in renamed.isEmpty ? [] : base.subjects
        where renamed.contains(where: { subject.key.isWithin($0.old.key) || subject.key.isWithin($0.new.key) }) {
            excerpt[subject] = base[subject]
        }
        return excerpt
    }
}
