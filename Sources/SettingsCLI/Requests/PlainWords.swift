/// The arguments of a command in their usual forms: each option is unabbreviated, known and given once, as `--name VALUE` or
/// `--name=VALUE`, and no value is empty or looks like an option.
struct PlainWords {
    private(set) var positionals: [String] = []
    private var flags: [String] = []
    private var values: [(name: String, value: String)] = []

    /// The other names of options.
    private static let long = [
        ("-q", "--quiet"), ("-z", "--null"), ("-m", "--message"), ("--since", "--from"), ("--until", "--to"),
    ]

    /// Nil if the words have another form. `flags` take no value, `values` take one.
    init?(_ words: ArraySlice<String>, flags knownFlags: [String], values knownValues: [String] = []) {
        var rest = words
        while let word = rest.popFirst() {
            guard !word.isEmpty else { return nil }
            guard word.hasPrefix("-") else {
                positionals.append(word)
                continue
            }
            let isLong = word.hasPrefix("--")
            let equals = isLong ? word.firstIndex(of: "=") : nil
            let typed = equals.map { String(word[..<$0]) } ?? word
            let name = Self.long.first { $0.0 == typed }?.1 ?? typed
            guard !has(name), self[name] == nil else { return nil }
            if equals == nil, knownFlags.contains(name) || GlobalRequest.flags.contains(name) {
                flags.append(name)
                continue
            }
            guard knownValues.contains(name) || GlobalRequest.values.contains(name) else { return nil }
            let value = equals.map { String(word[word.index(after: $0)...]) } ?? rest.popFirst()
            guard let value, !value.isEmpty, !value.hasPrefix("-") else { return nil }
            values.append((name, value))
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    subscript(option: String) -> String? { values.first { $0.name == option }?.value }
}
