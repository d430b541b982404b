import SettingsModel
import SettingsStore

extension SignatureConfiguration {
    init(
        environment: Environment, configured: @escaping (String) -> String?, userConfigured: @escaping (String) -> String?
    ) {
        self.init(
            configured: configured, userConfigured: userConfigured, variable: { environment[$0] },
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
