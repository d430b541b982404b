extension String {
    /// The text as one word of a shell's command line, in quotes where it needs them. What a terminal would interpret or not
    /// show stands in `$'…'`.
    package var shellWord: String {
        if unicodeScalars.contains(where: \.isHidden) { return "$'" + shellEscapes + "'" }
        let isPlain =
            !isEmpty && first != "~" && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-/:+%@=,~".contains($0)) }
        return isPlain ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The text between `$'` and `'`, also for `printf`.
    package var shellEscapes: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n", "\t", "\r", "\\": result += scalar.shortEscape ?? ""
            case _ where scalar.isHidden || scalar == "'":
                // Three digits end by themselves, whatever follows.
                for byte in String(scalar).utf8 {
                    let digits = String(byte, radix: 8)
                    result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
