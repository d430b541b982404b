import Foundation
import Seeds
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// How many conflicts are open, as it is known without a walk through the history.
struct KnownConflictsTests {
    private func problems(_ s: TemporaryStore) throws -> [String] {
        try s.store.upkeep.verifyDeeply(isDamaged: false).findings.filter { $0.kind == .problem }.map(\.reason)
    }

    /// One conflict about `a`, which was `0`, `1` here and `2` there.
    private func conflict(_ s: TemporaryStore) throws {
        try s.put("a", .number("A", 0))
        try s.put("b", .number("B", 0))
        try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("a", 2, by: .bob) })
        try s.merge { $0.kept = .theirs }
    }

    @Test(arguments: 0..<12) func agreesWithTheVersions(seed: Int) throws {
        try withStore { s in
            var seeded = Seeded(UInt64(seed))
            try conflict(s)
            var (branches, keys, log) = (0, ["a", "b", "c"], "")
            try s.put("c", .number("C", 0))
            /// An undo may have taken the option away.
            func set(_ key: String, _ value: Int, by person: Person = .ada) throws {
                try s.change(s.done(person)) { settings in
                    var option = settings.options[.of(key)] ?? .number(key, value)
                    option.value = value.json
                    settings.options[.of(key)] = option
                }
            }
            for round in 1...25 {
                let key = keys.randomElement(using: &seeded) ?? "b"
                let kind = Int.random(in: 0..<9, using: &seeded)
                log += "\(kind)\(key) "
                switch kind {
                case 0, 1: try set(key, 100 + round)
                case 2: _ = try? s.undo(Int.random(in: 1...2, using: &seeded))
                case 3: _ = try? s.redo()
                case 4: _ = try? s.resolve(key, Bool.random(using: &seeded) ? .ours : .theirs)
                case 5:
                    let last = try #require(try s.store.versions.tip().id)
                    _ = try? s.store.reverting.revert([last], s.done(.bob))
                case 6:
                    guard let place = keys.firstIndex(of: key), try s.option(key) != nil else { continue }
                    keys[place] = "\(key)r"
                    try s.rename(key, keys[place])
                default:
                    branches += 1
                    let isSame = Bool.random(using: &seeded)
                    let other = isSame ? key : keys.randomElement(using: &seeded) ?? key
                    try s.part(
                        ours: { try set(key, 200 + round) }, theirs: { try set(other, 300 + round, by: .bob) },
                        named: "side\(branches)")
                    try s.merge("side\(branches)") { $0.kept = .ours }
                }
                if Bool.random(using: &seeded) { continue }
                try s.reopen()
                let count = try s.store.merging.openCount()
                #expect(try count == s.open().count, "seed \(seed): \(log)")
            }
        }
    }

    /// Versions cost no walk through those before the last look.
    @Test func looksAtNewVersionsOnly() throws {
        try withStore { s in
            try conflict(s)
            let conflicts = s.store.merging.conflicts
            #expect(try conflicts.knownSoon()?.open.count == 1)
            for value in 1...20 { try s.set("b", value) }
            let cached = try #require(conflicts.cache.read())
            #expect(try cached.tip != s.store.versions.tip().id && cached.known.open.map(\.question.text) == ["a value"])
            try s.set("a", 5)
            let last = try s.store.versions.version(try #require(try s.store.versions.tip().id))
            #expect(last.message.resolves.map(\.text) == ["a value"])
            try s.reopen()
            #expect(try s.store.merging.openCount() == 0)
            #expect(s.store.versions.walked < 17)
        }
    }

    /// What is known in a line of versions without a Change-Id, as plain git and earlier releases made them.
    @Test func withoutAChangeIDWhoeverChangesItResolvesIt() throws {
        try withStore { s in
            try conflict(s)
            try s.put("d", .number("D", 0))
            func commit(_ name: String, _ old: String, _ new: String) throws {
                try s.edit("\(name).json", old, new)
                try s.git("commit", "-q", "-a", "-m", "by hand")
                try s.reopen()
            }
            try commit("d", "\"D\"", "\"E\"")
            try commit("a", "\"A\"", "\"AA\"")
            #expect(try s.open() == ["a value"])
            try commit("a", "\"value\": 2", "\"value\": 7")
            #expect(try s.value("a") == "7")
            #expect(try s.open() == [])
            #expect(try s.store.merging.conflicts.walked(to: try #require(try s.store.versions.tip().id))?.open.isEmpty == true)
        }
    }

    /// Squashed with its answer, by git or a host: the last word counts. Its sides are not asked for any more.
    @Test func anAnswerThatWasSquashedCounts() throws {
        for isLast in [true, false] {
            try withStore { s in
                try conflict(s)
                try s.git("checkout", "-q", "-b", "answer")
                try s.reopen()
                try s.resolve("a", .word("7"))
                if !isLast { try s.set("b", 1) }
                try s.git("checkout", "-q", "main")
                try s.git("merge", "-q", "--squash", "answer")
                try s.git("commit", "-q", "--no-edit")
                try s.reopen()
                #expect(try s.open() == [])
                #expect(try s.value("a") == "7")
            }
        }
    }

    /// Where the sides are gone, none can be taken: a value is chosen, also the one in force.
    @Test(arguments: [ConflictAnswer.ours, .word("2"), .word("9"), .theirs]) func withoutSides(_ answer: ConflictAnswer) throws {
        try withStore { s in
            try conflict(s)
            let tree = try s.git("rev-parse", "HEAD^{tree}").trimmingCharacters(in: .whitespacesAndNewlines)
            let base = try s.git("rev-list", "--max-parents=0", "HEAD").trimmingCharacters(in: .whitespacesAndNewlines)
            let message = try s.git("log", "-1", "--format=%B")
            let flat = try s.git("commit-tree", tree, "-p", base, "-m", message).trimmingCharacters(in: .whitespacesAndNewlines)
            try s.git("reset", "-q", "--hard", flat)
            try s.reopen()
            #expect(try s.open() == ["a value"])
            guard case .word(let word) = answer else {
                #expect(throws: Problem.merge(.sidesAreGone(.of("a"), .value))) { try s.resolve("a", answer) }
                return
            }
            try s.resolve("a", answer)
            #expect(try s.value("a") == word)
            #expect(try s.open() == [])
        }
    }

    @Test func aCacheThatLiesIsFoundAndOneThatIsDamagedIsIgnored() throws {
        try withStore { s in
            try conflict(s)
            #expect(try s.open() == ["a value"])
            let conflicts = s.store.merging.conflicts
            let (path, tip) = (conflicts.cache.path, try #require(try s.store.versions.head.commit))
            #expect(try problems(s) == [])
            for text in ["", "settings conflicts 2\n", "settings conflicts 2\n\(tip.hex)\n0000000000000000\n", "x"] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                try s.reopen()
                #expect(try s.store.merging.openCount() == 1)
            }
            conflicts.cache.write(KnownConflicts(), at: tip)
            #expect(try conflicts.knownSoon()?.open.count == 0, "it is believed")
            #expect(try problems(s) == ["the list of open conflicts does not match the versions; it was removed"])
            #expect(try conflicts.knownSoon()?.open.count == 1)
        }
    }
}
