import Foundation
import Seeds
import Surroundings
import Testing

@testable import SettingsCLI

/// Requests that are read without the parser equal those from the parser, or are left to it.
@Suite struct RequestTests {
    /// The request of the words as they were typed, by way of the parser; nil if that reports an error or help.
    private func parsed(_ typed: [String]) -> (any PlainCommand)? {
        let words = Words.protected(typed)
        guard let command = words.first.flatMap(SettingsCommand.named),
            (try? OptionWords.check(Words.optionsAfterCommand(typed))) != nil
        else { return nil }
        return ((try? command.parse(Array(words.dropFirst()))) as? any RequestCommand)?.request
    }

    private func described(_ request: (any PlainCommand)?) -> String { request.map { "\($0)" } ?? "nothing" }

    /// Whether the words are read without the parser, which must understand them in the same way.
    private func isRead(_ typed: [String]) -> Bool {
        guard let request = plainRequest(Words.protected(typed)) else { return false }
        #expect(described(request) == described(parsed(typed)), "\(typed)")
        return true
    }

    private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    static let usual = [
        "get general.language", "get general.language sound.volume", "get general.language --label", "get a.b --index",
        "get a.b --json --quiet", "get --store /srv/office a.b", "--store /srv/office get a.b", "get a.b --store=office",
        "get a.b --at yesterday", "get --at=HEAD a.b --no-default", "get a.b --user", "get -q a.b --color never --no-pager",
        "is display.dark", "is general.language French", "is general.language French --json", "is sound.volume -5",
        "list", "ls", "list general", "list general --json", "list --at HEAD --reveal", "list --store office --no-pager",
        "list --changed", "ls general --search clock --long", "list --search=format --changed --json",
        "show general.language", "show 3f2a91c --json", "show HEAD~2 --reveal -q",
        "set general.language French", "set general.language French -m Paris", "set sound.volume -5 --message=Loud",
        "set display.theme=dark sound.volume+=10 -m Evening --ticket FEAT-12", "set a.b c --requested-by Marie -m x --json -q",
        "-q --store=office set a.b c d.e f -m x",
        "history", "log general.language -n 5", "history a.b c --since yesterday --until=2026-11-20 --author ada --json",
        "history v1..v2 --oneline", "history --from yesterday --to 18:00 --requested-by marie --all a.b",
        "history -5 a.b", "log --ticket FEAT-12 --jsonl --reveal", "history --max-count=3 --search Paris --became French -q",
        "history --signatures -n 3",
        "history a.b --store office --no-pager",
    ]

    @Test(arguments: usual)
    func usualFormsAreReadWithoutTheParser(_ line: String) { #expect(isRead(words(line)), "left to the parser: \(line)") }

    static let unusual = [
        "get", "get --label --index a.b", "get a.b --lab", "get a.b --json --json", "get a.b --store", "get a.b --store=",
        "get a.b --user --store office", "get a.b --color red", "get -qq a.b", "get a.b --help", "get -h", "get help",
        "get -- a.b",
        "get a.b --at", "get a.b --json=true", "get a.b --reveal", "get a.b -m x", "is", "is a b c", "list a b", "list -",
        "list --long --json", "list --search a --search b",
        "show", "show a b", "show a --at HEAD", "set", "set a b -mWhy", "set a b -m=why", "set a b -m x -m y",
        "set a b -m --json",
        "set a --next", "set a b --if a=b", "set a b --edit", "set a b --dry-run", "set a -", "--json get a.b",
        "history --oneline -5", "history -n5", "history -n x", "history -n -5", "history -n 1 --max-count 2", "history -n 1 -n 2",
        "history --json --jsonl",
        "history --since -5", "history a.b --at HEAD", "history --ticket", "history -n 99999999999999999999", "history -n +3",
        "---completion get -- positional@0 2 0 settings get a", "get --generate-completion-script bash", "--version", "",
    ]

    /// Not all of them are invalid: the parser understands more.
    @Test(arguments: unusual)
    func unusualFormsAreLeftToTheParser(_ line: String) { _ = isRead(words(line)) }

    @Test(arguments: [
        [], ["get", ""], ["get", "a", "--at", ""], ["set", "a", ""], ["set", "a", "b", "-m", ""], ["get", "a", " "],
    ])
    func emptyWordsAreRead(_ words: [String]) { _ = isRead(words) }

    /// The reason is no key, even if there is a text of that name: what follows it is an option.
    @Test func whatFollowsAReasonIsNoValue() throws {
        let folder = try Surroundings.folder()
        defer { Surroundings.remove(folder) }
        try Surroundings.write(Array("{}".utf8), to: folder + "/_store.json")
        try Surroundings.write(Array(#"{"title": "Why", "type": "text", "value": ""}"#.utf8), to: folder + "/why.json")
        func read(_ words: String...) -> [String] { Words.protected(["set"] + words + ["--store", folder]) }
        #expect(read("n", "5", "-m", "why", "--quiet").contains("--quiet"))
        #expect(read("n", "5", "--message", "why", "-q").contains("-q"))
        // After the key itself it is its value, unless it is an option of the command.
        #expect(!read("why", "--quietly").contains("--quietly"))
        #expect(read("why", "--quiet").contains("--quiet"))
    }

    // MARK: A law over every command and option, made from the parser's description of them

    private static let values = ["x", "3", "10m", "HEAD~1", "a=b", "two words"]
    private static let oddValues = ["-5", "-x", "--json", "=", "", "1\n2", "é"]
    private static let positionals = [
        "a.b", "general.language", "French", "a=b", "x+=5", "v1..v2", "-5", "-.5", "é", "help", " ",
    ]
    /// What is no whole option of any command.
    private static let others = ["--", "-", "--5", "-qq", "-qm", "-q=", "--none", "--help", "-h", "\u{F8FF}-5", "-7", ""]

    /// The ways to write an option: with each of its names and a value if it takes one, and in every other way: shortened,
    /// joined, negated, without its value or with one that it doesn't take.
    private struct Forms {
        var usual: [[String]] = []
        var odd: [[String]] = []

        init(_ option: CommandShape.Argument, _ random: inout Seeded) {
            var values = RequestTests.values
            if case .list(let words)? = option.source { values = words }
            for name in option.names {
                let isLong = name.hasPrefix("--")
                let value = random.pick(values)
                usual.append(option.takesValue ? [name, value] : [name])
                if isLong, option.takesValue { usual.append(["\(name)=\(value)"]) }
                let other = random.pick(RequestTests.oddValues)
                odd += [[name], [name, other], ["\(name)=\(other)"], [name + value]]
                if isLong { odd += [[String(name.dropLast())], ["--no-" + name.dropFirst(2)]] }
            }
        }
    }

    private let cases = ProcessInfo.processInfo.environment["SETTINGS_FULL"] == nil ? 200 : 4_000

    @Test(arguments: SettingsCommand.names)
    func everyOptionIsReadTheSame(_ name: String) throws {
        let command = try #require(SettingsCommand.named(name))
        var random = Seeded(UInt64(name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }))
        let options = CommandShape(of: command, includesHidden: true).options
        var read = 0
        /// Takes a line of these parts with some arguments between them, and perhaps shared options before the command.
        func check(_ parts: [[String]]) {
            var line = parts
            for _ in 0..<random.pick([0, 1, 1, 1, 2, 2, 3]) {
                line.insert([random.pick(Self.positionals)], at: random.int(line.count + 1))
            }
            let shared = random.chance(10) ? random.pick([["--store", "s"], ["-q"], ["--store=s", "--no-pager"]]) : []
            if isRead(shared + [name] + line.joined()) { read += 1 }
        }
        for option in options + options + options {
            let forms = Forms(option, &random)
            for form in forms.usual + forms.odd { check([form]) }
        }
        for _ in 0..<(options.isEmpty ? 0 : cases) {
            check(
                (0..<random.int(0...4)).map { _ in
                    let forms = Forms(random.pick(options), &random)
                    return random.chance(85) ? random.pick(forms.usual) : random.pick(forms.odd + [[random.pick(Self.others)]])
                })
        }
        #expect((read > 20) == (command is any RequestCommand.Type), "\(read) lines were read without the parser")
    }
}
