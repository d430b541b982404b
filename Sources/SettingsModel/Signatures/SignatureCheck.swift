/// What is known of a version's signature once it was checked.
package struct SignatureCheck: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// By somebody whom the user's keyring or allowed signers know.
        case good
        /// Nobody vouches for the key, or no longer.
        case unknown
        case bad
        case none
        case unchecked
    }

    /// Why the verdict is not `good`.
    package enum Reason: Hashable, Sendable {
        /// The key is not in the user's keyring.
        case keyIsMissing
        /// The key is in the keyring, but is not certified.
        case keyIsNotTrusted
        case keyHasExpired
        case signatureHasExpired
        /// No line of the allowed signers names the key for that time.
        case isNoAllowedSigner
        case allowedSignersAreNotConfigured
        case keyIsRevoked
        /// What was signed is not what the version says, or the signature is damaged.
        case doesNotMatch
        case format(String)
        case programIsMissing(String)
        case programFailed(String, output: String)
    }

    package var verdict: Verdict
    package var format: SignatureFormat?
    /// Who signed: a user id of the key, or a principal of the allowed signers.
    package var signer: String?
    /// A fingerprint, or what there is of an id.
    package var key: String?
    package var reason: Reason?

    package init(
        _ verdict: Verdict, _ format: SignatureFormat? = nil, signer: String? = nil, key: String? = nil, _ reason: Reason? = nil
    ) {
        self.verdict = verdict
        self.format = format
        self.signer = signer
        self.key = key
        self.reason = reason
    }

    package static let none = SignatureCheck(.none)

    /// Reads what `gpg --status-fd` reports of one signature, as git reads it. The format: doc/DETAILS of GnuPG.
    package init(gpgStatus text: String, errors: String, program: String) {
        self.init(.unchecked, .openpgp, .programFailed(program, output: errors))
        var found = false
        var isTrusted = true
        for line in text.split(separator: "\n") where line.hasPrefix(Self.gpgPrefix) {
            let words = line.dropFirst(Self.gpgPrefix.count).split(separator: " ", maxSplits: 2)
            guard let word = words.first else { continue }
            let verdict: (Verdict, Reason?)? =
                switch word {
                case "GOODSIG": (.good, nil)
                case "BADSIG": (.bad, .doesNotMatch)
                case "EXPSIG": (.unknown, .signatureHasExpired)
                case "EXPKEYSIG": (.unknown, .keyHasExpired)
                case "REVKEYSIG": (.bad, .keyIsRevoked)
                // The reason is the number 9 where the key is missing.
                case "ERRSIG":
                    line.split(separator: " ").dropFirst(7).first == "9"
                        ? (.unknown, .keyIsMissing) : (.unchecked, .programFailed(program, output: errors))
                default: nil
                }
            if let verdict {
                if found {
                    // Several signatures: git takes none of them.
                    self = SignatureCheck(
                        .unchecked, .openpgp, .programFailed(program, output: "the commit has several signatures"))
                    return
                }
                found = true
                (self.verdict, self.reason) = verdict
                key = words.dropFirst().first.map(String.init)
                if word != "ERRSIG" { signer = words.dropFirst(2).first.map(String.init) }
            } else if word == "VALIDSIG" {
                key = words.dropFirst().first.map(String.init)
            } else if word == "TRUST_UNDEFINED" || word == "TRUST_NEVER" {
                isTrusted = false
            }
        }
        if self.verdict == .good, !isTrusted { (self.verdict, self.reason) = (.unknown, .keyIsNotTrusted) }
    }

    private static let gpgPrefix = "[GNUPG:] "

    /// Reads what `ssh-keygen -Y verify` or `-Y check-novalidate` prints, as git reads it.
    package init(sshOutput text: String, isAllowed: Bool, otherwise reason: Reason) {
        self.init(.bad, .ssh, .doesNotMatch)
        let line = text.split(separator: "\n").first.map(String.init) ?? ""
        key = line.ranges(of: " key ").last.map { String(line[$0.upperBound...]) }
        guard line.hasPrefix("Good \"git\" signature ") else { return }
        guard isAllowed, let start = line.firstRange(of: " for "), let end = line.ranges(of: " with ").last,
            start.upperBound <= end.lowerBound
        else {
            (verdict, self.reason) = (.unknown, reason)
            return
        }
        signer = String(line[start.upperBound..<end.lowerBound])
        (verdict, self.reason) = (.good, nil)
    }
}
