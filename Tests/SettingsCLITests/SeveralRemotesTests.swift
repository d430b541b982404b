import Foundation
import Surroundings
import Testing

/// 'sync' with several remotes at once.
@Suite struct SeveralRemotesTests {
    /// As `SyncTests.office`, with a second repository, `backup.git`, that both clones know, and one that cannot be reached.
    private func office() throws -> Home {
        let home = try SyncTests.office()
        let script = """
            git init -q --bare backup.git; git init -q --bare empty.git
            for m in a b; do settings remote add backup ../backup.git -q --store $m; done
            settings remote add away http://127.0.0.1:1/x.git -q --store a; settings sync backup -q --store a
            """
        #expect(try home.run(":; \(script)") == [])
        return home
    }

    @Test func eachIsReportedAndNoneStopsTheOthers() throws {
        let home = try office()
        _ = try home.run(":; cd b; settings set volume 60 -q; settings push backup -q; settings set language French -q; cd ../a")
        let lines = try home.run(":; cd a; settings set dark on -q; settings sync --all")
        let away = "settings: away cannot be reached: "
        #expect(lines.contains { $0.hasPrefix(away) }, "\(lines)")
        #expect(
            SyncTests.plain(lines.filter { !$0.hasPrefix(away) }) == [
                "2 versions sent to origin:", "  ID  Dark mode (dark): Off → On  Ada Example",
                "  ID  Volume (volume): 40 → 60    Ada Example",
                "1 version fetched from backup:", "  ID  Volume (volume): 40 → 60  Ada Example",
                "1 version sent to backup:", "  ID  Dark mode (dark): Off → On  Ada Example",
                "hint: check the network and the spelling of the address, or try again later", "[exit status: 75]",
            ], "\(lines)")
        #expect(
            try home.run("git -C a rev-parse main; git -C bare.git rev-parse main; git -C backup.git rev-parse main").count == 3)
        #expect(
            Set(try home.run("git -C a rev-parse main; git -C bare.git rev-parse main; git -C backup.git rev-parse main")).count
                == 1)
    }

    /// What comes in from a later one goes out to earlier ones as well.
    @Test func allAreInStepAtTheEnd() throws {
        let home = try office()
        _ = try home.run(":; cd b; settings set volume 60 -q; settings sync origin -q; cd ../a; settings remote rm away -q")
        let lines = try home.run(":; cd a; settings sync backup origin backup; settings sync --all")
        #expect(
            SyncTests.plain(lines) == [
                "1 version sent to backup:", "  ID  Volume (volume): 40 → 60  Ada Example",
                "1 version fetched from origin:", "  ID  Volume (volume): 40 → 60  Ada Example",
                "up to date with origin", "up to date with backup",
            ])
    }

    /// `b` has another value of what is published: in its own repository, in a bundle and on a second remote.
    @Test func onlyTheBranchsOwnRemoteIsInForce() throws {
        let home = try office()
        let script = """
            { git -C a config branch.main.remote origin; git -C a config branch.main.merge refs/heads/main
            cd b; settings set volume 3 -q; settings bundle ../old.bundle; settings push backup
            cd ../a; settings remote rm away; settings set volume 60 -q; settings sync -q; } > /dev/null 2>&1; cd ..
            """
        #expect(try home.run(":; \(script)") == [])
        for (command, value) in [
            ("pull ../old.bundle", "60"), ("pull ../b", "60"), ("pull backup", "60"), ("sync --all", "60"), ("sync backup", "60"),
            ("pull ../old.bundle --in-force theirs", "3"), ("sync --all --in-force theirs", "3"),
        ] {
            let lines = try home.run(":; rm -rf c; cp -a a c; cd c; settings \(command); settings get volume")
            let open = lines.contains("  Volume (volume): ours is 60, theirs is 3, and \(value) is in force")
            #expect(open && lines.last == value, "\(command): \(lines)")
            #expect(try home.run(":; git -C a push -q -f ../bare.git main; git -C b push -q -f ../backup.git main") == [])
        }
        // The own remote by its address.
        let own = ":; rm -rf c; cp -a b c; cd c; settings pull ../bare.git; settings get volume"
        #expect(try home.run(own).last == "60")
        // Without a remote of its own, the published side is that of whoever is pulled from.
        let none = "git remote remove origin; git remote remove backup; settings pull ../b; settings get volume"
        #expect(try home.run(":; rm -rf c; cp -a a c; cd c; \(none)").last == "3")
    }

    @Test func statusThatAsksMostCounts() throws {
        let home = try office()
        // Offline, and a conflict.
        _ = try home.run(":; cd b; settings set language French -q; settings sync origin -q")
        let lines = try home.run(":; cd a; settings set language German -q; settings sync --all -q")
        #expect(lines.last == "[exit status: 2]" && lines.contains("1 conflict is open:"), "\(lines)")
        // A version that is refused besides.
        let evil = "git rm -q --cached _store.json; rm _store.json; git commit -qm evil; git push -q backup main"
        _ = try home.run(":; cd b; git fetch -q backup; git reset -q --hard backup/main; \(evil)")
        let refused = try home.run(":; cd a; settings sync --all --json")
        #expect(refused.last == "[exit status: 65]", "\(refused)")
        let script = """
            :; cd a; settings sync --all --json 2> /dev/null | python3 -c '
            import json, sys
            for r in json.load(sys.stdin)["remotes"]: print(r["remote"], r["state"], "in" in r)'
            """
        #expect(try home.run(script) == ["origin in step True", "away offline False", "backup refused False"])
    }

    @Test func wrongWordsDoNothing() throws {
        let home = try office()
        let before = try home.run("git -C a rev-parse main; git -C bare.git rev-parse main")
        for (words, status) in [("origin nowhere", 66), ("--all origin", 64), ("--all --every 0s", 64)] {
            let lines = try home.run(":; cd a; settings set volume+=1 -q; settings sync \(words)")
            #expect(lines.last == "[exit status: \(status)]", "\(lines)")
        }
        #expect(try home.run("git -C bare.git rev-parse main").first == before.last)
        #expect(
            try home.run(":; cd a; for r in origin backup away; do git remote rm $r; done; settings sync --all").last
                == "[exit status: 66]")
    }
}
