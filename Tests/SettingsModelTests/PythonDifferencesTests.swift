import Foundation
import Seeds
import SettingsModel
import Testing

/// Our reader accepts what Python's `json.loads` accepts, and rejects what that rejects, except:
///
///     accepted only by Python    NaN, Infinity and -Infinity; duplicate members (the last one counts); half a
///                                surrogate pair, escaped or as bytes; UTF-16 and UTF-32; more than 128 levels
///     accepted only by ours      integers of more than 4,300 digits
///
/// Both accept a byte order mark. Whatever ours accepts reads the same from its canonical form, also in Python.
@Suite struct PythonDifferencesTests {
    /// For each line (a document in hexadecimal): what our reader should do and why, a tab, and the canonical form of what
    /// Python read.
    private static let script = #"""
        import sys, json

        def verdict(data):
            seen = set()
            def constant(word):
                seen.add("NaN or Infinity")
                return word
            def members(pairs):
                if len({name for name, _ in pairs}) < len(pairs): seen.add("twice")
                return dict(pairs)
            def depth(value):
                inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
                return 0 if inner is None else 1 + max(map(depth, inner), default=0)
            def strings(value):
                if isinstance(value, str): yield value
                elif isinstance(value, (list, dict)):
                    for inner in value:
                        yield from strings(inner)
                        if isinstance(value, dict): yield from strings(value[inner])
            try:
                value = json.loads(data, object_pairs_hook=members, parse_constant=constant)
            except RecursionError: return "refuse depth", None
            except UnicodeDecodeError: return "refuse error", None
            except json.JSONDecodeError: return "refuse error", None
            except ValueError: return "read digits", None
            if json.detect_encoding(data) not in ("utf-8", "utf-8-sig"): return "refuse encoding", None
            if depth(value) > 128: return "refuse depth", None
            if seen: return "refuse " + min(seen), None
            try: "".join(strings(value)).encode(); data.decode()
            except UnicodeError: return "refuse surrogate", None
            return "read", value

        sys.setrecursionlimit(5000)
        for line in sys.stdin:
            first, _, second = line.strip().partition(" ")
            answer, value = verdict(bytes.fromhex(first))
            if second and answer == "read":
                again = [json.loads(bytes.fromhex(text)) for text in second.split()]
                if any(json.dumps(one) != json.dumps(value) for one in again): answer = "differs"
            print(answer)
        """#

    @Test(.enabled(if: PythonTests.hasPython, "python3 is not installed"))
    func everyDifferenceIsADocumentedOne() throws {
        var documents: [[UInt8]] = []
        for seed in 1...UInt64(max(6_000, cases(6_000))) {
            var random = Seeded(seed)
            documents.append(Self.document(&random))
        }
        let ours = documents.map { try? JSON(parsing: $0) }
        var input = ""
        for (document, json) in zip(documents, ours) {
            // Our canonical forms, which Python compares with what it read itself.
            let forms = json.map { [$0.pretty, $0.compact].map { " " + Self.hexadecimal(Array($0.utf8)) }.joined() } ?? ""
            input += Self.hexadecimal(document) + forms + "\n"
        }
        let answers = try PythonTests.run(Self.script, input).split(separator: "\n").map(String.init)
        try #require(answers.count == documents.count)
        var kinds: [String: Int] = [:]
        var failures = 0
        for (index, answer) in answers.enumerated() {
            kinds[answer, default: 0] += 1
            if let json = ours[index] {
                let again = try? JSON(parsing: Array(json.pretty.utf8), limit: .max)
                if again != json || again?.pretty != json.pretty { failures += 1 }
            }
            guard answer.hasPrefix("read") != (ours[index] != nil) || answer == "differs" else { continue }
            failures += 1
            if failures > 3 { continue }
            Issue.record("seed \(index + 1): Python: \(answer): \(Self.hexadecimal(Array(documents[index].prefix(400))))")
        }
        #expect(failures == 0)
        let names = [
            "read", "read digits", "refuse depth", "refuse encoding", "refuse error", "refuse NaN or Infinity",
            "refuse surrogate",
            "refuse twice",
        ]
        #expect(kinds.keys.sorted() == names.sorted(), "each occurs")
        let counts = kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print("Python's reader and ours: \(counts.joined(separator: ", "))")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Settings, random values and small documents, modified and in a random encoding.
    private static func document(_ random: inout Seeded) -> [UInt8] {
        var bytes: [UInt8] =
            switch random.int(4) {
            case 0: random.option().file
            case 1: Array(random.json(depth: 4).pretty.utf8)
            case 2: Array(random.json(depth: 3).compact.utf8)
            default: Array(random.pick(texts).utf8)
            }
        for _ in 0..<random.int(4) {
            let place = random.int(bytes.count + 1)
            switch random.int(6) {
            case 0, 1: bytes.insert(contentsOf: random.pick(pieces), at: place)
            case 2: if place < bytes.count { bytes.remove(at: place) }
            case 3: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.int(8)) }
            case 4: bytes.removeSubrange(place..<min(bytes.count, place + random.int(6)))
            default:
                let end = min(bytes.count, place + random.int(12))
                bytes.insert(contentsOf: bytes[place..<end], at: random.int(bytes.count + 1))
            }
        }
        switch random.int(30) {
        case 0: bytes = [0xEF, 0xBB, 0xBF] + bytes
        case 1:
            let isBig = random.chance(50)
            bytes = String(decoding: bytes, as: UTF8.self).utf16.flatMap { unit in
                isBig ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            }
        case 2:
            let depth = random.pick([1, 100, 126, 127, 128, 129, 130, 900, 1600])
            let isObject = random.chance(50)
            for _ in 0..<depth { bytes = isObject ? Array("{\"a\":".utf8) + bytes + [125] : [91] + bytes + [93] }
        case 3: bytes = Array(String(repeating: "7", count: random.pick([19, 20, 40, 4299, 4300, 4301, 9000])).utf8)
        default: break
        }
        return bytes
    }

    private static let texts = [
        "[1, 1.0, 1e0, -0, 0.10, 1E400, -1e-400]", "\"\\ud83d\\ude00 \\u00e9 \\/ \\b\"", "{\"a\": {\"b\": [true, false, null]}}",
        "{\"\": 0, \" \": 1, \"é\": 2, \"e\u{301}\": 3}", "0", "\"\"", "[[], {}, [{}]]", " [ 1 , 2 ] ",
        "\"\u{2028}\u{7F}\u{10FFFF}\"",
        "[NaN, -Infinity]", "123456789012345678901234567890", "[0.1234567890123456789012345678901234567890]",
    ]

    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "\\u00E9", "\\x", "\\0", "0", "-", "+", ".",
            "e", "E+5",
            "00", "01", ".5", "5.", "0x1", "NaN", "Infinity", "-Infinity", "nan", "null", "true", "True", "tru", " ", "\t",
            "\r\n",
            "\u{B}", "\u{C}", "\u{A0}", "\u{85}", "\u{FEFF}", "//", "/**/", "#", "'", "é", "٣", "\u{0}", "\u{1F}", "\u{7F}",
            "\"a\":1",
            "\"a\":1,\"a\":2", ",", "[NaN]", "\"\\ud800\"", "1_000", "1,", "\u{2028}",
        ].map { Array($0.utf8) } + [[0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]]
}
