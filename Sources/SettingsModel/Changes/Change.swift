/// One facet of one option, group or store: before and after.
public struct Change: Hashable, Sendable {
    public var subject: Subject
    /// The title of what changed, as it is afterwards; the key's last part where it has none.
    public var title: Text
    public var facet: Facet
    public var before: Content?
    public var after: Content?
    /// What a `value` or `default` of a choice was chosen from, so that its label is found in other lists.
    public var offered = Offered()

    public struct Offered: Hashable, Sendable {
        public var before = Labels()
        public var after = Labels()
    }

    public enum Content: Hashable, Sendable {
        /// A whole option or group (`existence`).
        case item(Settings.Item)
        /// A key (`key`).
        case key(Key)
        /// A `value` or `default`, with the words a person knows it by.
        case value(JSON, words: Text?, isMasked: Bool)
        case labels(Labels)
        /// Everything else, as it stands in the file.
        case json(JSON)

        public var json: JSON? {
            switch self {
            case .value(let json, _, _), .json(let json): json
            case .key(let key): .string(key.description)
            case .item, .labels: nil
            }
        }
    }

    public init(_ subject: Subject, title: Text, facet: Facet, before: Content?, after: Content?) {
        self.subject = subject
        self.title = title
        self.facet = facet
        self.before = before
        self.after = after
    }
}

extension Sequence<Change> {
    /// The changes that lead back, the last rename first.
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
    /// The old and the new key, where this is a rename.
    public var renaming: (old: Subject, new: Subject)? {
        guard facet == .key, case .key(let old)? = before, case .key(let new)? = after else { return nil }
        if case .group = subject { return (.group(old), .group(new)) }
        return (.option(old), .option(new))
    }
}

extension Subject {
    /// Its name once `old` is `new`; what sits in a renamed group moves with it, the option of the group's name does not.
    public func renamed(from old: Subject, to new: Subject) -> Subject {
        if self == old { return new }
        guard case .group(let from) = old else { return self }
        switch self {
        case .option(let key) where key.group.isWithin(from): return .option(key.moved(from: from, to: new.key))
        case .group(let key) where key.isWithin(from): return .group(key.moved(from: from, to: new.key))
        default: return self
        }
    }
}
