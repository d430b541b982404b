import Surroundings
import Testing

/// Commits that change no settings: 'sync', 'pull' and 'push' list them, too.
@Suite struct SyncOtherCommitsTests {
    private static let commit = "git add -A . && git commit -qm"

    @Test func commitsOfOtherFilesAreListed() throws {
        let home = try SyncTests.office()
        let script = """
            cd b; echo secret > main.c; \(Self.commit) 'wip, not for publication'
            mkdir src; for n in 1 2 3 4 5; do echo $n > src/$n; done; \(Self.commit) 'five files'; settings sync; settings sync
            """
        let listed = [
            "  ID  wip, not for publication  main.c                           Ada Example",
            "  ID  five files                src/1, src/2, src/3, and 2 more  Ada Example",
        ]
        #expect(
            SyncTests.plain(try home.run(":; \(script)")) == ["2 other commits sent to origin:"] + listed + [
                "up to date with origin"
            ])
        #expect(
            SyncTests.plain(try home.run(":; cd a; settings set dark on -q; settings sync")) == [
                "2 other commits fetched from origin:"
            ] + listed + ["1 version sent to origin:", "  ID  Dark mode (dark): Off → On  Ada Example"],
            "the merge is not listed")
        try SyncTests.check(home, ["a"])
    }

    /// A file of the store that was only formatted anew, and an empty commit.
    @Test func commitsThatChangeNothingAreListed() throws {
        let home = try SyncTests.office()
        let script = """
            cd b; git commit -q --allow-empty -m empty; printf '\\n' >> volume.json; \(Self.commit) 'a line more'
            settings set dark on -q; settings push
            """
        let lines = SyncTests.plain(try home.run(":; \(script)"))
        #expect(
            lines.first == "1 version sent to origin:" && lines.contains("2 other commits sent to origin:"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  ID  a line more  volume.json  Ada Example") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  ID  empty ") }, "\(lines)")
    }

    @Test func pullCountsAllThatWaits() throws {
        let home = try SyncTests.office()
        let script = "cd a; echo x > notes; \(Self.commit) notes; settings pull; settings set dark on -q; settings pull"
        #expect(
            try home.run(":; \(script)") == [
                "1 other commit to send: 'settings push' sends it",
                "1 version and 1 other commit to send: 'settings push' sends them",
            ])
        let json = try home.run(":; cd a; settings pull --json | grep waiting")
        #expect(json == ["  \"waiting\": 2,"])
        let offline = try home.run(":; cd a; git remote set-url origin http://127.0.0.1:1/x.git; settings sync")
        #expect(offline.first?.hasSuffix("; 2 versions have not been sent yet") == true, "\(offline)")
    }

    @Test func noMoreThanTwentyAreListed() throws {
        let home = try SyncTests.office()
        let script = "cd a; for n in $(seq 21); do echo $n > notes; \(Self.commit) \"note $n\"; done; settings sync"
        let lines = SyncTests.plain(try home.run(":; \(script)"))
        #expect(lines.count == 22 && lines.first == "21 other commits sent to origin:", "\(lines)")
        #expect(lines.dropFirst().first?.hasPrefix("  ID  note 2 ") == true && lines.last == "  and 1 earlier one", "\(lines)")
    }

    @Test func jsonListsThem() throws {
        let home = try SyncTests.office()
        let script = """
            echo x > notes; \(Self.commit) 'some notes' ; settings sync --json > ../out; cd ../b; settings sync --json > ../in
            cd ..; python3 -c '
            import json
            o, i = json.load(open("out")), json.load(open("in"))
            print(o["outCount"], o["otherOutCount"], o["otherOut"][0]["subject"], o["otherOut"][0]["files"], o["otherIn"])
            print(i["inCount"], i["otherInCount"], i["otherIn"] == o["otherOut"], i["otherIn"][0]["version"]["author"]["name"])'
            """
        #expect(
            try home.run(":; cd a; \(script)") == ["0 1 some notes ['notes'] []", "0 1 True Ada Example"])
    }

    @Test func repeatedSyncsReportThem() throws {
        let home = try SyncTests.office()
        let script = """
            cd b; settings sync --every 1s > ~/out 2>&1 & loop=$!; cd ../a; echo x > notes; \(Self.commit) notes; settings push -q
            for n in $(seq 1200); do test -s ../b/notes && test -s ~/out && break; sleep 0.1; done
            kill $loop; wait $loop; cat ~/out
            """
        #expect(
            SyncTests.plain(try home.run(":; \(script)")) == [
                "1 other commit fetched from origin:", "  ID  notes  notes  Ada Example",
            ])
    }

    /// What came in may keep git from merging the store's files by meaning.
    @Test func theMergeDriverIsMissed() throws {
        let home = try SyncTests.office()
        _ = try home.run(":; cd b; echo '*.json -merge' > .gitattributes; \(Self.commit) attributes; git push -q")
        let lines = try home.run(":; cd a; settings sync; settings sync 2>&1")
        let warning = try #require(lines.first { $0.hasPrefix("warning: ") }, "\(lines)")
        #expect(warning.contains("the fetched versions changed .gitattributes, which no longer names the merge driver"))
        #expect(warning.contains("'settings setup'"))
        #expect(lines.contains("1 other commit fetched from origin:") && lines.last == "up to date with origin", "\(lines)")
        #expect(lines.filter { $0.hasPrefix("warning: ") }.count == 1, "it is said once: \(lines)")
        // One that still names it is no reason for a warning.
        let named = "printf '*.json merge=settings\\n*.md text\\n' > .gitattributes"
        _ = try home.run(":; cd b; \(named); \(Self.commit) again; git push -q")
        let again = try home.run(":; cd a; settings sync -q; cd ../b; echo x >> .gitattributes; \(Self.commit) x; git push -q")
        #expect(again == [])
        #expect(try home.run(":; cd a; settings sync 2>&1 | grep -c warning") == ["0", "[exit status: 1]"])
        // A folder's own lines win.
        let below = "settings add general.mode --title Mode --switch -q; echo '*.json -merge' > general/.gitattributes"
        let nested = try home.run(
            ":; cd b; git pull -q; \(below); \(Self.commit) folder; git push -q; cd ../a; settings sync 2>&1")
        #expect(
            nested.contains {
                $0.hasPrefix(
                    "warning: the fetched versions changed general/.gitattributes, which does not name the merge driver for general/"
                )
            }, "\(nested)")
        #expect(try home.run(":; cd a; settings sync 2>&1 | grep -c warning") == ["0", "[exit status: 1]"])
    }

    /// Versions that were here before they came in are not listed as such.
    @Test func whatWasHereDidNotComeIn() throws {
        let home = try SyncTests.office()
        // While git asks the remote, others record versions here and there, and send them.
        let script = """
            export -p | grep GIT_ > ~/identity; real=$(command -v git); mkdir ~/slow; cat > ~/slow/git <<'END'
            #!/bin/sh
            case "$*" in *upload-pack*) if test -e ~/wait; then rm ~/wait; (. ~/identity; cd ~/office/a
              settings set dark on -q; settings push -q; cd ../b; settings sync -q) > ~/inner 2>&1; fi;; esac
            END
            printf 'exec %s "$@"\\n' "$real" >> ~/slow/git; chmod +x ~/slow/git; (cd b; settings set volume 7 -q)
            cd a; touch ~/wait; PATH=~/slow:$PATH settings sync; cat ~/inner; settings get volume dark
            """
        #expect(
            SyncTests.plain(try home.run(":; \(script)")) == [
                "1 version fetched from origin:", "  ID  Volume (volume): 40 → 7  Ada Example", "7", "true",
            ])
    }
}
