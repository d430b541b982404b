import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What is taken back of a version that nobody confirmed, and what stays.
struct ConfirmingTests {
    private func withOptions(_ body: (TemporaryStore) throws -> Void) throws {
        try withStore { s in
            try s.put("a", .number("A", 40))
            try s.put("b", .number("B", 1))
            try s.put("l", .language)
            try body(s)
        }
    }

    @Test func itsOwnChangesAreTakenBackAndLaterOnesStay() throws {
        try withOptions { s in
            let waiting = try s.wait { content in
                content.options[.of("a")]?.value = 60.json
                content.options[.of("b")]?.value = 2.json
            }
            #expect(try s.unconfirmed() == [waiting.id: .waiting])
            try s.set("b", 3, by: .bob)
            try s.set("l", "fr", by: .bob)
            #expect(try s.expire(after: 5).settled.isEmpty)
            let outcome = try s.expire(by: .bob)
            let settled = try #require(outcome.settled.first)
            #expect(settled.left.sentences == ["B: 1 → 2"])
            let version = try #require(settled.outcome.version)
            #expect(try s.value("a") == "40" && s.value("b") == "3" && s.value("l") == "fr")
            #expect(version.named.reverts == [waiting.id])
            #expect(version.named.unconfirmed.map(\.id) == [waiting.id])
            #expect(version.message.subject == "not confirmed: a: 60 → 40")
            let deadline = try #require(waiting.message.confirmBy)
            #expect(
                version.message.why == """
                    Not confirmed by \(deadline.rfc3339).
                    Changed since, and so not reverted:
                      b: 1 → 2
                    """)
            // Ada asked for it, Bob's command did it.
            #expect(version.author == .ada && version.committer == .bob)
            #expect(try s.unconfirmed().isEmpty)
            #expect(try s.state(waiting) == .takenBack(by: version.id))
            #expect(try s.expire().settled.isEmpty)
        }
    }

    @Test func laterChoiceOfTheSameStays() throws {
        try withOptions { s in
            let waiting = try s.wait("a", 60)
            try s.set("a", 80, by: .bob)
            try s.set("a", 60, by: .bob)
            let settled = try #require(try s.expire().settled.first)
            #expect(settled.left.sentences == ["A: 40 → 60"])
            let version = try #require(settled.outcome.version)
            #expect(version.named.reverts.isEmpty && version.named.unconfirmed.map(\.id) == [waiting.id])
            #expect(try s.value("a") == "60")
            #expect(try s.state(waiting) == .givenUp(by: version.id))
        }
    }

    @Test func whatWasUndoneOrRevertedIsNoChoice() throws {
        try withOptions { s in
            try s.wait("a", 60)
            try s.set("a", 80, by: .bob)
            _ = try s.undo(by: .bob)
            _ = try s.expire()
            #expect(try s.value("a") == "40")
        }
        try withOptions { s in
            try s.wait("a", 60)
            let bobs = try s.set("a", 80, by: .bob)
            _ = try s.store.reverting.revert([.init(bobs.id)], s.done(.carol))
            #expect(try s.value("a") == "60")
            _ = try s.expire()
            #expect(try s.value("a") == "40")
        }
    }

    @Test(arguments: [false, true]) func severalOfOneFacetGoBackToWhatWasConfirmed(_ isAtOnce: Bool) throws {
        try withOptions { s in
            let first = try s.wait("a", 60, 5)
            let second = try s.wait("a", 80, 20)
            if !isAtOnce {
                #expect(try s.expire(after: 5).settled.map(\.confirmation.version.id) == [first.id])
                #expect(try s.value("a") == "80")
                #expect(try s.unconfirmed() == [second.id: .waiting])
            }
            let settled = try s.expire().settled
            #expect(settled.map(\.confirmation.version.id) == (isAtOnce ? [second.id, first.id] : [second.id]))
            #expect(try s.value("a") == "40")
            #expect(try s.unconfirmed().isEmpty)
        }
    }

    @Test func whatWasConfirmedOnTopOfItStays() throws {
        try withOptions { s in
            let first = try s.wait("a", 60, 5)
            let second = try s.wait("a", 80, 5)
            try s.confirm([second.id])
            #expect(try s.unconfirmed() == [first.id: .waiting])
            _ = try s.expire()
            #expect(try s.value("a") == "80")
        }
    }

    @Test func labelsAreTakenBackByMeaning() throws {
        try withOptions { s in
            try s.wait { content in
                content.options[.of("l")]?.labels.insert(ChoiceLabel(value: "ar".json, text: "Arabic"), at: 3)
                content.options[.of("l")]?.value = "ar".json
            }
            try s.labels("l", by: .bob) { $0.insert(ChoiceLabel(value: "el".json, text: "Greek"), at: 4) }
            _ = try s.expire()
            let option = try #require(try s.option("l"))
            #expect(option.labels.map(\.text) == ["English", "French", "Spanish", "Greek"])
            #expect(try s.value("l") == "en")
        }
        // Somebody has come to need the label.
        try withOptions { s in
            try s.wait { content in
                content.options[.of("l")]?.labels.insert(ChoiceLabel(value: "ar".json, text: "Arabic"), at: 3)
                content.options[.of("a")]?.value = 60.json
            }
            try s.set("l", "ar", by: .bob)
            let settled = try #require(try s.expire().settled.first)
            #expect(settled.left.map(\.facet) == [.labels])
            #expect(try s.value("l") == "ar" && s.value("a") == "40")
        }
    }

    @Test func whatWasAddedGoesUnlessItWasChanged() throws {
        try withOptions { s in
            try s.wait { content in
                content.options[.of("new.x")] = .number("X", 1)
                content.options[.of("new.y")] = .number("Y", 1)
            }
            try s.set("new.y", 2, by: .bob)
            _ = try s.expire()
            #expect(try s.option("new.x") == nil)
            #expect(try s.value("new.y") == "2")
        }
        try withOptions { s in
            try s.wait { $0.options[.of("b")] = nil }
            _ = try s.expire()
            #expect(try s.value("b") == "1")
        }
    }

    @Test func renamesAreFollowed() throws {
        try withOptions { s in
            try s.wait("a", 60)
            try s.rename("a", "z.a", by: .bob)
            _ = try s.expire()
            #expect(try s.value("z.a") == "40" && s.option("a") == nil)
        }
        try withOptions { s in
            try s.wait(renames: [(.option(.of("a")), .option(.of("z")))]) { content in
                content.options[.of("z")] = content.options.removeValue(forKey: .of("a"))
            }
            try s.set("z", 50, by: .bob)
            _ = try s.expire()
            #expect(try s.value("a") == "50" && s.option("z") == nil)
        }
    }

    @Test func undoAndRevertByHandEndTheWaiting() throws {
        try withOptions { s in
            let waiting = try s.wait("a", 60)
            let undo = try #require(try s.undo().version)
            #expect(try s.unconfirmed().isEmpty)
            #expect(try s.state(waiting) == .takenBack(by: undo.id))
            // Whoever repeats it means it.
            let redo = try #require(try s.redo().version)
            #expect(redo.message.ownDeadline == nil)
            #expect(try s.expire().settled.isEmpty && s.unconfirmed().isEmpty && s.value("a") == "60")
            #expect(try s.state(waiting) == .takenBack(by: undo.id))
        }
        try withOptions { s in
            let waiting = try s.wait { content in
                content.options[.of("a")]?.value = 60.json
                content.options[.of("b")]?.value = 2.json
            }
            _ = try s.store.reverting.revert([.init(waiting.id)], only: [.of("a")], s.done(.bob))
            #expect(try s.unconfirmed() == [waiting.id: .waiting], "b is left")
            let revert = try #require(try s.store.reverting.revert([.init(waiting.id)], s.done(.bob)).version)
            #expect(try s.unconfirmed().isEmpty)
            #expect(try s.state(waiting) == .takenBack(by: revert.id))
        }
    }

    @Test func confirmingExtendingAndGivingUp() throws {
        try withOptions { s in
            let waiting = try s.wait("a", 60)
            let own = try #require(waiting.message.confirmBy)
            #expect(throws: Problem.confirming(.nothingWaits(others: [waiting]))) { try s.confirm(by: .bob) }
            let sooner = Time(seconds: own.seconds - 60, offset: 0)
            #expect(failure { try s.confirm(nil, .extend(until: sooner)) }?.kind == .usage)
            try s.confirm(nil, .extend(until: Time(seconds: own.seconds + 3600, offset: 60)))
            #expect(try s.expire(after: 20).settled.isEmpty)
            let confirming = try #require(try s.confirm([waiting.id], by: .bob).first)
            #expect(confirming.message.subject == "confirmed: a: 40 → 60")
            #expect(try s.state(waiting) == .confirmed(by: confirming.id))
            #expect(
                throws: Problem.confirming(.doesNotWait(waiting, .confirmed(by: confirming.id)))
            ) { try s.confirm([waiting.id]) }
            #expect(try s.expire().settled.isEmpty && s.value("a") == "60")
            // Confirming is nothing to undo: that is what was confirmed.
            _ = try s.undo()
            #expect(try s.value("a") == "40")
        }
        try withOptions { s in
            try s.wait("a", 60)
            try s.wait("b", 2)
            #expect(try s.confirm(nil, .cancel).map(\.message.subject) == ["given up: b: 2 → 1", "given up: a: 60 → 40"])
            #expect(try s.unconfirmed().isEmpty)
            #expect(failure { try s.confirm() }?.kind == .no)
        }
    }

    @Test func confirmingTooLateIsTooLate() throws {
        try withOptions { s in
            let waiting = try s.wait("a", 60)
            s.clock += 3600
            let problem = failure { try s.confirm([waiting.id]) }
            guard case .confirming(.doesNotWait(waiting, .takenBack))? = problem else {
                Issue.record("\(String(describing: problem))")
                return
            }
            #expect(try s.value("a") == "40")
        }
    }

    @Test func theClockOnTheWallCounts() throws {
        try withOptions { s in
            let waiting = try s.wait("a", 60)
            // Set back by a day, and forward again.
            s.clock -= 86400
            #expect(try s.unconfirmed() == [waiting.id: .waiting])
            #expect(try s.expire(after: 60).settled.isEmpty)
            s.clock += 86400
            #expect(try s.unconfirmed() == [waiting.id: .expired])
            #expect(try s.expire(after: 0).settled.count == 1)
        }
    }

    @Test func aFileThatIsBeingEditedPutsItOff() throws {
        try withOptions { s in
            let waiting = try s.wait("a", 60)
            try s.edit("a.json", "\"A\"", "\"AA\"")
            let outcome = try s.expire()
            #expect(outcome.settled.isEmpty && outcome.failed.map(\.confirmation.version.id) == [waiting.id])
            // Other changes go on, and are told of it.
            var notices: [Notice] = []
            let session = Session(
                s.store.folder, by: Caller(), at: Clock(now: s.clock), Session.Reporting(notice: { notices.append($0) }))
            _ = try session.perform(.edit(.set([.init("b", .word("7"))])), s.done())
            #expect(try s.value("b") == "7" && s.value("a") == "60")
            guard case .cannotTakeBack(let confirmation, .recording(.handEdited))? = notices.first else {
                Issue.record("\(notices)")
                return
            }
            #expect(confirmation.version.id == waiting.id)
            _ = try s.git("checkout", "-q", "a.json")
            #expect(try s.expire().settled.count == 1)
            #expect(try s.value("a") == "40")
        }
    }

    @Test func noReasonIsRequired() throws {
        try withOptions { s in
            let waiting = try s.wait("a", 60)
            try s.wait("b", 2)
            try s.change(s.done(why: "Policy.")) { content in
                content.definition?.policy.why = .required
                content.definition?.policy.ticket = .required
            }
            try s.confirm([waiting.id])
            #expect(try s.expire().settled.count == 1)
            #expect(try s.value("b") == "1")
        }
    }

    @Test func nextWriterTakesBackFirst() throws {
        try withOptions { s in
            let waiting = try s.wait("a", 60)
            s.clock += 3600
            var notices: [Notice] = []
            let session = Session(
                s.store.folder, by: Caller(), at: Clock(now: s.clock), Session.Reporting(notice: { notices.append($0) }))
            var dry = s.done()
            dry.isDryRun = true
            _ = try session.perform(.edit(.set([.init("b", .word("7"))])), dry)
            #expect(notices.isEmpty)
            // Relative to what is in force once it has been taken back.
            _ = try session.perform(.edit(.set([.init("a", .plus(try #require(Number("5"))))])), s.done(.bob, why: "More."))
            #expect(try s.value("a") == "45")
            let back = try #require(try s.versions().dropFirst().first?.version)
            #expect(back.named.unconfirmed.map(\.id) == [waiting.id] && back.message.why?.contains("More") == false)
            guard case .tookBack(let confirmation, by: back.id, left: [])? = notices.first else {
                Issue.record("\(notices)")
                return
            }
            #expect(confirmation.version.id == waiting.id)
        }
    }
}
