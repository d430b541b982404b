import Foundation
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

@Suite(.serialized)
struct ConcurrencyTests {
    @Test func eightWritersLoseNoChange() throws {
        try withStore { s in
            try s.put("counter", .number("Counter", 0))
            for number in 0..<8 { try s.put("g.n\(number)", .number("N", 0)) }
            let path = s.path
            let errors = inThreads(8) { number in
                for round in 1...5 {
                    let store = try Store.open(StoreFolder(path: path))
                    store.journal.patience = 60
                    let done = TemporaryStore.done(at: 1_700_001_000 + Int64(round))
                    _ = try store.recorder.record(done) { tip throws(Problem) in
                        let before = try tip.settings(of: [.option(.of("counter")), .option(.of("g.n\(number)"))])
                        var after = before
                        guard case .number(let count)? = before.options[.of("counter")]?.value, let next = count.adding(Number(1))
                        else {
                            throw .key(.noOption("counter", near: []))
                        }
                        after.options[.of("counter")]?.value = .number(next)
                        after.options[.of("g.n\(number)")]?.value = .number(round)
                        return Edit(after.changes(since: before))
                    }
                }
            }
            #expect(errors == [])
            #expect(try s.value("counter") == "40")
            for number in 0..<8 { #expect(try s.value("g.n\(number)") == "5") }
            #expect(try s.versions().count == 50)
        }
    }

    @Test func plainGitMovesTheBranchBesideUs() throws {
        try withStore(prefix: "conf/") { s in
            try s.put("n", .number("N", 0))
            let (path, root) = (s.path, s.root)
            let errors = inThreads(2) { number in
                for round in 1...8 {
                    if number == 0 {
                        let store = try Store.open(StoreFolder(path: path))
                        store.journal.patience = 60
                        _ = try store.recorder.record(TemporaryStore.done(at: 1_700_001_000 + Int64(round))) {
                            tip throws(Problem) in
                            let before = try tip.settings(of: [.option(.of("n"))])
                            var after = before
                            after.options[.of("n")]?.value = .number(round)
                            return Edit(after.changes(since: before))
                        }
                    } else {
                        // Git gives up at once where somebody else was faster.
                        for _ in 0..<200 {
                            let head = try runGit(["rev-parse", "HEAD"], in: root)
                            let new = try runGit(["commit-tree", "-p", head, "-m", "empty \(round)", "\(head)^{tree}"], in: root)
                            if (try? runGit(["update-ref", "HEAD", new, head], in: root)) != nil { break }
                        }
                    }
                }
            }
            #expect(errors == [])
            try s.reopen()
            #expect(try s.value("n") == "8")
            #expect(try s.git("log", "--format=%s", "--grep=^n: .*→").split(separator: "\n").count == 8)
            #expect(try s.git("log", "--format=%s", "--grep=^empty").split(separator: "\n").count == 8)
        }
    }

    @Test func readersSeeOneVersion() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            let path = s.path
            let errors = inThreads(3) { number in
                if number == 0 {
                    let store = try Store.open(StoreFolder(path: path))
                    for round in 1...20 {
                        _ = try store.recorder.record(TemporaryStore.done(at: 1_700_001_000)) { tip throws(Problem) in
                            let before = try tip.settings()
                            var after = before
                            after.options[.of("a")]?.value = .number(round)
                            after.options[.of("b")]?.value = .number(round)
                            return Edit(after.changes(since: before))
                        }
                    }
                } else {
                    for _ in 0..<60 {
                        let pair = try StoreFolder(path: path).reading { folder throws(Problem) in
                            [
                                try folder.item(.option(.of("a")))?.option?.value,
                                try folder.item(.option(.of("b")))?.option?.value,
                            ]
                        }
                        if pair[0] != pair[1] { throw Problem.value(.isNoCondition("mixed: \(pair)")) }
                    }
                }
            }
            #expect(errors == [])
        }
    }
}
