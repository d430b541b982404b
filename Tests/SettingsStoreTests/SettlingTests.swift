import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Several questions of merges, settled in one version.
struct SettlingTests {
    private func withQuestions(_ body: (TemporaryStore) throws -> Void) throws {
        try withStore { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.part(
                ours: {
                    try s.set("l", "fr", by: .bob)
                    try s.set("n", 2, by: .bob)
                },
                theirs: {
                    try s.set("l", "es", by: .carol)
                    try s.set("n", 3, by: .carol)
                })
            try s.merge { $0.kept = .agreed }
            #expect(try s.open() == ["l value", "n value"])
            try body(s)
        }
    }

    private func change(_ s: TemporaryStore, _ key: String, _ value: JSON) throws -> [Change] {
        let before = try s.store.versions.tip().settings(of: [.option(.of(key))])
        var after = before
        after.options[.of(key)]?.value = value
        return after.changes(since: before)
    }

    @Test(arguments: [ConflictAnswer.ours, .theirs, .base])
    func oneIsWhatResolveRecords(_ answer: ConflictAnswer) throws {
        var texts: [String] = []
        for isSettled in [false, true] {
            try withQuestions { s in
                if isSettled {
                    let settlement = Settlement(.option(.of("n")), .value, answer)
                    _ = try s.store.merging.settle([settlement], with: [], s.done(.carol))
                } else {
                    try s.resolve("n", answer)
                }
                #expect(try s.open() == ["l value"])
                texts.append(try s.git("log", "-1", "--format=%T%n%an%n%B"))
            }
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].contains("Resolves: n value"))
    }

    @Test func severalWithAnotherChangeAreOneVersion() throws {
        try withQuestions { s in
            let settlements = [
                Settlement(.option(.of("l")), .value, .theirs), Settlement(.option(.of("n")), .value, .theirs),
            ]
            let changes = try change(s, "n", .number(3)) + change(s, "m", .number(7))
            let outcome = try s.store.merging.settle(settlements, with: changes, s.done())
            let message = try #require(outcome.version?.message)
            #expect(Set(message.resolves.map(\.subject)) == [.option(.of("l")), .option(.of("n"))])
            #expect(try s.open().isEmpty)
            #expect(try s.value("l") == "es" && s.value("n") == "3" && s.value("m") == "7")
        }
    }

    @Test func whatIsInForceAlreadyIsSettledAsWell() throws {
        try withQuestions { s in
            let settlements = [
                Settlement(.option(.of("l")), .value, .base), Settlement(.option(.of("n")), .value, .base),
            ]
            let head = try s.head()
            let outcome = try s.store.merging.settle(settlements, with: [], s.done())
            #expect(outcome.version?.message.subject == "l: decided: English, and 1 more")
            #expect(try s.open().isEmpty)
            #expect(try s.git("diff", "--stat", head.trimmingSuffix, "HEAD") == "")
            #expect(failure { _ = try s.store.merging.settle(settlements, with: [], s.done()) } == .merge(.noQuestion(.of("l"))))
        }
    }
}

extension String {
    fileprivate var trimmingSuffix: String { String(prefix { !$0.isWhitespace }) }
}
