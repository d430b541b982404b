import Base
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

    /// Where the user's configuration leads git, if that is elsewhere.
    private let target: String?
    package var isRewritten: Bool { target != nil }

    /// `folder`: what relative paths count from.
    package init(_ url: String, from folder: String, _ rewriting: AddressRewriting = AddressRewriting([]), isPush: Bool = false) {
        let given = url.hasPrefix("file:") ? url : Self.path(in: url, from: folder) ?? url
        let target = rewriting.rewritten(given, isPush: isPush)
        self.target = target
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

    /// What git says of it, as people may see it. git itself leaves out what stands before the first `@` of an address, which
    /// may be part of a password, and leaves out nothing where it names the host alone.
    func shown(in text: String) -> String {
        var text = text
        for address in [self.text, target].compactMap(\.self) {
            guard let login = Login.range(in: address) else { continue }
            let host = address[login.upperBound...].prefix { $0 != "/" && $0 != ":" }
            let user = Login.shownUser(of: address, login)
            var rest = address[login]
            while !rest.isEmpty {
                if !user.hasSuffix(rest) { text = text.replacing(rest + host, with: user + host) }
                rest = rest.drop { $0 != "@" }.dropFirst()
            }
        }
        return text
    }
}
