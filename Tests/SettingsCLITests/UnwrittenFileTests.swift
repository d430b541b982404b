import Foundation
import Surroundings
import Testing

private let mounts =
    (try? Surroundings.run(
        ["unshare", "-m", "sh", "-c", "mount --bind /etc/hostname /etc/hostname"], in: "/", ["PATH": Surroundings.searchPath]
    ).status) == 0

/// Files that can't be written after the branch has moved: each has another file mounted on it, as in a container.
@Suite(.enabled(if: mounts, "this user can't make mount namespaces"))
struct UnwrittenFileTests {
    /// A store with three options, and a command that runs another one while files have others mounted on them.
    private static let store = """
        settings init -q; settings add -q a.x --title X --number 1; settings add -q a.y --title Y --number 1
        settings add -q a.z --title Z --number 1; settings set -q a.x 2 a.y 3 a.z 4 -m q
        holding() {
          files=; while [ "$1" != : ]; do files="$files $1"; shift; done; shift
          files=$files unshare -m bash -c '
            for file in $files; do cp $file ~/mounted; mv ~/mounted ~/mounted-${file//\\//-}
              mount --bind ~/mounted-${file//\\//-} $file; done
            "$@"' - "$@" 2>&1 | sed -E "s#cannot write /[^:]*/a/#cannot write a/#"
        }

        """

    private static let warning =
        "a/y.json does not have the content of the last version yet (cannot write a/y.json: Device or resource busy); the next "
        + "command tries again, and until then 'git commit -a' would record what the file holds"

    private static func completed(_ files: String) -> String {
        "warning: an interrupted write was completed: \(files) the content of the last version; 'settings discard --undo' restores "
            + "what was there before"
    }

    @Test func aCommitByGitOfAnotherFileKeepsTheValue() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                holding a/y.json : bash -c 'settings set -q a.y 66 -m night; git status --short; echo hi > note.txt; git add note.txt
                  git commit -qm "add a note"; settings get a.y --at HEAD'
                settings get a.y; git status --short; settings status -q --exit-code; echo $?
                """)
        #expect(
            lines == [
                "warning: recorded, but " + Self.warning, " M a/y.json", "66", Self.completed("a/y.json now has"), "66", "0",
            ])
        #expect(try home.unsound() == "")
    }

    @Test func statusSaysThatItIsRecordedAndDoneAndDiscardLeaveIt() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                holding a/y.json : bash -c 'settings set -q a.y 66 -m night 2>/dev/null; settings status 2>/dev/null | head -2
                  settings status --json | tr -d " \\n" | grep -o "\\"unwritten.*busy\\"}]"; settings status -q --exit-code; echo $?
                  settings done -q -m no; echo $?; settings discard -q 2>/dev/null; settings get a.y --at HEAD; settings diff'
                """)
        #expect(
            lines == [
                "recorded, but these files could not be written:", "    a/y.json: Device or resource busy",
                #""unwritten":[{"path":"a/y.json","reason":"Deviceorresourcebusy"}]"#, "1",
                "warning: " + Self.warning, "0", "66", "nothing differs",
            ])
    }

    @Test func otherKeysAndTheSameOneAreRecorded() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                holding a/y.json : bash -c 'settings set -q a.y 66 -m night 2>/dev/null; settings set -q a.x 7 -m other
                  git status --short; settings set -q a.y 67 -m later 2>/dev/null; settings get a.y --at HEAD; settings undo -q 2>/dev/null
                  settings get a.y --at HEAD; settings set a.x 8 -m x --json 2>&1 | grep -c "yet (cannot"'
                settings set -q a.z 5 -m after; settings get a.y; cat a/y.json | grep -c 66; git status --short
                """)
        #expect(
            lines == [
                "warning: " + Self.warning, " M a/y.json", "67", "66", "1", Self.completed("a/y.json now has"), "66", "1",
            ])
        #expect(try home.unsound() == "")
    }

    @Test func ofSeveralFilesTheOthersAreWritten() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                holding a/y.json : bash -c 'settings set -q a.x 11 a.y 12 a.z 13 -m all 2>/dev/null; git status --short
                  git diff --cached --quiet; echo $?; grep -c 11 a/x.json; grep -c 13 a/z.json'
                settings status -q --exit-code; grep -c 12 a/y.json; git status --short
                """)
        #expect(lines == [" M a/y.json", "0", "1", "1", Self.completed("a/y.json now has"), "1"])
    }

    @Test func aRemovedOptionWhoseFileStays() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                holding a/y.json : bash -c 'settings remove -q a.y -m gone 2>/dev/null; git status --short
                  settings status 2>/dev/null | head -2
                  settings done -q -m no 2>/dev/null; git ls-files a'
                settings set -q a.x 5 -m after 2>/dev/null; ls a; git status --short
                """)
        #expect(
            lines == [
                "?? a/y.json", "recorded, but these files could not be written:", "    a/y.json: Device or resource busy",
                "a/x.json",
                "a/z.json", "x.json", "z.json",
            ])
    }

    @Test func aGroupAndAFileThatCameIn() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                echo '{\"title\": \"A\"}' > a/_group.json; settings done -q -m g; git clone -q . ../other; cd ../other
                sed -i s/A/B/ a/_group.json; settings done -q -m g; settings set -q a.y 9 -m theirs
                cd ../office; git remote add origin ../other
                git fetch -q; git branch -q -u origin/main
                holding a/_group.json a/y.json : bash -c 'settings sync -q 2>&1 | grep -c "2 files\\|do not have"; git status --short
                  settings done -q -m no 2>/dev/null; settings get a.y --at HEAD'
                settings status -q --exit-code; settings get a.y; git status --short; grep -c B a/_group.json
                """)
        #expect(
            lines == [
                "1", " M a/_group.json", " M a/y.json", "9", Self.completed("a/_group.json, a/y.json now have"), "9", "1",
            ])
    }

    @Test func anEditOfSuchAFileIsAnEdit() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                holding a/y.json : bash -c 'settings set -q a.y 66 -m night 2>/dev/null'
                sed -i "s/3/5/" a/y.json; settings status 2>/dev/null | head -2; settings get a.y --at HEAD
                """)
        #expect(lines == ["edits not recorded yet:", "    Y (a.y): 66 → 5", "66"])
    }

    @Test func anEditOfAnotherFacetOfSuchAFileKeepsTheValue() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                holding a/y.json : bash -c 'settings set -q a.y 66 -m night 2>/dev/null'
                sed -i 's/"Y"/"Why"/' a/y.json; settings status 2>/dev/null; settings diff
                settings done -m title 2>/dev/null | cut -c 10-; settings get a.y; settings get a.y --at HEAD
                git status --short; ls .git/settings | grep unwritten; true
                """)
        #expect(
            lines == [
                "edits not recorded yet:", #"    Why (a.y): title "Y" → "Why""#, #"Why (a.y): title "Y" → "Why""#,
                #"Why (a.y): title "Y" → "Why""#, "66", "66",
            ])
        #expect(try home.unsound() == "")
    }

    @Test(arguments: ["settings set -q a.x 7", "settings discard -q a.x a.z", "settings status"])
    func suchAnEditStaysOneWhateverComesFirst(_ command: String) throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                holding a/y.json : bash -c 'settings set -q a.y 66 -m night 2>/dev/null'
                sed -i 's/"Y"/"Why"/' a/y.json; \(command) >/dev/null 2>&1; settings diff a.y; settings discard -q 2>/dev/null
                settings get a.y; settings diff
                """)
        #expect(lines == [#"Why (a.y): title "Y" → "Why""#, "66", "nothing differs"])
    }

    @Test func suchAnEditOfAFileThatStillCannotBeWritten() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                holding a/y.json : bash -c 'settings set -q a.y 66 -m night 2>/dev/null
                  sed s/Y/Why/ a/y.json > ../edited; cat ../edited > a/y.json; settings diff; settings set -q a.x 7
                  settings done -q -m title; echo $?; settings diff; settings get a.y --at HEAD; git for-each-ref refs/settings'
                """)
        #expect(
            lines == [
                #"Why (a.y): title "Y" → "Why""#, "settings: cannot write a/y.json: Device or resource busy", "74",
                #"Why (a.y): title "Y" → "Why""#, "66",
            ])
    }

    @Test(arguments: [
        "settings set a.y 66 -m x", "settings done -m x", "settings define a.z --title Zed -m x", "settings remove a.y -m x",
    ])
    func nothingIsRecordedWhereTheIndexCannotBeReplaced(_ command: String) throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                sed -i s/X/Ex/ a/x.json; before=$(git rev-parse HEAD; git status --short)
                holding .git/index : \(command) | sed -E "s#cannot write .*/.git/#cannot write .git/#"
                [ "$before" = "$(git rev-parse HEAD; git status --short)" ]; echo $?; settings get a.y; ls .git/*.lock 2>/dev/null; true
                """)
        #expect(lines == ["settings: cannot write .git/index: Device or resource busy", "0", "3"])
    }

    /// As where the disk fails at the very rename: the branch and the files have the version, the index has not.
    @Test func whatTheIndexLacksIsReportedUntilItIsInStep() throws {
        let home = try Home()
        let lines = try home.run(
            Self.store + """
                cp .git/index ../index; old=$(git rev-parse HEAD); settings set -q a.y 66 -m night; cp ../index .git/index
                printf 'old %s\nnew %s\n' $old $(git rev-parse HEAD) > .git/settings/pending
                holding .git/index : bash -c 'settings status --exit-code 2>/dev/null; echo $?
                  settings status --json | grep -c "unfinished.*/index: Device or resource busy"
                  settings set -q a.x 7 2>/dev/null; echo $?; settings get a.y' | sed -E "s#cannot write .*/.git/#cannot write .git/#"
                git status --short; settings status -q --exit-code; echo $?; git status --short
                """)
        #expect(
            lines == [
                "recorded, but not up to date here yet: cannot write .git/index: Device or resource busy",
                lines.dropFirst().first ?? "", "1", "1", "74", "66", "MM a/y.json", "0",
            ])
        #expect(lines.count > 1 && lines[1].hasPrefix("no unrecorded edits"))
    }
}
