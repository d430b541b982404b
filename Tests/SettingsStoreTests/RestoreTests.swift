import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct RestoreTests {
    @discardableResult
    func restore(_ s: TemporaryStore, _ keys: [String] = [], from version: Version, exactly: Bool = false) throws -> Outcome {
        try s.store.reverting.restore(keys.map(Key.of), from: version.id, exactly: exactly, s.done())
    }

    @Test func theValueIsFoundInTodaysLabels() throws {
        try withStore { s in
            try s.put("l", .language)
            let then = try s.set("l", "fr")
            try s.labels("l") { $0.rename(.string("fr"), to: "Français") }
            try s.labels("l") { $0.move(.string("fr"), to: 0) }
            try s.labels("l") { $0.insert(ChoiceLabel(value: .string("ar"), text: "Arabic"), at: 0) }
            try s.set("l", "es")
            let outcome = try restore(s, ["l"], from: then)
            #expect(outcome.version?.named.restoredFrom == then.id)
            #expect(try s.value("l") == "fr")
            #expect(try s.option("l")?.selected == 1)
            #expect(try s.option("l")?.labels.count == 4)
        }
    }

    @Test func aLabelThatIsNoLongerOfferedIsAConflict() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            let then = try s.set("l", "fr")
            try s.set("n", 2)
            try s.set("l", "en")
            try s.labels("l") { $0.remove(.string("fr")) }
            let before = try s.allFiles()
            let error = failure { try restore(s, from: then) }
            #expect(error?.kind == .conflict)
            #expect(error?.conflicts.first?.reason == "French is no longer offered")
            #expect(try s.allFiles() == before)
            try restore(s, ["n"], from: then)
            #expect(try s.value("n") == "1")
            try restore(s, ["l"], from: then, exactly: true)
            #expect(try s.value("l") == "fr")
        }
    }

    @Test func aRemovedOptionComesBackAndALaterOneStays() throws {
        try withStore { s in
            try s.put("g.a", .number("A", 1))
            let then = try s.put("g.l", .language)
            try s.put("g.l", nil)
            try s.put("g.later", .number("Later", 1))
            try restore(s, ["g"], from: then)
            #expect(try s.option("g.l") == .language)
            #expect(try s.option("g.later") != nil)
            try restore(s, from: then, exactly: true)
            #expect(try s.option("g.later") == nil)
        }
    }

    @Test func whatWasRenamedSinceGoesByItsNewName() throws {
        try withStore { s in
            try s.put("g.l", .language)
            let then = try s.set("g.l", "fr")
            try s.set("g.l", "es")
            try s.rename("g.l", "g.language")
            try s.renameGroup("g", "h")
            try restore(s, ["h.language"], from: then)
            #expect(try s.value("h.language") == "fr")
            #expect(try s.option("g.l") == nil)
            try s.set("h.language", "en")
            try restore(s, ["g.l"], from: then)
            #expect(try s.value("h.language") == "fr")
            try s.set("h.language", "en")
            try restore(s, from: then)
            #expect(try s.value("h.language") == "fr")
            try restore(s, from: then, exactly: true)
            #expect(try s.value("g.l") == "fr")
            #expect(try s.option("h.language") == nil)
        }
    }

    /// Named with its name of today, the file of then has that; all files together are as they were.
    @Test func anExactFileKeepsItsNameOfToday() throws {
        try withStore { s in
            let then = try s.put("a", .number("A", 1))
            try s.set("a", 2)
            try s.rename("a", "b")
            let old = s.text("b.json")?.replacing("\"value\": 2", with: "\"value\": 1")
            try restore(s, ["b"], from: then, exactly: true)
            #expect(s.text("b.json") == old)
            try restore(s, from: then, exactly: true)
            #expect(try s.value("a") == "1")
            #expect(try s.option("b") == nil)
        }
    }

    @Test func aNameThatBelongsToAnotherToday() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let then = try s.put("b", .number("B", 7))
            try s.put("b", nil)
            try s.rename("a", "b")
            try s.set("b", 2)
            let error = failure { try restore(s, from: then) }
            #expect(error?.kind == .conflict)
            #expect(try s.value("b") == "2")
            try restore(s, ["a"], from: then)
            #expect(try s.value("b") == "1")
            try restore(s, from: then, exactly: true)
            #expect(try s.value("a") == "1")
            #expect(try s.value("b") == "7")
        }
    }

    @Test func definitionsStayTodays() throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            let then = try s.set("n", 5)
            try s.change(s.done()) {
                $0.options[.of("n")]?.title = "Number"
                $0.options[.of("n")]?.help = "New"
                $0.options[.of("n")]?.value = .number(6)
            }
            try restore(s, from: then)
            #expect(try s.value("n") == "5")
            #expect(try s.option("n")?.title == "Number")
            try restore(s, from: then, exactly: true)
            #expect(try s.option("n")?.title == "N")
            #expect(try s.option("n")?.help == nil)
        }
    }

    @Test func aTypeThatChangedIsAConflict() throws {
        try withStore { s in
            let then = try s.put("n", .number("N", 1))
            try s.put("n", .text("N", "one"))
            let error = failure { try restore(s, ["n"], from: then) }
            #expect(error?.conflicts.first?.reason == "its type was number and is now text")
        }
    }

    @Test func aValueOutsideNewBoundsIsAConflict() throws {
        try withStore { s in
            let then = try s.put("n", .number("N", 50))
            try s.change(s.done()) {
                $0.options[.of("n")]?.value = .number(5); $0.options[.of("n")]?.range.maximum = Number(10)
            }
            #expect(failure { try restore(s, ["n"], from: then) }?.kind == .conflict)
        }
    }

    @Test func aSwitchWhoseWordsChanged() throws {
        try withStore { s in
            let then = try s.put("w", .onOff("W", true))
            try s.change(s.done()) {
                $0.options[.of("w")]?.other["values"] = .array([.string("no"), .string("yes")])
                $0.options[.of("w")]?.value = .string("no")
            }
            try restore(s, ["w"], from: then)
            #expect(try s.value("w") == "yes")
        }
    }

    @Test func unsetThen() throws {
        try withStore { s in
            let then = try s.put("l", .choice("L", ["a", "b"], selected: nil))
            try s.set("l", "b")
            try restore(s, ["l"], from: then)
            #expect(try s.value("l") == nil)
            #expect(s.text("l.json")?.contains("\"selected\": null") == true)
        }
    }

    @Test func whatIsUnknownNowAndThen() throws {
        try withStore { s in
            let then = try s.put("a", .number("A", 1))
            #expect(failure { try restore(s, ["nowhere"], from: then) }?.kind == .missing)
            #expect(try restore(s, from: then).isUnchanged)
        }
    }
}
