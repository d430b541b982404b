import SettingsModel

/// A key file with the place of everything in it.
struct KeyFileText {
    let bytes: [UInt8]
    let dialect: KeyFileDialect
    /// In file order; a section that is repeated is several.
    var sections: [Section] = []
    var entries: [Entry] = []

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

    /// The name as it is compared: names that fold differ only by case.
    func folded(_ name: ExactText) -> ExactText { dialect.foldsKeys ? ExactText(name.string.lowercased()) : name }
}

/// A value: where it is, and what it means.
struct KeyFileValue {
    /// From its first to its last byte, without the blanks around it and a comment behind it.
    var span: Range<Int>
    var text: ExactText
    /// The lines of a value whose first line is empty: a list.
    var items: [(span: Range<Int>, text: ExactText)]?
}

extension UInt8 {
    /// What Python, C and GLib take for a blank within a line.
    var isKeyFileBlank: Bool { self == 32 || self == 9 || self == 11 || self == 12 || (28...31).contains(self) }
}
