import Foundation
import Seeds
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Which versions revert themselves, and which are only asked about: in branches, work trees, clones and rewritten histories.
struct ConfirmationsTests {
    @Test func mergedBranchesWaitAndConfirmationsArriveWithThem() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            try s.put("b", .number("B", 1))
            try s.git("switch", "-q", "-c", "feature")
            try s.reopen()
            let waiting = try s.wait("a", 60)
            try s.git("switch", "-q", "main")
            try s.reopen()
            #expect(try s.unconfirmed().isEmpty, "it is on another branch")
            #expect(try s.state(waiting) == nil)
            try s.set("b", 2)
            try s.git("merge", "-q", "feature")
            try s.reopen()
            #expect(try s.unconfirmed() == [waiting.id: .waiting])
            try s.git("switch", "-q", "feature")
            try s.reopen()
            let confirming = try #require(try s.confirm().first)
            try s.git("switch", "-q", "main")
            try s.reopen()
            #expect(try s.unconfirmed().isEmpty && s.state(waiting) == .unanswered, "not confirmed here yet")
            s.clock += 3600
            #expect(try s.unconfirmed() == [waiting.id: .unanswered])
            try s.git("merge", "-q", "feature")
            try s.reopen()
            #expect(try s.unconfirmed().isEmpty)
            #expect(try s.state(waiting) == .confirmed(by: confirming.id))
        }
    }

    @Test func onlyTheCloneThatRecordedItTakesItBack() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            let waiting = try s.wait("a", 60)
            let folder = try TemporaryFolder()
            try s.git("clone", "-q", s.root, folder.path + "/clone")
            let clone = try TemporaryStore.open(folder.path + "/clone", root: folder.path + "/clone")
            clone.clock = s.clock
            #expect(try clone.unconfirmed().isEmpty && clone.state(waiting) == .unanswered, "its time is not over")
            #expect(try clone.expire().settled.isEmpty && clone.value("a") == "60")
            #expect(try clone.unconfirmed() == [waiting.id: .unanswered])
            // Whoever chooses something else answers the question.
            try clone.put("b", .number("B", 1))
            #expect(try clone.unconfirmed() == [waiting.id: .unanswered])
            try clone.set("a", 50)
            #expect(try clone.unconfirmed().isEmpty && clone.state(waiting) == .unanswered)
            try clone.git("reset", "-q", "--hard", "HEAD~2")
            try clone.reopen()
            #expect(try s.expire().settled.count == 1)
            try clone.git("pull", "-q", "--no-rebase", "--no-edit")
            try clone.reopen()
            #expect(try clone.value("a") == "40" && clone.unconfirmed().isEmpty)
        }
    }

    /// However it came to be: nothing here says that it has to go back.
    @Test(arguments: ["cherry-pick", "amend", "rebase --apply", "am", "fixup"])
    func aVersionWithAnotherIdIsAskedAbout(_ way: String) throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            try s.put("b", .number("B", 1))
            try s.git("branch", "other")
            let waiting = try s.wait("a", 60)
            if way != "amend" { try s.confirm() }
            switch way {
            case "amend": try s.git("commit", "-q", "--amend", "--no-edit", "--author", "Bob Bemer <bob@example.org>")
            case "fixup":
                // Confirmations change nothing, and go with what they are fixed up with.
                let message = try s.git("log", "-1", "--format=%B", waiting.id.hex)
                try s.git("reset", "-q", "--soft", "other")
                try s.git("commit", "-q", "-F", "-", input: Array(message.utf8))
            default:
                try s.git("switch", "-q", "other")
                try s.git("commit", "-q", "--allow-empty", "-m", "Elsewhere.")
                if way == "cherry-pick" { try s.git("cherry-pick", waiting.id.hex) }
                if way == "am" {
                    try s.git("am", "-q", input: Array(try s.git("format-patch", "--stdout", "other~1..main").utf8))
                }
                if way == "rebase --apply" {
                    try s.git("switch", "-q", "main")
                    try s.git("rebase", "-q", "--apply", "other")
                }
            }
            try s.reopen()
            let other = try #require(try s.versions().first { $0.version.message.subject == "a: 40 → 60" }).version
            #expect(other.id != waiting.id)
            #expect(try s.expire().settled.isEmpty && s.value("a") == "60")
            #expect(try s.unconfirmed() == [other.id: way == "amend" ? .rewritten : .unanswered])
            try s.change(s.done(.bob)) { $0.options[.of("b")]?.value = 2.json }
            #expect(try s.value("a") == "60")
            let confirming = try #require(try s.confirm([other.id], by: .bob).first)
            #expect(try s.unconfirmed().isEmpty && s.state(other) == .confirmed(by: confirming.id))
        }
    }

    @Test func branchesAreTakenBackEachWhenItIsCheckedOut() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            try s.git("branch", "before")
            let waiting = try s.wait("a", 60)
            try s.git("branch", "after")
            try s.git("switch", "-q", "before")
            try s.reopen()
            #expect(try s.expire().settled.isEmpty && s.unconfirmed().isEmpty)
            for branch in ["after", "main"] {
                try s.git("switch", "-q", branch)
                try s.reopen()
                #expect(try s.value("a") == "60" && s.unconfirmed() == [waiting.id: .expired])
                #expect(try s.expire().settled.count == 1 && s.value("a") == "40")
                #expect(try s.expire().settled.isEmpty)
                #expect(try s.store.versions.deadlines.all().isEmpty == (branch == "main"))
            }
        }
    }

    @Test func workTreesOfARepositoryShareWhatWaits() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            let waiting = try s.wait("a", 60)
            let folder = try TemporaryFolder()
            try s.git("worktree", "add", "-q", "-b", "other", folder.path + "/linked")
            let linked = try TemporaryStore.open(folder.path + "/linked", root: folder.path + "/linked")
            linked.clock = s.clock
            #expect(try linked.unconfirmed() == [waiting.id: .waiting])
            #expect(linked.session().deadlines == s.session().deadlines && !s.session().deadlines.isEmpty)
            // The branch is checked out elsewhere by then, and the first work tree is gone.
            try s.git("switch", "-q", "--detach", "HEAD~1")
            try linked.git("switch", "-q", "main")
            try linked.reopen()
            #expect(try linked.expire().settled.count == 1 && linked.value("a") == "40")
            let confirmed = try linked.wait("a", 61)
            try s.git("switch", "-q", "--detach", "main")
            try s.reopen()
            s.clock = linked.clock
            try s.confirm([confirmed.id])
            #expect(try linked.expire().settled.isEmpty && linked.value("a") == "61")
        }
    }

    /// Whatever a process dies of, and whenever: before the branch moves, between the two steps of confirming, and after that of
    /// taking back.
    @Test func whatIsLeftHalfDoneDoesNoHarm() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            let first = try s.wait("a", 60)
            try s.git("reset", "-q", "--hard", "HEAD~1")
            try s.reopen()
            #expect(try s.unconfirmed().isEmpty && s.expire().settled.isEmpty)
            #expect(try s.store.versions.deadlines.all()[first.id] != nil)
            try s.git("reflog", "expire", "--expire=now", "--all")
            try s.git("gc", "-q", "--prune=now")
            try s.reopen()
            _ = try s.expire()
            #expect(try s.store.versions.deadlines.all().isEmpty)

            let second = try s.wait("a", 61)
            try s.store.journal.setDeadline(of: second.id, nil)
            #expect(try s.expire().settled.isEmpty && s.value("a") == "61")
            #expect(try s.unconfirmed() == [second.id: .unanswered])
            try s.confirm([second.id])

            let third = try s.wait("a", 62)
            let deadline = try #require(try s.store.versions.deadlines.all()[third.id])
            #expect(try s.expire().settled.count == 1)
            try s.store.journal.setDeadline(of: third.id, deadline)
            let head = try s.store.versions.head.commit
            #expect(try s.unconfirmed().isEmpty && s.expire().settled.isEmpty && s.store.versions.head.commit == head)
            #expect(try s.store.versions.deadlines.all().isEmpty)
        }
    }

    @Test func whatWasNotRecordedLeavesThingsAsTheyWere() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            let waiting = try s.wait("a", 60)
            let before = try s.store.versions.deadlines.all()
            #expect(before == [waiting.id: try #require(waiting.message.confirmBy)])
            try s.git("update-ref", "MERGE_HEAD", "HEAD~1")
            #expect(failure { try s.confirm() } != nil)
            #expect(failure { try s.confirm(nil, .extend(until: Time(seconds: s.clock + 86400, offset: 0))) } != nil)
            #expect(throws: Problem.self) { try s.wait("a", 61) }
            #expect(try s.store.versions.deadlines.all() == before)
            let outcome = try s.expire()
            #expect(outcome.settled.isEmpty && outcome.failed.count == 1)
            try s.git("update-ref", "-d", "MERGE_HEAD")
            #expect(try s.expire().settled.count == 1 && s.value("a") == "40")
        }
    }

    @Test func confirmationFromAnotherCloneCounts() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            let waiting = try s.wait("a", 60)
            let folder = try TemporaryFolder()
            try s.git("clone", "-q", s.root, folder.path + "/clone")
            let clone = try TemporaryStore.open(folder.path + "/clone", root: folder.path + "/clone")
            clone.clock = s.clock
            let confirming = try #require(try clone.confirm([waiting.id], by: .bob).first)
            #expect(try s.unconfirmed() == [waiting.id: .waiting])
            try s.git("pull", "-q", folder.path + "/clone", "main")
            try s.reopen()
            #expect(try s.state(waiting) == .confirmed(by: confirming.id))
            #expect(try s.expire().settled.isEmpty && s.value("a") == "60")
        }
    }

    @Test func rewrittenHistories() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            try s.put("b", .number("B", 1))
            try s.wait("a", 60)
            try s.git("reset", "-q", "--hard", "HEAD~1")
            try s.reopen()
            #expect(try s.unconfirmed().isEmpty, "it is gone")
            #expect(try s.expire().settled.isEmpty)

            // A rebase gives versions other ids; their confirmations stay what they are, also where the old ones are gone.
            try s.git("branch", "base")
            let waiting = try s.wait("a", 60)
            let second = try s.wait("b", 2, 20)
            try s.confirm([waiting.id])
            try s.git("switch", "-q", "base")
            try s.git("commit", "-q", "--allow-empty", "-m", "Elsewhere.")
            try s.git("switch", "-q", "main")
            try s.git("rebase", "-q", "base")
            try s.git("reflog", "expire", "--expire=now", "--all")
            for prune in [false, true] {
                if prune { try s.git("gc", "-q", "--prune=now") }
                try s.reopen()
                #expect(try s.expire().settled.isEmpty)
                let open = try s.unconfirmed()
                #expect(open.count == 1 && open[waiting.id] == nil && open[second.id] == nil)
                #expect(open.values.first == (prune ? .unanswered : .rewritten))
            }
            #expect(try s.value("a") == "60" && s.value("b") == "2")
        }
    }

    @Test func eachStoreOfARepositoryHasItsOwn() throws {
        try withStore(prefix: "one/") { s in
            try s.put("a", .number("A", 40))
            let other = try Store.create(at: s.root + "/two", title: "Two", done: s.done()).store
            let waiting = try s.wait("a", 60)
            #expect(try s.unconfirmed() == [waiting.id: .waiting])
            let beside = Session(other, by: Caller(), at: Clock(now: s.clock + 7200))
            #expect(try beside.ask(ConfirmationsQuery()).isEmpty)
            #expect(try beside.perform(ExpireAction(), s.done()).settled.isEmpty)
            #expect(try s.expire().settled.count == 1)
        }
    }

    @Test func shallowClonesAskAboutWhatTheyHave() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            try s.wait("a", 60)
            try s.set("a", 61)
            let second = try s.wait("a", 62)
            let folder = try TemporaryFolder()
            try s.git("clone", "-q", "--depth", "2", "file://" + s.root, folder.path + "/clone")
            let clone = try TemporaryStore.open(folder.path + "/clone", root: folder.path + "/clone")
            clone.clock = s.clock + 3600
            #expect(try clone.unconfirmed() == [second.id: .unanswered])
            #expect(try clone.expire().settled.isEmpty && clone.value("a") == "62")
        }
    }

    @Test func historyTellsOfConfirmations() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            try s.put("b", .number("B", 1))
            try s.wait("a", 60)
            try s.confirm()
            try s.wait("b", 2)
            try s.set("b", 3)
            _ = try s.expire()
            for usesIndex in [false, true] {
                s.store.history.cache.usesIndex = usesIndex
                var filter = HistoryFilter()
                filter.places = [.of("a")]
                #expect(try s.subjects(filter) == ["confirmed: a: 40 → 60", "a: 40 → 60", "a: added (40)"], "\(usesIndex)")
                filter.places = [.of("b")]
                #expect(
                    try s.subjects(filter) == [
                        "not confirmed: nothing was left to revert", "b: 2 → 3", "b: 1 → 2", "b: added (1)",
                    ], "\(usesIndex)")
                #expect(try s.subjects().count == 8)
                #expect(try s.blamed("a")?.message.subject == "a: 40 → 60")
            }
        }
    }

    /// Whatever is done: what was confirmed stays until somebody chooses something else, and of what was not, nothing is in force
    /// once its time is over.
    @Test(arguments: 0..<12) func onlyWhatIsConfirmedStays(_ seed: UInt64) throws {
        try withStore { s in
            var random = Seeded(seed)
            let keys = ["a", "b", "c"]
            for key in keys { try s.put(key, .number(key, 0)) }
            try s.git("branch", "other")
            // What was chosen, or confirmed, on each branch.
            var settled = ["main": keys.map { _ in "0" }, "other": keys.map { _ in "0" }]
            var branch = "main"
            for step in 1...40 {
                let index = Int.random(in: 0..<3, using: &random)
                let key = keys[index]
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1, 2:
                    try s.wait(key, step, Int64.random(in: 1...9, using: &random))
                case 3:
                    try s.set(key, -step, by: .bob)
                    settled[branch]?[index] = "\(-step)"
                case 4:
                    let open = try s.unconfirmed().filter { $0.value == .waiting }.map(\.key)
                    // The time of one of them may be over by then.
                    if open.isEmpty || (try? s.confirm(open)) == nil { continue }
                    settled[branch] = try keys.map { try s.value($0) ?? "" }
                case 5: _ = try? s.confirm(nil, .extend(until: Time(seconds: s.clock + 1800, offset: 0)))
                case 6:
                    // What waits is of one branch only.
                    _ = try s.expire()
                    branch = branch == "main" ? "other" : "main"
                    try s.git("switch", "-q", branch)
                    try s.reopen()
                default: _ = try s.expire(after: 2)
                }
            }
            for branch in [branch, branch == "main" ? "other" : "main"] {
                try s.git("switch", "-q", branch)
                try s.reopen()
                #expect(try s.expire().failed.isEmpty, "seed \(seed)")
                #expect(try s.unconfirmed().isEmpty, "seed \(seed)")
                #expect(try keys.map { try s.value($0) ?? "" } == settled[branch], "seed \(seed), \(branch)")
            }
            #expect(try s.store.versions.deadlines.all().isEmpty, "seed \(seed)")
            #expect(try s.store.upkeep.verifyDeeply(isDamaged: false).findings.filter { $0.kind == .problem }.isEmpty)
        }
    }
}
