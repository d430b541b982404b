import Foundation
import Surroundings
import Testing

/// At a terminal, 'sync' asks about the conflicts that it leaves open.
@Suite(.enabled(if: Terminal.isThere, "python3 has a module pty here"))
struct ConflictAskingTests {
    /// Two clones, `a` and `b`, that chose different languages and volumes; `b` has published its own.
    private func office() throws -> Home {
        let home = try SyncTests.office()
        _ = try home.run(":; cd b; settings set language French -q; settings set volume 60 -q; settings sync -q")
        _ = try home.run(":; cd a; settings set language German -q; settings set volume 5 -q")
        return home
    }

    @Test func answersAreRecordedAndSent() throws {
        let home = try office()
        let language = "language: ours, theirs, a value (Enter for later)? "
        let screen = try Terminal(home).run(
            "cd a; settings sync",
            [(language, "Latin\n"), (language, "English\n"), ("volume: ours, theirs, a value (Enter for later)? ", "theirs\n")])
        #expect(screen.contains("2 conflicts are open:") && !screen.contains("exit status"), "\(screen)")
        #expect(screen.contains("has no label or value \"Latin\"") || screen.contains("Latin"), "\(screen)")
        #expect(
            try home.run(":; cd a; settings conflicts; settings get language volume") == [
                "there are no open conflicts", "english", "60",
            ])
        #expect(
            try home.run(":; cd b; settings sync -q; settings conflicts; settings get language") == [
                "there are no open conflicts", "english",
            ])
        try SyncTests.check(home)
    }

    /// A squashed merge leaves a conflict without sides.
    @Test func sidesThatAreGoneAreNotOffered() throws {
        let home = try SyncTests.office()
        _ = try home.run(
            """
            :; cd b; printf 'squashed\n\nVia: cli\nConflict: language value\nChange-Id: I%040d\n' 1 | git commit -q --allow-empty -F -
            settings sync -q
            """)
        let language = "language: a value (Enter for later)? "
        let screen = try Terminal(home).run("cd a; settings sync", [(language, "ours\n"), (language, "French\n")])
        #expect(screen.contains("the two sides of language:value are not in this history"), "\(screen)")
        #expect(
            try home.run(":; cd a; settings conflicts; settings get language") == ["there are no open conflicts", "french"])
    }

    @Test func whatIsNotAnsweredStaysOpen() throws {
        let home = try office()
        let screen = try Terminal(home).run(
            "cd a; settings sync",
            [
                ("language: ours, theirs, a value (Enter for later)? ", "ours\n"),
                ("volume: ours, theirs, a value (Enter for later)? ", "\n"),
            ])
        #expect(screen.contains("[exit status: 2]"), "\(screen)")
        #expect(try home.run(":; cd b; settings sync -q > /dev/null; settings get language volume") == ["german", "60"])
        #expect(try home.run(":; cd a; settings conflicts --json | grep '\"key\"'").count == 1)
    }

    /// What was answered goes out to those that can be reached.
    @Test func answersGoToSeveralRemotes() throws {
        let home = try office()
        _ = try home.run("git init -q --bare backup.git; git -C a remote add backup ../backup.git")
        _ = try home.run("git -C a remote add away http://127.0.0.1:1/x.git")
        let screen = try Terminal(home).run(
            "cd a; settings sync --all",
            [
                ("language: ours, theirs, a value (Enter for later)? ", "ours\n"),
                ("volume: ours, theirs, a value (Enter for later)? ", "7\n"),
            ])
        #expect(screen.contains("away cannot be reached") && screen.contains("[exit status: 75]"), "\(screen)")
        #expect(try home.run("git -C bare.git log -1 --format=%s; git -C backup.git log -1 --format=%s").count == 2)
        for bare in ["bare", "backup"] {
            #expect(try home.run("git -C \(bare).git show main:volume.json | grep value") == ["  \"value\": 7"])
        }
    }

    @Test func endOfInputLeavesAllOpen() throws {
        let home = try office()
        let screen = try Terminal(home).run(
            "cd a; settings pull", [("language: ours, theirs, a value (Enter for later)? ", "\u{4}")])
        #expect(screen.contains("[exit status: 2]"), "\(screen)")
        #expect(try home.run(":; cd a; git log -1 --format=%s") == ["merge origin/main"])
    }

    @Test(arguments: ["sync -q", "sync --json", "sync < /dev/null", "sync 2>&1 | cat"]) func nobodyIsAskedElsewhere(
        _ words: String
    ) throws {
        let home = try office()
        let screen = try Terminal(home).run("cd a; settings \(words)")
        #expect(!screen.contains("Enter for later"), "\(screen)")
    }
}
