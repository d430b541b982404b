import SettingsModel

/// The values of a key file, by sections and keys.
extension KeyFileText {
    /// Texts; a list where a key is repeated or a value is a list of lines; the word for true for a key without a value.
    var tree: PlainTree {
        var order: [[ExactText]] = []
        var members: [[ExactText]: [JSON.Member]] = [:]
        var places: [[ExactText]: Int] = [:]
        for entry in entries {
            let path = path(of: entry)
            if members[path] == nil { order.append(path) }
            let place = path + [dialect.folded(entry.name)]
            guard let index = places[place] else {
                places[place] = members[path, default: []].count
                let value = json(of: entry)
                members[path, default: []].append(
                    JSON.Member(entry.name, dialect.isAlwaysList(entry.name) ? .array([value]) : value))
                continue
            }
            let first = members[path]?[index].value ?? .null
            members[path]?[index].value = dialect.isList(entry.name) ? first.appending(json(of: entry)) : json(of: entry)
        }
        var tops: [ExactText] = []
        var inner: [ExactText: [JSON.Member]] = [:]
        for path in order where !path.isEmpty {
            if inner.updateValue(inner[path[0]] ?? [], forKey: path[0]) == nil { tops.append(path[0]) }
            if path.count > 1 { inner[path[0]]?.append(JSON.Member(path[1], .object(members[path] ?? []))) }
        }
        return PlainTree(
            .object(
                (members[[]] ?? []) + tops.map { JSON.Member($0, .object((members[[$0]] ?? []) + (inner[$0] ?? []))) }))
    }

    func json(of entry: Entry) -> JSON {
        guard let value = entry.value else {
            return .string(dialect.valueless == .isTrue ? ExactText(dialect.switches[0].on) : "")
        }
        return value.items.map { .array($0.map { .string($0.text) }) } ?? .string(value.text)
    }
}

extension JSON {
    fileprivate func appending(_ element: JSON) -> JSON {
        if case .array(let elements) = self { return .array(elements + [element]) }
        return .array([self, element])
    }

    /// The sections with their keys, in order; in git a subsection has a path of two names.
    func sections(_ dialect: KeyFileDialect) -> [(path: [ExactText], members: [Member])] {
        guard case .object(let all) = self else { return [] }
        func isGroup(_ member: Member) -> Bool { if case .object = member.value { true } else { false } }
        let keys = all.filter { !isGroup($0) }
        let tops = all.filter(isGroup)
        return (keys.isEmpty ? [] : [(path: [], members: keys)])
            + tops.flatMap { top -> [(path: [ExactText], members: [Member])] in
                guard case .object(let members) = top.value else { return [] }
                func isSection(_ member: Member) -> Bool { dialect.depth > 1 && isGroup(member) }
                let keys = members.filter { !isSection($0) }
                let inner = members.filter(isSection).map { (path: [top.name, $0.name], members: $0.value.objectMembers) }
                return (keys.isEmpty && !inner.isEmpty ? [] : [(path: [top.name], members: keys)]) + inner
            }
    }

    private var objectMembers: [Member] { if case .object(let members) = self { members } else { [] } }
}

/// Wanted values in the names and the words of a file.
struct KeyFileFitting {
    let dialect: KeyFileDialect

    func fitted(_ wanted: JSON, to present: JSON, level: Int = 0) -> JSON {
        guard case .object(let members) = wanted, level <= dialect.depth else {
            return value(wanted, of: "", to: present) ?? .null
        }
        var old: [ExactText: JSON.Member] = [:]
        if case .object(let members) = present { for member in members { old[folded(member.name, level)] = member } }
        return .object(
            members.compactMap { member in
                var name = member.name
                if level == 1, dialect.depth > 1, case .object = member.value, !name.string.hasPrefix("\"") {
                    name = KeyFileText.quoted(name.string)
                }
                let known = old[folded(name, level)]
                name = known?.name ?? name
                let there = known?.value ?? .null
                if case .object = member.value {
                    // A section without keys is none.
                    let inner = fitted(member.value, to: there, level: level + 1)
                    return inner == .object([]) ? nil : JSON.Member(name, inner)
                }
                return value(member.value, of: name, to: there).map { JSON.Member(name, $0) }
            })
    }

    /// The name as it is compared.
    private func folded(_ name: ExactText, _ level: Int) -> ExactText {
        let isSubsection = level == 1 && dialect.depth > 1 && name.string.hasPrefix("\"")
        if level == 0, dialect.depth > 0 { return dialect.sections == .git ? ExactText(name.string.lowercased()) : name }
        return isSubsection ? name : dialect.folded(name)
    }

    /// The value as the file has it: a text, or a list of texts; nil for no value at all.
    private func value(_ wanted: JSON, of name: ExactText, to present: JSON) -> JSON? {
        switch wanted {
        case .bool(let isOn):
            let pair = present.text.flatMap { dialect.pair(of: $0.string) } ?? (dialect.switches[0].off, dialect.switches[0].on)
            return .string(ExactText(isOn ? pair.on : pair.off))
        case .number: return .string(ExactText(wanted.compact))
        case .string: return wanted
        case .array(let elements):
            let texts = elements.map { element in
                if case .array = element {
                    element
                } else {
                    value(element, of: name, to: .null) ?? .null
                }
            }
            if dialect.isAlwaysList(name) { return texts.isEmpty ? nil : .array(texts) }
            if dialect.isList(name) { return texts.isEmpty ? nil : texts.count == 1 ? texts[0] : .array(texts) }
            return texts.isEmpty && (dialect.continuation == .indentation || dialect.separator != nil) ? "" : .array(texts)
        case .null, .object: return wanted
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
