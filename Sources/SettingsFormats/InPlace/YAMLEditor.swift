import SettingsModel

/// Edits a YAML file where its values differ from the wanted ones.
struct YAMLEditor {
    var edits: FileEdits
    let writer: YAMLWriter

    /// The edited file; throws a refusal if the values can't be located.
    static func edited(
        _ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree, _ dialect: YAMLScalar.Dialect = .yaml11
    ) throws(Refusal) -> [UInt8] {
        let places: YAMLPlaces
        do throws(YAMLPlaces.PlaceNotFound) { places = try YAMLPlaces(bytes) } catch {
            throw Refusal(
                "can't be edited in place: \(PlainEdit.unsupported)", at: .init(line: error.line, column: 1),
                hint: "change it in the file by hand", remedy: .rewriting)
        }
        // Marks of the file's values are kept unless the settings change them.
        var marked = wanted
        marked.marks.merge(present.marks) { new, _ in new }
        marked.nameMarks.merge(present.nameMarks) { new, _ in new }
        var writer = YAMLWriter(marked)
        writer.unit = places.unit ?? 2
        writer.listUnit = places.listUnit ?? 0
        writer.dialect = places.dialect ?? dialect
        var editor = YAMLEditor(edits: FileEdits(bytes), writer: writer)
        if let root = places.root, root.range.lowerBound < root.range.upperBound {
            editor.edit(root, from: present.root, to: wanted.root, at: .root, indent: -1, .top)
        } else if case .object(let members) = wanted.root {
            var writer = writer
            writer.add(members, indent: 0, at: .root)
            editor.edits.insertLines(writer.out, at: bytes.count)
        }
        let result = editor.edits.applied()
        guard bytes.last != 10,
            (try? YAMLTree.read(result, in: "the file", dialect).tree.root.aligned(to: wanted.root)) != wanted.root
        else {
            return result
        }
        // A block scalar at the end may need the newline.
        return editor.edits.applied(mayEnd: true)
    }

    /// What contains a value.
    private enum Owner {
        case top, member, element, bracket
    }

    /// `indent` is the column of the key or the dash that precedes the value.
    private mutating func edit(
        _ place: YAMLPlace, from old: JSON, to new: JSON, at pointer: PlainTree.Pointer, indent: Int, _ owner: Owner
    ) {
        if old == new { return }
        switch (place.content, old, new) {
        case (.alias, _, _): return
        case (.mapping(let members, let style), .object(let before), .object(let after)) where !after.isEmpty && !before.isEmpty:
            let isMerged = Set(before.map(\.name)).subtracting(members.lazy.filter { !$0.isMerge }.map(\.name))
            let own = after.filter { !isMerged.contains($0.name) }
            let steps = MemberStep.steps(from: members.lazy.filter { !$0.isMerge }.map(\.name), to: own)
            let stays = members.contains(where: \.isMerge) || steps.contains { if case .keep = $0 { true } else { false } }
            if !stays { return replace(place, by: new, at: pointer, indent: indent, owner) }
            switch style {
            case .block: editBlock(place, members, steps, old, pointer)
            case .flow, .pair: editFlow(place, members, steps, old, pointer, indent, style)
            }
        case (.sequence(let elements, let style), .array(let before), .array(let after)) where !after.isEmpty && !before.isEmpty:
            switch style {
            case .block: editBlock(place, elements, before, after, pointer)
            case .flow, .pair: editFlow(place, elements, before, after, pointer, indent)
            }
        default: replace(place, by: new, from: old, at: pointer, indent: indent, owner)
        }
    }
}

/// Block mappings and block lists.
extension YAMLEditor {
    private mutating func editBlock(
        _ place: YAMLPlace, _ members: [YAMLPlace.Member], _ steps: [MemberStep], _ old: JSON, _ pointer: PlainTree.Pointer
    ) {
        let column = place.range.lowerBound - edits.lineStart(of: place.range.lowerBound)
        let places = Dictionary(members.enumerated().map { ($1.name, $0) }) { _, last in last }
        var before = 0
        for step in steps {
            switch step {
            case .keep(let member):
                guard let index = places[member.name] else { continue }
                before = index
                edit(
                    members[index].value, from: old[member.name] ?? .null, to: member.value, at: pointer.member(member.name),
                    indent: column, .member)
            case .remove(let name):
                guard let index = places[name] else { continue }
                before = index
                removeEntry(from: members[index].start, to: members[index].end)
            case .insert(let member):
                var writer = writer
                writer.add([member], indent: column, at: pointer)
                edits.insertLines(writer.out, at: lineAfter(members[before].end, column))
            }
        }
    }

    private mutating func editBlock(
        _ place: YAMLPlace, _ elements: [YAMLPlace], _ before: [JSON], _ after: [JSON], _ pointer: PlainTree.Pointer
    ) {
        let column = place.range.lowerBound - edits.lineStart(of: place.range.lowerBound)
        guard elements.count == before.count else { return }
        /// The start of each entry, with its dash.
        var starts: [Int] = []
        for index in elements.indices {
            starts.append(index == 0 ? place.range.lowerBound : edits.skippingBlank(from: end(of: elements[index - 1])))
        }
        var last: Int?
        for step in ListStep.steps(from: before, to: after) {
            switch step {
            case .keep(let index, let value):
                last = index
                edit(elements[index], from: before[index], to: value, at: pointer.element(index), indent: column, .element)
            case .remove(let index):
                last = index
                removeEntry(from: starts[index], to: end(of: elements[index]))
            case .insert(let value, let index):
                var writer = writer
                let space = String(repeating: " ", count: column)
                writer.out += "-"
                writer.add(value, indent: column, at: pointer.element(index), isMember: false)
                if let last {
                    edits.insertLines(space + writer.out, at: lineAfter(end(of: elements[last]), column))
                } else {
                    edits.insert(writer.out + space, at: starts[0])
                }
            }
        }
    }

    private func end(of element: YAMLPlace) -> Int { max(element.head, element.range.upperBound) }

    /// An entry is removed with the rest of its line; comments on separate lines stay.
    private mutating func removeEntry(from start: Int, to end: Int) {
        if edits.isFirstOnLine(start) { return edits.removeLines(start..<end) }
        // After a dash, the next entry moves up to it.
        edits.remove(start..<edits.skippingBreaks(from: edits.nextLine(after: end)))
    }

    /// The line after an entry and after the comments that are indented like its contents.
    private func lineAfter(_ end: Int, _ column: Int) -> Int {
        let behind = edits.nextLine(after: end)
        var offset = behind
        while offset < edits.bytes.count {
            let text = edits.skippingBreaks(from: offset)
            guard text < edits.bytes.count, edits.bytes[text] == UInt8(ascii: "#"), text - edits.lineStart(of: text) > column
            else {
                break
            }
            offset = edits.nextLine(after: text)
        }
        return offset
    }
}

/// Flow mappings and flow lists.
extension YAMLEditor {
    private mutating func editFlow(
        _ place: YAMLPlace, _ members: [YAMLPlace.Member], _ steps: [MemberStep], _ old: JSON, _ pointer: PlainTree.Pointer,
        _ indent: Int, _ style: YAMLPlace.Style
    ) {
        let places = Dictionary(members.enumerated().map { ($1.name, $0) }) { _, last in last }
        var order: [BracketItems.Step] = []
        for step in steps {
            switch step {
            case .keep(let member):
                guard let index = places[member.name] else { continue }
                order.append(.keep(index))
                let inner = pointer.member(member.name)
                if !members[index].hasColon, old[member.name] != member.value {
                    edits.insert(": " + writer.flow(member.value, at: inner), at: members[index].keyEnd)
                } else {
                    edit(
                        members[index].value, from: old[member.name] ?? .null, to: member.value, at: inner, indent: indent,
                        .bracket)
                }
            case .remove(let name): if let index = places[name] { order.append(.remove(index)) }
            case .insert(let member): order.append(.insert(writer.flow(member, at: pointer)))
            }
        }
        // Merge keys stay.
        for (index, member) in members.enumerated() where member.isMerge {
            order.insert(.keep(index), at: min(index, order.count))
        }
        let isChanged = order.contains { if case .keep = $0 { false } else { true } }
        guard isChanged, style == .flow else { return }
        BracketItems(range: place.range, items: members.map { $0.start..<$0.end }).edit(&edits, order)
    }

    private mutating func editFlow(
        _ place: YAMLPlace, _ elements: [YAMLPlace], _ before: [JSON], _ after: [JSON], _ pointer: PlainTree.Pointer,
        _ indent: Int
    ) {
        guard elements.count == before.count else { return }
        var order: [BracketItems.Step] = []
        for step in ListStep.steps(from: before, to: after) {
            switch step {
            case .keep(let index, let value):
                order.append(.keep(index))
                edit(elements[index], from: before[index], to: value, at: pointer.element(index), indent: indent, .bracket)
            case .remove(let index): order.append(.remove(index))
            case .insert(let value, let index): order.append(.insert(writer.flow(value, at: pointer.element(index))))
            }
        }
        BracketItems(range: place.range, items: elements.map { $0.begin..<max($0.head, $0.range.upperBound) }).edit(&edits, order)
    }
}

/// Replacing values.
extension YAMLEditor {
    private mutating func replace(
        _ place: YAMLPlace, by new: JSON, from old: JSON = .null, at pointer: PlainTree.Pointer, indent: Int, _ owner: Owner
    ) {
        removeTag(of: place, unlessItFits: new)
        // Any other tag stays in the file.
        let writer = writer.untagged(at: pointer)
        if owner == .bracket {
            let text =
                new.isOneWord
                ? writer.scalar(new, from: old, place.content, isFlow: true, at: pointer) : writer.flow(new, at: pointer)
            return put(text, into: place)
        }
        guard !new.isOneWord else {
            if place.isBlockCollection, owner == .top { return put(writer.scalar(new, at: pointer, indent: 0), into: place) }
            if place.isBlockCollection { return collapse(place, to: writer.scalar(new, at: pointer, indent: max(indent, 0) + 2)) }
            return replaceScalar(place, by: new, from: old, at: pointer, indent: indent)
        }
        if case .mapping(_, .flow) = place.content, case .object = new, !old.isOneWord {
            return put(writer.flow(new, at: pointer), into: place)
        }
        var lines = writer
        switch owner {
        case .top:
            lines.addLines(of: new, indent: 0, at: pointer)
            edits.replace(place.range, by: String(lines.out.dropLast()))
        case .element where edits.lineStart(of: place.head) == edits.lineStart(of: place.range.lowerBound):
            let column = place.range.lowerBound - edits.lineStart(of: place.range.lowerBound)
            lines.addLines(of: new, indent: column, at: pointer, isBegun: true)
            put(String(lines.out.dropLast()), into: place)
        default:
            var depth = indent + writer.unit
            if case .array = new { depth = indent + writer.listUnit }
            lines.addLines(of: new, indent: depth, at: pointer)
            if place.isBlockCollection {
                edits.insertLines(lines.out, at: edits.lineStart(of: place.range.lowerBound))
                return edits.removeLines(place.range)
            }
            edits.remove(place.head..<place.range.upperBound)
            edits.insertLines(lines.out, at: edits.nextLine(after: place.range.upperBound))
        }
    }

    /// One of YAML's own tags goes if the new value is of another kind.
    private mutating func removeTag(of place: YAMLPlace, unlessItFits new: JSON) {
        var offset = place.begin
        while offset < place.head || offset < place.range.lowerBound, "&!".utf8.contains(edits.bytes[offset]) {
            let end = edits.bytes[offset...].firstIndex { [9, 10, 13, 32].contains($0) } ?? edits.bytes.count
            let next = edits.skippingSpace(from: end)
            if !YAMLTree.tag(String(decoding: edits.bytes[offset..<end], as: UTF8.self), fits: new) {
                return edits.remove(offset..<next)
            }
            offset = next
        }
    }

    /// Adds a space before the text if the value was empty.
    private mutating func put(_ text: String, into place: YAMLPlace) {
        let isTight =
            place.range.isEmpty && place.range.lowerBound > 0 && ![32, 9].contains(edits.bytes[place.range.lowerBound - 1])
        edits.replace(place.range, by: isTight ? " " + text : text)
    }

    /// Replaces a value that spans lines with a single word.
    private mutating func collapse(_ place: YAMLPlace, to text: String) {
        guard edits.isFirstOnLine(place.range.lowerBound) else { return put(text, into: place) }
        let end = text.firstIndex(of: "\n") ?? text.endIndex
        edits.insert(" " + text[..<end], at: place.head)
        if end < text.endIndex {
            edits.insertLines(text[text.index(after: end)...] + "\n", at: edits.lineStart(of: place.range.lowerBound))
        }
        edits.removeLines(place.range)
    }

    private mutating func replaceScalar(
        _ place: YAMLPlace, by new: JSON, from old: JSON, at pointer: PlainTree.Pointer, indent: Int
    ) {
        guard case .block(let indicator, let lines, let depth) = place.content else {
            let text = writer.scalar(
                new, from: old, place.content, isFlow: false, at: pointer, indent: max(indent, 0) + writer.unit)
            guard let end = text.firstIndex(of: "\n"), case .string(let content) = new else { return put(text, into: place) }
            if edits.isUnended(place.range.upperBound) { return put(YAMLWriter.quoted(content.string), into: place) }
            // A comment stays after the indicator.
            put(String(text[..<end]), into: place)
            return edits.insertLines(text[text.index(after: end)...] + "\n", at: edits.nextLine(after: place.range.upperBound))
        }
        let isFolded = edits.bytes[indicator.lowerBound] == UInt8(ascii: ">")
        if case .string(let text) = new, let block = YAMLWriter.block(text.string, indent: depth, isFolded: isFolded),
            let end = block.firstIndex(of: "\n")
        {
            edits.replace(indicator, by: String(block[..<end]))
            edits.replace(lines, by: String(block[end...]))
        } else {
            edits.replace(indicator, by: writer.untagged(at: pointer).scalar(new, at: pointer, indent: depth, isLine: true))
            edits.remove(lines)
        }
    }
}

extension JSON {
    /// Whether it is written as one word.
    fileprivate var isOneWord: Bool {
        switch self {
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        default: true
        }
    }
}
