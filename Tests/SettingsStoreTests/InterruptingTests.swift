import Files
import Testing

@testable import SettingsModel
@testable import SettingsStore

/// What takes time can be ended by whoever asked for it, and what one request wants is not kept for the next.
@Suite struct InterruptingTests {
    /// Whether to go on, as whoever uses the session says.
    private final class Wish {
        var goesOn = true
        var asked: [Versions.Progress] = []
    }

    private func session(_ s: TemporaryStore, _ wish: Wish) -> Session {
        Session(
            StoreFolder(path: s.path), by: Caller(), at: Clock(now: 0),
            Session.Reporting(progress: {
                wish.asked.append($0)
                return wish.goesOn
            }))
    }

    @Test func aWalkEndsAlsoWhereNothingMatches() throws {
        try withStore { s in
            for value in 0..<70 { try s.put("n", .number("Number", value)) }
            for usesIndex in [false, true] {
                let wish = Wish()
                let session = session(s, wish)
                try session.store.history.cache.usesIndex = usesIndex
                var query = HistoryQuery()
                query.filter.ticket = "NONE-1"
                func walk() throws(Problem) -> Int {
                    var count = 0
                    try session.walk(query) { _, _, _ throws(Problem) in
                        count += 1
                        return true
                    }
                    return count
                }
                wish.goesOn = false
                #expect(throws: Problem.interrupted) { try walk() }
                #expect(wish.asked.allSatisfy { if case .examined = $0 { true } else { false } })
                wish.goesOn = true
                #expect(try walk() == 0)
                query.filter.ticket = nil
                #expect(try walk() == 71)
            }
        }
    }

    /// Also where what walks can do without the answer: nothing that is half known is answered or recorded.
    @Test func whatIsInterruptedHasNoAnswerAndRecordsNothing() throws {
        try withStore { s in
            try s.put("m", .number("Other", 1))
            for value in 0..<140 { try s.put("n", .number("Number", value)) }
            let wish = Wish()
            let session = session(s, wish)
            try session.store.history.cache.usesIndex = false
            let tip = try s.store.versions.tip().id
            wish.goesOn = false
            #expect(throws: Problem.interrupted) { try session.ask(BlameQuery(["m"])) }
            #expect(throws: Problem.interrupted) { try session.ask(ShowQuery("nothing")) }
            #expect(throws: Problem.interrupted) { try session.ask(DiffQuery(["gone"], from: nil, to: nil)) }
            #expect(throws: Problem.interrupted) { try session.perform(.revert([], only: ["gone"]), s.done()) }
            #expect(try s.store.versions.tip().id == tip)
            wish.goesOn = true
            #expect(try session.ask(BlameQuery(["m"])).blames.count == 1)
        }
    }

    @Test func aWaitForTheLockEnds() throws {
        try withStore { s in
            try s.put("n", .number("Number", 1))
            try s.put("m", .number("Number", 1))
            let wish = Wish()
            let session = session(s, wish)
            _ = try session.ask(HeadQuery())
            let request = Request.edit(.set([.init("n", .word("2"))]))
            do {
                let lock = try Lock.take(s.root + "/.git/settings/lock", .exclusive)
                wish.goesOn = false
                #expect(throws: Problem.interrupted) { try session.perform(request, s.done()) }
                #expect(throws: Problem.interrupted) { try session.ask(SettingsQuery()) }
                #expect(wish.asked == [.waiting(for: nil), .waiting(for: nil)])
                wish.goesOn = true
                var done = s.done()
                done.patience = 0.2
                #expect(throws: Problem.recording(.isBusy(seconds: 0))) { try session.perform(request, done) }
                withExtendedLifetime(lock) {}
            }
            #expect(try session.perform(request, s.done()).version != nil)
            #expect(try s.value("n") == "2")
        }
    }

    @Test func whatOneRequestWantsIsNotKept() throws {
        try withStore { s in
            try s.put("n", .number("Number", 1))
            let session = Session(s.store, by: Caller(), at: Clock(now: 0))
            let journal = s.store.journal
            var done = s.done()
            (done.durability, done.patience) = (.strict, 1)
            _ = try session.perform(.edit(.set([.init("n", .word("2"))])), done)
            #expect(journal.wantedDurability == nil && journal.patience == Lock.patience)
            #expect(journal.safety.source == .default)
            #expect(throws: Problem.self) { try session.perform(.edit(.set([.init("x", .word("2"))])), done) }
            #expect(journal.wantedDurability == nil && journal.patience == Lock.patience)
        }
    }

    @Test func aWaitThatWasGivenUpLeavesTheLockToOthers() throws {
        try withStore { s in
            let path = s.root + "/.git/settings/lock"
            do {
                let lock = try Lock.take(path, .exclusive)
                let isHad = try Lock.take(path, .exclusive) { false } != nil
                #expect(!isHad)
                withExtendedLifetime(lock) {}
            }
            // The thread that stood in the queue lets go at once.
            let isFree = try Lock.take(path, .exclusive, patience: 5) != nil
            #expect(isFree)
        }
    }
}
