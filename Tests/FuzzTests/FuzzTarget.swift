/// Readers of untrusted bytes. Each accepts or rejects any input, and satisfies its laws.
///
/// The tests run them on the files in `Inputs` and on mutations of those, `Scripts/fuzz` runs them under libFuzzer for any
/// length of time. Its limits for inputs up to `sizeLimit` bytes: 10 s and 2 GiB with the address sanitizer.
enum FuzzTarget: String, CaseIterable, Sendable {
    // The model.
    case json, key, value, option, group, store, pattern
    // Versions.
    case when, message, commit, person
    // Files in git's folder.
    case tree, object, index, history, draft
    // Other programs' formats.
    case jsonc, xml, plist, bundle, strings, gschema, override, dump, gvariant, env, yaml, toml, plain, flagd, vscode, schema, ini
    case properties, systemd, keyfile, postgresql, npmrc, editorconfig
    case gitConfig = "git-config"
    case mySQL = "my-cnf"
    case php = "php-ini"
    case settings = "vscode-settings"

    static let sizeLimit = 64 << 10

    /// A law that an input violates.
    struct Broken: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Throws only `Broken`: rejecting an input is allowed.
    func run(_ bytes: [UInt8]) throws(Broken) {
        switch self {
        case .json: try Self.json(bytes)
        case .key: try Self.key(String(decoding: bytes, as: UTF8.self))
        case .value: try Self.value(bytes)
        case .option: try Self.option(bytes)
        case .group: try Self.group(bytes)
        case .store: try Self.definition(bytes)
        case .pattern: try Self.pattern(bytes)
        case .when: try Self.when(String(decoding: bytes, as: UTF8.self))
        case .message: try Self.message(String(decoding: bytes, as: UTF8.self))
        case .commit: try Self.commit(bytes)
        case .person: try Self.person(String(decoding: bytes, as: UTF8.self))
        case .tree: try Self.tree(bytes)
        case .object: try Self.object(bytes)
        case .index: try Self.index(bytes)
        case .history: try Self.history(bytes)
        case .draft: try Self.draft(bytes)
        case .jsonc: try Self.jsonc(bytes)
        case .xml: try Self.xml(bytes)
        case .gvariant: try Self.gvariant(String(decoding: bytes, as: UTF8.self))
        case .plist, .bundle, .strings, .gschema, .override, .dump, .env, .yaml, .toml, .plain, .flagd, .vscode, .schema,
            .settings, .ini, .gitConfig, .properties, .systemd, .keyfile, .postgresql, .npmrc, .editorconfig, .mySQL, .php:
            try interchange(bytes)
        }
    }

    static func expect(_ isSo: Bool, _ words: @autoclosure () -> String) throws(Broken) {
        if !isSo { throw Broken(words()) }
    }
}
