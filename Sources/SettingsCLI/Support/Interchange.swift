package import SettingsModel

/// Reads and writes other programs' settings.
package protocol Interchange: Sendable {
    func read(_ request: ImportRequest) throws(Refusal) -> Imported
    /// The same for files that a store keeps in step.
    var tracked: any FileFormats { get }
    func write(_ settings: SettingsContent, _ request: ExportRequest) throws(Refusal) -> Exported
}

package struct ImportRequest {
    package var paths: [String]
    package var format: FormatName?
    /// The group to import into.
    package var group: Key
    package var values: String?
    package var language: String?
    /// The document to read from a file with several, from 1.
    package var document: Int?
    /// Patterns for the keys of texts to mask, and whether texts that look like secrets are masked.
    package var masks: [String]
    package var masksSecrets: Bool
    /// Whether what looks like a secret stays in a file, by its path.
    package var leavesSecrets: (String) -> Bool
    /// The settings that the group already contains.
    package var existing: () -> SettingsContent
    /// Called from time to time with the number of finished pieces and the total.
    package var progress: (Int, Int) -> Void
}

package struct ExportRequest {
    package var format: FormatName
    /// Nil: decided by the format and the name of the output.
    package var values: Bool?
    /// The output path; nil for standard output.
    package var output: String?
    package var title: ExactText?
    /// Whether an existing file is rewritten instead of edited in place.
    package var rewrites: Bool
    /// Whether an edit in place removes what the store doesn't have.
    package var prunes: Bool
    /// Called with what the output can't hold or no longer holds.
    package var note: ((String) -> Void)?
}
