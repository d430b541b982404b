package import SettingsModel

// GSettings, as GNOME, MATE, Cinnamon and others keep their settings.
//
//     *.gschema.xml        schemas: an id, the path of its values, and keys with a type, a default, a summary, a range
//     *.enums.xml          the same; by convention it defines enumerations that several schemas use
//     *.gschema.override   defaults of a distribution: [schema] or [schema:Desktop], key=value, applied in order of file names
//     a key file           values: [path], key=value, as `dconf dump /` prints it and `dconf load /` reads it
//
// All values are GVariant text. A schema becomes a page: the parts of its id are groups. The formats are GLib's:
// https://docs.gtk.org/gio/class.Settings.html, https://docs.gtk.org/glib/gvariant-text-format.html and the document type
// gschema.dtd.

/// Schemas, overrides and values of GSettings.
package enum GSettingsFormat: Format {
    package static let name = FormatName.gsettings

    private enum Kind {
        case schema, override, values
    }

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        if source.files.contains(where: { kind(of: $0.name) != nil }) { return true }
        guard source.files.count == 1, source.given == [source.files[0].path] else { return false }
        let bytes = try source.files[0].bytes()
        return KeyFile.looksLikeDump(bytes) || looksLikeSchemas(bytes)
    }

    private static func kind(of name: String) -> Kind? {
        if name.hasSuffix(".gschema.xml") || name.hasSuffix(".enums.xml") { return .schema }
        return name.hasSuffix(".gschema.override") ? .override : nil
    }

    private static func looksLikeSchemas(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(4096)
        return start.first { $0 > 32 && $0 < 128 } == UInt8(ascii: "<") && start.firstRange(of: Array("<schemalist".utf8)) != nil
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        var reader = SchemaReader()
        var schemas: [SchemaFile] = []
        var overrides: [(file: Source.File, keys: KeyFile)] = []
        var values: [(file: Source.File, keys: KeyFile)] = []
        let files = try self.files(of: source, request)
        for (index, (file, kind)) in files.enumerated() {
            let bytes = try file.bytes()
            switch kind {
            case .schema:
                schemas.append(SchemaFile(path: file.path, root: try XMLElement.read(bytes, in: file.path), bytes: bytes))
            case .override: overrides.append((file, try KeyFile(bytes, in: file.path)))
            case .values: values.append((file, try KeyFile(bytes, in: file.path)))
            }
            request.progress?(index + 1, files.count)
        }

        var placing: Placing
        if schemas.isEmpty, overrides.isEmpty {
            placing = Placing(existing: request.existing)
        } else {
            let overrides = overrides.map { (file: $0.file.path, keys: $0.keys) }
            placing = Placing()
            if schemas.isEmpty, values.isEmpty {
                placing.settings = try Placing.overriding(request.existing, overrides, &reader.repairs)
                return Imported(format: .gsettings, settings: placing.settings, givesValues: false, repairs: reader.repairs)
            }
            try reader.read(schemas, overrides: overrides)
            try placing.place(&reader)
        }
        for (file, keys) in values { try placing.setValues(keys, in: file.path, &reader.repairs) }
        return Imported(
            format: .gsettings, settings: placing.settings, givesValues: !values.isEmpty, repairs: reader.repairs)
    }

    /// The files to read. In a folder these are the files that GLib reads; a file that was named by itself is recognised by
    /// its content.
    private static func files(of source: Source, _ request: ReadRequest) throws(Refusal) -> [(Source.File, Kind)] {
        var files: [(file: Source.File, kind: Kind)] = []
        for file in source.files {
            if let kind = kind(of: file.name) {
                files.append((file, kind))
            } else if source.given.contains(file.path) {
                files.append((file, looksLikeSchemas(try file.bytes()) ? .schema : .values))
            }
        }
        files.sort { left, right in
            (left.file.name, left.file.path) < (right.file.name, right.file.path)
        }
        if let values = request.values { files.append((values, .values)) }
        guard !files.isEmpty else {
            throw Refusal(
                "\(source.given.joined(separator: ", ")): contains no schemas",
                hint: "schemas are in files that end in .gschema.xml, .enums.xml or .gschema.override")
        }
        return files
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        let isSchema = request.name?.hasSuffix(".gschema.xml") ?? false
        guard request.part == .definitions || request.part == nil && isSchema else {
            var writer = DumpWriter(settings)
            if let present = request.present, !present.isEmpty, !request.rewrites {
                return .text(try writer.edited(present, in: request.name ?? "the existing file", request))
            }
            return .text(try writer.text())
        }
        if let present = request.present, !present.isEmpty, !request.rewrites {
            return .text(try SchemaEditor.edited(present, to: settings, request))
        }
        // A name without an extension is a folder, where the overrides of a vendor have their own file.
        let isFolder = request.present == nil && request.name?.contains(".") == false
        var writer = try SchemaWriter(settings, title: request.title, splits: isFolder)
        let schemas = try writer.text()
        guard isFolder else { return .text(schemas) }
        var files = [Exported.File(path: "settings.gschema.xml", bytes: schemas)]
        let overrides = writer.overrides()
        if !overrides.isEmpty { files.insert(Exported.File(path: "settings.gschema.override", bytes: overrides), at: 0) }
        return .folder(files)
    }
}
