import Surroundings
import Testing

/// What plain git's commits of merges, squashes and picks say and leave, and what 'history' makes of merges that say nothing.
@Suite struct GitDecisionsTests {
    /// In `~/office/s`, on `main`, once each side has run a script.
    private func store(ours: String, theirs: String, driver: Bool = true) throws -> Home {
        let home = try Home()
        let script = """
            settings init -q s; cd s
            settings add -q general.language --title Language --choice English French German Spanish
            settings add -q sound.volume --title Volume --number 40 --range 0..100:5
            settings add -q net.host --title Host --text alpha
            \(driver ? ":" : "git config --remove-section merge.settings"); git branch b
            \(ours); git switch -q b; \(theirs); git switch -q main
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        #expect(try home.run("cd s") == [])
        return home
    }

    /// The newest version: what it changed, without its id and time.
    private static let newest = "settings history -n 1 | tail -n +2 | sed 's/^ *//'"

    private static let languages = (
        ours: "settings set -q general.language German", theirs: "settings set -q general.language French"
    )

    @Test func aMergeWithAMessageOfItsOwn() throws {
        let home = try store(ours: Self.languages.ours, theirs: Self.languages.theirs)
        let hint = try home.run(
            "git merge -q b > /dev/null; settings resolve general.language --theirs -m 'Paris wins' --ticket T-5 2>&1")
        #expect(
            hint == [
                "Language (general.language): German → French",
                "hint: marked as resolved in git; finish with 'git commit' without -m, which keeps the reason",
            ])
        #expect(
            try home.run("git commit -qm 'Merge b'; \(Self.newest)") == [
                "Language (general.language): chose French over German", "Merge b",
            ])
        let id = try home.run("git rev-parse --short=7 HEAD").joined()
        for command in ["history general.language -n 1", "history general -n 1", "history", "blame general.language"] {
            let lines = try home.run("settings \(command) | grep -c \(id)")
            #expect(lines == ["1"], "\(command)")
        }
        let shown = try home.run("settings show HEAD")
        #expect(shown.contains("    Language (general.language): chose French over German"), "\(shown)")
        let document = try home.run("settings history -n 1 --json | grep -A 3 decisions | tr -d ' \\n'")
        #expect(document.joined().hasPrefix("\"decisions\":[{\"key\":\"general.language\""), "\(document)")
    }

    /// Without the driver, git takes a side of what it can't merge.
    @Test(arguments: [("theirs", "French", "German"), ("ours", "German", "French")])
    func aSideThatGitTook(side: String, chosen: String, other: String) throws {
        let home = try store(ours: Self.languages.ours, theirs: Self.languages.theirs, driver: false)
        let lines = try home.run("git merge -q -X \(side) -m 'Merge b' b > /dev/null; \(Self.newest)")
        #expect(lines == ["Language (general.language): chose \(chosen) over \(other)", "Merge b"])
        let blamed = try home.run("settings blame general.language | grep -c \"$(git rev-parse --short=7 HEAD)\"")
        #expect(blamed == ["1"])
        // The same with the index, where the merge is not the newest version any more.
        let later = try home.run(
            "settings set -q sound.volume 60; settings history general.language | grep -c 'chose \(chosen)'; "
                + "settings set -q sound.volume 65; settings blame general.language | grep -c \"$(git rev-parse --short=7 HEAD~2)\"; "
                + "settings verify --deep > /dev/null && echo sound")
        #expect(later == ["1", "1", "sound"])
    }

    @Test func aLabelThatOneSideRemoved() throws {
        let home = try store(
            ours: "settings set -q general.language Spanish", theirs: "settings label remove -q general.language Spanish",
            driver: false)
        let lines = try home.run("git merge -q -m 'Merge b' b > /dev/null; \(Self.newest)")
        #expect(lines.count == 3 && lines.last == "Merge b", "\(lines)")
        #expect(lines.first == "Language (general.language): chose Spanish over English")
        // Nothing offers it any more.
        #expect(
            lines.dropFirst().first?.hasSuffix("\"value\" is \"spanish\", which is not one of the option's values") == true,
            "\(lines)")
    }

    @Test func twoNames() throws {
        let home = try store(
            ours: "settings rename -q sound.volume sound.level", theirs: "settings rename -q sound.volume sound.loud")
        let lines = try home.run(
            "git merge -q b > /dev/null; settings resolve -q sound.volume:key --theirs 2> /dev/null; git commit -qm 'Merge b'; "
                + Self.newest)
        #expect(lines == ["Volume (sound.loud): chose the name sound.loud", "Merge b"])
    }

    /// What one side renamed and the other removed, and that the merge kept.
    @Test func aNameThatStayed() throws {
        let home = try store(ours: "settings rename -q sound.volume sound.level", theirs: "settings remove -q sound.volume")
        let lines = try home.run(
            "git merge -q b > /dev/null; settings resolve -q sound.level --ours 2> /dev/null; git commit -qm 'Merge b'; "
                + Self.newest)
        #expect(lines == ["Volume (sound.level): chose the name sound.level", "Merge b"])
    }

    /// A change that one side alone made, and that the merge lost.
    @Test func aChangeThatGotLost() throws {
        let home = try store(
            ours: "settings set -q general.language German; settings set -q net.host beta",
            theirs: "settings define -q general.language --title Tongue")
        let lines = try home.run(
            "git merge -q --no-commit b > /dev/null 2>&1; git checkout -q b -- general/language.json; git commit -qm Lost; \(Self.newest)"
        )
        #expect(lines == ["Tongue (general.language): German → English", "Lost"])
        let blamed = try home.run("settings blame general.language | grep -c \"$(git rev-parse --short=7 HEAD)\"")
        #expect(blamed == ["1"])
    }

    @Test func aMergeThatDecidedNothing() throws {
        let home = try store(
            ours: "settings set -q general.language German; settings define -q general.language --title Tongue",
            theirs: "settings label rename -q general.language English Englisch")
        let lines = try home.run(
            "git merge -q -m 'Merge b' b > /dev/null; settings history | grep -c 'Merge b'; settings get general.language")
        #expect(lines == ["0", "german"])
    }

    // MARK: merges by this program

    /// What a side that was taken needs beside it.
    @Test func aBoundThatCameWithTheSide() throws {
        let home = try store(ours: "settings define -q sound.volume --range 0..50:5", theirs: "settings set -q sound.volume 80")
        let lines = try home.run("settings merge -q b --theirs; \(Self.newest)")
        #expect(lines == ["Volume (sound.volume): maximum 50 → 100", "Volume (sound.volume): chose 80 over 40"])
        let who = try home.run("settings diff --who --from HEAD^1 --to HEAD | tail -n 2")
        let id = try home.run("git rev-parse --short=7 HEAD").joined()
        #expect(who.first == "Volume (sound.volume): maximum 50 → 100" && who.last?.contains(id) == true, "\(who)")
    }

    @Test(arguments: [
        (
            "rename -q sound audio; settings set -q audio.volume 70", "set -q sound.volume 80",
            ["Volume (audio.volume): chose 80 over 70"]
        ),
        (
            "rename -q sound.volume sound.level; settings set -q sound.level 70", "set -q sound.volume 80",
            ["Volume (sound.level): chose 80 over 70"]
        ),
        (
            "rename -q sound.volume sound.level; settings set -q sound.level 70",
            "rename -q sound.volume sound.loud; settings set -q sound.loud 60",
            ["Volume (sound.loud): chose the name sound.loud", "Volume (sound.loud): chose 60 over 70"]
        ),
        ("rename -q sound.volume sound.level", "remove -q sound.volume", ["Volume (sound.volume): chose to remove it"]),
        (
            "set -q sound.volume 80", "rename -q sound audio; settings set -q audio.volume 70",
            ["Volume (audio.volume): chose 70 over 80"]
        ),
    ])
    func theNameOnEachSide(ours: String, theirs: String, expected: [String]) throws {
        let home = try store(ours: "settings \(ours)", theirs: "settings \(theirs)")
        #expect(try home.run("settings merge -q b --theirs; \(Self.newest)") == expected)
    }

    @Test func aLabelThatAMergeTook() throws {
        let home = try store(
            ours: "settings label remove -q general.language Spanish",
            theirs: "settings label rename -q general.language Spanish Castellano")
        let lines = try home.run("settings merge -q b --theirs; settings diff --who --from HEAD^1")
        #expect(!lines.contains { $0.contains("values written out") }, "\(lines)")
        let who = try home.run("settings diff --who --from HEAD^1 | grep -o 'decided on its labels'")
        #expect(who == ["decided on its labels"])
    }

    // MARK: squashes and picks

    @Test func theMessageOfASquash() throws {
        let home = try store(
            ours: "settings set -q net.host beta",
            theirs: "settings set -q general.language French; settings set -q net.host gamma")
        let start = "git merge -q --squash b > /dev/null 2>&1; ls .git | grep MSG"
        #expect(try home.run(start) == ["MERGE_MSG", "SQUASH_MSG"])
        // As long as some of it isn't recorded, the message is.
        let part = try home.run(
            "settings resolve -q net.host --theirs 2> /dev/null; settings done -q net.host; ls .git | grep MSG")
        #expect(part == ["MERGE_MSG", "SQUASH_MSG"])
        #expect(try home.run("settings done -q -m Squashed; ls .git | grep MSG; git status --short") == [])
        let refused = try home.run("echo x > words; git add words; GIT_EDITOR=true git commit -q 2>&1")
        #expect(refused.first == "Aborting commit due to empty commit message.", "\(refused)")
    }

    @Test func theMessageOfAPick() throws {
        let home = try store(
            ours: "settings set -q general.language German",
            theirs: "settings set -q -m b general.language=French sound.volume=60")
        let lines = try home.run(
            "git cherry-pick b > /dev/null 2>&1; settings resolve -q general.language --theirs -m r1 --ticket T-9 2> /dev/null; "
                + "GIT_EDITOR=true git cherry-pick --continue > /dev/null; git log -1 --format=%B | grep -v ^Change-Id")
        #expect(
            lines == [
                "general.language: German → French, and 1 more", "", "b", "", "r1", "", "Changes:",
                "  general.language: German → French", "  sound.volume: 40 → 60", "", "Via: cli", "Ticket: T-9", "",
            ])
        let told = try home.run(Self.newest)
        #expect(
            told == [
                "Language (general.language): German → French", "Volume (sound.volume): 40 → 60", "b", "", "r1", "T-9",
            ])
    }

    /// By 'git am', which doesn't say which version a patch is of, and by 'git rebase --apply'.
    @Test(arguments: ["am", "rebase"]) func theMessageOfAPatch(command: String) throws {
        let home = try store(
            ours: "settings set -q general.language German",
            theirs: "settings set -q -m b general.language=French sound.volume=60")
        let apply =
            command == "am" ? "git format-patch -q --stdout -1 b | git am -q -3" : "git switch -q b; git rebase -q --apply main"
        let lines = try home.run(
            "{ \(apply); } > /dev/null 2>&1; settings resolve -q general.language --theirs -m r1 2> /dev/null; "
                + "git \(command) --continue > /dev/null; git log -1 --format=%B | grep -v ^Change-Id | tail -n +3")
        #expect(
            lines == [
                "b", "", "r1", "", "Changes:", "  general.language: German → French", "  sound.volume: 40 → 60", "",
                "Via: cli", "",
            ])
    }

    /// Of two conflicts; and a name.
    @Test func theMessagesOfARebase() throws {
        let home = try store(
            ours: "settings set -q general.language=German sound.volume=20; settings rename -q net.host net.name",
            theirs: "settings set -q -m b general.language=French sound.volume=60; settings rename -q -m rr net.host net.machine")
        let half = try home.run(
            "git switch -q b; git rebase -q main > /dev/null 2>&1; settings resolve -q general.language --theirs -m r1 2> /dev/null; "
                + "grep -v '^#' .git/rebase-merge/message")
        #expect(half.prefix(5) == ["general.language: English → French, and 1 more", "", "b", "", "r1"], "\(half)")
        #expect(!half.contains("Changes:"), "\(half)")
        let lines = try home.run(
            "settings resolve -q sound.volume --ours -m r2 2> /dev/null; GIT_EDITOR=true git rebase --continue > /dev/null 2>&1; "
                + "git log -1 --format=%B | grep -v ^Change-Id; settings resolve -q net.host:key --theirs -m r3 2> /dev/null; "
                + "GIT_EDITOR=true git rebase --continue > /dev/null 2>&1; git log -1 --format=%B | grep -v ^Change-Id; git status --short"
        )
        #expect(
            lines == [
                "general.language: German → French", "", "b", "", "r1", "", "r2", "", "Via: cli", "",
                "net.machine: renamed net.name → net.machine", "", "rr", "", "r3", "", "Via: cli",
                "Renamed: net.name net.machine", "",
            ])
    }
}
