import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

extension TemporaryStore {
    /// Another line of versions, `side`, made by `theirs`, while `ours` goes on here.
    func part(ours: () throws -> Void = {}, theirs: () throws -> Void, named name: String = "side") throws {
        try git("checkout", "-q", "-b", name)
        try reopen()
        try theirs()
        try git("checkout", "-q", "main")
        try reopen()
        try ours()
    }

    @discardableResult
    func merge(
        _ name: String = "side", by person: Person = .carol, dryRun: Bool = false, _ change: (inout MergeWish) -> Void = { _ in }
    ) throws -> Outcome {
        var wish = MergeWish(name: name)
        change(&wish)
        var done = done(person)
        done.isDryRun = dryRun
        return try store.merging.merge(try store.versions.version(named: name).id, wish, done)
    }

    @discardableResult
    func resolve(_ key: String, _ answer: ConflictAnswer, _ facet: Facet? = nil, by person: Person = .carol) throws -> Outcome {
        try store.merging.resolve(.of(key), facet, answer, done(person))
    }

    /// `key facet` of what is open.
    func open() throws -> [String] {
        try store.merging.openConflicts().map { "\($0.conflict.subject.key) \($0.conflict.facet.token)" }
    }

    func head() throws -> String { try git("rev-parse", "HEAD") }

    func findings(since old: VersionID? = nil) throws -> [Finding] {
        let head = try #require(try store.versions.tip().id)
        return try store.upkeep.verify(from: old, to: head).findings
    }
}

extension MergeWish {
    mutating func set(_ key: String, _ value: String) { values.append((.of(key), .word(value))) }
}

extension TemporaryStore {
    /// A choice `l` that is French on our side and Spanish on Bob's, who also set the number `n`.
    func partOverLanguage() throws {
        try put("l", .language)
        try put("n", .number("N", 1))
        try part(
            ours: { try set("l", "fr", by: .ada) },
            theirs: {
                try set("l", "es", by: .bob)
                try set("n", 2, by: .bob)
            })
    }

    /// An option `a` that is `b` with 1 on our side, and `c` with 2 on Bob's.
    func partWithTwoNames() throws {
        try put("a", .number("A", 0))
        try part(
            ours: {
                try rename("a", "b")
                try set("b", 1)
            },
            theirs: {
                try rename("a", "c", by: .bob)
                try set("c", 2, by: .bob)
            })
    }
}
