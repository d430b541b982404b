import Foundation
import Seeds
import Surroundings
import Testing

/// Whose reason and ticket a value has once versions were squashed, fixed up or amended: those that it had before, or none.
struct SquashedPartsTests {
    private static let squashes = RewrittenVersionsTests.squashes

    /// A choice `l` and the numbers `v` and `w`, and what was recorded since, each with its ticket.
    private static func store(_ commands: [(command: String, ticket: String)]) throws -> Home {
        let home = try Home()
        _ = try home.run(
            "settings init -q .; settings add l --title L --choice A B C -q; settings add v --title V --number 1 -q;"
                + " settings add w --title W --number 1 -q; git branch begin")
        for (command, ticket) in commands {
            let words = command.hasPrefix("undo") ? "" : " --ticket \(ticket) -m 'reason of \(ticket)'"
            #expect(try home.run("settings \(command) -q\(words)") == [], "\(command)")
        }
        return home
    }

    private func told(_ home: Home, _ key: String) throws -> String {
        try home.run("settings blame \(key) | grep -oE '“.*' || echo nothing").joined()
    }

    private func reverted(_ home: Home, _ ticket: String) throws -> [String] {
        try home.run("settings revert --ticket \(ticket) -n 2>&1 | sed 's/^ *//;/^hint:/d'")
    }

    private func nothing(_ ticket: String) -> [String] {
        ["settings: no version with the ticket \(ticket) is left to revert"]
    }

    /// A rename, a label or a title after a value was chosen is no choice of that value.
    @Test(arguments: squashes) func eachFacetHasItsOwn(_ name: String, _ command: String) throws {
        let home = try Self.store([
            ("set v 2", "T-1"), ("rename v x", "T-2"), ("set l B", "T-3"), ("label rename l B Z", "T-4"),
            ("define l --title M", "T-5"),
        ])
        _ = try home.run(command)
        #expect(try told(home, "x") == "“reason of T-1”  T-1")
        #expect(try told(home, "l") == "“reason of T-3”  T-3")
        let who = try home.run("settings diff --from begin --who | grep -oE '  T-[0-9]|: renamed|title|: A|: label renamed|: 1'")
        #expect(who == [": renamed", "  T-2", "title", "  T-5", ": A", "  T-3", ": label renamed", "  T-4", ": 1", "  T-1"])
        #expect(try reverted(home, "T-1") == ["would record:", "V (x): 2 → 1"])
        #expect(try reverted(home, "T-2") == ["would record:", "V (v): renamed x → v"])
        #expect(try reverted(home, "T-3") == ["would record:", "M (l): Z → A"])
        #expect(try reverted(home, "T-4") == ["would record:", "M (l): label renamed: Z → B"])
        _ = try home.run("settings revert --ticket T-1 -q -m x; settings revert --ticket T-4 -q -m x")
        #expect(try home.run("settings get x; settings get l --label") == ["1", "B"])
        #expect(try reverted(home, "T-1") == nothing("T-1"))
        #expect(try reverted(home, "T-3") == ["would record:", "M (l): B → A"])
    }

    /// A part may begin with a sentence about what is as it was in the end.
    @Test(arguments: squashes) func whatIsAsItWasBeginsAPart(_ name: String, _ command: String) throws {
        let home = try Self.store([("set v 2", "T-1"), ("set l B", "T-2"), ("set l=A v=3", "T-3")])
        _ = try home.run(command)
        #expect(try told(home, "v") == "“reason of T-3”  T-3")
        // 3 is the end of what both did, and neither's alone.
        for ticket in ["T-1", "T-2", "T-3"] { #expect(try reverted(home, ticket) == nothing(ticket)) }
    }

    /// What was undone within the squash is as if it hadn't been.
    @Test(arguments: squashes) func whatWasUndoneDoesNotCount(_ name: String, _ command: String) throws {
        let home = try Self.store([
            ("set w 2", "T-4"), ("set v 2", "T-1"), ("undo", ""), ("set v 3", "T-2"), ("set v 4", "T-3"), ("set v 5", "T-5"),
            ("undo 2", ""),
        ])
        _ = try home.run(command)
        #expect(try told(home, "v") == "“reason of T-2”  T-2")
        #expect(try reverted(home, "T-1") == nothing("T-1"))
        #expect(try reverted(home, "T-2") == ["would record:", "V (v): 3 → 1"])
    }

    /// What git drops the message of has no reason, and doesn't get that of another version.
    @Test func whatIsFixedUpHasNone() throws {
        let todo = "GIT_SEQUENCE_EDITOR=\"sed -i '2,\\$s/^pick/fixup/'\" GIT_EDITOR=true git rebase -q -i begin"
        let home = try Self.store([("set v 2", "T-1"), ("set w 2", "T-2"), ("set l B", "T-3")])
        #expect(try home.run("\(todo); git log --oneline begin.. | wc -l | tr -d ' '") == ["1"])
        #expect(try told(home, "v") == "“reason of T-1”  T-1")
        #expect(try [told(home, "w"), told(home, "l")] == ["nothing", "nothing"])
        #expect(try reverted(home, "T-1") == ["would record:", "V (v): 2 → 1"])
        // The same value, by another version.
        let other = try Self.store([("set v 2", "T-1"), ("set v 3", "T-2")])
        #expect(try other.run("\(todo); settings get v") == ["3"])
        #expect(try told(other, "v") == "nothing")
        #expect(try reverted(other, "T-1") == ["settings: no version with the ticket T-1 is left to revert"])
    }

    /// One version, and one by plain git before or behind it, whose words are somebody's own.
    @Test(arguments: [true, false]) func whatPlainGitChangedHasNone(_ isFirst: Bool) throws {
        let byHand = "sed -i 's/\"value\": 1/\"value\": 7/' w.json; git commit -q -a -m Tidy"
        let home = try Self.store([])
        let set = "settings set v 2 -q -m why --ticket T-1"
        _ = try home.run(isFirst ? "\(byHand); \(set)" : "\(set); \(byHand)")
        for (_, command) in Self.squashes {
            _ = try home.run("git branch -q -f kept; \(command)")
            #expect(try home.run("git rev-list --count begin..; settings get v w") == ["1", "2", "7"])
            #expect(try [told(home, "v"), told(home, "w")] == ["“why”  T-1", "nothing"], "\(command)")
            #expect(try reverted(home, "T-1") == ["would record:", "V (v): 2 → 1"])
            _ = try home.run("git branch -q -D f; git reset -q --hard kept")
        }
    }

    /// By hand, into the last version, which keeps its message.
    @Test func whatIsAmendedHasNone() throws {
        let home = try Self.store([("set v 2", "T-1")])
        _ = try home.run("sed -i 's/\"value\": 1/\"value\": 7/' w.json; git commit -q -a --amend --no-edit")
        #expect(try home.run("settings get v w") == ["2", "7"])
        #expect(try [told(home, "v"), told(home, "w")] == ["“reason of T-1”  T-1", "nothing"])
    }

    /// What was renamed on the branch that a version is put on again has another name in it.
    @Test func aVersionKeepsItsReasonBesideARename() throws {
        let home = try Self.store([("set v 2", "T-1")])
        _ = try home.run("git branch f; git reset -q --hard begin; settings rename v x -q; git cherry-pick f > ~/out 2>&1")
        #expect(try home.run("settings get x") == ["2"])
        #expect(try told(home, "x") == "“reason of T-1”  T-1")
    }

    /// A list of what was squashed, without what it said, is nobody's reason.
    @Test func aListOfSentencesIsNoReason() throws {
        let home = try Self.store([("set v 2", "T-1"), ("set l B", "T-2")])
        _ = try home.run(
            "git log --reverse --format='* %s' begin.. > ~/m; git reset -q --soft begin;"
                + " { echo 'Louder (#12)'; echo; cat ~/m; } | git commit -q -F -")
        #expect(try [told(home, "v"), told(home, "l")] == ["nothing", "nothing"])
        #expect(try home.run("git commit -q --amend -F - < ~/m; settings history -n 1 | grep -c 'l: A → B'") == ["1"])
    }

    // MARK: random ones

    private static let count =
        ProcessInfo.processInfo.environment["SETTINGS_CASES"].flatMap { UInt64($0) } ?? 20

    @Test func aValueHasItsOwnOrNone() throws {
        var (right, unknown, wrong) = (0, 0, [String]())
        for seed in 1...Self.count {
            var random = Seeded(seed)
            let made = try RandomSquash(&random)
            for (key, (why, ticket)) in try made.blamed() {
                let wanted = made.model.chosen[made.model.name(of: key)]
                if why == nil, ticket == nil {
                    if wanted == nil { right += 1 } else { unknown += 1 }
                } else if let wanted, why == "reason of \(wanted)", ticket == wanted {
                    right += 1
                } else {
                    wrong.append("seed \(seed): \(key) \(ticket ?? "none"), not \(wanted ?? "none")\n\(made.log)")
                }
            }
            wrong += try made.wronglyReverted().map { "seed \(seed): \($0)\n\(made.log)" }
        }
        print("\(right) right, \(unknown) unknown, \(wrong.count) wrong")
        #expect(wrong.isEmpty, "\(wrong.prefix(5).joined(separator: "\n"))")
        #expect(unknown * 2 < right)
    }
}

/// What one person did, a command after the other, and one of the ways to make one version of it.
private struct RandomSquash {
    /// Of `l`, `v` and `w`, by these first letters, whatever they are called.
    struct Model {
        var values = ["l": "a", "v": "1", "w": "1"]
        /// The ticket that the value was chosen with since the beginning.
        var chosen: [String: String] = [:]
        var names = ["l": "l", "v": "v", "w": "w"]

        func name(of key: String) -> String { String(key.prefix(1)) }
    }

    private(set) var model = Model()
    private(set) var log = ""
    private let home: Home
    private let begin = Model()

    init(_ random: inout Seeded) throws {
        home = try Home()
        _ = try home.run(
            "settings init -q .; settings add l --title L --choice A B C -q; settings add v --title V --number 1 -q;"
                + " settings add w --title W --number 1 -q; git branch begin")
        var earlier = [model]
        for number in 1...(2 + random.int(6)) {
            let ticket = "T-\(number)"
            let words = " --ticket \(ticket) -m 'reason of \(ticket)'"
            var next = model
            func set(_ letter: String, _ value: String) -> String {
                if next.values[letter] != value { (next.values[letter], next.chosen[letter]) = (value, ticket) }
                return "\(next.names[letter] ?? letter)=\(value)"
            }
            let letter = ["l", "v", "w"][random.int(3)]
            let value = letter == "l" ? ["a", "b", "c"][random.int(3)] : "\(1 + random.int(4))"
            var command = ""
            switch random.int(10) {
            case 0: command = "settings label rename l \(["a", "b", "c"][random.int(3)]) Z\(number)\(words)"
            case 1: command = "settings define \(next.names[letter] ?? letter) --title 'Title \(number)'\(words)"
            case 2 where letter != "l":
                command = "settings rename \(next.names[letter] ?? letter) \(letter)\(number)\(words)"
                next.names[letter] = "\(letter)\(number)"
            case 3, 4:
                command = "settings set \(set("l", ["a", "b", "c"][random.int(3)])) \(set("w", "\(random.int(4))"))\(words)"
            case 5, 6:
                let count = 1 + random.int(2)
                guard earlier.count > count else { continue }
                command = "settings undo \(count)"
                for _ in 0..<count { next = earlier.removeLast() }
            case 7:
                // Somebody without the program.
                let file = "\(next.names["w"] ?? "w").json"
                (next.values["w"], next.chosen["w"]) = ("\(90 + number)", nil)
                command = "sed -i -E 's/\"value\": [0-9]+/\"value\": \(90 + number)/' \(file); git commit -q -a -m Tidy"
            default: command = "settings set \(set(letter, value))\(words)"
            }
            let before = try home.run("git rev-parse HEAD")
            let said = try home.run("\(command) 2>&1")
            log += "\(command): \(said.joined(separator: " "))\n"
            guard try home.run("git rev-parse HEAD") != before else { continue }
            if command.hasPrefix("settings undo") {
                model = next
            } else {
                earlier.append(model)
                model = next
            }
        }
        try squash(&random)
    }

    private mutating func squash(_ random: inout Seeded) throws {
        if random.int(6) == 0 {
            // Into the last version, by hand.
            let file = "\(model.names["w"] ?? "w").json"
            let edit = "sed -i -E 's/\"value\": [0-9]+/\"value\": 77/' \(file); git commit -q -a --amend --no-edit"
            log += "\(edit): \(try home.run("test \"$(git rev-parse HEAD begin | uniq | wc -l)\" = 1 || { \(edit); } 2>&1"))\n"
            if try home.run("settings get \(model.names["w"] ?? "w")") == ["77"] {
                (model.values["w"], model.chosen["w"]) = ("77", nil)
            }
        }
        let squashes = RewrittenVersionsTests.squashes
        var command = squashes[random.int(squashes.count)].command
        if random.int(4) == 0 {
            let lines = (2...9).map { "\($0)s/^pick/\(random.int(2) == 0 ? "squash" : "fixup")/" }.joined(separator: ";")
            command = "GIT_SEQUENCE_EDITOR=\"sed -i '\(lines)'\" GIT_EDITOR=true git rebase -q -i begin"
        }
        log += "\(command): \(try home.run("\(command) 2>&1"))\n"
        // What would be empty halfway makes git stop.
        _ = try home.run("test ! -d .git/rebase-merge || git rebase --abort")
        for (letter, name) in model.names {
            #expect(try home.run("settings get \(name)").joined() == model.values[letter], "\(log)")
        }
    }

    /// The reason and the ticket of each value.
    func blamed() throws -> [String: (why: String?, ticket: String?)] {
        struct Blamed: Decodable {
            struct Entry: Decodable {
                struct Version: Decodable {
                    var why: String?
                    var tickets: [String]
                }
                var key: String
                var version: Version?
            }
            var blame: [Entry]
        }
        let text = try home.run("settings blame --json").joined(separator: "\n")
        let entries = try JSONDecoder().decode(Blamed.self, from: Data(text.utf8)).blame
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, ($0.version?.why, $0.version?.tickets.first)) })
    }

    /// What 'revert --ticket' takes back besides values that were chosen with that ticket.
    func wronglyReverted() throws -> [String] {
        var wrong: [String] = []
        if try home.run("git rev-list --count begin..") != ["1"] { return [] }
        for ticket in (1...8).map({ "T-\($0)" }) {
            let outcome = try home.run("git branch -q -f kept; settings revert --ticket \(ticket) -q -m x 2>&1")
            if outcome.isEmpty {
                let keys = try home.run("settings list --json | grep -oE '\"key\": *\"[^\"]*\"' | cut -d '\"' -f 4")
                for key in keys {
                    let letter = model.name(of: key)
                    let value = try home.run("settings get \(key)").joined()
                    let isReverted = value != model.values[letter]
                    if isReverted, model.chosen[letter] != ticket || value != begin.values[letter] {
                        wrong.append("revert \(ticket): \(key) is \(value)")
                    }
                }
            }
            _ = try home.run("git reset -q --hard kept")
        }
        return wrong
    }
}
