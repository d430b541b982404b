/// Reads and writes other programs' files, for whoever keeps them in step with a store.
package protocol FileFormats: Sendable {
    /// The same for files whose names lead from this folder: the folders above a file may tell which program reads it.
    func from(_ folder: String) -> any FileFormats

    /// The format of a file, by its name and content.
    func format(of bytes: [UInt8], named name: String) throws(Refusal) -> FormatName

    /// The settings in a file's bytes; texts that look like secrets are masked. `depth`: how many groups contain them.
    func read(_ bytes: [UInt8], named name: String, as format: FormatName, depth: Int) throws(Refusal) -> Imported

    /// Why the program that an option was imported from can't have its value; nil if it can, or if its types are not known here.
    func fault(of option: SettingsOption) -> String?

    /// A file's bytes with the values of `settings`, edited in place. `renames`: members that get another name first.
    /// `prunes`: without the members that `settings` lacks.
    func write(
        _ settings: SettingsContent, over bytes: [UInt8], named name: String, as format: FormatName, renames: [MemberRename],
        prunes: Bool
    ) throws(Refusal) -> [UInt8]
}
