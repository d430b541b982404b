import SettingsModel
import Testing

@testable import SettingsFormats

struct JSONCEditingTests {
    private func edited(_ text: String, _ value: String) throws -> String {
        let document = try JSONC(Array(text.utf8), in: "settings.json")
        return String(decoding: try document.edited(to: try JSON(parsing: value)), as: UTF8.self)
    }

    private let file = """
        // mine
        {
          // looks
          "a.b": 1, // one
          "a.c": [ "x", "y" ],

          // rest
          "d": { "e": true, /* off? */ "f": null },
          "g": "h" // last
        }

        """

    @Test func unchangedSettingsLeaveFilesUnchanged() throws {
        let value = try #require(try JSONC(Array(file.utf8), in: "a").root).json
        #expect(try edited(file, value.compact) == file)
    }

    @Test func oneValue() throws {
        #expect(
            try edited(file, #"{"a.b":2.50,"a.c":["x","y"],"d":{"e":true,"f":null},"g":"h"}"#)
                == file.replacing("\"a.b\": 1,", with: "\"a.b\": 2.50,"))
        #expect(
            try edited(file, #"{"a.b":1,"a.c":["x","y"],"d":{"e":false,"f":null},"g":"h"}"#)
                == file.replacing("\"e\": true", with: "\"e\": false"))
    }

    @Test func elements() throws {
        #expect(
            try edited(file, #"{"a.b":1,"a.c":["x","z","y"],"d":{"e":true,"f":null},"g":"h"}"#)
                == file.replacing("[ \"x\", \"y\" ]", with: "[ \"x\", \"z\", \"y\" ]"))
        #expect(
            try edited(file, #"{"a.b":1,"a.c":[],"d":{"e":true,"f":null},"g":"h"}"#)
                == file.replacing("[ \"x\", \"y\" ]", with: "[ ]"))
    }

    @Test func removedMembersTakeTheCommentsOnTheirLine() throws {
        #expect(
            try edited(file, #"{"a.c":["x","y"],"d":{"e":true,"f":null},"g":"h"}"#)
                == file.replacing("  \"a.b\": 1, // one\n", with: ""))
        #expect(
            try edited(file, #"{"a.b":1,"a.c":["x","y"],"d":{"e":true,"f":null}}"#)
                == file.replacing("},\n  \"g\": \"h\" // last", with: "}"))
        #expect(
            try edited(file, #"{"a.b":1,"d":{"f":null},"g":"h"}"#)
                == file.replacing("  \"a.c\": [ \"x\", \"y\" ],\n", with: "")
                .replacing("{ \"e\": true, /* off? */ \"f\": null }", with: "{ /* off? */ \"f\": null }"))
        #expect(try edited(file, "{}") == "// mine\n{\n  // looks\n\n  // rest\n}\n")
        // A comment behind several members is not the last one's.
        #expect(try edited("{\n  \"a\": 1, \"b\": 2 // both\n}", #"{"a":1}"#) == "{\n  \"a\": 1 // both\n}")
    }

    @Test func commasStayWhereTheyAre() throws {
        let file = "{ \"a\": 1 // ta\n, \"b\": [ 1\n       , 2 ] // tb\n, \"c\": 3 // tc\n}\n"
        #expect(try edited(file, #"{"a":5,"b":[1,2],"c":3}"#) == file.replacing("\"a\": 1", with: "\"a\": 5"))
        #expect(try edited(file, #"{"a":1,"b":[1,3],"c":3}"#) == file.replacing(", 2 ]", with: ", 3 ]"))
        #expect(try edited(file, #"{"a":1,"b":[1,2],"c":3,"d":4}"#) == file.replacing("// tc\n", with: "// tc\n, \"d\": 4\n"))
        #expect(
            try edited(file, #"{"a":1,"c":3}"#) == file.replacing(", \"b\": [ 1\n       , 2 ] // tb\n", with: ""))
        #expect(try edited(file, #"{"a":1,"b":[1,2]}"#) == file.replacing("\n, \"c\": 3 // tc", with: ""))
        #expect(try edited("[\n  1 /* one */,\n  2\n]", "[3,2]") == "[\n  3 /* one */,\n  2\n]")
    }

    @Test func newMembersFollowTheirPredecessor() throws {
        #expect(
            try edited(file, #"{"a.b":1,"a.bb":{"x":[1]},"a.c":["x","y"],"d":{"e":true,"f":null},"g":"h","i":0}"#)
                == file.replacing(
                    "// one\n", with: "// one\n  \"a.bb\": {\n    \"x\": [\n      1\n    ]\n  },\n"
                ).replacing("\"h\" // last\n", with: "\"h\", // last\n  \"i\": 0\n"))
    }

    @Test func trailingCommasStay() throws {
        #expect(try edited("{\n\t\"a\": 1,\n}\n", #"{"a":1,"b":2}"#) == "{\n\t\"a\": 1,\n\t\"b\": 2,\n}\n")
        #expect(try edited("{\n\t\"a\": 1,\n\t\"b\": 2,\n}\n", #"{"a":1}"#) == "{\n\t\"a\": 1,\n}\n")
        #expect(try edited("{\n\t\"a\": 1,\n\t\"b\": 2\n}\n", #"{"a":1}"#) == "{\n\t\"a\": 1\n}\n")
    }

    @Test func oneLine() throws {
        #expect(try edited(#"{"a": 1, "b": 2}"#, #"{"b":2}"#) == #"{"b": 2}"#)
        #expect(try edited(#"{"a": 1, "b": 2}"#, #"{"a":1}"#) == #"{"a": 1}"#)
        #expect(try edited(#"{"a": 1}"#, #"{"a":1,"b":{"c":[1,2]}}"#) == #"{"a": 1, "b": { "c": [1, 2] }}"#)
        #expect(try edited(#"{"a": 1}"#, #"{"b":2,"a":1}"#) == #"{"b": 2, "a": 1}"#)
        #expect(try edited(#"{ "a": 1 }"#, #"{"b":2,"a":1}"#) == #"{ "b": 2, "a": 1 }"#)
        #expect(try edited("{\"a\": 1 // one\n}", #"{"a":1,"b":2}"#) == "{\"a\": 1, // one\n \"b\": 2\n}")
    }

    @Test func emptyFiles() throws {
        #expect(try edited("", #"{"a":[1]}"#) == "{\n    \"a\": [\n        1\n    ]\n}\n")
        #expect(try edited("// mine\n", #"{"a":1}"#) == "// mine\n{\n    \"a\": 1\n}\n")
        #expect(try edited("{}", #"{"a":1}"#) == "{\n    \"a\": 1\n}")
        #expect(try edited("{\n  // nothing yet\n}\n", #"{"a":1}"#) == "{\n  // nothing yet\n    \"a\": 1\n}\n")
    }

    @Test func windowsLinesAndByteOrderMarkStay() throws {
        let text = "\u{FEFF}{\r\n    \"a\": 1,\r\n    \"b\": 2\r\n}\r\n"
        #expect(try edited(text, #"{"a":1,"c":3}"#) == "\u{FEFF}{\r\n    \"a\": 1,\r\n    \"c\": 3\r\n}\r\n")
    }

    @Test func duplicatesAreRemovedTogether() throws {
        #expect(try edited("{\n  \"a\": 1,\n  \"a\": 2\n}", "{}") == "{\n}")
        #expect(try edited("{\n  \"a\": 1,\n  \"a\": 2\n}", #"{"a":3}"#) == "{\n  \"a\": 1,\n  \"a\": 3\n}")
    }

    @Test func anotherOrderIsRewritten() throws {
        #expect(try edited("{\"a\": 1, \"b\": 2}", #"{"b":2,"a":1}"#) == #"{ "b": 2, "a": 1 }"#)
    }

    /// The result reads as the requested value, and all comments are kept.
    @Test(arguments: 1...300)
    func randomEdits(_ seed: UInt64) throws {
        var random = SplitMix(seed)
        let old = RandomJSON.object(&random, depth: 0)
        let text = RandomJSON.text(old, &random, indent: "")
        let document = try JSONC(Array(text.utf8), in: "a")
        #expect(document.root?.json == old, "\(text)")
        var new = old
        for _ in 0..<Int(random.next(5)) { new = RandomJSON.changed(new, &random) }
        let result = String(decoding: try document.edited(to: new), as: UTF8.self)
        #expect(try JSONC(Array(result.utf8), in: "a").root?.json == new, "seed \(seed):\n\(text)\n\(result)")
        if old == new { #expect(result == text) }
    }
}

/// A small generator that gives the same numbers for the same seed everywhere.
struct SplitMix {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next(_ bound: UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % bound
    }
}

/// Random values, and texts of them with comments in all places.
enum RandomJSON {
    static func value(_ random: inout SplitMix, depth: Int) -> JSON {
        switch random.next(depth > 3 ? 5 : 8) {
        case 0: return .null
        case 1: return .bool(true)
        case 2: return .number(Int(random.next(100)))
        case 3: return .string(["", "//", "/* */", "a\"b", "\\", "é\n"][Int(random.next(6))])
        case 4: return .number(Number("1.50") ?? Number(1))
        case 5, 6: return object(&random, depth: depth + 1)
        default: return .array((0..<Int(random.next(4))).map { _ in value(&random, depth: depth + 1) })
        }
    }

    static func object(_ random: inout SplitMix, depth: Int) -> JSON {
        var members: [JSON.Member] = []
        for name in ["a", "b.c", "d\"", "//", "e"] where random.next(2) == 0 {
            members.append(JSON.Member(ExactText(name), value(&random, depth: depth)))
        }
        return .object(members)
    }

    static func changed(_ old: JSON, _ random: inout SplitMix) -> JSON {
        switch old {
        case .object(var members) where random.next(4) > 0:
            if members.isEmpty || random.next(3) == 0 {
                let name = ExactText("n\(random.next(1000))")
                let place = Int(random.next(UInt64(members.count + 1)))
                if !members.contains(where: { $0.name == name }) {
                    members.insert(JSON.Member(name, value(&random, depth: 2)), at: place)
                }
            } else {
                let index = Int(random.next(UInt64(members.count)))
                if random.next(2) == 0 {
                    members.remove(at: index)
                } else {
                    members[index].value = changed(members[index].value, &random)
                }
            }
            return .object(members)
        case .array(var elements) where random.next(4) > 0:
            if elements.isEmpty || random.next(3) == 0 {
                elements.insert(value(&random, depth: 2), at: Int(random.next(UInt64(elements.count + 1))))
            } else {
                let index = Int(random.next(UInt64(elements.count)))
                if random.next(2) == 0 {
                    elements.remove(at: index)
                } else {
                    elements[index] = changed(elements[index], &random)
                }
            }
            return .array(elements)
        default: return value(&random, depth: 2)
        }
    }

    static func text(_ value: JSON, _ random: inout SplitMix, indent: String) -> String {
        func list(_ brackets: (String, String), _ texts: [String]) -> String {
            var out = brackets.0 + gap(&random, indent + "  ")
            for (index, text) in texts.enumerated() {
                out += text + gap(&random, "")
                if index < texts.count - 1 || random.next(3) == 0 { out += "," + gap(&random, indent + "  ") }
            }
            return out + gap(&random, indent) + brackets.1
        }
        switch value {
        case .object(let members):
            let texts = members.map { member in
                JSON.string(member.name).compact + ":" + gap(&random, "") + text(member.value, &random, indent: indent + "  ")
            }
            return list(("{", "}"), texts)
        case .array(let elements):
            return list(("[", "]"), elements.map { text($0, &random, indent: indent + "  ") })
        default: return value.compact
        }
    }

    private static func gap(_ random: inout SplitMix, _ indent: String) -> String {
        switch random.next(9) {
        case 0: ""
        case 1: " "
        case 2: " /* c, } */ "
        case 3: " // c \" {\n" + indent
        case 4: "\n\n" + indent
        case 5: "/* \n // */ // d\n"
        default: "\n" + indent
        }
    }
}
