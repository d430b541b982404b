import SettingsModel

/// The values of a key file, by sections and keys.
extension KeyFileText {
    /// The keys of each section by their names as they are compared.
    var keys: [[ExactText]: [ExactText: [Entry]]] {
        Dictionary(grouping: entries, by: path).mapValues { Dictionary(grouping: $0) { dialect.folded($0.name) } }
    }

    /// Texts; a list where a key is repeated or a value is a list of lines; the word for true for a key without a value.
    var tree: PlainTree {
        let keys = keys
        var paths: [[ExactText]] = []
        var members: [[ExactText]: [JSON.Member]] = [:]
        var seen: Set<[ExactText]> = []
        for entry in entries {
            let (path, name) = (path(of: entry), dialect.folded(entry.name))
            guard seen.insert(path + [name]).inserted, let values = keys[path]?[name]?.map(json) else { continue }
            let isList = dialect.isAlwaysList(name) || dialect.isList(name) && values.count > 1
            let value = isList ? JSON.array(values.flatMap { $0.elements ?? [$0] }) : values[values.count - 1]
            if members[path] == nil { paths.append(path) }
            members[path, default: []].append(JSON.Member(entry.name, value))
        }
        var tops: Set<ExactText> = []
        let inner = Dictionary(grouping: paths.filter { $0.count > 1 }) { $0[0] }
        return PlainTree(
            .object(
                (members[[]] ?? [])
                    + paths.compactMap(\.first).filter { tops.insert($0).inserted }.map { top in
                        let sections = (inner[top] ?? []).map { JSON.Member($0[1], .object(members[$0] ?? [])) }
                        return JSON.Member(top, .object((members[[top]] ?? []) + sections))
                    }))
    }

    func json(of entry: Entry) -> JSON {
        guard let value = entry.value else {
            return .string(dialect.valueless == .isTrue ? ExactText(dialect.switches[0].on) : "")
        }
        return value.items.map { .array($0.map { .string($0.text) }) } ?? .string(value.text)
    }
}

extension JSON {
    /// The sections with their keys, in order; in git a subsection has a path of two names.
    func sections(_ dialect: KeyFileDialect, in path: [ExactText] = []) -> [(path: [ExactText], members: [Member])] {
        func isSection(_ member: Member) -> Bool { path.count < dialect.depth && member.value.members != nil }
        let keys = (members ?? []).filter { !isSection($0) }
        let inner = (members ?? []).filter(isSection)
        let own = keys.isEmpty && (path.isEmpty || !inner.isEmpty) ? [] : [(path: path, members: keys)]
        return own + inner.flatMap { $0.value.sections(dialect, in: path + [$0.name]) }
    }
}

/// Wanted values in the names and the words of a file.
extension KeyFileDialect {
    func fitted(_ wanted: JSON, to present: JSON, level: Int = 0) -> JSON {
        guard case .object(let members) = wanted, level <= depth else { return value(wanted, of: "", to: present) ?? .null }
        let old = Dictionary((present.members ?? []).map { (folded($0.name, level), $0) }) { $1 }
        return .object(
            members.compactMap { member in
                var name = member.name
                if level == 1, depth > 1, member.value.members != nil, !name.string.hasPrefix("\"") {
                    name = KeyFileText.quoted(name.string)
                }
                let known = old[folded(name, level)]
                name = known?.name ?? name
                let there = known?.value ?? .null
                guard member.value.members != nil else {
                    return value(member.value, of: name, to: there).map { JSON.Member(name, $0) }
                }
                // A section without keys is none.
                let inner = fitted(member.value, to: there, level: level + 1)
                return inner == .object([]) ? nil : JSON.Member(name, inner)
            })
    }

    /// The name as it is compared.
    private func folded(_ name: ExactText, _ level: Int) -> ExactText {
        if level == 0, depth > 0 { return foldsSections ? ExactText(name.string.lowercased()) : name }
        return level == 1 && depth > 1 && name.string.hasPrefix("\"") ? name : folded(name)
    }

    /// The value as the file has it: a text, or a list of texts; nil for no value at all.
    private func value(_ wanted: JSON, of name: ExactText, to present: JSON) -> JSON? {
        switch wanted {
        case .bool(let isOn):
            let words = present.text.flatMap { pair(of: $0.string) } ?? (switches[0].off, switches[0].on)
            return .string(ExactText(isOn ? words.on : words.off))
        case .number: return .string(ExactText(wanted.compact))
        case .array(let elements):
            let texts = elements.map { element in
                if case .array = element { element } else { value(element, of: name, to: .null) ?? .null }
            }
            if isList(name) { return texts.isEmpty ? nil : texts.count == 1 && !isAlwaysList(name) ? texts[0] : .array(texts) }
            return texts.isEmpty && (continuation == .indentation || separator != nil) ? "" : .array(texts)
        case .string, .null, .object: return wanted
        }
    }
}

/// Options for the texts of a key file.
enum KeyFileTyping {
    /// A switch where the text is one of the dialect's words for true and false, which stay its values; a number where the
    /// text is spelled as numbers are. Everything else stays a text.
    static func typed(_ option: SettingsOption, _ dialect: KeyFileDialect) -> SettingsOption {
        guard option.type == .text, let word = option.value?.text?.string else { return option }
        var option = option
        if let pair = dialect.pair(of: word) {
            option.type = .switch
            option.other["values"] = .array([.string(ExactText(pair.off)), .string(ExactText(pair.on))])
        } else if let number = Number(word), isCanonical(word) {
            option.type = .number
            option.value = .number(number)
        }
        return option
    }

    /// `007`, `+5`, `1e3`, `1.50` and numbers of more than 15 digits are texts: they may be names or versions.
    private static func isCanonical(_ word: String) -> Bool {
        guard word.utf8.count <= 16, !word.utf8.contains(where: { "eE".utf8.contains($0) }), word != "-0" else { return false }
        return !word.utf8.contains(UInt8(ascii: ".")) || word.utf8.last != UInt8(ascii: "0")
    }
}
