package import SettingsModel

// VS Code (https://code.visualstudio.com/api/references/contribution-points#contributes.configuration): an extension's
// package.json defines settings, with their texts in package.nls.json where they are written as `%key%`:
//
//     "contributes": {"configuration": {"title": "Npm", "properties": {"npm.autoDetect":
//         {"type": "string", "enum": ["off", "on"], "default": "on", "description": "%config.npm.autoDetect%"}}}}
//
// and a user's settings.json, JSON with comments, lists what differs from the default: `"npm.autoDetect": "off"`. Names
// are flat; their dots determine the groups. A setting's schema is read as in the JSON Schema format, except that
// alternatives and references remain data, as VS Code itself shows them.

/// The settings that VS Code's extensions define, and their values in a settings.json.
package enum VSCodeFormat: Format {
    package static let name = FormatName.vscode

    private static let depth = 120

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        if source.files.contains(where: { isExtension($0) }) { return true }
        guard source.files.count == 1 || source.given.count == 1, let file = settingsFile(source) else { return false }
        guard let document = try? JSONC(file.bytes(), in: file.path), let members = document.root?.members else { return false }
        if document.hasExtras || file.path.contains(".vscode/") || file.path.contains("Code/User/") { return true }
        let dotted = members.filter { $0.name.string.contains(".") || $0.name.string.hasPrefix("[") }
        return !dotted.isEmpty && dotted.count * 2 >= members.count
    }

    /// Whether it is a package.json, or a part of one, that defines settings.
    private static func isExtension(_ file: Source.File) -> Bool {
        guard isNamedPackage(file), let document = try? JSONC(file.bytes(), in: file.path, depth: depth) else { return false }
        return ExtensionReading.configuration(in: document) != nil
    }

    private static func isNamedPackage(_ file: Source.File) -> Bool {
        file.name.hasPrefix("package.") && file.name.hasSuffix(".json") && !file.name.hasPrefix("package.nls.")
            && !"/\(file.relativePath)".contains("/node_modules/")
    }

    /// The settings.json among the files; in a folder, the one that a program would look for.
    private static func settingsFile(_ source: Source) -> Source.File? {
        if source.files.count == 1 { return source.files.first { $0.name == "settings.json" } }
        let places = ["settings.json", ".vscode/settings.json", "User/settings.json"]
        return source.files.first { places.contains($0.relativePath) }
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        var reading = ExtensionReading()
        var count = 0
        // A single file may have any name.
        let files = source.files.count == 1 ? source.files : source.files.filter(isNamedPackage)
        for (index, file) in files.enumerated() {
            request.progress?(index, files.count)
            let document = try JSONC(file.bytes(), in: file.path, depth: depth)
            guard ExtensionReading.configuration(in: document) != nil else { continue }
            let translations = try Translations(beside: file, in: source, language: request.language)
            try reading.read(document, translations, owner: count)
            count += 1
        }
        try reading.finish()
        var imported = Imported(format: name, settings: reading.tree.settings, givesValues: false, repairs: reading.repairs)
        let named = source.files.first { source.given.contains($0.path) && $0.relativePath == "settings.json" }
        if let values = request.values ?? (count > 0 ? named : settingsFile(source) ?? source.files.first) {
            if count == 0, isNamedPackage(values) {
                throw Refusal(
                    "contributes no configuration", in: values.path,
                    hint: "an extension's settings are in \"contributes\": {\"configuration\": ...}")
            }
            let document = try JSONC(values.bytes(), in: values.path)
            let base = count > 0 ? imported.settings : cleared(request.existing)
            var file = SettingsFile(document, of: base)
            try file.read()
            imported.settings = count > 0 ? file.tree.settings : own(file)
            imported.repairs += file.repairs
            imported.givesValues = true
        } else if count == 0 {
            throw Refusal(
                "\(source.given.joined(separator: ", ")): found no package.json of an extension and no settings.json",
                hint: "name the package.json of an extension, its folder, or a settings.json")
        }
        return imported
    }

    /// The settings without values, because a settings.json provides them.
    private static func cleared(_ existing: SettingsContent) -> SettingsContent {
        var cleared = existing
        cleared.definition = nil
        for (key, var option) in existing.options where SettingTree.isMarked(key, in: existing) {
            _ = SettingsFile.dialect.set(.null, of: &option)
            option.value = nil
            cleared.options[key] = option
        }
        return cleared
    }

    /// The settings that a settings.json concerns: VS Code's, and others that it names.
    private static func own(_ file: SettingsFile) -> SettingsContent {
        let all = file.tree.settings
        var own = SettingsContent()
        own.options = all.options.filter { file.touched.contains($0.key) || SettingTree.isMarked($0.key, in: all) }
        var groups: Set<Key> = [.root]
        for key in own.options.keys {
            var group = key.group
            while groups.insert(group).inserted { group = group.group }
        }
        own.groups = all.groups.filter { groups.contains($0.key) }
        return own
    }

    private static func whole(_ settings: SettingsContent) throws(Refusal) -> SettingsContent {
        do throws(Key.Malformed) { return try SettingTree.whole(settings) } catch {
            throw Refusal("what VS Code calls the exported group can't be a key: \(error.reason)")
        }
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        let settings = try whole(settings)
        let isPackage = request.name.map { $0.hasPrefix("package.") && $0.hasSuffix(".json") } ?? false
        if request.part == .definitions || request.part == nil && isPackage {
            if let edited = try packageEdit.edited(settings, request) { return edited }
            return .text(Array(try ExtensionWriting(settings).package().pretty.utf8))
        }
        var request = request
        request.renames = request.renames.map(\.flat)
        let edited = try PlainFile.edited(request, as: JSONFormat.self) { present throws(Refusal) in
            try SettingsFile.values(of: settings, present: present, prunes: request.prunes)
        }
        if let edited { return .text(edited) }
        return .text(try JSONC([], in: "settings.json").edited(to: SettingsFile.values(of: settings, present: nil)))
    }

    private static var packageEdit: DocumentEdit {
        DocumentEdit(
            keptName: SchemaDialect.vscode.keptName,
            read: { bytes throws(Refusal) in
                let document = try JSONC(bytes, in: "package.json", depth: depth)
                var reading = ExtensionReading()
                try reading.read(document, Translations(), owner: 0)
                try reading.finish()
                return reading.tree.settings
            },
            write: { settings throws(Refusal) in try ExtensionWriting(settings).package() },
            name: { SettingTree.id(of: $0, in: $1) })
    }
}

extension MemberRename {
    /// The same where all names that lead to a member are one with dots.
    fileprivate var flat: MemberRename {
        func name(_ names: [ExactText]) -> ExactText { ExactText(names.map(\.string).joined(separator: ".")) }
        return MemberRename(path: MemberPath(names: [name(path.names)]), name: name(path.names.dropLast() + [self.name]))
    }
}
