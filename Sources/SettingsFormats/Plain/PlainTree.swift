package import SettingsModel

/// Plain values in the order of their file, and beside them what JSON has no word for.
package struct PlainTree: Hashable, Sendable {
    package var root: JSON
    /// What a value is in its format besides its JSON, in the format's own word: a date, bytes, a spelling. A string with
    /// a mark is data, no text, but for a date; so is an object or an array with one.
    package var marks: [Pointer: Text]
    /// The same for the names of members.
    package var nameMarks: [Pointer: Text]

    package init(_ root: JSON, marks: [Pointer: Text] = [:], nameMarks: [Pointer: Text] = [:]) {
        self.root = root
        self.marks = marks
        self.nameMarks = nameMarks
    }

    /// Where a value stands: `/servers/0/port` (RFC 6901).
    package struct Pointer: Hashable, Comparable, Sendable {
        package var text: Text

        package static let root = Pointer(text: "")

        package init(text: Text) {
            self.text = text
        }

        package func member(_ name: Text) -> Pointer {
            guard name.string.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
                return Pointer(text: Text(text.string + "/" + name.string))
            }
            var escaped = ""
            for scalar in name.string.unicodeScalars {
                switch scalar {
                case "~": escaped += "~0"
                case "/": escaped += "~1"
                default: escaped.unicodeScalars.append(scalar)
                }
            }
            return Pointer(text: Text(text.string + "/" + escaped))
        }

        package func element(_ index: Int) -> Pointer { Pointer(text: Text("\(text.string)/\(index)")) }

        /// The same place seen from `outer`, which it is in.
        func within(_ outer: Pointer) -> Pointer {
            Pointer(text: Text(String(decoding: text.string.utf8.dropFirst(outer.text.string.utf8.count), as: UTF8.self)))
        }

        /// The same place seen from where `outer` is.
        func moved(into outer: Pointer) -> Pointer { Pointer(text: Text(outer.text.string + text.string)) }

        package static func < (left: Pointer, right: Pointer) -> Bool { left.text < right.text }
    }
}

/// The marks of a tree, found by the place they are in.
struct PlainMarks {
    private let marks: [PlainTree.Pointer: Text]
    private let sorted: [PlainTree.Pointer]

    init(_ marks: [PlainTree.Pointer: Text]) {
        self.marks = marks
        sorted = marks.keys.sorted()
    }

    subscript(pointer: PlainTree.Pointer) -> Text? { marks.isEmpty ? nil : marks[pointer] }

    /// Those below `pointer`, seen from there, in byte order.
    func below(_ pointer: PlainTree.Pointer) -> [JSON.Member] {
        if sorted.isEmpty { return [] }
        let prefix = Text(pointer.text.string + "/")
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].text < prefix { low = middle + 1 } else { high = middle }
        }
        return sorted[low...].prefix { $0.text.string.utf8.starts(with: prefix.string.utf8) }.map {
            JSON.Member($0.within(pointer).text, marks[$0].map { .string($0) } ?? .null)
        }
    }
}
