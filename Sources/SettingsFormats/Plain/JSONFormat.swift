package import SettingsModel

/// Plain values in JSON (RFC 8259), without comments.
package enum JSONFormat: Format {
    package static let name = FormatName.json

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        PlainFile.isOnly(in: source, ending: [".json"])
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        return try PlainSettings.settings(of: PlainTree(json(file.bytes(), in: file.path)), in: file.path, as: name)
    }

    package static func write(_ settings: Settings, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        return .text(Array(try PlainSettings.tree(of: settings, as: name).root.pretty.utf8))
    }

    /// What a file of JSON holds; its faults with hints for a file that isn't a store's.
    static func json(_ bytes: [UInt8], in file: String) throws(Refusal) -> JSON {
        do throws(BadFile) { return try JSON(parsing: bytes, limit: Source.sizeLimit) } catch {
            throw Refusal(error.reason, in: file, at: error.position, hint: hint(for: error, bytes))
        }
    }

    private static func hint(for error: BadFile, _ bytes: [UInt8]) -> String? {
        guard let position = error.position else { return nil }
        let line =
            bytes.split(separator: 10, maxSplits: position.line, omittingEmptySubsequences: false)
            .dropFirst(position.line - 1).first ?? []
        let text = String(decoding: line, as: UTF8.self).unicodeScalars.dropFirst(position.column - 1)
        if text.starts(with: "//".unicodeScalars) || text.starts(with: "/*".unicodeScalars) {
            return "JSON has no comments: take them out"
        }
        if error.reason.hasPrefix("git's conflict markers") { return "keep one side and remove the marker lines" }
        if error.reason.hasSuffix("is there twice") { return "keep one of them" }
        if error.reason == "the file is not UTF-8" { return "save it as UTF-8" }
        return nil
    }
}
