import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct ImportingTests {
    private static let source = VersionMessage.ImportSource(format: .gsettings, name: "~/schemas")

    /// Imports `options`, and says what came of it.
    @discardableResult
    private func bring(
        _ options: [String: SettingsOption], order: [String]? = nil, givesValues: Bool = false, into s: TemporaryStore,
        _ change: (inout ImportWish) -> Void = { _ in }
    ) throws -> (outcome: Outcome, result: ImportResult) {
        var imported = Imported(format: .gsettings, givesValues: givesValues)
        for (key, option) in options { imported.settings.options[.of(key)] = option }
        if let order { imported.settings.groups[.of("app")] = SettingsGroup(order: order.map { ExactText($0) }) }
        var wish = ImportWish([Self.source])
        change(&wish)
        var result = ImportResult()
        let outcome = try s.store.recorder.record(s.done()) { tip throws(Problem) in
            let (edit, found) = try s.store.importing.importing(imported, wish, tip)
            result = found
            return edit
        }
        return (outcome, result)
    }

    private func language(_ labels: [String], default value: String = "en", value chosen: String? = nil) -> SettingsOption {
        var option = SettingsOption.choice("Language", labels, selected: nil)
        option.defaultValue = .string(value)
        option.value = chosen.map { .string($0) }
        return option
    }

    @Test func twiceIsOnce() throws {
        try withStore { s in
            let options = ["app.language": language(["en=English", "fr=French"]), "app.size": .number("Size", 3)]
            let first = try #require(try bring(options, order: ["size", "language"], into: s).outcome.version)
            #expect(first.message.importedFrom == [Self.source])
            let files = try s.allFiles()
            #expect(try bring(options, order: ["size", "language"], into: s).outcome.isUnchanged)
            #expect(try s.allFiles() == files)
        }
    }

    @Test func whatChangedUpstreamComesAsEdits() throws {
        try withStore { s in
            try bring(["app.language": language(["en=English", "fr=French"])], into: s)
            try s.set("app.language", "fr")
            let (outcome, result) = try bring(
                ["app.language": language(["ar=Arabic", "en=English (US)", "fr=French"], default: "fr")], into: s)
            guard case .recorded(_, let changes, _) = outcome else { throw CancellationError() }
            #expect(
                changes.sentences == [
                    "Language: default English → French", "Language: label renamed: English → English (US)",
                    "Language: label added: Arabic",
                ])
            #expect(result.kept.isEmpty)
            #expect(try s.option("app.language")?.selected == 2)
            #expect(try s.value("app.language") == "fr")
            // Bringing a definition is not choosing.
            #expect(try s.blamed("app.language")?.message.importedFrom == [])
        }
    }

    /// A value that the files gave and somebody changed since stays, import after import.
    @Test func whatPeopleChoseStays() throws {
        try withStore { s in
            try bring(["app.size": .number("Size", 3), "app.name": .text("Name", "x")], givesValues: true, into: s)
            try s.set("app.size", 8)
            for size in [4, 5, 6] {
                let (outcome, result) = try bring(
                    ["app.size": .number("Size", size), "app.name": .text("Name", "x\(size)")], givesValues: true, into: s)
                #expect(outcome.version != nil)
                #expect(result.kept.map(\.facet) == [.value])
                #expect(try s.value("app.size") == "8")
                #expect(try s.value("app.name") == "x\(size)")
            }
            try bring(["app.size": .number("Size", 7)], givesValues: true, into: s) { $0.overwrites = true }
            #expect(try s.value("app.size") == "7")
            // What an import put there is the import's again.
            try bring(["app.size": .number("Size", 9)], givesValues: true, into: s)
            #expect(try s.value("app.size") == "9")
        }
    }

    /// Label edits that people made stay, import after import, also beside upstream's own.
    @Test func peoplesLabelsStay() throws {
        try withStore { s in
            let key = "app.language"
            try bring([key: language(["en=English", "fr=French", "de=German"])], into: s)
            try s.labels(key) { labels in
                labels.insert(ChoiceLabel(value: "tlh", text: "Klingon"), at: 1)
                labels.remove("de")
                labels.rename("fr", to: "Français")
            }
            for more in ["es=Spanish", "it=Italian"] {
                let (_, result) = try bring([key: language(["en=English", "fr=French", "de=German", more])], into: s)
                let labels = try #require(try s.option(key)?.labels)
                #expect(labels.label(of: "tlh") != nil)
                #expect(labels.label(of: "de") == nil)
                #expect(labels.label(of: "fr")?.text == "Français")
                #expect(labels.label(of: .string(String(more.prefix(2)))) != nil, "\(more) \(labels) \(result.kept)")
            }
        }
    }

    @Test func aChosenLabelIsNotTaken() throws {
        try withStore { s in
            let key = "app.language"
            try bring([key: language(["en=English", "fr=French"])], into: s)
            try s.set(key, "fr")
            let (_, result) = try bring([key: language(["en=English", "es=Spanish"])], into: s)
            #expect(try s.value(key) == "fr")
            #expect(try s.option(key)?.faults() == [])
            #expect(!result.kept.isEmpty)
        }
    }

    @Test func whatIsGoneStaysUnlessPruned() throws {
        try withStore { s in
            try s.put("app.own", .number("Own", 1))
            try bring(["app.size": .number("Size", nil), "app.name": .text("Name", nil)], into: s)
            let (outcome, result) = try bring(["app.size": .number("Size", nil)], into: s)
            #expect(outcome.isUnchanged)
            #expect(result.gone == [.of("app.name")])
            try bring(["app.size": .number("Size", nil)], into: s) { $0.prunes = true }
            #expect(try s.option("app.name") == nil)
            #expect(try s.option("app.own") != nil)
        }
    }

    /// Another source that has settings in the same group is nobody's to remove.
    @Test func pruningIsForOneSource() throws {
        try withStore { s in
            try bring(["app.size": .number("Size", nil)], into: s) { $0.sources[0].name = "./other" }
            try bring(["app.name": .text("Name", nil)], into: s) { $0.prunes = true }
            #expect(try s.option("app.size") != nil)
        }
    }

    @Test func whatWasThereIsLeftAlone() throws {
        try withStore { s in
            try s.put("app.size", .number("My size", 12))
            let (outcome, result) = try bring(["app.size": .text("Size", nil), "app.name": .text("Name", nil)], into: s)
            #expect(outcome.version != nil)
            #expect(result.kept.map(\.facet) == [.existence])
            #expect(try s.option("app.size")?.title == "My size")
            try bring(["app.size": .text("Size", nil)], into: s) { $0.overwrites = true }
            #expect(try s.option("app.size")?.type == .text)
        }
    }

    @Test func whatPeopleRemovedStaysAway() throws {
        try withStore { s in
            try bring(["app.size": .number("Size", nil), "app.name": .text("Name", nil)], into: s)
            _ = try s.change(s.done()) { $0.options[.of("app.name")] = nil }
            let (outcome, _) = try bring(["app.size": .number("Size", nil), "app.name": .text("Name", nil)], into: s)
            #expect(outcome.isUnchanged)
            #expect(try s.option("app.name") == nil)
        }
    }

    @Test func anUndoneImportCanBeDoneAgain() throws {
        try withStore { s in
            try bring(["app.size": .number("Size", 1)], givesValues: true, into: s)
            try bring(["app.size": .number("Size", 2)], givesValues: true, into: s)
            _ = try s.undo()
            #expect(try s.value("app.size") == "1")
            try bring(["app.size": .number("Size", 2)], givesValues: true, into: s)
            #expect(try s.value("app.size") == "2")
        }
    }

    @Test func orderOfAGroupIsMerged() throws {
        try withStore { s in
            try s.put("app.own", .number("Own", 1))
            _ = try s.change(s.done()) { $0.groups[.of("app")] = SettingsGroup(title: "My app", order: ["own"]) }
            try bring(["app.b": .number("B", nil), "app.a": .number("A", nil)], order: ["b", "a"], into: s)
            let group = try #require(try s.store.versions.tip().settings(in: .of("app")).groups[.of("app")])
            #expect(group.title == "My app")
            #expect(Set(group.order ?? []) == ["own", "b", "a"])
        }
    }

    @Test func theTrailerIsRead() {
        var message = VersionMessage(subject: "import x")
        message.via = "cli"
        message.importedFrom = [
            VersionMessage.ImportSource(format: .settingsBundle, name: "./My Settings.bundle"),
            VersionMessage.ImportSource(format: .json, name: "-"),
        ]
        message.importedInto = .of("app.more")
        message.importedDocument = 2
        #expect(message.text.contains("\nImported-from: settings-bundle ./My Settings.bundle\n"))
        #expect(VersionMessage(message.text).importedFrom == message.importedFrom)
        #expect(VersionMessage(message.text).importedInto == .of("app.more"))
        #expect(VersionMessage(message.text).importedDocument == 2)
    }
}
