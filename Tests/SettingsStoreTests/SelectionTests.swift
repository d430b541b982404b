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
            #expect(try s.store.workTree.draft().changes.sentences == ["Language: English → Spanish"])
            _ = try s.store.drafts.record(s.done())
            #expect(try s.value("l") == "es")
        }
    }

    @Test func anEditOfTheIndexAloneIsRefusedAndNamed() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            for index in ["1", "null", "9"] {
                try s.edit("l.json", "\"selected\": 0", "\"selected\": \(index)")
                #expect(try s.value("l") == "en")
                let error = failure { _ = try s.store.drafts.record(s.done()) }
                #expect(error?.kind == .badData)
                #expect(error?.reason.contains("l.json:4:15: \"selected\" is \(index)") == true, "\(error?.reason ?? "")")
                let named = try s.store.workTree.draft().disagreements
                #expect(named.map(\.isIndexEdited) == [true] && named.first?.selection.option.value == "en")
                try s.edit("l.json", "\"selected\": \(index)", "\"selected\": 0")
            }
            try s.edit("l.json", "\"selected\": 0", "\"selected\": 2")
        }
    }

    @Test func onlyTheValueWasEdited() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": \"es\"")
            _ = try s.store.drafts.record(s.done())
            #expect(s.text("l.json")?.contains("\"selected\": 2") == true)
        }
    }

    @Test func whereBothWereEditedAndDisagreeTheValueCounts() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"selected\": 0", "\"selected\": 1")
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": \"es\"")
            #expect(try s.store.workTree.draft().changes.sentences == ["Language: English → Spanish"])
            _ = try s.store.drafts.record(s.done())
            #expect(s.text("l.json")?.contains("\"selected\": 2") == true)
        }
    }

    @Test func theListWasEditedUnderThem() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "    \"English\",", "    \"Arabic\",\n    \"English\",")
            try s.edit("l.json", "    \"en\",", "    \"ar\",\n    \"en\",")
            #expect(try s.store.workTree.draft().changes.sentences == ["Language: label added: Arabic"])
            _ = try s.store.drafts.record(s.done())
            #expect(try s.value("l") == "en")
            #expect(s.text("l.json")?.contains("\"selected\": 1") == true)
        }
    }

    @Test func theChosenLabelWasTakenAway() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            try s.edit("l.json", "    \"English\",\n", "")
            try s.edit("l.json", "    \"en\",\n", "")
            #expect(failure { _ = try s.store.drafts.record(s.done()) }?.kind == .badData)
        }
    }

    @Test func unsetByHand() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": null")
            _ = try s.store.drafts.record(s.done())
            #expect(try s.value("l") == nil && s.text("l.json")?.contains("\"selected\": null") == true)
            try s.edit("l.json", "\"value\": null", "\"value\": \"fr\"")
            _ = try s.store.drafts.record(s.done())
            #expect(try s.option("l")?.selected == 1)
            try s.edit("l.json", "\"value\": \"fr\"", "\"value\": null")
            _ = try s.store.drafts.record(s.done())
            #expect(try s.value("l") == nil)
        }
    }

    @Test func anIndexThatIsNone() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            for wrong in ["3", "-1", "\"1\"", "1.5"] {
                try s.edit("l.json", "\"selected\": 0", "\"selected\": \(wrong)")
                #expect(failure { _ = try s.store.drafts.record(s.done()) }?.kind == .badData, "\(wrong)")
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
            #expect(try s.store.workTree.draft().isEmpty)
            let named = try s.store.workTree.draft(checksRecorded: true).disagreements
            #expect(named.map(\.subject.path) == ["l.json"] && named.allSatisfy { $0.isRecorded && !$0.isIndexEdited })
            try s.set("l", "fr")
            #expect(s.text("l.json")?.contains("\"selected\": 1") == true)
        }
    }

    /// As a command does it that is about this option.
    private func touch(_ s: TemporaryStore, _ edit: (inout SettingsOption) -> Void) throws {
        let subject = Subject.option(.of("l"))
        _ = try s.store.recorder.record(s.done()) { tip throws(Problem) in
            let before = try tip.settings(of: [subject], acceptingAnyValue: true)
            var after = before
            if var option = after.options[subject.key] {
                edit(&option)
                after.options[subject.key] = option
            }
            var wanted = Edit(after.changes(since: before))
            wanted.sides = (before, after)
            wanted.touched = [subject]
            return wanted
        }
    }

    @Test(arguments: ["set", "done", "done a rewritten file", "done with other line ends"])
    func whateverTouchesTheOptionWritesBothLines(way: String) throws {
        try withStore { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": \"es\"")
            try s.commitPlainly()
            if way == "done with other line ends" { try s.edit("l.json", "\n", "\r\n") }
            if way == "done a rewritten file" { try s.edit("l.json", "\"title\": ", "\"title\":  ") }
            if way == "set" {
                try touch(s) { $0.value = "es" }
            } else {
                _ = try s.store.drafts.record(s.done())
            }
            #expect(s.text("l.json")?.contains("\"selected\": 2") == true)
            #expect(try s.value("l") == "es")
            #expect(try s.store.workTree.draft(checksRecorded: true).disagreements.isEmpty)
        }
    }

    @Test(arguments: ["set", "label", "restore", "undo"])
    func aValueThatItsLabelsNoLongerOfferCanBePutRight(way: String) throws {
        try withStore { s in
            try s.put("l", .language)
            try s.set("l", "fr")
            let good = try #require(try s.store.versions.tip().id)
            try s.edit("l.json", "    \"French\",\n", "")
            try s.edit("l.json", "    \"fr\",\n", "")
            try s.commitPlainly()
            #expect(failure { _ = try s.store.versions.tip().option(Key("l")) }?.kind == .badData)
            switch way {
            case "set": try touch(s) { $0.value = "es" }
            case "label":
                try touch(s) { $0.labels.insert(ChoiceLabel(value: "fr", text: "French"), at: 0) }
            case "restore": _ = try s.store.reverting.restore([Key("l")], from: good, exactly: true, s.done())
            default: _ = try s.store.reverting.revert([try #require(s.store.versions.tip().id)], s.done())
            }
            #expect(try s.value("l") == (way == "set" ? "es" : "fr"))
        }
    }
}
