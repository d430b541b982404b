import Foundation
import Surroundings

/// A store in a home of its own, and the server as people start it.
final class RunningServer {
    private let home: TemporaryFolder
    private var server: Process?
    /// `http://127.0.0.1:PORT`, and the path.
    private(set) var base = ""
    /// Of this start, where the account is who has it.
    private(set) var token = ""

    var folder: String { home.path }
    var store: String { home.path + "/store" }
    var errors: String { (try? String(contentsOfFile: home.path + "/errors", encoding: .utf8)) ?? "" }

    struct Failed: Error { let words: String }

    /// A store with what the lines of a script make of it.
    init(_ script: String = "") throws {
        home = try TemporaryFolder()
        try sh(
            """
            git config --global init.defaultBranch main
            mkdir -p store .state && cd store && settings init -q
            \(script)
            """, in: home.path)
    }

    deinit { _ = try? stop() }

    private var environment: [String: String] {
        Surroundings.environment(
            home: home.path, person: "Ada", at: "@1700000000 +0000",
            ["XDG_STATE_HOME": home.path + "/.state", "TMPDIR": home.path])
    }

    @discardableResult
    func sh(_ script: String, in folder: String? = nil) throws -> String {
        let run = try Surroundings.run(["sh", "-ec", script], in: folder ?? store, environment)
        guard run.status == 0 else { throw Failed(words: "\(script)\n\(run.output)\(run.errors)") }
        return run.output
    }

    /// A program's end, where it ends by itself.
    func run(_ words: [String]) throws -> Run { try Surroundings.run(words, in: store, environment) }

    /// Starts it and waits for the line with its address.
    func start(_ arguments: [String] = [], _ more: [String: String] = [:]) throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: Surroundings.programs + "/settings-serve")
        process.arguments = ["--store", store, "--listen", "127.0.0.1:0"] + arguments
        process.environment = environment.merging(more) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: home.path)
        process.standardOutput = output
        try Data().write(to: URL(fileURLWithPath: home.path + "/errors"))
        process.standardError = FileHandle(forWritingAtPath: home.path + "/errors")
        try process.run()
        server = process
        var line = ""
        while !line.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw Failed(words: "the server did not start: \(errors)") }
            line += String(decoding: data, as: UTF8.self)
        }
        let parts = line.dropLast().split(separator: "#")
        base = parts[0].replacing("/login", with: "")
        if base.hasSuffix("/") { base.removeLast() }
        token = parts.count > 1 ? String(parts[1]) : ""
    }

    /// As after a loss of power.
    func kill() {
        guard let server else { return }
        self.server = nil
        #if canImport(Darwin)
            Darwin.kill(server.processIdentifier, SIGKILL)
        #else
            Glibc.kill(server.processIdentifier, SIGKILL)
        #endif
        server.waitUntilExit()
    }

    /// A port that nobody listens on.
    static func freePort() throws -> Int {
        let run = try Surroundings.run(
            ["python3", "-c", "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"], in: "/",
            ["PATH": Surroundings.searchPath])
        guard let port = Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw Failed(words: run.errors) }
        return port
    }

    /// Its exit status, and the seconds that the end took.
    func stop() throws -> (status: Int32, seconds: Double)? {
        guard let server else { return nil }
        self.server = nil
        let start = Date()
        server.terminate()
        server.waitUntilExit()
        return (server.terminationStatus, Date().timeIntervalSince(start))
    }

    struct Answer {
        var status: Int
        var head: String
        var body: String

        /// The members of an object; none where it is no JSON.
        var json: [String: Any] {
            ((try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]) ?? [:]
        }

        func field(_ name: String) -> String? {
            head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces) }
        }
    }

    /// As the account, unless it isn't signed in.
    func curl(_ path: String, isSignedIn: Bool = true, _ arguments: [String] = []) throws -> Answer {
        try fetch(base + path, (isSignedIn ? ["-H", "Authorization: Bearer \(token)"] : []) + arguments)
    }

    func fetch(_ address: String, _ arguments: [String]) throws -> Answer {
        let run = try Surroundings.run(
            ["curl", "-s", "-i", "-m", "20", "-H", "Expect:"] + arguments + [address], in: home.path, environment)
        let text = run.output.replacing("\r\n", with: "\n")
        guard let end = text.range(of: "\n\n") else { throw Failed(words: "no answer from \(address): \(run.status) \(errors)") }
        let head = String(text[..<end.lowerBound])
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
        return Answer(status: status, head: head, body: String(text[end.upperBound...]))
    }

    func post(_ path: String, _ fields: KeyValuePairs<String, String>, _ arguments: [String] = []) throws -> Answer {
        try curl(path, fields.flatMap { ["--data-urlencode", "\($0.key)=\($0.value)"] } + arguments)
    }

    /// What a program sends, and gets: JSON.
    func send(_ path: String, _ body: String, _ arguments: [String] = []) throws -> Answer {
        try curl(path, ["-H", "Content-Type: application/json", "--data-binary", body] + arguments)
    }

    var head: String {
        get throws { try sh("git rev-parse HEAD").trimmingCharacters(in: .whitespacesAndNewlines) }
    }
}
