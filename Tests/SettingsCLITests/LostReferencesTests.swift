import Testing

/// What is said and done about versions that name others which their history doesn't have, and about parts of squashed ones.
struct LostReferencesTests {
    private static let setUp =
        "settings init -q .; settings add v --title V --number 1 -q; settings add m --title M --number 5 -q; git branch begin"

    /// `m` was changed for X-1 and reverted; the version that changed it was fixed up into another one.
    private static func reverted() throws -> Home {
        let home = try Home()
        _ = try home.run(
            "\(setUp); settings set v 2 -m a --ticket A-1 -q; settings set m 9 -m jumbo --ticket X-1 -q;"
                + " settings revert --ticket X-1 -m 'broke VPN' -q; git branch kept;"
                + " GIT_SEQUENCE_EDITOR=\"sed -i '2s/pick/fixup/'\" git rebase -q -i HEAD~3 2> ~/out")
        #expect(try home.run("settings get v m; git log --oneline begin.. | wc -l | tr -d ' '") == ["2", "5", "2"])
        return home
    }

    private static let refused = [
        "warning: ID, which has that ticket, reverts a version that isn't in this history, so it was not reverted itself;"
            + " 'settings revert ID' reverts it",
        "settings: no version with the ticket X-1 is left to revert", "66",
    ]

    /// What a command prints, and its exit status.
    private func told(_ home: Home, _ command: String, _ before: String = "true") throws -> [String] {
        try home.run("\(before); o=$(settings \(command) 2>&1); s=$?; echo \"$o\" | sed -E 's/[0-9a-f]{7,}/ID/g'; echo $s")
    }

    private func revert(_ home: Home, _ before: String = "true") throws -> [String] {
        try told(home, "revert --ticket X-1", before)
    }

    /// The ticket of a revert is that of what it takes back: taking that back would bring the change back.
    @Test func aRevertIsNotRevertedByTheTicketThatItHasFromAnother() throws {
        let home = try Self.reverted()
        #expect(try revert(home) == Self.refused)
        #expect(try home.run("settings get m") == ["5"])
        // A copy where the version that it takes back never was.
        let picked = "git checkout -q -b other begin; settings set m 9 -q -m nine; git cherry-pick -x kept > ~/out"
        #expect(try revert(home, picked) == Self.refused)
        // In a shallow clone, which says besides that it may lack some.
        _ = try home.run("git switch -q kept; git clone -q --depth 2 file://$PWD ~/shallow; settings setup -q --store ~/shallow")
        #expect(try revert(home, ": ; cd ~/shallow").suffix(3) == Self.refused[...])
        #expect(try home.run("settings get m --store ~/shallow") == ["5"])
        // By its id it can be taken back.
        #expect(try home.run("settings revert HEAD -m wrong -q; settings get m") == ["9"])
        // Nor is what another revert left of one.
        _ = try home.run(
            "git checkout -q -B main begin; settings set v=2 m=9 -m both --ticket X-1 -q; settings revert --ticket X-1 -m no -q;"
                + " settings revert HEAD --only v -m 'v was right' -q")
        #expect(try home.run("settings revert --ticket X-1 -m x 2>&1; settings get v m").suffix(2) == ["2", "5"])
    }

    /// Its author and its reason are its own, the ticket is not.
    @Test func whatTakesBackNobodyKnowsWhatHasNoTicket() throws {
        let home = try Self.reverted()
        let told = "“broke VPN”  names a version that isn't in this history (I"
        #expect(try home.run("settings blame m").first?.contains(told) == true)
        #expect(try home.run("settings show m | grep '^chosen'").first?.contains(told) == true)
        #expect(try home.run("settings diff --from HEAD~1 --who").last?.contains(told) == true)
        #expect(try home.run("settings history m -n 1").last?.contains("names a version that isn't in this history") == true)
        for command in ["blame m", "diff --from HEAD~1 --who", "show m", "history m -n 1"] {
            #expect(
                try home.run("settings \(command) --json | grep -c X-1 || true; settings \(command) | grep -c X-1 || true") == [
                    "0", "0",
                ])
        }
        #expect(try home.run("settings history -n 1 | grep -c X-1") == ["1"])
    }

    /// 'history KEY' says what 'blame' says of each version's change of that key.
    @Test func theHistoryOfAKeyHasTheReasonsOfItsPart() throws {
        let home = try Self.reverted()
        #expect(try home.run("settings history m | grep -cE 'A-1|^    a$' || true") == ["0"])
        #expect(try home.run("settings history v | grep -cE 'A-1|^    a$'") == ["2"])
        #expect(try home.run("settings history m --ticket A-1; settings history v --ticket A-1 | grep -c A-1").last == "1")
        #expect(try home.run("settings history | grep -cE 'A-1|^    a$'") == ["2"])
        for (name, command) in RewrittenVersionsTests.squashes {
            // The last run left a branch of that name.
            _ = try home.run(
                "git branch -D -q f; git checkout -q -B main begin; settings set v 2 -m 'the hall' --ticket T-1 -q;"
                    + " settings set m 9 -m 'the line' --ticket T-2 --requested-by Marie -q; \(command)")
            #expect(
                try home.run("settings history v -n 1 | tail -n +2 | grep -vE 'Squashed|Louder'") == [
                    "    V (v): 1 → 2", "    the hall", "    T-1",
                ], "\(name)"
            )
            #expect(
                try home.run("settings history m -n 1 | tail -n +2 | grep -vE 'Squashed|Louder'") == [
                    "    M (m): 5 → 9", "    the line", "    requested by Marie · T-2",
                ], "\(name)")
            // Without a key it is all that was said, but not what the parts say for the program.
            let whole = try home.run("settings history -n 1; settings show HEAD")
            #expect(["the hall", "the line"].allSatisfy { reason in whole.contains { $0.hasSuffix("  \(reason)") } }, "\(name)")
            #expect(!whole.contains { $0.contains("Via:") || $0.contains("Change-Id:") || $0.contains("Ticket:") }, "\(name)")
        }
    }

    @Test func whatIsNotThereIsNamed() throws {
        let home = try Home()
        _ = try home.run(
            "\(Self.setUp); settings set v 2 -q; settings undo -q; GIT_SEQUENCE_EDITOR=\"sed -i '1s/pick/reword/'\""
                + " GIT_EDITOR=\"sed -i '1s/.*/Louder/;/Change-Id/d'\" git rebase -q -i begin > ~/out 2>&1")
        #expect(
            try told(home, "redo") == [
                "settings: nothing to redo: ID undid a version that isn't in this history",
                "hint: 'settings undo' reverses the changes of ID", "1",
            ])
        #expect(try home.run("settings undo -q; settings get v") == ["2"])
        // A ticket that only a squashed version has, for what nobody can tell apart.
        _ = try home.run(
            "git checkout -q -B main begin; settings set v 2 -m a --ticket A-1 -q; settings set v 3 -m b --ticket B-1 -q;"
                + " GIT_SEQUENCE_EDITOR=\"sed -i '2s/pick/squash/'\" GIT_EDITOR=true git rebase -q -i begin > ~/out 2>&1")
        #expect(
            try told(home, "revert --ticket B-1 -m x") == [
                "settings: no version with the ticket B-1 is left to revert",
                "hint: ID squashed a version with that ticket and others: 'settings revert ID' reverts all of them,"
                    + " 'settings set KEY VALUE' changes single values", "66",
            ])
        // An id from before a rebase.
        _ = try home.run(
            "git checkout -q -B main begin; settings set m 9 -q; git checkout -q -b topic begin; settings set v 2 -q -m a;"
                + " git rev-parse HEAD > ~/id; git rebase -q main 2> ~/out")
        let new = try home.run("git rev-parse --short=7 HEAD").joined()
        #expect(
            try home.run("settings revert $(cat ~/id) -m x 2>&1 | tail -1") == [
                "hint: it was rewritten as \(new): 'settings revert \(new)' reverts that"
            ])
    }

    /// The subject that somebody gave a version is not one of its changes.
    @Test func oneLineCountsChanges() throws {
        let home = try Home()
        _ = try home.run("\(Self.setUp); sed -i 's/5/6/' m.json; git commit -q -a -m 'One by hand'")
        #expect(try home.run("settings history --oneline -n 1 | sed 's/.*M (m)/M/'") == ["M: 5 → 6"])
        _ = try home.run(
            "sed -i 's/6/7/' m.json; sed -i 's/\"value\": 1/\"value\": 2/' v.json; git commit -q -a -m 'Two by hand'")
        #expect(try home.run("settings history --oneline -n 1 | sed 's/.*M (m)/M/'") == ["M: 6 → 7, and 1 more"])
    }
}
