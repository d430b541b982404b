import SettingsModel

/// A file of schemas, as XML.
struct SchemaFile {
    var path: String
    var root: XMLElement
    var bytes: [UInt8]

    /// Where the byte `offset` of an element's text stands in the file, as far as the text stands there unescaped.
    func position(of offset: Int, in element: XMLElement) -> BadFile.Position {
        let inside = element.text.utf8.prefix(offset)
        let lines = inside.count { $0 == UInt8(ascii: "\n") }
        if let start = inside.lastIndex(of: UInt8(ascii: "\n")) {
            return BadFile.Position(line: element.line + lines, column: inside[start...].count { $0 & 0xC0 != 0x80 })
        }
        // The parser tells the line on which the tag ends; the text begins behind it.
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
