import Files
import NIOCore
import NIOPosix
import SettingsModel

/// Where the server listens.
enum Listening: Sendable, Equatable {
    case port(host: String, Int)
    case socket(path: String)

    /// `ADDRESS:PORT`, an IPv6 address in brackets, or `unix:PATH`.
    init?(_ word: String) {
        if word.hasPrefix("unix:") {
            let path = String(word.dropFirst("unix:".count))
            // The system's limit for the path of a socket.
            guard !path.isEmpty, path.utf8.count < 104 else { return nil }
            self = .socket(path: path)
            return
        }
        guard let colon = word.lastIndex(of: ":"), let port = Int(word[word.index(after: colon)...]), (0...65_535).contains(port)
        else { return nil }
        var host = String(word[..<colon])
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty, host.contains(":") == isBracketed, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else {
            return nil
        }
        self = .port(host: host, port)
    }

    /// Whether nobody beyond this machine can reach it.
    var isLocal: Bool {
        switch self {
        case .socket: true
        case .port(let host, _): Self.isLoopback(host)
        }
    }

    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// As it stands in an address.
    static func authority(_ host: String, _ port: Int) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    var words: String {
        switch self {
        case .port(let host, let port): Self.authority(host, port)
        case .socket(let path): path
        }
    }

    /// A socket that a dead server left is replaced, one that somebody answers on is not.
    func checkIsFree() async throws(ServeFailure) {
        guard case .socket(let path) = self, let kind = FileSystem.kind(of: path) else { return }
        guard kind == .special else {
            throw ServeFailure(status: 75, reason: "cannot listen on \(path): the file exists and is not a socket")
        }
        let connecting = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(unixDomainSocketPath: path)
        do {
            let channel = try await connecting.get()
            try? await channel.close().get()
        } catch let error as IOError {
            let failure = SystemFailure(code: error.errnoCode, operation: "connect to", path: path)
            guard failure.isDenied else { return }
            throw ServeFailure(status: 77, reason: "cannot listen on \(path): \(failure.reason)")
        } catch { return }
        throw ServeFailure(status: 75, reason: "cannot listen on \(path): another server is listening there")
    }

    /// Why listening failed.
    func failure(_ error: any Error) -> ServeFailure {
        guard let error = error as? IOError else {
            return ServeFailure(status: 64, reason: "cannot listen on \(words): this machine has no such address")
        }
        let failure = SystemFailure(code: error.errnoCode, operation: "listen on", path: words)
        let status: Int32 = failure.isDenied ? 77 : failure.isOtherAddress || failure.isMissing ? 64 : 75
        return ServeFailure(status: status, reason: "cannot listen on \(words): \(failure.reason)")
    }
}
