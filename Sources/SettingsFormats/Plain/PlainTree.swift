package import SettingsModel

/// Plain values in file order, with what JSON can't express about them.
package struct PlainTree: Hashable, Sendable {
    package var root: JSON
    /// What a value is in its format beyond JSON, in the format's own terms: a date, bytes, a spelling. A string with
    /// a mark is data, not a text, unless it is a date; an object or an array with a mark is data, too.
    package var marks: [Pointer: ExactText]
    /// The marks of member names.
    package var nameMarks: [Pointer: ExactText]
    /// What was lost when the tree was made for its format.
    package var losses = Losses()

    /// What a format can't hold, and an export says.
    package struct Losses: Hashable, Sendable {
        /// Values whose kind the format lacks: they are written as texts.
        package var texts: [Pointer] = []
        /// Values that are null, which are left out of formats without null.
        package var nulls: [Pointer] = []
    }

    package init(_ root: JSON, marks: [Pointer: ExactText] = [:], nameMarks: [Pointer: ExactText] = [:]) {
        self.root = root
        self.marks = marks
        self.nameMarks = nameMarks
    }

    /// The path of a value: `/servers/0/port` (RFC 6901).
    package struct Pointer: Hashable, Comparable, Sendable {
        package var text: ExactText

        package static let root = Pointer(text: "")

        package init(text: ExactText) {
            self.text = text
        }

        package func member(_ name: ExactText) -> Pointer {
            guard name.string.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
                return Pointer(text: ExactText(text.string + "/" + name.string))
            }
            var escaped = ""
            for scalar in name.string.unicodeScalars {
                switch scalar {
                case "~": escaped += "~0"
                case "/": escaped += "~1"
                default: escaped.unicodeScalars.append(scalar)
                }
            }
            return Pointer(text: ExactText(text.string + "/" + escaped))
        }

        package func element(_ index: Int) -> Pointer { Pointer(text: ExactText("\(text.string)/\(index)")) }

        /// The names that lead to it.
        package var names: [String] {
            text.string.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
                $0.replacing("~1", with: "/").replacing("~0", with: "~")
            }
        }

        /// The same place relative to `outer`, which contains it.
        func within(_ outer: Pointer) -> Pointer {
            Pointer(text: ExactText(String(decoding: text.string.utf8.dropFirst(outer.text.string.utf8.count), as: UTF8.self)))
        }

        /// The same place with `outer` prepended.
        func moved(into outer: Pointer) -> Pointer { Pointer(text: ExactText(outer.text.string + text.string)) }

        package static func < (left: Pointer, right: Pointer) -> Bool { left.text < right.text }
    }
}

/// The marks of a tree, indexed by their place.
struct PlainMarks {
    private let marks: [PlainTree.Pointer: ExactText]
    private let sorted: [PlainTree.Pointer]

    init(_ marks: [PlainTree.Pointer: ExactText]) {
        self.marks = marks
        sorted = marks.keys.sorted()
    }

    subscript(pointer: PlainTree.Pointer) -> ExactText? { marks.isEmpty ? nil : marks[pointer] }

    /// The marks below `pointer`, relative to it, in byte order.
    func below(_ pointer: PlainTree.Pointer) -> [JSON.Member] {
        if sorted.isEmpty { return [] }
        let prefix = ExactText(pointer.text.string + "/")
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
