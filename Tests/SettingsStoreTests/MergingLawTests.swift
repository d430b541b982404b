import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What holds of every merge, and what `verify` finds in those that plain git made of texts.
struct MergingLawTests {
    @Test func randomPairsMergeWithoutAFalseAlarm() throws {
        let pairs = TemporaryStore.cases(60, atMost: 300)
        var (merged, kept, findings) = (0, 0, 0)
        for seed in 1...pairs {
            let s = try TemporaryStore.make()
            var edits = RandomEdits(seed: seed)
            for _ in 0..<3 { try s.record(&edits) }
            let first = try s.head()
            try s.part(
                ours: { for _ in 0..<2 { try s.record(&edits, by: .ada) } },
                theirs: { for _ in 0..<2 { try s.record(&edits, by: .bob) } })
            do {
                try s.merge()
                merged += 1
            } catch let error as Problem where error.kind == .conflict {
                try s.merge { $0.kept = .agreed }
                kept += 1
            }
            let found = try s.findings(since: try s.store.versions.version(named: first).id)
            findings += found.count
            #expect(found.isEmpty, "seed \(seed): \(found.map { "\($0.path) \($0.reason)" })")
            #expect(try s.git("status", "--porcelain") == "", "seed \(seed)")
        }
        print("\(pairs) random pairs: \(merged) merged, \(kept) with questions kept, \(findings) false alarms")
    }

    /// A merge by hand that drops what one side chose.
    private func evil(_ s: TemporaryStore) throws {
        try s.put("l", .language)
        try s.part(ours: { try s.put("n", .number("N", 1)) }, theirs: { try s.set("l", "fr", by: .bob) })
        try s.git("merge", "-q", "--no-commit", "--no-ff", "side")
        try s.edit("l.json", "\"value\": \"fr\"", "\"value\": \"es\"")
        try s.edit("l.json", "\"selected\": 1", "\"selected\": 2")
        try s.git("commit", "-q", "-a", "-m", "merged by hand")
        try s.reopen()
    }

    @Test func aMergeThatChoseByItselfIsFoundUntilSomebodyChooses() throws {
        try withStore { s in
            try evil(s)
            let found = try s.findings()
            #expect(found.map(\.path) == ["l.json"])
            #expect(found.first?.version?.message.subject == "merged by hand")
            #expect(Set(found.first?.candidates ?? []) == [.string("en"), .string("fr")])
            #expect(found.first?.reason.contains("English or French") == true)
            try s.put("o", .number("O", 1))
            #expect(try s.findings().count == 1)
            try s.set("l", "fr")
            #expect(try s.findings().isEmpty)
        }
    }

    @Test func aMergeThatDroppedAChoiceIsFound() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.part(ours: { try s.put("n", .number("N", 1)) }, theirs: { try s.set("l", "fr", by: .bob) })
            try s.git("merge", "-q", "-s", "ours", "-m", "merged", "side")
            try s.reopen()
            #expect(try s.findings().map(\.path) == ["l.json"])
            #expect(try s.findings().first?.candidates == [.string("en"), .string("fr")])
        }
    }

    /// The index of one side and the value of the other, as merging texts line by line can leave them.
    @Test(arguments: ["squash", "rebase"]) func textsThatDoNotBelongTogether(way: String) throws {
        try withStore { s in
            try s.put("l", .language)
            try s.part(ours: { try s.put("n", .number("N", 1)) }, theirs: { try s.set("l", "fr", by: .bob) })
            if way == "squash" { try s.git("merge", "-q", "--squash", "side") } else { try s.git("cherry-pick", "-n", "side") }
            try s.edit("l.json", "\"selected\": 1", "\"selected\": 2")
            let id = try s.commitPlainly(way)
            try s.reopen()
            let found = try s.findings()
            #expect(found.map(\.path) == ["l.json"])
            #expect(found.first?.version?.id == id)
            #expect(found.first?.reason.contains("fr") == true && found.first?.reason.contains("Spanish") == true)
            try s.write(
                SettingsOption.choice("Language", ["en=English", "fr=French", "es=Spanish"], selected: 1).file, to: "l.json")
            try #require(try s.store.drafts.record(s.done()).version != nil)
            #expect(try s.findings().isEmpty)
        }
    }

    @Test func crissCrossIsNoFinding() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.part(ours: { try s.set("l", "fr") }, theirs: { try s.set("n", 2) })
            let main = try s.head()
            try s.git("merge", "-q", "-m", "one", "side")
            try s.git("checkout", "-q", "side")
            try s.git("merge", "-q", "-m", "other", main)
            try s.reopen()
            try s.set("l", "es")
            try s.git("checkout", "-q", "main")
            try s.git("merge", "-q", "--no-ff", "-m", "both", "side")
            try s.reopen()
            #expect(try s.value("l") == "es")
            #expect(try s.findings().isEmpty)
        }
    }
}
