import Foundation
import SettingsModel
import Testing

@testable import SettingsFormats

/// Property lists that are there already.
struct PropertyListInPlaceTests {
    private let file = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <!-- agreed with the release team -->
        <dict>
            <!-- how many -->
            <key>n</key>  <!-- a number -->
            <integer> 0x1F </integer> <!-- why -->
            <key>ratio</key><real>1.0</real>
            <key>whole</key>
            <real>3</real>
            <key>on</key>
            <false></false>
            <key>off</key>
            <true/>
            <key>text</key>
            <string>a &quot;b&quot; &#x41;</string>
            <key>raw</key>
            <string><![CDATA[<b>]]></string>
            <key>empty</key>
            <string/>
            <key>split</key>
            <string>a<!-- c -->b</string>
            <key>since</key>
            <date>2011-11-04T08:00:00Z</date>
            <key>blob</key>
            <data>
            AAEC
            </data>
            <key>list</key>
            <array>
                <!-- one -->
                <integer>1</integer>
                <integer>2</integer> <!-- two -->
                <real>3.5</real>
            </array>
            <key>none</key>
            <dict/>
            <key>group</key>
            <dict>
                <key>x</key>
                <integer>18446744073709551615</integer>
            </dict>
        </dict>
        </plist>
        """

    private func edited(
        _ text: String, prunes: Bool = false, _ change: (inout SettingsContent) throws -> Void
    ) throws -> String {
        let laws = try EditedFileLaws(PropertyListFormat.self, "a.plist", Array(text.utf8))
        var settings = laws.settings
        try change(&settings)
        return String(decoding: try laws.written(settings, into: laws.bytes, prunes: prunes), as: UTF8.self)
    }

    @Test func onlySpansOfValuesChange() throws {
        #expect(try edited(file) { _ in } == file)
        let result = try edited(file) { settings in
            settings.set("n", .number(6))
            settings.set("ratio", .number(2))
            settings.set("whole", .number(4))
            settings.set("on", .bool(true))
            settings.set("off", .bool(false))
            settings.set("text", "a<&>\n\"")
            settings.set("raw", "<i>")
            settings.set("empty", "x")
            settings.set("since", "2012-01-01T00:00:00Z")
            settings.set("blob", "AAED")
            settings.set("list", try JSON(parsing: "[1,7,2,4.0]"))
            settings.set("group.x", .number(-1))
        }
        let edits = [
            ("0x1F", "6"), ("1.0</real>", "2.0</real>"), ("<real>3<", "<real>4<"), ("<false></false>", "<true></true>"),
            ("<key>off</key>\n    <true/>", "<key>off</key>\n    <false/>"), ("a &quot;b&quot; &#x41;", "a&lt;&amp;&gt;\n&quot;"),
            ("[<b>]", "[<i>]"), ("<string/>", "<string>x</string>"), ("2011-11-04T08:00:00Z", "2012-01-01T00:00:00Z"),
            ("AAEC", "AAED"), ("        <integer>2<", "        <integer>7</integer>\n        <integer>2<"), ("3.5", "4.0"),
            ("18446744073709551615", "-1"),
        ]
        #expect(result == edits.reduce(file) { text, edit in text.replacing(edit.0, with: edit.1) })
        let windows = file.replacing("\n", with: "\r\n")
        #expect(
            try edited(windows) { $0.set("raw", "a]]>\nb") }
                == windows.replacing("<![CDATA[<b>]]>", with: "a]]&gt;\r\nb"))
    }

    @Test func membersAreAddedAndRemoved() throws {
        let new = SettingsOption(title: "", type: .data, value: try JSON(parsing: #"{"a":[true]}"#))
        let added = try edited(file) { settings in
            settings.options[try Key("group.y")] = new
            settings.options[try Key("n2")] = SettingsOption(title: "", type: .text, value: "<")
            settings.groups[.root]?.order?.insert("n2", at: 1)
        }
        #expect(
            added
                == file.replacing("<!-- why -->\n", with: "<!-- why -->\n    <key>n2</key>\n    <string>&lt;</string>\n")
                .replacing(
                    "615</integer>\n",
                    with: "615</integer>\n        <key>y</key>\n        <dict>\n            <key>a</key>\n            <array>\n"
                        + "                <true/>\n            </array>\n        </dict>\n"))
        let removed = try edited(file, prunes: true) { settings in
            settings.options[try Key("n")] = nil
            settings.options[try Key("ratio")] = nil
            settings.set("none", try JSON(parsing: #"{"z":1}"#))
            settings.options[try Key("group.x")] = nil
            settings.groups[try Key("group")] = nil
        }
        #expect(removed.contains("<dict>\n        <key>z</key>\n        <integer>1</integer>\n    </dict>\n</dict>"))
        #expect(!removed.contains("ratio") && removed.contains("<!-- how many -->\n    <key>whole</key>"))
    }

    /// Whatever can't be written is named, and nothing is.
    @Test func refusalsNameEveryValue() throws {
        let refusal = #expect(throws: Refusal.self) {
            try edited(file) { settings in
                settings.set("split", "x")
                settings.set("text", "\u{1}")
                settings.options[try Key("since")]?.value = "yesterday"
                settings.set("n", try JSON(parsing: "18446744073709551616"))
            }
        }
        for name in ["'split'", "'text' can't be written: a text has the character U+1", "'since'", "n: "] {
            #expect(refusal?.all.contains { $0.reason.contains(name) } == true, "\(name)")
        }
        for text in ["{ a = (1); }", file.replacing("0x1F", with: "1.0"), file.replacing("0x1F", with: "&foo;")] {
            #expect(throws: Refusal.self) { try edited(text) { $0.set("a", "2") } }
        }
    }

    @Test func tablesOfTexts() throws {
        let table =
            "/* one */\n\"a\" = \"x\"; // why\n\n/* two */\nb = y;\n'c' = 'z';\n\"d\";\n\"e\" = \"1\";\n\"e\" =\n    \"2\";\n"
        #expect(try edited(table) { _ in } == table)
        let result = try edited(table) { settings in
            settings.set("a", "x\n\"é\"")
            settings.set("b", "w w")
            settings.set("c", "it's")
            settings.set("d", "D")
            settings.set("e", "3")
            settings.options[try Key("f")] = SettingsOption(title: "", type: .text, value: "\t")
        }
        let edits = [
            ("\"x\"", "\"x\\n\\\"é\\\"\""), ("= y", "= \"w w\""), ("'z'", "'it\\'s'"), ("\"d\";", "\"d\" = \"D\";"),
            ("    \"2\";\n", "    \"3\";\n\"f\" = \"\t\";\n"),
        ]
        #expect(result == edits.reduce(table) { text, edit in text.replacing(edit.0, with: edit.1) })
        #expect(
            try edited(table, prunes: true) { $0.options[try Key("b")] = nil } == table.replacing("/* two */\nb = y;\n", with: "")
        )
        #expect(try edited("{ a = 1; b = (2); }") { $0.set("a", "3") } == "{ a = 3; b = (2); }")
        let units = ([0xFEFF] + Array(table.utf16)).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let laws = try EditedFileLaws(PropertyListFormat.self, "a.strings", units)
        var settings = laws.settings
        settings.set("b", "z")
        #expect(
            try laws.written(settings, into: units)
                == ([0xFEFF] + Array(table.replacing("= y", with: "= z").utf16)).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    }

    @Test(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
    func realTables() throws {
        var edited = 0
        for path in Inputs.files("keyfiles/strings") where path.hasSuffix(".strings") {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            guard var laws = try? EditedFileLaws(PropertyListFormat.self, "a.plist", bytes), !laws.settings.options.isEmpty else {
                continue
            }
            try laws.check(most: 8, mayRespell: true, isText: false)
            edited += laws.edited
            try laws.checkAddition(Key("settings-new"), "x")
        }
        #expect(edited > 50)
    }

    @Test func encodingsStay() throws {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<plist><dict><key>a</key><string>é</string></dict></plist>"
        for isBig in [true, false] {
            let units = [0xFEFF] + Array(text.utf16)
            let bytes = units.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
            let laws = try EditedFileLaws(PropertyListFormat.self, "a.plist", bytes)
            var settings = laws.settings
            settings.set("a", "😀")
            let result = try laws.written(settings, into: bytes)
            #expect(result.count == bytes.count + 2 && result.prefix(2) == bytes.prefix(2))
            #expect(try laws.values(result)[Key("a")] == "😀")
        }
        let latin =
            Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<dict><key>a</key><string>".utf8) + [0xE9]
            + Array("</string></dict>".utf8)
        let laws = try EditedFileLaws(PropertyListFormat.self, "a.plist", latin)
        var settings = laws.settings
        settings.set("a", "ü")
        #expect(try laws.written(settings, into: latin) == latin.map { $0 == 0xE9 ? 0xFC : $0 })
        settings.set("a", "😀")
        #expect(throws: Refusal.self) { try laws.written(settings, into: latin) }
    }

    @Test(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
    func realFiles() throws {
        var edited = 0
        for folder in ["xml-plist", "binary-plist"] {
            for path in Inputs.files("keyfiles/\(folder)") where path.hasSuffix("plist") {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                guard var laws = try? EditedFileLaws(PropertyListFormat.self, "a.plist", bytes), !laws.settings.options.isEmpty
                else {
                    continue
                }
                try laws.check(mayRespell: path.contains("made-here"), isText: !PropertyList.isBinary(bytes))
                edited += laws.edited
                if !PropertyList.isBinary(bytes) { try laws.checkAddition(Key("settings-new"), "x") }
            }
        }
        #expect(edited > 100)
    }
}

/// Binary property lists that are there already.
struct BinaryPropertyListInPlaceTests {
    /// A file of these objects in their order; the first one is the top.
    private func file(_ objects: [[UInt8]]) -> [UInt8] {
        var out = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(out.count))
            out += object
        }
        let table = UInt8(out.count)
        return out + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
            + Array(repeating: 0, count: 15) + [table]
    }

    private func text(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }

    /// a: 5 in two bytes, b: a real of four bytes, c: an array that shares a string with d, e: a set, f: null, g: UID 3.
    private var objects: [[UInt8]] {
        [
            [0xD7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], text("a"), text("b"), text("c"), text("d"), text("e"),
            text("f"),
            text("g"), [0x11, 0, 5], [0x22, 0x3F, 0xC0, 0, 0], [0xA2, 11, 11], text("same"), [0xC1, 11], [0x00], [0x80, 3],
        ]
    }

    private func edited(
        _ bytes: [UInt8], prunes: Bool = false, _ change: (inout SettingsContent) throws -> Void
    ) throws -> [UInt8] {
        let laws = try EditedFileLaws(PropertyListFormat.self, "a.plist", bytes)
        var settings = laws.settings
        try change(&settings)
        return try laws.written(settings, into: bytes, prunes: prunes)
    }

    @Test func onlyTheChangedObjectDiffers() throws {
        let bytes = file(objects)
        #expect(try edited(bytes) { _ in } == bytes)
        var expected = objects
        expected[8] = [0x11, 1, 0]
        #expect(try edited(bytes) { $0.set("a", .number(256)) } == file(expected))
        expected[8] = [0x13, 255, 255, 255, 255, 255, 255, 255, 255]
        #expect(try edited(bytes) { $0.set("a", .number(-1)) } == file(expected))
        expected = objects
        expected[9] = [0x22, 0x40, 0, 0, 0]
        #expect(try edited(bytes) { $0.set("b", .number(2)) } == file(expected))
        expected[9] = [0x23, 0x3F, 0xB9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9A]
        #expect(try edited(bytes) { $0.set("b", Number("0.1").map { .number($0) }) } == file(expected))
    }

    @Test func sharedObjectsAreCopied() throws {
        var expected = objects
        expected[0][11] = 15
        expected.append(text("other"))
        #expect(try edited(file(objects)) { $0.set("d", "other") } == file(expected))
    }

    @Test func setsNullsAndReferencesKeepTheirKind() throws {
        let bytes = file(objects)
        let settings = try EditedFileLaws(PropertyListFormat.self, "a.plist", bytes).settings
        #expect(settings["e"]?.type == .data && settings["e"]?.value == .array(["same"]))
        #expect(settings["f"]?.value == nil && settings["g"]?.type == .data)
        var expected = objects
        expected[12] = [0xC2, 11, 15]
        expected.append(text("x"))
        #expect(try edited(bytes) { $0.set("e", .array(["same", "x"])) } == file(expected))
        expected = objects
        expected[14] = [0x80, 4]
        #expect(try edited(bytes) { $0.set("g", .number(4)) } == file(expected))
    }

    @Test func addedAndRemovedGivesTheFirstBytes() throws {
        let bytes = file(objects)
        let laws = try EditedFileLaws(PropertyListFormat.self, "a.plist", bytes)
        try laws.checkAddition(Key("new"), "é")
        // A removed value is gone from the file.
        let removed = try edited(bytes, prunes: true) { $0.options[try Key("a")] = nil }
        var expected = objects
        expected[0] = [0xD6, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14]
        (expected[1], expected[8]) = ([0], [0])
        #expect(removed == file(expected))
    }

    /// More than 256 objects need wider references.
    @Test func manyObjects() throws {
        let list = JSON.array((0..<300).map { .string(ExactText("v\($0)")) })
        let result = try edited(file(objects)) { $0.set("c", list) }
        var values = try EditedFileLaws(PropertyListFormat.self, "a.plist", result).values(result)
        #expect(try values[Key("c")] == list && values[Key("d")] == "same")
        values = try EditedFileLaws(PropertyListFormat.self, "a.plist", result).values(
            try edited(result) { $0.set("d", "z") })
        #expect(try values[Key("d")] == "z")
    }

    @Test func everyTruncationIsRefusedOrRead() throws {
        let bytes = file(objects)
        let settings = try EditedFileLaws(PropertyListFormat.self, "a.plist", bytes).settings
        var request = WriteRequest()
        request.name = "a.plist"
        for place in bytes.indices {
            for value: UInt8 in [0, 0xA1, 0xD1, 0xFF] {
                var damaged = bytes
                damaged[place] = value
                request.present = damaged
                var changed = settings
                changed.set("a", .number(77))
                _ = try? PropertyListFormat.write(changed, request)
            }
            request.present = Array(bytes[..<place])
            _ = try? PropertyListFormat.write(settings, request)
        }
    }
}
