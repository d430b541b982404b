/// A three-way merge of one item's files, as git's merge driver needs it.
public struct FileMerge: Hashable, Sendable {
    /// The merged file. If the sides conflict, it contains both versions between git's conflict markers.
    public private(set) var file: [UInt8]
    public private(set) var conflicts: [Conflict]

    /// `base` is nil if both sides added the file.
    public init(
        _ subject: Subject, base: [UInt8]?, ours: [UInt8], theirs: [UInt8], names: (ours: String, theirs: String)
    ) throws(BadFile) {
        let sides = try FileMerge.read(subject, base, ours, theirs)
        let merge = SettingsContent.merge(base: sides.base, ours: sides.ours, theirs: sides.theirs)
        conflicts = merge.conflicts
        var (our, their) = (merge.settings, merge.settings)
        for conflict in conflicts.sorted(by: { $0.facet == .labels && $1.facet != .labels }) {
            our.take(conflict.ours, for: conflict)
            their.take(conflict.theirs, for: conflict)
        }
        file = FileMerge.marked(our[subject]?.file ?? [], their[subject]?.file ?? [], names)
    }

    static func read(
        _ subject: Subject, _ base: [UInt8]?, _ ours: [UInt8], _ theirs: [UInt8]
    ) throws(BadFile) -> (base: SettingsContent, ours: SettingsContent, theirs: SettingsContent) {
        var states = (base: SettingsContent(), ours: SettingsContent(), theirs: SettingsContent())
        if let base { states.base[subject] = try SettingsContent.Item(file: base, of: subject) }
        states.ours[subject] = try SettingsContent.Item(file: ours, of: subject)
        states.theirs[subject] = try SettingsContent.Item(file: theirs, of: subject)
        return states
    }

    /// Merges two texts into one with conflict markers around the lines that differ; returns the text itself if they are equal.
    package static func marked(_ ours: [UInt8], _ theirs: [UInt8], _ names: (ours: String, theirs: String)) -> [UInt8] {
        if ours == theirs { return ours }
        func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.split(separator: 10, omittingEmptySubsequences: true) }
        let (left, right) = (lines(ours), lines(theirs))
        let start = zip(left, right).prefix { $0 == $1 }.count
        let rest = min(left.count, right.count) - start
        let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let common = min(end, rest)
        var marked: [UInt8] = []
        func add(_ lines: some Sequence<ArraySlice<UInt8>>) {
            for line in lines { marked += line + [10] }
        }
        func add(_ marker: String) { marked += Array(marker.utf8) + [10] }
        add(left[..<start])
        add("<<<<<<< \(names.ours)")
        add(left[start..<(left.count - common)])
        add("=======")
        add(right[start..<(right.count - common)])
        add(">>>>>>> \(names.theirs)")
        add(left[(left.count - common)...])
        return marked
    }
}

extension SettingsContent {
    /// Removes the labels that were kept for `conflict`, unless they are now chosen or the default.
    package mutating func dropLabel(keptFor conflict: Conflict) {
        guard case .option(var option)? = self[conflict.subject] else { return }
        for label in [conflict.keptLabel].compactMap({ $0 }) + conflict.removedLabels.map(\.label.value)
        where option.value != label && option.defaultValue != label {
            option.labels.remove(label)
        }
        self[conflict.subject] = .option(option)
    }

    /// Resolves a conflict with the content of one side.
    package mutating func take(_ content: Change.Content?, for conflict: Conflict) {
        switch conflict.facet {
        case .existence:
            if case .item(let item)? = content { self[conflict.subject] = item } else { self[conflict.subject] = nil }
        case .key:
            // One side renamed the item, the other removed it.
            guard let new = conflict.subject.named(content) else {
                self[conflict.subject] = nil
                return
            }
            if canRename(conflict.subject, to: new) { rename(conflict.subject, to: new) }
        default:
            guard var item = self[conflict.subject] else { return }
            item.set(conflict.facet, to: content)
            if case .option(var option) = item, let value = content?.json, option.labels.index(of: value) == nil,
                let removed = conflict.removedLabels.first(where: { $0.label.value == value })
            {
                option.labels.insert(removed.label, at: removed.position(in: option.labels))
                item = .option(option)
            }
            self[conflict.subject] = item
            dropLabel(keptFor: conflict)
        }
    }
}
