package import SettingsModel

/// Reads the given paths, in any number of formats.
extension Formats {
    /// Everything in `paths`, with keys relative to `group`: single files are merged; each file of a folder that no format
    /// reads as a whole becomes a group. `-` is standard input.
    package static func read(
        _ paths: [String], as name: FormatName?, into group: Key, _ request: ReadRequest
    ) throws(Refusal) -> Imported {
        let sources = try paths.map { path throws(Refusal) in try Source(paths: [path]) }
        let parts = try parts(of: sources, as: try name.map { name throws(Refusal) in try known(name) })
        if request.values != nil, parts.count > 1 {
            throw Refusal(
                "requires definitions in one format, but there are several",
                hint: "import the definitions by themselves first", asked: .values)
        }
        if request.document != nil, !parts.contains(where: { $0.format.name == .yaml }) {
            throw Refusal("applies to YAML, but there is no YAML file", hint: "leave it out", asked: .document)
        }
        var gathering = Gathering()
        for part in parts {
            var own = request
            own.depth = group.parts.count + part.group.parts.count
            if !part.group.isRoot { own.readExisting = { request.existing.relative(to: part.group) } }
            var imported = try part.format.read(part.source, own)
            imported.keepSpellings(of: own.readExisting)
            if part.source.files.contains(where: { request.leavesSecrets($0.path) }) {
                let known = own.existing.options
                imported.leave(imported.secrets.filter { known[$0] == nil })
            }
            imported.parts.sources = [Imported.Source(format: imported.format, path: part.path)]
            imported.repairs += part.leftOut.map {
                Repair(.leftOut, file: $0, found: "unknown format", done: "left out")
            }
            try gathering.add(imported, in: part.group, title: part.title, from: part.source.given.joined(separator: ", "))
        }
        var all = gathering.imported(as: parts[0].format.name)
        if parts.count == 1 { all.parts.sources = paths.map { Imported.Source(format: all.format, path: $0) } }
        do throws(Key.Malformed) { return try all.moved(into: group) } catch {
            throw Refusal("its names are nested too deeply for the group \(group): \(error.reason)")
        }
    }

    private static func known(_ name: FormatName) throws(Refusal) -> any Format.Type {
        if let format = format(name) { return format }
        throw Refusal("this program can't read or write '\(name.rawValue)'")
    }
}

/// Files of one format that are read together.
private struct ImportPart {
    var format: any Format.Type
    var source: Source
    /// The path as given.
    var path: String
    /// The target group of its settings, and its title.
    var group = Key.root
    var title: String?
    /// Files next to it that have no known format.
    var leftOut: [String] = []
}

extension Formats {
    private static func parts(of sources: [Source], as format: (any Format.Type)?) throws(Refusal) -> [ImportPart] {
        let whole = Source(joining: sources)
        if sources.count == 1 || format.map({ !isSingleFile($0) }) ?? false {
            return try parts(of: whole, as: format)
        }
        if format == nil, let sharedFormat = try sharedFormat(whole) {
            return [ImportPart(format: sharedFormat, source: whole, path: whole.given.joined(separator: ", "))]
        }
        var parts: [ImportPart] = []
        for source in sources { parts += try self.parts(of: source, as: format) }
        return parts
    }

    /// The parts of one path.
    private static func parts(of source: Source, as format: (any Format.Type)?) throws(Refusal) -> [ImportPart] {
        let path = source.given.joined(separator: ", ")
        if source.given == ["-"] {
            let (found, named) = try source.recognisedInput(format)
            return [ImportPart(format: found, source: named, path: path)]
        }
        let isFolder = source.files.count != 1 || !source.given.contains(source.files[0].path)
        let isSplit = if let format { isSingleFile(format) } else if isFolder { try !isWhole(source) } else { false }
        if isFolder, source.files.count != 1, isSplit {
            var (parts, leftOut) = try parts(ofFolder: source, in: .root, as: format)
            if !parts.isEmpty {
                for index in parts.indices { parts[index].path = path }
                parts[0].leftOut += leftOut
                return parts
            }
        }
        let found = if let format { format } else { try recognised(source) }
        return [ImportPart(format: found, source: source, path: path)]
    }

    private static func isSingleFile(_ format: any Format.Type) -> Bool {
        [.json, .yaml, .toml, .plist, .env, .flagd].contains(format.name) || format.name.isKeyFile
    }

    /// The format of definitions that all of the files share.
    private static func sharedFormat(_ source: Source) throws(Refusal) -> (any Format.Type)? {
        for format in all where !isSingleFile(format) {
            guard try format.recognises(source) else { continue }
            let belongs = source.files.allSatisfy { file in
                guard let ending = plainEnding(file.name) else { return true }
                return format.name == .settingsBundle && ending == ".plist"
                    || [.vscode, .jsonSchema].contains(format.name) && [".json", ".jsonc"].contains(ending)
            }
            if belongs { return format }
        }
        return nil
    }

    /// Whether a format reads the folder as a whole, whatever else is in it.
    private static func isWhole(_ source: Source) throws(Refusal) -> Bool {
        if try sharedFormat(source) != nil { return true }
        if try VSCodeFormat.recognises(source), source.files.contains(where: { $0.relativePath == "package.json" }) {
            return true
        }
        let hasPlain = source.files.contains { $0.folder.isEmpty && !$0.name.hasPrefix(".") && plainEnding($0.name) != nil }
        for format in all where !isSingleFile(format) && !hasPlain {
            if try format.recognises(source) { return true }
        }
        return false
    }

    private static func plainEnding(_ name: String) -> String? {
        let name = name.lowercased()
        if name == "env" || name == ".env" || name.hasPrefix(".env.") { return ".env" }
        let endings = [".json", ".jsonc", ".yaml", ".yml", ".toml", ".plist", ".env", ".ini", ".cfg"] + KeyFileNames.endings
        return endings.first { name.hasSuffix($0) && name != $0 }
    }

    /// Reads each file of a folder separately, with subfolders as groups.
    private static func parts(
        ofFolder source: Source, in group: Key, as format: (any Format.Type)?
    ) throws(Refusal) -> (parts: [ImportPart], leftOut: [String]) {
        var parts: [ImportPart] = []
        var leftOut: [String] = []
        var schemas: [Source] = []
        let entries = source.entries.filter { isSearched($0.name) }
        let stems = Dictionary(grouping: entries) { KeyNames.part(from: stem($0.name, $0.isFolder)).lowercased() }
        var names = KeyNames()
        for entry in entries {
            let stem = stem(entry.name, entry.isFolder)
            let isUnique = stems[KeyNames.part(from: stem).lowercased()]?.count == 1
            let title = isUnique || entry.isFolder ? stem : entry.name
            let key: Key
            do throws(Key.Malformed) { key = try names.key(title, in: group).key } catch {
                throw Refusal(error.reason, in: entry.source.given.first)
            }
            if entry.isFolder {
                if format == nil, try isWhole(entry.source) {
                    parts.append(
                        ImportPart(
                            format: try recognised(entry.source), source: entry.source, path: "", group: key,
                            title: Titles.words(of: title)))
                    continue
                }
                let inner = try self.parts(ofFolder: entry.source, in: key, as: format)
                parts += inner.parts
                leftOut += inner.leftOut
            } else if format == nil, entry.name.hasSuffix(".gschema.xml") || entry.name.hasSuffix(".enums.xml") {
                schemas.append(entry.source)
            } else if plainEnding(entry.name) != nil, !entry.source.files[0].isLink,
                let found = try recognisedOrNil(entry.source), format.map({ $0.name == found.name }) ?? true
            {
                parts.append(
                    ImportPart(format: found, source: entry.source, path: "", group: key, title: Titles.words(of: title)))
            } else {
                leftOut.append(entry.source.files[0].path)
            }
        }
        if !schemas.isEmpty {
            parts.append(ImportPart(format: GSettingsFormat.self, source: Source(joining: schemas), path: "", group: group))
        }
        return (parts, leftOut)
    }

    /// Hidden files and other programs' code are skipped.
    private static func isSearched(_ name: String) -> Bool {
        name != "node_modules" && (!name.hasPrefix(".") || plainEnding(name) == ".env")
    }

    /// A file's name without its extension, which becomes the name of its group.
    private static func stem(_ name: String, _ isFolder: Bool) -> String {
        guard !isFolder, let ending = plainEnding(name) else { return name }
        let stem = name.hasPrefix(".") ? String(name.dropFirst()) : name
        return stem.lowercased().hasSuffix(ending) ? String(stem.dropLast(ending.count)) : stem
    }

    private static func recognisedOrNil(_ source: Source) throws(Refusal) -> (any Format.Type)? {
        for format in all where try format.recognises(source) { return format }
        return nil
    }
}

extension Source {
    /// Standard input, under a name that suits its content, and its format.
    fileprivate func recognisedInput(_ format: (any Format.Type)?) throws(Refusal) -> (any Format.Type, Source) {
        if let format { return (format, self) }
        let bytes = try files[0].bytes()
        let start = bytes.first { $0 > 32 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
        guard start != nil else {
            throw Refusal("standard input: is empty", hint: "did the command before the pipe fail? nothing was imported")
        }
        // YAML also has lines with a colon or a name alone.
        var variables = (try? EnvReader.variables(of: bytes, in: "-")) ?? []
        if !variables.allSatisfy(\.isAssigned) { variables = [] }
        let areUpperCase = variables.allSatisfy { variable in
            variable.name.string.utf8.allSatisfy { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        }
        let isTOML = (try? TOMLFormat.read(self, ReadRequest()))?.settings.options.isEmpty == false
        var ending = isTOML ? ".toml" : variables.isEmpty ? ".yaml" : ".env"
        // A line such as PORT=80 is also valid TOML.
        if !variables.isEmpty, areUpperCase { ending = ".env" }
        if start == UInt8(ascii: "{"), (try? JSONFormat.json(bytes, in: "-")) != nil { ending = ".json" }
        for ending in ["", ending] {
            let named = Source(standardInput: bytes, ending: ending)
            for format in Formats.all where try format.recognises(named) { return (format, named) }
        }
        throw Refusal("standard input: can't tell what format this is", remedy: .namingFormat)
    }
}
