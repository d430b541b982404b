/// The names that lead to a member of a file, as the file spells them.
package struct MemberPath: Hashable, Sendable {
    package var names: [ExactText]

    package init(names: [ExactText]) {
        self.names = names
    }
}

/// A member of a file, a value or what contains others, that gets another name and stays where it is.
package struct MemberRename: Hashable, Sendable {
    package var path: MemberPath
    package var name: ExactText

    package init(path: MemberPath, name: ExactText) {
        self.path = path
        self.name = name
    }

    /// The same within the member of this name; nil if it is elsewhere.
    package func within(_ name: ExactText) -> MemberRename? {
        guard path.names.count > 1, path.names[0] == name else { return nil }
        return MemberRename(path: MemberPath(names: Array(path.names.dropFirst())), name: self.name)
    }

    /// The renames of members that stay in the one that contains them. Where all of what one contains moves with it, that one is
    /// renamed.
    static func renames(_ moves: [(old: MemberPath, new: MemberPath)], among members: some Sequence<MemberPath>) -> [MemberRename]
    {
        var counts: [MemberRename: Int] = [:]
        for (old, new) in moves where old.names.count == new.names.count {
            let differing = old.names.indices.filter { old.names[$0] != new.names[$0] }
            guard differing.count == 1, let place = differing.first else { continue }
            counts[MemberRename(path: MemberPath(names: Array(old.names[...place])), name: new.names[place]), default: 0] += 1
        }
        return counts.filter { rename, count in members.count { $0.names.starts(with: rename.path.names) } == count }.keys
            .sorted { $0.path.names.lexicographicallyPrecedes($1.path.names) }
    }
}

/// The content of a tracked file: its bytes, and what they mean as settings, with keys relative to the group.
package struct TrackedText: Sendable {
    package let file: TrackedFile
    package let bytes: [UInt8]
    package let settings: SettingsContent
    /// The keys of `settings` by the members that they stand for.
    package let members: [MemberPath: Key]
    /// Those that look like secrets: texts, which are masked, and lists or objects that contain some.
    package let secrets: Set<Key>

    package init(_ bytes: [UInt8], of file: TrackedFile, _ formats: any FileFormats) throws(Refusal) {
        self.file = file
        self.bytes = bytes
        let imported = try formats.read(bytes, named: file.name, as: file.format, depth: file.group.parts.count)
        settings = imported.settings
        members = settings.members
        secrets = Set(imported.parts.masked + imported.parts.unmaskable)
    }

    /// The members that look like secrets and that another text does not have like this, by their paths.
    package func secrets(since other: TrackedText) -> [MemberPath] {
        members.filter { secrets.contains($0.value) && option(at: $0.key)?.value != other.option(at: $0.key)?.value }.map(\.key)
    }

    package func option(at path: MemberPath) -> SettingsOption? { members[path].flatMap { settings.options[$0] } }

    /// Whether another text has the same members with the same options, in whatever order and spelling.
    package func means(_ other: TrackedText) -> Bool {
        members.count == other.members.count
            && members.keys.allSatisfy { path in
                guard var own = option(at: path), let there = other.option(at: path) else { return false }
                own.other[file.note] = there.other[file.note]
                if JSON.means(own.value ?? .null, there.value ?? .null) { own.value = there.value }
                return own == there
            }
    }

    /// The file's bytes with these options of `content`, whose keys are relative to the group as well, and without these members.
    /// `moves`: those of the removed ones that options of `content` stand for now. Everything else in the file stays.
    package func writing(
        _ keys: [Key], of content: SettingsContent, removing removed: Set<MemberPath>,
        moving moves: [(old: MemberPath, new: MemberPath)] = [], _ formats: any FileFormats
    ) throws(Refusal) -> [UInt8] {
        let former = Dictionary(moves.map { ($0.new, $0.old) }) { first, _ in first }
        var wanted = settings
        for path in removed { members[path].map { wanted.remove($0) } }
        for key in keys.sorted() {
            guard var option = content.options[key] else { continue }
            let path = content.memberPath(of: key)
            // How the file spells a value is the file's own matter.
            if let place = members[path], let there = wanted.options[place] {
                for name in [file.note, "key"] { option.other[name] = there.other[name] }
                wanted.options[place] = option
            } else {
                if let there = former[path].flatMap(self.option) { option.other[file.note] = there.other[file.note] }
                wanted.insert(option, at: key, from: content)
            }
        }
        if wanted == settings { return bytes }
        let written = try formats.write(
            wanted, over: bytes, named: file.name, as: file.format, renames: MemberRename.renames(moves, among: members.keys),
            prunes: !removed.isEmpty)
        try TrackedText(written, of: file, formats).check(keys, of: content, since: self)
        return written
    }

    /// Throws which of these options a reader of the file would not have the values of, though the file is as it was to be written.
    private func check(_ keys: [Key], of content: SettingsContent, since before: TrackedText) throws(Refusal) {
        let faults = keys.sorted().compactMap { key -> Refusal? in
            let path = content.memberPath(of: key)
            guard let option = content.options[key], let value = option.effectiveValue, !value.isNull,
                before.option(at: path).map({ !option.isInStep(with: $0) }) ?? true
            else { return nil }
            let there = self.option(at: path)
            // Also an edit by hand of a kind that the option can't have is put back as it was.
            if let there, option.isInStep(with: there) || JSON.means(there.effectiveValue ?? .null, value) { return nil }
            let name = path.names.map(\.string).joined(separator: ".")
            let wanted = option.isMasked ? "this value" : String(value.compact.prefix(80))
            if let read = there?.effectiveValue, !option.isMasked {
                return Refusal(
                    "'\(name)' can't be \(wanted) in a file of this format, where it is read as \(read.compact.prefix(80))",
                    hint: value == .array([read]) ? "a single item is no list there: set it to \(read.compact.prefix(80))" : nil)
            }
            if case .object = value {
                return Refusal("'\(name)' can't be \(wanted): in the file it is a mapping, whose members are separate options")
            }
            return Refusal("'\(name)' can't be \(wanted) in a file of this format")
        }
        if let refusal = Refusal.joined(faults) { throw refusal }
    }
}

extension TrackedFile {
    package var name: String { format.name(of: file) }

    /// The member of an option in which its format keeps notes.
    package var note: ExactText { ExactText(format.rawValue) }
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
    /// option can't have it, as a text can't have a list: written back, its text would be one item.
    package func value(ofMember member: SettingsOption) throws(Refusal) -> JSON? {
        guard let value = member.effectiveValue, !value.isNull else { return nil }
        if type == .text, !value.isScalar { throw Refusal("a text option can't have the items of \(value.compact.prefix(80))") }
        if let text = value.text, type == .switch || type == .number, fault(of: value) != nil {
            return try self.value(for: .word(text.string))
        }
        if type == .text, value.text == nil { return .string(ExactText(value.compact)) }
        if fault(of: value) == nil { return value }
        return try self.value(for: .word(value.text?.string ?? value.compact))
    }

    /// Whether a file defines it and sets no value, as a schema does.
    private var isDefinition: Bool { value == nil && defaultValue != nil }

    /// With what a member of a file sets: its value, or its default where the file defines it. A text for which the file has a list
    /// now is data.
    package func taking(_ member: SettingsOption) throws(Refusal) -> SettingsOption {
        var option = self
        if type == .text, !isMasked, pattern == nil, let value = member.value, !value.isScalar { option.type = .data }
        if member.isDefinition, defaultValue != nil {
            option.defaultValue = member.defaultValue
        } else {
            option.value = try option.value(ofMember: member)
        }
        return option
    }

    /// The same for a comparison: a value that the option can't have is shown as it is in the file.
    package func showing(_ member: SettingsOption) -> SettingsOption {
        if let option = try? taking(member) { return option }
        var option = self
        option.value = member.effectiveValue
        return option
    }

    /// Whether a member of a file has the value that programs read from this option, or its default where the file defines it.
    package func isInStep(with member: SettingsOption) -> Bool {
        if member.isDefinition, let own = defaultValue, let there = member.defaultValue { return JSON.means(own, there) }
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
