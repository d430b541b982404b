import Foundation
import Seeds
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Recording a part of the edits of files, by change.
struct StagingTests {
    private func edits(_ s: TemporaryStore) throws -> HandEdits { try s.store.workTree.handEdits() }

    /// Stages the unstaged change of these facets.
    private func stage(_ s: TemporaryStore, _ facets: Facet...) throws {
        try s.store.drafts.stage(try edits(s).unstaged.filter { facets.contains($0.facet) })
    }

    @Test func aPartOfAFileIsRecordedAndTheFileStaysAsItIs() throws {
        try withStore(draft: true) { s in
            try s.put("g.n", .number("N", 1))
            try s.edit("g/n.json", "\"value\": 1", "\"value\": 2")
            try s.edit("g/n.json", "\"title\": \"N\"", "\"title\":   \"Name\"")
            let file = s.file("g/n.json")
            #expect(try edits(s).unstaged.map(\.facet) == [.title, .value])
            try stage(s, .value)
            #expect(try edits(s).staged.map(\.facet) == [.value])
            #expect(try edits(s).unstaged.map(\.facet) == [.title])
            let diff = try s.git("diff", "--cached")
            #expect(diff.contains("+  \"value\": 2") && !diff.contains("Name"))
            #expect(s.file("g/n.json") == file)

            let outcome = try s.store.drafts.recordStaged(try edits(s).staged, s.done())
            #expect(outcome.version?.message.subject == "g.n: 1 → 2")
            #expect(s.file("g/n.json") == file)
            #expect(try edits(s).staged.isEmpty)
            #expect(try s.store.workTree.draft().changes.map(\.facet) == [.title])
            #expect(try s.git("diff", "--cached") == "")
            #expect(try s.git("show", "HEAD:g/n.json").contains("\"title\": \"N\""))
        }
    }

    @Test func theLineThatGoesWithARecordedValueSaysSo() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"value\": \"en\"", "\"value\":  \"fr\"")
            try s.edit("l.json", "Language", "Sprache")
            let text = try #require(s.text("l.json"))
            try stage(s, .value)
            _ = try s.store.drafts.recordStaged(nil, s.done())
            #expect(s.text("l.json") == text.replacingOccurrences(of: "\"selected\": 0", with: "\"selected\": 1"))
            #expect(try edits(s).unstaged.map(\.facet) == [.title] && edits(s).disagreements.isEmpty)
            _ = try s.store.drafts.record(s.done())
        }
    }

    @Test func whatIsStagedAsAWholeIsTidyAfterwards() throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\":    2")
            try s.git("add", "n.json")
            #expect(try edits(s).unstaged.isEmpty)
            _ = try s.store.drafts.recordStaged(nil, s.done())
            #expect(s.text("n.json")?.contains("\"value\": 2") == true)
        }
    }

    @Test func filesThatComeAndGo() throws {
        try withStore(draft: true) { s in
            try s.put("old", .number("Old", 1))
            try s.put("kept", .number("Kept", 1))
            try s.delete("old.json")
            try s.delete("kept.json")
            try s.write(SettingsOption.number("New", 3).file, to: "g/new.json")
            try s.write(Array(#"{"title": "Group", "footer": "Below."}"#.utf8), to: "g/_group.json")
            let all = try edits(s).unstaged
            #expect(Set(all.map(\.subject.path)) == ["old.json", "kept.json", "g/new.json", "g/_group.json"])
            try s.store.drafts.stage(all.filter { $0.subject != .option(.of("kept")) })
            #expect(
                try s.git("diff", "--cached", "--name-status", "--no-renames") == "A\tg/_group.json\nA\tg/new.json\nD\told.json")
            _ = try s.store.drafts.recordStaged(nil, s.done())
            #expect(try edits(s).unstaged.sentences == ["Kept: removed (was 1)"])
            #expect(try s.git("diff", "--cached", "--name-only") == "")
            #expect(try s.git("diff", "--name-status") == "D\tkept.json")
            #expect(s.text("g/_group.json")?.contains("  \"title\": \"Group\"") == true)
        }
    }

    @Test func whatGitHasStagedAndTheFileNoLongerHasIsRecordedAllTheSame() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.git("add", "n.json")
            try s.edit("n.json", "\"value\": 2", "\"value\": 1")
            #expect(try edits(s).staged.sentences == ["N: 1 → 2"])
            #expect(try edits(s).unstaged.sentences == ["N: 2 → 1"])
            _ = try s.store.drafts.recordStaged(nil, s.done())
            #expect(try s.store.workTree.draft().changes.sentences == ["N: 2 → 1"])
            // Only meant to be added: nothing is staged.
            try s.write(SettingsOption.number("M", 3).file, to: "m.json")
            try s.git("add", "-N", "m.json")
            #expect(try edits(s).staged.isEmpty && edits(s).unstaged.count == 2)
            // Removed from the index alone.
            try s.git("rm", "-q", "--cached", "n.json")
            #expect(try edits(s).staged.sentences == ["N: removed (was 2)"])
        }
    }

    @Test func unstagingGivesTheIndexBack() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": \"fr\"")
            try s.edit("l.json", "English", "Anglais")
            let index = try s.git("ls-files", "-s")
            let all = try edits(s).unstaged
            #expect(all.count == 2)
            for change in all {
                try s.store.drafts.stage([change])
                #expect(try s.git("ls-files", "-s") != index)
                try s.store.drafts.stage([change].inverted)
                #expect(try s.git("ls-files", "-s") == index)
            }
            // What the files no longer say cannot be staged.
            try s.store.drafts.stage(all)
            try s.edit("l.json", "Anglais", "English")
            let back = try edits(s).unstaged
            try s.store.drafts.stage(all.inverted)
            #expect(failure { try s.store.drafts.stage(back) } == nil)
        }
    }

    @Test func whatOneLooksAtIsRecordedOrNothing() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.git("add", "n.json")
            let seen = try edits(s).staged
            try s.edit("n.json", "\"value\": 2", "\"value\": 3")
            try s.git("add", "n.json")
            #expect(failure { _ = try s.store.drafts.recordStaged(seen, s.done()) } == .recording(.stagedSince))
            try s.write("{ half", to: "n.json")
            try s.git("add", "n.json")
            #expect(failure { _ = try s.store.drafts.recordStaged(nil, s.done()) }?.kind == .badData)
            #expect(s.text("n.json") == "{ half")
            try s.git("checkout", "-q", "HEAD", "n.json")
        }
    }

    @Test func aValueWithoutItsLabelIsRefused() throws {
        try withStore(draft: true) { s in
            try s.put("l", .language)
            var option = SettingsOption.language
            option.labels.insert(ChoiceLabel(value: "de", text: "German"), at: 3)
            option.value = "de"
            try s.write(option.file, to: "l.json")
            let all = try edits(s).unstaged
            let value = all.filter { $0.facet == .value }
            #expect(failure { try s.store.drafts.stage(value) }?.kind == .conflict)
            #expect(failure { try s.store.drafts.discard(all.filter { $0.facet != .value }, s.done()) }?.kind == .conflict)
            try s.store.drafts.stage(all)
            #expect(try edits(s).unstaged.isEmpty)
            #expect(failure { try s.store.drafts.stage(all.filter { $0.facet != .value }.inverted) }?.kind == .conflict)
        }
    }

    @Test func oneChangeIsDiscardedAndComesBackByteForByte() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\":   2")
            try s.edit("n.json", "\"title\": \"N\"", "\"title\":  \"Name\"")
            try s.edit("m.json", "\"value\": 1", "\"value\":  5")
            let first = try s.allFiles()
            var states = [first]
            for facet in [Facet.title, .value] {
                let change = try edits(s).unstaged.filter { $0.facet == facet && $0.subject == .option(.of("n")) }
                #expect(change.count == 1)
                try s.store.drafts.discard(change, s.done())
                states.append(try s.allFiles())
            }
            #expect(try edits(s).unstaged.sentences == ["M: 1 → 5"])
            #expect(try s.store.drafts.discarded().map { $0.changes.changes.map(\.facet) } == [[.value], [.title]])
            for state in states.dropLast().reversed() {
                _ = try s.store.drafts.bringBack(s.done())
                #expect(try s.allFiles() == state)
            }
            #expect(try s.allFiles() == first)
            #expect(try s.store.drafts.discarded().isEmpty)
        }
    }

    @Test func aDiscardGoesBackToWhatIsStaged() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.git("add", "n.json")
            try s.edit("n.json", "\"value\": 2", "\"value\": 3")
            try s.store.drafts.discard(try edits(s).unstaged, s.done())
            #expect(s.text("n.json")?.contains("\"value\": 2") == true)
            _ = try s.store.drafts.bringBack(s.done())
            #expect(s.text("n.json")?.contains("\"value\": 3") == true)
            try s.write("{ half", to: "n.json")
            try s.store.drafts.discard([], files: [.option(.of("n"))], s.done())
            #expect(s.text("n.json")?.contains("\"value\": 2") == true)
            _ = try s.store.drafts.bringBack(s.done())
            #expect(s.text("n.json") == "{ half")
            // Over newer edits nothing is brought back.
            try s.store.drafts.discard([], files: [.option(.of("n"))], s.done())
            try s.edit("n.json", "\"value\": 2", "\"value\": 4")
            #expect(failure { _ = try s.store.drafts.bringBack(s.done()) }?.kind == .conflict)
        }
    }

    @Test func carriageReturnsStayWhereNothingIsRecorded() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.edit("n.json", "\"title\": \"N\"", "\"title\": \"Name\"")
            try s.edit("n.json", "\n", "\r\n")
            let file = s.file("n.json")
            try stage(s, .value)
            _ = try s.store.drafts.recordStaged(nil, s.done())
            #expect(s.file("n.json") == file)
            #expect(try s.git("show", "HEAD:n.json").contains("\r") == false)
            try s.store.drafts.discard(try edits(s).unstaged, s.done())
            #expect(try edits(s).isEmpty)
            _ = try s.store.drafts.bringBack(s.done())
            #expect(s.file("n.json") == file)
        }
    }

    @Test func inAFolderOfARepository() throws {
        try withStore(prefix: "sub/store/", draft: true) { s in
            try s.put("n", .number("N", 1))
            try Data("staged\n".utf8).write(to: URL(fileURLWithPath: s.root + "/other"))
            try s.git("add", "other")
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try stage(s, .value)
            #expect(try edits(s).staged.sentences == ["N: 1 → 2"])
            _ = try s.store.drafts.recordStaged(nil, s.done())
            #expect(try s.git("status", "--porcelain") == "A  other")
            #expect(try s.git("show", "--name-only", "--format=") == "sub/store/n.json")
        }
    }

    @Test func anIndexThatSomebodyWritesIsWaitedForAndThenRefused() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            let change = try edits(s).unstaged
            try Data().write(to: URL(fileURLWithPath: s.root + "/.git/index.lock"))
            s.store.journal.patience = 0.2
            #expect(failure { try s.store.drafts.stage(change) }?.kind == .busy)
            try FileManager.default.removeItem(atPath: s.root + "/.git/index.lock")
            #expect(try edits(s).staged.isEmpty)
            try s.store.drafts.stage(change)
            #expect(try edits(s).unstaged.isEmpty)
        }
    }

    private func facets(_ changes: [Change]) -> Set<String> { Set(changes.map { "\($0.subject.path) \($0.facet.token)" }) }

    /// Whatever part is staged, the version has that part and the files have the rest.
    @Test(arguments: 0..<12)
    func anyPart(seed: Int) throws {
        var random = Seeded(UInt64(seed))
        try withStore(draft: true) { s in
            for number in 0..<4 { try s.put("g.n\(number)", .number("N\(number)", 1)) }
            try s.put("l", .language)
            for number in 0..<4 {
                switch random.int(5) {
                case 0: try s.delete("g/n\(number).json")
                case 1: try s.edit("g/n\(number).json", "\"N\(number)\"", "\"M\(number)\"")
                case 2: try s.edit("g/n\(number).json", "\"value\": 1", "\"value\": 2,\n  \"help\": \"H\"")
                case 3: try s.edit("g/n\(number).json", "\n", "\r\n")
                default: break
                }
            }
            try s.edit("l.json", "\"value\": \"en\"", "\"value\": \"es\"")
            try s.edit("l.json", "French", "Français")
            try s.write(SettingsOption.text("T", "hi").file, to: "g/t.json")
            let (files, all) = (try s.allFiles(), try edits(s).unstaged)
            let chosen = all.filter { _ in random.int(2) == 0 }
            let base = try s.store.versions.tip().settings()
            for change in chosen { try s.store.drafts.stage([change]) }
            let staged = try edits(s)
            #expect(facets(staged.staged) == facets(chosen), "seed \(seed)")
            _ = try s.store.drafts.recordStaged(staged.staged, s.done())
            let tip = try s.store.versions.tip().settings()
            #expect(tip == (try base.applying(chosen)), "seed \(seed)")
            let rest = try edits(s)
            #expect(rest.staged.isEmpty, "seed \(seed)")
            #expect(facets(rest.unstaged) == facets(all.filter { !chosen.contains($0) }), "seed \(seed)")
            for subject in Set(rest.unstaged.map(\.subject)) {
                // The line that goes with a value is that value's.
                let isValueRecorded = chosen.contains { $0.subject == subject && $0.facet == .value }
                let file = files[subject.path].map { String(decoding: $0, as: UTF8.self) }
                let left = isValueRecorded ? file?.replacingOccurrences(of: "\"selected\": 0", with: "\"selected\": 2") : file
                #expect(s.text(subject.path) == left, "seed \(seed)")
            }
            // Discarded in any order and brought back, all is as it was.
            let before = try s.allFiles()
            var count = 0
            for change in rest.unstaged where random.int(2) == 0 {
                try s.store.drafts.discard([change], s.done())
                count += 1
            }
            for _ in 0..<count { _ = try s.store.drafts.bringBack(s.done()) }
            #expect(try s.allFiles() == before, "seed \(seed)")
        }
    }
}
