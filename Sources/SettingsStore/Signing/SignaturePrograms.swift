import Files
package import SettingsModel

/// The programs that sign and check, and what of the user's configuration of git they are given. Plain values: this layer
/// reads no environment, and nothing here may come from a repository's configuration.
package struct SignaturePrograms: Sendable {
    /// `gpg.openpgp.program`: a name that PATH finds, or an absolute path.
    package var openpgp = "gpg"
    /// `gpg.ssh.program`
    package var ssh = "ssh-keygen"
    /// `gpg.ssh.allowedSignersFile`
    package var allowedSigners: String?
    /// `gpg.ssh.revocationFile`
    package var revokedKeys: String?
    /// PATH, which names the folders that programs lie in.
    package var searchPath: String?
    /// Where a key and a text lie while ssh-keygen reads them.
    package var temporaryFolder: String
    /// The environment of the programs.
    package var variables: [String: String]

    package init(searchPath: String?, temporaryFolder: String, variables: [String: String]) {
        self.searchPath = searchPath
        self.temporaryFolder = temporaryFolder
        self.variables = variables
    }

    /// One of them as it is run: it may ask at the terminal, and signals that wait until a version is recorded reach it.
    func command(_ program: String, _ words: [String]) -> Command {
        var command = Command(program, [program] + words, variables)
        command.input = .shared
        command.unblocksSignals = true
        return command
    }

    /// The most that is kept of what a program prints.
    static let outputLimit = 1 << 20

    package func name(for format: SignatureFormat) -> String { format == .ssh ? ssh : openpgp }

    /// A program's path. A relative one is refused: it would name a program in whatever folder the command runs.
    package func path(for format: SignatureFormat) throws(SigningProblem) -> String {
        let (name, key) = (name(for: format), format == .ssh ? "gpg.ssh.program" : "gpg.program")
        if name.contains("/") {
            guard name.hasPrefix("/") else { throw .programIsRelative(name, key: key) }
            guard FileSystem.isExecutable(name) else { throw .programIsMissing(name, key: key) }
            return name
        }
        guard let path = FileSystem.program(name, path: searchPath) else { throw .programIsMissing(name, key: key) }
        return path
    }

    /// What a program printed about a failure, in a line: without the lines for programs.
    static func reason(_ errors: [UInt8]) -> String {
        let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("[GNUPG:]") && !$0.allSatisfy(\.isWhitespace) }
            .map { $0.hasPrefix("gpg: ") ? String($0.dropFirst(5)) : String($0) }
        return String(lines.joined(separator: "; ").prefix(400))
    }
}
