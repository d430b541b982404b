import Foundation
import Seeds
import Base
import Testing

@testable import Git

/// Every form of the index that git writes, by git itself and damaged on purpose.
@Suite struct IndexFormsTests {
    private func index(_ scratch: borrowing Scratch) -> URL { URL(fileURLWithPath: scratch.path + "/.git/index") }

    private func bytes(_ scratch: borrowing Scratch) throws -> [UInt8] { Array(try Data(contentsOf: index(scratch))) }

    private func put(_ name: String, _ scratch: borrowing Scratch) throws {
        try scratch.write("new", to: name)
        let id = try scratch.repository.objects.write(blob: Array("new".utf8))
        try scratch.repository.index.recordInIndex([TreeUpdate(path: name, change: .put(id, .blob))])
    }

    private func listed(_ scratch: borrowing Scratch) throws -> [String] {
        try scratch.git("ls-files", "-z").split(separator: "\0").map(String.init)
    }

    /// Files with random names, of which many begin alike, some only meant to be added and some not checked out.
    private func random(_ seed: UInt64, _ version: String, _ scratch: borrowing Scratch) throws -> Set<String> {
        var random = Seeded(seed)
        var names: Set<String> = []
        for _ in 0..<60 {
            let length = Int.random(in: 1...(Bool.random(using: &random) ? 12 : 200), using: &random)
            let name = String((0..<length).map { _ in "aab1-é"[Int.random(in: 0..<6, using: &random)] })
            let folder = ["", "a/", "abc/", "b/\(String(repeating: "long", count: 50))/"][Int.random(in: 0..<4, using: &random)]
            if !folder.isEmpty || !["a", "b"].contains(name) { names.insert("\(folder)f\(name)") }
        }
        for name in names { try scratch.write("x", to: name) }
        try scratch.git("add", ".")
        try scratch.git("commit", "-q", "-m", "x")
        try scratch.git("update-index", "--index-version", version)
        if version != "2" {
            for name in names.sorted().prefix(20) {
                if Bool.random(using: &random) { try scratch.git("update-index", "--skip-worktree", name) }
            }
            try scratch.write("x", to: "later")
            try scratch.git("add", "-N", "later")
            names.insert("later")
        }
        return names
    }

    @Test(arguments: ["2", "3", "4"], [1, 2, 3, 4, 5]) func randomNames(version: String, seed: UInt64) throws {
        let scratch = try Scratch.make()
        let names = try random(seed, version, scratch)
        #expect(IndexFile.unknownExtension(in: try bytes(scratch)) == nil)
        let skipped = try scratch.git("ls-files", "-v", "-z").split(separator: "\0").filter { $0.hasPrefix("S ") }
        #expect(try scratch.repository.index.skippedPaths() == Set(skipped.map { String($0.dropFirst(2)) }))
        let contents = try #require(try scratch.repository.index.contents(under: ""))
        #expect(Set(contents.keys) == names)
        for line in try scratch.git("ls-files", "-s", "-z").split(separator: "\0") where !line.hasSuffix("\tlater") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            let id = try #require(contents[String(parts[1])] ?? nil).id
            #expect(parts[0].split(separator: " ")[1] == id.hex)
        }
        for name in ["a/new", "zz", "é/é"] { try put(name, scratch) }
        let first = try #require(names.sorted().last)
        try FileManager.default.removeItem(atPath: scratch.path + "/" + first)
        try scratch.repository.index.recordInIndex([TreeUpdate(path: first, change: .remove)])
        #expect(Set(try listed(scratch)) == names.union(["a/new", "zz", "é/é"]).subtracting([first]))
        #expect(IndexFile.number(try bytes(scratch), 4) == (version == "4" ? 4 : version == "3" ? 3 : 2))
        #expect(try scratch.git("ls-files", "-v").split(separator: "\n").filter { $0.hasPrefix("S ") }.count == skipped.count)
        #expect(try scratch.git("diff-files", "--name-only").split(separator: "\n").filter { $0 != "later" } == [])
        let report = try scratch.git("fsck", "--cache", "--strict", "--no-dangling")
        #expect(report == "" || report.hasPrefix("notice:"))
    }

    /// An entry that nothing follows, neither another one nor an extension.
    @Test(arguments: ["2", "4"]) func onePath(version: String) throws {
        let scratch = try Scratch.make()
        try scratch.write("x", to: "a")
        try scratch.git("add", ".")
        try scratch.git("update-index", "--index-version", version)
        #expect(IndexFile.unknownExtension(in: try bytes(scratch)) == nil)
        try put("b", scratch)
        #expect(try listed(scratch) == ["a", "b"])
    }

    /// As newer versions of git write it where `feature.manyFiles` is set.
    @Test(arguments: ["2", "4"]) func indexWithoutAHash(version: String) throws {
        let scratch = try Scratch.make()
        try scratch.record(["a/x": "1", "b": "1"])
        try scratch.write("2", to: "staged")
        try scratch.git("add", ".")
        try scratch.git("update-index", "--index-version", version)
        try scratch.git("update-index", "--force-untracked-cache")
        try Data(try bytes(scratch).dropLast(20) + [UInt8](repeating: 0, count: 20)).write(to: index(scratch))
        try put("c", scratch)
        #expect(try listed(scratch) == ["a/x", "b", "c", "staged"])
        // A file in the place of a folder is left to libgit2.
        try Data(try bytes(scratch).dropLast(20) + [UInt8](repeating: 0, count: 20)).write(to: index(scratch))
        let id = try scratch.repository.objects.write(blob: [1])
        try scratch.repository.index.recordInIndex([TreeUpdate(path: "a", change: .put(id, .blob))])
        #expect(try listed(scratch) == ["a", "b", "c", "staged"])
    }

    @Test(arguments: ["2", "4"]) func conflicts(version: String) throws {
        let scratch = try Scratch.make()
        try scratch.record(["a": "1", "b": "1"])
        try scratch.git("update-index", "--index-version", version)
        let ids = try (1...3).map { try scratch.repository.objects.write(blob: [$0]) }
        let zeros = String(repeating: "0", count: 40)
        let stages = ids.enumerated().map { "100644 \($1) \($0 + 1)\tc\n" } + ["0 \(zeros) 0\tb\n", "100644 \(ids[1]) 2\tb\n"]
        try scratch.git("update-index", "--index-info", input: Array(stages.joined().utf8))
        let found = try scratch.repository.index.conflicts()
        #expect(found.map(\.path) == ["b", "c"])
        #expect(found.map { [$0.base, $0.ours, $0.theirs].map { $0?.id } } == [[nil, ids[1], nil], ids])
        try put("d", scratch)
        #expect(try scratch.git("ls-files", "-u").split(separator: "\n").count == 4)
    }

    /// What only git can read is found out before anything else is written.
    @Test(arguments: ["2", "4"], ["link", "sdir", "newx", "\u{1}abc"])
    func formsOnlyGitReads(version: String, name: String) throws {
        let scratch = try Scratch.make()
        _ = try random(7, version, scratch)
        if name == "link" {
            try scratch.git("update-index", "--split-index")
            try scratch.write("y", to: "fresh")
            try scratch.git("add", "fresh")
        } else {
            let sound = try bytes(scratch).dropLast(20) + Array(name.utf8) + [0, 0, 0, 0]
            try Data(sound + IndexFile.hash(sound[...])).write(to: index(scratch))
        }
        let before = try bytes(scratch)
        #expect(kind { _ = try scratch.repository.index.lockIndex() } == .unknownIndex(extension: name))
        #expect(kind { try put("new", scratch) } == .unknownIndex(extension: name))
        #expect(try bytes(scratch) == before)
    }

    /// An extension whose name begins with a capital letter need not be understood.
    @Test(arguments: ["2", "4"]) func extensionsThatMayBeLeftOut(version: String) throws {
        let scratch = try Scratch.make()
        let names = try random(8, version, scratch)
        let sound = try bytes(scratch).dropLast(20) + Array("NEWX".utf8) + [0, 0, 0, 4, 1, 2, 3, 4]
        try Data(sound + IndexFile.hash(sound[...])).write(to: index(scratch))
        try put("new", scratch)
        #expect(Set(try listed(scratch)) == names.union(["new"]))
    }

    /// An index that is truncated or damaged anywhere is rebuilt from HEAD, and no look at it fails.
    @Test(arguments: ["2", "4"]) func damage(version: String) throws {
        let scratch = try Scratch.make()
        let names = try random(9, "2", scratch)
        try scratch.git("update-index", "--index-version", version)
        let sound = try bytes(scratch)
        for place in stride(from: 0, to: sound.count, by: 301) {
            var damaged = sound
            damaged[place] ^= 0x55
            for bytes in [damaged, Array(sound[..<place]), damaged.dropLast(20) + [UInt8](repeating: 0, count: 20)] {
                try Data(bytes).write(to: index(scratch))
                _ = try? scratch.repository.index.skippedPaths()
                _ = try? scratch.repository.index.conflicts()
                _ = scratch.repository.index.notedFiles(under: "")
                if bytes.suffix(20).allSatisfy({ $0 == 0 }) { continue }
                try put("new", scratch)
                #expect(Set(try listed(scratch)) == names.union(["new"]), "\(place)")
            }
        }
    }
}

extension String {
    fileprivate subscript(place: Int) -> Character { self[index(startIndex, offsetBy: place)] }
}
