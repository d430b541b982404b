import Foundation
import Seeds
import SettingsFormats
import SettingsModel
import Testing

/// Reads values from all forms of property lists.
struct PropertyListTests {
    private func read(_ text: String) throws -> PropertyList { try read(Array(text.utf8)) }

    private func read(_ bytes: [UInt8], repairs count: Int = 0) throws -> PropertyList {
        var repairs: [Repair] = []
        let value = try PropertyList.read(bytes, in: "a.plist", &repairs)
        #expect(repairs.count { $0.kind == .repaired } == count, "\(repairs)")
        return value
    }

    private func plist(_ content: String) -> String { "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(content)</plist>" }

    private func dictionary(_ members: KeyValuePairs<ExactText, PropertyList>) -> PropertyList {
        .dictionary(.init(members.map { .init(name: $0.key, value: $0.value) }))
    }

    // XML

    @Test func typesAreKept() throws {
        let value = try read(
            plist(
                """
                <dict><key>b</key><true/><key>a</key><integer>1</integer><key>c</key><real>1</real><key>d</key><real>15.0</real>
                <key>e</key><string>YES</string><key>f</key><integer>18446744073709551615</integer>
                <key>g</key><integer>-0x1F</integer>
                <key>h</key><real>nan</real><key>i</key><date>2011-11-04T08:00:00Z</date><key>j</key><data>AA EC</data></dict>
                """))
        #expect(
            value
                == dictionary([
                    "b": .boolean(true), "a": .integer(Number(1)), "c": .real("1.0"), "d": .real("15.0"), "e": .string("YES"),
                    "f": .integer(try #require(Number("18446744073709551615"))), "g": .integer(Number(-31)), "h": .real("nan"),
                    "i": .date("2011-11-04T08:00:00Z"), "j": .data([0, 1, 2]),
                ]))
    }

    @Test func linesOfMembers() throws {
        guard case .dictionary(let members) = try read(plist("\n<dict>\n<key>a</key>\n<true/>\n<key>b</key><true/></dict>"))
        else {
            Issue.record("no dictionary")
            return
        }
        #expect(members.line == 3 && members.entries.map(\.line) == [4, 6])
    }

    @Test func lastOfTwoMembersCounts() throws {
        let twice = plist("<dict><key>a</key><integer>1</integer>\n<key>b</key><true/>\n<key>a</key><integer>2</integer></dict>")
        var repairs: [Repair] = []
        let value = try PropertyList.read(Array(twice.utf8), in: "a.plist", &repairs)
        #expect(value == dictionary(["a": .integer(Number(2)), "b": .boolean(true)]))
        #expect(repairs.map(\.line) == [4] && repairs.map(\.key) == ["a"] && repairs.map(\.kind) == [.repaired])
        #expect(repairs.first?.found == "the name appears twice, the first time in line 2")
    }

    @Test(arguments: [
        ("<dict><string>x</string></dict>", "<key>"), ("<dict><key>a</key></dict>", "no value"),
        ("<dict><key>a</key><key>b</key></dict>", "<key>"), ("<true/><false/>", "one value"),
        ("<integer>1.5</integer>", "integer"),
        ("<integer>18446744073709551616</integer>", "64-bit"), ("<real>x</real>", "number"), ("<date>today</date>", "date"),
        ("<data>!</data>", "Base64"), ("<set/>", "not an element"), ("<dict>x</dict>", "unexpected text"),
        ("<string><b/></string>", "<b>"),
    ])
    func invalidPropertyListsAreRejected(_ content: String, _ word: String) {
        let refusal = #expect(throws: Refusal.self) { try read(plist("\n\n" + content)) }
        #expect(refusal?.reason.contains(word) == true, "\(refusal?.reason ?? "")")
        #expect(refusal?.position?.line ?? 0 >= 2)
    }

    @Test func encodingsOfXML() throws {
        let text = plist("<dict><key>k</key><string>é€</string></dict>")
        let expected = dictionary(["k": .string("é€")])
        #expect(try read([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == expected)
        #expect(try read(" \n" + text) == expected)
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let declared = text.replacing("?>", with: " encoding='UTF-16'?>")
            let isMarked = encoding == .utf16
            #expect(try read(Array(try #require(declared.data(using: encoding))), repairs: isMarked ? 0 : 1) == expected)
        }
        let latin = plist("<string>é</string>").replacing("?>", with: " encoding='ISO-8859-1'?>")
        #expect(try read(Array(try #require(latin.data(using: .isoLatin1)))) == .string("é"))
        let windows = plist("<string>é</string>").replacing("?>", with: " encoding='windows-1251'?>")
        #expect(try read(Array(windows.replacing("é", with: "x").utf8)) == .string("x"))
    }

    @Test func conflictMarkersAreReported() {
        for text in [
            plist("<dict>\n<<<<<<< HEAD\n<key>a</key>\n=======\n>>>>>>> b\n</dict>"),
            "{\na = b;\n<<<<<<< HEAD\nc = d;\n=======\n>>>>>>> b\n}", "\"a\" = \"b\";\n\n<<<<<<< HEAD\n\"c\" = \"d\";\n",
        ] {
            let refusal = #expect(throws: Refusal.self) { try read(text) }
            #expect(refusal?.reason.contains("conflict markers") == true)
            #expect(refusal?.position?.line == 3)
        }
    }

    // Binary

    @Test func binaryFilesByFoundation() throws {
        let object: [String: Any] = [
            "a": true, "b": 1, "c": 1.0, "d": "é", "e": Data([1, 2]), "f": [1, "x", -5, 70_000, UInt64.max] as [Any],
            "g": Date(timeIntervalSinceReferenceDate: -86_400), "h": ["i": [String: Any]()],
            "j": String(repeating: "long ", count: 99),
            "k": 0.1, "l": Date(timeIntervalSinceReferenceDate: 741_000_000),
        ]
        let bytes = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
        guard case .dictionary(let members) = try read(Array(bytes)) else {
            Issue.record("no dictionary")
            return
        }
        #expect(members["a"] == .boolean(true) && members["b"] == .integer(Number(1)) && members["c"] == .real("1.0"))
        #expect(members["d"] == .string("é") && members["e"] == .data([1, 2]) && members["k"] == .real("0.1"))
        #expect(members["g"] == .date("2000-12-31T00:00:00Z") && members["l"] == .date("2024-06-25T09:20:00Z"))
        #expect(members["h"] == dictionary(["i": .dictionary(.init())]))
        let most = try #require(Number("18446744073709551615"))
        #expect(
            members["f"]
                == .array([.integer(Number(1)), .string("x"), .integer(Number(-5)), .integer(Number(70_000)), .integer(most)]))
    }

    /// Nested arrays of `levels` levels, each with two references to the next.
    private func shared(_ levels: UInt8, _ top: [UInt8] = [0xA0]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for level in 0..<levels {
            offsets.append(UInt8(bytes.count))
            bytes += [0xA2, level + 1, level + 1]
        }
        offsets.append(UInt8(bytes.count))
        bytes += top
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [Int(levels) + 1, 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(number)] }
        return bytes
    }

    @Test func sharedArraysCannotExpandWithoutLimit() throws {
        #expect(try read(shared(1)) == .array([.array([]), .array([])]))
        let time = processorTime { _ = #expect(throws: Refusal.self) { try read(shared(50)) } }
        #expect(time < .seconds(20))
    }

    @Test func recursiveArrayIsRejected() {
        #expect(throws: Refusal.self) { try read(shared(0, [0xA1, 0])) }
    }

    @Test func damagedBinariesAreRejected() throws {
        let whole = Array(
            try PropertyListSerialization.data(
                fromPropertyList: ["a": [1, 2.5, "x", true, Data([1]), Date(), "é"] as [Any]], format: .binary, options: 0))
        for length in 0..<whole.count { _ = try? read(Array(whole.prefix(length))) }
        #expect(throws: Refusal.self) { try read(Array(whole.prefix(20))) }
        var state: UInt64 = 1
        func random(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0...random(below: 4) { bytes[8 + random(below: bytes.count - 8)] = UInt8(random(below: 256)) }
            var repairs: [Repair] = []
            _ = try? PropertyList.read(bytes, in: "a.plist", &repairs)
        }
    }

    // Old-style property lists and tables

    @Test func oldStyle() throws {
        let text = "// c\n{ b = (1, \"x\\351\\U00e9\\n\\\"\", ); /* d */ a = <0a 0B>; 'c' = a/b:c.d-e_f$; n = { }; }"
        #expect(
            try read(text)
                == dictionary([
                    "b": .array([.string("1"), .string("xØé\n\"")]), "a": .data([10, 11]), "c": .string("a/b:c.d-e_f$"),
                    "n": .dictionary(.init()),
                ]))
    }

    @Test func tables() throws {
        let expected = dictionary(["k": .string("v"), "j": .string("j"), "u": .string("ü 👇")])
        let text = "/* c */\n\"k\" = \"v\";\n\"j\";\n// x\nu = \"ü \\UD83D\\UDC47\";\n"
        #expect(try read(text) == expected)
        #expect(try read([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == expected)
        #expect(try read(Array(try #require(text.data(using: .utf16)))) == expected)
        #expect(try read(Array(try #require(text.data(using: .utf16LittleEndian))), repairs: 1) == expected)
        #expect(try read(Array(try #require(text.data(using: .utf16BigEndian))), repairs: 1) == expected)
        #expect(try read(Array(try #require(text.data(using: .isoLatin1))), repairs: 1) == expected)
        #expect(try read("") == .dictionary(.init()))
        let compiled = try PropertyListSerialization.data(fromPropertyList: ["k": "v"], format: .binary, options: 0)
        #expect(try read(Array(compiled)) == dictionary(["k": .string("v")]))
    }

    @Test(arguments: [
        ("\"k\" = \"v\"\n\"j\" = \"x\";", 2, "expected ';' after \"k\" in line 1"), ("\n\"k\" = \"v", 2, "unterminated"),
        ("{ a = b;", 1, "expected a name"), ("{ a = (b c); }", 1, "expected ',' or ')', found 'c'"), ("/* x", 1, "comment"),
        ("{ a = <0g>; }", 1, "hexadecimal"), ("a = b; }", 1, "'}'"), ("hello world", 1, "expected ';'"),
        ("{} x", 1, "expected the end of input"),
    ])
    func invalidOldStyleIsRejected(_ text: String, _ line: Int, _ words: String) {
        let refusal = #expect(throws: Refusal.self) { try read(text) }
        #expect(refusal?.reason.contains(words) == true, "\(refusal?.reason ?? "")")
        #expect(refusal?.position?.line == line)
    }

    @Test func depthIsLimitedInEveryForm() {
        for text in [
            String(repeating: "(", count: 1_000_000), String(repeating: "{a=", count: 1_000_000),
            plist(String(repeating: "<array>", count: 110) + String(repeating: "</array>", count: 110)),
        ] {
            #expect(throws: Refusal.self) { try read(text) }
        }
    }

    @Test(arguments: [
        "<!DOCTYPE plist [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><plist><string>&b;</string></plist>",
        "<!DOCTYPE plist [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><plist><string>&a;</string></plist>",
    ])
    func entitiesAreRejected(_ text: String) {
        #expect(throws: Refusal.self) { try read(text) }
    }

    // Writing

    @Test func outputIsReadByFoundationAndByUs() throws {
        let value = dictionary([
            "é<&>": .string("a\r\n\t<b>&amp;\"👇"), "i": .integer(try #require(Number("18446744073709551615"))),
            "r": .real("15.0"),
            "e": .real("1e-05"), "n": .real("-inf"), "b": .boolean(false), "d": .date("2011-11-04T08:00:00Z"),
            "x": .data([1, 2, 255]),
            "a": .array([.array([]), dictionary(["k": .string("")])]), "m": .dictionary(.init()),
        ])
        let bytes = try value.xml()
        #expect(try read(bytes) == value)
        let object = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? NSDictionary
        #expect(object?["é<&>"] as? String == "a\r\n\t<b>&amp;\"👇")
        #expect(object?["r"] as? Double == 15 && object?["x"] as? Data == Data([1, 2, 255]))
        #expect(throws: Refusal.self) { try PropertyList.string("\u{1}").xml() }
    }

    @Test func roundTripsThroughJSON() throws {
        let value = dictionary([
            "a": .array([.date("2011-11-04T08:00:00Z"), .data([1]), .real("nan"), .real("1.0"), .integer(Number(1)), .uid(7)]),
            "$b": dictionary(["$date": .string("x")]), "c": dictionary(["$data": .string("AAEC"), "d": .boolean(true)]),
        ])
        #expect(PropertyList(value.json) == value)
        #expect(PropertyList(JSON.array([.null])) == nil)
        #expect(dictionary(["$date": .string("2011-11-04T08:00:00Z")]).json["$dictionary"] != nil)
    }
}
