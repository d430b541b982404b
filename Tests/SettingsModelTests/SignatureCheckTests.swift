import Testing

@testable import SettingsModel

/// What gpg and ssh-keygen print, read as git reads it.
@Suite struct SignatureCheckTests {
    private func gpg(_ lines: String...) -> SignatureCheck {
        SignatureCheck(gpgStatus: lines.map { "[GNUPG:] \($0)\n" }.joined(), errors: "why", program: "gpg")
    }

    @Test func gpgReportsOneSignature() {
        let good = gpg("NEWSIG", "GOODSIG 18FD Ada Lovelace <ada@x>", "VALIDSIG E417 2026-11-22 1", "TRUST_ULTIMATE 0 pgp")
        #expect(good == SignatureCheck(.good, .openpgp, signer: "Ada Lovelace <ada@x>", key: "E417"))
        let untrusted = gpg("GOODSIG 18FD Ada", "VALIDSIG E417 2026", "TRUST_UNDEFINED 0 pgp")
        #expect(untrusted == SignatureCheck(.unknown, .openpgp, signer: "Ada", key: "E417", .keyIsNotTrusted))
        #expect(
            gpg("EXPKEYSIG 18FD Ada", "VALIDSIG E417")
                == SignatureCheck(.unknown, .openpgp, signer: "Ada", key: "E417", .keyHasExpired))
        #expect(gpg("EXPSIG 18FD Ada").reason == .signatureHasExpired)
        #expect(gpg("REVKEYSIG 18FD Ada") == SignatureCheck(.bad, .openpgp, signer: "Ada", key: "18FD", .keyIsRevoked))
        #expect(gpg("BADSIG 18FD Ada") == SignatureCheck(.bad, .openpgp, signer: "Ada", key: "18FD", .doesNotMatch))
        #expect(gpg("ERRSIG 18FD 22 10 00 1795360003 9 E417") == SignatureCheck(.unknown, .openpgp, key: "18FD", .keyIsMissing))
        #expect(gpg("ERRSIG 18FD 99 10 00 1795360003 4 -").verdict == .unchecked)
    }

    @Test func whatGPGDoesNotSayIsNotGood() {
        #expect(gpg() == SignatureCheck(.unchecked, .openpgp, .programFailed("gpg", output: "why")))
        #expect(gpg("NODATA 4").verdict == .unchecked)
        // Two signatures, of which one is good.
        #expect(gpg("GOODSIG 18FD Ada", "GOODSIG 18FD Ada").verdict == .unchecked)
        #expect(gpg("BADSIG 18FD Ada", "GOODSIG 18FD Ada").verdict == .unchecked)
        let outside = SignatureCheck(gpgStatus: "GOODSIG 18FD Ada\nx [GNUPG:] GOODSIG 18FD Ada\n", errors: "", program: "gpg")
        #expect(outside.verdict == .unchecked)
    }

    @Test func keygenNamesThePrincipal() {
        func ssh(_ text: String, isAllowed: Bool = true) -> SignatureCheck {
            SignatureCheck(sshOutput: text, isAllowed: isAllowed, otherwise: .isNoAllowedSigner)
        }
        let good = ssh("Good \"git\" signature for ada with key x@y with ED25519 key SHA256:abc\n")
        #expect(good == SignatureCheck(.good, .ssh, signer: "ada with key x@y", key: "SHA256:abc"))
        let unknown = ssh("Good \"git\" signature with ED25519 key SHA256:abc\n", isAllowed: false)
        #expect(unknown == SignatureCheck(.unknown, .ssh, key: "SHA256:abc", .isNoAllowedSigner))
        #expect(ssh("Could not verify signature.\n") == SignatureCheck(.bad, .ssh, .doesNotMatch))
        #expect(ssh("").verdict == .bad)
        #expect(ssh("Good \"file\" signature for ada with ED25519 key SHA256:abc\n").verdict == .bad)
    }
}
