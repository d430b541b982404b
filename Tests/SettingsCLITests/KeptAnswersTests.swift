import Testing

/// An answer that keeps what is in force changes no file. Where git makes its commit again upon another value, nobody decided for that.
struct KeptAnswersTests {
    /// The conflict in `l` between German and French is open on `cy`, and resolved on `main` by keeping English.
    private static func resolved() throws -> Home {
        let home = try Home()
        _ = try home.run(
            "settings init -q .; settings add l --title L --choice English French German Spanish -q; git switch -q -c bob;"
                + " settings set l French -q; git switch -q main; settings set l German -q; settings merge bob --keep -q; git branch cy;"
                + " settings resolve l English -m 'we stay with English' --ticket AR-1 -q; git branch kept")
        return home
    }

    private static let cys = "settings set l Spanish -m Madrid --ticket CY-1 --author 'Cy <cy@example.org>' -q"

    @Test(arguments: ["git rebase -q cy 2> ~/out", "git switch -q cy; git cherry-pick --allow-empty kept > ~/out"])
    func anAnswerIsNotCreditedWithAnotherValue(_ command: String) throws {
        let home = try Self.resolved()
        #expect(try home.run("settings blame l | grep -c 'Ada.*we stay with English.*AR-1'") == ["1"])
        _ = try home.run("git switch -q cy; \(Self.cys); git switch -q main; \(command)")
        for index in ["", "settings maintain -q; "] {
            #expect(try home.run("\(index)settings blame l | grep -oE 'Spanish .*' | grep -c 'Cy  “Madrid”  CY-1'") == ["1"])
            #expect(try home.run("settings show l | grep -c 'chosen.*Cy'") == ["1"])
            // The conflict is what Cy resolved.
            #expect(try home.run("settings conflicts") == ["there are no open conflicts"])
            let told = "l: the answer keeps something other than what is in force here, so it does not apply"
            #expect(
                try home.run("settings history -n 1 | sed -n 2p; settings history l -n 1 | sed -n 2p") == [
                    "    \(told)", "    \(told)",
                ])
        }
        // It is nothing that can be undone.
        #expect(try home.run("settings undo 2>&1 | grep -c Cy; settings conflicts") == ["1", "there are no open conflicts"])
    }

    /// Another conflict in the same stays open.
    @Test func anAnswerClosesNoOtherConflict() throws {
        let home = try Self.resolved()
        _ = try home.run(
            "git switch -q -c other main~3; settings set l Spanish -q; git switch -q -c side; settings set l German -q;"
                + " git switch -q other; settings set l French -q; settings merge side --keep -q")
        #expect(try home.run("settings get l --label; settings conflicts 2>&1 | grep -c '^L'") == ["Spanish", "1"])
        _ = try home.run("git cherry-pick --allow-empty kept > ~/out")
        #expect(
            try home.run("settings conflicts 2>&1 | grep -c '^L'; settings blame l | grep -c 'we stay' || true") == ["1", "0"])
        // Where the same is in force, it is an answer.
        #expect(
            try home.run(
                "git switch -q cy; git commit -q --allow-empty -m x; git cherry-pick --allow-empty kept > ~/out; settings conflicts;"
                    + " settings blame l | grep -c 'we stay'") == ["there are no open conflicts", "1"])
    }

    /// Several answers of one version say each what they keep.
    @Test func eachAnswerSaysWhatItKeeps() throws {
        let home = try Home()
        _ = try home.run(
            "settings init -q .; settings add l --title L --choice A B C D -q; git switch -q -c bob;"
                + " settings set l B -q; settings define l --default B -q; git switch -q main; settings set l C -q;"
                + " settings define l --default C -q; settings merge bob --keep --in-force ours -q; git branch cy;"
                + " settings resolve l --ours -m 'as it is' -q; git branch kept; git switch -q cy; settings set l D -q")
        #expect(
            try home.run("git log -1 --format=%b kept | grep '^  .*decided'") == ["  l: decided: C", "  l: default: decided: C"])
        #expect(try home.run("settings blame l --at kept | grep -c 'as it is'") == ["1"])
        _ = try home.run("git cherry-pick --allow-empty kept > ~/out")
        // The value is another one now, the default is what was kept.
        #expect(
            try home.run("settings blame l | grep -c 'as it is' || true; settings conflicts") == [
                "0", "there are no open conflicts",
            ])
    }
}
