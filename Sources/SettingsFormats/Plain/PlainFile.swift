import SettingsModel

/// What formats of a single file of values have in common.
enum PlainFile {
    /// The single file that was named.
    static func only(in source: Source, _ request: ReadRequest, as format: FormatName) throws(Refusal) -> Source.File {
        if let values = request.values {
            throw Refusal(
                "\(values.path): \(format.rawValue) cannot be combined with a file of values",
                hint: "import the file by itself")
        }
        guard source.files.count == 1 else {
            let count = source.files.isEmpty ? "none" : "\(source.files.count)"
            throw Refusal(
                "\(source.given.joined(separator: ", ")): expected one file for \(format.rawValue), found \(count)",
                hint: "name the file")
        }
        return source.files[0]
    }

    /// Whether a single file was named and has one of the `endings`, ignoring case.
    static func isOnly(in source: Source, ending endings: [String]) -> Bool {
        guard source.files.count == 1 else { return false }
        let name = source.files[0].name.lowercased()
        return endings.contains { name.hasSuffix($0) && name != $0 }
    }

    /// Rejects requests for definitions, which plain formats don't have.
    static func checkPart(_ request: WriteRequest, as format: FormatName) throws(Refusal) {
        guard request.part == .definitions else { return }
        throw Refusal(
            "\(format.rawValue) stores values, but no titles, labels or ranges",
            hint: "json-schema and settings-bundle hold definitions")
    }

    /// The values of `settings` for a file of `format`. What the format can't hold is said.
    static func tree(
        of settings: SettingsContent, as format: FormatName, unset: JSON? = .null, _ request: WriteRequest
    ) throws(Refusal) -> PlainTree {
        let tree = try PlainSettings.tree(of: settings, as: format, unset: unset)
        func names(_ places: [PlainTree.Pointer]) -> String { self.names(of: places.map { $0.names.map { ExactText($0) } }) }
        let (texts, nulls) = (tree.losses.texts, tree.losses.nulls)
        if !texts.isEmpty {
            request.note?("written as text, because \(format.rawValue) lacks their kind: \(names(texts))")
        }
        if !nulls.isEmpty { request.note?("left out, because \(format.rawValue) has no null: \(names(nulls))") }
        return tree
    }

    /// The text of a file in UTF-8, or in UTF-16 with a byte order mark.
    static func text(of bytes: [UInt8], in file: String) throws(Refusal) -> String {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isLittleEndian = bytes[0] == 0xFF
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
                let (first, second) = (UInt16(bytes[$0]), UInt16(bytes[$0 + 1]))
                return isLittleEndian ? second << 8 | first : first << 8 | second
            }
            if bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) { return text }
            throw Refusal("begins like UTF-16 but is not valid UTF-16", in: file, hint: "save it as UTF-8")
        }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        if let text = String(validating: isMarked ? bytes[3...] : bytes[...], as: UTF8.self) { return text }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var position = BadFile.Position(line: 1, column: 1)
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            position =
                scalar == "\n"
                ? .init(line: position.line + 1, column: 1) : .init(line: position.line, column: position.column + 1)
        }
        throw Refusal("is not UTF-8", in: file, at: position, hint: "save it as UTF-8")
    }
}

/// The output is read again before it is returned.
extension PlainFile {
    static func check(_ again: JSON, is tree: JSON, as format: FormatName) throws(Refusal) {
        guard let names = difference(again, tree, []) else { return }
        let name = names.isEmpty ? "the document" : "'\(names.joined(separator: "."))'"
        throw Refusal(
            "\(name) would not be read back unchanged from \(format.rawValue)", hint: "export it in another format, such as json")
    }

    /// Where two trees first differ in meaning; nil if they don't.
    private static func difference(_ left: JSON, _ right: JSON, _ names: [String]) -> [String]? {
        switch (left, right) {
        case (.number(let left), .number(let right)):
            return left.isReal == right.isReal && left.isEqual(to: right) ? nil : names
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return names }
            for (index, pair) in zip(left, right).enumerated() {
                if let place = difference(pair.0, pair.1, names + [String(index)]) { return place }
            }
            return nil
        case (.object(let left), .object(let right)):
            guard left.map(\.name) == right.map(\.name) else { return names }
            for (one, other) in zip(left, right) {
                if let place = difference(one.value, other.value, names + [one.name.string]) { return place }
            }
            return nil
        default: return left == right ? nil : names
        }
    }
}
