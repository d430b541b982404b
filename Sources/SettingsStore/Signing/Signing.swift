package import SettingsModel

/// With what a person signs versions and tags.
package struct Signing: Sendable {
    package var format: SignatureFormat
    /// openpgp: what `gpg -u` takes; ssh: the path of a key, or a public key as `key::…` or `ssh-…`, whose other half the
    /// agent has.
    package var key: String
    package var programs: SignaturePrograms
    /// Nobody is there who could be asked for a passphrase: it must be known already.
    var isUnattended = false

    package init(_ format: SignatureFormat, key: String, _ programs: SignaturePrograms) {
        self.format = format
        self.key = key
        self.programs = programs
    }

    package var unattended: Signing {
        var signing = self
        signing.isUnattended = true
        return signing
    }

    /// Signs something that nobody keeps, to find out in time whether that works.
    package static func check(_ signing: Result<Signing, SigningProblem>) throws(Problem) {
        try Signer(signing).sign(Array("settings\n".utf8))
    }
}
