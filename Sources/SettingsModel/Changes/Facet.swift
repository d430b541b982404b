/// A part of an option, a group or the store that changes, merges and conflicts on its own.
public enum Facet: Hashable, Sendable {
    /// Whether the item exists: added, removed.
    case existence
    /// The key of the item.
    case key
    case title, type, value, `default`, help, labels
    /// `minimum`, `maximum` or `step`.
    case bound(ExactText)
    /// The order of a group's options and groups.
    case order
    /// Any other member of the file.
    case member(ExactText)

    /// The bound that stands for all three, for problems that concern the range as a whole.
    static let range = Facet.bound("minimum")

    /// The name in messages and in `--json`: `value`, `title`, `labels`, `range`, …
    public var name: String {
        switch self {
        case .existence: "existence"
        case .key: "key"
        case .title: "title"
        case .type: "type"
        case .value: "value"
        case .default: "default"
        case .help: "help"
        case .labels: "labels"
        case .bound: "range"
        case .order: "order"
        case .member(let name): name.string
        }
    }
}

extension Facet {
    /// A word that identifies exactly this facet: `value`, `minimum`, `member:pattern`.
    public var token: String {
        switch self {
        case .bound(let name): name.string
        case .member(let name): "member:\(name)"
        case .existence, .key, .title, .type, .value, .default, .help, .labels, .order: name
        }
    }

    public init?(token: String) {
        switch token {
        case "existence": self = .existence
        case "key": self = .key
        case "title": self = .title
        case "type": self = .type
        case "value": self = .value
        case "default": self = .default
        case "help": self = .help
        case "labels": self = .labels
        case "order": self = .order
        case "minimum", "maximum", "step": self = .bound(ExactText(token))
        case _ where token.hasPrefix("member:"): self = .member(ExactText(String(token.dropFirst(7))))
        default: return nil
        }
    }
}

/// The item that a change is about.
public enum Subject: Hashable, Sendable {
    /// `_store.json`.
    case store
    case group(Key)
    case option(Key)

    /// The key; the root for the store.
    public var key: Key {
        switch self {
        case .store: .root
        case .group(let key), .option(let key): key
        }
    }

    package var isGroup: Bool { if case .group = self { true } else { false } }

    package init(_ key: Key, isGroup: Bool) { self = isGroup ? .group(key) : .option(key) }

    /// What this is called where its key is `content`; nil if that is no key.
    package func named(_ content: Change.Content?) -> Subject? {
        guard case .key(let key)? = content else { return nil }
        return Subject(key, isGroup: isGroup)
    }

    /// The path of its file, relative to the store's folder.
    public var path: String {
        switch self {
        case .store: "_store.json"
        case .group(let key): key.isRoot ? "_group.json" : key.path + "/_group.json"
        case .option(let key): key.path + ".json"
        }
    }

    /// The item whose file is at `path`; nil if a store can't have a file there.
    public init?(path: String) {
        if path == "_store.json" {
            self = .store
            return
        }
        guard path.hasSuffix(".json") else { return nil }
        // Split as bytes: split as characters, this would take a tenth of the time of listing a store.
        var parts = path.utf8.dropLast(5).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        let isGroup = parts.last == "_group"
        if isGroup { parts.removeLast() }
        guard isGroup || !parts.isEmpty, let key = try? Key(parts: parts) else { return nil }
        self.init(key, isGroup: isGroup)
    }
}

extension Subject: Comparable {
    /// The store, then groups and options by key, a group before the option of its name.
    public static func < (left: Subject, right: Subject) -> Bool {
        let (parts, others) = (left.key.parts, right.key.parts)
        for index in 0..<min(parts.count, others.count) where parts[index] != others[index] {
            return parts[index] < others[index]
        }
        return parts.count == others.count ? left.rank < right.rank : parts.count < others.count
    }

    private var rank: Int {
        switch self {
        case .store: 0
        case .group: 1
        case .option: 2
        }
    }
}

extension [Subject] {
    package var options: [Key] { compactMap { if case .option(let key) = $0 { key } else { nil } } }
}
