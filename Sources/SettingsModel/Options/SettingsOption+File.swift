// The file of one option. Its members are written in this order, absent ones left out:
//
//     title  type  selected  value  default  help  for  labels  values  longLabels
//     minimum  maximum  step  placeholder  pattern  masked  readOnly  key
//
// then all others, sorted by their bytes. Only a choice has `selected`, next to `value`, and always has
// both. Indented by two spaces, one element per line, LF, a final newline: equal options have equal bytes.

extension SettingsOption {
    public var json: JSON {
        var members: [JSON.Member] = []
        func add(_ name: ExactText, _ value: JSON?) {
            if let value { members.append(JSON.Member(name, value)) }
        }
        add("title", .string(title))
        add("type", .string(type.rawValue))
        if type == .choice { add("selected", selected.map { .number($0) } ?? .null) }
        add("value", value ?? .null)
        add("default", defaultValue)
        add("help", help.map { .string($0) })
        add("for", other["for"])
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
        for name in SettingsOption.laterMembers { add(name, other[name]) }
        let placed = Set(members.map(\.name))
        for name in other.keys.sorted() where !placed.contains(name) { add(name, other[name]) }
        return .object(members)
    }

    static let laterMembers: [ExactText] = ["placeholder", "pattern", "masked", "readOnly", "key"]

    /// The bytes of its file.
    public var file: [UInt8] { Array(json.pretty.utf8) }

    /// Reads an option's file. Its meaning depends only on its bytes: see `Selection`.
    public init(file bytes: [UInt8]) throws(BadFile) { try self.init(file: bytes, acceptingAnyValue: false) }

    /// `acceptingAnyValue`: the value, the default and the bounds need not fit each other, because a textual merge may have
    /// removed the chosen label or moved a bound. Used to repair such a file and to read the versions before and after it.
    package init(file bytes: [UInt8], acceptingAnyValue acceptsAny: Bool) throws(BadFile) {
        var reader = try Self.reader(bytes)
        guard let title = try reader.text("title") else {
            let isNone = reader.take("type")?.text.flatMap { Kind(rawValue: $0.string) } == nil
            throw BadFile("\"title\" is missing", cause: isNone ? .isNoOption : nil)
        }
        guard let typeName = try reader.text("type") else {
            throw BadFile("\"type\" is missing: expected one of \(Kind.names)")
        }
        guard let type = Kind(rawValue: typeName.string) else {
            throw reader.wrong("type", "is \"\(typeName)\", not one of \(Kind.names)")
        }
        self.init(title: title, type: type, defaultValue: reader.take("default"), help: try reader.text("help"))
        if type == .choice {
            labels = try Labels(from: &reader)
            value = try Selection(from: &reader).value(in: labels, acceptingAny: acceptsAny, reader)
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
        for problem in faults() {
            switch problem.facet {
            case .value where acceptsAny, .default where acceptsAny, .range where acceptsAny: continue
            case .value: throw reader.wrong("value", "is invalid: \(problem.reason)", misfit: reader.misfitOfValue)
            case .default: throw reader.wrong("default", "is invalid: \(problem.reason)", misfit: .default)
            case .member(let name): throw reader.wrong(name, problem.reason)
            default: throw reader.wrong("minimum", "is invalid: \(problem.reason)", misfit: .range)
            }
        }
    }
}

extension SettingsOption {
    /// The members of its file. What is no object is no option, nor is a configuration with comments that doesn't mention a title.
    private static func reader(_ bytes: [UInt8]) throws(BadFile) -> MemberReader {
        do throws(BadFile) { return try MemberReader(bytes) } catch {
            func holds(_ text: String) -> Bool { bytes.firstRange(of: text.utf8) != nil }
            var fault = error
            let hasComments = fault.cause == nil && !holds("\"title\"") && (holds("//") || holds("/*"))
            if hasComments || (try? JSON(parsing: bytes)) != nil { fault.cause = .isNoOption }
            throw fault
        }
    }
}

extension SettingsOption.Kind {
    fileprivate static let names = "choice, switch, number, text, data"
}

extension Labels {
    fileprivate init(from reader: inout MemberReader) throws(BadFile) {
        guard let texts = try reader.texts("labels") else { throw BadFile("\"labels\" is missing; a choice needs labels, or []") }
        let values = try reader.array("values")
        let longs = try reader.texts("longLabels")
        let list = values ?? texts.map { .string($0) }
        let listName: ExactText = values == nil ? "labels" : "values"
        try Self.checkPartners(of: texts, values?.count, "values", reader)
        try Self.checkPartners(of: texts, longs?.count, "longLabels", reader)
        var seen: [JSON: Int] = [:]
        for (index, value) in list.enumerated() {
            guard value.isScalar else {
                throw reader.wrong(listName, index, "must be a string, a number, a boolean or null, not \(value.kind)")
            }
            if let first = seen.updateValue(index, forKey: value) {
                throw reader.wrong(
                    listName, index, "is \(value.compact), the same as element \(first)",
                    hint: values == nil ? "give each label a different value in \"values\"" : "values must be unique"
                )
            }
        }
        let entries = texts.indices.map { ChoiceLabel(value: list[$0], text: texts[$0], long: longs?[$0]) }
        self.init(entries, writesValues: values != nil)
    }

    private static func checkPartners(
        of texts: [ExactText], _ count: Int?, _ name: ExactText, _ reader: MemberReader
    ) throws(BadFile) {
        guard let count, count != texts.count else { return }
        let counts = "there are \(texts.count) labels and \(count) \(name)"
        if count < texts.count {
            throw reader.wrong(
                "labels", count, "(\(JSON.string(texts[count]).compact)) has no counterpart in \"\(name)\": \(counts)")
        }
        throw reader.wrong(name, texts.count, "has no counterpart in \"labels\": \(counts)")
    }
}
