import Foundation
import Seeds
import Surroundings
import Testing

import Base
@testable import Git

@Suite struct TreeTests {
    @Test func updatesTrees() throws {
        let scratch = try Scratch.make()
        let base = try scratch.tree(["a/b/c": "1", "a/d": "2", "a-b": "3", "a0": "4"])
        #expect(try scratch.repository.objects.files(in: base).map(\.path) == ["a-b", "a/b/c", "a/d", "a0"])
        let file = try scratch.repository.objects.write(blob: [9])
        let next = try scratch.repository.objects.tree(
            updating: base,
            with: [
                TreeUpdate(path: "a/b/c", change: .remove), TreeUpdate(path: "x/y/z", change: .put(file, .executable)),
                TreeUpdate(path: "not/there", change: .remove), TreeUpdate(path: "a0", change: .put(file, .blob)),
            ])
        #expect(
            try scratch.repository.objects.files(in: next).map { "\($0.path) \($0.mode)" }
                == ["a-b blob", "a/d blob", "a0 blob", "x/y/z executable"])
        #expect(try scratch.repository.objects.entry(at: "a/b", in: next) == nil)
        #expect(try scratch.repository.objects.entry(at: "x/y", in: next)?.mode == .tree)
        #expect(try scratch.repository.objects.entry(at: "x/y/z", in: next)?.id == file)
        #expect(try scratch.repository.objects.files(in: next, under: "x/y").map(\.path) == ["x/y/z"])
        #expect(try scratch.repository.objects.files(in: next, under: "none").isEmpty)
        #expect(try scratch.repository.objects.entries(of: next).map(\.name) == ["a-b", "a", "a0", "x"])
        let commit = try scratch.commit(next)
        try scratch.repository.references.moveHead(to: commit, from: nil, by: Scratch.somebody, note: "x")
        try scratch.expectSound()
    }

    /// Thirty trees that represent 1,000,000,000 files, and thirty for as many empty folders.
    @Test func treesThatExpandToTooManyFiles() throws {
        let scratch = try Scratch.make()
        var (files, folders) = (try scratch.tree(["a": "1"]), try scratch.tree([:]))
        for _ in 0..<30 {
            files = try scratch.twice(files)
            folders = try scratch.twice(folders)
        }
        for tree in [files, folders] {
            for work in [
                { _ = try scratch.repository.objects.differences(from: nil, to: tree, atMost: 1000) },
                { _ = try scratch.repository.objects.differences(from: tree, to: .emptyTree, atMost: 1000) },
            ] { #expect(throws: GitError.self) { try work() } }
            #expect(try scratch.repository.objects.differences(from: tree, to: tree).isEmpty)
        }
    }

    @Test func largeTreesAreReadOnce() throws {
        let scratch = try Scratch.make()
        let file = try scratch.repository.objects.write(blob: [1])
        var trees: [ObjectID] = []
        for first in [0, 1, 2] {
            let updates = (first..<20_000).map { TreeUpdate(path: "option\($0).json", change: .put(file, .blob)) }
            trees.append(try scratch.repository.objects.tree(updating: nil, with: updates))
        }
        func isSame(_ id: ObjectID) throws -> Bool {
            try Tree.read(id, in: scratch.repository.objects) === Tree.read(id, in: scratch.repository.objects)
        }
        for tree in trees { #expect(try isSame(tree)) }
        let last = try Tree.read(trees[2], in: scratch.repository.objects)
        _ = try Tree.read(trees[1], in: scratch.repository.objects)
        #expect(try Tree.read(trees[2], in: scratch.repository.objects) === last)
        #expect(try scratch.repository.objects.entry(at: "option19999.json", in: trees[0])?.id == file)
        #expect(try scratch.repository.objects.entry(at: "option0.json", in: trees[1]) == nil)
    }

    @Test func emptiesTree() throws {
        let scratch = try Scratch.make()
        let base = try scratch.tree(["a/b/c": "1"])
        let none = try scratch.repository.objects.tree(updating: base, with: [TreeUpdate(path: "a/b/c", change: .remove)])
        #expect(none == .emptyTree)
        #expect(try scratch.repository.objects.tree(updating: nil, with: []) == .emptyTree)
        #expect(try scratch.repository.objects.entries(of: .emptyTree).isEmpty)
        #expect(try scratch.repository.objects.tree(updating: none, with: []) == .emptyTree)
    }

    /// Folders sort as if their names ended in a slash: `n5-`, `n5/`, `n50`.
    @Test(arguments: [3, 3000]) func findsNames(count: Int) throws {
        let scratch = try Scratch.make()
        var files: [String: String] = [:]
        for number in 0..<count { files[number % 3 == 0 ? "n\(number)/a" : "n\(number)-"] = "\(number)" }
        let tree = try scratch.tree(files)
        for number in -1...count {
            let folder = try scratch.repository.objects.entry(at: "n\(number)", in: tree)
            let file = try scratch.repository.objects.entry(at: "n\(number)-", in: tree)
            let isThere = (0..<count).contains(number)
            #expect(folder?.mode == (isThere && number % 3 == 0 ? .tree : nil), "\(number)")
            #expect(file?.mode == (isThere && number % 3 != 0 ? .blob : nil), "\(number)")
            #expect(try scratch.repository.objects.entry(at: "n\(number)/a", in: tree)?.mode == (folder == nil ? nil : .blob))
            #expect(try scratch.repository.objects.entry(at: "n\(number)-/a", in: tree) == nil)
        }
    }

    @Test func reportsWhetherTreesDiffer() throws {
        let scratch = try Scratch.make()
        let one = try scratch.tree(["a/b/c": "1", "a/d": "1", "e": "1"])
        let other = try scratch.tree(["a/b/c": "2", "a/d": "1", "e": "1"])
        func differ(_ old: ObjectID?, _ new: ObjectID?, _ folder: [String], _ names: [String] = []) throws -> Bool {
            let bytes = { (name: String) in Array(name.utf8) }
            return try scratch.repository.objects.differ(old, new, in: folder.map(bytes), names: names.map(bytes))
        }
        #expect(try differ(one, other, []))
        #expect(try !differ(one, one, []))
        #expect(try differ(one, other, ["a", "b"]))
        #expect(try differ(one, other, ["a", "b"], ["x", "c"]))
        #expect(try differ(one, other, ["a"], ["b"]))
        #expect(try !differ(one, other, ["a"], ["d"]))
        #expect(try !differ(one, other, [], ["e"]))
        #expect(try !differ(one, other, ["e"], ["f"]))
        #expect(try !differ(one, other, ["none"]))
        #expect(try differ(nil, one, ["a"], ["d"]))
        #expect(try !differ(one, nil, ["a"], ["none"]))
    }

    @Test func detectsAMalformedTree() throws {
        let scratch = try Scratch.make()
        for bytes in [
            "100644 a", "100644 a\0too short", "x a\0" + String(repeating: "i", count: 20),
            "100644 \0" + String(repeating: "i", count: 20),
        ] {
            let id = try runGit(
                ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], in: scratch.path, input: Array(bytes.utf8))
            let tree = try #require(ObjectID(hex: id))
            #expect(kind(scratch) { _ = try $0.objects.entries(of: tree) } == .corrupt)
            #expect(kind(scratch) { _ = try $0.objects.entry(at: "b", in: tree) } == .corrupt)
        }
    }

    @Test func removesFoldersAndTakesTheLastUpdate() throws {
        let scratch = try Scratch.make()
        let base = try scratch.tree(["a/b/c": "1", "d": "2"])
        let file = try scratch.repository.objects.write(blob: [9])
        let tree = try scratch.repository.objects.tree(
            updating: base,
            with: [
                TreeUpdate(path: "a", change: .remove), TreeUpdate(path: "d", change: .remove),
                TreeUpdate(path: "d", change: .put(file, .blob)), TreeUpdate(path: "e", change: .put(file, .blob)),
                TreeUpdate(path: "e", change: .remove),
            ])
        #expect(try scratch.repository.objects.files(in: tree).map(\.path) == ["d"])
    }

    @Test func distinguishesFilesAndFolders() throws {
        let scratch = try Scratch.make()
        let base = try scratch.tree(["a/b": "1", "f": "2"])
        let file = try scratch.repository.objects.write(blob: [9])
        func update(_ path: String) -> GitError.Kind? {
            kind(scratch) { _ = try $0.objects.tree(updating: base, with: [TreeUpdate(path: path, change: .put(file, .blob))]) }
        }
        #expect(update("a") == .conflict)
        #expect(update("f/x") == .conflict)
        for path in ["", "/a", "a/", "a//b", "a\0b", "a/../b", ".git/x", "."] { #expect(update(path) == .invalid, "\(path)") }
        #expect(update(Array(repeating: "d", count: 65).joined(separator: "/")) == .invalid)
    }

    @Test func canonicallyEquivalentNamesAreDistinct() throws {
        let scratch = try Scratch.make()
        let tree = try scratch.tree(["placeholder": ""])
        let one = try scratch.repository.objects.write(blob: [1])
        let both = try scratch.repository.objects.tree(
            updating: tree,
            with: [
                TreeUpdate(path: "e\u{301}", change: .put(one, .blob)), TreeUpdate(path: "\u{e9}", change: .put(one, .blob)),
            ])
        #expect(try scratch.repository.objects.entries(of: both).count == 3)
    }

    @Test func tenThousandFiles() throws {
        let scratch = try Scratch.make()
        let file = try scratch.repository.objects.write(blob: [1])
        var random = Seeded(1)
        let updates = (0..<10_000).map { TreeUpdate(path: "g\($0 % 100)/h\($0 % 7)/o\($0)", change: .put(file, .blob)) }
        var tree = ObjectID.emptyTree
        let written = try processorTime {
            tree = try scratch.repository.objects.tree(updating: nil, with: updates.shuffled(using: &random))
        }
        #expect(written < .seconds(20), "\(written)")
        #expect(try scratch.repository.objects.files(in: tree).count == 10_000)
        let listed = try scratch.git("ls-tree", "-r", "--name-only", tree.hex).split(separator: "\n")
        #expect(try scratch.repository.objects.files(in: tree).map(\.path) == listed.map(String.init))
        let none = try scratch.repository.objects.tree(
            updating: tree, with: updates.map { TreeUpdate(path: $0.path, change: .remove) })
        #expect(none == .emptyTree)
    }

    @Test func showsUnusualNames() throws {
        let scratch = try Scratch.make()
        let file = try scratch.repository.objects.write(blob: [1])
        var bytes: [UInt8] = []
        for name in [Array("a\nb".utf8), [0xff, 0xfe], Array("\u{e9}".utf8)].sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            bytes += Array("100644 ".utf8) + name + [0] + file.bytes
        }
        let hex = try scratch.git("hash-object", "-t", "tree", "-w", "--stdin", "--literally", input: bytes)
        let tree = try #require(ObjectID(hex: hex))
        let entries = try scratch.repository.objects.entries(of: tree)
        #expect(entries.map(\.name) == ["a\nb", "\u{e9}", "\u{fffd}\u{fffd}"])
        #expect(entries.map(\.nameIsValid) == [true, true, false])
        #expect(try scratch.repository.objects.files(in: tree).map(\.pathIsValid) == [true, true, false])
        #expect(try scratch.repository.objects.differences(from: nil, to: tree).map(\.pathIsValid) == [true, true, false])
    }

    @Test func stopsAtTheDepthLimit() throws {
        let scratch = try Scratch.make()
        let file = try scratch.repository.objects.write(blob: [1])
        var tree = try scratch.repository.objects.tree(updating: nil, with: [TreeUpdate(path: "f", change: .put(file, .blob))])
        for _ in 0..<100 {
            tree = try scratch.repository.objects.tree(updating: nil, with: [TreeUpdate(path: "d", change: .put(tree, .tree))])
        }
        let deep = tree
        #expect(kind(scratch) { _ = try $0.objects.files(in: deep) } == .tooDeep)
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func differencesMatchGits(seed: UInt64) throws {
        let scratch = try Scratch.make()
        var random = Seeded(seed)
        for _ in 0..<4 {
            let (old, new) = (try someTree(scratch, &random), try someTree(scratch, &random))
            for under in ["", "a", "a/b"] {
                let ours = try scratch.repository.objects.differences(from: old, to: new, under: under).map(Self.raw)
                let theirs = try scratch.git(
                    "diff-tree", "-r", "--no-renames", old.hex, new.hex, "--", under.isEmpty ? "." : under + "/")
                #expect(ours == theirs.split(separator: "\n").map(String.init), "seed \(seed), under ‘\(under)’")
            }
        }
    }

    private func someTree(_ scratch: borrowing Scratch, _ random: inout Seeded) throws -> ObjectID {
        var tree = try scratch.repository.objects.tree(updating: nil, with: [])
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let depth = Int.random(in: 1...4, using: &random)
            let path = (0..<depth).map { _ in ["a", "a-", "a0", "b", "b.c"].randomElement(using: &random) ?? "" }
            let file = try scratch.repository.objects.write(blob: [UInt8.random(in: 0...2, using: &random)])
            let mode = [FileMode.blob, .executable, .link].randomElement(using: &random) ?? .blob
            let update = TreeUpdate(path: path.joined(separator: "/"), change: .put(file, mode))
            do {
                tree = try scratch.repository.objects.tree(updating: tree, with: [update])
            } catch {
                guard error.kind == .conflict else { throw error }
            }
        }
        return tree
    }

    private static func raw(_ difference: Difference) -> String {
        func mode(_ content: Content?) -> String { content.map { String($0.mode.rawValue, radix: 8) } ?? "000000" }
        func id(_ content: Content?) -> String { content?.id.hex ?? String(repeating: "0", count: 40) }
        var letter = "M"
        switch (difference.old, difference.new) {
        case (nil, _): letter = "A"
        case (_, nil): letter = "D"
        case (let old?, let new?) where (old.mode == .link) != (new.mode == .link): letter = "T"
        default: break
        }
        return ":\(mode(difference.old)) \(mode(difference.new)) \(id(difference.old)) \(id(difference.new)) \(letter)\t"
            + difference.path
    }
}
