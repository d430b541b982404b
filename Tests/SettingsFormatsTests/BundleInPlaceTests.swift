import SettingsModel
import Testing

@testable import SettingsFormats

/// Bundles that are there already.
struct BundleInPlaceTests {
    private let root = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
            <key>StringsTable</key>
            <string>Root</string>
            <key>PreferenceSpecifiers</key>
            <array>
                <!-- sound -->
                <dict>
                    <key>Type</key>
                    <string>PSToggleSwitchSpecifier</string>
                    <key>Title</key>
                    <string>SOUND</string>
                    <key>Key</key>
                    <string>sound</string>
                    <key>DefaultValue</key>
                    <true/>
                </dict>
                <dict>
                    <key>Type</key>
                    <string>PSTextFieldSpecifier</string>
                    <key>Title</key>
                    <string>Name</string>
                    <key>Key</key>
                    <string>name</string>
                    <key>DefaultValue</key>
                    <string>x</string>
                </dict>
            </array>
        </dict>
        </plist>

        """
    private let texts = "/* The switch. */\n\"SOUND\" = \"Sound\";\n"

    private func written(
        _ settings: SettingsContent, _ files: [String: String], prunes: Bool = false
    ) throws -> [String: String] {
        var request = WriteRequest()
        request.prunes = prunes
        request.presentFile = { (path) throws(Refusal) in files[path].map { Array($0.utf8) } }
        guard case .folder(let result) = try SettingsBundleFormat.write(settings, request) else { return [:] }
        return Dictionary(uniqueKeysWithValues: result.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    }

    private func settings() throws -> SettingsContent {
        try SettingsBundleFormat.read(["Root.plist": root, "en.lproj/Root.strings": texts]).settings
    }

    @Test func unchangedFilesKeepTheirBytes() throws {
        let files = ["Root.plist": root, "en.lproj/Root.strings": texts]
        #expect(try written(settings(), files) == files)
    }

    /// A developer added a row, a member of a row, a member of the page, and a text.
    @Test func whatTheStoreLacksStays() throws {
        let row =
            "        <!-- new -->\n        <dict>\n            <key>Type</key>\n            <string>PSTextFieldSpecifier</string>\n"
            + "            <key>Key</key>\n            <string>extra</string>\n        </dict>\n"
        let there = root.replacing("        <!-- sound -->\n", with: row + "        <!-- sound -->\n")
            .replacing("<true/>\n", with: "<true/>\n            <key>Extra</key>\n            <string>e</string>\n")
            .replacing("<key>StringsTable", with: "<key>Container</key>\n    <string>group.x</string>\n    <key>StringsTable")
        let strings = texts + "/* More. */\n\"MORE\" = \"More\";\n"
        var settings = try settings()
        settings.set("sound", .bool(false))
        settings.options[try Key("sound")]?.title = "Noise"
        settings.set("name", "y")
        let result = try written(settings, ["Root.plist": there, "en.lproj/Root.strings": strings])
        #expect(
            result["Root.plist"]
                == there.replacing("<true/>", with: "<false/>").replacing("<string>x</string>", with: "<string>y</string>"))
        #expect(result["en.lproj/Root.strings"] == strings.replacing("\"Sound\"", with: "\"Noise\""))
        let pruned = try written(settings, ["Root.plist": there, "en.lproj/Root.strings": strings], prunes: true)
        #expect(
            try SettingsBundleFormat.read(["Root.plist": pruned["Root.plist"] ?? ""]).settings.options.keys.sorted()
                == [Key("name"), Key("sound")])
        #expect(
            pruned["Root.plist"]?.contains("Container") == false && pruned["en.lproj/Root.strings"]?.contains("MORE") == false)
    }
}
