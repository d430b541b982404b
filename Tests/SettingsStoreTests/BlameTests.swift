import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct BlameTests {
    @Test func labelEditsDontCount() throws {
        try withStore { s in
            try s.put("l", .language)
            let chosen = try s.set("l", "fr", by: .bob)
            try s.labels("l", by: .carol) { $0.insert(ChoiceLabel(value: .string("ar"), text: "Arabic"), at: 0) }
            try s.labels("l", by: .carol) { $0.rename(.string("fr"), to: "Français") }
            try s.labels("l", by: .carol) { $0.move(.string("fr"), to: 3) }
            let removed = try s.labels("l", by: .carol) { $0.remove(.string("es")) }
            #expect(try s.blamed("l")?.id == chosen.id)
            #expect(try s.blamed("l", .labels)?.id == removed.id)
            #expect(try s.blamed("l", .title)?.author == .ada)
        }
    }

    @Test func renamesAreFollowed() throws {
        try withStore { s in
            try s.put("general.l", .language)
            let chosen = try s.set("general.l", "fr", by: .bob)
            try s.rename("general.l", "general.language", by: .carol)
            try s.renameGroup("general", "basics", by: .carol)
            #expect(try s.blamed("basics.language")?.id == chosen.id)
        }
    }

    @Test func undoAndRedoAreTransparent() throws {
        try withStore { s in
            try s.put("l", .language)
            let chosen = try s.set("l", "fr", by: .bob)
            let later = try s.set("l", "es")
            _ = try s.undo()
            #expect(try s.blamed("l")?.id == chosen.id)
            _ = try s.redo()
            #expect(try s.blamed("l")?.id == later.id)
            _ = try s.undo()
            #expect(try s.blamed("l")?.id == chosen.id)
        }
    }

    @Test func theUndoOfARemovalIsTransparent() throws {
        try withStore { s in
            try s.put("l", .language)
            let chosen = try s.set("l", "fr", by: .bob)
            try s.put("l", nil)
            _ = try s.undo()
            #expect(try s.blamed("l")?.id == chosen.id)
        }
    }

    @Test func severalUndoneAtOnceAcrossARename() throws {
        try withStore { s in
            try s.put("l", .language)
            let chosen = try s.set("l", "fr", by: .bob)
            try s.set("l", "es")
            try s.rename("l", "m")
            _ = try s.undo(2)
            #expect(try s.value("l") == "fr")
            #expect(try s.blamed("l")?.id == chosen.id)
            _ = try s.redo(2)
            #expect(try s.value("m") == "es")
            #expect(try s.blamed("m")?.message.subject == "l: French → Spanish")
        }
    }

    @Test func aMergeIsFollowedToWhoChose() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.put("b", .number("B", 1))
            try s.git("checkout", "-q", "-b", "side")
            let one = try s.set("a", 2, by: .bob)
            try s.git("checkout", "-q", "main")
            let two = try s.set("b", 2, by: .carol)
            try s.git("merge", "-q", "-m", "merged", "side")
            #expect(try s.blamed("a")?.id == one.id)
            #expect(try s.blamed("b")?.id == two.id)
            let all = try s.store.history.blame([.of("b"), .of("a"), .of("nowhere")], at: try s.store.versions.tip())
            #expect(all.map(\.key) == [.of("b"), .of("a")])
        }
    }

    @Test func aChoiceAndALabelEditMerged() throws {
        try withStore { s in
            try s.put("l", .choice("L", (1...20).map { "v\($0)=Label \($0)" }))
            try s.git("checkout", "-q", "-b", "side")
            let chosen = try s.set("l", "v2", by: .bob)
            try s.git("checkout", "-q", "main")
            try s.labels("l", by: .carol) { $0.rename(.string("v18"), to: "Eighteen") }
            try s.git("merge", "-q", "-m", "merged", "side")
            #expect(try s.blamed("l")?.id == chosen.id)
        }
    }

    @Test func restoreAndRevertAreTheRestorersOwn() throws {
        try withStore { s in
            try s.put("l", .language)
            let old = try s.set("l", "fr", by: .bob)
            let wrong = try s.set("l", "es")
            let reverted = try #require(try s.store.reverting.revert([wrong.id], s.done(.carol)).version)
            #expect(try s.value("l") == "fr")
            #expect(try s.blamed("l")?.id == reverted.id)
            try s.set("l", "en")
            let restored = try #require(try s.store.reverting.restore([.of("l")], from: old.id, s.done(.carol)).version)
            #expect(try s.value("l") == "fr")
            #expect(try s.blamed("l")?.id == restored.id)
        }
    }

    @Test func unsetValuesAndThoseThatCameBack() throws {
        try withStore { s in
            try s.put("l", .language)
            let unset = try s.set("l", nil, by: .bob)
            #expect(try s.blamed("l")?.id == unset.id)
            try s.put("l", nil)
            let again = try s.put("l", .choice("Language", ["en=English"], selected: nil), by: .carol)
            #expect(try s.blamed("l")?.id == again.id)
        }
    }

    @Test func commitsByPlainGitCountLikeAnyOther() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.edit("a.json", "\"value\": 1", "\"value\": 7")
            let id = try s.commitPlainly()
            try s.write("x", to: "README")
            try s.commitPlainly()
            #expect(try s.blamed("a")?.id == id)
        }
    }

    @Test func whoIsBehindADifference() throws {
        try withStore { s in
            try s.put("l", .language)
            let old = try s.put("a", .number("A", 1))
            let chosen = try s.set("l", "fr", by: .bob)
            let removed = try s.put("a", nil, by: .carol)
            let tip = try s.store.versions.tip()
            let changes = try s.store.versions.changes(from: try s.store.versions.snapshot(old.id), to: tip).changes
            let origins = try s.store.history.origins(of: changes, from: old.id, to: tip.id)
            #expect(changes.map(\.subject.path) == ["a.json", "l.json"])
            #expect(origins.map { $0?.id } == [removed.id, chosen.id])
        }
    }
}
