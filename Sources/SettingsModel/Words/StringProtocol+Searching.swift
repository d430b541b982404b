// What the standard library offers too, but there together with regular expressions: 1.2 MB of a release, whose build does
// without them.

extension StringProtocol {
    /// Where `other` stands first, character by character; nil if it doesn't. An empty one stands at the start.
    package func firstRange(of other: String) -> Range<Index>? { Substring(self).ranges(of: other[...], atMost: 1).first }

    /// Where `other` stands, each time after the last. An empty one stands at the start, and nowhere else.
    package func ranges(of other: String) -> [Range<Index>] { Substring(self).ranges(of: other[...], atMost: .max) }

    package func contains(_ other: String) -> Bool { contains(other[...]) }
    package func contains(_ other: Substring) -> Bool { !Substring(self).ranges(of: other, atMost: 1).isEmpty }

    package func replacing(_ other: String, with text: String) -> String {
        var (result, start) = ("", startIndex)
        for range in ranges(of: other) where !range.isEmpty {
            result += self[start..<range.lowerBound]
            result += text
            start = range.upperBound
        }
        return result + self[start...]
    }
}

extension Substring {
    fileprivate func ranges(of other: Substring, atMost limit: Int) -> [Range<Index>] {
        // Where all is ASCII, but for the two bytes that end a line in other systems, characters are bytes.
        func isPlain(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D } }
        return isPlain(other) && isPlain(self)
            ? utf8.occurrences(of: other.utf8, atMost: limit) : occurrences(of: other, atMost: limit)
    }
}

extension Collection<UInt8> {
    /// Where `other` stands first; nil if it doesn't. An empty one stands at the start.
    package func firstRange(of other: [UInt8]) -> Range<Index>? { occurrences(of: other, atMost: 1).first }
}

extension Collection where Element: Equatable {
    @inline(__always)
    fileprivate func occurrences(of other: some Collection<Element>, atMost limit: Int) -> [Range<Index>] {
        var ranges: [Range<Index>] = []
        var start = startIndex
        while ranges.count < limit {
            var (here, place) = (start, other.startIndex)
            while place < other.endIndex, here < endIndex, self[here] == other[place] {
                formIndex(after: &here)
                other.formIndex(after: &place)
            }
            if place == other.endIndex {
                ranges.append(start..<here)
                if start == here { break }
                start = here
            } else if here == endIndex {
                // What is left is shorter than `other`.
                break
            } else {
                formIndex(after: &start)
            }
        }
        return ranges
    }
}
