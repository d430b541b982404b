/// The names that lead to a member of a file, as the file spells them.
package struct MemberPath: Hashable, Sendable {
    package var names: [ExactText]
}

/// The content of a tracked file: its bytes, and what they mean as settings, with keys relative to the group.
package struct TrackedText: Sendable {
    package let file: TrackedFile
    package let bytes: [UInt8]
    package let settings: SettingsContent
    /// The keys of `settings` by the members that they stand for.
    package let members: [MemberPath: Key]

    package init(_ bytes: [UInt8], of file: TrackedFile, _ formats: any FileFormats) throws(Refusal) {
        self.file = file
        self.bytes = bytes
        settings = try formats.read(bytes, named: file.name, as: file.format, depth: file.group.parts.count).settings
        members = settings.members
    }

    package func option(at path: MemberPath) -> SettingsOption? { members[path].flatMap { settings.options[$0] } }

    /// The file's bytes with these options of `content`, whose keys are relative to the group as well, and without these members.
    /// Everything else in the file stays.
    package func writing(
        _ keys: [Key], of content: SettingsContent, removing removed: Set<MemberPath>, _ formats: any FileFormats
    ) throws(Refusal) -> [UInt8] {
        var wanted = settings
        for path in removed { members[path].map { wanted.remove($0) } }
        for key in keys.sorted() {
            guard var option = content.options[key] else { continue }
            if let place = members[content.memberPath(of: key)], let there = wanted.options[place] {
                // How the file spells a value is the file's own matter.
                for name in [file.note, "key"] { option.other[name] = there.other[name] }
                wanted.options[place] = option
            } else {
                wanted.insert(option, at: key, from: content)
            }
        }
        if wanted == settings { return bytes }
        return try formats.write(wanted, over: bytes, named: file.name, as: file.format, prunes: !removed.isEmpty)
    }
}

extension TrackedFile {
    package var name: String { file.split(separator: "/").last.map(String.init) ?? file }

    /// The member of an option in which its format keeps notes.
    fileprivate var note: ExactText { ExactText(format.rawValue) }
}

extension SettingsContent {
    fileprivate var members: [MemberPath: Key] {
        Dictionary(options.keys.map { (memberPath(of: $0), $0) }) { first, _ in first }
    }

    /// The member that an option stands for in a file of its group; `self` has the groups around it.
    package func memberPath(of key: Key) -> MemberPath {
        var names: [ExactText] = []
        for group in key.enclosingGroups.reversed() { names.append(groups[group]?.other["key"]?.text ?? ExactText(group.name)) }
        names.append(options[key]?.importedKey ?? ExactText(key.name))
        return MemberPath(names: names)
    }

    /// Without an option, and without the groups of which nothing is left then.
    fileprivate mutating func remove(_ key: Key) {
        options[key] = nil
        var gone = key
        for group in key.enclosingGroups + [.root] {
            groups[group]?.order?.removeAll { $0.string == gone.name }
            if group.isRoot || options.keys.contains(where: { $0.isWithin(group) && $0 != group }) { return }
            groups[group] = nil
            gone = group
        }
    }

    /// Adds an option where `content` has it among its neighbours.
    fileprivate mutating func insert(_ option: SettingsOption, at key: Key, from content: SettingsContent) {
        options[key] = option
        var child = key
        for group in key.enclosingGroups + [.root] {
            if let known = content.groups[group] {
                let names = known.order ?? []
                if groups[group] == nil { groups[group] = SettingsGroup(title: known.title, other: known.other) }
                let order =
                    groups[group]?.order
                    ?? options.keys.filter { $0.group == group && $0 != key }.sorted().map { ExactText($0.name) }
                let present = Set(order + [ExactText(child.name)])
                groups[group]?.order = SettingsGroup.order(order, with: names.filter(present.contains), rearranging: false)
            }
            child = group
        }
    }
}

extension SettingsOption {
    /// The value that a member of a file stands for in this option: a `.env` file has texts alone, for one. Throws where the
    /// option can't have it.
    package func value(ofMember member: SettingsOption) throws(Refusal) -> JSON? {
        guard let value = member.effectiveValue, !value.isNull else { return nil }
        if let text = value.text, type == .switch || type == .number, fault(of: value) != nil {
            return try self.value(for: .word(text.string))
        }
        if type == .text, value.text == nil { return .string(ExactText(value.compact)) }
        if fault(of: value) == nil { return value }
        return try self.value(for: .word(value.text?.string ?? value.compact))
    }

    /// Whether a member of a file has the value that programs read from this option.
    package func isInStep(with member: SettingsOption) -> Bool {
        guard let value = try? value(ofMember: member) else {
            return effectiveValue.map(\.isNull) ?? true && (member.effectiveValue.map(\.isNull) ?? true)
        }
        return effectiveValue.map { JSON.means($0, value) } ?? false
    }
}

extension JSON {
    /// Whether two values are equal with 1 and 1.0 as one number, and members in any order.
    package static func means(_ left: JSON, _ right: JSON) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left.isEqual(to: right)
        case (.array(let left), .array(let right)): left.count == right.count && zip(left, right).allSatisfy { means($0, $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { member in
                    right.first { $0.name == member.name }.map { means(member.value, $0.value) } ?? false
                }
        default: left == right
        }
    }
}
