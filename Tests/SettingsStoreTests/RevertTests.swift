import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct RevertTests {
    @Test func oneWithLaterEditsKept() throws {
        try withStore { s in
            try s.put("l", .language)
            let wrong = try s.set("l", "fr")
            try s.labels("l") { $0.insert(ChoiceLabel(value: .string("ar"), text: "Arabic"), at: 0) }
            try s.put("n", .number("N", 1))
            let version = try #require(try s.store.reverting.revert([wrong.id], s.done()).version)
            #expect(version.named.reverts == [wrong.id])
            #expect(try s.value("l") == "en")
            #expect(try s.option("l")?.selected == 1)
            #expect(try s.option("l")?.labels.count == 4)
            #expect(try s.option("n") != nil)
        }
    }

    @Test func severalInAnyOrder() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            let one = try s.set("a", 1)
            try s.set("b", 5)
            let two = try s.set("a", 2)
            let version = try #require(try s.store.reverting.revert([one.id, two.id, one.id], s.done()).version)
            #expect(version.named.reverts == [two.id, one.id])
            #expect(try s.value("a") == "0")
            #expect(try s.value("b") == "5")
        }
    }

    @Test func onlySomeKeys() throws {
        try withStore { s in
            try s.put("g.a", .number("A", 0))
            try s.put("b", .number("B", 0))
            let version = try #require(
                try s.change(s.done()) {
                    $0.options[.of("g.a")]?.value = .number(1); $0.options[.of("b")]?.value = .number(1)
                }.version)
            _ = try s.store.reverting.revert([version.id], only: [.of("g")], s.done())
            #expect(try s.value("g.a") == "0")
            #expect(try s.value("b") == "1")
        }
    }

    @Test func aConflictLeavesEverythingAsItWas() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            let version = try #require(
                try s.change(s.done()) {
                    $0.options[.of("a")]?.value = .number(1); $0.options[.of("b")]?.value = .number(1)
                }.version)
            try s.set("b", 2)
            let before = try s.allFiles()
            let error = failure { _ = try s.store.reverting.revert([version.id], s.done()) }
            #expect(error?.kind == .conflict)
            #expect(error?.conflicts.map(\.subject) == [.option(.of("b"))])
            #expect(try s.allFiles() == before)
        }
    }

    @Test func twiceIsOnce() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            let version = try s.set("a", 1)
            let first = try #require(try s.store.reverting.revert([version.id], s.done()).version)
            #expect(throws: Problem.history(.hasNothingToRevert([version.id]))) {
                try s.store.reverting.revert([version.id], s.done())
            }
            _ = try s.store.reverting.revert([first.id], s.done())
            #expect(try s.value("a") == "1")
        }
    }

    @Test func whatAVersionDidNotChangeIsToldFromWhatIsReverted() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            let version = try s.set("a", 1)
            func revert(_ key: Key) -> Problem? {
                failure { _ = try s.store.reverting.revert([version.id], only: [key], s.done()) }
            }
            #expect(revert(.of("b")) == .history(.hasNothingToRevert([version.id], in: [.of("b")], changed: false)))
            #expect(revert(.of("a")) == nil)
            #expect(revert(.of("a")) == .history(.hasNothingToRevert([version.id], in: [.of("a")])))
        }
    }

    @Test func whatWasRenamedSinceIsFound() throws {
        try withStore { s in
            try s.put("g.l", .language)
            let wrong = try s.set("g.l", "fr")
            let added = try s.put("g.n", .number("N", 1))
            try s.rename("g.l", "g.language")
            try s.renameGroup("g", "h")
            _ = try s.store.reverting.revert([wrong.id], s.done())
            #expect(try s.value("h.language") == "en")
            _ = try s.store.reverting.revert([added.id], s.done())
            #expect(try s.option("h.n") == nil)
        }
    }

    @Test func aRenameTogetherWithWhatCameBefore() throws {
        try withStore { s in
            try s.put("l", .language)
            let one = try s.set("l", "fr")
            let two = try s.rename("l", "m")
            _ = try s.store.reverting.revert([one.id, two.id], s.done())
            #expect(try s.value("l") == "en")
            #expect(try s.option("m") == nil)
        }
    }

    @Test func aRemovalComesBackAndAnAdditionGoes() throws {
        try withStore { s in
            let added = try s.put("a", .number("A", 1))
            let removed = try s.put("a", nil)
            _ = try s.store.reverting.revert([removed.id], s.done())
            #expect(try s.value("a") == "1")
            _ = try s.store.reverting.revert([added.id], s.done())
            #expect(try s.option("a") == nil)
        }
    }

    @Test func anAdditionThatWasEditedSinceIsAConflict() throws {
        try withStore { s in
            let added = try s.put("a", .number("A", 1))
            try s.set("a", 2)
            #expect(failure { _ = try s.store.reverting.revert([added.id], s.done()) }?.kind == .conflict)
        }
    }

    @Test func aVersionOfAnotherLine() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.git("checkout", "-q", "-b", "side")
            let other = try s.set("a", 2)
            try s.git("checkout", "-q", "main")
            #expect(failure { _ = try s.store.reverting.revert([other.id], s.done()) }?.kind == .missing)
        }
    }

    @Test func aMergeComparedWithItsFirstParent() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.git("checkout", "-q", "-b", "side")
            try s.set("a", 2)
            try s.git("checkout", "-q", "main")
            try s.put("b", .number("B", 1))
            try s.git("merge", "-q", "-m", "merged", "side")
            let merge = try s.store.versions.version(named: "HEAD")
            _ = try s.store.reverting.revert([merge.id], s.done())
            #expect(try s.value("a") == "1")
            #expect(try s.option("b") != nil)
        }
    }

    /// A merge says again what one side had renamed, which counts once.
    @Test func aRenameThatWasMergedAndRevertedIsNone() throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            let old = try s.set("n", 2)
            var renamed: Version?
            try s.part(ours: { try s.put("o", .number("O", 1)) }, theirs: { renamed = try s.rename("n", "g.n") })
            try s.merge()
            _ = try s.store.reverting.revert([try #require(renamed).id], s.done())
            try s.set("n", 3)
            _ = try s.store.reverting.restore([], from: old.id, s.done())
            #expect(try s.value("n") == "2" && s.option("g.n") == nil)
        }
    }
}
