import SettingsModel
import Testing

@testable import SettingsFormats

/// Random edits of random files: the wanted values are written, and everything else is unchanged.
struct InPlaceLawsTests {
    @Test(arguments: 0..<12) func yaml(_ block: UInt64) throws {
        for seed in block * 100..<block * 100 + 100 { try check(YAMLFormat.self, .yaml, seed, "a.yaml") }
    }

    @Test(arguments: 0..<12) func toml(_ block: UInt64) throws {
        for seed in block * 100..<block * 100 + 100 { try check(TOMLFormat.self, .toml, seed, "a.toml") }
    }

    @Test(arguments: 0..<4) func env(_ block: UInt64) throws {
        for seed in block * 100..<block * 100 + 100 { try check(EnvFormat.self, .env, seed, ".env") }
    }

    private func check(_ format: any EditedFormat.Type, _ style: RandomFile.Style, _ seed: UInt64, _ name: String) throws {
        let file = RandomFile(style, seed)
        var random = SplitMix(seed &+ 0x5EED)
        var text = file.text
        let isWindows = random.next(4) == 0
        if isWindows { text = text.replacing("\n", with: "\r\n") }
        // A block scalar at the end of a file without a final newline.
        let isEnded = file.lines.last.map { $0.text.isEmpty || $0.text.hasSuffix("# three") } ?? true
        if random.next(4) == 0, !isEnded { while text.last?.isNewline == true { text.removeLast() } }
        let present = try format.present(Array(text.utf8), in: name)
        #expect(present.root == file.root, "seed \(seed):\n\(text)")

        var editing = RandomEdit(random, isFlat: style == .env)
        let wanted = editing.changed(file.root, at: [])
        let settings = try PlainSettings.settings(of: PlainTree(wanted), in: name, as: format.name).settings
        var request = WriteRequest()
        request.present = Array(text.utf8)
        request.prunes = true
        request.name = name
        let result: String
        do { result = try format.text(settings, request) } catch {
            Issue.record("seed \(seed): \(error)\n\(text)\n\(wanted.compact)")
            return
        }
        let again = try format.present(Array(result.utf8), in: name).root
        #expect(wanted.fitted(to: file.root).aligned(to: again) == again, "seed \(seed):\n\(text)\n\(wanted.compact)\n\(result)")

        // Lines of unchanged values remain in order.
        func isTouched(_ path: [ExactText]) -> Bool {
            editing.touched.contains { path.starts(with: $0) || $0.starts(with: path) }
        }
        var rest = result.split(separator: isWindows ? "\r\n" : "\n", omittingEmptySubsequences: false)[...]
        var group: [ExactText] = []
        for line in file.lines {
            if let path = line.path { group = path }
            guard !line.text.isEmpty, !isTouched(line.path ?? group), line.path != nil || editing.removed.isEmpty else {
                continue
            }
            guard let found = rest.firstIndex(of: line.text[...]) else {
                Issue.record("seed \(seed): '\(line.text)' is gone or moved\n\(text)\n\(wanted.compact)\n\(result)")
                return
            }
            rest = rest[(found + 1)...]
        }
        if editing.touched.isEmpty { #expect(result == text) }
        if !isWindows { #expect(!result.contains("\r")) } else { #expect(!result.replacing("\r\n", with: "").contains("\n")) }
        // A block scalar that is now at the end of the file needs a newline.
        let isBlock = result.contains("# three")
        #expect(isBlock || result.last?.isNewline == text.last?.isNewline, "seed \(seed)")
    }
}

/// Changes some members of an object, and records which.
private struct RandomEdit {
    var touched: [[ExactText]] = []
    var removed: [[ExactText]] = []
    private var random: SplitMix
    private let isFlat: Bool

    init(_ random: SplitMix, isFlat: Bool) {
        self.random = random
        self.isFlat = isFlat
    }

    mutating func changed(_ value: JSON, at path: [ExactText]) -> JSON {
        guard case .object(let members) = value else { return .null }
        var result: [JSON.Member] = []
        for member in members {
            let place = path + [member.name]
            if member.name == "keep" {
                result.append(member)
            } else if case .object(let inner) = member.value, !inner.isEmpty, random.next(8) > 0 {
                result.append(.init(member.name, changed(member.value, at: place)))
            } else {
                switch random.next(8) {
                case 0:
                    touched.append(place)
                    removed.append(place)
                case 1, 2:
                    touched.append(place)
                    result.append(.init(member.name, isFlat ? .string(RandomFile.text(&random)) : self.value()))
                case 3:
                    if case .array(let elements) = member.value {
                        touched.append(place)
                        result.append(
                            .init(member.name, .array(elements.dropFirst(Int(random.next(2))) + [RandomFile.scalar(&random)])))
                    } else {
                        fallthrough
                    }
                default: result.append(member)
                }
            }
        }
        if random.next(4) == 0 {
            let name: ExactText = "new\(random.next(9))"
            touched.append(path + [name])
            let new = isFlat ? .string(RandomFile.text(&random)) : self.value()
            result.insert(.init(name, new), at: result.isEmpty ? 0 : 1 + Int(random.next(UInt64(result.count))))
        }
        return .object(result)
    }

    private mutating func value() -> JSON {
        switch random.next(5) {
        case 0: .array((0..<Int(random.next(3))).map { _ in RandomFile.scalar(&random) })
        case 1: .object([.init("p", RandomFile.scalar(&random)), .init("q", .object([.init("r", RandomFile.scalar(&random))]))])
        case 2: "two\nlines"
        default: RandomFile.scalar(&random)
        }
    }
}
