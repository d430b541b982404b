package import SettingsModel

/// What git's configuration says about signatures.
///
/// Programs and files are named by the user alone: in the configuration of the user and the machine, and in the variables that
/// are on top of it (`GIT_CONFIG_COUNT`, and `GIT_CONFIG_PARAMETERS` from `git -c`), which may take back for one command what
/// the files ask for. A repository may ask for signatures, but not switch them off; it may choose the format and name an
/// OpenPGP key, which the user's own gpg looks up, or a public ssh key, whose other half the user's agent must have. A file
/// that it names is not read.
package struct SignatureConfiguration {
    /// Looks up a value: the repository's, the user's, the machine's.
    private let configured: (String) -> String?
    /// The same without the repository.
    private let userConfigured: (String) -> String?
    /// The environment variables, which the programs get.
    private let variables: [String: String]
    /// What a path means, from the current folder and the user's own on.
    private let absolute: (String) -> String

    package init(
        configured: @escaping (String) -> String?, userConfigured: @escaping (String) -> String?,
        variables: [String: String], absolute: @escaping (String) -> String
    ) {
        (self.configured, self.userConfigured) = (configured, userConfigured)
        (self.variables, self.absolute) = (variables, absolute)
    }

    /// Whether one of the keys asks for signatures. A value that is neither true nor false is an error, as in git: else a
    /// misspelt wish for signatures would record unsigned versions.
    package func isAskedFor(by keys: [String]) throws(SigningProblem) -> Bool {
        var isAsked = false
        for key in keys {
            for value in [userConfigured(key), configured(key)] {
                guard let value else { continue }
                guard let truth = Identity.truth(value) else { throw .isNoBoolean(key, value) }
                isAsked = isAsked || truth
            }
        }
        return isAsked
    }

    /// Whether `settings.requireSignatures` asks that versions from elsewhere are signed.
    package var isRequired: Bool {
        get throws(SigningProblem) { try isAskedFor(by: ["settings.requireSignatures"]) }
    }

    /// What checks that, if it does.
    package var required: SignaturePrograms? {
        get throws(Problem) {
            do throws(SigningProblem) { return try isRequired ? programs : nil } catch { throw .signing(error) }
        }
    }

    /// With what a person signs; nil if that is not wanted. Why it can't be done is reported once there is something to sign.
    /// `sign` and `key` are what the person said of this version; nil for nothing.
    package func signing(
        _ sign: Bool? = nil, key: String? = nil, askedFor keys: [String], as committer: Person
    ) -> Result<Signing, SigningProblem>? {
        do throws(SigningProblem) {
            var isAsked = sign ?? (key != nil)
            if sign == nil, !isAsked { isAsked = try isAskedFor(by: keys) }
            guard isAsked else { return nil }
        } catch { return .failure(error) }
        return Result { () throws(SigningProblem) in try signing(key: key, as: committer) }
    }

    package func signing(key wanted: String? = nil, as committer: Person) throws(SigningProblem) -> Signing {
        let name = configured("gpg.format") ?? SignatureFormat.openpgp.rawValue
        guard let format = SignatureFormat(rawValue: name), format != .x509 else { throw .format(name) }
        let users = userConfigured("user.signingKey")
        var key = wanted ?? configured("user.signingKey") ?? ""
        if key.isEmpty {
            guard format == .openpgp else { throw .hasNoKey }
            key = committer.description
        }
        if format == .ssh, Signing.literalKey(key) == nil {
            if wanted == nil, key != users { throw .keyOfRepositoryIsFile(key) }
            key = absolute(key)
        }
        return Signing(format, key: key, programs)
    }

    /// What checks signatures.
    package var programs: SignaturePrograms {
        let temporary = variable("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var programs = SignaturePrograms(
            searchPath: variable("PATH"), temporaryFolder: temporary,
            variables: variables)
        if let name = filled("gpg.openpgp.program") ?? filled("gpg.program") { programs.openpgp = expanded(name) }
        if let name = filled("gpg.ssh.program") { programs.ssh = expanded(name) }
        programs.allowedSigners = filled("gpg.ssh.allowedSignersFile").map(absolute)
        programs.revokedKeys = filled("gpg.ssh.revocationFile").map(absolute)
        return programs
    }

    /// An empty one counts as missing.
    private func variable(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func filled(_ key: String) -> String? { userConfigured(key).flatMap { $0.isEmpty ? nil : $0 } }

    private func expanded(_ program: String) -> String { program.hasPrefix("~/") ? absolute(program) : program }
}
