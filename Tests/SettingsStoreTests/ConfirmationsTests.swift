import Foundation
import Seeds
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Which versions wait: in branches, clones and rewritten histories, and what the cache knows of it.
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
            #expect(try s.unconfirmed() == [waiting.id: .waiting], "not confirmed here yet")
            try s.git("merge", "-q", "feature")
            try s.reopen()
            #expect(try s.unconfirmed().isEmpty)
            #expect(try s.state(waiting) == .confirmed(by: confirming.id))
        }
    }

    @Test func clonesAgree() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            let waiting = try s.wait("a", 60)
            let folder = try TemporaryFolder()
            try s.git("clone", "-q", s.root, folder.path + "/clone")
            let clone = try TemporaryStore.open(folder.path + "/clone", root: folder.path + "/clone")
            clone.clock = s.clock
            #expect(try clone.unconfirmed() == [waiting.id: .waiting])
            // Both take it back, and the branches come together without a conflict.
            #expect(try s.expire().settled.count == 1)
            #expect(try clone.expire(after: 90, by: .bob).settled.count == 1)
            try clone.git("pull", "-q", "--no-rebase", "--no-edit")
            try clone.reopen()
            #expect(try clone.value("a") == "40" && clone.unconfirmed().isEmpty)
            #expect(try clone.git("status", "--porcelain") == "")
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
                try? FileManager.default.removeItem(atPath: s.store.confirming.confirmations.cache.path)
                let open = try s.unconfirmed()
                #expect(open.count == 1 && open[waiting.id] == nil && open[second.id] == nil)
            }
            #expect(try s.expire().settled.count == 1)
            #expect(try s.value("a") == "60" && s.value("b") == "1")
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

    @Test func shallowClonesKnowWhatTheyHave() throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            try s.wait("a", 60)
            try s.set("a", 61)
            let second = try s.wait("a", 62)
            let folder = try TemporaryFolder()
            try s.git("clone", "-q", "--depth", "2", "file://" + s.root, folder.path + "/clone")
            let clone = try TemporaryStore.open(folder.path + "/clone", root: folder.path + "/clone")
            clone.clock = s.clock
            #expect(try clone.unconfirmed() == [second.id: .waiting])
            #expect(try clone.expire().settled.count == 1)
            #expect(try clone.value("a") == "61")
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
                        "not confirmed: nothing was left to take back", "b: 2 → 3", "b: 1 → 2", "b: added (1)",
                    ], "\(usesIndex)")
                #expect(try s.subjects().count == 8)
                #expect(try s.blamed("a")?.message.subject == "a: 40 → 60")
            }
        }
    }

    /// Whatever is done, what the cache says is what the versions alone say.
    @Test(arguments: 0..<12) func theCacheAgreesWithTheVersions(_ seed: UInt64) throws {
        try withStore { s in
            var random = Seeded(seed)
            for key in ["a", "b", "c"] { try s.put(key, .number(key, 0)) }
            try s.git("branch", "other")
            for step in 0..<40 {
                let key = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
                switch Int.random(in: 0..<11, using: &random) {
                // The option may have been undone.
                case 0, 1, 2:
                    try s.change(s.waiting(Int64.random(in: 1...9, using: &random))) {
                        $0.options[.of(key)]?.value = (step + 1).json
                    }
                case 3, 4:
                    try s.change(s.done(Bool.random(using: &random) ? .ada : .bob)) {
                        $0.options[.of(key)]?.value = (-step - 1).json
                    }
                case 5: _ = try? s.undo()
                case 6: _ = try? s.redo()
                case 7: _ = try? s.confirm(Bool.random(using: &random) ? nil : s.unconfirmed().keys.first.map { [$0] })
                case 8: _ = try? s.confirm(nil, .extend(until: Time(seconds: s.clock + 1800, offset: 0)))
                case 9:
                    let branch = try s.git("branch", "--show-current").contains("main") ? "other" : "main"
                    try s.git("switch", "-q", branch)
                    try s.reopen()
                    let other = try s.store.versions.version(named: branch == "main" ? "other" : "main")
                    var wish = MergeWish(name: "other")
                    wish.side = .ours
                    _ = try? s.store.merging.merge(other.id, wish, s.done())
                default: _ = try s.expire(after: 2)
                }
                try s.reopen()
                guard let tip = try s.store.versions.head.commit else { continue }
                let confirmations = s.store.confirming.confirmations
                #expect(try confirmations.open(at: tip) == confirmations.whole(tip).open, "seed \(seed), step \(step)")
            }
            #expect(try s.store.upkeep.verifyDeeply(isDamaged: false).findings.filter { $0.kind == .problem }.isEmpty)
        }
    }

    @Test func aCacheThatLiesIsFoundAndOneThatIsDamagedIsIgnored() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            let waiting = try s.wait("a", 1)
            _ = try s.unconfirmed()
            let path = s.store.confirming.confirmations.cache.path
            let tip = try #require(try s.store.versions.head.commit)
            func problems() throws -> [String] {
                try s.store.upkeep.verifyDeeply(isDamaged: false).findings.filter { $0.kind == .problem }.map(\.reason)
            }
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(try problems() == [])
            for text in ["", "settings confirm 1\n", "settings confirm 1\n\(tip.hex)\n0000000000000000\n", "x"] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                try s.reopen()
                #expect(try s.unconfirmed() == [waiting.id: .waiting])
            }
            s.store.confirming.confirmations.cache.write(tip, [:])
            try s.reopen()
            #expect(try s.unconfirmed().isEmpty, "it is believed")
            #expect(try problems() == ["the list of versions to be confirmed does not match the versions; it was removed"])
            try s.reopen()
            #expect(try s.unconfirmed() == [waiting.id: .waiting])
        }
    }
}
