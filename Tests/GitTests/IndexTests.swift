import Foundation
import Seeds
import Testing

@testable import Git

@Suite struct IndexTests {
    @Test func statusIsCleanAfterAMove() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a/b": "1", "c": "2", "é": "3"])
        #expect(try scratch.git("status", "--porcelain") == "")
        try scratch.record(["a/b": nil, "c": "22"])
        #expect(try scratch.git("status", "--porcelain") == "")
        #expect(try scratch.git("diff-files") == "")
        #expect(try scratch.git("ls-files", "a/b") == "")
        #expect(try scratch.git("cat-file", "blob", ":c") == "22")
        try scratch.expectSound()
    }

    /// `git diff-files` compares only times and sizes: `git status` would have to hash the files that it lists.
    @Test func gitDoesNotHashFilesAgain() throws {
        let scratch = try Scratch.make()
        try scratch.write("1", to: "a")
        // Older than the index, so that git trusts the times.
        try scratch.git("update-index", "-q", "--refresh")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: scratch.path + "/a")
        let id = try scratch.repository.objects.write(blob: Array("1".utf8))
        try scratch.repository.index.recordInIndex([TreeUpdate(path: "a", change: .put(id, .blob))])
        #expect(try scratch.git("diff-files") == "")
    }

    @Test func otherStagedFilesStayStaged() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a": "1", "b": "2"])
        try scratch.write("other", to: "b")
        try scratch.write("new", to: "n/x")
        try scratch.git("add", "b", "n/x")
        try scratch.record(["a": "11"])
        #expect(try scratch.git("status", "--porcelain") == "M  b\nA  n/x")
    }

    /// git compares whole seconds: an edit in the second of the last write that keeps the size must not be hidden by the
    /// next write of the index.
    @Test func editInTheSecondOfTheIndexIsDetected() throws {
        let scratch = try Scratch.make()
        let start = Int(Date().timeIntervalSince1970)
        while Int(Date().timeIntervalSince1970) == start { usleep(1000) }
        try scratch.record(["a": "1", "b": "1"])
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.path + "/a"))
        try file.write(contentsOf: Data("2".utf8))
        try file.close()
        let second = Int(Date().timeIntervalSince1970)
        while Int(Date().timeIntervalSince1970) == second { usleep(1000) }
        try scratch.record(["b": "2"])
        let status = try scratch.git("status", "--porcelain")
        #expect(status.hasSuffix("M a"), "\(status)")
    }

    @Test func concurrentEditIsDetected() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a": "1"])
        let id = try scratch.repository.objects.write(blob: Array("2".utf8))
        let updates = [TreeUpdate(path: "a", change: .put(id, .blob))]
        let head = try #require(try scratch.repository.references.head().commit)
        let tree = try scratch.repository.objects.tree(updating: try scratch.repository.objects.commit(head).tree, with: updates)
        let commit = try scratch.commit(tree, parents: [head])
        try scratch.repository.references.moveHead(to: commit, from: head, by: Scratch.somebody, note: "x")
        // The same size as the committed file, and older than the index.
        try scratch.write("3", to: "a")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: scratch.path + "/a")
        try scratch.repository.index.recordInIndex(updates)
        #expect(try scratch.git("status", "--porcelain") == " M a")
    }

    @Test func reportsALockedIndex() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a": "1"])
        let id = try scratch.repository.objects.write(blob: Array("1".utf8))
        try scratch.write("", to: ".git/index.lock")
        #expect(kind(scratch) { try $0.index.recordInIndex([TreeUpdate(path: "b", change: .put(id, .blob))]) } == .locked)
        try FileManager.default.removeItem(atPath: scratch.path + "/.git/index.lock")
        #expect(try scratch.git("ls-files") == "a")
    }

    @Test func clearsConflictsOnlyIfRequested() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a": "1", "b": "1"])
        try scratch.git("checkout", "-q", "-b", "side")
        try scratch.record(["a": "2", "b": "2"])
        try scratch.git("checkout", "-q", "main")
        try scratch.record(["a": "3", "b": "3"])
        _ = try? scratch.git("merge", "side")
        #expect(try scratch.repository.index.conflicts().map(\.path) == ["a", "b"])
        #expect(try scratch.repository.git.operation == .merge)
        let id = try scratch.repository.objects.write(blob: Array("2".utf8))
        let updates = [TreeUpdate(path: "a", change: .put(id, .blob))]
        #expect(kind(scratch) { try $0.index.recordInIndex(updates) } == .conflict)
        try scratch.write("2", to: "a")
        try scratch.repository.index.recordInIndex(updates, clearingConflicts: true)
        #expect(try scratch.git("ls-files", "-u", "--format=%(path)").contains("b"))
        #expect(try !scratch.git("ls-files", "-u", "--format=%(path)").contains("a"))
        #expect(try scratch.git("status", "--porcelain") == "M  a\nUU b")
        try scratch.repository.index.recordInIndex([TreeUpdate(path: "b", change: .remove)], clearingConflicts: true)
        #expect(try scratch.repository.index.conflicts().isEmpty == true)
    }

    @Test func worksWithGitsOtherIndexFormats() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a": "1", "b/c": "2"])
        for version in ["4", "3", "2"] {
            try scratch.git("update-index", "--index-version", version)
            try scratch.record(["a": "version \(version)"])
            #expect(try scratch.git("status", "--porcelain") == "")
        }
    }

    @Test func tenThousandPaths() throws {
        let scratch = try Scratch.make()
        let id = try scratch.repository.objects.write(blob: [1])
        let updates = (0..<10_000).map { TreeUpdate(path: "g\($0 % 100)/o\($0)", change: .put(id, .blob)) }
        let spent = try processorTime { try scratch.repository.index.recordInIndex(updates) }
        #expect(spent < .seconds(20), "\(spent)")
        #expect(try scratch.git("ls-files").split(separator: "\n").count == 10_000)
    }
}
