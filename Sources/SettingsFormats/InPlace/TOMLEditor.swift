import SettingsModel

/// Edits a TOML file where its values differ from the wanted ones.
struct TOMLEditor {
    var edits: FileEdits
    /// The marks of values that JSON can't express.
    let marks: [PlainTree.Pointer: ExactText]

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        let root: TOMLReader.Table
        do throws(TOMLReader.Failure) { root = try TOMLReader.root(of: bytes) } catch {
            throw Refusal("cannot locate its values")
        }
        guard case .object(let members) = wanted.root else { return bytes }
        var editor = TOMLEditor(edits: FileEdits(bytes), marks: wanted.marks.merging(present.marks) { new, _ in new })
        try editor.edit(root, from: present.root, to: members, at: .root, [])
        return editor.edits.applied()
    }

    private mutating func edit(
        _ table: TOMLReader.Table, from old: JSON, to members: [JSON.Member], at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) throws(Refusal) {
        if let braces = table.inline { return try edit(braces, table, from: old, to: members, at: pointer, path) }
        var before: ExactText?
        for step in MemberStep.steps(from: table.names, to: members) {
            switch step {
            case .keep(let member):
                let present = old[member.name] ?? .null
                if present != member.value, let node = table[member.name] {
                    let isEdited = try edit(
                        node, from: present, to: member.value, at: pointer.member(member.name), path + [member.name])
                    if !isEdited {
                        remove(member.name, from: table)
                        try insert(member, into: table, behind: before, at: pointer, path)
                    }
                }
                before = member.name
            case .remove(let name): remove(name, from: table)
            case .insert(let member): try insert(member, into: table, behind: before, at: pointer, path)
            }
        }
    }

    /// Returns false if the new value can't be written in this place.
    private mutating func edit(
        _ node: TOMLReader.Node, from old: JSON, to new: JSON, at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) throws(Refusal) -> Bool {
        if old == new { return true }
        switch (node, new) {
        case (.scalar(_, _, let range), .object(let members)) where members.isEmpty: edits.replace(range, by: "{}")
        case (.scalar, .object), (.array, .object): return false
        case (.scalar(_, _, let range), _):
            edits.replace(range, by: try text(of: new, at: pointer, path, like: edits.bytes[range]))
        case (.array(let elements, let range), .array(let after)):
            try edit(elements, range, from: old, to: after, at: pointer, path)
        case (.array(_, let range), _): edits.replace(range, by: try text(of: new, at: pointer, path))
        case (.table(let table), .object(let members)):
            guard !members.isEmpty || table.header != nil || table.inline != nil else { return false }
            try edit(table, from: old, to: members, at: pointer, path)
        case (.table(let table), _):
            guard let braces = table.inline else { return false }
            edits.replace(braces, by: try text(of: new, at: pointer, path))
        case (.tables(let tables), .array(let after)):
            guard TOMLWriter.hasHeader(new), case .array(let before) = old else { return false }
            try edit(tables.elements, from: before, to: after, at: pointer, path)
        case (.tables, _): return false
        }
        return true
    }
}

/// Arrays and inline tables.
extension TOMLEditor {
    private mutating func edit(
        _ braces: Range<Int>, _ table: TOMLReader.Table, from old: JSON, to members: [JSON.Member],
        at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) throws(Refusal) {
        let steps = MemberStep.steps(from: table.names, to: members)
        let isKept = steps.allSatisfy { if case .keep = $0 { true } else { false } }
        let stays = steps.contains { if case .keep = $0 { true } else { false } }
        // Otherwise dotted names are spread over the braces.
        let isPlain = table.names.allSatisfy { table.pairs[$0] != nil }
        guard isKept || stays && isPlain else {
            return edits.replace(braces, by: try text(of: .object(members), at: pointer, path))
        }
        let places = Dictionary(uniqueKeysWithValues: table.names.enumerated().map { ($1, $0) })
        var order: [BracketItems.Step] = []
        for step in steps {
            switch step {
            case .keep(let member):
                guard let node = table[member.name], let index = places[member.name] else { continue }
                order.append(.keep(index))
                let (inner, names) = (pointer.member(member.name), path + [member.name])
                if try edit(node, from: old[member.name] ?? .null, to: member.value, at: inner, names) { continue }
                guard let pair = table.pairs[member.name] else {
                    return edits.replace(braces, by: try text(of: .object(members), at: pointer, path))
                }
                edits.replace(pair, by: try self.pair(member, at: pointer, path))
            case .remove(let name): if let index = places[name] { order.append(.remove(index)) }
            case .insert(let member): order.append(.insert(try pair(member, at: pointer, path)))
            }
        }
        guard !isKept else { return }
        BracketItems(range: braces, items: table.names.compactMap { table.pairs[$0] }).edit(&edits, order)
    }

    private mutating func edit(
        _ elements: [(TOMLReader.Node, Range<Int>)], _ range: Range<Int>, from old: JSON, to after: [JSON],
        at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) throws(Refusal) {
        guard case .array(let before) = old, !before.isEmpty, !after.isEmpty else {
            return edits.replace(range, by: try text(of: .array(after), at: pointer, path))
        }
        var order: [BracketItems.Step] = []
        for step in ListStep.steps(from: before, to: after) {
            switch step {
            case .keep(let index, let value):
                order.append(.keep(index))
                let inner = pointer.element(index)
                if try !edit(elements[index].0, from: before[index], to: value, at: inner, path) {
                    edits.replace(elements[index].1, by: try text(of: value, at: inner, path))
                }
            case .remove(let index): order.append(.remove(index))
            case .insert(let value, let index): order.append(.insert(try text(of: value, at: pointer.element(index), path)))
            }
        }
        BracketItems(range: range, items: elements.map(\.1)).edit(&edits, order)
    }

    private func pair(_ member: JSON.Member, at pointer: PlainTree.Pointer, _ path: [ExactText]) throws(Refusal) -> String {
        "\(TOMLWriter.key(member.name)) = \(try text(of: member.value, at: pointer.member(member.name), path + [member.name]))"
    }

    /// The text of a value, with the same kind of quotes as the old value.
    private func text(
        of value: JSON, at pointer: PlainTree.Pointer, _ path: [ExactText], like old: ArraySlice<UInt8> = []
    ) throws(Refusal) -> String {
        if case .string(let text) = value, marks[pointer] == nil || TOMLScalar(text.string) == nil,
            let quoted = TOMLWriter.quoted(text.string, like: old, newline: edits.newline)
        {
            return quoted
        }
        var writer = TOMLWriter(marks: marks)
        try writer.add(value, path, at: pointer)
        // A line break in quotes would be converted to the file's line ending.
        if case .string(let text) = value, edits.newline != "\n", writer.out.contains("\n") {
            return TOMLWriter.line(text.string)
        }
        return writer.out
    }
}

/// Pairs on lines of their own, and tables with headers.
extension TOMLEditor {
    private mutating func edit(
        _ elements: [TOMLReader.Table], from before: [JSON], to after: [JSON], at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) throws(Refusal) {
        var last: Int?
        for step in ListStep.steps(from: before, to: after) {
            switch step {
            case .keep(let index, let value):
                last = index
                guard case .object(let members) = value else { continue }
                try edit(elements[index], from: before[index], to: members, at: pointer.element(index), path)
            case .remove(let index):
                last = index
                remove(elements[index])
            case .insert(let value, let index):
                guard case .object(let members) = value else { continue }
                var writer = TOMLWriter(marks: marks)
                try writer.add(members, path, at: pointer.element(index), opens: true, isElement: true)
                if let last {
                    addSection(writer.out, behind: elements[last].end)
                } else if let header = elements[0].header {
                    edits.insertLines(writer.out + "\n", at: edits.lineStart(of: header.lowerBound))
                }
            }
        }
    }

    private mutating func remove(_ name: ExactText, from table: TOMLReader.Table) {
        if let pair = table.pairs[name] { return edits.removeLines(pair) }
        switch table[name] {
        case .table(let inner)?: remove(inner)
        case .tables(let tables)?: for element in tables.elements { remove(element) }
        default: break
        }
    }

    /// Removes a table with its header and the blank line above it, if any.
    private mutating func remove(_ table: TOMLReader.Table) {
        for name in table.names {
            if table.header == nil || table.pairs[name] == nil { remove(name, from: table) }
        }
        guard let header = table.header else { return }
        let end = max(header.upperBound, table.lastPair?.upperBound ?? 0)
        let start = edits.lineStart(of: header.lowerBound)
        if start > 0, edits.lineStart(of: start - 1) < start {
            let above = edits.lineStart(of: start - 1)
            if edits.bytes[above..<start].allSatisfy({ [32, 9, 10, 13].contains($0) }) { edits.remove(above..<start) }
        }
        edits.removeLines(header.lowerBound..<end)
    }

    private mutating func insert(
        _ member: JSON.Member, into table: TOMLReader.Table, behind before: ExactText?, at pointer: PlainTree.Pointer,
        _ path: [ExactText]
    ) throws(Refusal) {
        var writer = TOMLWriter(marks: marks)
        let inner = pointer.member(member.name)
        if TOMLWriter.hasHeader(member.value), !member.value.isEmptyObject, table.dotted.isEmpty {
            try writer.addSection(member, path, at: inner)
            return addSection(writer.out, behind: before.flatMap { sectionEnd(of: table[$0]) } ?? table.end)
        }
        let isOwn = before.flatMap { table.pairs[$0] } != nil
        if let sibling = before.flatMap({ table.pairs[$0] }) ?? table.lastPair {
            try writer.addPair(table.dotted + [member.name], member.value, path, at: inner, isInline: isOwn)
            let indent = edits.indent(of: sibling.lowerBound)
            return edits.insertLines(TOMLEditor.indented(writer.out, indent), at: edits.nextLine(after: sibling.upperBound))
        }
        try writer.addPair([member.name], member.value, path, at: inner, isInline: true)
        if let header = table.header {
            let indent = edits.indent(of: header.lowerBound)
            edits.insertLines(TOMLEditor.indented(writer.out, indent), at: edits.nextLine(after: header.upperBound))
        } else if path.isEmpty {
            // Before the first header and its comments.
            edits.insertLines(
                writer.out + (table.names.isEmpty ? "" : "\n"), at: table.names.isEmpty ? edits.bytes.count : firstSection)
        } else {
            addSection("[\(path.map(TOMLWriter.key).joined(separator: "."))]\n" + writer.out, behind: table.end)
        }
    }

    private var firstSection: Int {
        var start = edits.lineStart(of: edits.skippingBlank(from: 0))
        while start > 0 {
            let above = edits.lineStart(of: start - 1)
            guard edits.bytes[edits.skippingSpace(from: above)] == UInt8(ascii: "#") else { break }
            start = above
        }
        return start
    }

    /// The end of a table with headers.
    private func sectionEnd(of node: TOMLReader.Node?) -> Int? {
        switch node {
        case .table(let table)? where table.inline == nil && table.dotted.isEmpty: table.end
        case .tables(let tables)?: tables.elements.last?.end
        default: nil
        }
    }

    /// Adds a blank line before it, and skips comments that follow the last line unless they belong to something below.
    private mutating func addSection(_ text: String, behind end: Int) {
        var offset = edits.nextLine(after: end)
        var next = offset
        while next < edits.bytes.count, edits.bytes[edits.skippingSpace(from: next)...].first == UInt8(ascii: "#") {
            next = edits.nextLine(after: next)
        }
        if next >= edits.bytes.count || [10, 13].contains(edits.bytes[edits.skippingSpace(from: next)...].first ?? 10) {
            offset = next
        }
        edits.insertLines((offset == 0 ? "" : "\n") + text, at: offset, isSection: true)
    }

    private static func indented(_ text: String, _ indent: String) -> String {
        if indent.isEmpty || text.dropLast().contains("\n") { return text }
        return indent + text
    }
}

extension JSON {
    fileprivate var isEmptyObject: Bool { if case .object(let members) = self { members.isEmpty } else { false } }
}

extension TOMLWriter {
    /// Adds a table or an array of tables, with headers.
    mutating func addSection(_ member: JSON.Member, _ path: [ExactText], at place: PlainTree.Pointer) throws(Refusal) {
        switch member.value {
        case .object(let members): try add(members, path + [member.name], at: place, opens: true, isElement: false)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                guard case .object(let members) = element else { continue }
                try add(members, path + [member.name], at: place.element(index), opens: true, isElement: true)
            }
        default: break
        }
    }

    /// Adds a pair; an object is written in braces, or spread over dotted names.
    mutating func addPair(
        _ keys: [ExactText], _ value: JSON, _ path: [ExactText], at place: PlainTree.Pointer, isInline: Bool
    ) throws(Refusal) {
        guard isInline else { return try addPair(keys, value, path, at: place) }
        out += "\(keys.map(TOMLWriter.key).joined(separator: ".")) = "
        try add(value, path + keys.suffix(1), at: place)
        out += "\n"
    }

    /// A string with quotes like those of `old`; nil if that is impossible, or if the default quotes are as good.
    static func quoted(_ text: String, like old: ArraySlice<UInt8>, newline: String) -> String? {
        func opens(_ quote: String) -> Bool { old.starts(with: quote.utf8) }
        let isVisible = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !isEscaped($0) }
        guard isVisible, newline == "\n" || !text.contains("\n") else { return nil }
        let hasBreak = old.dropFirst(3).first == 10 || old.dropFirst(3).starts(with: [13, 10])
        if opens("'''") {
            guard !text.contains("'''"), !text.hasSuffix("'"), hasBreak || !text.hasPrefix("\n") else { return nil }
            return "'''" + (hasBreak ? "\n" : "") + text + "'''"
        }
        if opens("\"\"\"") {
            guard !text.contains("\"\"\""), !text.hasSuffix("\""), hasBreak || !text.hasPrefix("\n") else { return nil }
            return "\"\"\"" + (hasBreak ? "\n" : "") + text.replacing("\\", with: "\\\\") + "\"\"\""
        }
        guard opens("'"), !text.contains("'"), !text.contains("\n") else { return nil }
        return "'\(text)'"
    }
}
