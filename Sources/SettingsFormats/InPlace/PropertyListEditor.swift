import SettingsModel

/// Edits property lists in XML: the text between two tags, or the tag of a boolean. Nothing else changes.
///
/// A value keeps its kind where the new one fits it: a real stays a real, a date a date. New members are indented as
/// their neighbours are.
struct PropertyListEditor {
    private var edits: FileEdits
    private let marks: [PlainTree.Pointer: ExactText]
    private let style: PropertyList.XMLStyle
    /// Whether a dictionary in an array is known by its key, type and title.
    private let hasRows: Bool
    /// Everything that can't be written.
    private var refusals: [Refusal] = []

    private typealias Place = (pointer: PlainTree.Pointer, names: [String])

    static func edited(
        _ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree, hasRows: Bool = false
    ) throws(Refusal) -> [UInt8] {
        let root = try XMLElement.read(bytes, in: "the file")
        guard let top = root.name == "plist" ? root.children.first : root else { return bytes }
        var editor = PropertyListEditor(FileEdits(bytes), wanted.marks, root, hasRows)
        editor.edit(top, from: present.root, to: wanted.root, at: (.root, []))
        if let refusal = Refusal.joined(editor.refusals) { throw refusal }
        return editor.edits.applied()
    }

    private init(_ edits: FileEdits, _ marks: [PlainTree.Pointer: ExactText], _ root: XMLElement, _ hasRows: Bool) {
        self.edits = edits
        self.hasRows = hasRows
        self.marks = marks
        var style = PropertyList.XMLStyle()
        if let unit = PropertyListEditor.unit(of: root, edits) { style.unit = unit }
        style.wrapsData = PropertyListEditor.wrapsData(root)
        self.style = style
    }

    /// The indentation of a level: what a line has more than the line of the element around it.
    private static func unit(of element: XMLElement, _ edits: FileEdits) -> String? {
        for child in element.children where element.name == "dict" || element.name == "array" {
            let (outer, inner) = (edits.indent(of: element.range.lowerBound), edits.indent(of: child.range.lowerBound))
            if edits.isFirstOnLine(child.range.lowerBound), inner.hasPrefix(outer), inner != outer {
                return String(inner.dropFirst(outer.count))
            }
        }
        for child in element.children { if let unit = unit(of: child, edits) { return unit } }
        return nil
    }

    private static func wrapsData(_ element: XMLElement) -> Bool {
        element.name == "data" ? element.text.contains(where: \.isNewline) : element.children.contains(where: wrapsData)
    }

    private mutating func edit(_ element: XMLElement, from old: JSON, to new: JSON, at place: Place) {
        if old == new { return }
        do throws(Refusal) {
            switch (element.name, old, new) {
            case ("dict", .object(let before), .object(let members)):
                try edit(element, from: before, to: members, at: place)
            case ("array", .array(let before), .array(let values)):
                try edit(element, from: before, to: values, at: place)
            default: try replace(element, by: new, at: place)
            }
        } catch {
            var refusal = error
            let name = place.names.joined(separator: ".")
            let isNamed = refusal.reason.hasPrefix("'\(name)'") || refusal.reason.hasPrefix("\(name):")
            if !isNamed { refusal.reason = "'\(name)' can't be written: \(refusal.reason)" }
            refusals.append(refusal)
        }
    }

    private func value(_ json: JSON, at place: Place) throws(Refusal) -> PropertyList {
        try PropertyListFormat.propertyList(json, at: place.pointer, marks, place.names)
    }

    /// Whether only blanks and comments follow on the line.
    private func isLineEnd(_ offset: Int) -> Bool {
        var offset = edits.skippingSpace(from: offset)
        while edits.bytes[offset...].starts(with: "<!--".utf8) {
            guard let end = edits.bytes[offset..<edits.lineEnd(of: offset)].firstRange(of: Array("-->".utf8)) else {
                return false
            }
            offset = edits.skippingSpace(from: end.upperBound)
        }
        return offset >= edits.bytes.count || edits.bytes[offset] == 10 || edits.bytes[offset] == 13
    }
}

/// Scalars.
extension PropertyListEditor {
    private mutating func replace(_ element: XMLElement, by json: JSON, at place: Place) throws(Refusal) {
        if element.name == "dict", case .number(let number) = json, UInt64(number.text) != nil,
            let inner = element.children.last, element.children.first?.text == "CF$UID"
        {
            return edits.replace(inner.content, by: number.text)
        }
        let value = if let kept = try kept(element, json, place) { kept } else { try value(json, at: place) }
        let indent = edits.indent(of: element.range.lowerBound)
        let raw = edits.bytes[element.content]
        guard raw.firstRange(of: Array("<!--".utf8)) == nil || !element.children.isEmpty else {
            throw refusal(element, place, "its text contains a comment")
        }
        switch (element.name, value) {
        case ("true", .boolean), ("false", .boolean):
            let word = value == .boolean(true) ? "true" : "false"
            let start = element.range.lowerBound + 1
            edits.replace(start..<start + element.name.utf8.count, by: word)
            if element.content.upperBound < element.range.upperBound {
                let end = element.content.upperBound + 2
                edits.replace(end..<end + element.name.utf8.count, by: word)
            }
        case ("string", .string(let text)): try replaceText(element, by: text.string)
        case ("integer", .integer(let number)): replaceWord(element, by: number.text)
        case ("real", .real(let word)):
            let hasPoint = raw.contains { ".eEnN".utf8.contains($0) }
            replaceWord(
                element, by: hasPoint || !word.hasSuffix(".0") ? PropertyList.xmlWord(real: word) : String(word.dropLast(2)))
        case ("date", .date(let word)): replaceWord(element, by: word)
        case ("data", .data(let bytes)):
            let wraps = raw.isEmpty ? style.wrapsData : raw.contains(10)
            replaceContent(element, by: PropertyList.base64(bytes, indent: indent, wraps: wraps))
        default: edits.replace(element.range, by: try value.xml(indent: indent, style))
        }
    }

    /// The value in the element's own kind; nil if another kind is wanted.
    private func kept(_ element: XMLElement, _ json: JSON, _ place: Place) throws(Refusal) -> PropertyList? {
        switch (element.name, json) {
        case ("real", .number(let number)): return PropertyList(real: number.text)
        case ("real", .string(let text)) where ["nan", "inf", "-inf"].contains(text.string): return .real(text.string)
        case ("date", .string(let text)):
            if PropertyList.isDate(text.string) { return .date(text.string) }
            throw refusal(
                element, place, "it is a date, but \(json.compact.prefix(60)) is not a date like 2001-01-01T00:00:00Z")
        case ("data", .string(let text)):
            if let bytes = Base64.bytes(of: text.string) { return .data(bytes) }
            throw refusal(element, place, "it is data, but \(json.compact.prefix(60)) is not Base64")
        default: return nil
        }
    }

    private func refusal(_ element: XMLElement, _ place: Place, _ reason: String) -> Refusal {
        Refusal(
            "'\(place.names.joined(separator: "."))' can't be edited in place: \(reason)",
            at: BadFile.Position(line: element.line, column: 1), hint: "change it in the file by hand", remedy: .rewriting)
    }

    /// An empty tag is opened.
    private mutating func replaceContent(_ element: XMLElement, by text: String) {
        let isClosed = element.content.upperBound < element.range.upperBound
        if isClosed { return edits.replace(element.content, by: text) }
        edits.replace(element.range, by: "<\(element.name)>\(text)</\(element.name)>")
    }

    /// The blanks around a number or a date stay.
    private mutating func replaceWord(_ element: XMLElement, by word: String) {
        var range = element.content
        while let first = edits.bytes[range].first, PlainText.isSpace(first) { range = range.lowerBound + 1..<range.upperBound }
        while let last = edits.bytes[range].last, PlainText.isSpace(last) { range = range.lowerBound..<range.upperBound - 1 }
        if range.isEmpty { replaceContent(element, by: word) } else { edits.replace(range, by: word) }
    }

    /// A text that is a CDATA section stays one if it can, and quotes that are entities stay those.
    private mutating func replaceText(_ element: XMLElement, by text: String) throws(Refusal) {
        let (open, close) = (Array("<![CDATA[".utf8), Array("]]>".utf8))
        let raw = edits.bytes[element.content]
        var escaped = try PropertyList.escaped(text)
        for (sign, entity) in [("\"", "&quot;"), ("'", "&apos;")] where raw.firstRange(of: Array(entity.utf8)) != nil {
            escaped = escaped.replacing(sign, with: entity)
        }
        guard raw.starts(with: open), raw.firstRange(of: close)?.upperBound == raw.endIndex, !text.contains("]]>"),
            !text.contains("\r")
        else { return replaceContent(element, by: escaped) }
        edits.replace(raw.startIndex + open.count..<raw.endIndex - close.count, by: text)
    }
}

/// Dictionaries and arrays.
extension PropertyListEditor {
    private mutating func edit(
        _ element: XMLElement, from before: [JSON.Member], to members: [JSON.Member], at place: Place
    ) throws(Refusal) {
        let pairs = stride(from: 0, to: element.children.count - 1, by: 2).map {
            (key: element.children[$0], value: element.children[$0 + 1])
        }
        guard !pairs.isEmpty, !members.isEmpty else {
            guard element.content.isEmpty || members.isEmpty else { return try fill(element, members, place) }
            return edits.replace(
                element.range, by: try value(.object(members), at: place).xml(indent: indent(of: element), style))
        }
        let places = Dictionary(grouping: pairs.indices) { ExactText(pairs[$0].key.text) }
        let old = Dictionary(before.map { ($0.name, $0.value) }) { first, _ in first }
        var last: Range<Int>?
        for step in MemberStep.steps(from: before.map(\.name), to: members) {
            switch step {
            case .keep(let member):
                guard let index = places[member.name]?.last else { continue }
                let inner = (place.pointer.member(member.name), place.names + [member.name.string])
                edit(pairs[index].value, from: old[member.name] ?? .null, to: member.value, at: inner)
                last = pairs[index].key.range.lowerBound..<pairs[index].value.range.upperBound
            case .remove(let name):
                for index in places[name] ?? [] {
                    remove(pairs[index].key.range.lowerBound..<pairs[index].value.range.upperBound)
                }
            case .insert(let member):
                let lines = try self.lines(of: member, place, indent(of: pairs[0].key))
                insert(lines, behind: last, in: element, indent(of: pairs[0].key))
            }
        }
    }

    private mutating func edit(
        _ element: XMLElement, from before: [JSON], to values: [JSON], at place: Place
    ) throws(Refusal) {
        guard !before.isEmpty, !values.isEmpty else {
            return edits.replace(element.range, by: try value(.array(values), at: place).xml(indent: indent(of: element), style))
        }
        let indent = indent(of: element.children[0])
        var last: Range<Int>?
        let steps = hasRows ? ListStep.steps(from: before, to: values, by: \.rowName) : ListStep.steps(from: before, to: values)
        for step in steps {
            switch step {
            case .keep(let index, let new):
                let inner = (place.pointer.element(index), place.names + [String(index)])
                edit(element.children[index], from: before[index], to: new, at: inner)
                last = element.children[index].range
            case .remove(let index):
                remove(element.children[index].range)
                last = element.children[index].range
            case .insert(let new, let index):
                let inner = (place.pointer.element(index), place.names + [String(index)])
                insert([try value(new, at: inner).xml(indent: indent, style)], behind: last, in: element, indent)
            }
        }
    }

    private func indent(of element: XMLElement) -> String { edits.indent(of: element.range.lowerBound) }

    private func lines(of member: JSON.Member, _ place: Place, _ indent: String) throws(Refusal) -> [String] {
        let inner = (place.pointer.member(member.name), place.names + [member.name.string])
        let value = try value(member.value, at: inner)
        return ["<key>\(try PropertyList.escaped(member.name.string))</key>", try value.xml(indent: indent, style)]
    }

    /// Fills a dictionary that holds only blanks and comments.
    private mutating func fill(_ element: XMLElement, _ members: [JSON.Member], _ place: Place) throws(Refusal) {
        let indent = indent(of: element) + style.unit
        var text = ""
        for member in members {
            for line in try lines(of: member, place, indent) { text += indent + line + "\n" }
        }
        let end = element.content.upperBound
        if edits.isFirstOnLine(end) { return edits.insertLines(text, at: edits.lineStart(of: end)) }
        edits.insert("\n" + text + self.indent(of: element), at: end)
    }

    /// Removes whole lines where nothing else stands on them.
    private mutating func remove(_ range: Range<Int>) {
        let isWhole = edits.isFirstOnLine(range.lowerBound) && isLineEnd(range.upperBound)
        if isWhole { edits.removeLines(range) } else { edits.remove(range) }
    }

    /// Inserts lines behind what ends at `last`, or at the beginning of `element`.
    private mutating func insert(_ lines: [String], behind last: Range<Int>?, in element: XMLElement, _ indent: String) {
        let end = last?.upperBound ?? element.content.lowerBound
        if isLineEnd(end), edits.nextLine(after: end) <= element.content.upperBound {
            return edits.insertLines(lines.map { indent + $0 + "\n" }.joined(), at: edits.nextLine(after: end))
        }
        edits.insert(lines.joined(), at: end)
    }
}
