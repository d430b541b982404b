package import SettingsModel

/// A format of other programs' settings: how its files are recognised, read and written.
package protocol Format: Sendable {
    static var name: FormatName { get }

    /// Whether these files look like this format, by their names and contents.
    static func recognises(_ source: Source) throws(Refusal) -> Bool

    static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported

    /// Writes `settings` in this format; their keys are relative to the exported group.
    static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported
}

/// The options for reading, apart from the files.
package struct ReadRequest {
    /// A file of values, if the format separates them from definitions.
    package var values: Source.File?
    /// The language for titles: `fr`, `zh-Hans`, `pt_BR`. Nil for the files' own.
    package var language: String?
    /// The current contents of the target group: a file of values alone needs its definitions.
    package var existing: SettingsContent {
        get { readExisting() }
        set { readExisting = { newValue } }
    }
    package var readExisting: () -> SettingsContent = { SettingsContent() }
    /// The number of groups that will contain the result, which reduces the allowed depth.
    package var depth = 0
    /// The document to read from a file with several, from 1.
    package var document: Int?
    /// Whether what looks like a secret stays in a file, by its path.
    package var leavesSecrets: (String) -> Bool = { _ in false }
    /// Called from time to time with the number of finished pieces and the total.
    package var progress: ((Int, Int) -> Void)?

    package init() {}
}

/// The options for writing, apart from the settings.
package struct WriteRequest {
    package enum Part: String, Hashable, Sendable {
        /// The values that are set.
        case values
        /// The definitions: titles, labels, ranges, defaults.
        case definitions
    }

    /// Nil: what users expect of the format, also according to `name`.
    package var part: Part?
    /// The file name of the output; nil for standard output.
    package var name: String?
    /// Where a key file lies, if not at `name`: the folders above it tell which program reads it.
    package var location: String?
    /// The current contents of the output file, for formats that are edited in place.
    package var present: [UInt8]?
    /// The current contents of a file in the output folder, by its path in it.
    package var presentFile: ((String) throws(Refusal) -> [UInt8]?)?
    /// Whether the output file is rewritten instead of edited in place.
    package var rewrites = false
    /// The members of the present file that get another name before it is edited.
    package var renames: [MemberRename] = []
    /// Whether an edit in place removes values without an option.
    package var prunes = false
    /// The title of the exported group or store.
    package var title: ExactText?
    /// Called with what the output can't hold.
    package var note: ((String) -> Void)?

    package init() {}
}

/// All formats, the distinctive ones before those that almost any content could match.
package enum Formats {
    static let all: [any Format.Type] = [
        SettingsBundleFormat.self, GSettingsFormat.self, VSCodeFormat.self, FlagdFormat.self, JSONSchemaFormat.self,
        PropertyListFormat.self, TOMLFormat.self, YAMLFormat.self, EnvFormat.self, JSONFormat.self, GitConfigFormat.self,
        PropertiesFormat.self, SystemdFormat.self, GLibKeyFileFormat.self, PostgreSQLFormat.self, MySQLFormat.self,
        NPMFormat.self, EditorConfigFormat.self, PHPFormat.self, INIFormat.self,
    ]

    package static func format(_ name: FormatName) -> (any Format.Type)? { all.first { $0.name == name } }

    /// The format of `source`.
    package static func recognised(_ source: Source) throws(Refusal) -> any Format.Type {
        for format in all where try format.recognises(source) { return format }
        let names = source.given.joined(separator: ", ")
        throw Refusal("\(names): can't tell what format this is", remedy: .namingFormat)
    }
}
