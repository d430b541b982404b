import SettingsModel

/// A key file with the place of everything in it.
struct KeyFileText {
    let bytes: [UInt8]
    let dialect: KeyFileDialect
    /// In file order; a section that is repeated is several.
    var sections: [Section] = []
    var entries: [Entry] = []
    /// The first line that names another file to read.
    var include: Int?
    /// The first line that its reader ignores.
    var ignored: Int?
    /// The first key of which a later line counts.
    var repeated: Int?
    /// Whether its bytes are Latin-1, because they are not UTF-8.
    let isLatin: Bool

    init(bytes: [UInt8], dialect: KeyFileDialect) {
        (self.bytes, self.dialect) = (bytes, dialect)
        isLatin = String(validating: bytes, as: UTF8.self) == nil
    }

    /// The text at `range`.
    func string(_ range: Range<Int>) -> String { string(bytes[range]) }

    func string(_ bytes: some Collection<UInt8>) -> String {
        guard isLatin else { return String(decoding: bytes, as: UTF8.self) }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    struct Section {
        /// The section, and in git its subsection.
        var path: [ExactText]
        /// From `[` to `]`.
        var header: Range<Int>
    }

    struct Entry {
        /// Its section; nil before the first one.
        var section: Int?
        var name: ExactText
        var key: Range<Int>
        /// Nil for a key without a delimiter.
        var value: KeyFileValue?
        /// The end of its last line.
        var end: Int
    }

    /// The maximum number of sections and keys.
    static let countLimit = 50_000

    func path(of entry: Entry) -> [ExactText] { entry.section.map { sections[$0].path } ?? [] }

    func line(at offset: Int) -> Int { BadFile.Position(of: offset, in: bytes).line }

    /// The first carriage return without a line feed behind it.
    var loneReturn: Int? {
        bytes.indices.first { bytes[$0] == 13 && ($0 + 1 == bytes.count || bytes[$0 + 1] != 10) }
    }

    /// The places of a section's keys: below each of its headers, or for no section above the first one.
    func regions(of path: [ExactText]) -> [Range<Int>] {
        let starts = [0] + sections.map(\.header.upperBound)
        let ends = sections.map(\.header.lowerBound) + [bytes.count]
        let paths = [[]] + sections.map(\.path)
        return paths.indices.filter { paths[$0] == path }.map { starts[$0]..<max(starts[$0], ends[$0]) }
    }

    /// The name of a subsection of git's, which is told apart from a key of the section by its quotes.
    static func quoted(_ name: String) -> ExactText { ExactText("\"\(name)\"") }
}

/// A value: where it is, and what it means.
struct KeyFileValue {
    /// From its first to its last byte, without the blanks around it and a comment behind it.
    var span: Range<Int>
    var text: ExactText
    /// The elements of a list: the lines of a value whose first line is empty, or texts with a separator in between.
    var items: [(span: Range<Int>, text: ExactText)]?
    /// False where its reader finds no text in it; `text` is its spelling then.
    var isReadable = true
    /// Of a value that continues on other lines: where each byte of the text is spelled.
    var places: [Range<Int>] = []
}

extension UInt8 {
    /// What Python, C and GLib take for a blank within a line.
    var isKeyFileBlank: Bool { self == 32 || self == 9 || self == 11 || self == 12 || (28...31).contains(self) }
}
