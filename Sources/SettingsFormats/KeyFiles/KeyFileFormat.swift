package import SettingsModel

/// A format that is one dialect of key files.
protocol KeyFileFormat: EditedFormat {
    /// The dialect of a file of this name.
    static func dialect(of file: String) -> KeyFileDialect

    /// Whether a file of this name belongs to the dialect, whatever is in it.
    static func isOwn(_ name: String) -> Bool
}

extension KeyFileFormat {
    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        guard source.files.count == 1 else { return false }
        let file = source.files[0]
        if isOwn(file.name) { return true }
        guard KeyFileNames.isAmbiguous(file.name) else { return false }
        return try KeyFileNames.dialect(of: file) == name
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        let dialect = dialect(of: file.name)
        let text = try KeyFileScanner.read(file.bytes(), as: dialect, in: file.path)
        var imported = try PlainSettings.settings(of: text.tree, in: file.path, as: name, depth: request.depth)
        imported.settings.options = imported.settings.options.mapValues { KeyFileTyping.typed($0, dialect) }
        if let include = text.include {
            imported.repairs.append(
                Repair(
                    .noted, file: file.path, line: text.line(at: include), found: "it includes other files",
                    done: "those are not read; import or track them by themselves"))
        }
        return imported
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        if let edited = try PlainFile.edited(self, settings, request) { return edited }
        // A new file is an empty one with everything added.
        let file = request.name ?? ""
        let empty = try KeyFileScanner.read([], as: dialect(of: file), in: file)
        let tree = try PlainFile.tree(of: settings, as: name, unset: nil, request)
        let wanted = fitted(tree.root, to: .object([]), in: file)
        let bytes = try KeyFileEditor.edited(empty, from: .object([]), to: wanted)
        let again = try KeyFileScanner.read(bytes, as: dialect(of: file), in: "the file that was written").tree.root
        try PlainFile.check(again, is: wanted.withoutEmptySections, as: name)
        return .text(bytes)
    }

    static func fitted(_ wanted: JSON, to present: JSON, in file: String) -> JSON {
        KeyFileFitting(dialect: dialect(of: file)).fitted(wanted, to: present)
    }

    /// The root is marked with the file's name, because a dialect may depend on it.
    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree {
        var tree = try KeyFileScanner.read(bytes, as: dialect(of: file), in: file).tree
        tree.marks[.root] = ExactText(file)
        return tree
    }

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        let file = present.marks[.root]?.string ?? ""
        let text = try KeyFileScanner.read(bytes, as: dialect(of: file), in: file)
        return try KeyFileEditor.edited(text, from: present.root, to: wanted.root)
    }
}

extension JSON {
    fileprivate var withoutEmptySections: JSON {
        guard case .object(let members) = self else { return self }
        return .object(
            members.compactMap { member in
                let value = member.value.withoutEmptySections
                return value == .object([]) ? nil : JSON.Member(member.name, value)
            })
    }
}

/// Files as Python's configparser reads them.
package enum INIFormat: KeyFileFormat {
    package static let name = FormatName.ini

    static func dialect(of file: String) -> KeyFileDialect {
        let name = file.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasPrefix("supervisor") { return .supervisor }
        return KeyFileNames.caseSensitive.contains(name) ? .caseSensitive : .ini
    }

    static func isOwn(_ name: String) -> Bool {
        KeyFileNames.ini.contains(name) || name.hasPrefix("supervisord") && name.hasSuffix(".conf")
    }
}

/// `git config`: `.gitconfig`, `.gitmodules`, `.lfsconfig`.
package enum GitConfigFormat: KeyFileFormat {
    package static let name = FormatName.gitConfig

    static func dialect(of file: String) -> KeyFileDialect { .git }

    static func isOwn(_ name: String) -> Bool {
        [".gitconfig", ".gitmodules", ".lfsconfig", "gitconfig"].contains(name) || name.hasSuffix(".gitconfig")
    }
}

/// The names of key files.
enum KeyFileNames {
    static let ini: Set<String> = [
        "setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini", ".flake8", ".coveragerc", "mypy.ini", ".mypy.ini", "alembic.ini",
        ".pypirc",
        "pip.conf",
        "pip.ini", ".hgrc", "hgrc", "mercurial.ini", ".isort.cfg", ".pylintrc", "pylintrc", "ansible.cfg", ".bandit",
        ".pydocstyle",
    ]

    /// Those of the readers that tell names apart by case.
    static let caseSensitive: Set<String> = ["pytest.ini", ".pytest.ini", ".hgrc", "hgrc", "mercurial.ini"]

    /// Names that several dialects use.
    static func isAmbiguous(_ name: String) -> Bool {
        let name = name.lowercased()
        if name.hasPrefix("php"), name.hasSuffix(".ini") { return false }
        return name.hasSuffix(".ini") || name.hasSuffix(".cfg")
    }

    /// The dialect of a file whose name tells nothing: the one whose reader takes it. If several do, they must read the same.
    static func dialect(of file: Source.File) throws(Refusal) -> FormatName? {
        let bytes = try file.bytes()
        let readings = [KeyFileDialect.ini, .git, .dconf].compactMap { dialect in
            (try? KeyFileScanner.read(bytes, as: dialect, in: file.path)).map { (name: dialect.name, pairs: $0.pairs) }
        }
        guard let first = readings.first else { return nil }
        guard let other = readings.first(where: { $0.pairs != first.pairs }) else { return first.name }
        throw Refusal(
            "can be read as \(first.name.rawValue) and as \(other.name.rawValue), which differ", in: file.path,
            remedy: .namingFormat)
    }
}

extension KeyFileText {
    /// The first section that names files to read as well, as git and supervisor do.
    fileprivate var include: Int? {
        let section = sections.first { ["include", "includeif"].contains($0.path[0].string.lowercased()) }
        return dialect.sections == .git || dialect.inlineComments == .afterBlank ? section?.header.lowerBound : nil
    }

    /// Every section, key and value in order, with the names in lower case.
    fileprivate var pairs: [[String]] {
        entries.map { entry in
            path(of: entry).map { $0.string.lowercased() } + [entry.name.string.lowercased(), entry.value?.text.string ?? ""]
        }
    }
}
