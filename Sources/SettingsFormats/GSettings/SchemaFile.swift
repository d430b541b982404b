import SettingsModel

/// An XML file of schemas.
struct SchemaFile {
    var path: String
    var root: XMLElement
    var bytes: [UInt8]

    /// The position in the file of the byte `offset` in an element's text; exact if the text isn't escaped.
    func position(of offset: Int, in element: XMLElement) -> BadFile.Position {
        let inside = element.text.utf8.prefix(offset)
        let lines = inside.count { $0 == UInt8(ascii: "\n") }
        if let start = inside.lastIndex(of: UInt8(ascii: "\n")) {
            return BadFile.Position(line: element.line + lines, column: inside[start...].count { $0 & 0xC0 != 0x80 })
        }
        // The parser reports the line on which the tag ends; the text begins after it.
        let rows = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: element.line, omittingEmptySubsequences: false)
        guard element.line > 0, rows.count >= element.line else { return BadFile.Position(line: element.line, column: 1) }
        let row = rows[element.line - 1]
        let before = inside.count { $0 & 0xC0 != 0x80 } + 1
        guard let tag = row.firstRange(of: Array("<\(element.name)".utf8))?.upperBound ?? (row.isEmpty ? nil : row.startIndex),
            let end = row[tag...].firstIndex(of: UInt8(ascii: ">"))
        else { return BadFile.Position(line: element.line, column: 1) }
        return BadFile.Position(line: element.line, column: row[...end].count { $0 & 0xC0 != 0x80 } + before)
    }
}
