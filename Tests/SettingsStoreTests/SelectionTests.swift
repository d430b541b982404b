import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// `selected` and `value` of a file edited by hand, one without the other.
struct SelectionTests {
    @Test func bothAgree() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"selected\": 0", "\"selected\": 2")
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": \"es\"")
            #expect(try s.store.draft().changes.sentences == ["Language: English → Spanish"])
            _ = try s.store.recordDraft(s.done())
            #expect(try s.value("l") == "es")
        }
    }

    @Test func onlyTheIndexWasEdited() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"selected\": 0", "\"selected\": 1")
            _ = try s.store.recordDraft(s.done())
            #expect(try s.value("l") == "fr")
            #expect(s.text("l.json")?.contains("\"value\": \"fr\"") == true)
        }
    }

    @Test func onlyTheValueWasEdited() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": \"es\"")
            _ = try s.store.recordDraft(s.done())
            #expect(s.text("l.json")?.contains("\"selected\": 2") == true)
        }
    }

    @Test func bothDifferAndDisagree() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"selected\": 0", "\"selected\": 1")
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": \"es\"")
            let error = failure { _ = try s.store.recordDraft(s.done()) }
            #expect(error?.kind == .badData)
            #expect(error?.reason.contains("\"es\"") == true && error?.reason.contains("\"French\"") == true)
        }
    }

    @Test func theListWasEditedUnderThem() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "    \"English\",", "    \"Arabic\",\n    \"English\",")
            try s.edit("l.json", "    \"en\",", "    \"ar\",\n    \"en\",")
            #expect(try s.store.draft().changes.sentences == ["Language: label added: Arabic"])
            _ = try s.store.recordDraft(s.done())
            #expect(try s.value("l") == "en")
            #expect(s.text("l.json")?.contains("\"selected\": 1") == true)
        }
    }

    @Test func theChosenLabelWasTakenAway() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            try s.edit("l.json", "    \"English\",\n", "")
            try s.edit("l.json", "    \"en\",\n", "")
            #expect(failure { _ = try s.store.recordDraft(s.done()) }?.kind == .badData)
        }
    }

    @Test func unsetByHand() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"selected\": 0", "\"selected\": null")
            _ = try s.store.recordDraft(s.done())
            #expect(try s.value("l") == nil)
            try s.edit("l.json", "\"value\": null", "\"value\": \"fr\"")
            _ = try s.store.recordDraft(s.done())
            #expect(try s.option("l")?.selected == 1)
            try s.edit("l.json", "\"value\": \"fr\"", "\"value\": null")
            _ = try s.store.recordDraft(s.done())
            #expect(try s.value("l") == nil)
        }
    }

    @Test func anIndexThatIsNone() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            for wrong in ["3", "-1", "\"1\"", "1.5"] {
                try s.edit("l.json", "\"selected\": 0", "\"selected\": \(wrong)")
                #expect(failure { _ = try s.store.recordDraft(s.done()) }?.kind == .badData, "\(wrong)")
                try s.edit("l.json", "\"selected\": \(wrong)", "\"selected\": 0")
            }
        }
    }

    @Test func plainGitCommitsThemApart() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": \"es\"")
            try s.commitPlainly()
            #expect(try s.value("l") == "es")
            try s.write("x", to: "README")
            try s.commitPlainly()
            #expect(try s.value("l") == "es")
            #expect(try s.store.draft().isEmpty)
            try s.set("l", "fr")
            #expect(s.text("l.json")?.contains("\"selected\": 1") == true)
        }
    }
}
