import HTTPTypes
import Hummingbird
import NIOCore
import SettingsModel

/// A proxy in front that says who is there: believed where it is one of those that are trusted, or comes through the socket.
struct Proxy: Sendable {
    private let user: String
    private let name: String?
    private let email: String?
    private let domain: String?
    private let trusted: Set<String>
    private let mayWrite: Bool

    init(user: String, name: String?, email: String?, domain: String?, trusted: Set<String>, mayWrite: Bool) {
        (self.user, self.name, self.email, self.domain) = (user, name, email, domain)
        (self.trusted, self.mayWrite) = (trusted, mayWrite)
    }

    static func isName(_ header: String) -> Bool { HTTPField.Name(header) != nil }

    /// An address as it is compared: an IPv4 address is the same within IPv6.
    static func address(_ text: String) -> String? {
        guard let address = (try? SocketAddress(ipAddress: text, port: 0))?.ipAddress else { return nil }
        let mapped = "::ffff:"
        return address.hasPrefix(mapped) && address.contains(".") ? String(address.dropFirst(mapped.count)) : address
    }

    func visitor(_ headers: HTTPFields, from peer: SocketAddress?) throws(Who.Refusal) -> Who.Visitor {
        if case .unixDomainSocket = peer {
        } else {
            let address = peer?.ipAddress.flatMap(Self.address)
            guard let address, trusted.contains(address) else {
                throw .stranger("The request came from \(address ?? "an unknown address"), which --trusted-proxy does not list.")
            }
        }
        guard let user = try word(user, headers) else { throw .unnamed("The proxy did not send \(user).") }
        let name = try name.map { header throws(Who.Refusal) in try word(header, headers) } ?? nil
        var address = user.contains("@") || domain == nil ? user : "\(user)@\(domain ?? "")"
        if let email {
            guard let sent = try word(email, headers) else { throw .unnamed("The proxy did not send \(email).") }
            address = sent
        }
        let person = Person(name: Person.cleaned(name ?? user), email: Person.cleaned(address))
        guard !person.name.isEmpty, !person.email.isEmpty else {
            throw .malformed("The proxy sent an empty name or e-mail address.")
        }
        return Who.Visitor(name: person.name, author: person, mayWrite: mayWrite, pass: .proxy)
    }

    /// The value of a header; nil where it isn't there or empty. Nobody knows which of two is the proxy's own.
    private func word(_ header: String, _ headers: HTTPFields) throws(Who.Refusal) -> String? {
        guard let name = HTTPField.Name(header) else { return nil }
        let values = headers[values: name]
        guard let value = values.first else { return nil }
        if values.count > 1 { throw .malformed("\(header) was sent more than once.") }
        // What is not UTF-8 has become U+FFFD.
        let isWrong = value.unicodeScalars.contains { scalar in
            scalar.properties.generalCategory == .control || "<>\u{FFFD}".unicodeScalars.contains(scalar)
        }
        if isWrong { throw .malformed("\(header) contains characters that are not allowed in a name.") }
        let word = value.trimmingSpaces
        return word.isEmpty ? nil : word
    }
}
