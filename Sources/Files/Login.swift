/// Who logs in at an address, and with which password: what stands before the host.
package enum Login {
    /// Where it stands in an address, the `@` behind it included; nil where an address has none.
    ///
    /// A password may hold an `@` that is not written as `%40`, so the last one counts. Where one holds a `/`, what stands before
    /// that is not a host and a port.
    package static func range(in address: String) -> Range<String.Index>? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let rest = address[scheme.upperBound...]
        let place = rest.prefix { $0 != "/" }
        let port = place.hasSuffix("]") ? nil : place.lastIndex(of: ":").map { place[place.index(after: $0)...] }
        let isPlace = port.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } ?? true
        guard let at = place.lastIndex(of: "@") ?? (isPlace ? nil : rest.lastIndex(of: "@")) else { return nil }
        return rest.startIndex..<rest.index(after: at)
    }
}
