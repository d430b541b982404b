import Foundation
import SettingsModel
import Seeds
import Surroundings
import Testing

/// Python's reader and ours find the same content in a document, or both report an error.
@Suite struct PythonTests {
    /// Reads one document per line (in hexadecimal) and prints its content, `error`, or why the two readers may differ.
    private static let script = #"""
        import sys, json, re

        class Twice(Exception): pass
        class NoNumber(Exception): pass

        def members(pairs):
            if len({name for name, _ in pairs}) < len(pairs): raise Twice()
            return {"object": [[name, value] for name, value in pairs]}

        def constant(word): raise NoNumber()

        def surrogates(value):
            if isinstance(value, str): return any(0xD800 <= ord(c) < 0xE000 for c in value)
            if isinstance(value, list): return any(surrogates(v) for v in value)
            if isinstance(value, dict): return any(surrogates(v) for v in value.values())
            return False

        for line in sys.stdin:
            try:
                text = bytes.fromhex(line.strip()).decode("utf-8-sig")
                value = json.loads(text, object_pairs_hook=members, parse_constant=constant,
                    parse_int=lambda t: {"number": t}, parse_float=lambda t: {"number": t})
                print("lone surrogate" if surrogates(value) else json.dumps(value))
            except Twice: print("twice")
            except NoNumber: print("NaN or Infinity")
            except RecursionError: print("depth")
            except ValueError: print("error")
        """#

    static let hasPython = (try? run("print('x')", "")) == "x\n"

    @Test(.enabled(if: PythonTests.hasPython, "python3 is not installed"))
    func documentsReadTheSameAsInPython() throws {
        var documents: [[UInt8]] = []
        for seed in 1...UInt64(cases(4_000)) {
            var random = Seeded(seed)
            documents.append(document(&random))
        }
        let lines = documents.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        let answers = try PythonTests.run(PythonTests.script, lines.joined(separator: "\n") + "\n").split(separator: "\n").map(
            String.init)
        try #require(answers.count == documents.count)
        var kinds: [String: Int] = [:]
        var failures = 0
        for (index, answer) in answers.enumerated() {
            let json = try? JSON(parsing: documents[index])
            let isSame: Bool
            switch answer {
            case "error", "twice", "NaN or Infinity", "lone surrogate": isSame = json == nil
            case "depth": isSame = true
            default: isSame = try json.map { tagged($0) } == JSON(parsing: Array(answer.utf8), limit: 1 << 24)
            }
            kinds[
                ["error", "twice", "NaN or Infinity", "lone surrogate", "depth"].contains(answer) ? answer : "read", default: 0] +=
                1
            guard !isSame, failures < 3 else { continue }
            failures += 1
            Issue.record(
                "seed \(index + 1): \(String(decoding: documents[index], as: UTF8.self).debugDescription): Python \(answer)")
        }
        print("Python's reader: \(kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))")
    }

    /// The notation of the script: objects and numbers are tagged, so that nothing is lost.
    private func tagged(_ json: JSON) -> JSON {
        switch json {
        case .number(let number): .object([JSON.Member("number", .string(number.text))])
        case .array(let elements): .array(elements.map(tagged))
        case .object(let members):
            .object([JSON.Member("object", .array(members.map { .array([.string($0.name), tagged($0.value)]) }))])
        default: json
        }
    }

    /// A small document with a few bytes inserted, removed, repeated or swapped.
    private func document(_ random: inout Seeded) -> [UInt8] {
        var bytes = Array((random.chance(50) ? random.option().json : random.json(depth: 3)).compact.utf8)
        let pieces =
            [
                "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "\\u00e9", "0", "1", "-", "+", ".", "e",
                "E5", "00",
                "NaN", "Infinity", "-Infinity", "null", "true", "tru", " ", "\t", "\r\n", "\u{B}", "\u{A0}", "\u{FEFF}", "//",
                "'", "é", "\u{0}",
                "\"a\":1", ",\"a\":1",
            ].map { Array($0.utf8) } + [[0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80]]
        for _ in 0..<random.int(5) {
            let place = random.int(bytes.count + 1)
            switch random.int(4) {
            case 0, 1: bytes.insert(contentsOf: random.pick(pieces), at: place)
            case 2: if place < bytes.count { bytes.remove(at: place) }
            default:
                let end = min(bytes.count, place + random.int(12))
                bytes.insert(contentsOf: bytes[place..<end], at: random.int(bytes.count + 1))
            }
        }
        return bytes
    }

    static func run(_ script: String, _ input: String) throws -> String {
        try Surroundings.run(
            ["python3", "-c", script], in: "/", ProcessInfo.processInfo.environment, input: Array(input.utf8)
        ).output
    }
}
