import Files

/// Where another repository is, as git's commands take it.
package struct RemoteAddress: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A repository on this machine.
        case folder
        /// A file that `git bundle` made.
        case bundle
        /// Anything else.
        case network
    }

    package let kind: Kind
    /// What git is given.
    package let text: String
    /// The path of a folder or a bundle.
    package let path: String?

    /// Whether the user's configuration leads git elsewhere.
    package let isRewritten: Bool

    /// `folder`: what relative paths count from.
    package init(_ url: String, from folder: String, _ rewriting: AddressRewriting = AddressRewriting([]), isPush: Bool = false) {
        let given = url.hasPrefix("file:") ? url : Self.path(in: url, from: folder) ?? url
        let target = rewriting.rewritten(given, isPush: isPush)
        isRewritten = target != nil
        guard let path = Self.path(in: target ?? given, from: folder) else {
            (kind, text, path) = (.network, given, nil)
            return
        }
        self.path = path
        kind = FileSystem.kind(of: path, following: true) == .file && Self.target(ofLink: path) == nil ? .bundle : .folder
        // git rewrites an address itself, but would count a relative path from elsewhere.
        let isRelative = target.map { !$0.hasPrefix("/") && !$0.hasPrefix("file:") } ?? false
        text = isRelative ? path : given
    }

    /// The path that an address is, by git's rule: it has no colon before its first slash, or is a `file:` URL.
    private static func path(in url: String, from folder: String) -> String? {
        if url.hasPrefix("file://") {
            let rest = url.dropFirst("file://".count)
            return decoded(rest.first == "/" ? rest : rest.drop { $0 != "/" })
        }
        if let colon = url.firstIndex(of: ":"), url[..<colon].firstIndex(of: "/") == nil { return nil }
        return url.hasPrefix("/") ? url : "\(folder)/\(url)"
    }

    /// Without `%XX`.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// As people may see it: without a password, and of the web without a user either, who may be a token.
    package static func shown(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return url }
        let isWeb = url.lowercased().hasPrefix("http")
        let user = isWeb ? "" : rest[..<at].prefix { $0 != ":" } + "@"
        return url[..<scheme.upperBound] + user + rest[rest.index(after: at)...]
    }
}
