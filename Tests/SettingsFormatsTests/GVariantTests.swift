import SettingsModel
import Testing

@testable import SettingsFormats

/// Compares with the answers of GLib 2.74 for the same texts.
struct GVariantTests {
    @Test(arguments: [
        ("i", "uint32 5", "5"), ("u", "int32 5", "uint32 5"), ("i", "boolean 5", "5"), ("i", "int32 int32 5", "5"),
        ("i", "0x10", "16"), ("i", "010", "8"), ("i", "-+5", "-5"), ("i", "+5", "5"), ("i", " 5 ", "5"), ("i", "-0", "0"),
        ("y", "0x05", "byte 0x05"), ("n", "-32768", "int16 -32768"), ("t", "18446744073709551615", "uint64 18446744073709551615"),
        ("x", "-9223372036854775808", "int64 -9223372036854775808"), ("h", "5", "handle 5"),
        ("d", "5", "5.0"), ("d", "0.1", "0.10000000000000001"), ("d", ".5", "0.5"), ("d", "5.", "5.0"), ("d", "1e5", "100000.0"),
        ("d", "-0", "-0.0"), ("d", "1e-5", "1.0000000000000001e-05"), ("d", "123456789012345680", "1.2345678901234568e+17"),
        ("d", "1e22", "1e+22"), ("d", "0x1p3", "8.0"), ("d", "inf", "inf"), ("d", "-inf", "-inf"), ("d", "+inf", "inf"),
        ("d", "nan", "nan"), ("d", "-nan", "-nan"),
        ("s", #""\u00e9\x41\a""#, #"'éx41\a'"#), ("s", "'a\nb'", #"'a\nb'"#), ("s", "'a\\\nb'", "'ab'"),
        ("s", "'\u{200B}\u{AD}\u{2028}\u{E000}'", "'\\u200b\\u00ad\u{2028}\u{E000}'"),
        ("s", "'😀\u{E0001}'", #"'😀\U000e0001'"#), ("s", #"'it\'s "x"'"#, #""it's \"x\"""#), ("s", "@s 'a'", "'a'"),
        ("o", "objectpath '/a_1/b'", "objectpath '/a_1/b'"), ("g", "'(ii)'", "signature '(ii)'"),
        ("ay", "b'abc'", "b'abc'"), ("ay", "[0x61, 0]", "b'a'"), ("ay", "[0x00]", "b''"), ("ay", "[]", "@ay []"),
        ("ay", "[1, 2]", "[byte 0x01, 0x02]"), ("ay", #"b'\001\"x'"#, #"b'\001\"x'"#), ("aay", "[b'a', b'b']", "[b'a', b'b']"),
        ("as", "@as []", "@as []"), ("as", "@ai []", "@as []"), ("as", #"['a', "b'c"]"#, #"['a', "b'c"]"#),
        ("a(dddd)", "[]", "@a(dddd) []"), ("a{sv}", "{}", "@a{sv} {}"), ("a{si}", "[{'a',1},{'b',2}]", "{'a': 1, 'b': 2}"),
        ("{si}", "{'a',1}", "{'a', 1}"), ("a{s(ii)}", "{'a':(1,2)}", "{'a': (1, 2)}"), ("(i)", "(1,)", "(1,)"),
        ("()", "()", "()"),
        ("(ss)", "('a' , 'b' )", "('a', 'b')"), ("v", "<'a'>", "<'a'>"), ("v", "<uint32 5>", "<uint32 5>"),
        ("av", "[<1>,<byte 2>]", "[<1>, <byte 0x02>]"), ("mi", "5", "@mi 5"), ("mmi", "just nothing", "@mmi just nothing"),
        ("mmi", "just just 3", "@mmi 3"), ("ms", "nothing", "@ms nothing"), ("ms", #"just "x""#, "@ms 'x'"),
    ])
    func typed(_ type: String, _ text: String, _ printed: String) throws {
        let kind = try #require(GVariantType(type))
        let value = try GVariant(parsing: text, as: kind)
        #expect(value.text == printed)
        #expect(value.type == kind)
        #expect(try GVariant(parsing: printed, as: value.type) == value || printed.hasSuffix("nan"))
    }

    @Test(arguments: [
        ("<@as []>", "v", "<@as []>"), ("[1,2.0]", "ad", "[1.0, 2.0]"), ("[1, uint32 2]", "au", "[uint32 1, 2]"),
        ("{'a':<1>,'b':<'x'>}", "a{sv}", "{'a': <1>, 'b': <'x'>}"), ("[nothing, 5]", "ami", "[@mi nothing, 5]"),
        ("[<1>, <@mi nothing>]", "av", "[<1>, <@mi nothing>]"), ("{1:2}", "a{ii}", "{1: 2}"), ("{1,2}", "{ii}", "{1, 2}"),
        ("just 5", "mi", "@mi 5"), ("<<5>>", "v", "<<5>>"), ("(1,\"a\",<true>)", "(isv)", "(1, 'a', <true>)"),
        ("[([], 1), (['a'], 2.5)]", "a(asd)", "[(@as [], 1.0), (['a'], 2.5)]"),
    ])
    func inferred(_ text: String, _ type: String, _ printed: String) throws {
        let value = try GVariant(parsing: text)
        #expect(value.text == printed)
        #expect(value.type.text == type)
    }

    @Test(arguments: [
        ("i", "5.0", 0), ("d", "1e400", 0), ("i", "--5", 0), ("s", "'a' 'b'", 4), ("s", #"'\u0000'"#, 1), ("o", "'a'", 0),
        ("g", "'a{'", 0), ("v", "'a'", 0), ("(i)", "(1)", 2), ("as", #"["a",]"#, 5), ("as", "[,]", 1), ("i", "2147483648", 0),
        ("t", "-1", 0), ("d", "1.0e", 0), ("i", "5 x", 2), ("b", "True", 0), ("i", "", 0), ("s", "\u{B}'a'", 0), ("i", "@? 5", 0),
        ("s", "b'abc'", 0), ("i", "0x", 0), ("i", "08", 0), ("i", "1_0", 1), ("i", "0b11", 0), ("d", "infinity", 0),
        ("d", "INF", 0), ("d", "1d", 0), ("i", ".", 0), ("d", ".", 0), ("d", "1.5.5", 0), ("s", "'a", 0), ("s", #"'\ud83d'"#, 1),
        ("a{si}", "{'a' 1}", 5), ("as", "['a' 'b']", 5), ("u", "nothing", 0), ("b", "true]", 4), ("(ii)", "(1,2,3)", 0),
    ])
    func rejected(_ type: String, _ text: String, _ offset: Int) throws {
        let type = try #require(GVariantType(type))
        let fault = #expect(throws: GVariant.Malformed.self) { try GVariant(parsing: text, as: type) }
        #expect(fault?.offset == offset, "\(text): \(fault?.reason ?? "")")
    }

    @Test(arguments: ["<[]>", "{}", "[]", "nothing", "{[1]:2}", "{<1>:2}", "[1, 'a']", "[<1>, 2]", "[(1,2), (1,)]"])
    func typesThatCannotBeInferred(_ text: String) {
        #expect(throws: GVariant.Malformed.self) { try GVariant(parsing: text) }
    }

    @Test(arguments: [
        "", "a", "aa", "(", "(i", "{ii", "{vi}", "{i}", "{iii}", "ii", "r", "*", "a?", "k", "(i))",
        String(repeating: "a", count: 200) + "i",
    ])
    func invalidTypes(_ text: String) {
        #expect(GVariantType(text) == nil)
    }

    @Test func depthIsLimited() throws {
        for (open, close) in [("[", "]"), ("<", ">"), ("(", ",)"), ("{1:", "}"), ("just ", ""), ("@i ", "")] {
            let text = String(repeating: open, count: 200_000) + "1" + String(repeating: close, count: 200_000)
            let fault = #expect(throws: GVariant.Malformed.self) { try GVariant(parsing: text) }
            #expect(fault?.reason.contains("levels deep") == true)
        }
        let deep = String(repeating: "<", count: 100) + "1" + String(repeating: ">", count: 100)
        #expect(try GVariant(parsing: deep).text == deep)
    }

    @Test(arguments: [
        ("b", "true", "true"), ("i", "5", "5"), ("y", "0x0f", "15"), ("t", "18446744073709551615", "18446744073709551615"),
        ("d", "15", "15.0"), ("d", "0.1", "0.1"), ("d", "1e300", "1e+300"), ("s", "'5'", #""5""#), ("o", "'/a'", #""/a""#),
        ("as", "[\"a\"]", #"["a"]"#), ("as", "[]", "[]"), ("ai", "[]", #""@ai []""#), ("(ii)", "(1,2)", #""(1, 2)""#),
        ("h", "1", #""handle 1""#), ("ms", "'x'", #""@ms 'x'""#), ("v", "<'a'>", #""<'a'>""#),
    ])
    func storedForm(_ type: String, _ text: String, _ json: String) throws {
        let type = try #require(GVariantType(type))
        let value = try GVariant(parsing: text, as: type)
        #expect(value.json?.compact == json)
        #expect(try GVariant(#require(value.json), as: type) == value)
    }

    @Test func numbersThatJSONCannotExpress() throws {
        for text in ["inf", "-inf", "nan"] { #expect(try GVariant(parsing: text, as: "d").json == nil) }
    }

    @Test(arguments: [
        ("5", "5"), ("5.5", "5.5"), ("3000000000", "int64 3000000000"), ("18446744073709551615", "uint64 18446744073709551615"),
        ("true", "true"), (#""a""#, "'a'"), (#"["a","b"]"#, "['a', 'b']"), ("[1,\"a\"]", "[<1>, <'a'>]"), ("[]", "@as []"),
        (#"{"a":1,"b":{"c":null}}"#, "{'a': <1>, 'b': <{'c': <@mv nothing>}>}"),
    ])
    func untypedJSON(_ json: String, _ text: String) throws {
        #expect(try GVariant(untyped: JSON(parsing: json)).text == text)
    }
}
