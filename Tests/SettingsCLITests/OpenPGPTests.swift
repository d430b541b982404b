import Foundation
import Testing

/// Versions that are signed with OpenPGP keys, made and checked by gpg; git agrees about each of them.
@Suite(.enabled(if: SigningKey.has("gpg") && SigningKey.has("gpgconf"), "gpg is not installed"))
struct OpenPGPTests {
    private func store(_ keyring: Keyring) throws -> Home {
        let home = try Home()
        let script = """
            settings init -q; settings add b --title B --number 1 -q
            printf '#!/bin/sh\\nGNUPGHOME=\(keyring.path) exec gpg --batch --pinentry-mode loopback --passphrase "" "$@"\\n' > ~/gpg
            printf '#!/bin/sh\\nGNUPGHOME=\(keyring.path) exec gpg --batch --pinentry-mode loopback --passphrase "" \
            --faked-system-time 20200301T000000 "$@"\\n' > ~/gpg-in-2020
            chmod +x ~/gpg ~/gpg-in-2020; git config --global gpg.program $HOME/gpg
            """
        #expect(try home.run(script) == [])
        return home
    }

    @Test func gitAgreesAboutEachSignature() throws {
        let keyring = try Keyring()
        let own = try store(keyring)
        let script = """
            exec 2> ~/errors; export GNUPGHOME=\(keyring.path)
            key() { ~/gpg -q --quick-gen-key "$1 <$1@example.org>" ed25519 sign never; }
            for k in good other missing untrusted revoked; do key $k; done
            ~/gpg-in-2020 -q --quick-gen-key 'expired <expired@example.org>' ed25519 sign 2020-06-01
            for k in good missing untrusted revoked; do settings set b+=1 -q --sign=$k@example.org || echo $k; done
            # A day later: on a busy machine the key is seconds younger than when the next program starts.
            sed -i s/20200301/20200302/ ~/gpg-in-2020; git config --global gpg.program $HOME/gpg-in-2020
            settings set b+=1 -q --sign=expired@example.org || echo expired
            git config --global gpg.program $HOME/gpg
            id() { ~/gpg --with-colons --list-keys $1@example.org | sed -n 's/^fpr:*\\([^:]*\\):/\\1/p' | head -1; }
            ~/gpg -q --yes --delete-secret-and-public-key $(id missing)
            echo "$(id untrusted):2:" | ~/gpg -q --import-ownertrust
            sed 's/^:---/---/' $GNUPGHOME/openpgp-revocs.d/$(id revoked).rev | ~/gpg -q --import
            settings set b+=1 -q --no-sign; settings set b+=1 -q --sign=good@example.org
            git update-ref refs/heads/main $(git cat-file commit HEAD | sed 's/^Via: .*/Via: nobody/' |
              git hash-object -t commit -w --stdin)
            """
        let done = try own.run(script)
        let errors = try own.run("cat ~/errors")
        #expect(done == [], "\(errors)")
        let verdicts = try SignatureTests.verdicts(own)
        #expect(
            verdicts == ["B bad", "N none", "Y unknown", "R bad", "U unknown", "E unknown", "G good", "N none", "N none"],
            "\(verdicts)")
        let history = try own.run("settings history --signatures | grep -i sign").map { $0.trimmingCharacters(in: .whitespaces) }
        for words in [
            "bad signature: the signature does not match the version; openpgp key ", "not signed", "the key has expired",
            "bad signature: the key has been revoked; openpgp key ", "but not certified", "the key is not in your keyring",
            "signed by good <good@example.org>, openpgp key ",
        ] { #expect(history.contains { $0.contains(words) }, "\(words) is missing in \(history)") }
        let verified = try own.run("settings verify --signatures")
        #expect(
            verified.contains(
                "9 versions checked: 1 signed by a known signer, 3 signed by an unknown key, 2 with a bad signature, 3 not signed"
            ),
            "\(verified)")
        #expect(verified.suffix(2) == ["settings: found 2 bad signatures", "[exit status: 65]"])
    }

    @Test func committerIsTheKeyIfNoneIsConfigured() throws {
        let keyring = try Keyring()
        let home = try store(keyring)
        let refused = try home.run("settings set b 2 --sign")
        #expect(
            refused.first?.hasPrefix("settings: cannot sign with key 'Ada Example <ada@example.org>': ") == true, "\(refused)")
        #expect(refused.last == "[exit status: 77]")
        #expect(try home.run("settings get b; git rev-list --count HEAD") == ["1", "2"])
        #expect(try home.run("~/gpg -q --quick-gen-key 'Ada Example <ada@example.org>' ed25519 sign never 2>/dev/null") == [])
        #expect(try home.run("settings set b 2 --sign -q; settings tag here --sign -q") == [])
        #expect(
            try home.run("git verify-commit HEAD 2>&1 | grep -c 'Good signature'; git tag -v here 2>&1 | grep -c 'Good sig'") == [
                "1", "1",
            ])
        // A repository names keys of the user's keyring.
        #expect(
            try home.run("git config user.signingKey ada@example.org; git config commit.gpgSign true; settings set b 3 -q") == [])
        #expect(try SignatureTests.verdicts(home).prefix(2) == ["G good", "G good"])
        #expect(try home.unsound() == "")
    }
}
