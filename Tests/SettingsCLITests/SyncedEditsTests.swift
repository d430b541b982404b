import Foundation
import Surroundings
import Testing

/// Edits by hand that were there before other versions came in.
@Suite struct SyncedEditsTests {
    /// `a` edited the volume and the language's title by hand before `b`'s versions of both came in.
    private func office() throws -> Home {
        let home = try SyncTests.office()
        let bob = "--author 'Bob Bemer <bob@example.org>'"
        _ = try home.run(
            ":; cd b; settings set volume 60 -q \(bob); settings define language --title Sprache -q \(bob); settings sync -q")
        _ = try home.run(":; cd a; sed -i 's/: 40/: 35/' volume.json; sed -i 's/\"Language\"/\"Tongue\"/' language.json")
        return home
    }

    @Test func statusNamesTheVersionThatCameIn() throws {
        let home = try office()
        #expect(
            SyncTests.plain(try home.run(":; cd a; settings sync -q; settings status")) == [
                "edits not recorded yet:",
                "    Tongue (language): title \"Sprache\" → \"Tongue\", edited by hand before Bob Bemer changed the title (ID)",
                "    Volume (volume): 60 → 35, edited by hand before Bob Bemer set 60 (ID)",
                "hint: 'settings done -m REASON' records them, and 'settings discard' drops them",
            ])
        let json = try home.run(
            ":; cd a; settings status --json | grep -c '\"overtaken\"'; settings discard volume -q; settings get volume")
        #expect(json == ["1", "60"])
        // After it was discarded, the same is an edit like any other; so is another value.
        for value in ["35", "36"] {
            let lines = try home.run(":; cd a; git checkout -q .; sed -i 's/: 60/: \(value)/' volume.json; settings status")
            #expect(lines.contains("    Volume (volume): 60 → \(value)"), "\(lines)")
        }
    }

    @Test func editsAreKeptWhereVersionsAreDropped() throws {
        let home = try SyncTests.office()
        let rewound = """
            :; cd a; settings set volume 60 -q; settings sync -q; git -C ../bare.git update-ref refs/heads/main main~1
            sed -i 's/: 60/: 35/' volume.json
            """
        #expect(try home.run(rewound) == [])
        let lines = SyncTests.plain(try home.run(":; cd a; settings sync --follow; settings status"))
        #expect(lines.contains("your unrecorded edits to volume were kept; 'settings status' shows them"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("    Volume (volume): 40 → 35") }, "\(lines)")
        #expect(
            try home.run(":; cd a; settings sync; git for-each-ref refs/settings/dropped | wc -l") == [
                "up to date with origin", "1",
            ])
    }

    /// Where the versions can't be dropped after all, nothing keeps them.
    @Test func whatCannotBeDroppedChangesNothing() throws {
        let home = try SyncTests.office()
        let rewound = """
            :; cd a; echo new > notes; git add notes; git commit -qm notes; settings sync -q
            git -C ../bare.git update-ref refs/heads/main main~1; echo mine >> notes; git rev-parse HEAD origin/main > ~/before
            """
        #expect(try home.run(rewound) == [])
        let lines = try home.run(":; cd a; settings sync --follow; git rev-parse HEAD origin/main | diff ~/before -; cat notes")
        #expect(lines.first?.contains("notes") == true && lines.suffix(2) == ["new", "mine"], "\(lines)")
        #expect(try home.run(":; cd a; git for-each-ref refs/settings") == [])
    }

    /// Ends 'pull' at many moments; the edits are there afterwards, whatever had been done.
    @Test func editsOutliveAProcessThatIsKilled() throws {
        let home = try office()
        let script = """
            :; for n in $(seq 40); do rm -rf c; cp -r a c
              (cd c; settings pull -q > /dev/null 2>&1 & pid=$!; sleep 0.0$(printf %02d $((n * 2))); kill -9 $pid; wait $pid) 2> /dev/null
              (cd c; settings get volume; settings get volume --at HEAD; settings show language | grep -c Tongue) | tr '\\n' ' '; echo
              (cd c; settings pull -q > /dev/null 2>&1; settings get volume --at HEAD; git status --porcelain
                ls .git/settings/aside 2> /dev/null) | tr '\\n' ' '; echo
            done | sort | uniq -c | sed 's/^ *[0-9]* //'
            """
        // The edits were put aside when it was killed, of one file or of both: they come back, and nothing else needs a decision.
        let kept = "warning: a command that updated the files was interrupted; your edits to "
        let warnings = ["language.json", "volume.json", "language.json, volume.json"].map { kept + $0 + " were kept" }
        let lines = try home.run(script).filter { !warnings.contains($0) }
        #expect(Set(lines).isSubset(of: ["35 40 1 ", "35 60 1 ", "60  M language.json  M volume.json "]), "\(lines)")
        #expect(try home.unsound() == "")
    }
}
