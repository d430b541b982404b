import SettingsModel
import SettingsText
import Testing

@testable import SettingsPages

/// Options whose titles are alike are told apart by their keys, which is what people type.
struct NamingTests {
    private func fleet() throws -> Editor {
        var content = SettingsContent(definition: StoreDefinition(title: "Fleet"))
        for number in 1...20 {
            content.groups[try Key("svc\(number)")] = SettingsGroup(title: ExactText("Service \(number)"), style: .page)
            content.options[try Key("svc\(number).pool")] = SettingsOption(
                title: "Pool Size", type: .number, value: .number(Number(number)))
        }
        content.options[try Key("region")] = SettingsOption(title: "Region", type: .text, value: "eu")
        return Editor(Loaded(content), phrases: Office.phrases(), size: Grid.Size(columns: 80, rows: 24))
    }

    @Test func theKeyStandsBesideATitleThatOthersHave() throws {
        var editor = try fleet()
        editor.press("/ 'pool' Enter")
        #expect(editor.draw().lines.contains { $0.hasPrefix("▸ Pool Size  svc1.pool") })
        editor.press("Enter Ctrl-U '50' Enter")
        #expect(editor.status.text == "Pool Size (svc1.pool): 1 → 50")
        _ = editor.step(.set(.option(try Key("svc2.pool")), "60"))
        editor.press("Esc /")
        _ = editor.step(.search("region"))
        #expect(editor.draw().lines.contains { $0.hasPrefix("▸ Region   ") })
        for (keys, title) in [("v", "Changes"), ("c", "Done")] {
            editor.press(keys)
            #expect(editor.title == title)
            let lines = editor.draw().lines
            #expect(lines.contains { $0.contains("Pool Size  svc1.pool") && $0.contains("1 → 50") }, "\(title)")
            #expect(lines.contains { $0.contains("Pool Size  svc2.pool") }, "\(title)")
        }
    }

    @Test func whereThereIsLittleRoomTheKeyStandsAlone() throws {
        var editor = try fleet()
        _ = editor.step(.resize(Grid.Size(columns: 22, rows: 24)))
        editor.press("/ 'pool' Enter")
        #expect(editor.draw().lines.contains { $0.hasPrefix("▸ svc1.pool") })
    }

    /// In plain mode a title that several options have names none of them.
    @Test func inPlainModeTheKeyIsTyped() throws {
        var editor = try fleet()
        editor.becomePlain(true)
        _ = editor.step(.search("pool"))
        #expect(editor.plain.lines.contains { $0.hasPrefix("2. Pool Size: 1 (svc1.pool)") })
        #expect(editor.plain.fault(in: .set("Pool Size", "50"))?.hasPrefix("Several rows are called") == true)
        for event in editor.events(for: .set("svc2.pool", "50")) { _ = editor.step(event) }
        #expect(try editor.value("svc2.pool") == .number(Number(50)) && editor.changes == ["Pool Size (svc2.pool): 2 → 50"])
    }

    @Test func informationLeadsOn() throws {
        var editor = try Office.editor(at: "display.theme")
        let key = try Key("display.theme")
        let version = try Archive(3, since: Office.settings).versions[0].version
        editor.press("i")
        _ = editor.step(.origins([key: version], areAll: false))
        _ = editor.step(.focus(.named("fact Version")))
        editor.press("Enter")
        #expect((editor.visit.page as? DetailPage)?.id == version.id)
        editor.press("Esc Down Enter")
        #expect((editor.visit.page as? VersionsPage)?.filter.places == [key])
    }
}
