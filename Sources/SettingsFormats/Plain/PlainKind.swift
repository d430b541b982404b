import SettingsModel

/// A kind of value that several formats have and JSON lacks, with the value in a form that is common to them.
enum PlainKind {
    /// `inf`, `-inf` or `nan`.
    case notFinite(String)
    /// A date, or a date with a time.
    case date(String)
    /// Base64.
    case bytes(String)

    /// The kind that a mark of `format` gives to a text; nil if other formats don't have it.
    init?(_ text: String, _ mark: ExactText, in format: FormatName) {
        switch (format, mark) {
        case (.yaml, YAMLTree.plain):
            switch YAMLScalar(plain: text, .yaml11) {
            case .notFinite:
                let word = text.lowercased().filter { $0 != "." && $0 != "+" }
                self = .notFinite(word)
            case .timestamp: self = .date(text)
            default: return nil
            }
        case (.yaml, "!!binary"): self = .bytes(text.filter { !$0.isWhitespace })
        case (.toml, TOMLScalar.notFinite): self = .notFinite(text.hasSuffix("nan") ? "nan" : text.filter { $0 != "+" })
        case (.toml, "date"), (.toml, "date-time"), (.plist, "date"): self = .date(text)
        case (.plist, "real"): self = .notFinite(text)
        case (.plist, "data"): self = .bytes(text)
        default: return nil
        }
    }

    /// The text and the mark of the value in `format`; nil if it lacks the kind.
    func marked(in format: FormatName) -> (text: String, mark: ExactText)? {
        switch (self, format) {
        case (.notFinite(let word), .yaml): return (word.hasPrefix("-") ? "-." + word.dropFirst() : "." + word, YAMLTree.plain)
        case (.notFinite(let word), .toml): return (word, TOMLScalar.notFinite)
        case (.notFinite(let word), .plist): return (word, "real")
        case (.date(let text), .yaml):
            return YAMLScalar(plain: text, .yaml11) == .timestamp ? (text, YAMLTree.plain) : nil
        case (.date(let text), .toml): return TOMLScalar(text)?.mark.map { (text, $0) }
        case (.date(let text), .plist): return PropertyList.isDate(text) ? (text, "date") : nil
        case (.bytes(let text), .yaml): return (text, "!!binary")
        case (.bytes(let text), .plist): return (text, "data")
        default: return nil
        }
    }
}

/// Gives the values of one format the marks of another.
struct PlainTranslation {
    let source: FormatName
    let target: FormatName
    /// The marks of the source.
    let marks: [PlainTree.Pointer: ExactText]
    private(set) var translated: [PlainTree.Pointer: ExactText] = [:]
    /// The values that arrive as text.
    private(set) var texts: [PlainTree.Pointer] = []

    init(from source: FormatName, to target: FormatName, _ marks: [PlainTree.Pointer: ExactText]) {
        (self.source, self.target, self.marks) = (source, target, marks)
    }

    mutating func value(of value: JSON, at place: PlainTree.Pointer) -> JSON {
        switch value {
        case .array(let elements):
            return .array(elements.enumerated().map { self.value(of: $1, at: place.element($0)) })
        case .object(let members):
            return .object(members.map { JSON.Member($0.name, self.value(of: $0.value, at: place.member($0.name))) })
        case .string(let text):
            guard let mark = marks[place] else { return value }
            if let kind = PlainKind(text.string, mark, in: source), let new = kind.marked(in: target) {
                translated[place] = new.mark
                return .string(ExactText(new.text))
            }
            // A text that its own format would quote is a text, and the tag of a program means nothing to others.
            let isMarked = source != .yaml || YAMLWriter.isNoString(text.string) || mark == "!!binary"
            if isMarked { texts.append(place) }
            return value
        case .null, .bool, .number: return value
        }
    }
}
