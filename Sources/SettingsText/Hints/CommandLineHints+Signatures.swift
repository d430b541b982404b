package import SettingsModel

// Problems with signing, and what a check of a signature found.

extension CommandLineHints {
    static func explanation(of problem: SigningProblem) -> Explanation {
        let without = "or record it unsigned with --no-sign"
        switch problem {
        case .isNoBoolean(let key, let value):
            return Explanation(
                "cannot tell whether to sign: \(key) is '\(value)', which is neither true nor false",
                hint: "correct it with 'git config', or use --sign or --no-sign; nothing was recorded")
        case .format(let format):
            return Explanation(
                "cannot sign: gpg.format is '\(format)', but versions are signed with openpgp or ssh",
                hint: "set gpg.format to openpgp or ssh, \(without)")
        case .hasNoKey:
            return Explanation(
                "cannot sign: no ssh key is configured",
                hint: "name it with 'git config --global user.signingKey FILE' or --sign=FILE, \(without); "
                    + "gpg.ssh.defaultKeyCommand is not run")
        case .keyOfRepositoryIsFile(let path):
            return Explanation(
                "cannot sign: user.signingKey names the file '\(path)' in this repository's configuration, which is not trusted",
                hint: "name it in your own configuration ('git config --global') or with --sign=FILE, \(without)")
        case .programIsRelative(let program, let key):
            return Explanation(
                "cannot sign: \(key) is the relative path '\(program)'",
                hint: "name a program that PATH finds, or write an absolute path")
        case .programIsMissing(let program, let key):
            return Explanation(
                "cannot sign: '\(program)' is not installed", hint: "install it or set \(key), \(without)")
        case .failed(let key, let program, let reason):
            return Explanation(
                "cannot sign with key '\(key)': \(program): \(reason)",
                hint: "check user.signingKey and gpg.format, \(without); nothing was recorded")
        }
    }

    /// Why a signature is not good.
    package static func words(_ reason: SignatureCheck.Reason) -> String {
        switch reason {
        case .keyIsMissing: "the key is not in your keyring"
        case .keyIsNotTrusted: "the key is in your keyring, but not certified"
        case .keyHasExpired: "the key has expired"
        case .signatureHasExpired: "the signature has expired"
        case .isNoAllowedSigner: "gpg.ssh.allowedSignersFile does not name the key for this time"
        case .allowedSignersAreNotConfigured: "gpg.ssh.allowedSignersFile is not set"
        case .keyIsRevoked: "the key has been revoked"
        case .doesNotMatch: "the signature does not match the version"
        case .format(let line): "its format is not supported (\(line))"
        case .programIsMissing(let program): "'\(program)' is not installed"
        case .programFailed(let program, let output): "\(program) failed" + (output.isEmpty ? "" : ": \(output)")
        }
    }
}
