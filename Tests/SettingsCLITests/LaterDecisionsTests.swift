import Testing

/// What somebody decides without knowing of another decision, and what earlier versions have to do with later ones.
@Suite struct LaterDecisionsTests {
    /// In `~/office/shop`, with a language that Ada set up.
    private static func store(_ rest: String) throws -> [String] {
        let script = """
            settings init -q shop; cd shop
            settings add -q a --title A --choice One Two Three Four; settings add -q b --title B --number 40
            git tag base; git branch other
            as() { name=$1; shift; GIT_AUTHOR_NAME=$name GIT_AUTHOR_EMAIL=$name@example.org "$@"; }
            words() { sed "s/[0-9a-f]\\{7\\}/ID/g; s/  *ID .*\\(2026\\|[+-][0-9]\\{4\\}\\)  / /; /^hint: 'settings resolve/d"; }
            said() { "$@" 2>&1 | words; }

            """
        return try Home().run("{ \(script)\(rest)\n} 2>&1")
    }

    /// A value that somebody chose again is that decision's, as blame says: what chose it before takes nothing back with it.
    @Test func aRevertKeepsWhatWasChosenAgain() throws {
        let found = try Self.store(
            """
            as Bob settings set -q a Two --ticket B-1; as Ann settings set -q a Three; as Cid settings set -q a Two --ticket R-1
            said settings revert --ticket B-1; said settings revert HEAD~2; said settings revert base..HEAD~2
            settings get a; settings revert -n base..HEAD
            """)
        #expect(
            found == [
                "settings: no changes of ID are left to revert",
                "hint: ID has since made the same choice; 'settings revert ID' reverts it",
                "settings: no changes of ID are left to revert",
                "hint: ID has since made the same choice; 'settings revert ID' reverts it",
                "settings: no changes of ID are left to revert",
                "hint: ID has since made the same choice; 'settings revert ID' reverts it",
                "two", "would record:", "    A (a): Two → One",
            ])
    }

    /// The same where the later decision answered a question of a merge, and changed nothing.
    @Test func aRevertKeepsWhatWasDecided() throws {
        let found = try Self.store(
            """
            git switch -q other; as Bob settings set -q a Two --ticket B-1; git switch -q main
            as Ann settings set -q a Three --ticket A-1; settings merge -q other --keep --in-force theirs
            as Cid settings resolve -q a Two --ticket R-1; settings blame a | words
            said settings revert --ticket B-1; settings get a
            """)
        #expect(
            found == [
                "a  Two Cid  R-1",
                "settings: no changes of ID are left to revert",
                "hint: ID has since made the same choice; 'settings revert ID' reverts it",
                "two",
            ])
    }

    /// What is in force is what both lines agreed on before they were merged crosswise.
    @Test func aMergeOfCrosswiseMergesChoosesNothing() throws {
        let found = try Self.store(
            """
            git switch -q other; as Bob settings set -q a Two; git tag theirs; git switch -q main; as Ann settings set -q a Three
            git tag ours; settings merge -q theirs --keep; as Ann settings resolve -q a Three
            git switch -q other; settings merge -q ours --keep; as Bob settings resolve -q a Two; git switch -q main
            as Zoe settings merge -q other --keep; settings blame a | words; settings show a | grep chosen | words
            as Zoe settings resolve -q a One; settings blame a | words
            """)
        #expect(found == ["a  One Ada Example", "chosen Ada Example", "a  One Zoe"])
    }

    /// One clone confirms a version, and the one that waits for that has reverted it before it hears of it.
    @Test(arguments: ["sync", "pull", "merge"]) func aConfirmationThatComesTooLateIsAskedAbout(_ how: String) throws {
        let found = try Self.store(
            """
            git clone -q --bare . ../hub.git; git remote add origin ../hub.git; git push -q -u origin main
            git clone -q ../hub.git ../b
            as Ann settings set -q a Two -m why --confirm 1h; git push -q; cd ../b; git pull -q
            as Bob settings confirm -q HEAD -m 'works here'; git push -q; cd ../shop
            export SETTINGS_NOW=2027-01-01T00:00:00Z; settings confirm --expire -q; settings get a; settings set -q b 41
            case \(how) in
              merge) git fetch -q; settings merge origin/main 2>&1 | grep -c conflict
                settings merge -q origin/main --keep --in-force theirs;;
              *) settings \(how) > ../out 2>&1; grep -A1 'is open' ../out;;
            esac
            settings get a; said settings conflicts; as Cid settings resolve -q a --theirs; settings conflicts
            settings get a; settings blame a | words
            """)
        let asked =
            how == "merge"
            ? ["1"] : ["1 conflict is open:", "  A (a): ours is One, theirs is Two, and Two is in force"]
        #expect(
            found == ["one"] + asked + [
                "two", "A (a): ours is One, theirs is Two, and Two is in force",
                "    ours Ann  “Not confirmed by 2026-11-20T10:00:00+01:00.”", "    theirs Bob  “works here”",
                "there are no open conflicts", "two", "a  Two Cid",
            ])
    }

    @Test func aRevertSaysWhatConflictItResolves() throws {
        let found = try Self.store(
            """
            git switch -q other; settings set -q a Two; git switch -q main; settings set -q a Three; settings set -q b 50
            settings merge -q other --keep; said settings revert base..HEAD; settings conflicts
            """)
        #expect(
            found == [
                "ID  B (b): 50 → 40", "note: this also resolves the conflict in a", "there are no open conflicts",
            ])
    }

    /// `git commit --no-edit` keeps git's list of the files that were in conflict.
    @Test func gitsListOfConflictsIsNoReason() throws {
        let found = try Self.store(
            """
            git switch -q other; settings set -q a Two; git switch -q main; settings set -q a Three
            git merge -q other > ../out 2>&1; settings resolve a Two -q; git commit -q --no-edit
            git log -1 --format=%B | grep -c '^# Conf'
            settings history -n 1 --json | grep '"why"'
            """)
        #expect(found == ["1", "      \"why\": null,"])
    }

    /// A merge by `git merge -s ours` drops what only the other side chose.
    @Test func aMergeThatDropsAChoiceIsReported() throws {
        let found = try Self.store(
            """
            git switch -q other; settings set -q b 50; git switch -q main; settings set -q a Three
            git merge -q -s ours -m dropped other; said settings verify main~1..HEAD | head -1
            """)
        #expect(
            found == [
                "b.json: the merge left 40 selected, although 50 was selected on one side and 40 on neither  in ID by Ada Example"
            ])
    }

    /// Two merges may leave the same open: who resolves both of them is reported once.
    @Test func whatIsResolvedIsReportedOnce() throws {
        let found = try Self.store(
            """
            git clone -q --bare . ../hub.git; git remote add origin ../hub.git; git push -q -u origin main
            for n in b c; do git clone -q ../hub.git ../$n; done
            as Ann settings set -q a Two; settings sync -q; cd ../b; as Bob settings set -q a Three; settings sync -q > ../out 2>&1
            cd ../c; as Cid settings set -q a Four; settings sync -q > ../out 2>&1; cd ../shop; settings sync -q > ../out 2>&1
            settings conflicts 2> ../out | grep -c '^A'; as Ann settings resolve -q a One; settings sync | grep -A5 resolved | words
            """)
        #expect(found == ["2", "1 conflict was resolved:", "  A (a): One  Ann, 2026-11-20 09:00:00 +0100"])
    }

    /// A text that is masked now is shown as dots in every version, whatever it was called then.
    @Test func whatIsMaskedLaterIsNotShown() throws {
        let found = try Self.store(
            """
            settings add -q pw --title Password --text s3cret; settings set -q pw s4cret -m x; settings rename -q pw pass
            settings define -q pass --masked; git tag end
            all() {
              settings history "$@"; settings history --json "$@"; settings history --oneline "$@"; settings diff --from base "$@"
              settings diff --from end~3 "$@"; settings diff --from end~3 --who "$@"; settings show end~2 "$@"
              settings show end~2 --json "$@"; settings list --at end~2 "$@"; settings show pass --at end~2 "$@"
              settings history --search s4cret "$@"; settings history --became s4cret "$@"; settings history --graph "$@"
              settings history --graph --search s4cret "$@"; settings blame --at end~2 "$@"; settings blame --at end~2 --json "$@"
            }
            all 2>&1 | grep -c 's[34]cret'; all --reveal 2>&1 | grep -c 's[34]cret'; settings get pass --at end~2
            settings history -n 2 end~3..end~1 | grep Password
            """)
        #expect(
            found == [
                "0", "24", "s4cret", "    Password (pass): renamed pw → pass", "    Password (pw): changed (masked)",
            ])
    }

    /// Nor once it was removed, by any name that it had, or what has its name since is no text.
    @Test(arguments: ["", "settings rename -q pw pass", "settings remove -q pw; settings add -q pw --title Switch --switch"])
    func whatWasMaskedWhenItWasRemovedIsNotShown(_ since: String) throws {
        let found = try Self.store(
            """
            settings add -q pw --title Password --text s3cret; settings set -q pw s4cret -m x; settings define -q pw --masked
            git tag end; \(since)
            settings remove -q pw 2>/dev/null || settings remove -q pass
            all() {
              settings history "$@"; settings history --json "$@"; settings diff --from base --to end "$@"; settings show end~1 "$@"
              settings diff --from end~2 --to end~1 "$@"; settings history pw "$@"; settings list --at end~1 "$@"
            }
            all 2>&1 | grep -c 's[34]cret'; all --reveal 2>&1 | grep -q 's[34]cret' && echo revealed
            settings add -q pw --title Open --text s5cret; settings history | grep -c s5cret
            """)
        #expect(found == ["0", "revealed", "1"])
    }
}
