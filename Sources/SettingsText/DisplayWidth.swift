extension String {
    /// The number of columns that a terminal gives it: two for each wide character and emoji, none for combining marks.
    package var displayWidth: Int {
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return utf8.count }
        return reduce(0) { width, character in width + character.displayWidth }
    }

    /// The longest beginning of whole characters that takes at most so many columns.
    package func prefix(columns: Int) -> Substring {
        var width = 0
        var end = startIndex
        for index in indices {
            width += self[index].displayWidth
            if width > columns { break }
            end = self.index(after: index)
        }
        return self[..<end]
    }
}

extension Character {
    /// An emoji takes two columns however many code points it has; the parts of other characters are added up, as terminals do.
    fileprivate var displayWidth: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count > 1 {
            if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
        } else if first.isASCII {
            return 1
        }
        return scalars.reduce(0) { $0 + $1.displayWidth }
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        // The soft hyphen is drawn.
        case .format where value != 0xAD: return 0
        default: break
        }
        switch value {
        // Vowels and final consonants join the Hangul syllable before them.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        default: return isWide || properties.isEmojiPresentation ? 2 : 1
        }
    }

    private var isWide: Bool {
        let ranges = Unicode.Scalar.wideRanges
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(value)
    }
}
