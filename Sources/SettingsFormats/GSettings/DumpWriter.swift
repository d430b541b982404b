import SettingsModel

/// Writes values like `dconf dump /`, for `dconf load /`: paths and keys sorted by their bytes.
struct DumpWriter {
    private let settings: SettingsContent
    private var paths: GroupPaths
    private var sections: [String: [String: (text: String, key: Key)]] = [:]
    /// The keys without a value.
    private var unset: [String: Set<ExactText>] = [:]

    init(_ settings: SettingsContent) {
        self.settings = settings
        paths = GroupPaths(settings)
    }

    mutating func text() throws(Refusal) -> [UInt8] {
        try gather()
        var out = ""
        for path in sections.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            out += (out.isEmpty ? "[" : "\n[") + DumpWriter.section(path) + "]\n"
            let entries = sections[path] ?? [:]
            for name in entries.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                out += "\(name)=\(entries[name]?.text ?? "")\n"
            }
        }
        return Array(out.utf8)
    }

    /// The name of the section for a path.
    private static func section(_ path: String) -> String {
        let inner = path.split(separator: "/").joined(separator: "/")
        return inner.isEmpty ? "/" : inner
    }

    private mutating func gather() throws(Refusal) {
        var refusals: [Refusal] = []
        for (key, option) in settings.options.sorted(by: { $0.key < $1.key }) {
            let path = paths.path(of: key.group)
            let name = option.importedKey?.string ?? key.name
            do throws(Refusal) {
                guard let text = try text(of: option, key) else {
                    unset[path, default: []].insert(ExactText(name))
                    continue
                }
                try check(path, name, key)
                // Schemas that share a path and a key share one value.
                if let other = sections[path]?[name], other.text != text {
                    throw Refusal(
                        "\(other.key) and \(key) are one key of GSettings (\(path)\(name)) but have different values",
                        hint: "set both to the same value, or unset one of them")
                }
                sections[path, default: [:]][name] = (text, key)
            } catch { refusals.append(error) }
        }
        if let refusal = Refusal.joined(refusals) { throw refusal }
    }

    private func text(of option: SettingsOption, _ key: Key) throws(Refusal) -> String? {
        guard let value = option.value else { return KeyNote(option).value?.string }
        do throws(GVariant.Malformed) { return try option.gsettings.gvariant(of: value).text } catch {
            throw Refusal("\(key): the value \(value.compact) can't be written: \(error.reason)")
        }
    }

    private func check(_ path: String, _ name: String, _ key: Key) throws(Refusal) {
        let isBad =
            path.contains { $0 == "[" || $0 == "]" || $0.isNewline }
            || name.isEmpty || name.contains { $0 == "=" || $0 == "/" || $0 == "[" || $0 == "]" || $0.isNewline }
            || name.hasPrefix("#") || name.first?.isWhitespace == true || name.last?.isWhitespace == true
        if isBad { throw Refusal("\(key): it is not a valid name in a key file ([\(path)] \(name))") }
    }
}

/// A dump that is there.
extension DumpWriter {
    /// The file with other values for what is set; keys and groups of other programs stay unless `prunes` is true.
    mutating func edited(_ bytes: [UInt8], in file: String, _ request: WriteRequest) throws(Refusal) -> [UInt8] {
        var text = try PlainFile.orRewriting { () throws(Refusal) in try KeyFileScanner.read(bytes, as: .dconf, in: file) }
        for rename in request.renames { text = try renamed(text, rename, in: file) }
        try gather()
        let present = text.tree.root
        let base = base(of: text)
        /// The paths of the file's sections.
        var places: [String: ExactText] = [:]
        for section in text.sections where section.path[0] != "/" {
            places[base + DumpWriter.section(section.path[0].string) + "/"] = section.path[0]
        }
        if let root = text.sections.first(where: { $0.path[0] == "/" }) { places[base] = root.path[0] }
        var members: [JSON.Member] = []
        for path in Set(sections.keys).union(places.keys).sorted() {
            let old = places[path].flatMap { present[$0] }
            let name =
                places[path] ?? ExactText(DumpWriter.section(String(path.dropFirst(path.hasPrefix(base) ? base.count : 0))))
            members.append(JSON.Member(name, .object(entries(at: path, old, request.prunes))))
        }
        let wanted = JSON.object(members.filter { $0.value != .object([]) })
        try PlainFile.check(
            present,
            hasSomeOf: .object(
                sections.keys.compactMap { places[$0] }.map { JSON.Member($0, .null) }
                    + (sections.keys.allSatisfy { places[$0] == nil } ? [JSON.Member("", .null)] : [])), file)
        return try KeyFileEditor.edited(text, from: present, to: wanted.aligned(to: present))
    }

    /// With another name for a key, unless its section has one of that name.
    private func renamed(_ text: KeyFileText, _ rename: MemberRename, in file: String) throws(Refusal) -> KeyFileText {
        guard let key = rename.path.names.last, rename.path.names.count > 1 else { return text }
        let path = rename.path.names.dropLast().map(\.string).joined(separator: "/")
        let names = text.sections.map(\.path).first { ("/" + path).hasSuffix("/" + DumpWriter.section($0[0].string)) }
        guard let names, !text.entries.contains(where: { text.path(of: $0) == names && $0.name == rename.name }) else {
            return text
        }
        var edits = FileEdits(text.bytes)
        for range in text.spellings(ofName: names + [key]) { edits.replace(range, by: rename.name.string) }
        return try KeyFileScanner.read(edits.applied(), as: .dconf, in: file)
    }

    /// The keys of a section: a value that means the same keeps its spelling.
    private func entries(at path: String, _ old: JSON?, _ prunes: Bool) -> [JSON.Member] {
        let own = sections[path] ?? [:]
        let kept = (old?.members ?? []).compactMap { member -> JSON.Member? in
            guard let new = own[member.name.string]?.text else {
                return prunes || unset[path]?.contains(member.name) == true ? nil : member
            }
            let old = member.value.text?.string ?? ""
            let isSame = DumpWriter.means(old, new)
            return isSame ? member : JSON.Member(member.name, .string(ExactText(GVariant.text(new, quotedLike: old))))
        }
        let names = Set(kept.map(\.name.string))
        return kept
            + own.keys.filter { !names.contains($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .map { JSON.Member(ExactText($0), .string(ExactText(own[$0]?.text ?? ""))) }
    }

    private static func means(_ old: String, _ new: String) -> Bool {
        guard let old = try? GVariant(parsing: old), let new = try? GVariant(parsing: new) else { return old == new }
        return old.text == new.text
    }

    /// The folder of which the file is a dump: the path with which most of its sections are exported ones.
    private func base(of text: KeyFileText) -> String {
        let names = text.sections.map { DumpWriter.section($0.path[0].string) + "/" }
        let bases = Set(
            names.flatMap { name in sections.keys.filter { $0.hasSuffix("/" + name) }.map { String($0.dropLast(name.count)) } })
        func count(_ base: String) -> Int { names.count { sections[base + $0] != nil } }
        return bases.sorted().max { count($0) < count($1) } ?? "/"
    }
}
