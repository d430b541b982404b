/// Merges the names of options and groups when either side renamed some of them.
///
/// 1. Every item of the base is followed to its name on each side. A name has two parts: the group that contains the item
///    and the key's last part. They merge separately, so that a renamed group takes along what the other side renamed in
///    it. An item that only moved with its group doesn't count as moved.
/// 2. Items that one side added to a group, or moved into it, follow that group.
/// 3. Conflicts are: two different names for one item, two items with the same name, and groups that would contain each
///    other. Those items keep their last part and stay in their group of the base.
/// 4. A name that one side decided on and that the other changed is a conflict, although the first one was called so already.
/// 5. An option that one side renamed and the other removed is a conflict. So is one that moved with its group, if the other
///    side removed that group.
///
/// All rules are symmetric, and so is the merge.
struct NamesMerge {
    typealias Rename = (old: Subject, new: Subject)

    /// An item in all three states: its name in each, or nil if it isn't there.
    struct Thread {
        var base: Subject?
        var ours: Subject?
        var theirs: Subject?
        /// Its name in the result.
        var merged: Subject
        /// Whether both sides removed the item, or one side did and the other left it unchanged.
        var isGone = false
    }

    private(set) var threads: [Thread] = []
    /// Conflicts about names; `removed` are the items that one side renamed and the other removed.
    private(set) var conflicts: [Conflict] = []
    private(set) var removed: Set<Subject> = []
    /// The groups that one side renamed and the other removed, with options that are in conflict.
    private(set) var contestedGroups: Set<Subject> = []

    private let base: SettingsContent
    private let sides: [SettingsContent]
    private let decisions: [SettingsContent.Decisions]
    /// For each side, the name of each item of the base.
    private var images: [[Subject: Subject]] = []
    private var origins: [[Subject: Subject]] = []
    /// The groups and options of the base, except its root.
    private let nodes: [Subject]
    private var placements: [Subject: Placement] = [:]
    private var faults: [Subject: String] = [:]

    init(
        base: SettingsContent, ours: SettingsContent, theirs: SettingsContent, oursRenames: [Rename], theirsRenames: [Rename],
        decisions: [SettingsContent.Decisions]
    ) {
        self.base = base
        self.decisions = decisions
        sides = [ours, theirs]
        nodes = (base.options.keys.map { Subject.option($0) } + base.allGroups.filter { !$0.isRoot }.map { .group($0) }).sorted()
        images = [Self.follow(nodes, oursRenames, to: ours), Self.follow(nodes, theirsRenames, to: theirs)]
        while true {
            origins = images.map { image in Dictionary(image.map { ($0.value, $0.key) }) { first, _ in first } }
            for node in nodes { placements[node] = faults[node] == nil ? placement(of: node) : .stays(node) }
            if breakCycles() { continue }
            buildThreads()
            if !resolveClashes() { break }
        }
        collectConflicts()
    }

    // MARK: Names on each side

    /// The names that the base's items have on a side. If two items were renamed to the same name, the last one keeps it.
    private static func follow(_ nodes: [Subject], _ renames: [Rename], to side: SettingsContent) -> [Subject: Subject] {
        var names = Dictionary(uniqueKeysWithValues: nodes.map { ($0, $0) })
        // The item of each name; rebuilt after each group that moves.
        var holders: [Subject: Subject]?
        for (old, new) in renames {
            if case .option = old, old != new {
                if holders == nil { holders = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) }) }
                guard let node = holders?.removeValue(forKey: old) else { continue }
                if let other = holders?.updateValue(node, forKey: new) { names[other] = nil }
                names[node] = new
                continue
            }
            holders = nil
            let moved = names.filter { $0.value != $0.value.renamed(from: old, to: new) }
            guard !moved.isEmpty else { continue }
            let targets = Set(moved.values.map { $0.renamed(from: old, to: new) })
            for (node, name) in names where moved[node] == nil && targets.contains(name) { names[node] = nil }
            for (node, name) in moved { names[node] = name.renamed(from: old, to: new) }
        }
        let groups = side.allGroups
        func isThere(_ subject: Subject) -> Bool {
            if case .group(let key) = subject { return groups.contains(key) }
            return side[subject] != nil
        }
        var images = names.filter { isThere($0.value) }
        let taken = Set(images.values)
        // The rename had no effect on this side.
        for node in nodes where images[node] == nil && isThere(node) && !taken.contains(node) { images[node] = node }
        return images
    }

    // MARK: Where an item goes

    /// A place: a group of the base, the path below it, and the last part.
    private struct Placement: Equatable {
        var group: Key?
        var rest: [String] = []
        var name: String

        static func stays(_ node: Subject) -> Placement { Placement(group: node.key.group, name: node.key.name) }
    }

    /// The place of a base item on one side, and whether that side moved the item itself.
    private func wish(_ node: Subject, on side: Int) -> (placement: Placement, moves: Bool)? {
        guard let image = images[side][node] else { return nil }
        let parent = node.key.group
        let parentImage = parent.isRoot ? parent : images[side][.group(parent)]?.key
        if image.key.group == parentImage { return (Placement(group: parent, name: image.key.name), false) }
        return (place(image.key, on: side), true)
    }

    /// A side's key, expressed in groups of the base.
    private func place(_ key: Key, on side: Int) -> Placement {
        var group = key.group
        while !group.isRoot {
            if let origin = origins[side][.group(group)] {
                return Placement(group: origin.key, rest: Array(key.group.parts.dropFirst(group.parts.count)), name: key.name)
            }
            group = group.group
        }
        return Placement(group: nil, rest: key.group.parts, name: key.name)
    }

    private mutating func placement(of node: Subject) -> Placement {
        let stays = Placement.stays(node)
        let wishes = [wish(node, on: 0), wish(node, on: 1)]
        guard let ours = wishes[0], let theirs = wishes[1] else {
            guard let only = wishes[0] ?? wishes[1], only.placement != stays || hasContestedGroup(node) else { return stays }
            if !node.isGroup { faults[node] = "renamed to \(key(only.placement)) on one side, removed on the other" }
            return node.isGroup ? only.placement : stays
        }
        if ours.placement == theirs.placement { return ours.placement }
        if ours.moves || theirs.moves, let image = images[0][node], image == images[1][node] {
            return Placement(group: nil, rest: image.key.group.parts, name: image.key.name)
        }
        var merged = stays
        var differs = contradictsDecision(node, wishes.map { $0?.placement ?? stays })
        switch (ours.moves, theirs.moves) {
        case (true, true):
            let same = ours.placement.group == theirs.placement.group && ours.placement.rest == theirs.placement.rest
            (merged.group, merged.rest) = (ours.placement.group, ours.placement.rest)
            differs = !same
        case (true, false): (merged.group, merged.rest) = (ours.placement.group, ours.placement.rest)
        case (false, true): (merged.group, merged.rest) = (theirs.placement.group, theirs.placement.rest)
        case (false, false): break
        }
        let names = (ours.placement.name, theirs.placement.name)
        if names.0 == names.1 || names.1 == stays.name {
            merged.name = names.0
        } else if names.0 == stays.name {
            merged.name = names.1
        } else {
            differs = true
        }
        guard differs else { return merged }
        let keys = [images[0][node]?.key ?? .root, images[1][node]?.key ?? .root].sorted()
        faults[node] = "renamed to \(keys[0]) on one side, to \(keys[1]) on the other"
        return stays
    }

    /// Whether a side decided on the name that an item has there, and the other one decided on or gave it another.
    private func contradictsDecision(_ node: Subject, _ placements: [Placement]) -> Bool {
        let isDecided = images.indices.map { side in images[side][node].map(decisions[side].names.contains) ?? false }
        let isChosen = images.indices.map { isDecided[$0] || placements[$0] != .stays(node) }
        return isDecided.contains(true) && !isChosen.contains(false)
    }

    /// Whether an option moved with a group that the other side removed.
    private func hasContestedGroup(_ node: Subject) -> Bool {
        !node.isGroup && node.key.enclosingGroups.contains { isRenamedAndRemoved(.group($0)) }
    }

    /// Whether one side renamed a group, and the other removed it.
    private func isRenamedAndRemoved(_ group: Subject) -> Bool {
        guard (images[0][group] == nil) != (images[1][group] == nil) else { return false }
        guard let wish = wish(group, on: images[0][group] == nil ? 1 : 0) else { return false }
        return wish.placement != .stays(group)
    }

    private func key(_ placement: Placement) -> Key {
        let group = placement.group.map(mergedGroup) ?? .root
        return Key(unchecked: group.parts + placement.rest + [placement.name])
    }

    private func mergedGroup(_ group: Key) -> Key {
        guard !group.isRoot, let placement = placements[.group(group)] else { return group }
        return key(placement)
    }

    /// Groups that would contain each other stay in place.
    private mutating func breakCycles() -> Bool {
        var found = false
        for node in nodes where node.isGroup {
            var seen: Set<Subject> = []
            var next: Subject? = node
            while let group = next, seen.insert(group).inserted {
                next = placements[group]?.group.flatMap { $0.isRoot ? nil : .group($0) }
            }
            guard next == node else { continue }
            faults[node] = faults[node] ?? "\(node.key) would contain itself"
            found = true
        }
        return found
    }

    // MARK: The result

    private mutating func buildThreads() {
        threads = []
        contestedGroups = []
        for node in nodes {
            guard let placement = placements[node] else { continue }
            let merged = Subject(key(placement), isGroup: node.isGroup)
            var thread = Thread(base: node, ours: images[0][node], theirs: images[1][node], merged: merged)
            thread.isGone = faults[node] == nil && isGone(thread)
            if isContested(node) {
                thread.isGone = false
                contestedGroups.insert(merged)
            }
            threads.append(thread)
        }
        // Items that a side added; items that both sides added under the same name are one item.
        var added: [Subject: Int] = [:]
        for side in 0...1 {
            let groups = sides[side].allGroups.filter { !$0.isRoot }.map { Subject.group($0) }
            for subject in groups + sides[side].options.keys.map({ .option($0) }) where origins[side][subject] == nil {
                let merged = Subject(key(place(subject.key, on: side)), isGroup: subject.isGroup)
                let isFirst = added[merged] == nil
                let index = added[merged] ?? threads.count
                if isFirst {
                    added[merged] = index
                    threads.append(Thread(merged: merged))
                }
                if side == 0 { threads[index].ours = subject } else { threads[index].theirs = subject }
            }
        }
    }

    /// Whether a group was renamed on one side and removed on the other, with an option in it that is in conflict for that.
    private func isContested(_ node: Subject) -> Bool {
        guard node.isGroup, base[node] != nil, isRenamedAndRemoved(node) else { return false }
        return faults.keys.contains { !$0.isGroup && $0.key.isWithin(node.key) && hasContestedGroup($0) }
    }

    private func isGone(_ thread: Thread) -> Bool {
        if thread.ours != nil, thread.theirs != nil { return false }
        // A decision to keep it.
        for (side, name) in [thread.ours, thread.theirs].enumerated() {
            if let name, decisions[side].subjects.contains(name) { return false }
        }
        let old = thread.base.flatMap { base[$0] }
        return [thread.ours.flatMap { sides[0][$0] }, thread.theirs.flatMap { sides[1][$0] }].allSatisfy {
            $0 == nil || $0 == old
        }
    }

    /// What a name of a side is in the result.
    func result(of name: Subject, on side: Int) -> Subject {
        if name.key.isRoot { return name }
        let thread = threads.first { (side == 0 ? $0.ours : $0.theirs) == name }
        return thread?.merged ?? Subject(key(place(name.key, on: side)), isGroup: name.isGroup)
    }

    /// Items that would get the same name keep their old names. Returns whether there were any.
    private mutating func resolveClashes() -> Bool {
        var byName: [Subject: [Int]] = [:]
        for (index, thread) in threads.enumerated() where !thread.isGone { byName[thread.merged, default: []].append(index) }
        var kept: [Subject: String] = [:]
        var reassigned: Set<Subject> = []
        for (name, clash) in byName where clash.count > 1 {
            for index in clash {
                guard let node = threads[index].base else { continue }
                if let movedItem = movedItem(of: node) {
                    kept[movedItem] =
                        "\(movedItem.key) can't become \(placements[movedItem].map(key) ?? name.key): \(name.key) already exists"
                } else {
                    reassigned.insert(node)
                }
            }
        }
        if !kept.isEmpty {
            for (node, reason) in kept where faults[node] == nil { faults[node] = reason }
            return true
        }
        // The old name was given to another item, so the rename becomes a removal and an addition.
        var isChanged = false
        for node in reassigned {
            var (node, next): (Subject, Subject?) = (node, node)
            while let here = next {
                node = here
                for side in 0...1 {
                    guard let image = images[side][node], image != node else { continue }
                    images[side][node] = sides[side][node] != nil && origins[side][node] == nil ? node : nil
                    isChanged = true
                }
                next = isChanged || node.key.group.isRoot ? nil : .group(node.key.group)
            }
        }
        if isChanged { faults = faults.filter { !reassigned.contains($0.key) } }
        return isChanged
    }

    /// The item itself, or else the nearest group around it, that doesn't keep its name.
    private func movedItem(of node: Subject) -> Subject? {
        var next: Subject? = node
        while let here = next {
            guard let placement = placements[here] else { return nil }
            if placement != .stays(here) { return here }
            next = here.key.group.isRoot ? nil : .group(here.key.group)
        }
        return nil
    }

    private mutating func collectConflicts() {
        for thread in threads {
            guard let node = thread.base, let reason = faults[node] else { continue }
            func side(_ index: Int) -> Change.Content? {
                guard images[index][node] != nil || node.isGroup else { return nil }
                return .key(wish(node, on: index).map { key($0.placement) } ?? thread.merged.key)
            }
            conflicts.append(
                Conflict(
                    thread.merged, title: base.title(of: node), facet: .key,
                    base: .key(thread.merged.key), ours: side(0), theirs: side(1), reason: reason
                )
            )
            if thread.ours == nil || thread.theirs == nil { removed.insert(thread.merged) }
        }
        conflicts.sort { $0.subject < $1.subject }
    }
}
