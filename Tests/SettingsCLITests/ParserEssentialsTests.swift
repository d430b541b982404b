import Foundation
import ParserEssentials
import Seeds
import Testing

/// What stands for Foundation in a release: the parser's descriptions come out the same.
@Suite struct ParserEssentialsTests {
    /// A value of any shape that a description of commands can have.
    private indirect enum Tree: Encodable {
        case nothing
        case text(String)
        case flag(Bool)
        case number(Int)
        case narrow(UInt8)
        case optional(String?)
        case array([Tree])
        case object([String: Tree])
        case members(Members)
        case nested(Tree)

        struct Members: Encodable {
            var name: String
            var note: String?
            var all: [Tree]
            var inner: [String: [Int]]
        }

        init(_ random: inout Seeded, depth: Int = 0) {
            let controls = "\u{1}\u{8}\u{C}\n\r\t\u{1F}\u{7F}\u{2028}"
            let words = ["", "a", "b10", "b9", "Ä", "e\u{301}", "/", "\"\\", controls, "🇫🇷"]
            func trees(_ random: inout Seeded) -> [Tree] { (0..<random.int(4)).map { _ in Tree(&random, depth: depth + 1) } }
            switch random.int(depth > 3 ? 6 : 10) {
            case 0: self = .nothing
            case 1: self = .text(random.pick(words) + random.pick(words))
            case 2: self = .flag(random.chance(50))
            case 3: self = .number(random.int(-1000...1000))
            case 4: self = .narrow(UInt8(random.int(256)))
            case 5: self = .optional(random.chance(50) ? random.pick(words) : nil)
            case 6: self = .array(trees(&random))
            case 7: self = .object(Dictionary(trees(&random).map { (random.pick(words), $0) }) { $1 })
            case 8:
                let note = random.chance(50) ? random.pick(words) : nil
                self = .members(.init(name: random.pick(words), note: note, all: trees(&random), inner: ["z": [], "A": [1, 2]]))
            default: self = .nested(Tree(&random, depth: depth + 1))
            }
        }

        enum Name: String, CodingKey { case first, second, third }

        func encode(to encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            switch self {
            case .nothing: try single.encodeNil()
            case .text(let text): try single.encode(text)
            case .flag(let flag): try single.encode(flag)
            case .number(let number): try single.encode(number)
            case .narrow(let number): try single.encode(number)
            case .optional(let text): try single.encode(text)
            case .array(let trees): try single.encode(trees)
            case .object(let trees): try single.encode(trees)
            case .members(let members): try members.encode(to: encoder)
            case .nested(let tree):
                var members = encoder.container(keyedBy: Name.self)
                var elements = members.nestedUnkeyedContainer(forKey: .first)
                try elements.encodeNil()
                try tree.encode(to: elements.superEncoder())
                var inner = elements.nestedContainer(keyedBy: Name.self)
                try inner.encodeNil(forKey: .third)
                var innermost = elements.nestedUnkeyedContainer()
                try innermost.encode(elements.count)
                var second = members.nestedContainer(keyedBy: Name.self, forKey: .second)
                try second.encode(tree, forKey: .third)
                try tree.encode(to: second.superEncoder(forKey: .first))
                try tree.encode(to: members.superEncoder())
            }
        }
    }

    @Test func jsonIsTheSameAsFoundations() throws {
        let ours = ParserEssentials.JSONEncoder()
        ours.outputFormatting = .prettyPrinted
        ours.outputFormatting.insert(.sortedKeys)
        let theirs = Foundation.JSONEncoder()
        theirs.outputFormatting = [.prettyPrinted, .sortedKeys]
        var random = Seeded(17)
        for _ in 0..<2_000 {
            // At the top stands an object, as for a command.
            let tree = ["tree": Tree(&random)]
            let text = try String(decoding: theirs.encode(tree), as: UTF8.self)
            #expect(try String(data: ours.encode(tree), encoding: .utf8) == text)
        }
    }

    @Test func whatItHasNoJSONForIsRefused() {
        let encoder = ParserEssentials.JSONEncoder()
        #expect(throws: EncodingError.self) { try encoder.encode(["a": 1]) }
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        #expect(throws: EncodingError.self) { try encoder.encode(["a": 1.5]) }
    }
}
