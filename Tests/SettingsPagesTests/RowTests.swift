import SettingsModel
import Testing

@testable import SettingsPages

/// What rows are to faces that have no keys.
struct RowTests {
    private static let id = "0123456789abcdef0123456789abcdef01234567"

    @Test func rowsHaveATextAndBack() throws {
        let (option, group) = (Subject.option(try Key("a.b-1")), Subject.group(try Key("a")))
        let facet = Facet.member(ExactText("x:y z"))
        let texts: [(RowID, String)] = [
            (.option(try Key("a.b-1")), "option:a.b-1"), (.group(try Key("a")), "group:a"), (.label("é:\n"), #"label:"é:\n""#),
            (.label(.null), "label:null"), (.change(option, .value), "change:a/b-1.json:value"),
            (.change(group, facet), "change:a/_group.json:member:x:y z"),
            (.conflict(.store, .title), "conflict:_store.json:title"),
            (.conflict(option, .bound(ExactText("minimum"))), "conflict:a/b-1.json:minimum"),
            (.version(try #require(VersionID(hex: Self.id))), "version:\(Self.id)"),
            (.fileChange(option, .existence, isStaged: true), "staged:a/b-1.json:existence"),
            (.fileChange(option, .key, isStaged: false), "edited:a/b-1.json:key"), (.named("a:b"), "named:a:b"),
        ]
        for (row, text) in texts {
            #expect(row.text == text)
            #expect(RowID(text: text) == row, "\(text)")
        }
    }

    /// Dots would say that there is a text.
    @Test func anEmptyMaskedTextSaysSo() throws {
        var settings = try Office.settings
        for (value, words) in [("", "empty"), ("hunter2", "••••••")] {
            settings.options[try Key("display.secret")]?.value = .string(ExactText(value))
            let editor = Editor(
                Loaded(settings), at: try Key("display.secret"), phrases: Office.phrases(),
                size: Grid.Size(columns: 80, rows: 24))
            #expect(editor.row?.accessory(in: editor.scene).text.rendered(coloured: false) == words)
        }
    }

    @Test(arguments: ["", "option", "option:", "option:a..b", "label:{", "change:a.json", "change:a.json:x", "version:1", "x:y"])
    func otherTextsAreNoRows(_ text: String) { #expect(RowID(text: text) == nil) }

    /// What a row offers is what it does.
    @Test func actsChangeWhatTheySay() throws {
        var scene = Scene(phrases: Office.phrases())
        var content = try Office.settings
        let key = try Key("display.theme")
        content.options[key]?.value = "dark"
        content.options[key]?.defaultValue = "light"
        scene.draft = SettingsDraft(content)
        let row = OptionRows.row(key, try #require(content.options[key]))
        let acts = row.acts(in: scene)
        #expect(acts.map(\.title) == ["Reset to Light", "Unset"])
        let values = acts.map { act -> JSON? in
            guard case .edit(let items, _, _) = act.response else { return "nothing" }
            return items.first?.item?.option?.value
        }
        #expect(values == ["light", nil])
        content.options[key]?.value = nil
        #expect(OptionRows.row(key, try #require(content.options[key])).acts(in: scene).isEmpty)
        scene.facts.handEdited = [.option(key)]
        #expect(row.acts(in: scene).isEmpty)
        #expect(scene.obstacle(to: key) == .isEdited)
    }
}
