import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct UndoTests {
    @Test func stepByStepAndForthAgain() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            for value in 1...4 { try s.set("a", value) }
            for value in [3, 2, 1] {
                _ = try s.undo()
                #expect(try s.value("a") == "\(value)")
                try s.reopen()
            }
            for value in [2, 3, 4] {
                _ = try s.redo()
                #expect(try s.value("a") == "\(value)")
                try s.reopen()
            }
            #expect(failure { _ = try s.redo() }?.kind == .no)
        }
    }

    /// A merge that left something else open is stepped over; what it asks about is for `resolve`.
    @Test func behindAMergeWithAConflict() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            try s.part(
                ours: {
                    try s.set("a", 1)
                    try s.set("b", 5)
                },
                theirs: { try s.set("a", 2, by: .bob) })
            try s.merge { $0.kept = .theirs }
            _ = try s.undo()
            #expect(try s.value("b") == "0")
            #expect(try s.value("a") == "2")
            #expect(try s.open() == ["a value"])
            #expect(failure { _ = try s.undo() }?.kind == .conflict)
            #expect(try s.value("a") == "2")
        }
    }

    /// Such a merge is worked out once, however many versions lie behind it.
    @Test func walksBehindAMergeWithAConflict() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            try s.part(
                ours: {
                    try s.set("a", 1)
                    for value in 1...4 { try s.set("b", value) }
                },
                theirs: { try s.set("a", 2, by: .bob) })
            try s.merge { $0.kept = .theirs }
            let start = try s.head()
            func walked(undoing count: Int) throws -> Int {
                let before = s.store.versions.walked
                _ = try s.undo(count)
                let walked = s.store.versions.walked - before
                try s.git("reset", "-q", "--hard", start)
                try s.reopen()
                return walked
            }
            // The first one finds out what is open.
            _ = try walked(undoing: 1)
            #expect(try walked(undoing: 4) == walked(undoing: 1))
        }
    }

    @Test func severalAtOnce() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            for value in 1...4 { try s.set("a", value) }
            let undone = try #require(try s.undo(3).version)
            #expect(undone.named.undoes.count == 3)
            #expect(try s.value("a") == "1")
            _ = try s.redo(2)
            #expect(try s.value("a") == "3")
            _ = try s.undo()
            #expect(try s.value("a") == "2")
            _ = try s.redo(2)
            #expect(try s.value("a") == "4")
            #expect(failure { _ = try s.undo(6) }?.kind == .no)
            #expect(failure { _ = try s.redo() }?.kind == .no)
            _ = try s.undo(5)
            #expect(try s.option("a") == nil)
            #expect(failure { _ = try s.undo() }?.kind == .no)
        }
    }

    @Test func somebodyElsesIsNotUndone() throws {
        try withStore { s in
            let own = try s.put("a", .number("A", 0))
            let bobs = try s.set("a", 1, by: .bob)
            #expect(throws: Problem.history(.lastIsOthers(bobs, own: own))) { try s.undo() }
            #expect(throws: Problem.history(.lastIsOthers(bobs, own: nil))) { try s.undo(by: .carol) }
            _ = try s.undo(by: .bob)
            #expect(try s.value("a") == "0")
            #expect(failure { _ = try s.redo() }?.kind == .no)
            _ = try s.redo(by: .bob)
            #expect(try s.value("a") == "1")
        }
    }

    @Test func aMergeThatDecidedNothingIsSteppedOver() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0), by: .bob)
            try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("b", 1, by: .bob) })
            try s.merge()
            // Bob's lies behind the merge's second parent.
            _ = try s.undo(by: .bob)
            #expect(try s.value("b") == "0")
            #expect(failure { _ = try s.undo() }?.reason.contains("but Bob") == true, "Bob has built on it")
            _ = try s.redo(by: .bob)
            #expect(try s.value("b") == "1")
        }
    }

    @Test func aMergeThatDecidedIsNotSteppedOver() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.part(ours: { try s.set("a", 2) }, theirs: { try s.set("a", 1) })
            let merge = try #require(try s.merge { $0.side = .ours }.version)
            let error = failure { _ = try s.undo() }
            #expect(error?.kind == .no)
            #expect(error?.reason.contains(merge.id.short) == true)
        }
    }

    /// Merges made by hand decide what neither side has.
    @Test func aMergeThatPlainGitChangedIsNotSteppedOver() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("b", 1, by: .bob) })
            try s.git("merge", "-q", "--no-ff", "--no-commit", "side")
            var option = try #require(try s.store.folder.item(.option(.of("a")))?.option)
            option.value = .number(7)
            try s.write(option.file, to: "a.json")
            try s.git("commit", "-qam", "by hand")
            try s.reopen()
            #expect(failure { _ = try s.undo() }?.reason.contains("a merge that resolved conflicts") == true)
        }
    }

    @Test func aNewVersionEndsWhatCanBeRedone() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.set("a", 1)
            _ = try s.undo()
            try s.put("b", .number("B", 1))
            #expect(failure { _ = try s.redo() }?.kind == .no)
            _ = try s.undo()
            #expect(try s.option("b") == nil)
            _ = try s.redo()
            #expect(try s.option("b") != nil)
            #expect(failure { _ = try s.redo() }?.kind == .no)
        }
    }

    @Test func everythingCanBeUndoneToItsBytes() throws {
        try withStore { s in
            try s.put("g.l", .language)
            let old = try s.set("g.l", "fr")
            try s.put("g.n", .number("N", 5))
            let steps: [(TemporaryStore) throws -> Void] = [
                { _ = try $0.store.reverting.revert([old.id], $0.done()) },
                { try $0.set("g.l", "fr") },
                { try $0.put("g.x", .text("X", "words")) },
                { try $0.put("g.n", nil) },
                { try $0.rename("g.l", "g.language") },
                { try $0.labels("g.language") { $0.insert(ChoiceLabel(value: .string("ar"), text: "Arabic"), at: 1) } },
                { try $0.labels("g.language") { $0.move(.string("es"), to: 0) } },
                { try $0.labels("g.language") { $0.rename(.string("fr"), to: "Français") } },
                { try $0.labels("g.language") { $0.remove(.string("en")) } },
                { try $0.renameGroup("g", "h") },
                {
                    try $0.change($0.done()) { $0.groups[.of("h")] = SettingsGroup(title: "H", style: .page, order: ["x", "n"]) }
                },
                {
                    try $0.change($0.done()) {
                        $0.options[.of("h.x")]?.title = "Ex"; $0.options[.of("h.x")]?.help = "!"
                    }
                },
                { try $0.set("h.language", nil) },
                { _ = try $0.store.reverting.restore([], from: old.id, exactly: true, $0.done()) },
            ]
            var states = [try s.allFiles()]
            for step in steps {
                try step(s)
                states.append(try s.allFiles())
                _ = try s.undo()
                #expect(try s.allFiles() == states[states.count - 2], "step \(states.count - 1)")
                _ = try s.redo()
                #expect(try s.allFiles() == states[states.count - 1], "step \(states.count - 1)")
            }
            _ = try s.undo(steps.count)
            #expect(try s.allFiles() == states[0])
            _ = try s.redo(steps.count)
            #expect(try s.allFiles() == states[states.count - 1])
        }
    }

    @Test func plainGitsCommitsElsewhereDontMatter() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.set("a", 1)
            try s.write("x", to: "README")
            try s.commitPlainly()
            _ = try s.undo()
            #expect(try s.value("a") == "0")
            try s.write("y", to: "README")
            try s.commitPlainly()
            _ = try s.redo()
            #expect(try s.value("a") == "1")
        }
    }

    @Test func aMergeByPlainGitIsSteppedOver() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.git("checkout", "-q", "-b", "side")
            try s.set("a", 2)
            try s.git("checkout", "-q", "main")
            try s.put("b", .number("B", 1))
            try s.git("merge", "-q", "-m", "merged", "side")
            try s.reopen()
            _ = try s.undo()
            #expect(try s.option("b") == nil)
            #expect(try s.value("a") == "2")
        }
    }

    @Test func nothingIsUndoneOverHandEdits() throws {
        try withStore(draft: true) { s in
            try s.put("a", .number("A", 0))
            try s.set("a", 1)
            try s.edit("a.json", "\"value\": 1", "\"value\": 7")
            #expect(failure { _ = try s.undo() }?.kind == .conflict)
            #expect(s.text("a.json")?.contains("\"value\": 7") == true)
        }
    }
}
