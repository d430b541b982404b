import SettingsModel

/// Writes values like `dconf dump /`, for `dconf load /`: paths and keys sorted by their bytes.
struct DumpWriter {
    private let settings: SettingsContent
    private var paths: GroupPaths
    private var sections: [String: [String: (text: String, key: Key)]] = [:]

    init(_ settings: SettingsContent) {
        self.settings = settings
        paths = GroupPaths(settings)
    }

    mutating func text() throws(Refusal) -> [UInt8] {
        for (key, option) in settings.options.sorted(by: { $0.key < $1.key }) {
            guard let text = try text(of: option, key) else { continue }
            let path = paths.path(of: key.group)
            let name = option.importedKey?.string ?? key.name
            try check(path, name, key)
            // Schemas that share a path and a key share one value.
            if let other = sections[path]?[name], other.text != text {
                throw Refusal(
                    "\(other.key) and \(key) are one key of GSettings (\(path)\(name)) and have different values",
                    hint: "set both to the same, or unset one of them")
            }
            sections[path, default: [:]][name] = (text, key)
        }
        var out = ""
        for path in sections.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let inner = path.split(separator: "/").joined(separator: "/")
            out += (out.isEmpty ? "[" : "\n[") + (inner.isEmpty ? "/" : inner) + "]\n"
            let entries = sections[path] ?? [:]
            for name in entries.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                out += "\(name)=\(entries[name]?.text ?? "")\n"
            }
        }
        return Array(out.utf8)
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
        if isBad { throw Refusal("\(key): a key file can't name it ([\(path)] \(name))") }
    }
}
