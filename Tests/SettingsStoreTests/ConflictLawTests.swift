import Foundation
import Seeds
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Which conflicts are open, compared with a model that knows what was done and reads no message but what a merge asked and settled.
struct ConflictLawTests {
    @Test func randomHistoriesAgreeWithTheModel() throws {
        let count = TemporaryStore.cases(20, atMost: 10_000)
        var (asked, turned) = (0, 0)
        for seed in 1...count {
            var run = try Run(seed: seed)
            for _ in 0..<40 { try run.step() }
            try run.finish()
            (asked, turned) = (asked + run.asked, turned + run.turned)
        }
        print("\(count) random histories: \(asked) conflicts left open, \(turned) resolutions taken back or repeated")
        #expect(asked > count / 2 && turned > 0)
    }
}

/// What one line of versions knows.
private struct Line {
    /// By its number: what resolved a conflict, and what of that was taken back.
    var conflicts: [Int: (option: Int, resolvers: Set<Int>, takenBack: Set<Int>)] = [:]
    var names: [String]
    /// What its last version did.
    var last = Last.other

    enum Last {
        /// What somebody chose, and which conflicts that resolved.
        case choice(Person, option: Int, resolved: [Int])
        case undo(Person, option: Int, opened: [Int])
        case other
    }

    var open: [Int] { conflicts.keys.filter(isOpen).sorted() }

    func isOpen(_ number: Int) -> Bool { conflicts[number].map { $0.resolvers.isSubset(of: $0.takenBack) } ?? false }

    /// What is open, as the program calls it.
    var words: [String] { open.compactMap { conflicts[$0].map { "\(names[$0.option]) value" } }.sorted() }

    /// What a choice resolves.
    mutating func resolve(_ option: Int, as number: Int) -> [Int] {
        let resolved = open.filter { conflicts[$0]?.option == option }
        for one in resolved { conflicts[one]?.resolvers.insert(number) }
        return resolved
    }

    mutating func takeBack(_ resolved: [Int]) {
        for one in resolved {
            let resolvers = conflicts[one]?.resolvers ?? []
            conflicts[one]?.takenBack.formUnion(resolvers)
        }
    }

    mutating func formUnion(_ other: Line) {
        conflicts.merge(other.conflicts) { ours, theirs in
            (ours.option, ours.resolvers.union(theirs.resolvers), ours.takenBack.union(theirs.takenBack))
        }
    }
}

private struct Run {
    let s: TemporaryStore
    let seed: Int
    private var seeded: Seeded
    private var lines: [String: Line]
    private var current = "main"
    private var number = 0
    private(set) var asked = 0
    private(set) var turned = 0
    private var log = ""
    private static let people = [Person.ada, .bob, .carol]

    init(seed: Int) throws {
        (s, self.seed, seeded) = (try TemporaryStore.make(), seed, Seeded(UInt64(seed)))
        for name in ["a", "b"] { try s.put(name, .number("Option", 0)) }
        try s.git("branch", "side")
        lines = ["main": Line(names: ["a", "b"]), "side": Line(names: ["a", "b"])]
    }

    private mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &seeded) }

    private mutating func resolve(_ option: Int) -> [Int] {
        let number = number
        return line.resolve(option, as: number)
    }

    private var line: Line {
        get { lines[current] ?? Line(names: []) }
        set { lines[current] = newValue }
    }

    mutating func step() throws {
        number += 1
        let (option, person) = (random(2), Self.people[random(3)])
        let kind = random(15)
        log += " \(current)\(kind):\(option)"
        switch kind {
        case 0...2: try choose(option, person)
        case 3, 4: try resolve(option, person)
        case 5, 6: try takeBack(byRevert: kind == 6)
        case 7: try repeatIt()
        case 8 where current == "main": try rename(option)
        case 9: try commitByHand(option)
        case 10, 11: try merge()
        default: try turnTo(current == "main" ? "side" : "main")
        }
        try check("\(seed):\(log)")
    }

    private mutating func choose(_ option: Int, _ person: Person) throws {
        try s.set(line.names[option], 100 + number, by: person)
        line.last = .choice(person, option: option, resolved: resolve(option))
    }

    private mutating func resolve(_ option: Int, _ person: Person) throws {
        guard line.words.contains("\(line.names[option]) value") else { return }
        let answers: [ConflictAnswer] = [.ours, .theirs, .word("\(200 + number)")]
        let answer = answers[random(3)]
        try s.resolve(line.names[option], answer, by: person)
        line.last = .choice(person, option: option, resolved: resolve(option))
    }

    private mutating func takeBack(byRevert isRevert: Bool) throws {
        guard case .choice(let person, let option, let resolved) = line.last else { return }
        if isRevert {
            let tip = try #require(try s.store.versions.tip().id)
            _ = try s.store.reverting.revert([tip], s.done(.bob))
        } else {
            try s.undo(by: person)
        }
        line.takeBack(resolved)
        turned += resolved.count
        line.last = isRevert ? .other : .undo(person, option: option, opened: resolved)
    }

    private mutating func repeatIt() throws {
        guard case .undo(let person, let option, let opened) = line.last else { return }
        try s.redo(by: person)
        let number = number
        for one in opened { line.conflicts[one]?.resolvers.insert(number) }
        turned += opened.count
        line.last = .choice(person, option: option, resolved: opened)
    }

    private mutating func rename(_ option: Int) throws {
        let new = "\(line.names[option])r"
        try s.rename(line.names[option], new)
        line.names[option] = new
        line.last = .other
    }

    /// Without a Change-Id.
    private mutating func commitByHand(_ option: Int) throws {
        let name = line.names[option]
        let value = try #require(try s.value(name))
        try s.edit("\(name).json", "\"value\": \(value)", "\"value\": \(300 + number)")
        try s.git("commit", "-q", "-a", "-m", "by hand")
        try s.reopen()
        _ = resolve(option)
        line.last = .other
    }

    private mutating func merge() throws {
        let other = current == "main" ? "side" : "main"
        let kept = MergeWish.InForce.allCases[random(3)]
        guard let theirs = lines[other] else { return }
        let before = try s.head()
        try s.merge(other) { $0.kept = kept }
        let version = try s.store.versions.version(named: "HEAD")
        if version.id.hex == before { return }
        let renames = Dictionary(zip(line.names, theirs.names)) { first, _ in first }
        line.formUnion(theirs)
        // The main line alone renames.
        if other == "main" { line.names = theirs.names }
        line.last = .other
        // The branch may only have moved on.
        guard version.id.hex != (try s.git("rev-parse", other)) else { return line.last = theirs.last }
        func option(_ question: VersionMessage.Question) -> Int? {
            line.names.firstIndex(of: question.subject.key.description)
                ?? line.names.firstIndex(of: renames[question.subject.key.description] ?? "")
        }
        for question in version.message.resolves { _ = resolve(try #require(option(question))) }
        for (place, question) in version.message.conflicts.enumerated() {
            let asked = try #require(option(question))
            let number = 10 * number + place
            line.conflicts[number] = (asked, [], [])
            self.asked += 1
        }
    }

    private mutating func turnTo(_ name: String) throws {
        try s.git("checkout", "-q", name)
        try s.reopen()
        current = name
    }

    private func check(_ words: String) throws {
        let open = try known()
        #expect(open == line.words, "\(words): \(open) instead of \(line.words)")
        let listed = try s.open()
        #expect(try s.store.merging.openCount() == listed.count, "\(words)")
        #expect(Set(listed) == Set(open) && listed.count <= open.count, "\(words)")
    }

    /// What each merge left open; where several did so between the same contents it is listed once.
    private func known() throws -> [String] {
        let tip = try #require(try s.store.versions.tip().id)
        return try s.store.merging.conflicts.known(at: tip).open.map(\.question.text).sorted()
    }

    /// The same without the cache, in a clone, and after git's upkeep: of some.
    mutating func finish() throws {
        let words = line.words
        guard seed % 10 == 0 else { return }
        try s.git("gc", "-q", "--prune=now")
        try s.reopen()
        let tip = try #require(try s.store.versions.tip().id)
        let walked = try s.store.merging.conflicts.walked(to: tip)
        #expect(try walked == s.store.merging.conflicts.known(at: tip), "\(seed)")
        #expect(try known() == words, "\(seed)")
        let path = try Surroundings.folder() + "/clone"
        try runGit(["clone", "-q", "-b", current, s.root, path], in: s.root)
        #expect(try Set(TemporaryStore.open(path, root: path).open()) == Set(words), "\(seed)")
    }
}
