import Files
import SettingsModel
import SettingsStore

extension SignatureConfiguration {
    init(
        environment: Environment, configured: @escaping (String) -> String?, userConfigured: @escaping (String) -> String?
    ) {
        var variables = ThisProcess.variables
        // As gpg's manual wants it: its agent asks for the passphrase there.
        if variables["GPG_TTY"] == nil, let terminal = ThisProcess.terminal { variables["GPG_TTY"] = terminal }
        self.init(
            configured: configured, userConfigured: userConfigured, variables: variables,
            absolute: { environment.absolute($0) })
    }

    init(_ session: Session, _ environment: Environment) {
        self.init(
            environment: environment, configured: { session.configured($0) }, userConfigured: { session.userConfigured($0) })
    }

    func signing(_ options: RecordRequest, askedFor keys: [String], as committer: Person) -> Result<Signing, SigningProblem>? {
        signing(options.sign, key: options.signKey, askedFor: keys, as: committer)
    }
}

extension Context {
    /// What checks the signatures of a store's versions.
    func signaturePrograms(_ session: Session) -> SignaturePrograms { SignatureConfiguration(session, environment).programs }
}
