import Seeds
import Surroundings
import Testing

@testable import SettingsCLI

/// Requests that are read without the parser equal those from the parser, or are left to it.
@Suite struct RequestTests {
    /// The parser's request; nil if it reports an error or help.
    private func parsed(_ words: [String]) -> (any PlainCommand)? {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "get": return (try? GetCommand.parse(rest))?.request
        case "is": return (try? IsCommand.parse(rest))?.request
        case "list", "ls": return (try? ListCommand.parse(rest))?.request
        case "show": return (try? ShowCommand.parse(rest))?.request
        case "set": return (try? SetCommand.parse(rest))?.request
        case "history", "log": return (try? HistoryCommand.parse(rest))?.request
        default: return nil
        }
    }

    private func described(_ request: (any PlainCommand)?) -> String { request.map { "\($0)" } ?? "nothing" }

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
    func usualFormsAreReadWithoutTheParser(_ line: String) throws {
        let words = Words.protected(line.split(separator: " ").map(String.init))
        let request = try #require(plainRequest(words), "left to the parser: \(line)")
        #expect(described(request) == described(parsed(words)))
    }

    static let unusual = [
        "get", "get --label --index a.b", "get a.b --lab", "get a.b --json --json", "get a.b --store", "get a.b --store=",
        "get a.b --user --store office", "get a.b --color red", "get -qq a.b", "get a.b --help", "get -h", "get help",
        "get -- a.b",
        "get a.b --at", "get a.b --json=true", "get a.b --reveal", "get a.b -m x", "is", "is a b c", "list a b", "list -",
        "list --long --json", "list --search a --search b",
        "show", "show a b", "show a --at HEAD", "set", "set a b -mWhy", "set a b -m=why", "set a b -m x -m y",
        "set a b -m --json",
        "set a --next", "set a b --if a=b", "set a b --edit", "set a b --dry-run", "set a -", "--json get a.b",
        "history -n5", "history -n x", "history -n -5", "history -n 1 --max-count 2", "history -n 1 -n 2",
        "history --json --jsonl",
        "history --since -5", "history a.b --at HEAD", "history --ticket", "history -n 99999999999999999999", "history -n +3",
        "---completion get -- positional@0 2 0 settings get a", "get --generate-completion-script bash", "--version", "",
    ]

    /// Not all of them are invalid: the parser understands more.
    @Test(arguments: unusual)
    func unusualFormsAreLeftToTheParser(_ line: String) {
        let words = Words.protected(line.split(separator: " ").map(String.init))
        if let request = plainRequest(words) { #expect(described(request) == described(parsed(words)), "\(line)") }
    }

    @Test(arguments: [
        [], ["get", ""], ["get", "a", "--at", ""], ["set", "a", ""], ["set", "a", "b", "-m", ""], ["get", "a", " "],
    ])
    func emptyWordsAreRead(_ words: [String]) {
        if let request = plainRequest(words) { #expect(described(request) == described(parsed(words)), "\(words)") }
    }

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

    static let pieces = [
        "--label", "--index", "--json", "--no-default", "--reveal", "--user", "--quiet", "-q", "--no-pager", "--next", "--edit",
        "--dry-run", "--store", "--color", "--at", "-m", "--message", "--ticket", "--requested-by", "--author", "--if",
        "--store=s", "--color=always", "--color=red", "--at=HEAD", "--message=w", "-mw", "--changed", "--long", "-n", "-e", "--",
        "-", "--stor",
        "--no-json",
        "a.b", "general.language", "French", "a=b", "x+=5", "-5", "-.5", "--5", "always", "auto", "help", "--help", "-h",
        "two words",
        "é", " ", "", "=", "-q=", "--json=", "--jsonl", "-n", "3", "--max-count=4", "-7", "--since", "--search=x", "--became",
        "--until=", "--ticket=", "--ticket=FEAT 1\n2", "\u{F8FF}-5", "-qm",
    ]

    @Test(arguments: 1...80)
    func randomWordsAreReadTheSame(_ seed: UInt64) {
        var random = Seeded(seed)
        for _ in 0..<20 {
            var typed = [random.pick(["get", "is", "list", "ls", "show", "set", "history", "log"])]
            for _ in 0..<random.int(0...6) { typed.append(random.pick(Self.pieces)) }
            if random.chance(10) { typed.insert(contentsOf: ["--store", "s"], at: 0) }
            let words = Words.protected(typed)
            guard let request = plainRequest(words) else { continue }
            #expect(described(request) == described(parsed(words)), "seed \(seed): \(typed)")
        }
    }
}
