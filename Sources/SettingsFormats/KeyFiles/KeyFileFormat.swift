import Files
package import SettingsModel

/// A format that is one dialect of key files.
protocol KeyFileFormat: EditedFormat {}

extension KeyFileFormat {
    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        guard source.files.count == 1 else { return false }
        return try KeyFileNames.format(of: source.files[0]) == name
    }

    /// The dialect of a file of this name.
    static func dialect(of file: String) -> KeyFileDialect { KeyFileNames.dialect(name, of: file) }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        let dialect = dialect(of: file.location)
        let text = try KeyFileScanner.read(file.bytes(), as: dialect, in: file.path)
        var imported = try PlainSettings.settings(of: text.tree, in: file.path, as: name, depth: request.depth)
        imported.settings.options = imported.settings.options.mapValues { KeyFileTyping.typed($0, dialect) }
        let notes = [
            (text.ignored, "it has lines without '='", "\(name.rawValue) ignores them; they stay"),
            (text.repeated, "a key appears again below", "the last one takes precedence, and is the one that is changed"),
            (text.includes, "it includes other files", "those are not read; import or track them by themselves"),
            (
                text.specifier, "a value has '%'",
                "systemd replaces specifiers such as '%n'; a new value needs '%%' for a percent sign"
            ),
            (
                text.isOverridden(at: file.location) ? 0 : nil, "there is also a postgresql.auto.conf",
                "its values take precedence over those of this file; ALTER SYSTEM changes them"
            ),
        ]
        imported.repairs += notes.compactMap { place, found, done in
            place.map { Repair(.noted, file: file.path, line: text.line(at: $0), found: found, done: done) }
        }
        return imported
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        if let edited = try PlainFile.edited(self, settings, request) { return edited }
        // A new file is an empty one with everything added.
        let file = request.location ?? request.name ?? ""
        let empty = try KeyFileScanner.read([], as: dialect(of: file), in: file)
        let tree = try PlainFile.tree(of: settings, as: name, unset: nil, request)
        let wanted = fitted(tree.root, to: .object([]), in: file)
        let bytes = try KeyFileEditor.edited(empty, from: .object([]), to: wanted)
        let again = try KeyFileScanner.read(bytes, as: dialect(of: file), in: "the file that was written").tree.root
        try PlainFile.check(again, is: wanted, as: name)
        return .text(bytes)
    }

    static func fitted(_ wanted: JSON, to present: JSON, in file: String) -> JSON {
        dialect(of: file).fitted(wanted, to: present)
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

// The rules of each are in the dialects of its name.

package enum INIFormat: KeyFileFormat { package static let name = FormatName.ini }
package enum GitConfigFormat: KeyFileFormat { package static let name = FormatName.gitConfig }
package enum PropertiesFormat: KeyFileFormat { package static let name = FormatName.properties }
package enum SystemdFormat: KeyFileFormat { package static let name = FormatName.systemd }
package enum GLibKeyFileFormat: KeyFileFormat { package static let name = FormatName.keyFile }
package enum PostgreSQLFormat: KeyFileFormat { package static let name = FormatName.postgreSQL }
package enum MySQLFormat: KeyFileFormat { package static let name = FormatName.mySQL }
package enum NPMFormat: KeyFileFormat { package static let name = FormatName.npm }
package enum EditorConfigFormat: KeyFileFormat { package static let name = FormatName.editorConfig }
package enum PHPFormat: KeyFileFormat { package static let name = FormatName.php }

extension KeyFileText {
    /// The first value in which systemd may replace something.
    fileprivate var specifier: Int? {
        guard dialect.name == .systemd else { return nil }
        return entries.first { $0.value?.text.string.contains("%") == true }?.key.lowerBound
    }

    /// Whether the server has settings of its own, beside this file or in its folder of data.
    fileprivate func isOverridden(at location: String) -> Bool {
        guard dialect.name == .postgreSQL else { return false }
        let data = entries.filter { $0.name.string.lowercased() == "data_directory" }.compactMap { $0.value?.text.string }
        return ([FileSystem.folder(of: location)] + data).contains { FileSystem.kind(of: "\($0)/postgresql.auto.conf") == .file }
    }

    /// The first line that names other files to read: a section, a key or a directive.
    fileprivate var includes: Int? {
        if dialect.name == .postgreSQL {
            return entries.first { dialect.lists.contains($0.name.string.lowercased()) }?.key.lowerBound
        }
        let section = sections.first { ["include", "includeif"].contains($0.path[0].string.lowercased()) }
        return dialect.sections == .git || dialect.spacesComments ? section?.header.lowerBound : include
    }
}
