/// An author or committer.
package struct Person: Hashable, Sendable {
    package var name: String
    package var email: String

    package init(name: String, email: String) {
        self.name = name
        self.email = email
    }

    /// Parses `Marie Curie <marie@example.org>`; nil if it has another form.
    package init?(_ text: String) {
        guard let open = text.lastIndex(of: "<"), text.hasSuffix(">") else { return nil }
        let name = text[..<open].trimmingSpaces
        let email = text[text.index(after: open)..<text.index(before: text.endIndex)].trimmingSpaces
        guard !name.isEmpty, !email.isEmpty, !name.utf8.contains(where: Self.isMark), !email.utf8.contains(where: Self.isMark)
        else { return nil }
        self.init(name: name, email: email)
    }

    /// Whether a name or address can't contain the byte. Compared by bytes, because Swift treats CR LF as one character, not as LF.
    private static func isMark(_ byte: UInt8) -> Bool {
        byte < 32 || byte == 127 || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
    }

    /// Removes what git removes from names and addresses: line breaks, `<`, `>`, and certain characters at the ends.
    package static func cleaned(_ text: String) -> String {
        let kept = text.unicodeScalars.filter { !"<>\n\0".unicodeScalars.contains($0) }
        let isCrud = { (scalar: Unicode.Scalar) in scalar.value <= 32 || ".,:;<>\"\\'".unicodeScalars.contains(scalar) }
        guard let first = kept.firstIndex(where: { !isCrud($0) }), let last = kept.lastIndex(where: { !isCrud($0) }) else {
            return ""
        }
        return String(String.UnicodeScalarView(kept[first...last]))
    }

    /// Whether both are the same person as far as git can tell: by e-mail, or else by name.
    package func isSame(as other: Person) -> Bool {
        email.isEmpty ? name == other.name : email.lowercased() == other.email.lowercased()
    }

    package var description: String { "\(name) <\(email)>" }
}

extension StringProtocol {
    package var trimmingSpaces: String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return String(rest)
    }
}
