import SettingsModel

extension JSONC {
    /// The file changed to `value` with as few edits as possible: comments, order and layout are kept, and only differing
    /// parts are rewritten. A new member follows the member that precedes it in `value`. The result is read again.
    func edited(to value: JSON) throws(Refusal) -> [UInt8] {
        let layout = Layout(bytes, root)
        guard let root else {
            var start = bytes
            if !start.isEmpty, start.last != 10, start != [0xEF, 0xBB, 0xBF] { start += Array(layout.newline.utf8) }
            return start + Array((JSONC.text(of: value, indent: "", layout: layout) + layout.newline).utf8)
        }
        let editor = Editor(bytes: bytes, layout: layout)
        let edited = Array(bytes[..<root.range.lowerBound]) + editor.edited(root, to: value) + bytes[root.range.upperBound...]
        let again = (try? JSONC(edited, in: path))?.root?.json
        if again == value { return edited }
        let refusals = (again ?? root.json).differences(from: value).map { names in
            Refusal(
                "'\(names.map(\.string).joined(separator: "."))' can't be edited in place: \(PlainEdit.unsupported)",
                in: path, at: line(of: names).map { BadFile.Position(line: $0, column: 1) },
                hint: "change it in the file by hand", remedy: .rewriting)
        }
        throw Refusal.joined(refusals) ?? Refusal("can't be edited in place", in: path, remedy: .rewriting)
    }

    /// The line of a member or an element, or of the innermost value around it that is there.
    func line(of names: [ExactText]) -> Int? {
        guard var node = root else { return nil }
        for name in names {
            if let member = node[name] {
                node = member
            } else if let elements = node.elements, let index = Int(name.string), elements.indices.contains(index) {
                node = elements[index]
            } else {
                break
            }
        }
        return line(of: node)
    }

    /// The layout of a file.
    struct Layout {
        var unit = "    "
        var newline = "\n"

        init() {}

        init(_ bytes: [UInt8], _ root: Node? = nil) {
            if let first = bytes.firstIndex(of: 10), first > 0, bytes[first - 1] == 13 { newline = "\r\n" }
            let items: [Item] =
                switch root?.content {
                case .object(let items)?, .array(let items)?: items
                default: []
                }
            for item in items {
                guard let before = JSONC.indent(in: bytes, at: item.start), !before.isEmpty else { continue }
                unit = before
                break
            }
        }
    }

    /// The white space before `offset` on its line; nil if anything else precedes it.
    static func indent(in bytes: [UInt8], at offset: Int) -> String? {
        var start = offset
        while start > 0, bytes[start - 1] == 32 || bytes[start - 1] == 9 { start -= 1 }
        guard start > 0, bytes[start - 1] == 10 else { return nil }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// The text of a value in the file's layout, without indentation of its first line.
    static func text(of value: JSON, indent: String, layout: Layout, isOneLine: Bool = false) -> String {
        let inner = indent + layout.unit
        func list(_ brackets: (String, String), _ texts: [String]) -> String {
            if texts.isEmpty { return brackets.0 + brackets.1 }
            if isOneLine {
                let space = brackets.0 == "{" ? " " : ""
                return brackets.0 + space + texts.joined(separator: ", ") + space + brackets.1
            }
            let lines = texts.map { layout.newline + inner + $0 }.joined(separator: ",")
            return brackets.0 + lines + layout.newline + indent + brackets.1
        }
        func text(_ value: JSON) -> String { self.text(of: value, indent: inner, layout: layout, isOneLine: isOneLine) }
        return switch value {
        case .array(let elements): list(("[", "]"), elements.map(text))
        case .object(let members):
            list(("{", "}"), members.map { JSON.string($0.name).compact + ": " + text($0.value) })
        default: value.compact
        }
    }
}

/// Rewrites the parts of a document that differ from a value.
private struct Editor {
    let bytes: [UInt8]
    let layout: JSONC.Layout

    /// One element or member with its surroundings: `lead body inner , tail`.
    struct Part {
        var lead: [UInt8]
        var body: [UInt8]
        var inner: [UInt8] = []
        var hasComma: Bool
        var tail: [UInt8] = []
        var isRemoved = false
    }

    enum Step {
        /// An item of the document, with its new value if it changes.
        case keep(Int, JSON?)
        case remove(Int)
        case insert(ExactText?, JSON)
    }

    func edited(_ node: JSONC.Node, to value: JSON) -> [UInt8] {
        switch (node.content, value) {
        case (_, _) where node.json == value: return Array(bytes[node.range])
        case (.object(let items), .object(let members)):
            if let steps = steps(from: items, to: members) { return laidOut(node, items, steps) }
        case (.array(let items), .array(let elements)):
            return laidOut(node, items, steps(from: items, to: elements))
        default: break
        }
        return anew(node, value)
    }

    private func anew(_ node: JSONC.Node, _ value: JSON) -> [UInt8] {
        let isOneLine =
            switch node.content {
            case .scalar: false
            case .array(let items), .object(let items): !items.isEmpty && !bytes[node.range].contains(10)
            }
        let indent = lineIndent(of: node.range.lowerBound)
        return Array(JSONC.text(of: value, indent: indent, layout: layout, isOneLine: isOneLine).utf8)
    }

    /// Nil if the order of the remaining members changes.
    private func steps(from items: [JSONC.Item], to members: [JSON.Member]) -> [Step]? {
        let wanted = Dictionary(members.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let present = Set(items.compactMap { $0.isHidden ? nil : $0.name })
        var steps: [Step] = []
        var next = 0
        for (index, item) in items.enumerated() {
            guard let name = item.name, let place = wanted[name] else {
                steps.append(.remove(index))
                continue
            }
            if item.isHidden {
                steps.append(.keep(index, nil))
                continue
            }
            guard place >= next else { return nil }
            for member in members[next..<place] {
                if present.contains(member.name) { return nil }
                steps.append(.insert(member.name, member.value))
            }
            steps.append(.keep(index, members[place].value))
            next = place + 1
        }
        for member in members[next...] { steps.append(.insert(member.name, member.value)) }
        return steps
    }

    private func steps(from items: [JSONC.Item], to elements: [JSON]) -> [Step] {
        ListStep.steps(from: items.map(\.value.json), to: elements).map { step in
            switch step {
            case .keep(let index, let value): .keep(index, value)
            case .remove(let index): .remove(index)
            case .insert(let value, _): .insert(nil, value)
            }
        }
    }

    private func lineIndent(of offset: Int) -> String {
        var start = offset
        while start > 0, bytes[start - 1] != 10 { start -= 1 }
        var end = start
        while end < offset, bytes[end] == 32 || bytes[end] == 9 { end += 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}

/// Assembles the parts of an array or object.
extension Editor {
    private func laidOut(_ node: JSONC.Node, _ items: [JSONC.Item], _ steps: [Step]) -> [UInt8] {
        var (old, closing) = parts(of: node, items)
        let endsWithComma = old.last?.hasComma ?? false
        let style = old.dropFirst().first ?? old.first
        let breaks = Trivia.breaksLine(style?.lead ?? [10])
        var parts: [Part] = []
        /// Whether a new part stands where the first one on the line of the bracket was.
        var isDisplaced = false
        for step in steps {
            switch step {
            case .keep(let index, let value):
                if isDisplaced, old[index].lead.allSatisfy({ $0 == 32 }) { old[index].lead = [32] }
                isDisplaced = false
                if let value {
                    let item = items[index]
                    old[index].body =
                        Array(bytes[item.start..<item.value.range.lowerBound]) + edited(item.value, to: value)
                }
                parts.append(old[index])
            case .remove(let index):
                old[index].isRemoved = true
                parts.append(old[index])
            case .insert(let name, let value):
                let outer = lineIndent(of: node.range.lowerBound)
                let indent = style.map { self.indent(after: $0.lead, node) } ?? outer + layout.unit
                var lead = Array((breaks ? layout.newline + indent : " ").utf8)
                if !breaks, parts.allSatisfy(\.isRemoved) {
                    lead = old.first.map { $0.lead.allSatisfy { $0 == 32 } ? $0.lead : [] } ?? []
                    isDisplaced = true
                }
                if style == nil {
                    if Trivia.hasComment(closing) { lead = Trivia.trimmedEnd(closing) + lead }
                    closing = Array((layout.newline + outer).utf8)
                }
                let sibling = items.first { if case .scalar = $0.value.content { false } else { true } }
                let isOneLine = sibling.map { !bytes[$0.value.range].contains(10) } ?? !breaks
                let text = JSONC.text(of: value, indent: indent, layout: layout, isOneLine: isOneLine && name == nil || !breaks)
                let label = name.map { JSON.string($0).compact + ": " } ?? ""
                parts.append(Part(lead: lead, body: Array((label + text).utf8), hasComma: false))
            }
        }
        return [bytes[node.range.lowerBound]] + joined(parts, closing, endsWithComma: endsWithComma)
            + [bytes[node.range.upperBound - 1]]
    }

    private func indent(after lead: [UInt8], _ node: JSONC.Node) -> String {
        guard let last = lead.lastIndex(of: 10) else { return lineIndent(of: node.range.lowerBound) }
        return String(decoding: lead[(last + 1)...].prefix { $0 == 32 || $0 == 9 }, as: UTF8.self)
    }

    private func parts(of node: JSONC.Node, _ items: [JSONC.Item]) -> (parts: [Part], closing: [UInt8]) {
        var cursor = node.range.lowerBound + 1
        let end = node.range.upperBound - 1
        var parts: [Part] = []
        for item in items {
            let valueEnd = item.value.range.upperBound
            let after = item.comma.map { $0 + 1 } ?? valueEnd
            let tailEnd = Trivia.endOfLine(in: bytes, from: after, to: end) ?? after
            parts.append(
                Part(
                    lead: Array(bytes[cursor..<item.start]), body: Array(bytes[item.start..<valueEnd]),
                    inner: item.comma.map { Array(bytes[valueEnd..<$0]) } ?? [], hasComma: item.comma != nil,
                    tail: Array(bytes[after..<tailEnd])))
            cursor = tailEnd
        }
        return (parts, Array(bytes[cursor..<end]))
    }

    /// Removed parts take the comments behind them on their line along; comments on lines of their own stay.
    private func joined(_ parts: [Part], _ closing: [UInt8], endsWithComma: Bool) -> [UInt8] {
        let lastKept = parts.lastIndex { !$0.isRemoved }
        /// What precedes a comma, if commas begin the lines.
        let lineOfComma = parts.first { $0.hasComma && $0.inner.contains(10) }.map { Trivia.whiteSpaceEnd($0.inner) }
        var out: [UInt8] = []
        /// White space and comments since the last element.
        var trivia: [UInt8] = []
        /// The white space of a removed part, for its replacement.
        var gap: [UInt8]?
        func append(_ more: [UInt8]) {
            if Trivia.endsInLineComment(trivia), !Trivia.breaksLine(more) { trivia += Array(layout.newline.utf8) }
            trivia += more
        }
        var isFirst = true
        for (index, part) in parts.enumerated() {
            guard !part.isRemoved else {
                let comments = comments(behind: index, of: parts)
                if Trivia.hasComment(part.lead) { append(Trivia.trimmedEnd(part.lead)) }
                if !comments.isEmpty { append(Trivia.whiteSpaceEnd(part.lead) + comments) }
                if !Trivia.hasComment(part.lead), comments.isEmpty, gap == nil { gap = part.lead }
                continue
            }
            var lead = part.lead
            if let gap, !Trivia.hasComment(lead) {
                let isHigher = gap.count { $0 == 10 } > lead.count { $0 == 10 }
                if isHigher || isFirst && !Trivia.breaksLine(lead) { lead = gap }
            }
            gap = nil
            isFirst = false
            append(lead)
            out += trivia + part.body
            switch (index != lastKept || endsWithComma, part.hasComma) {
            case (true, true):
                out += part.inner + [UInt8(ascii: ",")]
                trivia = part.tail
            case (true, false) where lineOfComma != nil:
                out += part.tail + (lineOfComma ?? []) + [UInt8(ascii: ",")]
                trivia = []
            case (true, false):
                out.append(UInt8(ascii: ","))
                trivia = part.inner + part.tail
            case (false, _): trivia = (Trivia.hasComment(part.inner) ? Trivia.trimmedEnd(part.inner) : []) + part.tail
            }
        }
        append(closing)
        return out + trivia
    }

    /// The comments behind a removed part that stay: all of them if it doesn't begin its line, or else those on lines below.
    private func comments(behind index: Int, of parts: [Part]) -> [UInt8] {
        let behind = parts[index].inner + parts[index].tail
        let begins = index == 0 || parts[index].lead.contains(10) || parts[index - 1].inner.contains(10)
        return Trivia.comments(begins ? Array(behind.drop { $0 != 10 }) : behind)
    }
}

/// White space and comments.
private enum Trivia {
    static func breaksLine(_ trivia: [UInt8]) -> Bool {
        trivia.first { $0 != 32 && $0 != 9 && $0 != 13 } == 10
    }

    static func hasComment(_ trivia: [UInt8]) -> Bool { trivia.contains(UInt8(ascii: "/")) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...10).contains(byte) || byte == 13 }

    static func trimmedEnd(_ trivia: [UInt8]) -> [UInt8] {
        Array(trivia[..<(trivia.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0)])
    }

    /// The white space after the last comment.
    static func whiteSpaceEnd(_ trivia: [UInt8]) -> [UInt8] { Array(trivia[trimmedEnd(trivia).count...]) }

    /// Without the surrounding white space.
    static func comments(_ trivia: [UInt8]) -> [UInt8] { Array(trimmedEnd(trivia).drop(while: isSpace)) }

    /// The end of the line if only white space and comments follow; nil if anything else does.
    static func endOfLine(in bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        var offset = start
        while offset < end {
            switch bytes[offset] {
            case 10: return offset > start && bytes[offset - 1] == 13 ? offset - 1 : offset
            case 9, 13, 32: offset += 1
            default:
                guard let next = JSONC.endOfComment(in: bytes, at: offset), !bytes[offset..<next].contains(10) else { return nil }
                offset = next
            }
        }
        return nil
    }

    /// Whether text that is appended would be inside a comment.
    static func endsInLineComment(_ trivia: [UInt8]) -> Bool {
        var offset = 0
        while offset < trivia.count {
            guard let end = JSONC.endOfComment(in: trivia, at: offset) else {
                offset += 1
                continue
            }
            if end == trivia.count, trivia[offset + 1] == UInt8(ascii: "/") { return true }
            offset = end
        }
        return false
    }
}
