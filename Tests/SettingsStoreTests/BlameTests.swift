import Foundation
import SettingsText
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

    /// What resolves a conflict on the way is no choice of its own, nor is what a merge keeps against a removal.
    @Test func conflictsMakeNobodyTheChooser() throws {
        try withStore { s in
            try s.put("a", .number("A", 1), by: .carol)
            let chosen = try s.set("a", 7, by: .carol)
            try s.part(ours: { try s.set("a", 2, by: .bob) }, theirs: { try s.set("a", 5) })
            try s.merge { $0.kept = .theirs }
            let restored = try s.store.reverting.restore([.of("a")], from: chosen.id, s.done(.bob)).version
            #expect(restored?.message.resolves.map(\.text) == ["a value"])
            #expect(try s.blamed("a")?.id == chosen.id)
        }
        try withStore { s in
            let added = try s.put("a", .number("A", 1), by: .carol)
            try s.part(ours: { try s.set("a", 3) }, theirs: { try s.put("a", nil, by: .bob) })
            try s.merge { $0.kept = .agreed }
            #expect(try s.open() == ["a existence"])
            #expect(try s.blamed("a")?.id == added.id)
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

    @Test func restoreAndRevertGiveBackWhatSomebodyChose() throws {
        try withStore { s in
            try s.put("l", .language)
            let old = try s.set("l", "fr", by: .bob)
            let wrong = try s.set("l", "es")
            let reverted = try #require(try s.store.reverting.revert([wrong.id], s.done(.carol)).version)
            #expect(try s.blamed("l")?.id == old.id)
            _ = try s.store.reverting.revert([reverted.id], s.done(.carol))
            #expect(try s.blamed("l")?.id == wrong.id)
            try s.undo(by: .carol)
            #expect(try s.blamed("l")?.id == old.id)
            try s.redo(by: .carol)
            #expect(try s.blamed("l")?.id == wrong.id)
            try s.set("l", "en")
            _ = try s.store.reverting.restore([.of("l")], from: reverted.id, s.done(.carol))
            #expect(try s.value("l") == "fr")
            #expect(try s.blamed("l")?.id == old.id)
        }
    }

    /// A value that it has had before is a new decision all the same.
    @Test func settingAnEarlierValueIsADecision() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.set("l", "fr", by: .bob)
            try s.set("l", "es")
            let again = try s.set("l", "fr", by: .carol)
            #expect(try s.blamed("l")?.id == again.id)
        }
    }

    @Test func anExpiryGivesBackWhatSomebodyChose() throws {
        try withStore { s in
            try s.put("l", .language)
            let chosen = try s.set("l", "fr", by: .bob)
            let first = try s.wait("l", "es", 5, by: .carol)
            let second = try s.wait("l", "en", 90)
            #expect(try s.blamed("l")?.id == second.id)
            try s.expire(after: 10)
            #expect(try s.blamed("l")?.id == second.id)
            try s.expire(after: 100)
            #expect(try s.value("l") == "fr")
            #expect(try s.blamed("l")?.id == chosen.id)
            #expect(try s.versions().map(\.version.id).contains(first.id))
        }
    }

    /// What was undone at once had changed a value and changed it back, or more than once.
    @Test(arguments: [false, true]) func severalUndoneThatChangedItMoreThanOnce(withIndex: Bool) throws {
        try withStore { s in
            try s.put("n", .number("N", 0))
            try s.put("m", .number("M", 0))
            let chosen = try s.set("n", 1, by: .bob)
            try s.set("n", 2)
            let back = try s.change(s.done(.ada)) {
                $0.options[.of("n")]?.value = .number(1)
                $0.options[.of("m")]?.value = .number(1)
            }.version
            if withIndex { s.store.history.cache.buildIndex() }
            try s.undo(2)
            #expect(try s.blamed("n")?.id == chosen.id)
            try s.redo(2)
            #expect(try s.blamed("n")?.id == back?.id)
            try s.set("n", 3)
            if withIndex { s.store.history.cache.buildIndex() }
            try s.undo(3)
            #expect(try s.blamed("n")?.id == chosen.id)
        }
    }

    /// The undo of a switch that was flipped: who had switched it on, with the reason.
    @Test func whoIsBehindADifferenceThatWasUndone() throws {
        try withStore { s in
            let base = try s.put("w", .onOff("W", false))
            let chosen = try s.set("w", true, by: .bob, ticket: "T-1")
            let flipped = try s.set("w", false)
            try s.undo()
            func behind(_ old: Version) throws -> [VersionID] {
                var query = DiffQuery([], from: old.id, to: try s.store.versions.tip().id)
                query.wantsOrigins = true
                return try s.session().ask(query).origins.joined().map(\.version.id)
            }
            #expect(try behind(base) == [chosen.id])
            // Also where that was before both.
            #expect(try behind(flipped) == [chosen.id])
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
            #expect(origins.map { $0.map(\.version.id) } == [[removed.id], [chosen.id]])
        }
    }

    /// Bob 1 → 2, Eve 2 → 3: both are behind 1 → 3, in either direction.
    @Test func everyoneBehindADifference() throws {
        try withStore { s in
            let first = try s.put("a", .number("A", 1))
            let bob = try s.set("a", 2, by: .bob)
            // Changed and changed back.
            try s.set("a", 9)
            try s.set("a", 2)
            try s.put("b.c", .number("C", 1))
            try s.rename("a", "x.y")
            let carol = try s.set("x.y", 3, by: .carol)
            let tip = try s.store.versions.tip()
            func behind(_ old: VersionID, _ new: VersionID) throws -> [[String]] {
                let session = Session(s.store, by: Caller(), at: Clock(now: 0))
                var query = DiffQuery([], from: old, to: new)
                query.wantsOrigins = true
                let answer = try session.ask(query)
                return zip(answer.changes, answer.origins).filter { $0.0.facet == .value }.map { _, origins in
                    origins.map { "\(Wording().step($0.change)) \($0.version.author.name.prefix(3))" }
                }
            }
            let last = try #require(tip.id)
            // As blame: the one who made it so last.
            #expect(try behind(first.id, last) == [["1 → 2 Ada", "2 → 3 Car"]])
            #expect(try behind(last, first.id) == [["2 → 3 Car", "1 → 2 Ada"]])
            #expect(try behind(bob.id, carol.id) == [["2 → 3 Car"]])
        }
    }

    /// What two lines have apart: one side's change taken back, the other's made.
    @Test func everyoneBehindADifferenceOfTwoLines() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.part(ours: { try s.set("a", 2, by: .ada) }, theirs: { try s.set("a", 3, by: .bob) })
            let (main, side) = (try s.store.versions.version(named: "main"), try s.store.versions.version(named: "side"))
            let changes = try s.store.versions.changes(
                from: try s.store.versions.snapshot(main.id), to: try s.store.versions.snapshot(side.id)
            ).changes
            let origins = try s.store.history.origins(of: changes, from: main.id, to: side.id)
            #expect(origins.map { $0.map(\.version.id) } == [[main.id, side.id]])
        }
    }

    @Test func whatADecisionChose() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.part(ours: { try s.set("l", "fr", by: .ada) }, theirs: { try s.set("l", "es", by: .bob) })
            let merge = try #require(try s.merge { $0.side = .ours }.version)
            #expect(merge.message.details == ["l: chose French over Spanish"])
            #expect(try s.blamed("l")?.id == merge.id)
            var told: [String] = []
            for filter in ["", "l"] {
                var query = HistoryQuery()
                query.keys = filter.isEmpty ? [] : [filter]
                query.limit = 1
                try Session(s.store, by: Caller(), at: Clock(now: 0)).walk(query) { version, changes, _ in
                    told += changes.decisions.map { Wording().sentence($0).plain + " " + version.id.short }
                    return true
                }
            }
            #expect(told == [String](repeating: "Language: chose French over Spanish \(merge.id.short)", count: 2))
        }
    }

    /// A decision for what was in force already changes no file, and is in the history all the same.
    @Test(arguments: [false, true]) func aDecisionThatChangesNoFile(withIndex: Bool) throws {
        try withStore { s in
            try s.put("l", .language)
            try s.part(ours: { try s.set("l", "fr", by: .ada) }, theirs: { try s.set("l", "es", by: .bob) })
            try s.merge { $0.kept = .ours }
            let chosen = try #require(try s.blamed("l"))
            let decided = try #require(try s.resolve("l", .ours).version)
            func told() throws -> [String] {
                if withIndex { s.store.history.cache.buildIndex() }
                var told: [String] = []
                var query = HistoryQuery()
                query.keys = ["l"]
                query.limit = 2
                try Session(s.store, by: Caller(), at: Clock(now: 0)).walk(query) { version, changes, _ in
                    told += changes.decisions.map { Wording().sentence($0).plain }
                    return true
                }
                return told
            }
            #expect(try told() == ["Language: decided: French"])
            #expect(try s.blamed("l")?.id == decided.id)
            _ = try s.store.reverting.undo(1, by: .carol, s.done(.carol))
            #expect(try told() == ["Language: value is undecided again", "Language: decided: French"])
            #expect(try s.blamed("l")?.id == chosen.id)
        }
    }

    /// A merge that took one side's value: who chose it there, who decided, and who went on from there.
    @Test func everyoneBehindADecision() throws {
        try withStore { s in
            let first = try s.put("a", .number("A", 1))
            try s.part(
                ours: {
                    try s.set("a", 2, by: .bob)
                    try s.set("a", 3, by: .carol)
                }, theirs: { try s.set("a", 5, by: .bob) })
            try s.merge { $0.side = .theirs }
            let last = try s.set("a", 6, by: .carol)
            var query = DiffQuery([], from: first.id, to: last.id)
            query.wantsOrigins = true
            let answer = try Session(s.store, by: Caller(), at: Clock(now: 0)).ask(query)
            let words = Phrases(clock: Clock(now: 0)).origins(answer.origins[0]).map { line in
                line.rendered(coloured: false).split(separator: "  ")[0]
            }
            #expect(words == ["1 → 5", "chose 5", "5 → 6"])
        }
    }

    @Test func aRevertedRestoreLeadsToWhoChoseFirst() throws {
        try withStore { s in
            let old = try s.put("l", .language)
            let bob = try s.set("l", "fr", by: .bob)
            let restored = try #require(try s.store.reverting.restore([], from: old.id, s.done(.carol)).version)
            let reverted = try #require(
                try s.store.reverting.revert([restored.id], s.done(.carol, why: "Not yet.")).version)
            #expect(reverted.message.why == "Not yet.")
            #expect(try s.blamed("l")?.id == bob.id)
        }
    }

    /// What several versions changed and changed back is given back by their undo, and once more by its revert, although no file
    /// shows either.
    @Test(arguments: [false, true]) func whatNoFileShowsIsGivenBack(withIndex: Bool) throws {
        try withStore { s in
            let first = try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.set("l", "fr", by: .bob)
            let back = try #require(
                try s.change(s.done(.bob)) { content in
                    content.options[.of("l")]?.value = "en".json
                    content.options[.of("n")]?.value = 2.json
                }.version)
            func chosen() throws -> VersionID? {
                if withIndex { s.store.history.cache.buildIndex() }
                return try s.blamed("l")?.id
            }
            #expect(try chosen() == back.id)
            let undo = try #require(try s.undo(2, by: .bob).version)
            #expect(try chosen() == first.id)
            _ = try s.store.reverting.revert([undo.id], s.done(.carol))
            #expect(try chosen() == back.id && s.blamed("n")?.id == back.id)
        }
    }
}
