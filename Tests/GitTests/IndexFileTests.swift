import Foundation
import Seeds
import Testing

@testable import Git

/// Compares the index patched in place with git's own view of it.
@Suite struct IndexFileTests {
    /// Writes these files to the index and the work tree, nil removes one; HEAD stays.
    private func patch(_ scratch: borrowing Scratch, _ files: [String: String?]) throws {
        var updates: [TreeUpdate] = []
        for (name, text) in files {
            if let text {
                try scratch.write(text, to: name)
                updates.append(
                    TreeUpdate(path: name, change: .put(try scratch.repository.objects.write(blob: Array(text.utf8)), .blob)))
            } else {
                try FileManager.default.removeItem(atPath: scratch.path + "/" + name)
                updates.append(TreeUpdate(path: name, change: .remove))
            }
        }
        try scratch.repository.index.recordInIndex(updates)
    }

    /// Expects the index that git itself creates for the same files.
    private func expectAsGit(_ scratch: borrowing Scratch, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (entries, tree) = (try scratch.git("ls-files", "-s"), try scratch.git("write-tree"))
        #expect(try scratch.git("diff-files", "--name-only") == "", sourceLocation: sourceLocation)
        try scratch.git("add", "-A")
        #expect(try scratch.git("ls-files", "-s") == entries, sourceLocation: sourceLocation)
        try scratch.git("read-tree", "--empty")
        try scratch.git("add", "-A")
        #expect(try scratch.git("write-tree") == tree, sourceLocation: sourceLocation)
        let report = try scratch.git("fsck", "--cache", "--strict", "--no-dangling")
        #expect(report == "" || report.hasPrefix("notice:"), sourceLocation: sourceLocation)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5]) func randomPatches(seed: UInt64) throws {
        let scratch = try Scratch.make()
        var random = Seeded(seed)
        var files: [String: String] = [:]
        for round in 0..<12 {
            var change: [String: String?] = [:]
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let name =
                    ["", "a/", "a/b/", "a-/", "é/", "z/z/z/z/"][Int.random(in: 0..<6, using: &random)]
                    + ["a.json", "b.json", "ab", String(repeating: "n", count: 200)][Int.random(in: 0..<4, using: &random)]
                if files[name] != nil, Bool.random(using: &random) {
                    change[name] = .some(nil)
                } else {
                    change[name] = "\(round) \(Int.random(in: 0...99, using: &random))"
                }
            }
            try patch(scratch, change)
            files.merge(change.compactMapValues { $0 }) { $1 }
            for (name, text) in change where text == nil { files[name] = nil }
            let listed = try scratch.git("-c", "core.quotePath=false", "ls-files").split(separator: "\n")
            #expect(Set(listed.map(String.init)) == Set(files.keys))
            switch round % 4 {
            case 0: try scratch.git("commit", "-q", "--allow-empty", "-m", "\(round)")
            case 1: try scratch.git("status")
            case 2: try scratch.git("write-tree")
            default: break
            }
        }
        try expectAsGit(scratch)
    }

    @Test(arguments: ["2", "3", "4"]) func everyVersion(version: String) throws {
        let scratch = try Scratch.make()
        try scratch.record(["a/x": "1", "b": "1", "c": "1"])
        try scratch.git("update-index", "--index-version", version)
        if version == "3" {
            try scratch.write("new", to: "later")
            try scratch.git("add", "-N", "later")
        }
        try patch(scratch, ["a/x": "2", "a/y": "1", "b": nil] as [String: String?])
        #expect(try scratch.git("ls-files").split(separator: "\n") == ["a/x", "a/y", "c"] + (version == "3" ? ["later"] : []))
        if version == "3" { #expect(try scratch.git("status", "--porcelain").contains(" A later")) }
        try scratch.git("add", "-A")
        try expectAsGit(scratch)
    }

    @Test func gitsIndexExtensions() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a/x": "1", "b": "1"])
        try scratch.git("config", "core.untrackedCache", "true")
        try scratch.git("config", "index.threads", "2")
        try scratch.git("update-index", "--force-untracked-cache")
        try scratch.git("status")
        try patch(scratch, ["a/x": "2", "c": "1"])
        try scratch.git("config", "--unset", "core.untrackedCache")
        try scratch.git("update-index", "--no-untracked-cache")
        try scratch.git("status")
        try patch(scratch, ["a/x": "3"])
        try expectAsGit(scratch)
    }

    @Test func fileReplacesAFolder() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a": "1", "a-b": "1", "b/c": "1"])
        let id = try scratch.repository.objects.write(blob: Array("2".utf8))
        try scratch.repository.index.recordInIndex([TreeUpdate(path: "a/x", change: .put(id, .blob))])
        try scratch.repository.index.recordInIndex([TreeUpdate(path: "b", change: .put(id, .blob))])
        let listed = try scratch.git("ls-files").split(separator: "\n").map(String.init)
        #expect(listed == ["a-b", "a/x", "b"], "\(listed)")
    }

    @Test func longPath() throws {
        let scratch = try Scratch.make()
        let id = try scratch.repository.objects.write(blob: Array("2".utf8))
        let long = (0..<20).map { _ in String(repeating: "d", count: 250) }.joined(separator: "/")
        for path in [long, "a", long + "e", "z"] {
            try scratch.repository.index.recordInIndex([TreeUpdate(path: path, change: .put(id, .blob))])
        }
        #expect(try scratch.git("ls-files").split(separator: "\n").map(String.init) == ["a", long, long + "e", "z"])
    }

    /// An index that is truncated or damaged anywhere is rebuilt from HEAD.
    @Test func damagedIndex() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a/x": "1", "b": "1"])
        try scratch.git("status")
        let file = URL(fileURLWithPath: scratch.path + "/.git/index")
        let sound = Array(try Data(contentsOf: file))
        for place in stride(from: 0, to: sound.count, by: 7) {
            var damaged = sound
            damaged[place] ^= 0x55
            for bytes in [damaged, Array(sound[..<place])] {
                try Data(bytes).write(to: file)
                let id = try scratch.repository.objects.write(blob: Array("1".utf8))
                try scratch.repository.index.recordInIndex([TreeUpdate(path: "b", change: .put(id, .blob))])
                #expect(try scratch.git("diff", "--cached", "--name-only") == "")
            }
        }
        #expect(try scratch.git("status", "--porcelain") == "")
    }

    @Test func ownLocksAreRecognisedByTheirSecondName() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a": "1"])
        let own = scratch.path + "/own"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let index = scratch.path + "/.git/index"
        // As a killed process leaves it.
        try scratch.write("x", to: "own/lock-index")
        try FileManager.default.linkItem(atPath: own + "/lock-index", toPath: index + ".lock")
        #expect(kind(scratch) { _ = try $0.index.lockIndex() } == .locked)
        try scratch.repository.git.removeLeftLocks(own: own)
        #expect(try FileManager.default.contentsOfDirectory(atPath: own) == [])
        #expect(kind(scratch) { _ = try $0.index.lockIndex(own: own) } == nil)
        #expect(FileManager.default.fileExists(atPath: index + ".lock") == false)
        // Other processes' locks stay, whatever is in our folder.
        try scratch.write("x", to: "own/lock-index")
        try scratch.write("x", to: ".git/index.lock")
        try scratch.repository.git.removeLeftLocks(own: own)
        #expect(FileManager.default.fileExists(atPath: index + ".lock") == true)
        #expect(kind(scratch) { _ = try $0.index.lockIndex(own: own) } == .locked)
        #expect(try FileManager.default.contentsOfDirectory(atPath: own) == [])
    }
}
