package import SettingsModel

/// One format of other programs' settings: how its files are read, and written again.
package protocol Format: Sendable {
    static var name: FormatName { get }

    /// Whether these files look like this format's, by their names and what is in them.
    static func recognises(_ source: Source) throws(Refusal) -> Bool

    static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported

    /// Everything in `settings` in this format; their keys begin at the group that is exported.
    static func write(_ settings: Settings, _ request: WriteRequest) throws(Refusal) -> Exported
}

/// What a reader is asked for besides its files.
package struct ReadRequest {
    /// A file of values, where the format keeps them apart from definitions.
    package var values: Source.File?
    /// The language that titles are wanted in: `fr`, `zh-Hans`, `pt_BR`. Nil for the files' own.
    package var language: String?
    /// What is in the group already that the files are brought into: a file of values alone needs its definitions.
    package var existing: Settings {
        get { readExisting() }
        set { readExisting = { newValue } }
    }
    package var readExisting: () -> Settings = { Settings() }
    /// How many groups what is read will lie in: so much less deep it may be.
    package var depth = 0
    /// Of a file with several documents the one that is wanted, from 1.
    package var document: Int?
    /// Told now and then how many of how many pieces are done.
    package var progress: ((Int, Int) -> Void)?

    package init() {}
}

/// What a writer is asked for besides the settings.
package struct WriteRequest {
    package enum Part: String, Hashable, Sendable {
        /// What is set.
        case values
        /// What can be set: titles, labels, ranges, defaults.
        case definitions
    }

    /// Nil: what a person would expect of the format, going by `name` too.
    package var part: Part?
    /// The last part of the path that is written to; nil for standard output.
    package var name: String?
    /// What stands there now, for formats that are edited in place.
    package var present: [UInt8]?
    /// Whether what stands there is written anew all the same.
    package var rewrites = false
    /// Whether what stands there and is no option goes, where the file is edited in place.
    package var prunes = false
    /// The title of the exported group or store.
    package var title: Text?

    package init() {}
}

/// All formats, the ones that are told by their content before those that anything could be.
package enum Formats {
    static let all: [any Format.Type] = [
        SettingsBundleFormat.self, GSettingsFormat.self, VSCodeFormat.self, FlagdFormat.self, JSONSchemaFormat.self,
        PropertyListFormat.self, TOMLFormat.self, YAMLFormat.self, EnvFormat.self, JSONFormat.self,
    ]

    package static func format(_ name: FormatName) -> (any Format.Type)? { all.first { $0.name == name } }

    /// The format that `source` is in.
    package static func recognised(_ source: Source) throws(Refusal) -> any Format.Type {
        for format in all where try format.recognises(source) { return format }
        let names = source.given.joined(separator: ", ")
        throw Refusal(
            "\(names): can't tell what format this is",
            hint: "give it with --format \(FormatName.allCases.map(\.rawValue).joined(separator: "|"))")
    }
}
