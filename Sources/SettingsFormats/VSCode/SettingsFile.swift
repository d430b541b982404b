import SettingsModel

/// Reads a settings.json: values by the names of settings.
struct SettingsFile {
    private(set) var tree: SettingTree
    private(set) var repairs: [Repair] = []
    /// The options in the file, including those that existed before.
    private(set) var touched: Set<Key> = []
    private let document: JSONC
    private var keys: [String: Key] = [:]

    static let dialect = SchemaDialect.vscode

    init(_ document: JSONC, of settings: SettingsContent) {
        self.document = document
        tree = SettingTree(settings)
        for key in settings.options.keys.sorted() { keys[SettingTree.id(of: key, in: settings)] = key }
    }

    mutating func read() throws(Refusal) {
        guard let root = document.root else { return }
        guard let members = root.members else {
            throw Refusal("contains \(root.json.kind), not an object of settings", in: document.path)
        }
        for (name, offset) in document.duplicates {
            repairs.append(
                Repair(
                    file: document.path, line: document.line(at: offset), key: name.string, found: "it appears twice",
                    done: "the last one counts"))
        }
        var overrides: [JSON.Member] = []
        for (id, node) in members {
            if id.string.hasPrefix("["), id.string.hasSuffix("]"), node.members != nil {
                overrides.append(JSON.Member(id, node.json))
                repair(node, id, "it overrides settings for a language, which has no meaning here", "kept", kind: .kept)
            } else if let key = keys[id.string], var option = tree.settings.options[key] {
                let value = node.json
                if let fault = SettingsFile.dialect.set(value, of: &option) {
                    repair(node, id, "the value is \(OptionSchema.brief(value)): \(fault)", "no value; kept unchanged")
                }
                tree.settings.options[key] = option
                touched.insert(key)
            } else {
                try add(node, id)
            }
        }
        let name = SettingsFile.dialect.keptName
        if !overrides.isEmpty || tree.settings.groups[.root]?.other[name]?["overrides"] != nil {
            tree.settings.groups[.root, default: SettingsGroup()].other[name] = SettingTree.with(
                "overrides", overrides.isEmpty ? nil : .object(overrides), in: tree.settings.groups[.root]?.other[name])
        }
        tree.finish()
    }

    /// A value without a definition becomes an option as it is; objects are values in VS Code, so they become data.
    private mutating func add(_ node: JSONC.Node, _ id: ExactText) throws(Refusal) {
        let option = SettingsFile.dialect.option(for: node.json, named: SettingTree.name(of: id))
        let key: Key
        do throws(Key.Malformed) { key = try tree.add(option, at: id) } catch {
            throw Refusal("\"\(id)\" can't have a key: \(error.reason)", in: document.path)
        }
        if !SettingTree.isMarked(key, in: tree.settings) { tree.mark(option: key, .object([])) }
        touched.insert(key)
        repair(node, id, "no given extension defines it", "read as \(option.type.noun)", kind: .kept)
    }

    private mutating func repair(
        _ node: JSONC.Node, _ id: ExactText, _ found: String, _ done: String, kind: Repair.Kind = .repaired
    ) {
        repairs.append(
            Repair(kind, file: document.path, line: document.line(of: node), key: id.string, found: found, done: done))
    }
}

extension SettingsFile {
    /// A settings.json for `settings`: the values that differ from the default. Unknown settings in `present` are kept, and known
    /// ones are kept while they are set; `prunes`: unknown ones are removed.
    static func values(of settings: SettingsContent, present: JSON?, prunes: Bool = false) throws(Refusal) -> JSON {
        var known: [ExactText: SettingsOption] = [:]
        var ids: [ExactText] = []
        for key in settings.keysInOrder() {
            guard let option = settings.options[key] else { continue }
            let id = ExactText(SettingTree.id(of: key, in: settings))
            if known.updateValue(option, forKey: id) == nil { ids.append(id) }
        }
        func isWritten(_ option: SettingsOption) -> JSON? {
            guard let value = option.value else { return dialect.rejectedValue(of: option) }
            return value == option.defaultValue ? nil : value
        }
        guard case .object(let old)? = present else {
            if let present { throw Refusal("the existing settings.json contains \(present.kind), not an object") }
            var members = ids.compactMap { id in known[id].flatMap(isWritten).map { JSON.Member(id, $0) } }
            if case .object(let overrides)? = settings.groups[.root]?.other[dialect.keptName]?["overrides"] {
                members += overrides
            }
            return .object(members)
        }
        let names = Set(old.map(\.name))
        /// New members by the member that they follow; nil for the end.
        var new: [Int?: [JSON.Member]] = [:]
        let places = Places(old)
        for id in ids where !names.contains(id) {
            guard let value = known[id].flatMap(isWritten) else { continue }
            new[places.last(beside: id), default: []].append(JSON.Member(id, value))
        }
        var members: [JSON.Member] = []
        for (index, member) in old.enumerated() {
            if let option = known[member.name] {
                let aside = dialect.rejectedValue(of: option) ?? (member.value.isNull ? .null : nil)
                if let value = option.value ?? aside { members.append(JSON.Member(member.name, value)) }
            } else if !prunes || member.name.string.hasPrefix("[") {
                members.append(member)
            }
            members += new[index] ?? []
        }
        return .object(members + (new[Int?.none] ?? []))
    }

    /// The positions of a group's settings in a file.
    private struct Places {
        private var last: [Substring: Int] = [:]

        init(_ members: [JSON.Member]) {
            for (index, member) in members.enumerated() where !member.name.string.hasPrefix("[") {
                for prefix in Places.prefixes(of: member.name) { last[prefix] = index }
            }
        }

        /// The last member that shares the longest prefix with the name.
        func last(beside id: ExactText) -> Int? {
            for prefix in Places.prefixes(of: id) { if let index = last[prefix] { return index } }
            return nil
        }

        /// The groups that contain it, the innermost first.
        private static func prefixes(of id: ExactText) -> [Substring] {
            var prefixes: [Substring] = []
            var rest = id.string[...]
            while let dot = rest.lastIndex(of: "."), prefixes.count < Key.partLimit {
                rest = rest[..<dot]
                prefixes.append(rest)
            }
            return prefixes
        }
    }
}
