package import SettingsModel

extension PropertyList {
    /// Reads a property list in any form: XML, binary, the old text form of NeXTSTEP, and `.strings` tables,
    /// which are a dictionary of that form without its braces. (`man 5 plist`; Apple, "Old-Style ASCII Property Lists")
    package static func read(_ file: Source.File, _ repairs: inout [Repair]) throws(Refusal) -> PropertyList {
        try read(try file.bytes(), in: file.path, &repairs)
    }

    package static func read(
        _ bytes: [UInt8], in file: String, _ repairs: inout [Repair]
    ) throws(Refusal) -> PropertyList {
        if isBinary(bytes) { return try BinaryPropertyList.read(bytes, in: file, &repairs) }
        let text = try PlainText(bytes, in: file)
        do throws(Refusal) {
            let value =
                isXML(text.bytes)
                ? try XMLPropertyList.read(text.bytes, in: file, &repairs)
                : try OldStylePropertyList.read(text.bytes, in: file, &repairs)
            if let encoding = text.guessed {
                repairs.append(
                    Repair(
                        file: file, found: "it is neither UTF-8 nor marked as UTF-16", done: "read as \(encoding)"))
            }
            return value
        } catch {
            throw conflictMarkers(text.bytes, in: file) ?? error
        }
    }

    static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

    /// In the old form, `<` begins only data, so that hexadecimal digits follow.
    static func isXML(_ text: [UInt8]) -> Bool {
        guard let first = text.firstIndex(where: { !PlainText.isSpace($0) }), text[first] == UInt8(ascii: "<") else {
            return false
        }
        let next = text[first...].dropFirst().first ?? 0
        return !"0123456789abcdefABCDEF> *".utf8.contains(next) || text[first...].starts(with: "<dict".utf8)
            || text[first...].starts(with: "<array".utf8)
    }

    /// The error for git's conflict markers, which explain why the file can't be read.
    private static func conflictMarkers(_ text: [UInt8], in file: String) -> Refusal? {
        ConflictMarker.line(in: text).map {
            Refusal(ConflictMarker.reason, in: file, at: BadFile.Position(line: $0, column: 1), hint: ConflictMarker.hint)
        }
    }
}
