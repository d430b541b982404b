import Foundation
import Surroundings
import Testing

/// `settings.requireSignatures`: versions from elsewhere are taken in only if a known signer has signed them.
@Suite(.enabled(if: SigningKey.has("ssh-keygen"), "ssh-keygen is not installed"))
struct RequiredSignaturesTests {
    private func office() throws -> Home {
        let home = try SyncTests.office()
        try SigningKey.write(for: home)
        let script = """
            git config --global gpg.format ssh; git config --global user.signingKey '~/.ssh/id_ed25519.pub'
            git config --global gpg.ssh.allowedSignersFile '~/allowed'; git config --global settings.requireSignatures true
            printf 'ada@example.org %s' "$(cat ~/.ssh/id_ed25519.pub)" > ~/allowed
            """
        #expect(try home.run(":; \(script)") == [])
        return home
    }

    private static let refused = [
        "settings: origin/main was not accepted: ID by Ada Example: not signed; nothing was changed",
        "hint: settings.requireSignatures in git's configuration requires signatures", "[exit status: 65]",
    ]

    @Test(arguments: ["sync", "pull"]) func whatIsNotSignedIsRefused(_ command: String) throws {
        let home = try office()
        let allowed = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=settings.requireSignatures GIT_CONFIG_VALUE_0=false"
        let sent = try home.run(
            ":; cd b; settings set volume 5 -q --sign; settings set dark on -q; git -C ../bare.git rev-parse main; settings sync")
        #expect(sent.contains { $0.hasPrefix("settings: nothing was sent to origin: ") && $0.contains("not signed") }, "\(sent)")
        #expect(sent.last == "[exit status: 77]", "\(sent)")
        #expect(try home.run("git -C bare.git rev-parse main").first.map { sent.contains($0) } == true)
        _ = try home.run(":; cd b; \(allowed) settings sync -q")
        let state = "git -C a rev-parse main origin/main; git -C a count-objects"
        let before = try home.run(state)
        #expect(SyncTests.plain(try home.run(":; cd a; settings \(command)")) == Self.refused)
        #expect(try home.run(state) == before)
        // Also what git itself has fetched.
        #expect(SyncTests.plain(try home.run(":; cd a; git fetch -q; settings \(command)")) == Self.refused)
        #expect(try home.run("git -C a rev-parse main").first == before.first)
        #expect(try home.run(":; cd a; \(allowed) settings \(command) -q; settings get dark volume") == ["true", "5"])
        #expect(try home.run(":; cd a; settings doctor | grep -c 'versions from elsewhere have to be signed'") == ["1"])
    }

    @Test func whatSomebodyKnownSignedComesIn() throws {
        let home = try office()
        _ = try home.run(":; cd b; settings set dark on -q --sign; settings tag x -q; settings sync -q")
        #expect(try home.run(":; cd a; settings sync -q; settings get dark; git tag") == ["true", "x"])
        _ = try home.run(":; cd b; settings set dark off -q --sign; settings sync -q; echo > ~/allowed")
        let lines = try home.run(":; cd a; settings sync")
        #expect(lines.first?.contains("signed by an unknown key") == true && lines.last == "[exit status: 65]", "\(lines)")
    }

    @Test func clonesAreCheckedFromTheBeginning() throws {
        let home = try office()
        let lines = SyncTests.plain(try home.run("settings clone bare.git c; ls"))
        #expect(
            lines == [
                "settings: bare.git was not accepted: ID by Ada Example: not signed; nothing was changed", Self.refused[1], "a",
                "b",
                "bare.git",
            ])
        let signed = """
            git config --global commit.gpgSign true; git init -q --bare new.git; settings init -q n; cd n
            settings add -q dark --title Dark --switch; git remote add origin ../new.git; settings sync -q; cd ..
            settings clone -q new.git c; cd c; settings get dark; git config --global settings.requireSignatures perhaps
            settings sync
            """
        let last = try home.run(":; \(signed)")
        #expect(last.first == "false" && last.last?.hasPrefix("[exit status: ") == true, "\(last)")
        #expect(last.contains { $0.contains("perhaps") }, "\(last)")
    }
}
