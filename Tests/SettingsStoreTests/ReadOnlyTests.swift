import Foundation
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// A store that may be looked at only. Root may write anywhere: there these tests are skipped, which the run shows.
@Suite(.enabled(if: geteuid() != 0, "root may write anywhere; run them with setpriv --reuid"))
struct ReadOnlyTests {
    private func readOnly(_ s: TemporaryStore, _ body: () throws -> Void) throws {
        func mode(_ mode: Int) throws {
            let all = FileManager.default.enumerator(atPath: s.root)?.compactMap { $0 as? String } ?? []
            for name in [""] + all {
                var isFolder: ObjCBool = false
                let path = s.root + "/" + name
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { continue }
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
        }
        try mode(0o555)
        defer { try? mode(0o755) }
        try body()
    }

    @Test func isRead() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.set("a", 2)
            try readOnly(s) {
                try s.reopen()
                #expect(try s.value("a") == "2")
                #expect(try s.versions().count == 3)
                #expect(try s.blamed("a") != nil)
                #expect(try s.store.workTree.draft().isEmpty)
                #expect(try s.store.upkeep.verify().findings.isEmpty)
            }
        }
    }

    @Test func isNotWritten() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let head = try s.git("rev-parse", "HEAD")
            try readOnly(s) {
                try s.reopen()
                s.store.journal.patience = 0.2
                let error = failure { try s.set("a", 2) }
                #expect(error?.kind == .cannotWrite)
                #expect(try runGit(["rev-parse", "HEAD"], in: s.root) == head)
                #expect(s.text("a.json")?.contains("\"value\": 1") == true)
            }
        }
    }
}
