import SettingsModel

/// A YAML file as a tree of plain values. Values from aliases are counted as they are inserted.
struct YAMLTree {
    /// The maximum number of values in a file after expanding aliases, and of bytes of text.
    static let nodeLimit = 250_000
    static let textLimit = Source.sizeLimit
    /// The maximum size of a file in bytes: a byte of the densest files takes about 200 bytes of memory.
    static let sizeLimit = 4 << 20
    /// The maximum number of documents in a file.
    static let documentLimit = 1000

    private let file: String
    private var dialect: YAMLScalar.Dialect
    private var marks: [PlainTree.Pointer: ExactText] = [:]
    private var nameMarks: [PlainTree.Pointer: ExactText] = [:]
    private var repairs: [Repair] = []
    /// The nodes with anchors of the current document.
    private var anchored: [YAMLNode] = []
    private var nodes = 0
    private var text = 0

    private init(_ file: String, _ dialect: YAMLScalar.Dialect) {
        self.file = file
        self.dialect = dialect
    }

    /// Reads the only document; an empty file is an object without members.
    static func read(
        _ bytes: [UInt8], in file: String, _ dialect: YAMLScalar.Dialect
    ) throws(Refusal) -> (tree: PlainTree, repairs: [Repair]) {
        let all = try documents(bytes, in: file, dialect, atMost: 1)
        return all.first ?? (PlainTree(.object([])), [])
    }

    /// Reads all documents except empty ones. `atMost`: more are rejected.
    static func documents(
        _ bytes: [UInt8], in file: String, _ dialect: YAMLScalar.Dialect, atMost limit: Int = documentLimit
    ) throws(Refusal) -> [(tree: PlainTree, repairs: [Repair])] {
        guard bytes.count <= sizeLimit else {
            throw Refusal(
                "is larger than \(sizeLimit >> 20) MiB", in: file, hint: "settings are small: is this the right file?")
        }
        let reader = YAMLReader(Array(try PlainFile.text(of: bytes, in: file).utf8), in: file)
        var tree = YAMLTree(file, dialect)
        var documents: [(tree: PlainTree, repairs: [Repair])] = []
        while let document = try reader.document() {
            if document.root.isEmpty { continue }
            if documents.count == limit {
                throw tree.refusal(
                    limit == 1 ? "contains several documents" : "contains more than \(limit) documents", document.root,
                    hint: "keep each in a separate file")
            }
            tree.dialect = document.dialect ?? dialect
            documents.append(try tree.read(document))
        }
        return documents
    }

    private mutating func read(_ document: YAMLDocument) throws(Refusal) -> (PlainTree, [Repair]) {
        anchored = document.anchored
        let json = try json(document.root, at: .root, [])
        let tree = PlainTree(json.isNull ? .object([]) : json, marks: marks, nameMarks: nameMarks)
        defer { (marks, nameMarks, repairs) = ([:], [:], []) }
        return (tree, repairs)
    }
}

/// Converts nodes to values.
extension YAMLTree {
    private mutating func json(
        _ node: YAMLNode, at place: PlainTree.Pointer, _ names: [String]
    ) throws(Refusal) -> JSON {
        try count(node, names)
        switch node.content {
        case .alias(_, let index): return try json(anchored[index], at: place, names)
        case .scalar(let text, let isPlain): return value(of: text, isPlain, node, at: place, names)
        case .sequence(let sequence):
            keepTag("seq", node, at: place, names)
            var elements: [JSON] = []
            for (index, element) in sequence.enumerated() {
                elements.append(try json(element, at: place.element(index), names + [String(index)]))
            }
            return .array(elements)
        case .mapping(let mapping):
            keepTag("map", node, at: place, names)
            return .object(try members(of: mapping, at: place, names))
        }
    }

    private mutating func value(
        of text: String, _ isPlain: Bool, _ node: YAMLNode, at place: PlainTree.Pointer, _ names: [String]
    ) -> JSON {
        switch node.shortTag {
        case "" where isPlain:
            switch YAMLScalar(plain: text, dialect) {
            case .null: return .null
            case .bool(let isTrue): return spelled(.bool(isTrue), text, node, at: place, names)
            case .number(let number): return spelled(.number(number), text, node, at: place, names)
            case .string: return .string(text)
            case .notFinite:
                keep("JSON has no number \(text)", "read as data", node, names)
                fallthrough
            case .timestamp:
                marks[place] = YAMLTree.plain
                return .string(text)
            }
        case "", "!", "!!str": return .string(text)
        case let tag:
            if let value = value(of: text, tagged: tag) { return value }
            if tag == "!!timestamp", YAMLScalar(plain: text, dialect) == .timestamp {
                marks[place] = YAMLTree.plain
            } else {
                marks[place] = ExactText(tag)
                keep("the tag \(tag)", "the text is read as data, and the tag is kept for export", node, names)
            }
            return .string(text)
        }
    }

    /// A value, with its spelling if that differs from the default.
    private mutating func spelled(
        _ value: JSON, _ text: String, _ node: YAMLNode, at place: PlainTree.Pointer, _ names: [String]
    ) -> JSON {
        if text.lowercased() == YAMLTree.spelling(of: value).lowercased() { return value }
        marks[place] = ExactText(text)
        if dialect != .core, !YAMLScalar.isUniversal(text) {
            keep(text, "read as \(value.compact), as YAML 1.1 has it", node, names)
        }
        return value
    }

    /// The value of a text with one of YAML's own tags; nil if the text doesn't fit the tag.
    private func value(of text: String, tagged tag: String) -> JSON? {
        switch (tag, YAMLScalar(plain: text, dialect == .core ? .core : .yaml11)) {
        case ("!!null", .null): .null
        case ("!!bool", .bool(let isTrue)): .bool(isTrue)
        case ("!!int", .number(let number)) where !number.isReal: .number(number)
        case ("!!float", .number(let number)): .number(number.isReal ? number : Number(number.text + ".0") ?? number)
        default: nil
        }
    }

    /// Whether a value reads back behind a tag as written in a file; an anchor and a tag of a program's own fit any.
    static func tag(_ tag: String, fits value: JSON) -> Bool {
        switch (tag, value) {
        case ("!!null", .null), ("!!bool", .bool), ("!!str", .string), ("!!map", .object), ("!!seq", .array): true
        case ("!!int", .number(let number)): !number.isReal
        case ("!!float", .number(let number)): number.isReal
        case ("!!timestamp", .string(let text)): YAMLScalar(plain: text.string, .yaml11) == .timestamp
        case ("!!null", _), ("!!bool", _), ("!!str", _), ("!!map", _), ("!!seq", _), ("!!int", _), ("!!float", _),
            ("!!timestamp", _):
            false
        default: true
        }
    }

    private mutating func keepTag(_ own: String, _ node: YAMLNode, at place: PlainTree.Pointer, _ names: [String]) {
        let tag = node.shortTag
        if tag.isEmpty || tag == "!" || tag == "!!\(own)" { return }
        marks[place] = ExactText(tag)
        keep("the tag \(tag)", "the value is read as data, and the tag is kept for export", node, names)
    }

    /// The mark of a value that is written without quotes.
    static let plain: ExactText = "plain"
}

/// Members, including those that `<<` merges.
extension YAMLTree {
    private mutating func members(
        of mapping: [(key: YAMLNode, value: YAMLNode)], at place: PlainTree.Pointer, _ names: [String]
    ) throws(Refusal) -> [JSON.Member] {
        var own: Set<ExactText> = []
        for case .scalar(let name, _) in mapping.lazy.map(\.key.content) { own.insert(ExactText(name)) }
        var members: [JSON.Member] = []
        var seen: Set<ExactText> = []
        for (key, value) in mapping {
            if key.isMerge {
                try count(key, names)
                for (name, mark, node) in try merged(value, names) where !own.contains(name) && seen.insert(name).inserted {
                    let inner = place.member(name)
                    nameMarks[inner] = mark
                    members.append(JSON.Member(name, try json(node, at: inner, names + [name.string])))
                }
                continue
            }
            let (name, mark) = try self.name(of: key, names)
            // The reader has compared only names that are written out, not those from aliases.
            guard seen.insert(name).inserted else {
                throw refusal("the name '\(name)' appears twice", key, hint: "keep one of them")
            }
            let inner = place.member(name)
            nameMarks[inner] = mark
            members.append(JSON.Member(name, try json(value, at: inner, names + [name.string])))
        }
        return members
    }

    /// The members of the merged mapping or mappings, earlier ones first.
    private mutating func merged(_ node: YAMLNode, _ names: [String]) throws(Refusal) -> [(ExactText, ExactText?, YAMLNode)] {
        guard names.count < JSON.depthLimit else { throw YAMLTree.tooDeep(in: file, at: node.position) }
        try count(node, names)
        let node = definition(of: node)
        switch node.content {
        case .mapping(let mapping):
            var own: [(ExactText, ExactText?, YAMLNode)] = []
            var inherited: [(ExactText, ExactText?, YAMLNode)] = []
            for (key, value) in mapping {
                if key.isMerge {
                    inherited += try merged(value, names + ["<<"])
                } else {
                    try count(key, names)
                    let (name, mark) = try name(of: key, names)
                    own.append((name, mark, value))
                }
            }
            return own + inherited
        case .sequence(let sequence):
            var all: [(ExactText, ExactText?, YAMLNode)] = []
            for element in sequence { all += try merged(element, names + ["<<"]) }
            return all
        case .scalar, .alias:
            throw refusal("'<<' merges the members of a mapping, but this is not a mapping", node)
        }
    }

    private mutating func name(of key: YAMLNode, _ names: [String]) throws(Refusal) -> (ExactText, ExactText?) {
        try count(key, names)
        let node = definition(of: key)
        guard case .scalar(let text, let isPlain) = node.content else {
            throw refusal("a list or a mapping cannot be the name of a setting", key)
        }
        switch node.shortTag {
        case "", "!!str":
            let isString = !isPlain || YAMLScalar(plain: text, dialect) == .string
            return (ExactText(text), isString ? nil : YAMLTree.plain)
        case "!": return (ExactText(text), nil)
        case let tag: return (ExactText(text), ExactText(tag))
        }
    }
}

/// Aliases and limits.
extension YAMLTree {
    /// The target of an alias; any other node itself.
    private func definition(of node: YAMLNode) -> YAMLNode {
        if case .alias(_, let index) = node.content { anchored[index] } else { node }
    }

    private mutating func count(_ node: YAMLNode, _ names: [String]) throws(Refusal) {
        nodes += 1
        if case .scalar(let words, _) = node.content { text += words.utf8.count }
        guard names.count < JSON.depthLimit else { throw YAMLTree.tooDeep(in: file, at: node.position) }
        guard nodes <= YAMLTree.nodeLimit, text <= YAMLTree.textLimit else {
            throw YAMLTree.tooLarge(in: file, at: node.position)
        }
    }

    static func tooDeep(in file: String, at position: BadFile.Position) -> Refusal {
        Refusal("is nested more than \(JSON.depthLimit - 1) levels deep", in: file, at: position)
    }

    static func tooLarge(in file: String, at position: BadFile.Position) -> Refusal {
        Refusal(
            "has more than \(nodeLimit) values or \(textLimit >> 20) MiB after its aliases are expanded", in: file, at: position,
            hint: "settings are small: is this the right file?")
    }

    private mutating func keep(_ found: String, _ done: String, _ node: YAMLNode, _ names: [String]) {
        repairs.append(
            Repair(
                .kept, file: file, line: node.position.line, key: names.joined(separator: "."), found: found, done: done))
    }

    private func refusal(_ reason: String, _ node: YAMLNode, hint: String? = nil) -> Refusal {
        Refusal(reason, in: file, at: node.position, hint: hint)
    }
}

extension Number {
    /// Whether it is written with a point or an exponent.
    var isReal: Bool { text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } }
}
