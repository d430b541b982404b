/// The content of a folder's `_group.json`: how its section or page is shown.
public struct SettingsGroup: Hashable, Sendable {
    public var title: ExactText?
    public var style: Style?
    /// An explanation, shown below the section.
    public var footer: ExactText?
    /// The names of options and groups in the order in which they are shown; all others follow in byte order.
    public var order: [ExactText]?
    /// All other members of the file.
    public var other: [ExactText: JSON]

    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// Shown within its parent's page.
        case section
        /// Opened from its parent's page.
        case page
    }

    public init(
        title: ExactText? = nil, style: Style? = nil, footer: ExactText? = nil, order: [ExactText]? = nil,
        other: [ExactText: JSON] = [:]
    ) {
        self.title = title
        self.style = style
        self.footer = footer
        self.order = order
        self.other = other
    }

    /// `names` in the order in which they are shown.
    public func ordered(_ names: Set<ExactText>) -> [ExactText] {
        let named = (order ?? []).filter { names.contains($0) }
        return named + names.subtracting(named).sorted()
    }

    // The file: `title`, `style`, `footer`, `order`, then all other members sorted by their bytes.

    public var json: JSON {
        var members: [JSON.Member] = []
        if let title { members.append(JSON.Member("title", .string(title))) }
        if let style { members.append(JSON.Member("style", .string(style.rawValue))) }
        if let footer { members.append(JSON.Member("footer", .string(footer))) }
        if let order { members.append(JSON.Member("order", .array(order.map { .string($0) }))) }
        for name in other.keys.sorted() { members.append(JSON.Member(name, other[name] ?? .null)) }
        return .object(members)
    }

    public var file: [UInt8] { Array(json.pretty.utf8) }

    public init(file bytes: [UInt8]) throws(BadFile) {
        var reader = try MemberReader(bytes)
        self.init(title: try reader.text("title"))
        if let word = try reader.text("style") {
            guard let style = Style(rawValue: word.string) else {
                throw reader.wrong("style", "is \"\(word)\", not section or page")
            }
            self.style = style
        }
        footer = try reader.text("footer")
        order = try reader.texts("order")
        if let order {
            var seen: Set<ExactText> = []
            for (index, name) in order.enumerated() where !seen.insert(name).inserted {
                throw reader.wrong("order", index, "is \"\(name)\" again")
            }
        }
        other = reader.rest
    }
}
