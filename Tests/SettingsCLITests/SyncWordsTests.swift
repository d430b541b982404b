import Surroundings
import Testing

/// What 'sync', 'pull' and 'push' say of a bundle, of a branch without versions, and of what they refuse.
@Suite struct SyncWordsTests {
    @Test func bundlesAreOnlyRead() throws {
        let home = try SyncTests.office()
        _ = try home.run(":; cd a; settings bundle ../f.bundle -q; cd ..; settings clone -q f.bundle c")
        for command in ["sync", "pull", "push"] {
            #expect(try home.run(":; cd c; settings \(command)") == ["up to date with origin"], "nothing is to be sent")
        }
        let refused = [
            "settings: origin is a bundle, which can only be read",
            "hint: 'settings remote add NAME URL' adds a repository to send to; 'settings bundle FILE' writes a bundle",
            "[exit status: 77]",
        ]
        _ = try home.run(":; cd c; settings set dark on -q")
        for command in ["sync", "push"] { #expect(try home.run(":; cd c; settings \(command)") == refused, "\(command)") }
        #expect(try home.run(":; cd c; settings pull") == ["1 version here is not in origin"])
        #expect(try home.run(":; cd c; settings pull ../f.bundle") == ["1 version here is not in ../f.bundle"])
        let named = ["settings: ../f.bundle is a bundle, which can only be read", refused[1], refused[2]]
        #expect(try home.run(":; cd c; settings push ../f.bundle") == named)
        // Also one with versions that are not here.
        _ = try home.run(":; cd a; settings set volume 7 -q; settings push -q; settings bundle ../f.bundle -q")
        #expect(try home.run(":; cd c; settings push ../f.bundle") == named)
        #expect(try home.run(":; cd c; settings sync") == refused, "what came in stays")
        #expect(try home.run(":; cd c; settings get volume dark") == ["7", "true"])
        // Pushes may go somewhere else.
        #expect(
            try home.run(":; cd c; git remote set-url --push origin ../bare.git; settings sync | head -1")
                == ["1 version sent to origin:"])
        #expect(try home.run(":; git -C c rev-parse HEAD") == home.run(":; git -C bare.git rev-parse main"))
    }

    @Test func filesThatAreNoBundles() throws {
        let home = try SyncTests.office()
        _ = try home.run(":; : > empty.bundle; echo text > text.bundle")
        for (name, reason) in [("empty", "the file is empty"), ("text", "the file is not a bundle")] {
            for command in ["clone \(name).bundle x", "pull ../\(name).bundle --store a"] {
                let lines = try home.run(":; settings \(command)")
                #expect(
                    lines.first?.hasSuffix("\(name).bundle: \(reason)") == true && lines.last == "[exit status: 66]", "\(lines)")
            }
        }
    }

    /// What git says of the reason is on two lines.
    @Test func refusedConnectionsAreNamed() throws {
        let home = try SyncTests.office()
        let lines = try home.run(":; cd a; settings pull git://127.0.0.1:1/x")
        #expect(
            lines.first == "settings: git://127.0.0.1:1/x cannot be reached: unable to connect to 127.0.0.1: Connection refused",
            "\(lines)")
    }

    @Test func unrelatedHistoriesCanBeMergedByName() throws {
        let home = try SyncTests.office()
        let script = """
            settings init c -q --title C; cd c; settings remote add shop ../bare.git -q; settings pull ../bare.git; settings pull shop
            settings pull shop 2>&1 | sed -n "s/hint: '\\(.*\\)' merges.*/\\1 --ours -q/p" > ~/hint; sh ~/hint; settings get volume
            """
        #expect(
            try home.run(":; \(script)") == [
                "settings: ../bare.git and this branch have no common history",
                "hint: check the address: only a copy of this store has the same history; to merge it anyway, add it with 'settings "
                    + "remote add NAME URL' and pull from NAME",
                "settings: shop/main and this branch have no common history",
                "hint: 'settings merge shop/main --allow-unrelated-histories' merges them anyway", "40",
            ])
    }

    /// A file beside the store, changed on both sides.
    @Test func whatGitHasToMergeIsNamed() throws {
        let home = try SyncTests.office()
        let there = ":; cd b; echo b > notes; git add notes; git commit -qm notes; git push -q; git branch -q -m main"
        #expect(try home.run(there) == [])
        let here = "cd a; echo a > notes; git add notes; git commit -qm notes"
        let named = try home.run(":; \(here); settings sync")
        #expect(named.contains { $0.hasPrefix("hint: 'git merge origin/main' merges everything") }, "\(named)")
        let pulled = try home.run(":; cd a; settings pull ../b")
        #expect(pulled.contains { $0.hasPrefix("hint: 'git pull ../b main' merges everything") }, "\(pulled)")
    }

    @Test func branchesWithoutVersions() throws {
        let home = try SyncTests.office()
        for command in ["sync", "push"] {
            #expect(
                try home.run(":; cd a; git checkout -q --orphan new; settings \(command)") == [
                    "settings: nothing is recorded on the branch 'new' yet, and origin has no branch of that name",
                    "hint: record a version first, or check out another branch with 'git switch BRANCH'", "[exit status: 66]",
                ], "\(command)")
        }
    }

    @Test func placesInBrokenFiles() throws {
        let home = try SyncTests.office()
        _ = try home.run(":; cd b; printf '{\\n' > volume.json; git commit -qam broken; git push -q")
        #expect(
            SyncTests.plain(try home.run(":; cd a; settings sync")) == [
                "settings: origin/main was not accepted: volume.json:2:1 in ID by Ada Example: expected a name in double "
                    + "quotes, found the end of input; nothing was changed",
                "hint: it is accepted once a later version there corrects the file", "[exit status: 65]",
            ])
    }

    @Test func severalProgramsThatAreNotUsed() throws {
        let home = try SyncTests.office()
        let script = "cd a; git config core.sshCommand x; git config credential.helper y; settings sync 2>&1"
        #expect(
            try home.run(":; \(script)").first
                == "warning: core.sshCommand = 'x' and 1 other value in this repository's configuration are not used for origin; if they "
                + "are yours, 'settings remote trust origin' allows them, or move them to your own configuration (~/.gitconfig)")
    }

    @Test func jsonNamesWhatIsMissing() throws {
        let home = try SyncTests.office()
        let script = "git remote add gone ../gone.git; settings sync --all --json 2> /dev/null | grep '\"state\"'"
        #expect(
            try home.run(":; cd a; \(script)") == ["      \"state\": \"in step\",", "      \"state\": \"missing\","])
        // Nothing was ever asked of these.
        #expect(try home.run(":; cd a; settings remote --json | grep trusted | sort -u") == ["      \"trusted\": null,"])
    }

    /// As 'history' shows them.
    @Test func decisionsAreNamedByTheirTitles() throws {
        let home = try SyncTests.office()
        let script = """
            cd b; settings set language French -q; settings sync -q; cd ../a; settings set language German -q
            settings sync -q > /dev/null 2>&1; settings resolve language French; settings sync; settings history --oneline -n 1
            """
        let lines = SyncTests.plain(try home.run(":; \(script)"))
        #expect(lines.allSatisfy { !$0.contains("language: ") }, "\(lines)")
        #expect(lines.filter { $0.contains("Language (language): ") }.count == 4, "\(lines)")
    }
}
