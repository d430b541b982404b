/// The lines with which git marks a conflict in a file.
package enum ConflictMarker {
    package static let reason = "git's conflict markers are in the file"
    package static let hint = "keep one side and remove the marker lines"

    /// Whether the line is a marker: seven times the same character, then the end or a space.
    package static func begins(_ line: some Sequence<UInt8>) -> Bool {
        let start = Array(line.prefix(8))
        guard start.count >= 7, "<|=>".utf8.contains(start[0]), start[..<7].allSatisfy({ $0 == start[0] }) else { return false }
        return start.count == 7 || [10, 13, 32].contains(start[7])
    }

    /// The number of the first line that starts a conflict, from 1.
    package static func line(in text: some Sequence<UInt8>) -> Int? {
        var number = 1
        var run = 0
        for byte in text {
            if run == 7, byte == 32 || byte == 10 || byte == 13 { return number }
            run = byte == UInt8(ascii: "<") && run >= 0 ? run + 1 : -1
            if byte == 10 { (number, run) = (number + 1, 0) }
        }
        return nil
    }
}
