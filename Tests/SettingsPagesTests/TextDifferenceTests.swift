import Seeds
import SettingsModel
import SettingsText
import Testing

@testable import SettingsPages

/// What differs in a text that no sentence can hold.
struct TextDifferenceTests {
    private func runs(_ before: String, _ after: String) -> String {
        TextDifference(from: before, to: after, .unicode).runs.map { run in
            switch run.kind {
            case .same: run.text
            case .removed: "[-\(run.text)-]"
            case .added: "{+\(run.text)+}"
            }
        }.joined()
    }

    @Test func wordsThatDifferAreTold() {
        #expect(runs("open from 9 to 17", "open from 10 to 17") == "open from [-9-]{+10+} to 17")
        #expect(runs("a red old door", "a blue new door") == "a [-red old-]{+blue new+} door")
        #expect(runs("one\ntwo\nthree", "one\nthree") == "one\n[-two\n-]three")
        #expect(runs("https://a.example/x?y=1", "https://a.example/x?y=2") == "https://a.example/x?y=[-1-]{+2+}")
        #expect(runs("日本語の設定", "日本語の画面設定") == "日本語の{+画面+}設定")
        #expect(runs("", "new") == "{+new+}")
        #expect(runs("e\u{301}", "\u{e9}") == "[-e\u{301}-]{+\u{e9}+}")
    }

    @Test func whatIsFarFromAChangeIsLeftOut() {
        let far = Array(repeating: "word", count: 40).joined(separator: " ")
        let told = runs("\(far) old \(far) end", "\(far) new \(far) end")
        #expect(told.hasPrefix("… word word ") && told.hasSuffix(" word …") && told.contains(" [-old-]{+new+} "))
        #expect(told.count < 120)
    }

    @Test func whatDiffersFirstIsOneLine() {
        func first(_ before: String, _ after: String) -> String {
            TextDifference(from: before, to: after, .unicode).first(Wording())
        }
        #expect(first("from 9 to 17", "from 10 to 18") == "“9” → “10”, and more")
        #expect(first("a b c", "a c") == "“b” removed" && first("a c", "a b c") == "“b” added")
    }

    @Test func sentencesTellWhatIsShort() throws {
        let scene = Scene(phrases: Phrases(clock: Clock(now: 0)))
        func isTold(_ before: JSON, _ after: JSON, isMasked: Bool = false) throws -> Bool {
            let subject = Subject.option(try Key("a"))
            let line = ChangeLine(subject, title: ExactText("A"), .value, before: before, after: after, isMasked: isMasked)
            return scene.difference(line) == nil
        }
        let long = String(repeating: "long ", count: 20)
        #expect(try isTold(.bool(true), .bool(false)) && isTold("40", "60") && isTold(.array(["a"]), .array(["b"])))
        #expect(
            try !isTold("x", .string(ExactText(long))) && !isTold("one\ntwo", "one")
                && !isTold(.array([.string(ExactText(long))]), "x"))
        #expect(try isTold("x", .string(ExactText(long)), isMasked: true))
    }

    /// Both texts can be read from what is told, as long as nothing is left out; a text of many other words is replaced as a whole.
    @Test(arguments: [UInt64(1), 2, 3]) func bothTextsAreInIt(seed: UInt64) {
        var random = Seeded(seed)
        for _ in 0..<200 {
            let (before, after) = (text(&random), text(&random))
            let runs = TextDifference(from: before, to: after, .unicode).runs
            guard !runs.contains(where: { $0.text.contains("…") }) else { continue }
            let old = runs.filter { $0.kind != .added }.map(\.text).joined()
            let new = runs.filter { $0.kind != .removed }.map(\.text).joined()
            #expect(ExactText(old) == ExactText(before) && ExactText(new) == ExactText(after), "seed \(seed)")
        }
        let (many, others) = ((0..<50_000).map { "a\($0)" }, (0..<50_000).map { "b\($0)" })
        let replaced = TextDifference(from: many.joined(separator: " "), to: others.joined(separator: " "), .unicode)
        #expect(replaced.runs.map(\.kind) == [.removed, .added])
        #expect(replaced.runs.map(\.text) == [many.joined(separator: " "), others.joined(separator: " ")])
    }

    private func text(_ random: inout Seeded) -> String {
        (0..<Int.random(in: 0...8, using: &random)).map { _ in
            ["a", "b", "cd", " ", "\n", "\r\n", ".", "語"][Int.random(in: 0..<8, using: &random)]
        }.joined()
    }
}
