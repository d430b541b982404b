import Foundation
import Surroundings
import Testing

/// `settings browse` from scripts and in plain mode: what comes of it in git.
struct BrowseTests {
    /// A store with a branch that was merged, tags, and a commit of plain git.
    static func archive() throws -> Home {
        let home = try EditTests.office()
        for command in [
            "settings set -q display.theme Dark -m 'too dark outdoors' --ticket FEAT-12",
            "git branch laptop",
            "settings set -q display.brightness 60 --author 'Bob <bob@example.org>'",
            "git checkout -q laptop", "settings set -q display.name Büro -m 'moved office' --author 'Bob <bob@example.org>'",
            "git checkout -q main", "settings merge -q laptop", "settings tag -q v1",
            "settings set -q display.theme Auto -m 'by the sun'", "settings set -q display.larger on",
            "settings set -q display.brightness 80 general.language French -m 'for Paris'",
        ] { #expect(try home.run(command) == [], "\(command)") }
        return home
    }

    private func browse(_ script: String, in home: Home, _ options: String = "") throws -> [String] {
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        let lines = try home.run("settings browse \(options) --script ~/script")
        #expect(try home.untidy() == nil)
        #expect(try home.unsound() == "")
        return lines
    }

    private func value(_ keys: String, _ home: Home) throws -> [String] { try home.run("settings get \(keys)") }

    @Test func theListShowsBranchesTagsAndWhatChanged() throws {
        let home = try Self.archive()
        let script = """
            :resize 120 40
            :expect [main] Brightness: 60 → 80, and 1 more
            :expect ○─╮
            :expect [v1]
            :expect [laptop]
            :refuse Searching
            """
        #expect(try browse(script, in: home) == [])
    }

    /// By keys and in plain mode: a branch is created at an earlier version and checked out, a tag is created at the last one.
    @Test func branchesAndTagsAreCreatedAndSwitched() throws {
        let home = try Self.archive()
        let script = """
            :resize 120 40
            :keys Down b
            :expect name, at
            :keys G Up Enter "win" Enter
            :expect Created the branch win at
            :keys Down Down Enter "not it" Enter
            :expect Invalid tag name 'not it'
            :keys Enter "v2" Enter
            :expect as v2
            :expect ✓ main
            :keys b
            names 1
            New tag = v3
            :expect as v3
            win
            :expect The store is on win now: Brightness: 80 → 60
            :expect ✓win
            """
        #expect(try browse(script, in: home) == [])
        #expect(
            try home.run("git symbolic-ref --short HEAD; git log -1 --format=%s win; git describe --tags --exact-match v2 main")
                == ["win", "display.larger: Off → On", "v2", "v3"])
        #expect(try home.run("settings get display.brightness") == ["60"])
        // What is not recorded stays on its branch.
        let refused = "open 1\nback\nrestore 3\nEverything\nnames\nmain\n:expect not recorded: record or dismiss"
        #expect(try browse(refused, in: home) == [])
        #expect(try home.run("git symbolic-ref --short HEAD") == ["win"])
    }

    /// What each script restores, and what is in force afterwards; the same by keys and in plain mode.
    private static let sessions: [(name: String, script: String, subject: String, trailer: String)] = [
        (
            "one option", "open VERSION\nTheme\nrestore Theme\ndone\nWhy = back\nDone\n:expect Recorded",
            "display.theme: Auto → Dark", "Restored-from"
        ),
        (
            "one page", "pages VERSION\nrestore Display\ndone\nWhy = back\nDone\n:expect Recorded",
            "display.brightness: 80 → 60, and 2 more", "Restored-from"
        ),
        (
            "everything", "restore VERSION\nEverything\ndone\nWhy = back\nDone\n:expect Recorded",
            "display.brightness: 80 → 60, and 3 more", "Restored-from"
        ),
        (
            "a version", "revert HEAD\ndone\nWhy = back\nDone\n:expect Recorded",
            "display.brightness: 80 → 60, and 1 more", "Reverts"
        ),
        (
            "one change of a version", "HEAD\nrevert display.brightness\ndone\nWhy = back\nDone\n:expect Recorded",
            "display.brightness: 80 → 60", "Reverts"
        ),
    ]

    @Test(arguments: sessions.indices)
    func oneVersionIsRecorded(_ index: Int) throws {
        let session = Self.sessions[index]
        var trees: [[String]] = []
        for options in ["", "--plain"] {
            let home = try Self.archive()
            let merge = try home.run("git rev-parse v1^{commit}")[0]
            let theme = try home.run("git log --format=%H --grep FEAT-12")[0]
            let head = try home.run("git rev-parse HEAD")[0]
            let version = session.name == "one option" ? theme : merge
            let script = session.script.replacing("VERSION", with: version.prefix(10))
                .replacing("HEAD", with: head.prefix(10))
            #expect(try browse(script, in: home, options) == [], "\(session.name) \(options)")
            #expect(try home.run("git rev-list --count \(head)..HEAD") == ["1"])
            #expect(try home.run("git log -1 --format=%s") == [session.subject])
            let named = session.trailer == "Reverts" ? head : version
            #expect(
                try home.run("git log -1 --format='%(trailers:key=\(session.trailer),valueonly)'").first
                    == home.changeID(of: named))
            #expect(try home.run("git log -1 --format='%(trailers:key=Via,valueonly)'").first == "browse")
            trees.append(try home.run("git rev-parse HEAD^{tree}"))
            if session.name == "everything" {
                #expect(try home.run("git diff --stat v1 HEAD -- display general") == [])
            }
        }
        #expect(trees[0] == trees[1] && trees[0] != [])
    }

    @Test func keysDoWhatTheyDoOnTheScreen() throws {
        let home = try Self.archive()
        let script = """
            :resize 40 10
            :keys Down Down m Down Down =
            :expect →
            :keys Esc
            :keys / "@became:dark" Enter
            :expect 1 match
            :keys p Enter
            :expect Dark (now Auto)
            :keys Enter
            :expect read-only
            :keys r
            :expect 1 change
            :keys u
            :refuse 1 change
            :keys U c
            :expect Theme
            :keys Enter
            :expect Recorded
            :keys 1 g
            :expect [main] Theme
            """
        #expect(try browse(script, in: home) == [])
        #expect(try value("display.theme", home) == ["dark"])
        #expect(try home.run("git rev-list --count v1..HEAD") == ["4"])
    }

    @Test(arguments: [("Yours", "light"), ("Theirs", "auto"), ("Before", "dark")])
    func aConflictOfARevertIsAPage(_ pick: String, _ value: String) throws {
        for options in ["", "--plain"] {
            let home = try Self.archive()
            let id = try home.run("git log --format=%h --grep FEAT-12")[0]
            let script = """
                revert \(id)
                :expect changed since
                Theme
                \(pick)
                done
                \(pick == "Theirs" ? ":expect records changes, and there are none yet" : "Done")
                """
            #expect(try browse(script, in: home, options) == [], "\(pick)")
            #expect(try self.value("display.theme", home) == [value])
        }
    }

    @Test func whatIsRenamedIsShownUnderBothNames() throws {
        let home = try Self.archive()
        #expect(try home.run("settings rename -q display.larger display.big; git checkout -q --detach") == [])
        let id = try home.run("git rev-parse v1^{commit}")[0]
        let script = """
            :resize 120 24
            :expect [HEAD, main]
            pages \(id.prefix(10))
            Display
            :expect Off (now display.big: On)
            """
        #expect(try browse(script, in: home) == [])
    }

    @Test func whatCannotBeRestoredIsSaid() throws {
        let home = try Self.archive()
        let id = try home.run("git log --format=%h --grep FEAT-12")[0]
        _ = try home.run("settings label remove -q display.theme Dark")
        #expect(
            try browse("restore \(id)\nWhat This Version Changed\n:expect Dark is no longer offered\n:refuse change", in: home)
                == [])
        _ = try home.run("settings rename -q display.larger display.big")
        let renaming = try home.run("git rev-parse --short HEAD")[0]
        #expect(try browse("revert \(renaming)\n:expect renames an option", in: home) == [])
    }

    @Test func whatIsGoneHasAHistoryAndComesBack() throws {
        let home = try Self.archive()
        _ = try home.run("settings remove -q display.fonts")
        #expect(try browse(":expect removed\n:expect added", in: home, "display.fonts") == [])
        #expect(try browse(":expect Light → Dark\n:refuse 60 → 80", in: home, "display.theme") == [])
        let id = try home.run("git rev-parse --short v1^{commit}")[0]
        let script = "pages \(id)\nDisplay\nrestore Fonts\ndone\nDone\n:expect Recorded"
        #expect(try browse(script, in: home) == [])
        #expect(try value("display.fonts", home) == ["[1]"])
        #expect(try browse("", in: home, "no.such").last == "[exit status: 66]")
    }

    @Test func aVersionWithAFileThatCannotBeReadAndHandEditsAreShown() throws {
        let home = try Self.archive()
        _ = try home.run(
            "echo '{' > display/larger.json; git commit -qam broken; git checkout -q HEAD^ display/larger.json; git commit -qam mended"
        )
        _ = try home.run("sed -i 's/\"value\": 80/\"value\": 75/' display/brightness.json")
        let script = """
            :resize 120 40
            :expect broken
            :keys Down Enter
            :expect larger.json cannot be read
            :keys p Enter
            :expect Theme
            :keys D
            :expect -}
            :keys Esc 1 g
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("settings browse --script ~/script") == [])
        #expect(try home.run("git status --short") == [" M display/brightness.json"])
    }

    @Test func aMaskedTextIsInNoScreen() throws {
        let home = try Self.archive()
        _ = try home.run("printf geheim | settings set -q display.secret -")
        let id = try home.run("git rev-parse --short HEAD")[0]
        let script =
            ":save-display\nfiles \(id)\n:save-display\n:expect masked text\nback\nopen \(id)\n:save-display\n/@key:secret\n:save-display"
        for options in ["", "--plain"] {
            let shown = try browse(script, in: home, options).joined()
            #expect(!shown.contains("geheim") && shown.contains("Password"))
        }
        #expect(try browse("files \(id)\n:expect geheim", in: home, "--reveal") == [])
    }

    /// Nor one that is masked since, in any version, or that was when it was removed.
    @Test(arguments: ["settings define -q pw --masked", "settings define -q pw --masked; settings remove -q pw"])
    func whatIsMaskedSinceIsInNoScreen(_ since: String) throws {
        let home = try Self.archive()
        _ = try home.run("settings add -q pw --title Password --text s3cret; settings set -q pw s4cret; git tag then; \(since)")
        let id = try home.run("git rev-parse --short then")[0]
        let script =
            ":save-display\nfiles \(id)\n:save-display\nback\nopen \(id)\n:save-display\nback\npages \(id)\n:save-display"
        for options in ["", "--plain"] {
            let shown = try browse(script, in: home, options).joined()
            #expect(!shown.contains("s3cret") && !shown.contains("s4cret") && shown.contains("Password"))
        }
        #expect(try browse("files \(id)\n:expect s4cret", in: home, "--reveal") == [])
    }

    @Test func plainModeListsPartsOfALongHistory() throws {
        let home = try Self.archive()
        var stream = ""
        for number in 1...200 {
            stream += "commit refs/heads/main\ncommitter Ada Lovelace <ada@example.org> \(1_800_000_000 + number) +0000\n"
            stream += "data <<.\nNumber \(number)\n.\n" + (number == 1 ? "from refs/heads/main^0\n" : "")
            stream +=
                "M 100644 inline n.json\ndata <<.\n{\n  \"title\": \"N\",\n  \"type\": \"number\",\n  \"value\": \(number)\n}\n.\n"
        }
        try Data(stream.utf8).write(to: URL(fileURLWithPath: home.path + "/stream"))
        _ = try home.run("git fast-import --quiet < ~/stream; git reset -q --hard main")
        let lines = try home.run("printf 'Earlier Versions\\n\\n' | settings browse --plain")
        #expect(lines.contains { $0.hasPrefix("40. ") && $0.contains("N: 160 → 161") })
        #expect(lines.contains { $0.hasPrefix("80. ") && $0.contains("N: 120 → 121") })
        #expect(lines.contains("41. Earlier Versions") && !lines.contains { $0.hasPrefix("90. ") })
        // The last one, by keys.
        #expect(try browse(":keys G\n:expect new store", in: home) == [])
    }

    @Test func aPipeThatClosesAndBadInput() throws {
        let home = try Self.archive()
        #expect(try home.run("settings browse < /dev/null | head -n 1") == ["Browse"])
        #expect(try home.run("yes 1 | settings browse --plain | head -n 1") == ["Browse"])
        #expect(
            try home.run("printf 'revert 99\\nnonsense x\\n/@when:x\\n' | settings browse --plain | tail -n 4").contains(
                "'@when:x' is not a filter: @who: @why: @key: @ticket: @became: @since: @until:.") == true)
        #expect(try home.run("settings browse a b").last == "[exit status: 64]")
        #expect(try home.run("(cd /; settings browse < /dev/null)").last == "[exit status: 66]")
        #expect(try home.run("settings browse --keys | grep -c .") != ["0"])
    }
}
