import Surroundings
import Testing

/// What versions say of each other and of their changes, once plain git or a host has made their commits again.
struct RewrittenVersionsTests {
    /// `a` and `b`; `a` was set to 2 and to 3, and the latter undone. The branch `begin` has none of that.
    private static func undone() throws -> Home {
        let home = try Home()
        _ = try home.run(
            "settings init -q .; settings add a --title A --number 1 -q; settings add b --title B --number 1 -q; git branch begin;"
                + " settings set a 2 -m two -q; settings set a 3 -m three -q; settings undo -q")
        return home
    }

    /// Undo goes on where it was, redo repeats what was undone, and a clone without the old commits says the same.
    @Test(arguments: [
        "git rebase -q --force-rebase begin", "git rebase -q --apply --force-rebase begin",
        "git switch -q -c other begin; git cherry-pick main~2 main~1 main > ~/out; git branch -q -f main; git switch -q main",
        "git switch -q -c other begin; git cherry-pick -x -s main~3..main > ~/out; git branch -q -f main; git switch -q main",
        "git format-patch -q --stdout begin > ~/p; git reset -q --hard begin; git am -q ~/p",
        "git rebase -q -r --force-rebase begin",
        "FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --env-filter 'export GIT_COMMITTER_NAME=X' > ~/out 2>&1",
        "git fast-export main | sed 's/^committer .* </committer X </' > ~/e; git init -q -b main ~/n; git -C ~/n fast-import --quiet"
            + " < ~/e; git fetch -q ~/n main; git reset -q --hard FETCH_HEAD",
        "git commit -q --amend --no-edit --date=2026-01-01T00:00:00Z",
    ])
    func undoAndRedoGoOn(_ rewriting: String) throws {
        let home = try Self.undone()
        let old = try home.run("git rev-parse HEAD~1")
        #expect(try home.run("export GIT_COMMITTER_DATE=2027-01-01T00:00:00Z; \(rewriting); settings get a") == ["2"])
        #expect(try home.run("git clone -q . ~/clone") == [])
        for folder in [".", "~/clone"] {
            let run = "(cd \(folder); git branch -q -f kept"
            #expect(try home.run("\(run); settings undo -q; settings get a; git reset -q --hard kept)") == ["1"], "\(folder)")
            #expect(try home.run("\(run); settings redo -q; settings get a; git reset -q --hard kept)") == ["3"], "\(folder)")
            #expect(try home.run("(cd \(folder); settings history a -n 1 | grep -c 'undoes ')") == ["1"], "\(folder)")
        }
        let blamed = try home.run("settings blame a; settings blame a --store ~/clone")
        #expect(blamed.count % 2 == 0 && blamed.prefix(blamed.count / 2) == blamed.suffix(blamed.count / 2))
        if !rewriting.contains("amend") { #expect(!blamed.contains { $0.contains(old[0].prefix(7)) }, "\(blamed)") }
    }

    /// What is in no history that one looks at is not looked for elsewhere: the version counts as its author's own then.
    @Test func whatIsNotInTheHistoryIsUnknown() throws {
        let home = try Self.undone()
        #expect(try home.run("git switch -q -c other begin; git cherry-pick main~2 main > ~/out 2>&1; settings get a") == ["2"])
        _ = try home.run("git cherry-pick --skip > ~/out 2>&1")
        _ = try home.run("git switch -q -c third begin; settings set a 3 -q; git cherry-pick main > ~/out")
        let shown = try home.run("settings history a -n 1 | grep names")
        #expect(shown.count == 1 && shown[0].contains("names a version that isn't in this history (I"), "\(shown)")
        #expect(try home.run("settings history -n 1 --json | grep -cE '\"unknown\": *\\[|\"unknown\":\\['") == ["1"])
        // It set a from 3 to 2, and undo takes that back.
        #expect(try home.run("settings undo -q; settings get a") == ["3"])
    }

    /// Two versions have one Change-Id: the farther one is named by the id of its commit.
    @Test func aCopyIsToldFromWhatItCopies() throws {
        let home = try Self.undone()
        _ = try home.run("settings undo -q; git cherry-pick --allow-empty HEAD~3 > ~/out")
        let ids = try home.run("git log -2 --grep '^two$' --format=%H")
        #expect(try ids.count == 2 && home.changeID(of: ids[0]) == home.changeID(of: ids[1]))
        let named = "git log -1 --format='%(trailers:key=Reverts,valueonly)'"
        // It alone is not left to revert: the copy chose the same again.
        let refused = try home.run("settings revert \(ids[1]) -m wrong -q 2> ~/hint; cat ~/hint")
        #expect(refused.last?.contains(ids[0].prefix(7)) == true)
        let both = try home.run("settings revert \(ids[0]) \(ids[1]) -m wrong -q; \(named)")
        #expect(try both.prefix(2) == [home.changeID(of: ids[0]), ids[1]])
        #expect(
            try home.run("git reset -q --hard HEAD~1; settings revert HEAD -m wrong -q; \(named)").first
                == home.changeID(of: "HEAD~1"))
        #expect(try home.run("settings history -n 1 --json").joined().contains(ids[0]))
        #expect(try home.run("settings get a") == ["1"])
    }

    static let squashes: [(name: String, command: String)] = [
        ("rebase -i", "GIT_SEQUENCE_EDITOR=\"sed -i '2,\\$s/^pick/squash/'\" GIT_EDITOR=true git rebase -q -i begin"),
        (
            "merge --squash",
            "git branch -q f; git reset -q --hard begin; git merge -q --squash f > ~/out; git commit -q --no-edit"
        ),
        (
            "GitHub",
            "m=$(git log --reverse --format='* %B' begin..); git reset -q --soft begin; git commit -q -m \"Louder (#12)\n\n$m\n\n"
                + "---------\n\nCo-authored-by: Bob <bob@example.org>\""
        ),
        (
            "GitHub until 2025",
            "git log --reverse --format='* %B' begin.. > ~/m; git reset -q --soft begin; { echo 'Louder (#12)'; echo; cat ~/m; }"
                + " | sed 's/$/\\r/' > ~/c; git commit -q --cleanup=verbatim -F ~/c"
        ),
        ("Gitea", "git log --reverse --format=%B begin.. > ~/m; git reset -q --soft begin; git commit -q -F ~/m"),
    ]

    @Test(arguments: squashes) func squashedVersionsKeepTheirReasons(_ name: String, _ command: String) throws {
        let home = try Home()
        _ = try home.run(
            "settings init -q .; for k in a b c; do settings add $k --title $k --number 1 -q; done; git branch begin;"
                + " settings set a 2 -m 'the hall is loud' --ticket T-1 --requested-by Marie -q;"
                + " settings set b 2 c 2 -m 'Paris opens' --ticket T-2 -q; \(command)")
        #expect(try home.run("git log --oneline begin.. | wc -l | tr -d ' '") == ["1"])
        func blamed(_ key: String) throws -> String { try home.run("settings blame \(key) --json").joined() }
        let a = try blamed("a")
        #expect(a.contains("T-1") && a.contains("the hall is loud") && a.contains("Marie") && !a.contains("T-2"), "\(a)")
        for key in ["b", "c"] {
            let told = try blamed(key)
            #expect(told.contains("T-2") && told.contains("Paris opens") && !told.contains("T-1"), "\(told)")
            #expect(!told.contains("Marie"))
        }
        for ticket in ["T-1", "T-2"] {
            #expect(try home.run("settings history --ticket \(ticket) | grep -cE '^[0-9a-f]{7} '") == ["1"])
        }
        #expect(try home.run("settings history --requested-by Marie | grep -cE '^[0-9a-f]{7} '") == ["1"])
        #expect(try home.run("settings revert --ticket T-2 -m wrong -q; settings get a b c") == ["2", "1", "1"])
        #expect(try home.run("settings revert --ticket T-1 -m wrong -q; settings get a b c") == ["1", "1", "1"])
        #expect(try home.run("settings verify --deep -q") == [])
    }

    /// A part that takes a version back does so for what it changed itself, and for nothing else.
    @Test(arguments: squashes) func squashedVersionsTakeBack(_ name: String, _ command: String) throws {
        let home = try Home()
        _ = try home.run(
            "settings init -q .; for k in a b c; do settings add $k --title $k --number 1 -q; done;"
                + " settings set b 5 -m five --author 'Bob <bob@example.org>' -q;"
                + " settings set b 6 -m six --ticket T-2 --author 'Cyd <cyd@example.org>' -q; git branch begin;"
                + " settings revert HEAD -m 'too loud' -q; settings set a 2 -m two --ticket T-3 -q; settings set c 3 -q;"
                + " settings undo -q; \(command)")
        #expect(try home.run("git log --oneline begin.. | wc -l | tr -d ' '") == ["1"])
        for index in ["", "settings maintain -q; "] {
            let blamed = try home.run("\(index)settings blame")
            #expect(blamed.count == 3 && blamed[0].contains("Ada") && blamed[1].contains("Bob"), "\(blamed)")
            #expect(blamed[1].hasSuffix("“five”"))
        }
        #expect(try home.run("settings history | grep -c 'names a version' || true") == ["0"])
        #expect(try home.run("settings revert --ticket T-2 -m late 2>&1; settings get b").last == "5")
        #expect(try home.run("settings revert --ticket T-3 -m wrong -q; settings get a b") == ["1", "5"])
    }

    /// One version of this program and one by plain git.
    @Test(arguments: squashes) func squashedRenamesAreFollowed(_ name: String, _ command: String) throws {
        let home = try Home()
        _ = try home.run(
            "settings init -q .; for k in a b; do settings add $k --title $k --number 1 -q; done; git branch begin;"
                + " settings set a 2 -m two -q; git mv b.json c.json; git commit -q -m tidy; \(command)")
        for index in ["", "settings maintain -q; "] {
            #expect(try home.run("\(index)settings history c | grep -cE '^[0-9a-f]{7} '") == ["2"])
            #expect(try home.run("settings blame c --json | grep -c tidy || true") == ["0"])
        }
    }

    /// On the side of a merge that had it already, or below the version that git made again.
    @Test(arguments: [
        // A merge repeats what its sides renamed.
        "git switch -q -c side; settings rename b c -q; settings set c 3 -m three -q; git switch -q main; settings set a 2 -q;"
            + " settings merge side -q; settings revert side -m wrong -q",
        // Somebody without the program renamed the same where versions are squashed.
        "settings set b 3 -q; git switch -q -c side; settings revert HEAD -m wrong -q; settings rename b c -q; git switch -q main;"
            + " git mv b.json c.json; git commit -q -m tidy; git merge -q --squash side > ~/out 2>&1; git commit -q --no-edit",
    ])
    func aRenameIsMadeOnce(_ commands: String) throws {
        let home = try Home()
        _ = try home.run(
            "settings init -q .; for k in a b; do settings add $k --title $k --number 1 -q; done;"
                + " settings set b 2 -m two --ticket T-1 --author 'Bob <bob@example.org>' -q")
        _ = try home.run(commands)
        #expect(try home.run("settings get c") == ["2"])
        let blamed = "settings blame c | grep -oE 'Bob  “two”  T-1'"
        #expect(try home.run("\(blamed); settings maintain -q; \(blamed)") == ["Bob  “two”  T-1", "Bob  “two”  T-1"])
    }

    /// Whoever types what the program writes changes nothing about whose ticket a change has.
    @Test(arguments: squashes) func aReasonForgesNothing(_ name: String, _ command: String) throws {
        let home = try Home()
        let id = String(repeating: "a1", count: 20)
        let reasons = [
            "b: 1 → 2", "* b: 1 → 2", "x\\n\\nb: 1 → 2\\n\\nwhy", "x\\n\\nChanges:\\n  b: 1 → 2", "Ticket: T-2\\nVia: cli",
            "x\\n\\nTicket: T-2\\nVia: cli\\nChange-Id: I\(id)", "x\\n\\n    Ticket: T-2\\n   Change-Id: I\(id)", "---\\nx",
            "x\\n\\nTicket: T-2\\nVIA \\t: cli", "x\\n\\nTicket : T-2\\nchange-Id : I\(id)", "# x\\n#y",
            "diff --git a b\\nx", "Squashed commit of the following:\\n\\ncommit \(id)\\n\\n    b: 1 → 2",
        ]
        for reason in reasons {
            _ = try home.run(
                "rm -rf s; settings init -q s; cd s; for k in a b; do settings add $k --title $k --number 1 -q; done; git branch begin;"
                    + " settings set a 2 -m \"$(printf '%b' '\(reason)')\" --ticket T-1 -q; settings set b 2 -m y --ticket T-2 -q;"
                    + " cd ..; (cd s; \(command))")
            let (a, b) = (
                try home.run("settings blame a --json --store s").joined(),
                try home.run("settings blame b --json --store s").joined()
            )
            #expect(a.contains("\"T-1\"") && !a.contains("\"T-2\""), "\(reason): \(a)")
            #expect(b.contains("\"T-2\"") && !b.contains("\"T-1\""), "\(reason): \(b)")
        }
    }

    /// Reasons that mail cuts off or takes for its own arrive as they were, with the ticket and the name behind them.
    @Test(arguments: [
        "---", "--- x", "diff -u a b", "Index: x", "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001",
        "# x",
        "From: Marie <m@example.org>", "Date: today", "Subject: x", "[x] y",
    ])
    func reasonsSurviveMail(_ reason: String) throws {
        let home = try Home()
        _ = try home.run("settings init -q .; settings add a --title A --number 1 -q; git branch begin")
        _ = try home.run(
            "settings set a 2 -m \"$(printf '%s\\nand more\\n\\nend' '\(reason)')\" --ticket T-1 -q; git branch kept")
        #expect(try home.run("git format-patch -q --stdout begin > ~/p; git reset -q --hard begin; git am -q ~/p") == [])
        #expect(try home.run("git log -1 --format=%B kept > ~/one; git log -1 --format=%B > ~/two; cmp ~/one ~/two") == [])
        #expect(try home.run("settings history --ticket T-1 | grep -c 'and more'") == ["1"])
        #expect(try home.run("git log -1 --format='%(trailers:key=Ticket,valueonly)%an'").filter { !$0.isEmpty }.first == "T-1")
    }
}
