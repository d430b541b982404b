import SettingsModel

/// Edits a TOML file where its values differ from the wanted ones.
struct TOMLEditor {
    var edits: FileEdits
    /// The marks of values that JSON can't express.
    let marks: [PlainTree.Pointer: ExactText]
    /// The values that TOML can't express.
    private var faults: [Refusal] = []

    private init(_ bytes: [UInt8], _ marks: [PlainTree.Pointer: ExactText]) {
        edits = FileEdits(bytes)
        self.marks = marks
    }

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        let root: TOMLReader.Table
        do throws(TOMLReader.Failure) { root = try TOMLReader.root(of: bytes) } catch {
            throw Refusal("can't be read as TOML: \(error.reason)")
        }
        guard case .object(let members) = wanted.root else { return bytes }
        var editor = TOMLEditor(bytes, wanted.marks.merging(present.marks) { new, _ in new })
        editor.edit(root, from: present.root, to: members, at: .root, [])
        if let refusal = Refusal.joined(editor.faults) { throw refusal }
        return editor.edits.applied()
    }

    private mutating func edit(
        _ table: TOMLReader.Table, from old: JSON, to members: [JSON.Member], at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) {
        if let braces = table.inline { return edit(braces, table, from: old, to: members, at: pointer, path) }
        var before: ExactText?
        for step in MemberStep.steps(from: table.names, to: members) {
            switch step {
            case .keep(let member):
                let present = old[member.name] ?? .null
                if present != member.value, let node = table[member.name] {
                    let isEdited = edit(
                        node, from: present, to: member.value, at: pointer.member(member.name), path + [member.name])
                    if !isEdited {
                        remove(member.name, from: table)
                        insert(member, into: table, behind: before, at: pointer, path)
                    }
                }
                before = member.name
            case .remove(let name): remove(name, from: table)
            case .insert(let member): insert(member, into: table, behind: before, at: pointer, path)
            }
        }
    }

    /// Returns false if the new value can't be written in this place.
    private mutating func edit(
        _ node: TOMLReader.Node, from old: JSON, to new: JSON, at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) -> Bool {
        if old == new { return true }
        switch (node, new) {
        case (.scalar(_, _, let range), .object(let members)) where members.isEmpty: edits.replace(range, by: "{}")
        case (.scalar, .object), (.array, .object): return false
        case (.scalar(_, _, let range), _):
            edits.replace(range, by: text(of: new, at: pointer, path, like: edits.bytes[range], near: range))
        case (.array(let elements, let range), .array(let after)):
            edit(elements, range, from: old, to: after, at: pointer, path)
        case (.array(_, let range), _): edits.replace(range, by: text(of: new, at: pointer, path, near: range))
        case (.table(let table), .object(let members)):
            guard !members.isEmpty || table.header != nil || table.inline != nil else { return false }
            edit(table, from: old, to: members, at: pointer, path)
        case (.table(let table), _):
            guard let braces = table.inline else { return false }
            edits.replace(braces, by: text(of: new, at: pointer, path, near: braces))
        case (.tables(let tables), .array(let after)):
            guard TOMLWriter.hasHeader(new), case .array(let before) = old else { return false }
            edit(tables.elements, from: before, to: after, at: pointer, path)
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
    ) {
        var pairs = InlinePairs(table)
        edit(&pairs, of: table, from: old, to: members, at: pointer, path, [])
        guard pairs.removed.count < pairs.ranges.count else {
            return edits.replace(braces, by: text(of: .object(members), at: pointer, path, near: braces))
        }
        guard pairs.isChanged else { return }
        BracketItems(range: braces, items: pairs.ranges).edit(&edits, pairs.steps)
    }

    /// Edits the values of the pairs that stay. `dotted`: the names between the braces that lead to the table.
    private mutating func edit(
        _ pairs: inout InlinePairs, of table: TOMLReader.Table, from old: JSON, to members: [JSON.Member],
        at pointer: PlainTree.Pointer, _ path: [ExactText], _ dotted: [ExactText]
    ) {
        var before = dotted.isEmpty ? nil : table.lastPair
        for step in MemberStep.steps(from: table.names, to: members) {
            switch step {
            case .keep(let member):
                guard let node = table[member.name] else { continue }
                let (inner, names) = (pointer.member(member.name), path + [member.name])
                let present = old[member.name] ?? .null
                if let range = table.pairs[member.name] {
                    before = range
                    if edit(node, from: present, to: member.value, at: inner, names) { continue }
                    edits.replace(range, by: pair(dotted, member, at: pointer, path))
                } else if case .table(let table) = node, case .object(let members) = member.value, !members.isEmpty {
                    edit(&pairs, of: table, from: present, to: members, at: inner, names, dotted + [member.name])
                    before = table.lastPair
                } else {
                    pairs.remove(member.name, from: table)
                    pairs.insert(pair(dotted, member, at: pointer, path), behind: before)
                }
            case .remove(let name): pairs.remove(name, from: table)
            case .insert(let member): pairs.insert(pair(dotted, member, at: pointer, path), behind: before)
            }
        }
    }

    private mutating func edit(
        _ elements: [(TOMLReader.Node, Range<Int>)], _ range: Range<Int>, from old: JSON, to after: [JSON],
        at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) {
        guard case .array(let before) = old, !before.isEmpty, !after.isEmpty else {
            return edits.replace(range, by: text(of: .array(after), at: pointer, path, near: range))
        }
        var order: [BracketItems.Step] = []
        for step in ListStep.steps(from: before, to: after) {
            switch step {
            case .keep(let index, let value):
                order.append(.keep(index))
                let (inner, names) = (pointer.element(index), path + [ExactText(String(index))])
                if !edit(elements[index].0, from: before[index], to: value, at: inner, names) {
                    edits.replace(elements[index].1, by: text(of: value, at: inner, names, near: elements[index].1))
                }
            case .remove(let index): order.append(.remove(index))
            case .insert(let value, let index):
                order.append(.insert(text(of: value, at: pointer.element(index), path + [ExactText(String(index))])))
            }
        }
        BracketItems(range: range, items: elements.map(\.1)).edit(&edits, order)
    }

    private mutating func pair(
        _ dotted: [ExactText], _ member: JSON.Member, at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) -> String {
        let name = (dotted + [member.name]).map(TOMLWriter.key).joined(separator: ".")
        return "\(name) = \(text(of: member.value, at: pointer.member(member.name), path + [member.name]))"
    }

    /// The text of a value, with the same kind of quotes as the old value. `range`: what it replaces.
    private mutating func text(
        of value: JSON, at pointer: PlainTree.Pointer, _ path: [ExactText], like old: ArraySlice<UInt8> = [],
        near range: Range<Int>? = nil
    ) -> String {
        if case .string(let text) = value, marks[pointer] == nil || TOMLScalar(text.string) == nil,
            let quoted = TOMLWriter.quoted(text.string, like: old, newline: edits.newline)
        {
            return quoted
        }
        let text = written(near: range) { $0.add(value, path, at: pointer) }
        // A line break in quotes would be converted to the file's line ending.
        if case .string(let content) = value, edits.newline != "\n", text.contains("\n") {
            return TOMLWriter.line(content.string)
        }
        return text
    }

    private mutating func written(near range: Range<Int>? = nil, _ write: (inout TOMLWriter) -> Void) -> String {
        var writer = TOMLWriter(marks: marks)
        write(&writer)
        faults += writer.faults.map { fault in
            var fault = fault
            fault.position = range.map { BadFile.Position(of: $0.lowerBound, in: edits.bytes) }
            return fault
        }
        return writer.out
    }
}

/// Pairs on lines of their own, and tables with headers.
extension TOMLEditor {
    private mutating func edit(
        _ elements: [TOMLReader.Table], from before: [JSON], to after: [JSON], at pointer: PlainTree.Pointer, _ path: [ExactText]
    ) {
        var last: Int?
        for step in ListStep.steps(from: before, to: after) {
            switch step {
            case .keep(let index, let value):
                last = index
                guard case .object(let members) = value else { continue }
                edit(elements[index], from: before[index], to: members, at: pointer.element(index), path)
            case .remove(let index):
                last = index
                remove(elements[index])
            case .insert(let value, let index):
                guard case .object(let members) = value else { continue }
                let place = pointer.element(index)
                let text = written { $0.add(members, path, at: place, opens: true, isElement: true) }
                if let last {
                    addSection(text, behind: elements[last].end)
                } else if let header = elements[0].header {
                    edits.insertLines(text + "\n", at: edits.lineStart(of: header.lowerBound))
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
    ) {
        let inner = pointer.member(member.name)
        if TOMLWriter.hasHeader(member.value), !member.value.isEmptyObject, table.dotted.isEmpty {
            let text = written { $0.addSection(member, path, at: inner) }
            return addSection(text, behind: before.flatMap { sectionEnd(of: table[$0]) } ?? table.end)
        }
        let isOwn = before.flatMap { table.pairs[$0] } != nil
        if let sibling = before.flatMap({ table.pairs[$0] }) ?? table.lastPair {
            let names = table.dotted + [member.name]
            let text = written { $0.addPair(names, member.value, path, at: inner, isInline: isOwn) }
            let indent = edits.indent(of: sibling.lowerBound)
            return edits.insertLines(TOMLEditor.indented(text, indent), at: edits.nextLine(after: sibling.upperBound))
        }
        let text = written { $0.addPair([member.name], member.value, path, at: inner, isInline: true) }
        if let header = table.header {
            let indent = edits.indent(of: header.lowerBound)
            edits.insertLines(TOMLEditor.indented(text, indent), at: edits.nextLine(after: header.upperBound))
        } else if path.isEmpty {
            // Before the first header and its comments.
            edits.insertLines(
                text + (table.names.isEmpty ? "" : "\n"), at: table.names.isEmpty ? edits.bytes.count : firstSection)
        } else {
            addSection("[\(path.map(TOMLWriter.key).joined(separator: "."))]\n" + text, behind: table.end)
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

/// The pairs between two braces, those with dotted names included, and what becomes of them.
private struct InlinePairs {
    /// In file order, from the name to the end of the value.
    let ranges: [Range<Int>]
    /// Where removed pairs begin.
    private(set) var removed: Set<Int> = []
    /// New pairs by the beginning of the pair that they follow; nil for the first.
    private var inserted: [Int?: [String]] = [:]

    init(_ table: TOMLReader.Table) {
        ranges = InlinePairs.ranges(in: table).sorted { $0.lowerBound < $1.lowerBound }
    }

    private static func ranges(in table: TOMLReader.Table) -> [Range<Int>] {
        table.names.flatMap { ranges(of: $0, in: table) }
    }

    private static func ranges(of name: ExactText, in table: TOMLReader.Table) -> [Range<Int>] {
        if let pair = table.pairs[name] { return [pair] }
        guard case .table(let inner)? = table[name] else { return [] }
        return ranges(in: inner)
    }

    mutating func remove(_ name: ExactText, from table: TOMLReader.Table) {
        removed.formUnion(InlinePairs.ranges(of: name, in: table).map(\.lowerBound))
    }

    mutating func insert(_ text: String, behind range: Range<Int>?) { inserted[range?.lowerBound, default: []].append(text) }

    var isChanged: Bool { !removed.isEmpty || !inserted.isEmpty }

    var steps: [BracketItems.Step] {
        func new(_ offset: Int?) -> [BracketItems.Step] { (inserted[offset] ?? []).map { .insert($0) } }
        return new(nil)
            + ranges.enumerated().flatMap { index, range in
                [removed.contains(range.lowerBound) ? .remove(index) : .keep(index)] + new(range.lowerBound)
            }
    }
}
