import Files

/// The `git` program as it is run where it may use the network.
package struct NetworkProgram {
    let path: String
    let variables: [String: String]
    /// Whether a person sits at a terminal, who may be asked.
    let isInteractive: Bool
    /// The bytes that a file may have which comes in.
    package let limit: Int
    /// Is given what a server or a program of the user's says to the person.
    let tell: (String) -> Void
    /// Is given how far git is, in a few words.
    package let progress: (String) -> Void

    /// `environment` is the user's.
    package init(
        path: String, environment: [String: String], isInteractive: Bool, limit: Int,
        progress: @escaping (String) -> Void = { _ in }, tell: @escaping (String) -> Void
    ) {
        self.path = path
        self.progress = progress
        self.isInteractive = isInteractive
        self.limit = limit
        self.tell = tell
        variables = Self.passed(of: environment)
    }

    /// After so many seconds without a sign of life git is ended, unless a person may be thinking.
    private static let patience = 120

    /// What git gets of the environment: of its own variables only those that say how to reach others.
    private static func passed(of environment: [String: String]) -> [String: String] {
        var variables = environment.filter { name, _ in
            guard name.hasPrefix("GIT_") else { return name != "LC_ALL" && name != "LANGUAGE" }
            return passedNames.contains(name) || passedPrefixes.contains(where: name.hasPrefix)
        }
        // What LC_ALL said of everything but messages.
        if let locale = environment["LC_ALL"] { variables["LC_CTYPE"] = locale }
        variables["LC_MESSAGES"] = "C"
        variables["GIT_PROTOCOL_FROM_USER"] = "0"
        variables["GIT_NO_LAZY_FETCH"] = "1"
        variables["GIT_NO_REPLACE_OBJECTS"] = "1"
        // libgit2 reads no other ones.
        variables["GIT_DEFAULT_REF_FORMAT"] = "files"
        return variables
    }

    /// Whether the environment names configuration that libgit2 doesn't know of.
    package var hasOtherConfiguration: Bool { variables.keys.contains { $0.hasPrefix("GIT_CONFIG") } }

    /// The most that is kept of git's output.
    static let outputLimit = 4 << 20

    /// The most that git may print, for itself and for a server.
    package static let talkLimit = 64 << 20

    /// git's exit status for an option that it doesn't know.
    private static let usageStatus: Int32 = 129

    private static let passedNames: Set<String> = [
        "GIT_ASKPASS", "GIT_TERMINAL_PROMPT", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_COUNT", "GIT_ALLOW_PROTOCOL",
    ]
    private static let passedPrefixes = [
        "GIT_SSH", "GIT_SSL_", "GIT_PROXY_", "GIT_HTTP_", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_TRACE",
    ]

    /// What a repository or a server may not decide.
    private static let switches = [
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.alternateRefsCommand=true", "core.logAllRefUpdates=false",
        "gc.auto=0", "maintenance.auto=false", "fetch.recurseSubmodules=false", "submodule.recurse=false",
        "push.recurseSubmodules=no", "push.gpgSign=false", "fetch.writeCommitGraph=false", "fetch.fsckObjects=true",
    ]

    /// What a command of git's said.
    package struct Answer: Hashable, Sendable {
        /// Nil if it could not be started or was ended.
        package var status: Int32?
        package var output: String
        /// The end of what it said, without what is only progress.
        package var errors: [String]
        package var isStalled: Bool
        /// Whether it printed so much that it was ended.
        package var isTalkative = false
        /// Where git did not know an option: what it says of its version.
        package var version: String?
    }

    /// Writes the files of a repository that was just made.
    package func checkOut(_ directory: String, into workTree: String) -> Answer {
        run(["--work-tree=\(workTree)", "reset", "-q", "--hard"], in: directory)
    }

    /// Runs a command on a git directory of ours. `address`: the one that it reaches, if any.
    func run(
        _ words: [String], in directory: String, at address: RemoteAddress? = nil, allowing more: [String] = []
    ) -> Answer {
        var configuration = Self.switches + more
        if !isInteractive, (try? RepositoryConfiguration.ofUser("http.lowSpeedTime")).flatMap({ $0 }) == nil {
            configuration += ["http.lowSpeedLimit=1", "http.lowSpeedTime=30"]
        }
        let command = ["git", "--git-dir=\(directory)"] + configuration.flatMap { ["-c", $0] } + words
        var words = ErrorLines(of: address, progress: progress, tell: tell)
        var program = Command(path, command, variables, isInteractive ? .none : .session)
        program.isBound = true
        program.fileSize = limit
        let run = program.run(
            keeping: Self.outputLimit, patience: isInteractive ? .max : Self.patience, talkLimit: Self.talkLimit
        ) { stream, bytes in
            if stream == .errors { words.take(Array(bytes)) }
        }
        words.end()
        var answer = Answer(
            status: run.status, output: String(decoding: run.output, as: UTF8.self), errors: words.kept,
            isStalled: run.isStalled, isTalkative: run.isTalkative)
        if run.status == Self.usageStatus {
            let version = Command(path, ["git", "--version"], variables).run(keeping: 100).output
            answer.version = String(decoding: version.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        return answer
    }
}

/// What git prints to its errors, line by line: what is only progress is left out, and so are passwords.
struct ErrorLines {
    private var pending: [UInt8] = []
    private(set) var kept: [String] = []
    private var size = 0
    /// Whether git names the folder that it clones into, whose name has line breaks.
    private var namesFolder = false
    private let address: RemoteAddress?
    private let progress: (String) -> Void
    private let tell: (String) -> Void

    init(of address: RemoteAddress? = nil, progress: @escaping (String) -> Void, tell: @escaping (String) -> Void) {
        self.address = address
        self.progress = progress
        self.tell = tell
    }

    private static let sizeLimit = 16 << 10

    /// Nothing for 200 ms: what stands there without an end may be a question.
    mutating func take(_ bytes: [UInt8]) {
        if bytes.isEmpty, !pending.isEmpty, !pending.contains(UInt8(ascii: "%")) { end() }
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { end() } else { pending.append(byte) }
            if pending.count > Self.sizeLimit { end() }
        }
    }

    mutating func end() {
        defer { pending = [] }
        let text = String(decoding: pending, as: UTF8.self)
        let line = address?.shown(in: text) ?? text
        guard !line.allSatisfy(\.isWhitespace), !isProgress(line) else { return }
        kept.append(line)
        size += line.utf8.count
        while size > Self.sizeLimit, kept.count > 1 { size -= kept.removeFirst().utf8.count }
        // What git itself says of a failure becomes part of the error.
        if !["fatal: ", "error: ", "hint: "].contains(where: line.hasPrefix) { tell(line) }
    }

    /// Whether a line only says how far git is. `Receiving objects:  37% (37/100)` is passed on as "receiving objects, 37%": nothing
    /// of it is the server's word.
    private mutating func isProgress(_ line: String) -> Bool {
        if namesFolder || line.hasPrefix("Cloning into bare repository '") {
            namesFolder = !line.hasSuffix("'...")
            return true
        }
        let words = line.hasPrefix("remote: ") ? line.dropFirst("remote: ".count) : line[...]
        let text = words.drop { $0 == " " }
        guard let work = Self.kinds.first(where: { text.hasPrefix($0) }) else { return false }
        let rest = text.dropFirst(work.count)
        if let end = rest.firstIndex(of: "%"), let percent = Int(rest[..<end].drop { $0 == ":" || $0 == " " }), 0...100 ~= percent
        {
            progress("\(work.prefix(1).lowercased())\(work.dropFirst()), \(percent)%")
        }
        return true
    }

    private static let kinds = [
        "Enumerating objects", "Counting objects", "Compressing objects", "Receiving objects", "Resolving deltas",
        "Unpacking objects", "Writing objects", "Delta compression", "Checking connectivity", "Total ", "From ", "To ",
        "* [new", "- [deleted", "+ ", "Everything up-to-date", "Finding sources", "Getting sizes", "Filtering content",
        "Updating files",
    ]
}
