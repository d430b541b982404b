extension String {
    /// The text with control characters, bidirectional overrides and other invisible formatting written as `\u{…}`,
    /// so that a terminal shows them instead of interpreting them.
    public var visible: String {
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if let escape = scalar.blankEscape {
                result += escape
            } else if scalar.isHidden {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A title or a label in words: in quotation marks with escapes, as values are, where it has a line break or a backslash, so
    /// that the two never look the same.
    package var inWords: String {
        unicodeScalars.contains { $0 == "\\" || $0 == "\n" || $0 == "\r" } ? JSON.string(ExactText(self)).compact : self
    }
}

extension Unicode.Scalar {
    /// Joiners are kept: emoji and several scripts need them.
    var isHidden: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        switch value {
        case 0x80...0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            return true
        default: return false
        }
    }
}
