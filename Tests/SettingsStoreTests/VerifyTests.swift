import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct VerifyTests {
    @Test func files() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            #expect(try s.store.upkeep.verify().findings.isEmpty)
            #expect(try s.store.upkeep.verify().files == 2)
            try s.write("{", to: "broken.json")
            try s.write("{}", to: "bad name.json")
            try s.edit("l.json", "    \"es\"\n", "    \"fr\"\n")
            let findings = try s.store.upkeep.verify().findings
            #expect(Set(findings.map(\.path)) == ["broken.json", "bad name.json", "l.json"])
        }
    }

    private func merge(_ s: TemporaryStore, ours: (TemporaryStore) throws -> Void, theirs: (TemporaryStore) throws -> Void) throws
    {
        try s.git("checkout", "-q", "-b", "side")
        try theirs(s)
        try s.git("checkout", "-q", "main")
        try ours(s)
        try s.git("merge", "-q", "-m", "merged", "side")
    }

    private func findings(_ s: TemporaryStore) throws -> [Finding] {
        let head = try #require(try s.store.versions.tip().id)
        return try s.store.upkeep.verify(from: nil, to: head).findings
    }

    @Test func aMergeThatChoseNothing() throws {
        try withStore { s in
            try s.put("l", .choice("L", (1...20).map { "v\($0)=Label \($0)" }))
            try merge(
                s, ours: { try $0.labels("l") { $0.rename(.string("v18"), to: "Eighteen") } }, theirs: { try $0.set("l", "v3") })
            #expect(try s.value("l") == "v3")
            #expect(try findings(s).isEmpty)
        }
    }

    /// A choosing line adds nothing to the list, the other inserts a label before the chosen one: git merges the texts,
    /// and the index then points beside the value.
    @Test func anInsertionAndAChoiceMergedAsText() throws {
        try withStore { s in
            try s.put("l", .choice("L", (1...20).map { "v\($0)=Label \($0)" }))
            try merge(
                s,
                ours: {
                    try $0.labels("l") {
                        $0.insert(
                            ChoiceLabel(value: .string("new"), text: "New"),
                            at: 10)
                    }
                }, theirs: { try $0.set("l", "v15") })
            #expect(try s.value("l") == "v15")
            #expect(try s.option("l")?.selected == 15)
            #expect(try findings(s).map(\.kind) == [.disagreement])
            #expect(try s.store.upkeep.verify().findings.map(\.kind) == [.disagreement])
            try s.set("l", "v16")
        }
    }

    @Test func aMergeThatMadeUpAValue() throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.git("checkout", "-q", "-b", "side")
            try s.set("n", 2)
            try s.git("checkout", "-q", "main")
            try s.set("m", 2)
            try s.git("merge", "-q", "--no-commit", "side")
            try s.edit("n.json", "\"value\": 2", "\"value\": 9")
            try s.git("commit", "-q", "-a", "-m", "merged by hand")
            let found = try findings(s)
            #expect(found.map(\.path) == ["n.json"])
            #expect(found.first?.version?.message.subject == "merged by hand")
        }
    }

    @Test func aVersionThatCanNotBeRead() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            let good = try #require(try s.store.versions.tip().id)
            try s.write("{", to: "n.json")
            let bad = try s.commitPlainly()
            try s.write(SettingsOption.number("N", 1).file, to: "n.json")
            let mended = try s.commitPlainly()
            let (count, found) = try s.store.upkeep.verify(from: good, to: mended)
            #expect(count == 2)
            #expect(found.map(\.path) == ["n.json"])
            #expect(found.first?.version?.id == bad)
        }
    }
}
