/// The formats of git's signatures, as `gpg.format` names them.
package enum SignatureFormat: String, Hashable, Sendable {
    case openpgp, ssh, x509

    /// As git tells them apart: by the first line.
    package init?(signature: [UInt8]) {
        let line = String(decoding: signature.prefix { $0 != 10 }, as: UTF8.self)
        if line.hasPrefix("-----BEGIN PGP SIGNATURE-----") || line.hasPrefix("-----BEGIN PGP MESSAGE-----") {
            self = .openpgp
        } else if line.hasPrefix("-----BEGIN SSH SIGNATURE-----") {
            self = .ssh
        } else if line.hasPrefix("-----BEGIN SIGNED MESSAGE-----") {
            self = .x509
        } else {
            return nil
        }
    }
}
