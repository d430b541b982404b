/// A change of one facet of an option, a group or the store: its content before and after.
public struct Change: Hashable, Sendable {
    public var subject: Subject
    /// The title of the item after the change, or the key's last part if the item has no title.
    public var title: ExactText
    public var facet: Facet
    public var before: Content?
    public var after: Content?
    /// The label lists that a `value` or `default` of a choice was chosen from, used to find the same label in other lists.
    public var offered = Offered()
    /// Whether the item was there before, in a file that could not be read.
    package var isRepair = false

    public struct Offered: Hashable, Sendable {
        public var before = Labels()
        public var after = Labels()
    }

    public enum Content: Hashable, Sendable {
        /// A whole option or group (`existence`).
        case item(SettingsContent.Item)
        /// A key (`key`).
        case key(Key)
        /// A `value` or `default`, with its label if it has one.
        case value(JSON, words: ExactText?, isMasked: Bool)
        case labels(Labels)
        /// The content of any other facet, as in the file.
        case json(JSON)

        public var json: JSON? {
            switch self {
            case .value(let json, _, _), .json(let json): json
            case .key(let key): .string(key.description)
            case .item, .labels: nil
            }
        }
    }

    public init(_ subject: Subject, title: ExactText, facet: Facet, before: Content?, after: Content?) {
        self.subject = subject
        self.title = title
        self.facet = facet
        self.before = before
        self.after = after
    }
}

extension Sequence<Change> {
    /// The changes that undo these, the last rename first.
    public var inverted: [Change] {
        let renames = compactMap(\.renaming)
        var keys: [Change] = []
        var others: [Change] = []
        for change in self {
            var inverse = change
            (inverse.before, inverse.after) = (change.after, change.before)
            inverse.offered = Change.Offered(before: change.offered.after, after: change.offered.before)
            if let (old, _) = change.renaming {
                inverse.subject = old
                keys.insert(inverse, at: 0)
            } else {
                for (old, new) in renames.reversed() { inverse.subject = inverse.subject.renamed(from: new, to: old) }
                others.append(inverse)
            }
        }
        return keys + others
    }
}

extension Change {
    /// The old and the new key if this change is a rename.
    public var renaming: (old: Subject, new: Subject)? {
        guard facet == .key, let old = subject.named(before), let new = subject.named(after) else { return nil }
        return (old, new)
    }
}

extension Subject {
    /// Its name after `old` was renamed to `new`. Everything in a renamed group moves along, but not the option of the group's name.
    public func renamed(from old: Subject, to new: Subject) -> Subject {
        if self == old { return new }
        guard case .group(let from) = old else { return self }
        switch self {
        case .option(let key) where key.group.isWithin(from): return .option(key.moved(from: from, to: new.key))
        case .group(let key) where key.isWithin(from): return .group(key.moved(from: from, to: new.key))
        default: return self
        }
    }

    /// Its name after versions that renamed something, the oldest first.
    package func renamed(by renames: [VersionMessage.Rename]) -> Subject {
        renames.reduce(self) { $0.renamed(from: $1.old, to: $1.new) }
    }

    /// Whether one of them lies in the other, or is it.
    fileprivate func meets(_ other: Subject) -> Bool { key.isWithin(other.key) || other.key.isWithin(key) }

    /// Its name before them.
    package func before(_ renames: [VersionMessage.Rename]) -> Subject {
        renames.reversed().reduce(self) { $0.renamed(from: $1.new, to: $1.old) }
    }
}

extension Sequence<VersionMessage.Rename> {
    /// The same in as few steps: what is renamed on is one step, and what is renamed back is none. Steps stay apart where another
    /// one in between has to do with their names.
    package var net: [VersionMessage.Rename] {
        var steps: [VersionMessage.Rename] = []
        for rename in self {
            guard let place = steps.lastIndex(where: { $0.new == rename.old }) else {
                steps.append(rename)
                continue
            }
            let names = [steps[place].old, rename.old, rename.new]
            if steps[(place + 1)...].contains(where: { step in names.contains { $0.meets(step.old) || $0.meets(step.new) } }) {
                steps.append(rename)
            } else if steps[place].old == rename.new {
                steps.remove(at: place)
            } else {
                steps[place].new = rename.new
            }
        }
        return steps
    }
}
