// What JSON, YAML, TOML and other formats have in common in how a text in quotes writes a character. Which characters need it is
// for each of them to say.

extension Unicode.Scalar {
    /// `\"`, `\\`, `\n`, `\r` or `\t`; nil for other characters.
    package var shortEscape: String? {
        switch self {
        case "\"": "\\\""
        case "\\": "\\\\"
        default: blankEscape
        }
    }

    /// `\n`, `\r` or `\t`; nil for other characters.
    package var blankEscape: String? {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: nil
        }
    }

    /// `\u001b`, or `\U0001f600` where four digits don't hold it.
    package var unicodeEscape: String { value < 0x10000 ? escape("u", digits: 4) : escape("U", digits: 8) }

    package func escape(_ letter: Character, digits count: Int) -> String {
        let digits = String(value, radix: 16)
        return "\\\(letter)" + String(repeating: "0", count: count - digits.count) + digits
    }
}
