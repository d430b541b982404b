// The file of one option. Its members stand in this order, absent ones left out:
//
//     title  type  selected  value  default  help  labels  values  longLabels
//     minimum  maximum  step  placeholder  pattern  masked  readOnly  key
//
// then all others, sorted by their bytes. `selected` is written in a choice only, beside `value`, and both are always
// there. Two spaces, an element a line, LF, a final newline: equal options are equal bytes.

extension Option {
    public var json: JSON {
        var members: [JSON.Member] = []
        func add(_ name: Text, _ value: JSON?) {
            if let value { members.append(JSON.Member(name, value)) }
        }
        add("title", .string(title))
        add("type", .string(type.rawValue))
        if type == .choice { add("selected", selected.map { .number($0) } ?? .null) }
        add("value", value ?? .null)
        add("default", defaultValue)
        add("help", help.map { .string($0) })
        if type == .choice {
            add("labels", .array(labels.map { .string($0.text) }))
            if labels.writesValues { add("values", .array(labels.map(\.value))) }
            if labels.contains(where: { $0.long != nil }) {
                add("longLabels", .array(labels.map { .string($0.long ?? $0.text) }))
            }
        }
        if type == .switch { add("values", other["values"]) }
        add("minimum", range.minimum.map { .number($0) })
        add("maximum", range.maximum.map { .number($0) })
        add("step", range.step.map { .number($0) })
        for name in Option.laterMembers { add(name, other[name]) }
        let placed = Set(members.map(\.name))
        for name in other.keys.sorted() where !placed.contains(name) { add(name, other[name]) }
        return .object(members)
    }

    static let laterMembers: [Text] = ["placeholder", "pattern", "masked", "readOnly", "key"]

    /// The bytes of its file.
    public var file: [UInt8] { Array(json.pretty.utf8) }

    /// Reads an option's file. `earlier` are the versions that the file was made from: with one, a `selected` and
    /// a `value` that were edited apart are understood; with several, as after a merge of texts, the pair is believed
    /// where it stands so in one of them, since the two lines come from one side together.
    public init(file bytes: [UInt8], since earlier: [Option] = []) throws(BadFile) {
        var reader = try MemberReader(bytes)
        guard let title = try reader.text("title") else { throw BadFile("\"title\" is missing") }
        guard let typeName = try reader.text("type") else {
            throw BadFile("\"type\" is missing: it is one of \(Option.kindNames)")
        }
        guard let type = Kind(rawValue: typeName.string) else {
            throw reader.wrong("type", "is \"\(typeName)\", not one of \(Option.kindNames)")
        }
        self.init(title: title, type: type, defaultValue: reader.take("default"), help: try reader.text("help"))
        if type == .choice {
            labels = try Option.labels(from: &reader)
            value = try selection(from: &reader, since: earlier)
        } else {
            value = reader.take("value").flatMap { $0.isNull ? nil : $0 }
        }
        if defaultValue == .null, labels.label(of: .null) == nil { defaultValue = nil }
        if type == .number {
            range = Range(
                minimum: try reader.number("minimum"), maximum: try reader.number("maximum"), step: try reader.number("step")
            )
        }
        other = reader.rest
        for problem in problems() {
            switch problem.facet {
            case .value: throw reader.wrong("value", "can't be: \(problem.reason)")
            case .default: throw reader.wrong("default", "can't be: \(problem.reason)")
            case .member(let name): throw reader.wrong(name, problem.reason)
            default: throw reader.wrong("minimum", "can't be: \(problem.reason)")
            }
        }
    }

    private static let kindNames = "choice, switch, number, text, data"

    private static func labels(from reader: inout MemberReader) throws(BadFile) -> Labels {
        guard let texts = try reader.texts("labels") else { throw BadFile("\"labels\" is missing; a choice has labels, or []") }
        let values = try reader.array("values")
        let longs = try reader.texts("longLabels")
        let list = values ?? texts.map { .string($0) }
        let listName: Text = values == nil ? "labels" : "values"
        try checkPartners(of: texts, values?.count, "values", reader)
        try checkPartners(of: texts, longs?.count, "longLabels", reader)
        var seen: [JSON: Int] = [:]
        for (index, value) in list.enumerated() {
            guard value.isScalar else {
                throw reader.wrong(listName, index, "must be a string, a number, a boolean or null, not \(value.kind)")
            }
            if let first = seen.updateValue(index, forKey: value) {
                throw reader.wrong(
                    listName, index, "is \(value.compact), as the element \(first) is",
                    hint: values == nil ? "give each label a value of its own in \"values\"" : "values must be unique"
                )
            }
        }
        let entries = texts.indices.map { Label(value: list[$0], text: texts[$0], long: longs?[$0]) }
        return Labels(entries, writesValues: values != nil)
    }

    private static func checkPartners(
        of texts: [Text], _ count: Int?, _ name: Text, _ reader: MemberReader
    ) throws(BadFile) {
        guard let count, count != texts.count else { return }
        let counts = "there are \(texts.count) labels and \(count) \(name)"
        if count < texts.count {
            throw reader.wrong("labels", count, "(\(JSON.string(texts[count]).compact)) has no partner in \"\(name)\": \(counts)")
        }
        throw reader.wrong(name, texts.count, "has no partner in \"labels\": \(counts)")
    }
}

/// How `selected` and `value` are read together.
extension Option {
    private func selection(from reader: inout MemberReader, since earlier: [Option]) throws(BadFile) -> JSON? {
        let member = reader.take("value")
        let isUnset = member == nil || member == .null && labels.label(of: .null) == nil
        let written = isUnset ? nil : member
        guard let position = reader.take("selected") else { return written }
        let index = try index(position, reader)
        if member == nil || index == nil && member == .null { return try pointed(by: index, reader) }
        if let index, labels.indices.contains(index), labels[index].value == written { return written }

        let pairs = earlier.filter { $0.type == .choice }.map { ($0.selected, $0.value) }
        // The list was edited under an untouched pair: the value knows which label was meant.
        if pairs.contains(where: { $0 == index && $1 == written }) {
            guard let written, labels.index(of: written) == nil else { return written }
            throw reader.wrong(
                "value", "is \(written.compact), which is not among its values",
                hint: "choose one of the labels: set \"selected\" and \"value\""
            )
        }
        if pairs.count == 1 {
            if pairs[0].1 == written { return try pointed(by: index, reader) }
            if pairs[0].0 == index { return written }
        }
        _ = try pointed(by: index, reader)
        let label = index.map { "\"selected\" is \($0) (\(JSON.string(labels[$0].text).compact))" } ?? "\"selected\" is null"
        throw reader.wrong(
            "value", "is \((written ?? .null).compact) but \(label): they name different labels",
            hint: "say which is meant: make both name the same label"
        )
    }

    /// The list may have become shorter under an index that nobody touched: the range is checked where it is believed.
    private func index(_ position: JSON, _ reader: MemberReader) throws(BadFile) -> Int? {
        if position.isNull { return nil }
        guard case .number(let number) = position, let index = Int(number.text) else {
            throw reader.wrong("selected", "must be an index or null, not \(position.compact)")
        }
        return index
    }

    private func pointed(by index: Int?, _ reader: MemberReader) throws(BadFile) -> JSON? {
        guard let index else { return nil }
        guard labels.indices.contains(index) else {
            throw reader.wrong(
                "selected", "is \(index), but there are \(labels.count) labels",
                hint: labels.isEmpty
                    ? "a choice without labels has \"selected\": null" : "an index is from 0 to \(labels.count - 1)"
            )
        }
        return labels[index].value
    }
}
