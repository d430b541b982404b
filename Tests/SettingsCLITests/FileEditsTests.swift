import Foundation
import Surroundings
import Testing

/// Edits of the files and open questions on pages, through the program: what comes of them in git.
struct FileEditsTests {
    /// A store with edits in its files, among them two of one option.
    private func office() throws -> Home {
        let home = try EditTests.office()
        for command in [
            #"sed -i 's/"value": "light"/"value": "dark"/; s/"Theme"/"Colour Theme"/' display/theme.json"#,
            #"sed -i 's/"value": 50/"value": 60/' display/brightness.json"#, "rm display/larger.json",
        ] { #expect(try home.run(command) == []) }
        return home
    }

    private func edit(_ script: String, in home: Home, _ options: String = "") throws -> [String] {
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        let lines = try home.run("settings edit \(options) --script ~/script")
        #expect(try home.unsound() == "")
        return lines
    }

    private let session = """
        commit
        :expect Colour Theme
        :expect Light → Dark
        stage Brightness
        :expect 1 staged
        stage Larger Text
        undo
        redo
        done
        :expect Why
        :refuse Recorded
        Why = Easier at night.
        Ticket = FEAT-12
        Done
        :expect Recorded
        """

    @Test(arguments: ["", "--plain"])
    func aPartIsRecordedAndTheRestStays(_ options: String) throws {
        let home = try office()
        let theme = try home.run("cat display/theme.json")
        #expect(try edit(session, in: home, options) == [])
        #expect(
            try home.run("git log -1 --format=%B | grep -v ^Change-Id") == [
                "display.brightness: 50 → 60, and 1 more", "", "Easier at night.", "", "Changes:",
                "  display.brightness: 50 → 60", "  display.larger: removed (was Off)", "", "Ticket: FEAT-12", "Via: edit", "",
            ])
        #expect(try home.run("cat display/theme.json") == theme)
        #expect(try home.run("git status --porcelain") == [" M display/theme.json"])
        #expect(try home.run("git diff --cached --name-only") == [])
        #expect(try home.run("settings done -q -m Rest && git status --porcelain") == [])
    }

    @Test func theSameScriptInPlainModeGivesTheSameTree() throws {
        var trees: [[String]] = []
        for options in ["", "--plain"] {
            let home = try office()
            #expect(try edit(session, in: home, options) == [])
            trees.append(try home.run("git rev-parse HEAD^{tree}; git ls-files -s; cat display/*.json | sha1sum"))
        }
        #expect(trees[0] == trees[1])
    }

    /// The reason is asked for first, so whoever goes on to type it types no command.
    @Test func aReasonThatIsTypedRecordsNothing() throws {
        let home = try office()
        let first = try home.run("git rev-parse HEAD")
        let script = """
            commit
            :keys Down Down Space c "scope change" Enter Space
            :expect Enter chooses Done
            :refuse Recorded
            """
        #expect(try edit(script, in: home) == [])
        #expect(try home.run("git rev-parse HEAD") == first)
        // In lines, the input ends before anybody has confirmed it.
        _ = try home.run(#"printf 'commit\nstage Brightness\ndone\n' | settings edit --plain"#)
        #expect(try home.run("git rev-parse HEAD") == first)
    }

    @Test func oneChangeOfAFileIsStagedAsGitSeesIt() throws {
        let home = try office()
        let script = """
            commit
            :keys Down Down
            :expect ▸ Colour Theme
            :keys Space
            :expect 1 staged
            """
        #expect(try edit(script, in: home) == [])
        let diff = try home.run("git diff --cached -U0 | grep '^[-+]  '")
        #expect(diff == ["-  \"title\": \"Theme\",", "+  \"title\": \"Colour Theme\","] || diff.count == 4, "\(diff)")
        #expect(try home.run("settings done --staged -q -m Part") == [])
        #expect(try home.run("git log -1 --format=%B | head -n 1; git diff --cached --stat").count == 1)
        #expect(try home.run("settings done --staged -m None") == ["nothing to record: nothing is staged"])
        #expect(try home.run("settings done --staged display").last == "[exit status: 64]")
    }

    @Test func whatGitStagedIsStaged() throws {
        let home = try office()
        _ = try home.run("git add display/brightness.json && git rm -q --cached display/larger.json")
        #expect(try edit("commit\n:expect 2 staged\nunstage Brightness\n:expect 1 staged", in: home) == [])
        #expect(try home.run("git diff --cached --name-status") == ["D\tdisplay/larger.json"])
    }

    @Test func whatIsDiscardedComesBackByteForByte() throws {
        let home = try office()
        _ = try home.run("sed -i 's/$/\\r/' display/theme.json")
        let files = try home.run("sha1sum display/*.json")
        #expect(try edit("commit\ndiscard Colour Theme\n:expect u brings it back", in: home) == [])
        #expect(try home.run("sha1sum display/*.json") != files)
        #expect(try home.run("settings discard --undo -q") == [])
        #expect(try home.run("sha1sum display/*.json") == files)
        #expect(try edit("commit\nDiscard All\n:expect no unrecorded edits\n:keys u\n:expect back in the files", in: home) == [])
        #expect(try home.run("sha1sum display/*.json") == files)
        #expect(try edit("commit\nDiscard All", in: home) == [])
        #expect(try home.run("git status --porcelain; settings status").count == 1)
    }

    @Test func filesChangeWhileThePageIsShown() throws {
        let home = try office()
        let editor = home.path + "/editor"
        try Data("#!/bin/sh\ncp \"$HOME/whole\" \"$1\"\n".utf8).write(to: URL(fileURLWithPath: editor))
        _ = try home.run("chmod +x ~/editor; git show HEAD:display/name.json | sed 's/山田/Ada/' > ~/whole")
        _ = try home.run("echo '{ half' > display/name.json")
        let script = """
            commit
            :expect display/name.json:1:3
            :keys Space
            :expect Enter opens it
            :keys Enter
            :refuse display/name.json:1:3
            :expect Küche Ada
            stage Device Name
            done
            Done
            :expect Recorded
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("VISUAL=~/editor settings edit --script ~/script") == [])
        #expect(try home.run("settings get display.name --at HEAD") == ["Küche Ada"])
        // Somebody edits while the page is open.
        let plain = #"""
            (echo commit; sleep 1; sed -i 's/"value": "english"/"value": "german"/' general/language.json; echo; sleep 1; echo) |
             settings edit --plain
            """#
        let lines = try home.run(plain)
        #expect(lines.contains { $0.contains("Language: English → German") }, "\(lines)")
    }

    @Test func anIndexThatIsLockedIsReported() throws {
        let home = try office()
        _ = try home.run(": > .git/index.lock")
        #expect(try edit("commit\nstage Brightness\n:expect index\n:refuse 1 staged", in: home) == [])
        _ = try home.run("rm .git/index.lock")
        #expect(try edit("commit\nstage Brightness\n:expect 1 staged", in: home) == [])
    }

    // MARK: Questions

    private func questions() throws -> Home {
        let home = try EditTests.office()
        for command in [
            "git checkout -q -b side", "settings set -q display.theme auto -m 'for both'",
            "settings set -q display.brightness 70 && settings set -q display.larger on", "git checkout -q main",
            "settings set -q display.theme dark -m 'easier at night' && settings set -q display.brightness 60",
            "settings merge side --keep -q || true",
        ] { _ = try home.run(command) }
        return home
    }

    @Test(arguments: ["", "--plain"])
    func oneIsSettledAsResolveDoes(_ options: String) throws {
        let (page, command) = (try questions(), try questions())
        #expect(try page.run("settings conflicts").last == "[exit status: 2]")
        let script = """
            :expect 2 conflicts are open
            2 conflicts are open
            Theme
            :expect Ours by
            Theirs
            done
            Why = agreed
            Done
            :expect Recorded
            """
        #expect(try edit(script, in: page, options) == [])
        #expect(try command.run("settings resolve -q display.theme --theirs -m agreed") == [])
        let log = "git log -1 --format='%T%n%B' | grep -vE '^(Via|Change-Id):'"
        #expect(try page.run(log) == command.run(log))
        #expect(try page.run("git log -1 --format=%B").contains("Resolves: display.theme value"))
        #expect(try page.untidy() == nil)
        #expect(try edit(":expect 1 conflict is open", in: page, options) == [])
    }

    @Test func severalWithAnotherChangeAreOneVersion() throws {
        let home = try questions()
        let before = try home.run("git rev-list --count HEAD")
        let script = """
            2 conflicts are open
            Theme
            Before
            Brightness
            Theirs
            :keys h
            /device name
            Device Name = Hall
            done
            Done
            :expect Recorded
            :keys Esc
            :refuse open
            """
        #expect(try edit(script, in: home) == [])
        let trailers = try home.run("git log -1 --format='%(trailers:key=Resolves,valueonly)'").filter { !$0.isEmpty }
        #expect(trailers.sorted() == ["display.brightness value", "display.theme value"])
        #expect(try home.run("git rev-list --count HEAD") == [String((Int(before[0]) ?? 0) + 1)])
        #expect(try home.run("settings get display.theme display.brightness display.name") == ["light", "70", "Hall"])
        #expect(try home.run("settings conflicts") == ["there are no open conflicts"])
    }

    @Test func aQuestionThatSomebodySettledMeanwhileIsGone() throws {
        let home = try questions()
        let lines = try home.run(
            """
            (echo '2 conflicts are open'; echo Theme; echo Theirs; sleep 1; settings resolve -q display.theme --ours; echo; echo back;
             echo) | settings edit --plain
            """)
        #expect(lines.contains("1. 1 conflict is open ›"), "\(lines)")
    }
}
