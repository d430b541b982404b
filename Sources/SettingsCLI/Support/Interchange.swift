package import SettingsModel

/// What reads and writes other programs' settings.
package protocol Interchange: Sendable {
    func read(_ request: ImportRequest) throws(Refusal) -> Imported
    func write(_ settings: Settings, _ request: ExportRequest) throws(Refusal) -> Exported
}

package struct ImportRequest {
    package var paths: [String]
    package var format: FormatName?
    /// Where everything is brought into.
    package var group: Key
    package var values: String?
    package var language: String?
    /// Of a file with several documents the one that is wanted, from 1.
    package var document: Int?
    /// Patterns for the keys of texts that are masked, and whether those are that look like secrets.
    package var masks: [String]
    package var masksSecrets: Bool
    /// What is in that group already.
    package var existing: () -> Settings
    /// Told now and then how many of how many pieces are done.
    package var progress: (Int, Int) -> Void
}

package struct ExportRequest {
    package var format: FormatName
    /// Nil: as the format and the output's name have it.
    package var values: Bool?
    /// Where it is written; nil for standard output.
    package var output: String?
    package var title: Text?
    /// Whether a file that is there is written anew, not edited in place.
    package var rewrites: Bool
    /// Whether a file that is edited in place loses what the store doesn't have.
    package var prunes: Bool
}
