import SettingsModel

/// Edits tables of texts (`.strings`) and the outermost dictionary of property lists in the old text form.
struct StringsEditor {
    private let places: [OldStylePropertyList.Place]
    private var edits: FileEdits
    private var refusals: [Refusal] = []

    static func edited(_ bytes: [UInt8], from present: JSON, to wanted: JSON) throws(Refusal) -> [UInt8] {
        guard case .object(let before) = present, case .object(let members) = wanted else { return bytes }
        var editor = StringsEditor(places: try OldStylePropertyList.places(in: bytes), edits: FileEdits(bytes))
        editor.edit(from: before, to: members)
        if let refusal = Refusal.joined(editor.refusals) { throw refusal }
        return editor.edits.applied()
    }

    private mutating func edit(from before: [JSON.Member], to members: [JSON.Member]) {
        let old = Dictionary(before.map { ($0.name, $0.value) }) { first, _ in first }
        let own = Dictionary(grouping: places, by: \.name)
        for step in MemberStep.steps(from: before.map(\.name), to: members) {
            switch step {
            case .keep(let member):
                // Of duplicates the last one counts.
                guard old[member.name] != member.value, let place = own[member.name]?.last else { continue }
                replace(place, by: member, isText: old[member.name]?.text != nil)
            case .remove(let name): for place in own[name] ?? [] { remove(place) }
            case .insert(let member): insert(member)
            }
        }
    }

    private mutating func text(_ member: JSON.Member) -> String? {
        if let text = member.value.text { return text.string }
        refusals.append(
            Refusal("'\(member.name)' can't be edited in place: it is \(member.value.kind), but only texts are supported"))
        return nil
    }

    private mutating func replace(_ place: OldStylePropertyList.Place, by member: JSON.Member, isText: Bool) {
        guard let text = text(member) else { return }
        guard isText else {
            return refusals.append(
                Refusal(
                    "'\(member.name)' can't be edited in place: it is not a text in the file",
                    hint: "change it in the file by hand"))
        }
        guard let value = place.value else {
            return edits.insert(" = " + StringsEditor.quoted(text), at: place.nameRange.upperBound)
        }
        let old = edits.bytes[value]
        let isWord =
            !text.isEmpty && text.utf8.allSatisfy(OldStylePropertyList.isWordByte) && !text.contains("//") && !text.contains("/*")
        let isBare = old.first != UInt8(ascii: "\"") && old.first != UInt8(ascii: "'") && isWord
        let quote: Unicode.Scalar = old.first == UInt8(ascii: "'") ? "'" : "\""
        edits.replace(value, by: isBare ? text : StringsEditor.quoted(text, quote))
    }

    /// An entry goes with the comment directly above it, which belongs to it.
    private mutating func remove(_ place: OldStylePropertyList.Place) {
        guard edits.isFirstOnLine(place.nameRange.lowerBound) else {
            return edits.remove(place.nameRange.lowerBound..<place.end)
        }
        var start = edits.lineStart(of: place.nameRange.lowerBound)
        if start > 0 {
            let above = edits.lineStart(of: start - 1)
            let comment = edits.skippingSpace(from: above)
            let line = edits.bytes[comment..<edits.lineEnd(of: above)]
            let isBlock = line.starts(with: "/*".utf8) && line.reversed().starts(with: "/*".utf8)
            if isBlock || line.starts(with: "//".utf8) { start = above }
        }
        edits.remove(start..<edits.nextLine(after: place.end))
    }

    private mutating func insert(_ member: JSON.Member) {
        guard let text = text(member) else { return }
        let line = "\(StringsEditor.quoted(member.name.string)) = \(StringsEditor.quoted(text));"
        guard let last = places.last else { return edits.insertLines(line + "\n", at: edits.bytes.count) }
        let indent = edits.indent(of: last.nameRange.lowerBound)
        let next = edits.nextLine(after: last.end)
        // Behind a closing brace on the same line.
        guard edits.skippingSpace(from: last.end) >= edits.lineEnd(of: last.end) else {
            return edits.insert(" " + line, at: last.end)
        }
        edits.insertLines(indent + line + "\n", at: next)
    }

    /// A quoted string; line breaks are escaped, tabs are not.
    static func quoted(_ text: String, _ quote: Unicode.Scalar = "\"") -> String {
        var out = String(quote)
        for scalar in text.unicodeScalars {
            if scalar == "\t" || scalar == "'" && quote != "'" || scalar == "\"" && quote != "\"" {
                out.unicodeScalars.append(scalar)
            } else if scalar == quote {
                out += "\\" + String(quote)
            } else {
                out += scalar.shortEscape ?? String(scalar)
            }
        }
        return out + String(quote)
    }
}
