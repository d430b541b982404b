package import SettingsModel

/// Plain values in TOML 1.1 (toml.io).
///
/// Times are texts with a pattern, and numbers that are not finite are data; both are written as they were read. So is a
/// number's spelling (`0xFF`, `1_000`) while its value is unchanged. Unset options are omitted, because TOML has no null.
package enum TOMLFormat: EditedFormat {
    package static let name = FormatName.toml

    /// The maximum size of a file in bytes: a byte of the densest files takes about 100 bytes of memory.
    static let sizeLimit = 4 << 20

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        PlainFile.isOnly(in: source, ending: [".toml"])
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        return try PlainSettings.settings(
            of: tree(of: file.bytes(), in: file.path), in: file.path, as: name, depth: request.depth)
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        if let edited = try PlainFile.edited(self, settings, request) { return edited }
        let tree = try PlainFile.tree(of: settings, as: name, unset: nil, request)
        let bytes = Array(try tree.toml().utf8)
        let again = try self.tree(of: bytes, in: "the TOML that was written")
        try PlainFile.check(again.root, is: tree.root, as: name)
        return .text(bytes)
    }

    static func tree(of bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree {
        guard bytes.count <= sizeLimit else {
            throw Refusal(
                "is larger than \(sizeLimit >> 20) MiB", in: file, hint: "settings are small: is this the right file?")
        }
        let text = try PlainFile.text(of: bytes, in: file)
        let bytes = Array(text.utf8)
        do throws(TOMLReader.Failure) { return try TOMLReader.tree(of: bytes) } catch {
            throw Refusal(
                "can't be read as TOML: \(error.reason)", in: file,
                at: BadFile.Position(of: error.offset, in: bytes),
                hint: ConflictMarker.line(in: bytes).map { _ in "\(ConflictMarker.reason): \(ConflictMarker.hint)" })
        }
    }
}
