import SettingsModel

/// A file of settings with mixed styles, and the setting of each of its lines.
struct RandomFile {
    enum Style { case yaml, toml, env }

    struct Line {
        var text: String
        /// The path of the value that the line belongs to; nil for comments and blank lines.
        var path: [ExactText]?
    }

    var lines: [Line] = []
    var root: JSON = .object([])
    private var random: SplitMix
    private let style: Style

    var text: String { lines.map { $0.text + "\n" }.joined() }

    init(_ style: Style, _ seed: UInt64) {
        self.style = style
        random = SplitMix(seed)
        let top = RandomFile.names.prefix(2 + Int(random.next(5)))
        switch style {
        case .yaml: root = .object([.init("keep", .number(1))] + yaml(Array(top), at: [], indent: 0))
        case .toml: root = .object([.init("keep", .number(1))] + toml(Array(top), at: [], depth: 0))
        case .env:
            root = .object(
                [.init("keep", "1")]
                    + top.map { name in
                        blank("", "#")
                        let value = RandomFile.text(&random)
                        lines.append(Line(text: "\(name)=\(quoted(value))" + comment("#"), path: [name]))
                        return JSON.Member(name, .string(value))
                    })
        }
        lines.insert(Line(text: style == .yaml ? "keep: 1" : style == .toml ? "keep = 1" : "keep=1", path: ["keep"]), at: 0)
    }

    private static let names: [ExactText] = ["a", "b2", "c_d", "e", "f", "g", "h"]

    static func text(_ random: inout SplitMix) -> ExactText {
        let texts: [ExactText] = [
            "", "a", "a b", "a: b", "#x", "a #b", "it's", "é", "1", "true", "10.0.0.1", "null", "a,b]", "- x", "on", "/etc/x",
            "x=y",
        ]
        return texts[Int(random.next(UInt64(texts.count)))]
    }

    static func scalar(_ random: inout SplitMix) -> JSON {
        switch random.next(5) {
        case 0: .bool(random.next(2) == 0)
        case 1: .number(Int(random.next(1000)))
        case 2: .number(Number("1.5") ?? Number(1))
        default: .string(text(&random))
        }
    }

    private mutating func blank(_ indent: String, _ mark: String) {
        switch random.next(6) {
        case 0: lines.append(Line(text: "", path: nil))
        case 1: lines.append(Line(text: "\(indent)\(mark) comment \(lines.count)", path: nil))
        default: break
        }
    }

    private mutating func comment(_ mark: String) -> String { random.next(4) == 0 ? "   \(mark) c\(lines.count)" : "" }

    private mutating func quoted(_ text: ExactText) -> String {
        let isWord = text.string.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2F }
        let isPlain = isWord && !["", "true", "null", "on"].contains(text)
        if isPlain, style != .toml, random.next(2) == 0 { return text.string }
        if !text.string.contains("'"), random.next(2) == 0 { return "'\(text)'" }
        return "\"\(text)\""
    }

    private mutating func word(_ value: JSON) -> String {
        if case .string(let text) = value { return quoted(text) }
        return value.compact
    }
}

extension RandomFile {
    private mutating func yaml(_ names: [ExactText], at path: [ExactText], indent: Int) -> [JSON.Member] {
        let space = String(repeating: " ", count: indent)
        return names.map { name in
            let place = path + [name]
            blank(space, "#")
            func begin(_ rest: String) { lines.append(Line(text: "\(space)\(name):\(rest)" + comment("#"), path: place)) }
            switch random.next(indent > 6 ? 4 : 9) {
            case 0...3:
                let value = RandomFile.scalar(&random)
                begin(" " + word(value))
                return JSON.Member(name, value)
            case 4:
                let values = (0..<Int(random.next(4))).map { _ in RandomFile.scalar(&random) }
                begin(" [" + values.map { word($0) }.joined(separator: ", ") + "]")
                return JSON.Member(name, .array(values))
            case 5:
                begin("")
                let values = (0...Int(random.next(3))).map { _ in RandomFile.scalar(&random) }
                for value in values { lines.append(Line(text: "\(space)- " + word(value) + comment("#"), path: place)) }
                return JSON.Member(name, .array(values))
            case 6:
                begin(" |")
                for line in ["one", "  two", "# three"] { lines.append(Line(text: "\(space)  \(line)", path: place)) }
                return JSON.Member(name, "one\n  two\n# three\n")
            default:
                begin("")
                let inner = RandomFile.names.suffix(1 + Int(random.next(3)))
                return JSON.Member(name, .object(yaml(Array(inner), at: place, indent: indent + 2)))
            }
        }
    }

    private mutating func toml(_ names: [ExactText], at path: [ExactText], depth: Int) -> [JSON.Member] {
        var members: [JSON.Member] = []
        let split = names.count / 2 + 1
        for name in names.prefix(split) {
            let place = path + [name]
            blank("", "#")
            switch random.next(6) {
            case 0:
                let values = (0..<Int(random.next(4))).map { _ in RandomFile.scalar(&random) }
                lines.append(Line(text: "\(name) = [", path: place))
                for value in values { lines.append(Line(text: "  \(word(value))," + comment("#"), path: place)) }
                lines.append(Line(text: "]", path: place))
                members.append(.init(name, .array(values)))
            case 1:
                let value = RandomFile.scalar(&random)
                lines.append(Line(text: "\(name) = { x = \(word(value)), y = [1, 2] }" + comment("#"), path: place))
                members.append(.init(name, .object([.init("x", value), .init("y", .array([.number(1), .number(2)]))])))
            case 2:
                let value = RandomFile.scalar(&random)
                lines.append(Line(text: "\(name).x = \(word(value))" + comment("#"), path: place + ["x"]))
                members.append(.init(name, .object([.init("x", value)])))
            default:
                let value = RandomFile.scalar(&random)
                lines.append(Line(text: "\(name) = \(word(value))" + comment("#"), path: place))
                members.append(.init(name, value))
            }
        }
        for name in names.dropFirst(split) where depth < 3 {
            let place = path + [name]
            blank("", "#")
            let header = place.map(\.string).joined(separator: ".")
            let inner = Array(RandomFile.names.suffix(1 + Int(random.next(3))))
            if random.next(3) == 0 {
                var elements: [JSON] = []
                for _ in 0...Int(random.next(2)) {
                    lines.append(Line(text: "[[\(header)]]", path: place))
                    let value = RandomFile.scalar(&random)
                    lines.append(Line(text: "n = \(word(value))", path: place))
                    elements.append(.object([.init("n", value)]))
                }
                members.append(.init(name, .array(elements)))
            } else {
                lines.append(Line(text: "[\(header)]" + comment("#"), path: place))
                members.append(.init(name, .object(toml(inner, at: place, depth: depth + 1))))
            }
        }
        return members
    }
}
