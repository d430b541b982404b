import SettingsModel
import Yams

/// A file of YAML as a tree of plain values.
///
/// Yams composes it, but never sees an alias: it would put in what the alias stands for at once, and a few lines can
/// stand for more than a machine holds, or nest deeper than its stack. So each `*` is read as a character that isn't in
/// the file, and a plain scalar that begins with it is an alias, since no other can. What aliases stand for is counted
/// here while it is put in.
struct YAMLTree {
    /// As many values as a file may come to, aliases put in, and as many bytes of text.
    static let nodeLimit = 250_000
    static let textLimit = Source.sizeLimit
    /// The most bytes of a file: for each byte of the densest ones Yams takes some 500 of memory.
    static let sizeLimit = 4 << 20
    /// The most documents of a file.
    static let documentLimit = 1000

    private let file: String
    private let dialect: YAMLScalar.Dialect
    private let star: Unicode.Scalar
    private var marks: [PlainTree.Pointer: Text] = [:]
    private var nameMarks: [PlainTree.Pointer: Text] = [:]
    private var repairs: [Repair] = []
    /// What has an anchor, in the order of the file, and which of it has a name at the moment.
    private var anchored: [Node] = []
    private var anchors: [String: Int] = [:]
    /// By line and column, what an alias was found to stand for; a later anchor of that name doesn't change it.
    private var aliases: [[Int]: Int] = [:]
    private var expansions = 0
    private var nodes = 0
    private var text = 0

    private init(_ file: String, _ dialect: YAMLScalar.Dialect, _ star: Unicode.Scalar) {
        self.file = file
        self.dialect = dialect
        self.star = star
    }

    /// Reads the one document that there is; nothing at all is an object without members.
    static func read(
        _ bytes: [UInt8], in file: String, _ dialect: YAMLScalar.Dialect
    ) throws(Refusal) -> (tree: PlainTree, repairs: [Repair]) {
        let all = try documents(bytes, in: file, dialect, atMost: 1)
        return all.first ?? (PlainTree(.object([])), [])
    }

    /// Reads all documents but those with nothing in them. `atMost`: more are refused.
    static func documents(
        _ bytes: [UInt8], in file: String, _ dialect: YAMLScalar.Dialect, atMost limit: Int = documentLimit
    ) throws(Refusal) -> [(tree: PlainTree, repairs: [Repair])] {
        guard bytes.count <= sizeLimit else {
            throw Refusal(
                "is larger than \(sizeLimit >> 20) MiB", in: file, hint: "settings are small: is this the right file?")
        }
        let text = try PlainFile.text(of: bytes, in: file)
        guard let star = star(for: text) else { throw Refusal("uses every character of the private use area", in: file) }
        var reader = YAMLTree(file, dialect, star)
        let hidden = hidden(text, star)
        var documents: [(tree: PlainTree, repairs: [Repair])] = []
        do {
            let parser = try Parser(yaml: hidden, resolver: .basic, encoding: .utf8)
            // The parser holds the anchors.
            defer { withExtendedLifetime(parser) {} }
            while let root = try parser.nextRoot() {
                if let scalar = root.scalar, scalar.style == .plain, scalar.string.isEmpty { continue }
                if documents.count == limit {
                    throw reader.refusal(
                        limit == 1 ? "holds several documents" : "holds more than \(limit) documents", root,
                        hint: "keep each in a file of its own")
                }
                documents.append(try reader.document(root))
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw reader.refusal(for: error, hidden)
        }
        return documents
    }

    private mutating func document(_ root: Node) throws(Refusal) -> (PlainTree, [Repair]) {
        let json = try json(root, at: .root, [])
        let tree = PlainTree(json.isNull ? .object([]) : json, marks: marks, nameMarks: nameMarks)
        defer {
            (marks, nameMarks, repairs) = ([:], [:], [])
            (anchored, anchors, aliases) = ([], [:], [:])
        }
        return (tree, repairs)
    }
}

/// Values.
extension YAMLTree {
    private mutating func json(
        _ node: Node, at place: PlainTree.Pointer, _ names: [String]
    ) throws(Refusal) -> JSON {
        try count(node, names)
        if let definition = try definition(of: node) {
            expansions += 1
            defer { expansions -= 1 }
            return try json(definition, at: place, names)
        }
        let json: JSON
        switch node {
        case .scalar(let scalar): json = try value(of: scalar, node, at: place, names)
        case .sequence(let sequence):
            keepTag(sequence.tag.rawValue, "seq", node, at: place, names)
            var elements: [JSON] = []
            for (index, element) in sequence.enumerated() {
                elements.append(try self.json(element, at: place.element(index), names + [String(index)]))
            }
            json = .array(elements)
        case .mapping(let mapping):
            keepTag(mapping.tag.rawValue, "map", node, at: place, names)
            json = .object(try members(of: mapping, at: place, names))
        case .alias: json = .null
        }
        if expansions == 0, let anchor = node.anchor?.rawValue {
            anchors[anchor] = anchored.count
            anchored.append(node)
        }
        return json
    }

    private mutating func value(
        of scalar: Node.Scalar, _ node: Node, at place: PlainTree.Pointer, _ names: [String]
    ) throws(Refusal) -> JSON {
        let text = restored(scalar.string)
        switch YAMLTree.short(scalar.tag.rawValue) {
        case "" where scalar.style == .plain:
            switch YAMLScalar(plain: text, dialect) {
            case .null: return .null
            case .bool(let isTrue): return spelled(.bool(isTrue), text, node, at: place, names)
            case .number(let number): return spelled(.number(number), text, node, at: place, names)
            case .string: return .string(text)
            case .notFinite:
                keep("the number \(text)", "which JSON lacks, is data", node, names)
                fallthrough
            case .timestamp:
                marks[place] = YAMLTree.plain
                return .string(text)
            }
        case "", "!", "!!str": return .string(text)
        case let tag:
            if let value = YAMLTree.value(of: text, tagged: tag) { return value }
            if tag == "!!timestamp", YAMLScalar(plain: text, dialect) == .timestamp {
                marks[place] = YAMLTree.plain
            } else {
                marks[place] = Text(tag)
                keep("the tag \(tag)", "its text is data, and the tag comes out again", node, names)
            }
            return .string(text)
        }
    }

    /// A value, with its spelling where that is not what is written for it.
    private mutating func spelled(
        _ value: JSON, _ text: String, _ node: Node, at place: PlainTree.Pointer, _ names: [String]
    ) -> JSON {
        if text.lowercased() == YAMLTree.spelling(of: value).lowercased() { return value }
        marks[place] = Text(text)
        if !YAMLScalar.isUniversal(text) { keep(text, "read as \(value.compact), as YAML 1.1 has it", node, names) }
        return value
    }

    /// What a tag of YAML's own makes of a text; nil where it isn't of that kind.
    private static func value(of text: String, tagged tag: String) -> JSON? {
        switch (tag, YAMLScalar(plain: text, .yaml11)) {
        case ("!!null", .null): .null
        case ("!!bool", .bool(let isTrue)): .bool(isTrue)
        case ("!!int", .number(let number)) where !number.isReal: .number(number)
        case ("!!float", .number(let number)): .number(number.isReal ? number : Number(number.text + ".0") ?? number)
        default: nil
        }
    }

    private mutating func keepTag(
        _ raw: String, _ own: String, _ node: Node, at place: PlainTree.Pointer, _ names: [String]
    ) {
        let tag = YAMLTree.short(raw)
        if tag.isEmpty || tag == "!" || tag == "!!\(own)" { return }
        marks[place] = Text(tag)
        keep("the tag \(tag)", "what it stands at is data, and the tag comes out again", node, names)
    }

    /// The mark of what is written without quotes.
    static let plain: Text = "plain"

    static func short(_ tag: String) -> String {
        let prefix = "tag:yaml.org,2002:"
        return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
    }
}

/// Members, and what `<<` brings among them.
extension YAMLTree {
    private mutating func members(
        of mapping: Node.Mapping, at place: PlainTree.Pointer, _ names: [String]
    ) throws(Refusal) -> [JSON.Member] {
        var own: Set<Text> = []
        for case .scalar(let key) in mapping.keys { own.insert(Text(restored(key.string))) }
        var members: [JSON.Member] = []
        var seen: Set<Text> = []
        for (key, value) in mapping {
            if isMerge(key) {
                try count(key, names)
                expansions += 1
                defer { expansions -= 1 }
                for (name, mark, node) in try merged(value, names) where !own.contains(name) && seen.insert(name).inserted {
                    let inner = place.member(name)
                    nameMarks[inner] = mark
                    members.append(JSON.Member(name, try json(node, at: inner, names + [name.string])))
                }
                continue
            }
            let (name, mark) = try self.name(of: key, names)
            guard seen.insert(name).inserted else {
                throw refusal("the name '\(name)' is there twice", key, hint: "keep one of them")
            }
            let inner = place.member(name)
            nameMarks[inner] = mark
            members.append(JSON.Member(name, try json(value, at: inner, names + [name.string])))
        }
        return members
    }

    private func isMerge(_ key: Node) -> Bool {
        guard let scalar = key.scalar, scalar.string == "<<" else { return false }
        return scalar.style == .plain || YAMLTree.short(scalar.tag.rawValue) == "!!merge"
    }

    /// The members of the mapping, or of the mappings, the earlier before the later.
    private mutating func merged(_ node: Node, _ names: [String]) throws(Refusal) -> [(Text, Text?, Node)] {
        guard names.count < JSON.depthLimit else { throw tooDeep(node, names) }
        try count(node, names)
        let node = try definition(of: node) ?? node
        switch node {
        case .mapping(let mapping):
            var own: [(Text, Text?, Node)] = []
            var inherited: [(Text, Text?, Node)] = []
            for (key, value) in mapping {
                if isMerge(key) {
                    inherited += try merged(value, names + ["<<"])
                } else {
                    try count(key, names)
                    let (name, mark) = try name(of: key, names)
                    own.append((name, mark, value))
                }
            }
            return own + inherited
        case .sequence(let sequence):
            var all: [(Text, Text?, Node)] = []
            for element in sequence { all += try merged(element, names + ["<<"]) }
            return all
        case .scalar, .alias:
            throw refusal("'<<' brings in the members of a mapping, and this is none", node)
        }
    }

    private mutating func name(of key: Node, _ names: [String]) throws(Refusal) -> (Text, Text?) {
        try count(key, names)
        guard case .scalar(let scalar) = try definition(of: key) ?? key else {
            throw refusal("a name is a list or a mapping, and settings have names of one word", key)
        }
        if expansions == 0, let anchor = key.anchor?.rawValue {
            anchors[anchor] = anchored.count
            anchored.append(key)
        }
        let text = restored(scalar.string)
        switch YAMLTree.short(scalar.tag.rawValue) {
        case "", "!!str":
            let isString = scalar.style != .plain || YAMLScalar(plain: text, dialect) == .string
            return (Text(text), isString ? nil : YAMLTree.plain)
        case "!": return (Text(text), nil)
        case let tag: return (Text(text), Text(tag))
        }
    }
}

/// Aliases and bounds.
extension YAMLTree {
    private func isAlias(_ node: Node) -> Bool {
        guard let scalar = node.scalar, scalar.style == .plain else { return false }
        return scalar.string.unicodeScalars.first == star
    }

    /// What an alias stands for; nil where `node` is none.
    private mutating func definition(of node: Node) throws(Refusal) -> Node? {
        guard isAlias(node), let scalar = node.scalar else { return nil }
        let place = [scalar.mark?.line ?? 0, scalar.mark?.column ?? 0]
        if let index = aliases[place] { return anchored[index] }
        let name = String(scalar.string.unicodeScalars.dropFirst())
        guard let index = anchors[name] else {
            throw refusal(
                "'*\(restored(name))' stands for nothing: there is no '&\(restored(name))' before it", node,
                hint: "a text that begins with '*' needs quotes")
        }
        aliases[place] = index
        return anchored[index]
    }

    private mutating func count(_ node: Node, _ names: [String]) throws(Refusal) {
        nodes += 1
        text += node.scalar?.string.utf8.count ?? 0
        guard names.count < JSON.depthLimit else { throw tooDeep(node, names) }
        guard nodes <= YAMLTree.nodeLimit, text <= YAMLTree.textLimit else {
            throw refusal(
                "comes to more than \(YAMLTree.nodeLimit) values or \(YAMLTree.textLimit >> 20) MiB with its aliases put in",
                node,
                hint: "settings are small: is this the right file?")
        }
    }

    private func tooDeep(_ node: Node, _ names: [String]) -> Refusal {
        refusal("is nested more than \(JSON.depthLimit - 1) levels deep", node)
    }

    private func restored(_ text: String) -> String { YAMLTree.restored(text, star) }

    static func restored(_ text: String, _ star: Unicode.Scalar) -> String {
        guard text.unicodeScalars.contains(star) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == star ? "*" : $0 }))
    }

    /// A character that isn't in the file.
    static func star(for text: String) -> Unicode.Scalar? {
        let used = Set(text.unicodeScalars.lazy.filter { (0xE000...0xF8FF).contains($0.value) })
        return (0xE000...0xF8FF).lazy.compactMap(Unicode.Scalar.init).first { !used.contains($0) }
    }

    /// The text with each `*` that may begin an alias as `star`; those in a tag stay, since a tag has ASCII only.
    static func hidden(_ text: String, _ star: Unicode.Scalar) -> String {
        guard text.contains("*") else { return text }
        var out = String.UnicodeScalarView()
        /// Of the run of a tag's characters that ends here, whether it begins with `!`.
        var isTag: Bool?
        for scalar in text.unicodeScalars {
            if isOfTag(scalar) { if isTag == nil { isTag = scalar == "!" } } else { isTag = nil }
            out.append(scalar == "*" && isTag != true ? star : scalar)
        }
        return String(out)
    }

    /// As libyaml has it.
    private static func isOfTag(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "-_;/?:@&=+$.%!~*'()".unicodeScalars.contains(scalar)
        }
    }
}

/// What is told.
extension YAMLTree {
    private mutating func keep(_ found: String, _ done: String, _ node: Node, _ names: [String]) {
        repairs.append(
            Repair(.kept, file: file, line: node.mark?.line, key: names.joined(separator: "."), found: found, done: done))
    }

    private func refusal(_ reason: String, _ node: Node, hint: String? = nil) -> Refusal {
        Refusal(reason, in: file, at: node.mark.map { BadFile.Position(line: $0.line, column: $0.column) }, hint: hint)
    }

    private func refusal(for error: any Error, _ text: String) -> Refusal {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let line =
                text.split(maxSplits: mark.line, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .dropFirst(mark.line - 1).first ?? ""
            let isTab = line.prefix { $0 == " " || $0 == "\t" || $0 == "-" }.contains("\t")
            let isMarker = ["<<<<<<<", "=======", ">>>>>>>"].contains { line.hasPrefix($0) }
            let reason = [context?.text, problem].compactMap { $0 }.joined(separator: ": ")
            return Refusal(
                "can't be read as YAML: \(restored(reason))", in: file, at: .init(line: mark.line, column: mark.column),
                hint: isTab
                    ? "indent with spaces: YAML knows no tabs there"
                    : isMarker ? "these are git's conflict markers: keep one side and remove them" : nil)
        case .reader(let problem, let offset, _, _):
            let before = text.prefix(offset ?? 0)
            let line = before.unicodeScalars.count { $0 == "\n" } + 1
            let column = before.reversed().prefix { !$0.isNewline }.count + 1
            return Refusal("can't be read as YAML: \(problem)", in: file, at: .init(line: line, column: column))
        case .duplicatedKeysInMapping(let names, let context):
            let first = BadFile.Position(line: context.mark.line, column: context.mark.column)
            let name = names.first ?? ""
            let second = YAMLTree.place(of: name, again: first, in: text)
            return Refusal(
                "the name '\(restored(name))' is there twice", in: file, at: second ?? first,
                hint: second == nil ? "keep one of them" : "it is in line \(first.line) already: keep one of them")
        default: return Refusal("can't be read as YAML", in: file)
        }
    }
}

extension Number {
    /// Whether it is written as one that has a fraction.
    var isReal: Bool { text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } }
}
