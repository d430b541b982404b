/// One facet of one option, group or store: before and after.
public struct Change: Hashable, Sendable {
    public var subject: Subject
    /// The title of what changed, as it is afterwards; the key's last part where it has none.
    public var title: Text
    public var facet: Facet
    public var before: Content?
    public var after: Content?

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
    /// The changes that lead back.
    public var inverted: [Change] {
        let renames = Dictionary(
            compactMap { change in change.renaming.map { ($0.new, $0.old) } }, uniquingKeysWith: { first, _ in first }
        )
        return map { change in
            var inverse = change
            (inverse.before, inverse.after) = (change.after, change.before)
            inverse.subject = change.subject.renamed(by: renames)
            return inverse
        }
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
    /// Its name before or after `renames`; what sits in a renamed group moves with it.
    public func renamed(by renames: [Subject: Subject]) -> Subject {
        if renames.isEmpty { return self }
        if let new = renames[self] { return new }
        for (old, new) in renames {
            guard case .group(let from) = old, key.isWithin(from), self != .store else { continue }
            let moved = key.moved(from: from, to: new.key)
            if case .option = self { return .option(moved) } else { return .group(moved) }
        }
        return self
    }
}
