import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct DiscardTests {
    @Test func whatWasDiscardedComesBack() throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.delete("m.json")
            try s.write(SettingsOption.text("T", "hi").file, to: "g/t.json")
            let draft = try s.allFiles()
            let dropped = try s.store.drafts.discard(s.done())
            #expect(dropped.edited.count == 3)
            #expect(try s.store.workTree.draft().isEmpty)
            #expect(s.file("g/t.json") == nil)
            #expect(try s.git("status", "--porcelain") == "")

            let kept = try #require(try s.store.drafts.discarded().first)
            #expect(kept.changes.changes.sentences == ["T: added (\"hi\")", "M: removed (was 1)", "N: 1 → 2"])
            _ = try s.store.drafts.bringBack(s.done())
            #expect(try s.allFiles() == draft)
            #expect(try s.store.drafts.discarded().isEmpty)
            #expect(failure { _ = try s.store.drafts.bringBack(s.done()) }?.kind == .no)
            _ = try s.store.drafts.record(s.done())
        }
    }

    @Test func aFileThatIsFarTooLargeComesBackWhole() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            let bytes = [UInt8](repeating: UInt8(ascii: " "), count: 3 << 20) + Array("{}".utf8)
            try s.write(bytes, to: "n.json")
            _ = try s.store.drafts.discard(s.done())
            #expect(try s.value("n") == "1")
            #expect(s.text("n.json")?.contains("\"value\": 1") == true)
            _ = try s.store.drafts.bringBack(s.done())
            #expect(s.file("n.json") == bytes)
        }
    }

    @Test func onlyAPart() throws {
        try withStore(draft: true) { s in
            try s.put("g.n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.edit("g/n.json", "\"value\": 1", "\"value\": 2")
            try s.edit("m.json", "\"value\": 1", "\"value\": 2")
            _ = try s.store.drafts.discard(in: [.of("g")], s.done())
            #expect(try s.store.workTree.draft().changes.sentences == ["M: 1 → 2"])
        }
    }

    @Test func theNewestComesBackFirst() throws {
        try withStore { s in
            try s.put("n", .number("N", 0))
            for value in 1...3 {
                try s.edit("n.json", "\"value\": 0", "\"value\": \(value)")
                _ = try s.store.drafts.discard(s.done())
            }
            #expect(try s.store.drafts.discarded().count == 3)
            for value in [3, 2, 1] {
                _ = try s.store.drafts.bringBack(s.done())
                #expect(s.text("n.json")?.contains("\"value\": \(value)") == true)
                try s.edit("n.json", "\"value\": \(value)", "\"value\": 0")
            }
        }
    }

    /// One that cannot come back is in nobody's way.
    @Test func theNewestOfEachKeyComesBack() throws {
        try withStore(draft: true) { s in
            for name in ["n", "m", "g.x", "g.y"] { try s.put(name, .number("N", 0)) }
            func edit(_ files: String..., to value: Int) throws {
                for file in files { try s.edit(file, "\"value\": 0", "\"value\": \(value)") }
                _ = try s.store.drafts.discard(s.done())
            }
            try edit("n.json", "m.json", "g/x.json", "g/y.json", to: 1)
            try edit("m.json", "g/x.json", to: 2)
            try s.write(SettingsOption.text("T", "hi").file, to: "t.json")
            _ = try s.store.drafts.discard(s.done())
            try s.set("n", 5)
            let kept = try s.store.drafts.discarded().map(\.time)

            var dry = s.done()
            dry.isDryRun = true
            #expect(try s.store.drafts.bringBack(in: [.of("m")], dry).changes.map(\.subject.path) == ["m.json"])
            let none = failure { _ = try s.store.drafts.bringBack(in: [.of("m"), .of("o")], s.done()) }
            #expect(none == .recording(.nothingDiscarded(of: .of("o"))))
            #expect(try s.store.workTree.draft().isEmpty)
            // What else was discarded with it stays, in its place.
            _ = try s.store.drafts.bringBack(in: [.of("m")], s.done())
            #expect(s.text("m.json")?.contains("\"value\": 2") == true)
            #expect(try s.store.drafts.discarded().map(\.time) == kept)
            let refused = failure { _ = try s.store.drafts.bringBack(in: [.of("n")], s.done()) }
            let last = try #require(try s.store.drafts.discarded().last)
            guard
                case .recording(.changedSinceDiscarded(.option(.of("n")), let conflicts, kept: "\(last.reference):n.json")) =
                    refused
            else {
                Issue.record("\(String(describing: refused))")
                return
            }
            #expect(conflicts.count == 1)
            #expect(try s.git("show", "\(last.reference):n.json").contains("\"value\": 1"))

            // Of a group what was discarded there last: g.x alone, and then the rest of it.
            #expect(try s.store.drafts.bringBack(in: [.of("g")], s.done()).changes.map(\.subject.path) == ["g/x.json"])
            #expect(s.text("g/x.json")?.contains("\"value\": 2") == true)
            #expect(try s.store.drafts.discarded().count == 2)
            #expect(try s.store.drafts.bringBack(in: [.of("g.y"), .of("t")], s.done()).changes.count == 2)
            #expect(s.text("g/y.json")?.contains("\"value\": 1") == true)
            let left = try #require(try s.store.drafts.discarded().first)
            #expect(left.changes.changes.map(\.subject.path) == ["g/x.json", "m.json", "n.json"])
            // Over a newer edit it does not come back.
            let edited = failure { _ = try s.store.drafts.bringBack(in: [.of("m")], s.done()) }
            #expect(edited == .recording(.editedSinceDiscarded(.option(.of("m")), .edited, kept: "\(left.reference):m.json")))
            #expect(try s.git("for-each-ref", "refs/settings/discarded").split(separator: "\n").count == 1)
        }
    }

    @Test func theNewestOfOneSecondComesBackFirst() throws {
        try withStore { s in
            try s.put("n", .number("N", 0))
            let done = s.done()
            for value in Array(1...12) + [3] {
                try s.edit("n.json", "\"value\": 0", "\"value\": \(value)")
                _ = try s.store.drafts.discard(done)
            }
            for value in [3] + Array(1...12).reversed() {
                _ = try s.store.drafts.bringBack(done)
                #expect(s.text("n.json")?.contains("\"value\": \(value)\n") == true, "\(value)")
                try s.edit("n.json", "\"value\": \(value)\n", "\"value\": 0\n")
            }
        }
    }

    @Test func nothingComesBackOverNewerEdits() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            _ = try s.store.drafts.discard(s.done())
            try s.edit("n.json", "\"value\": 1", "\"value\": 3")
            #expect(failure { _ = try s.store.drafts.bringBack(s.done()) }?.kind == .conflict)
            #expect(s.text("n.json")?.contains("\"value\": 3") == true)
            #expect(try s.store.drafts.discarded().count == 1)
        }
    }

    /// What is in the file already, and kept, is in the way of nothing: what was discarded before it comes back.
    @Test func whatIsThereAlreadyIsPassedOver() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            for value in [2, 3] {
                try s.edit("n.json", "\"value\": 1", "\"value\": \(value)")
                _ = try s.store.drafts.discard(s.done())
            }
            try s.edit("n.json", "\"value\": 1", "\"value\": 3")
            _ = try s.store.drafts.bringBack(in: [.of("n")], s.done())
            #expect(s.text("n.json")?.contains("\"value\": 2") == true)
            #expect(try s.store.drafts.discarded().count == 1)
            #expect(failure { _ = try s.store.drafts.bringBack(in: [.of("n")], s.done()) }?.kind == .conflict)
            _ = try s.store.drafts.discard(s.done())
            // Of what is there, nothing older is left.
            try s.edit("n.json", "\"value\": 1", "\"value\": 3")
            _ = try s.store.drafts.bringBack(in: [.of("n")], s.done())
            #expect(s.text("n.json")?.contains("\"value\": 2") == true)
            try s.edit("n.json", "\"value\": 2", "\"value\": 3")
            _ = try s.store.drafts.bringBack(in: [.of("n")], s.done())
            #expect(s.text("n.json")?.contains("\"value\": 3") == true)
            #expect(try s.store.drafts.discarded().isEmpty)
        }
    }

    @Test func aDraftIsKeptForThirtyDays() throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            func discard(_ value: Int) throws {
                try s.edit("n.json", "\"value\": 1", "\"value\": \(value)")
                _ = try s.store.drafts.discard(s.done())
            }
            try discard(2)
            s.clock += Drafts.keptFor - 200
            try discard(3)
            #expect(try s.store.drafts.discarded().count == 2)
            s.clock += 400
            try discard(4)
            #expect(try s.store.drafts.discarded().count == 2)
        }
    }

    @Test func aBrokenFileIsKeptToo() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.write("{ half", to: "n.json")
            _ = try s.store.drafts.discard(s.done())
            #expect(s.text("n.json")?.contains("\"value\": 1") == true)
            _ = try s.store.drafts.bringBack(s.done())
            #expect(s.text("n.json") == "{ half")
            _ = try s.store.drafts.discard(s.done())
            try s.set("n", 2)
            _ = try s.store.drafts.bringBack(s.done())
            #expect(s.text("n.json") == "{ half")
        }
    }

    @Test func aDryRunDropsAndBringsNothing() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            _ = try s.store.drafts.discard(s.done())
            var dry = s.done()
            dry.isDryRun = true
            _ = try s.store.drafts.bringBack(dry)
            #expect(s.text("n.json")?.contains("\"value\": 1") == true)
            #expect(try s.store.drafts.discarded().count == 1)
        }
    }

    @Test func aDraftOnAnEarlierVersionComesBackOverALaterOneOnlyWhereItFits() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            _ = try s.store.drafts.discard(s.done())
            try s.set("m", 5)
            _ = try s.store.drafts.bringBack(s.done())
            #expect(try s.store.workTree.draft().changes.sentences == ["N: 1 → 2"])
            _ = try s.store.drafts.discard(s.done())
            try s.set("n", 9)
            #expect(failure { _ = try s.store.drafts.bringBack(s.done()) }?.kind == .conflict)
            #expect(s.text("n.json")?.contains("\"value\": 9") == true)
            try s.change(s.done()) {
                $0.options[.of("n")]?.value = .number(1); $0.options[.of("n")]?.title = "Newer"
            }
            _ = try s.store.drafts.bringBack(s.done())
            #expect(try s.store.workTree.draft().changes.sentences == ["Newer: 1 → 2"])
        }
    }

    @Test func whatIsStagedIsDiscardedToo() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.put("o", .number("O", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.git("rm", "-q", "m.json")
            try s.write(SettingsOption.text("T", "hi").file, to: "t.json")
            try s.git("add", "n.json", "t.json")
            try s.write(SettingsOption.text("U", "hi").file, to: "u.json")
            try s.git("add", "-N", "u.json")
            try s.write(Array("other".utf8), to: "other.txt")
            try s.git("add", "other.txt")
            _ = try s.store.drafts.discard(in: [.of("n")], s.done())
            #expect(try s.git("status", "--porcelain") == "D  m.json\nA  other.txt\nA  t.json\n A u.json")
            _ = try s.store.drafts.discard(s.done())
            #expect(try s.git("status", "--porcelain") == "A  other.txt")
            _ = try s.store.drafts.bringBack(s.done())
            #expect(try s.git("status", "--porcelain") == " D m.json\nA  other.txt\n?? t.json\n?? u.json")
        }
    }

    @Test func whatIsOnlyStagedComesBackInTheFile() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.git("add", "n.json")
            try s.edit("n.json", "\"value\": 2", "\"value\": 1")
            let dropped = try s.store.drafts.discard(s.done())
            #expect(dropped.changes.sentences == ["N: 1 → 2"])
            #expect(try s.git("status", "--porcelain") == "")
            _ = try s.store.drafts.bringBack(s.done())
            #expect(try s.store.workTree.draft().changes.sentences == ["N: 1 → 2"])
        }
    }

    @Test func anIndexThatOnlyGitReadsLeavesEverythingAsItWas() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.git("add", "n.json")
            try s.git("update-index", "--index-version", "4")
            try s.git("update-index", "--split-index")
            #expect(failure { _ = try s.store.drafts.discard(s.done()) }?.kind == .cannotWrite)
            #expect(s.text("n.json")?.contains("\"value\": 2") == true)
            #expect(try s.store.drafts.discarded().isEmpty)
        }
    }

    @Test func nothingIsDiscardedWhileGitMerges() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.git("switch", "-q", "-c", "other")
            try s.set("n", 2)
            try s.git("switch", "-q", "main")
            try s.set("m", 2)
            try s.git("merge", "-q", "--no-commit", "other")
            let changes = try s.store.workTree.handEdits().staged
            #expect(changes.sentences == ["N: 1 → 2"])
            #expect(failure { _ = try s.store.drafts.discard(s.done()) }?.kind == .conflict)
            #expect(failure { _ = try s.store.drafts.discard(in: [.of("n")], s.done()) }?.kind == .conflict)
            #expect(failure { try s.store.drafts.discard(changes, files: [.option(.of("n"))], s.done()) }?.kind == .conflict)
            #expect(failure { _ = try s.store.drafts.bringBack(s.done()) } == .repository(.isInTheMiddle(of: "merge")))
            #expect(s.text("n.json")?.contains("\"value\": 2") == true)
            try s.git("commit", "-q", "--no-edit")
        }
    }

    /// What `git stash pop` leaves in conflict, without an operation in progress.
    @Test(arguments: [false, true]) func whatAStashLeftInConflictIsDiscarded(oneByOne: Bool) throws {
        try withStore(draft: true) { s in
            for name in ["both", "ours", "theirs", "other"] { try s.put(name, .number("N", 1)) }
            try s.edit("both.json", "\"value\": 1", "\"value\": 2")
            try s.edit("ours.json", "\"value\": 1", "\"value\": 2")
            try s.git("rm", "-q", "theirs.json")
            try s.git("stash", "-q")
            try s.set("both", 3)
            try s.change(s.done()) { $0.options[.of("ours")] = nil }
            try s.set("theirs", 3)
            #expect(throws: (any Error).self) { try s.git("stash", "pop", "-q") }
            #expect(try s.git("status", "--porcelain") == "UU both.json\nDU ours.json\nUD theirs.json")
            try s.edit("other.json", "\"value\": 1", "\"value\": 2")
            if oneByOne {
                let dropped = try s.store.drafts.discard(in: [.of("theirs")], s.done())
                #expect(dropped.unmerged == [.option(.of("theirs"))] && !dropped.isEmpty)
                #expect(try s.store.drafts.discarded().isEmpty)
                #expect(try s.git("status", "--porcelain") == "UU both.json\n M other.json\nDU ours.json")
                let both = Subject.option(.of("both"))
                try s.store.drafts.discard([], files: [both], s.done())
                #expect(try s.git("status", "--porcelain") == " M other.json\nDU ours.json")
                _ = try s.store.drafts.discard(in: [.of("ours")], s.done())
                #expect(try s.git("status", "--porcelain") == " M other.json")
            } else {
                _ = try s.store.drafts.discard(s.done())
                #expect(try s.git("status", "--porcelain") == "")
                _ = try s.store.drafts.bringBack(s.done())
                #expect(s.text("both.json")?.contains("<<<<<<<") == true && s.text("ours.json")?.contains("2") == true)
                #expect(try s.git("status", "--porcelain") == " M both.json\n M other.json\n?? ours.json")
            }
        }
    }

    @Test func editsAreDiscardedDuringABisect() throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.set("n", 2)
            try s.git("bisect", "start")
            try s.edit("n.json", "\"value\": 2", "\"value\": 3")
            _ = try s.store.drafts.discard(s.done())
            #expect(s.text("n.json")?.contains("\"value\": 2") == true)
            try s.git("bisect", "reset")
        }
    }
}
