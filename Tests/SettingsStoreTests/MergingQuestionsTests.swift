import Foundation
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Questions that a merge leaves open, and what settles them.
struct MergingQuestionsTests {
    private func withQuestion(_ body: (TemporaryStore) throws -> Void) throws {
        try withStore { s in
            try s.partOverLanguage()
            #expect(try s.merge { $0.kept = .agreed }.version != nil)
            #expect(try s.value("l") == "en")
            #expect(try s.value("n") == "2")
            #expect(try s.open() == ["l value"])
            #expect(try s.findings().isEmpty)
            try body(s)
        }
    }

    @Test(arguments: [(ConflictAnswer.ours, "fr"), (.theirs, "es"), (.word("English"), "en"), (.word("es"), "es")])
    func settled(answer: ConflictAnswer, value: String) throws {
        try withQuestion { s in
            let version = try #require(try s.resolve("l", answer).version)
            #expect(try s.value("l") == value)
            #expect(version.message.resolves == [VersionMessage.Question(.option(.of("l")), .value)])
            #expect(try s.open().isEmpty)
            #expect(failure { try s.resolve("l", .ours) }?.kind == .missing)
        }
    }

    @Test func whoIsBehindIt() throws {
        try withQuestion { s in
            let question = try #require(try s.store.merging.openConflicts().first)
            #expect(question.origin.ours?.author == .ada)
            #expect(question.origin.theirs?.author == .bob)
            #expect(
                [question.conflict.base?.json, question.conflict.ours?.json, question.conflict.theirs?.json]
                    == ["en", "fr", "es"].map { .string($0) })
        }
    }

    @Test func settledByALaterChoiceOfTheOptionOnly() throws {
        try withQuestion { s in
            try s.set("n", 3)
            try s.labels("l") { $0.rename(.string("en"), to: "British") }
            #expect(try s.open() == ["l value"])
            try s.set("l", "es")
            #expect(try s.open().isEmpty)
        }
    }

    /// What is undone is as it was before: the question too.
    @Test(arguments: [ConflictAnswer.ours, .theirs, .word("English")]) func openAgainAfterUndo(answer: ConflictAnswer) throws {
        try withQuestion { s in
            try s.resolve("l", answer)
            _ = try s.undo(by: .carol)
            #expect(try s.open() == ["l value"])
            #expect(try s.value("l") == "en")
            _ = try s.redo(by: .carol)
            #expect(try s.open().isEmpty)
            _ = try s.undo(by: .carol)
            #expect(try s.open() == ["l value"])
            try s.resolve("l", .ours)
            #expect(try s.open().isEmpty)
            #expect(try s.value("l") == "fr")
        }
    }

    /// A revert of what settled it opens it again, also by somebody else, and also where nothing had changed.
    @Test(arguments: [ConflictAnswer.ours, .word("English")]) func openAgainAfterRevert(answer: ConflictAnswer) throws {
        try withQuestion { s in
            let settled = try #require(try s.resolve("l", answer).version)
            #expect(try s.store.reverting.revert([settled.id], s.done(.bob)).version != nil)
            #expect(try s.open() == ["l value"])
            #expect(try s.value("l") == "en")
            #expect(throws: Problem.history(.hasNothingToRevert([settled.id]))) {
                try s.store.reverting.revert([settled.id], s.done(.bob))
            }
        }
    }

    @Test(arguments: ["l", "g"]) func followsRenames(kind: String) throws {
        try withStore { s in
            let key = kind == "g" ? "g.l" : "l"
            try s.put(key, .language)
            try s.part(ours: { try s.set(key, "fr", by: .ada) }, theirs: { try s.set(key, "es", by: .bob) })
            try s.merge { $0.kept = .agreed }
            let today = kind == "g" ? "h.l" : "m"
            if kind == "g" { try s.renameGroup("g", "h") } else { try s.rename("l", "m") }
            #expect(try s.open() == ["\(today) value"])
            #expect(failure { try s.resolve(key, .theirs) }?.kind == .missing)
            // Another option takes the old name.
            try s.put(key, .language)
            #expect(try s.open() == ["\(today) value"])
            try s.resolve(today, .theirs)
            #expect(try s.value(today) == "es")
            #expect(try s.open().isEmpty)
            try s.undo(by: .carol)
            #expect(try s.open() == ["\(today) value"])
        }
    }

    /// Both decided, one of them for what was in force already: that is no less a decision.
    @Test func decidedTwice() throws {
        try withQuestion { s in
            try s.git("checkout", "-q", "-b", "other")
            try s.reopen()
            try s.resolve("l", .word("English"))
            try s.git("checkout", "-q", "main")
            try s.reopen()
            try s.resolve("l", .ours)
            let error = failure { try s.merge("other") }
            #expect(error?.kind == .conflict)
            #expect(
                error?.conflicts.map { [$0.base, $0.ours, $0.theirs].map { $0?.json } } == [
                    ["en", "fr", "en"].map { .string($0) }
                ])
            #expect(try s.value("l") == "fr")
            try s.merge("other") { $0.side = .theirs }
            #expect(try s.value("l") == "en")
            #expect(try s.open().isEmpty)
        }
    }

    @Test func alsoWhereItWasMergedOnOrCloned() throws {
        try withQuestion { s in
            try s.git("checkout", "-q", "-b", "other", "HEAD~1")
            try s.reopen()
            try s.put("o", .number("O", 1))
            #expect(try s.open().isEmpty)
            try s.merge("main")
            #expect(try s.open() == ["l value"])
            let path = try Surroundings.folder() + "/clone"
            try runGit(["clone", "-q", s.root, path], in: s.root)
            let clone = try TemporaryStore.open(path, root: path)
            #expect(try clone.open() == ["l value"])
            clone.clock = s.clock
            try clone.resolve("l", .theirs)
            #expect(try clone.open().isEmpty)
            #expect(try s.open() == ["l value"])
        }
    }

    @Test func settledOnTheOtherLine() throws {
        try withQuestion { s in
            try s.git("checkout", "-q", "-b", "other")
            try s.reopen()
            try s.resolve("l", .theirs)
            try s.git("checkout", "-q", "main")
            try s.reopen()
            try s.set("n", 4)
            #expect(try s.open() == ["l value"])
            try s.merge("other")
            #expect(try s.open().isEmpty)
            #expect(try s.value("l") == "es")
        }
    }

    /// A question about the title and one about the value of an option.
    private func withTwoFacets(_ body: (TemporaryStore) throws -> Void) throws {
        try withStore { s in
            try s.put("l", .language)
            func edit(_ title: ExactText, _ value: String) throws {
                try s.change(s.done()) {
                    $0.options[.of("l")]?.title = title
                    $0.options[.of("l")]?.value = .string(value)
                }
            }
            try s.part(ours: { try edit("Tongue", "fr") }, theirs: { try edit("Speech", "es") })
            try s.merge { $0.kept = .agreed }
            try body(s)
        }
    }

    @Test func severalFacets() throws {
        try withTwoFacets { s in
            #expect(try s.open() == ["l title", "l value"])
            // A word is a value.
            try s.resolve("l", .word("Spanish"))
            #expect(try s.open() == ["l title"])
            try s.resolve("l", .ours, .title)
            #expect(try s.option("l")?.title == "Tongue")
            #expect(try s.value("l") == "es")
        }
        try withTwoFacets { s in
            try s.resolve("l", .theirs)
            #expect(try s.open() == [])
            #expect(try s.option("l")?.title == "Speech")
            #expect(try s.value("l") == "es")
        }
    }

    @Test func aRemovalAgainstAChange() throws {
        for (answer, value) in [(ConflictAnswer.ours, nil), (.theirs, "fr")] as [(ConflictAnswer, String?)] {
            try withStore { s in
                try s.put("l", .language)
                try s.part(ours: { try s.change(s.done()) { $0.options[.of("l")] = nil } }, theirs: { try s.set("l", "fr") })
                try s.merge { $0.kept = .agreed }
                #expect(try s.open() == ["l existence"])
                #expect(try s.value("l") == "en")
                try s.resolve("l", answer)
                #expect(try s.value("l") == value)
                #expect(try s.open().isEmpty)
            }
        }
    }

    @Test(arguments: [(ConflictAnswer.ours, "b"), (.theirs, "c")]) func twoNamesForOneOption(
        answer: ConflictAnswer, name: String
    ) throws {
        try withStore { s in
            try s.put("a", .language)
            try s.part(
                ours: { try s.rename("a", "b") },
                theirs: {
                    try s.rename("a", "c")
                    try s.set("c", "fr")
                })
            try s.merge { $0.kept = .agreed }
            #expect(try s.open() == ["a key"])
            #expect(try s.value("a") == "fr")
            let version = try #require(try s.resolve("a", answer).version)
            #expect(version.message.renames.count == 1)
            #expect(try s.value(name) == "fr")
            #expect(try s.option("a") == nil)
            #expect(try s.open().isEmpty)
        }
    }

    @Test(arguments: [(ConflictAnswer.ours, true), (.theirs, false)]) func aRenameAgainstARemoval(
        answer: ConflictAnswer, stays: Bool
    ) throws {
        try withStore { s in
            try s.put("a", .language)
            try s.part(
                ours: {
                    try s.rename("a", "b")
                    try s.set("b", "fr")
                }, theirs: { try s.change(s.done()) { $0.options[.of("a")] = nil } })
            try s.merge { $0.kept = .agreed }
            #expect(try s.open() == ["a key"])
            try s.resolve("a", answer)
            #expect(try s.value("b") == (stays ? "fr" : nil))
            #expect(try s.option("a") == nil)
            #expect(try s.open().isEmpty)
        }
    }
}
