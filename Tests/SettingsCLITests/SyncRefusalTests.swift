import Surroundings
import Testing

/// What 'sync' does not do by itself: bring a branch back that is gone on the server, or take in what a store cannot hold.
@Suite struct SyncRefusalTests {
    @Test(arguments: ["git -C bare.git branch -m main trunk", "git -C bare.git update-ref -d refs/heads/main"])
    func branchesThatAreGone(_ change: String) throws {
        let home = try SyncTests.office()
        _ = try home.run(change)
        let before = try home.run("git -C bare.git for-each-ref; git -C b for-each-ref")
        let error = [
            "settings: origin no longer has the branch 'main', which was deleted or renamed there",
            "hint: nothing was changed; 'settings sync --put-back' sends it again; "
                + "'git config branch.main.merge refs/heads/NAME' follows it to another name", "2",
        ]
        let script = "settings sync 2>&1; echo $?; settings sync --follow 2>&1; echo $?; settings push 2>&1; echo $?"
        #expect(try home.run(":; cd b; \(script)") == error + error + error)
        #expect(try home.run("git -C bare.git for-each-ref; git -C b for-each-ref") == before)
        if change.contains("trunk") {
            #expect(
                try home.run(":; cd b; git config branch.main.merge refs/heads/trunk; settings sync; settings sync") == [
                    "up to date with origin", "up to date with origin",
                ])
            #expect(try home.run("git -C bare.git for-each-ref --format='%(refname)'") == ["refs/heads/trunk"])
        } else {
            #expect(try home.run(":; cd b; settings sync --put-back -q; settings sync") == ["up to date with origin"])
            try SyncTests.check(home)
        }
    }

    /// Pushed with plain git by somebody else, with and without a version of our own beside it.
    @Test(arguments: [
        (
            "git rm -q volume.json; mkdir volume.json; echo hi > volume.json/a",
            "volume.json is a folder instead of a file in"
        ),
        ("cp volume.json 'a b:c*?.json'", "a b:c*?.json is not a valid file name in a store in"),
        ("cp volume.json Volume.json", "differ only in case in"),
        ("mkdir -p Sound sound; cp volume.json Sound/x.json; cp volume.json sound/x.json", "differ only in case in"),
        (
            "mkdir -p $(printf 'd/%.0s' $(seq 100)); cp volume.json $(printf 'd/%.0s' $(seq 100))/x.json",
            "folders are nested too deeply in"
        ),
    ])
    func tipsThatNoStoreCanHave(_ script: String, _ reason: String) throws {
        let home = try SyncTests.office()
        _ = try home.run(":; git clone -q bare.git eve; cd eve; \(script); git add -A; git commit -q -m bad; git push -q")
        for own in ["", "settings set volume 50 -q;"] {
            let lines = try home.run(
                """
                :; cd b; \(own) git rev-parse HEAD origin/main > ../before; settings sync
                git rev-parse HEAD origin/main | cmp - ../before; settings verify -q
                """
            )
            #expect(lines.first?.hasPrefix("settings: origin/main was not accepted: ") == true, "\(lines)")
            #expect(lines.first?.contains(reason) == true, "\(lines)")
            #expect(!lines.contains { $0.contains("differ:") }, "\(lines)")
            #expect(try home.run(":; cd b; settings sync -q 2> /dev/null") == ["[exit status: 65]"])
        }
    }

    /// A tree whose entries are in the wrong order: git itself loses files of it. Also in a version before the last, and in a bundle.
    @Test(arguments: [false, true]) func treesThatGitRefuses(_ isRepaired: Bool) throws {
        let home = try SyncTests.office()
        let script = """
            cd bare.git; git ls-tree -z main | python3 -c 'import sys
            for entry in sorted(sys.stdin.buffer.read().split(b"\\0")[:-1], reverse=True):
                mode, _, rest = entry.split(b" ", 2); id, name = rest.split(b"\\t")
                sys.stdout.buffer.write(mode.lstrip(b"0") + b" " + name + b"\\0" + bytes.fromhex(id.decode()))' > ../tree
            tip=$(git commit-tree -p main -m bad $(git hash-object -t tree --literally -w ../tree))
            \(isRepaired ? "tip=$(git commit-tree -p $tip -m good 'main^{tree}');" : "")
            git update-ref refs/heads/main $tip; git bundle create -q ../bad.bundle main HEAD; git rev-parse $tip
            """
        #expect(try home.run(":; \(script)").count == 1)
        let state = "git -C b rev-parse HEAD origin/main; git -C b count-objects -v; ls b"
        let before = try home.run(state)
        for command in ["sync", "pull", "pull ../bad.bundle"] {
            let lines = try home.run(":; cd b; settings \(command)")
            #expect(lines.first?.contains(" sent damaged data: object ") == true, "\(lines)")
            #expect(lines.first?.contains(": treeNotSorted: not properly sorted; nothing was changed") == true, "\(lines)")
            #expect(lines.last == "[exit status: 65]", "\(lines)")
        }
        #expect(try home.run(state) == before)
        #expect(try home.run("settings clone -q bare.git c; settings clone -q bad.bundle c; ls -d c").count == 4)
    }

    /// A clone of what is wrong by its names alone may be the only copy there is; a folder in a file's place can't be read.
    @Test func clonesOfSuchTips() throws {
        let home = try SyncTests.office()
        _ = try home.run(
            ":; git clone -q bare.git eve; cd eve; cp volume.json Volume.json; git add -A; git commit -q -m bad; git push -q")
        #expect(try home.run("settings clone -q bare.git c; settings verify -q --store c").last == "[exit status: 65]")
        _ = try home.run(
            ":; cd eve; git rm -q dark.json; mkdir dark.json; echo 1 > dark.json/a; git add -A; git commit -q -m worse; git push -q"
        )
        let lines = try home.run("settings clone bare.git d; ls d")
        #expect(lines.first?.contains("dark.json is a folder instead of a file in") == true, "\(lines)")
    }

    /// Somebody made files executable: that comes along, as any mode does that git knows.
    @Test func executableFiles() throws {
        let home = try SyncTests.office()
        _ = try home.run(
            """
            :; git clone -q bare.git eve; cd eve; chmod +x volume.json; printf '#!/bin/sh\\n' > run.sh; chmod +x run.sh
            git add -A; git commit -q -m modes; git push -q
            """
        )
        #expect(try home.run(":; cd b; settings sync -q; test -x volume.json && test -x run.sh && git status --porcelain") == [])
        let lines = try home.run(
            """
            :; cd a; settings set dark on -q; settings sync -q; test -x run.sh && git status --porcelain
            git ls-files -s run.sh | cut -c1-6
            """
        )
        #expect(lines == ["100755"])
        _ = try home.run(":; cd eve; git pull -q; chmod -x run.sh; git commit -q -a -m modes; git push -q")
        #expect(try home.run(":; cd b; settings sync -q; test -x run.sh || git status --porcelain") == [])
        try home.run("git -C a status --porcelain; git -C b fsck --strict 2>&1").forEach { Issue.record("\($0)") }
    }
}
