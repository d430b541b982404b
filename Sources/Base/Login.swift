/// Who logs in at an address, and with which password: what stands before the host.
package enum Login {
    /// Where it stands in an address, the `@` behind it included; nil where an address has none.
    ///
    /// A password may hold an `@` that is not written as `%40`, so the last one counts. Where one holds a `/`, what stands before
    /// that is not a host and a port. An address that lacks a slash or a scheme leads elsewhere, but was typed with its password.
    package static func range(in address: some StringProtocol) -> Range<String.Index>? {
        let address = Substring(address)
        var rest = address
        while let start = start(in: rest) {
            rest = rest[start.place...]
            let place = rest.prefix { $0 != "/" }
            var at = place.lastIndex(of: "@")
            if start.isWhole {
                if at == nil, !endsInPort(place) { at = rest.lastIndex(of: "@") }
            } else if let found = at, !place[..<found].contains(":") {
                at = nil
            }
            if let at { return start.place..<rest.index(after: at) }
        }
        return rest.startIndex == address.startIndex ? rangeWithoutScheme(in: address) : nil
    }

    /// As people may see an address: without a password, and of the web without a user either, who may be a token.
    package static func shown(_ address: String) -> String {
        guard let login = range(in: address) else { return address }
        return address[..<login.lowerBound] + shownUser(of: address, login) + address[login.upperBound...]
    }

    /// What stands for the login at `range` of an address.
    package static func shownUser(of address: some StringProtocol, _ login: Range<String.Index>) -> String {
        let scheme = address[..<login.lowerBound].lowercased()
        let isWeb = ["http", "https"].contains { name in ["://", ":/", "//"].contains { scheme.hasSuffix(name + $0) } }
        return isWeb ? "" : address[login].prefix { $0 != ":" && $0 != "@" } + "@"
    }

    /// A text with the addresses in it as people may see them, or with something else in place of each login.
    package static func hidden(in text: String, by word: String? = nil) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var (result, rest) = ("", text[...])
        while !rest.isEmpty {
            let address = rest.prefix { !$0.isWhitespace }
            if let login = range(in: address) {
                result += address[..<login.lowerBound] + (word ?? shownUser(of: address, login))
                rest = rest[login.upperBound...]
            } else {
                let blanks = rest[address.endIndex...].prefix { $0.isWhitespace }
                result += rest[..<blanks.endIndex]
                rest = rest[blanks.endIndex...]
            }
        }
        return result
    }

    /// Where the first place begins, behind `://` or what is left of that where a sign is missing.
    private static func start(in address: Substring) -> (place: String.Index, isWhole: Bool)? {
        guard
            let slash = address.indices.first(where: { index in
                guard address[index] == "/" else { return false }
                return address[address.index(after: index)...].first == "/" || address[..<index].last == ":"
            })
        else { return nil }
        let isDouble = address[address.index(after: slash)...].first == "/"
        return (address.index(slash, offsetBy: isDouble ? 2 : 1), isDouble && address[..<slash].last == ":")
    }

    private static func endsInPort(_ place: Substring) -> Bool {
        if place.hasSuffix("]") { return true }
        guard let colon = place.lastIndex(of: ":") else { return true }
        let port = place[place.index(after: colon)...]
        return !port.isEmpty && port.allSatisfy(\.isNumber)
    }

    /// `user:password@host:path`: git takes what stands before the first colon for the host.
    private static func rangeWithoutScheme(in address: Substring) -> Range<String.Index>? {
        let place = address.prefix { $0 != "/" }
        guard let colon = place.firstIndex(of: ":"), !place[..<colon].contains("@"),
            let at = place.lastIndex(of: "@"), colon < at, place[at...].contains(":")
        else { return nil }
        return address.startIndex..<place.index(after: at)
    }
}
