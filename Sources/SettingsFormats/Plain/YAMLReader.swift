import CYAML
import SettingsModel

/// Reads the documents of a YAML file one by one from the events of libyaml (https://pyyaml.org/wiki/LibYAML).
///
/// libyaml could compose the documents itself, but it would expand aliases: a few lines can expand to more than fits into
/// memory, or nest deeper than the stack allows.
final class YAMLReader {
    private let file: String
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private var lastEvent = YAML_NO_EVENT
    private var anchored: [YAMLNode] = []
    private var anchors: [String: Int] = [:]
    private var dialect: YAMLScalar.Dialect?
    private var start = 0
    private var count = 0
    /// The index of a character in the file and of its first byte.
    private var cursor = (character: 0, byte: 0)

    /// `text` is UTF-8 without a byte order mark.
    init(_ text: [UInt8], in file: String) {
        self.file = file
        bytes = .allocate(capacity: text.count)
        _ = bytes.initialize(from: text)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    /// The next document; nil at the end.
    func document() throws(Refusal) -> YAMLDocument? {
        (anchored, anchors, dialect) = ([], [:], nil)
        while lastEvent != YAML_STREAM_END_EVENT {
            if let root = try node(depth: 0) {
                return YAMLDocument(root: root, anchored: anchored, dialect: dialect, start: start)
            }
        }
        return nil
    }

    /// The node that starts with the next event; nil if none does.
    private func node(depth: Int) throws(Refusal) -> YAMLNode? {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        defer { yaml_event_delete(&event) }
        lastEvent = event.type
        if event.type == YAML_DOCUMENT_START_EVENT {
            start = offset(of: event.start_mark)
            if let version = event.data.document_start.version_directive?.pointee {
                dialect = version.major == 1 && version.minor < 2 ? .yaml11 : .core
            }
        }
        let isNode = [YAML_ALIAS_EVENT, YAML_SCALAR_EVENT, YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT].contains(
            event.type)
        let place = offset(of: event.start_mark)..<offset(of: event.end_mark)
        var node = YAMLNode(content: .sequence([]), range: place, position: YAMLReader.position(of: event.start_mark))
        guard isNode else { return nil }
        count += 1
        guard depth < JSON.depthLimit else { throw YAMLTree.tooDeep(in: file, at: node.position) }
        guard count <= YAMLTree.nodeLimit else { throw YAMLTree.tooLarge(in: file, at: node.position) }
        var anchor: String?
        switch event.type {
        case YAML_ALIAS_EVENT:
            let name = YAMLReader.text(event.data.alias.anchor) ?? ""
            guard let index = anchors[name] else {
                throw Refusal(
                    "'*\(name)' is undefined: there is no '&\(name)' before it", in: file, at: node.position,
                    hint: YAMLReader.quotesHint)
            }
            node.content = .alias(name, index)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            node.content = .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            node.tag = scalar.quoted_implicit == 1 ? "!!str" : YAMLReader.text(scalar.tag) ?? ""
            anchor = YAMLReader.text(scalar.anchor)
        case YAML_SEQUENCE_START_EVENT:
            var elements: [YAMLNode] = []
            while let element = try self.node(depth: depth + 1) { elements.append(element) }
            node.content = .sequence(elements)
            node.tag = YAMLReader.text(event.data.sequence_start.tag) ?? ""
            anchor = YAMLReader.text(event.data.sequence_start.anchor)
            node.range = place.lowerBound..<max(place.upperBound, cursor.byte)
        case YAML_MAPPING_START_EVENT:
            var members: [(key: YAMLNode, value: YAMLNode)] = []
            var lines: [String: Int] = [:]
            while let key = try self.node(depth: depth + 1), let value = try self.node(depth: depth + 1) {
                members.append((key, value))
                guard case .scalar(let name, _) = key.content else { continue }
                if let line = lines.updateValue(key.position.line, forKey: name) {
                    throw Refusal(
                        "the name '\(name)' appears twice", in: file, at: key.position,
                        hint: "it is already in line \(line); keep one of them")
                }
            }
            node.content = .mapping(members)
            node.tag = YAMLReader.text(event.data.mapping_start.tag) ?? ""
            anchor = YAMLReader.text(event.data.mapping_start.anchor)
            node.range = place.lowerBound..<max(place.upperBound, cursor.byte)
        default: break
        }
        if let anchor {
            anchors[anchor] = anchored.count
            anchored.append(node)
        }
        return node
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    /// Converts libyaml's position, which counts characters from 0.
    private func offset(of mark: yaml_mark_t) -> Int {
        while cursor.character < mark.index, cursor.byte < bytes.count {
            repeat { cursor.byte += 1 } while cursor.byte < bytes.count && bytes[cursor.byte] & 0xC0 == 0x80
            cursor.character += 1
        }
        while cursor.character > mark.index, cursor.byte > 0 {
            repeat { cursor.byte -= 1 } while cursor.byte > 0 && bytes[cursor.byte] & 0xC0 == 0x80
            cursor.character -= 1
        }
        return cursor.byte
    }

    private static func position(of mark: yaml_mark_t) -> BadFile.Position {
        BadFile.Position(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}

/// Errors and their positions.
extension YAMLReader {
    private static let quotesHint = "a text that begins with '*' needs quotes"

    private func fault() -> Refusal {
        let state = parser.pointee
        let words = [state.context, state.problem].compactMap { $0.map { String(cString: $0) } }
        guard state.error != YAML_READER_ERROR else {
            return refusal(words, at: BadFile.Position(of: state.problem_offset, in: bytes))
        }
        let mark = state.problem_mark
        let line =
            String(decoding: bytes, as: UTF8.self)
            .split(maxSplits: Int(mark.line) + 1, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .dropFirst(Int(mark.line)).first ?? ""
        var hint: String?
        if line.prefix(while: { $0 == " " || $0 == "\t" || $0 == "-" }).contains("\t") {
            hint = "indent with spaces: YAML does not allow tabs there"
        } else if ConflictMarker.begins(line.utf8) {
            hint = "\(ConflictMarker.reason): \(ConflictMarker.hint)"
        } else if words.first == "while scanning an alias" {
            hint = YAMLReader.quotesHint
        }
        return refusal(words, at: YAMLReader.position(of: mark), hint: hint)
    }

    private func refusal(_ words: [String], at position: BadFile.Position, hint: String? = nil) -> Refusal {
        Refusal("can't be read as YAML: \(words.joined(separator: ": "))", in: file, at: position, hint: hint)
    }
}
