package import SettingsModel

/// What reads and writes other programs' settings.
package protocol Interchange: Sendable {
    func read(_ request: ImportRequest) throws(Refusal) -> Imported
    func write(_ settings: Settings, _ request: ExportRequest) throws(Refusal) -> Exported
}

package struct ImportRequest {
    package var paths: [String]
    package var format: FormatName?
    package var values: String?
    package var language: String?
    /// What is in the group already that the files are brought into.
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
}
