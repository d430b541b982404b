import Surroundings
import Testing

/// A broken store or invalid arguments, and the expected output and exit status.
struct BadInput: CustomTestStringConvertible, Sendable {
    /// A command and its expected result. A command that fails must not change anything.
    struct Try: Sendable {
        var command: String
        var status: Int32
        /// Texts that its standard error must contain.
        var says: [String]
        var hints: Bool?
        /// Its exact output. Nil: no output if it fails, any output if it succeeds.
        var prints: String?
        /// Whether it prints what is readable although it fails.
        var printsTheRest = false
        var seconds = 8

        /// The command fails with exactly one line that describes the problem.
        static func fails(_ command: String, _ status: Int32, _ says: String..., hints: Bool? = nil) -> Try {
            Try(command: command, status: status, says: says, hints: hints)
        }

        /// The command fails, and prints what is not affected.
        static func failsInPart(_ command: String, _ status: Int32, _ says: String...) -> Try {
            Try(command: command, status: status, says: says, printsTheRest: true)
        }

        static func works(_ command: String, prints: String? = nil, says: String...) -> Try {
            Try(command: command, status: 0, says: says, prints: prints)
        }

        func patient(_ seconds: Int) -> Try {
            var copy = self
            copy.seconds = seconds
            return copy
        }
    }

    var name: String
    /// Shell lines that break the store; `$file` is `general/language.json`.
    var breaking: String
    var tries: [Try]
    /// Shell lines that repair the store; nil if there is nothing to repair.
    var mending: String?
    /// Whether it needs root's permissions.
    var needsRoot = false

    init(_ name: String, _ breaking: String = "", mending: String? = "", needsRoot: Bool = false, _ tries: Try...) {
        self.init(name, breaking, mending: mending, needsRoot: needsRoot, tries: tries)
    }

    init(_ name: String, _ breaking: String, mending: String?, needsRoot: Bool = false, tries: [Try]) {
        self.name = name
        self.breaking = breaking
        self.tries = tries
        self.mending = mending
        self.needsRoot = needsRoot
    }

    var testDescription: String { name }
}

@Suite struct BadInputTests {
    @Test(arguments: BadInput.files) func files(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.keys) func keys(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.words) func words(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.repositories) func repositories(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.damage) func damage(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.access) func access(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.people) func people(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.surroundings) func surroundings(_ row: BadInput) throws { try row.check() }
}

extension BadInput {
    func check() throws {
        if needsRoot, !Surroundings.isRoot {
            try Test.cancel("needs to be root")
        }
        let store = try BadInputStore.make()
        let broken = try store.run("set -e; " + breaking)
        try #require(broken.status == 0, "cannot break the store: \(broken.errors)")
        for step in tries { try step.check(in: store) }
        guard let mending else { return }
        let mended = try store.run("set -e; " + mending)
        try #require(mended.status == 0, "cannot mend the store: \(mended.errors)")
        let next = try store.run(
            "settings set general.language es -q && settings get general.language && "
                + "git fsck --strict 2>&1 | grep -v dangling; git status --short")
        #expect(next.status == 0 && next.output == "es\n", "mended, but: \(next.output)\(next.errors)")
    }
}

extension BadInput.Try {
    func check(in store: BadInputStore) throws {
        let before = store.everything()
        let run = try store.run(command, within: seconds)
        var wrong = complaints(about: run)
        if status != 0 {
            let after = store.everything()
            let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            if !changed.isEmpty { wrong.append("nothing changed, but: \(changed.sorted())") }
        }
        guard !wrong.isEmpty else { return }
        Issue.record(
            "$ \(command)\n\(run.output)\(run.errors)[exit status: \(run.status)]\nexpected: \(wrong.joined(separator: "; "))")
    }

    private func complaints(about run: Run) -> [String] {
        var wrong: [String] = []
        func expect(_ isSo: Bool, _ words: String) { if !isSo { wrong.append(words) } }
        let lines = run.errors.split(separator: "\n")
        let reasons = lines.count { $0.hasPrefix("settings: ") }
        expect(run.status == status, "status \(status)")
        for text in says { expect(run.errors.contains(text), "‘\(text)’ in what it says") }
        if let prints { expect(run.output == prints, "to print ‘\(prints)’") }
        guard status != 0 else {
            expect(reasons == 0, "no complaint")
            return wrong
        }
        expect(reasons == 1 || printsTheRest, "one line of what is wrong")
        expect(
            lines.allSatisfy { line in ["settings: ", "hint: ", "note: ", "    "].contains { line.hasPrefix($0) } },
            "only what is wrong and hints")
        if let hints { expect(lines.contains { $0.hasPrefix("hint: ") } == hints, hints ? "a hint" : "no hint") }
        if prints == nil, !printsTheRest { expect(run.output.isEmpty, "nothing printed") }
        return wrong
    }
}
