import Foundation
import SettingsFormats
import SettingsModel
import Testing

/// Property lists as plain values.
struct PropertyListFormatTests {
    private static let file = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>zoomLevel</key>
        \t<real>15.0</real>
        \t<key>count</key>
        \t<integer>1</integer>
        \t<key>WebKit Enabled</key>
        \t<true/>
        \t<key>name</key>
        \t<string>YES</string>
        \t<key>window.main</key>
        \t<dict>
        \t\t<key>size</key>
        \t\t<integer>-3</integer>
        \t\t<key>none</key>
        \t\t<dict/>
        \t</dict>
        \t<key>recent</key>
        \t<array>
        \t\t<date>2011-11-04T08:00:00Z</date>
        \t\t<real>1.0</real>
        \t\t<dict>
        \t\t\t<key>a</key>
        \t\t\t<string></string>
        \t\t</dict>
        \t</array>
        \t<key>since</key>
        \t<date>2011-11-04T08:00:00Z</date>
        \t<key>blob</key>
        \t<data>AAEC</data>
        \t<key>ratio</key>
        \t<real>nan</real>
        </dict>
        </plist>

        """

    @Test func typesGroupsAndOrder() throws {
        let imported = try PropertyListFormat.read(["a.plist": Self.file])
        let settings = imported.settings
        #expect(imported.givesValues && imported.repairs.isEmpty)
        #expect(
            settings.groups[.root]?.order
                == ["zoomLevel", "count", "WebKit-Enabled", "name", "window-main", "recent", "since", "blob", "ratio"])
        func option(_ key: String) throws -> SettingsOption { try #require(settings.options[Key(key)]) }
        #expect(try option("zoomLevel").title == "Zoom Level")
        #expect(try option("zoomLevel").value == .number(#require(Number("15.0"))))
        #expect(try option("count").type == .number && option("count").value == .number(1))
        #expect(try option("WebKit-Enabled").type == .switch && option("WebKit-Enabled").importedKey == "WebKit Enabled")
        #expect(try option("name").type == .text && option("name").value == "YES")
        #expect(try option("window-main.size").value == .number(-3))
        #expect(try option("recent").type == .data)
        #expect(try option("since").value == "2011-11-04T08:00:00Z" && option("blob").value == "AAEC")
        #expect(try settings.groups[Key("window-main")]?.title == "Window Main")
        for (key, option) in settings.options {
            #expect(option.faults().isEmpty, "\(key)")
            #expect(try SettingsOption(file: option.file) == option)
        }
    }

    @Test func unchangedImportRoundTrips() throws {
        let imported = try PropertyListFormat.read(["a.plist": Self.file])
        let written = try PropertyListFormat.write(imported.settings, WriteRequest())
        #expect(written == .text(Array(Self.file.utf8)))
    }

    @Test func onlyTheChangedValueChanges() throws {
        var settings = try PropertyListFormat.read(["a.plist": Self.file]).settings
        settings.options[try Key("count")]?.value = .number(2)
        settings.options[try Key("window-main.size")] = nil
        let expected = Self.file.replacing("<integer>1</integer>", with: "<integer>2</integer>")
            .replacing("\t\t<key>size</key>\n\t\t<integer>-3</integer>\n", with: "")
        #expect(try PropertyListFormat.write(settings, WriteRequest()) == .text(Array(expected.utf8)))
    }

    @Test func settingsThatWereNotImported() throws {
        var settings = SettingsContent()
        let labels = Labels([ChoiceLabel(value: "en", text: "English"), ChoiceLabel(value: .null, text: "None")])
        settings.options[try Key("general.language")] = SettingsOption(
            title: "L", type: .choice, defaultValue: "en", labels: labels)
        settings.options[try Key("general.unset")] = SettingsOption(title: "U", type: .text)
        let text = try PropertyListFormat.write(settings, WriteRequest())
        let back = try PropertyListFormat.read(["a.plist": string(text)]).settings
        #expect(back.options.count == 1)
        #expect(try back.options[Key("general.language")]?.value == "en")
    }

    @Test func valuesThatAPropertyListCannotExpressAreRejected() throws {
        var settings = SettingsContent()
        settings.options[try Key("a")] = SettingsOption(title: "A", type: .data, value: .array([.null]))
        let refusal = #expect(throws: Refusal.self) { try PropertyListFormat.write(settings, WriteRequest()) }
        #expect(refusal?.reason == "a.0: a property list can't hold null")
        settings.options = [
            try Key("a"): SettingsOption(title: "A", type: .number, value: .number(try #require(Number("18446744073709551616"))))
        ]
        #expect(throws: Refusal.self) { try PropertyListFormat.write(settings, WriteRequest()) }
        settings.options = [
            try Key("a"): SettingsOption(title: "A", type: .text, value: "x"),
            try Key("a.b"): SettingsOption(title: "B", type: .switch),
        ]
        #expect(throws: Refusal.self) { try PropertyListFormat.write(settings, WriteRequest()) }
    }

    @Test func invalidDateIsRejected() throws {
        var settings = try PropertyListFormat.read(["a.plist": Self.file]).settings
        settings.options[try Key("since")]?.value = "yesterday"
        let refusal = #expect(throws: Refusal.self) { try PropertyListFormat.write(settings, WriteRequest()) }
        #expect(refusal?.reason == "since: \"yesterday\" is not a date of a property list")
    }

    @Test func topLevelWithoutNamesIsRejected() {
        let refusal = #expect(throws: Refusal.self) { try PropertyListFormat.read(["a.plist": "<plist><array/></plist>"]) }
        #expect(refusal?.reason.contains("an array") == true)
    }

    @Test func deepDictionariesAreData() throws {
        let levels = 40
        let text = String(repeating: "{ a = ", count: levels) + "b" + String(repeating: "; }", count: levels)
        let settings = try PropertyListFormat.read(["a.plist": text]).settings
        #expect(settings.options.values.map(\.type) == [.data])
        #expect(settings.options.keys.allSatisfy { $0.parts.count == Key.partLimit })
        let written = string(try PropertyListFormat.write(settings, WriteRequest()))
        #expect(try PropertyListFormat.read(["a.plist": written]).settings == settings)
    }

    @Test func valueAboveTheSizeLimitIsRejected() {
        let text = "{ a = \"\(String(repeating: "x", count: 2 << 20))\"; }"
        let refusal = #expect(throws: Refusal.self) { try PropertyListFormat.read(["a.plist": text]) }
        #expect(refusal?.reason.contains("MiB") == true)
    }

    @Test func recognisedByNameAndContent() throws {
        func name(_ path: String, _ text: String) throws -> FormatName {
            try Formats.recognised(Source(files: [(path: path, bytes: Array(text.utf8))])).name
        }
        #expect(try name("com.example.app.plist", "{ a = b; }") == .plist)
        #expect(try name("preferences", Self.file) == .plist)
    }

    private func string(_ exported: Exported) -> String {
        if case .text(let bytes) = exported { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
}
