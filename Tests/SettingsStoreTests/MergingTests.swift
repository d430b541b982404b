import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Another line of versions brought in.
struct MergingTests {
    @Test func aMergeHasTwoParentsAndSaysWhatCameIn() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.part(ours: { try s.set("n", 2) }, theirs: { try s.set("l", "fr", by: .bob) })
            let side = try s.git("rev-parse", "side")
            let main = try s.head()
            let version = try #require(try s.merge().version)
            #expect(version.parents.map(\.hex) == [main, side])
            #expect(version.message.subject == "merge side")
            #expect(version.message.details == ["l: English → French"])
            #expect(try s.value("l") == "fr")
            #expect(try s.value("n") == "2")
            #expect(try s.merge().isUnchanged)
        }
    }

    @Test func aBranchThatIsAheadIsMovedOnTo() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.part(theirs: {
                try s.set("l", "fr")
                try s.put("g.new", .number("New", 1))
            })
            try s.edit("n.json", "\"value\": 1", "\"value\": 777")
            let planned = try s.merge(dryRun: true)
            guard case .planned = planned else { return _ = Issue.record("\(planned)") }
            #expect(try s.value("l") == "en")
            #expect(try s.merge().isForwarded)
            #expect(try s.head() == s.git("rev-parse", "side"))
            #expect(s.text("l.json")?.contains("\"value\": \"fr\"") == true)
            #expect(s.text("g/new.json") != nil)
            #expect(try s.git("status", "--porcelain") == " M n.json")
            #expect(try s.merge().isUnchanged)
        }
    }

    @Test(arguments: [true, false]) func aFileEditedByHandThatTheMergeTouches(forward: Bool) throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.part(
                ours: { if !forward { try s.put("x", .number("X", 1)) } },
                theirs: {
                    try s.set("l", "fr")
                    try s.set("n", 2)
                })
            try s.edit("n.json", "\"value\": 1", "\"value\": 777")
            let head = try s.head()
            let error = failure { try s.merge() }
            #expect(error?.kind == .conflict)
            #expect(try s.head() == head)
            #expect(s.text("l.json")?.contains("\"value\": \"en\"") == true)
            #expect(s.text("n.json")?.contains("\"value\": 777") == true)
            #expect(try s.git("status", "--porcelain") == " M n.json")
        }
    }

    @Test func aFileEditedByHandThatTheMergeDoesNotTouchStays() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.part(ours: { try s.put("x", .number("X", 1)) }, theirs: { try s.set("l", "fr") })
            try s.edit("n.json", "\"value\": 1", "\"value\": 777")
            #expect(try s.merge().version != nil)
            #expect(try s.git("status", "--porcelain") == " M n.json")
        }
    }

    @Test func crissCross() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.part(ours: { try s.set("l", "fr") }, theirs: { try s.set("n", 2, by: .bob) })
            let (main, side) = (try s.head(), try s.git("rev-parse", "side"))
            try s.merge(side)
            try s.git("checkout", "-q", "side")
            try s.reopen()
            try s.merge(main)
            try s.set("l", "es", by: .bob)
            try s.git("checkout", "-q", "main")
            try s.reopen()
            try s.set("n", 3)
            let merged = try #require(try s.merge().version)
            #expect(
                try s.git("merge-base", "--all", merged.parents[0].hex, merged.parents[1].hex).split(separator: "\n").count == 2)
            #expect(try s.value("l") == "es")
            #expect(try s.value("n") == "3")
            #expect(try s.blamed("l")?.author == .bob)
            #expect(try s.blamed("n")?.author == .ada)
            #expect(try s.findings().isEmpty)
        }
    }

    @Test func linesWithNothingInCommon() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.git("checkout", "-q", "--orphan", "side")
            try s.git("commit", "-q", "-m", "another beginning")
            try s.reopen()
            try s.put("n", .number("N", 1))
            try s.git("checkout", "-q", "main")
            try s.reopen()
            let head = try s.head()
            let error = failure { try s.merge() }
            #expect(error?.kind == .conflict)
            #expect(error?.hint?.contains("--allow-unrelated-histories") == true)
            #expect(try s.head() == head)
            #expect(try s.merge { $0.allowsUnrelated = true }.version != nil)
            #expect(try s.value("n") == "1")
        }
    }

    @Test func conflictsAreNamedAndNothingIsChanged() throws {
        try withStore { s in
            try s.partOverLanguage()
            let (head, files) = (try s.head(), try s.allFiles())
            let error = try #require(failure { try s.merge() })
            #expect(error.kind == .conflict)
            #expect(
                error.conflicts.map { [$0.base?.json, $0.ours?.json, $0.theirs?.json] } == [
                    ["en", "fr", "es"].map { .string($0) }
                ])
            #expect(error.origins.map { [$0.ours?.author, $0.theirs?.author] } == [[.ada, .bob]])
            #expect(try s.head() == head)
            #expect(try s.allFiles() == files)
        }
    }

    @Test(arguments: [(MergeWish.Side.ours, "fr"), (.theirs, "es")]) func aSideWins(side: MergeWish.Side, value: String) throws {
        try withStore { s in
            try s.partOverLanguage()
            let merge = try #require(try s.merge { $0.side = side }.version)
            #expect(try s.value("l") == value)
            #expect(try s.value("n") == "2")
            // Who decided is who chose; what only came in was chosen there.
            #expect(try s.blamed("l")?.id == merge.id)
            #expect(try s.blamed("n")?.author == .bob)
            var filter = HistoryFilter()
            filter.places = [.of("l")]
            #expect(try s.versions(filter).first?.version.id == merge.id)
            filter.places = [.of("n")]
            #expect(try s.versions(filter).first?.version.author == .bob)
            #expect(try s.findings().isEmpty)
            #expect(try s.open().isEmpty)
        }
    }

    @Test(arguments: ["en", "fr", "es"]) func aValueGivenWithTheMerge(value: String) throws {
        try withStore { s in
            try s.partOverLanguage()
            let merge = try #require(
                try s.merge {
                    $0.set("l", value); $0.set("n", "9")
                }.version)
            #expect(try s.value("l") == value)
            #expect(try s.value("n") == "9")
            #expect(try s.blamed("l")?.id == merge.id)
            #expect(try s.blamed("n")?.id == merge.id)
            let base = merge.parents[0]
            let changes = [Change(.option(.of("l")), title: "", facet: .value, before: nil, after: nil)]
            #expect(
                try s.store.history.origins(of: changes, from: base, to: merge.id).map { $0.last?.version.id } == [merge.id])
            #expect(try s.findings().isEmpty)
        }
    }

    @Test func aValueThatTheOptionDoesNotHave() throws {
        try withStore { s in
            try s.partOverLanguage()
            #expect(failure { try s.merge { $0.set("l", "xx") } }?.kind == .badData)
            #expect(
                failure {
                    try s.merge {
                        $0.set("nothing", "1"); $0.set("l", "fr")
                    }
                }?.kind == .missing)
        }
    }

    @Test func undoAndRevertOfAMerge() throws {
        try withStore { s in
            try s.partOverLanguage()
            let merge = try #require(try s.merge { $0.side = .theirs }.version)
            let error = failure { _ = try s.undo(by: .carol) }
            #expect(error?.kind == .no)
            _ = try s.store.reverting.revert([merge.id], s.done(.carol))
            #expect(try s.value("l") == "fr")
            #expect(try s.value("n") == "1")
        }
    }

    @Test(arguments: [true, false]) func deathBetweenTheBranchAndTheFiles(forward: Bool) throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.part(
                ours: { if !forward { try s.put("m", .number("M", 1)) } },
                theirs: {
                    try s.set("n", 2)
                    try s.put("g.new", .number("New", 1))
                })
            let (old, files) = (try s.head(), try s.allFiles())
            try FileManager.default.copyItem(atPath: s.root + "/.git/index", toPath: s.root + "/.git/index.old")
            try s.merge()
            let after = try s.allFiles()
            for (name, _) in after { if let bytes = files[name] { try s.write(bytes, to: name) } else { try s.delete(name) } }
            try s.delete(".git/index")
            try FileManager.default.moveItem(atPath: s.root + "/.git/index.old", toPath: s.root + "/.git/index")
            try s.write("old \(old)\nnew \(try s.head())\n", to: ".git/settings/pending")
            try s.reopen()
            #expect(try s.allFiles() == after)
        }
    }

    @Test func renamesOnBothSides() throws {
        try withStore { s in
            try s.put("g.l", .language)
            try s.put("g.n", .number("N", 1))
            try s.part(
                ours: {
                    try s.rename("g.l", "g.tongue")
                    try s.set("g.n", 5)
                },
                theirs: {
                    try s.renameGroup("g", "k", by: .bob)
                    try s.set("k.l", "fr", by: .bob)
                })
            let merge = try #require(try s.merge().version)
            #expect(try s.value("k.tongue") == "fr")
            #expect(try s.value("k.n") == "5")
            #expect(!merge.message.renames.isEmpty)
            #expect(try s.blamed("k.tongue")?.author == .bob)
            #expect(try s.blamed("k.n")?.author == .ada)
            #expect(try s.findings().isEmpty)
        }
    }
}
