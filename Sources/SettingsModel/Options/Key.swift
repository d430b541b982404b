/// The path of an option or a group: `general.language` is the file `general/language.json`, `general` the folder `general`.
public struct Key: Hashable, Sendable {
    /// Each matches `[A-Za-z0-9][A-Za-z0-9_-]{0,127}` and doesn't end in `.lock`; at most 16.
    public let parts: [String]

    /// The group that contains everything.
    public static let root = Key(unchecked: [])

    init(unchecked parts: [String]) {
        self.parts = parts
    }

    /// Why a text is not a valid key.
    public struct Malformed: Error, Hashable, Sendable {
        public var reason: String
    }

    public static let partLimit = 16

    /// Parses `general.language`, `general/language` or `general/language.json`, which are equivalent.
    public init(_ text: String) throws(Malformed) {
        guard !text.isEmpty else { throw Malformed(reason: "the key is empty") }
        var text = text[...]
        if text.contains("/"), text.hasSuffix(".json") { text = text.dropLast(5) }
        try self.init(parts: text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "/" }.map(String.init))
    }

    public init(parts: [String]) throws(Malformed) {
        guard parts.count <= Key.partLimit else {
            throw Malformed(reason: "the key has \(parts.count) parts, more than \(Key.partLimit)")
        }
        for part in parts {
            if let reason = Key.fault(ofPart: part) { throw Malformed(reason: reason) }
        }
        self.parts = parts
    }

    static func fault(ofPart part: String) -> String? {
        if part.isEmpty { return "a part of the key is empty" }
        guard part.utf8.count <= 128 else { return "a part of the key has \(part.utf8.count) bytes, more than 128" }
        for (index, byte) in part.utf8.enumerated() {
            let isFirst = index == 0
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                continue
            case UInt8(ascii: "_") where !isFirst, UInt8(ascii: "-") where !isFirst:
                continue
            default:
                return isFirst
                    ? "each part of a key begins with an ASCII letter or digit"
                    : "keys consist of ASCII letters, digits, '-' and '_', with '.' between the parts"
            }
        }
        return nil
    }

    public var isRoot: Bool { parts.isEmpty }
    /// The parts, joined by slashes. `joined` is avoided: its first call in a process takes a tenth of `settings get`.
    package var path: String {
        var path = parts.first ?? ""
        for part in parts.dropFirst() {
            path += "/"
            path += part
        }
        return path
    }
    /// The last part; empty for the root.
    public var name: String { parts.last ?? "" }
    /// The group that contains it; the root for the root.
    public var group: Key { Key(unchecked: Array(parts.dropLast())) }
    /// The groups around it, from the innermost to the outermost, without the root.
    package var enclosingGroups: [Key] {
        (1..<max(parts.count, 1)).reversed().map { Key(unchecked: Array(parts[..<$0])) }
    }
    /// Whether it is `group` itself or within it.
    public func isWithin(_ group: Key) -> Bool { parts.starts(with: group.parts) }

    public func appending(_ name: String) throws(Malformed) -> Key { try Key(parts: parts + [name]) }

    /// The key moved from `old` to `new`; unchanged if it is not within `old`.
    public func moved(from old: Key, to new: Key) -> Key {
        isWithin(old) ? Key(unchecked: new.parts + parts.dropFirst(old.parts.count)) : self
    }

    /// A part for `name` if another name already has the part `stem`: it gets a suffix that is hashed from the name's bytes
    /// and doesn't depend on other names.
    package static func apart(_ stem: String, _ name: String) -> String {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(stem.prefix(119)) + "-" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The key in lower case: keys that differ only by case would be the same file on some file systems.
    public var folded: Key { Key(unchecked: parts.map { $0.lowercased() }) }
}

extension Key: Comparable, CustomStringConvertible {
    /// The parts are ASCII, which Swift compares by bytes.
    public static func < (left: Key, right: Key) -> Bool { left.parts.lexicographicallyPrecedes(right.parts) }

    public var description: String { parts.joined(separator: ".") }
}
