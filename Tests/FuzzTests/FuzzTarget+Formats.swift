import SettingsModel

@testable import SettingsFormats

/// Other programs' files: what is read is valid, can be written, and reads the same from the output.
extension FuzzTarget {
    private typealias File = (path: String, bytes: [UInt8])

    func interchange(_ bytes: [UInt8]) throws(Broken) {
        switch self {
        case .plist: try Self.read([("a.plist", bytes)], PropertyListFormat.self)
        case .bundle: try Self.read([("Settings.bundle/Root.plist", bytes), Self.table], SettingsBundleFormat.self)
        case .strings: try Self.read([Self.page, ("Settings.bundle/en.lproj/Root.strings", bytes)], SettingsBundleFormat.self)
        case .gschema: try Self.read([("a.gschema.xml", bytes)], GSettingsFormat.self)
        case .override: try Self.read([Self.schemas, ("a.gschema.override", bytes)], GSettingsFormat.self)
        case .dump: try Self.read([Self.schemas], GSettingsFormat.self, values: ("dump", bytes))
        case .env: try Self.read([(".env", bytes)], EnvFormat.self)
        case .yaml: try Self.read([("a.yaml", bytes)], YAMLFormat.self)
        case .toml: try Self.read([("a.toml", bytes)], TOMLFormat.self)
        case .plain: try Self.read([("a.json", bytes)], JSONFormat.self)
        case .ini: try Self.read([("setup.cfg", bytes)], INIFormat.self)
        case .gitConfig: try Self.read([(".gitconfig", bytes)], GitConfigFormat.self)
        case .properties: try Self.read([("a.properties", bytes)], PropertiesFormat.self)
        case .systemd: try Self.read([("a.network", bytes)], SystemdFormat.self)
        case .keyfile: try Self.read([("a.desktop", bytes)], GLibKeyFileFormat.self)
        case .postgresql: try Self.read([("postgresql.conf", bytes)], PostgreSQLFormat.self)
        case .mySQL: try Self.read([("my.cnf", bytes)], MySQLFormat.self)
        case .npmrc: try Self.read([(".npmrc", bytes)], NPMFormat.self)
        case .editorconfig: try Self.read([(".editorconfig", bytes)], EditorConfigFormat.self)
        case .php: try Self.read([("php.ini", bytes)], PHPFormat.self)
        case .flagd: try Self.read([(bytes.first == UInt8(ascii: "{") ? "a.json" : "a.yaml", bytes)], FlagdFormat.self)
        case .vscode: try Self.read([("package.json", bytes)], VSCodeFormat.self)
        case .settings: try Self.read([Self.package], VSCodeFormat.self, values: ("settings.json", bytes))
        case .schema: try Self.read([("a.json", bytes)], JSONSchemaFormat.self)
        default: throw Broken("\(rawValue) is not a valid format")
        }
    }

    private static func read(_ files: [File], _ format: any Format.Type, values: File? = nil) throws(Broken) {
        let source = Source(files: files)
        _ = try? Formats.recognised(source)
        var request = ReadRequest()
        request.language = "en"
        if let values { request.values = Source(files: [values]).files.first }
        guard let imported = try? format.read(source, request) else { return }
        try whole(imported)
        for part in [nil, WriteRequest.Part.values, .definitions] {
            var request = WriteRequest()
            request.part = part
            guard let exported = try? format.write(imported.settings, request) else { continue }
            request.present = values?.bytes ?? files[0].bytes
            if format.name.isKeyFile { request.name = files[0].path }
            let unchanged = try? format.write(imported.settings, request)
            if part == nil, !files[0].bytes.isEmpty, format.name == .plist || format.name.isKeyFile,
                case .text(let text)? = unchanged
            {
                try expect(text == files[0].bytes, "an edit of nothing wrote \(String(decoding: text, as: UTF8.self))")
            }
            guard part == nil, files.count == 1, values == nil, case .text(let text) = exported else { continue }
            try again(text, files[0].path, imported.settings, format)
        }
    }

    /// Reads the output again; for formats of plain values it must equal the input.
    private static func again(
        _ text: [UInt8], _ path: String, _ settings: SettingsContent, _ format: any Format.Type
    ) throws(Broken) {
        // A null of a binary property list is left out of XML.
        if format.name == .plist, settings.options.values.contains(where: { $0.value == nil }) { return }
        guard [.plist, .env, .yaml, .toml, .json, .flagd, .ini].contains(format.name), text.count <= sizeLimit else { return }
        let path = format.name == .flagd ? "a.json" : path
        let written = String(decoding: text, as: UTF8.self)
        do {
            let again = try format.read(Source(files: [(path, text)]), ReadRequest())
            if format.name == .env {
                return try expect(variables(again.settings) == variables(settings), "\(settings) became \(written)")
            }
            // flagd's order applies to a flag's own members.
            guard again.settings != settings, format.name != .flagd else { return }
            for subject in again.settings.subjects.union(settings.subjects).sorted()
            where again.settings[subject] != settings[subject] {
                // A tag that can't be written is omitted.
                let (one, other) = (again.settings[subject]?.option, settings[subject]?.option)
                if format.name == .yaml, one?.value == other?.value, (one == nil) == (other == nil) { continue }
                func text(_ item: SettingsContent.Item?) -> String {
                    item.map { String(decoding: $0.file, as: UTF8.self) } ?? "nothing"
                }
                throw Broken("\(subject): \(text(settings[subject])) became \(text(again.settings[subject])) by \(written)")
            }
        } catch let broken as Broken {
            throw broken
        } catch {
            throw Broken("\(format.name.rawValue) that was written is refused: \(error): \(written)")
        }
    }

    /// The content of a file of variables, one line each: a name alone is an option without a value, which isn't written, although
    /// another name's key may be longer because of it.
    private static func variables(_ settings: SettingsContent) -> [String] {
        let options = Dictionary(uniqueKeysWithValues: settings.options.map { (ExactText($0.key.name), $0.value) })
        return (settings.groups[.root] ?? SettingsGroup()).ordered(Set(options.keys)).compactMap { name in
            options[name].flatMap { option in option.effectiveValue.map { "\(option.title)=\($0.compact)" } }
        }
    }

    /// Every option and group has a key, is valid and survives a round trip through its file.
    private static func whole(_ imported: Imported) throws(Broken) {
        for (key, option) in imported.settings.options {
            try expect((try? Key(parts: key.parts)) == key, "the key \(key)")
            try expect(option.faults().isEmpty, "\(key): \(option.faults())")
            try reread(option)
        }
        for (key, group) in imported.settings.groups {
            try expect(key.isRoot || (try? Key(parts: key.parts)) == key, "the key \(key)")
            try expect(
                (try? SettingsGroup(file: group.file)) == group || group.file.count > JSON.sizeLimit, "\(key) is another group")
        }
    }

    static func jsonc(_ bytes: [UInt8]) throws(Broken) {
        guard let document = try? JSONC(bytes, in: "a.json"), let root = document.root else { return }
        try expect(document.line(of: root) <= bytes.count { $0 == 10 } + 1, "line \(document.line(of: root))")
        if !document.hasExtras, document.duplicates.isEmpty {
            try expect((try? JSON(parsing: bytes, limit: .max)) == root.json, "plain JSON is read in two ways")
        }
    }

    static func xml(_ bytes: [UInt8]) throws(Broken) {
        guard let root = try? XMLElement.read(bytes, in: "a.xml") else { return }
        var open = [root]
        while let element = open.popLast() {
            try expect(element.line >= 1 && !element.name.isEmpty, "an element without a place or a name")
            open += element.children
        }
    }

    /// The printed text has the same value, and is printed the same again.
    static func gvariant(_ text: String) throws(Broken) {
        for type in [nil, GVariantType("a{sv}"), GVariantType("(imd)"), GVariantType("aay")] {
            guard let value = try? GVariant(parsing: text, as: type) else { continue }
            let again = try? GVariant(parsing: value.text)
            try expect(again?.text == value.text, "\(value.text) became \(again?.text ?? "nothing")")
            let plain = try? GVariant(parsing: value.plain, as: value.type)
            try expect(plain?.text == value.text, "\(value.plain) became \(plain?.text ?? "nothing")")
        }
    }
}

/// Files that accompany an input.
extension FuzzTarget {
    private static func file(_ path: String, _ text: String) -> File { (path, Array(text.utf8)) }

    private static let page = file(
        "Settings.bundle/Root.plist",
        """
        <plist version="1.0"><dict><key>StringsTable</key><string>Root</string><key>PreferenceSpecifiers</key><array>
        <dict><key>Type</key><string>PSMultiValueSpecifier</string><key>Key</key><string>lang</string>
        <key>Title</key><string>Language</string><key>DefaultValue</key><integer>0</integer>
        <key>Titles</key><array><string>English</string><string>French</string></array>
        <key>Values</key><array><integer>0</integer><integer>1</integer></array></dict></array></dict></plist>
        """)

    private static let table = file("Settings.bundle/en.lproj/Root.strings", #""Language" = "Tongue"; English = "UK";"#)

    private static let schemas = file(
        "a.gschema.xml",
        """
        <schemalist><enum id="a.e"><value nick="one" value="1"/><value nick="two" value="2"/></enum>
        <schema id="org.a" path="/org/a/"><key name="e" enum="a.e"><default>'one'</default></key>
        <key name="i" type="i"><default>5</default><range min="-9" max="9"/></key>
        <key name="s" type="as"><default>[]</default></key><key name="v" type="a{sv}"><default>{}</default></key>
        <key name="d" type="d"><default>1.5</default></key></schema></schemalist>
        """)

    private static let package = file(
        "package.json",
        """
        {"name": "a", "contributes": {"configuration": {"title": "A", "properties": {
        "a.b": {"type": "boolean", "default": true}, "a.c": {"type": "string", "enum": ["x", "y"], "default": "x"},
        "a.n": {"type": "number", "minimum": 0}, "a.o": {"type": "object", "default": {}}}}}}
        """)
}
