import Foundation
import Seeds
import Surroundings
import Testing

import Base
@testable import Git

@Suite struct CommitComparisonTests {
    private func comparison(_ scratch: borrowing Scratch, patience: Int = 10, limit: Int = 1000) throws -> CommitComparison {
        let variables = Surroundings.environment(home: scratch.path, person: "Git", at: "0 +0000", [:])
        let git = try Surroundings.run(["sh", "-c", "command -v git"], in: "/", variables).output
        return CommitComparison(
            program: String(git.dropLast()), variables: variables, directory: scratch.path + "/.git", patience: patience,
            limit: limit)
    }

    /// What it tells, a line for each path.
    private func lines(
        _ scratch: borrowing Scratch, _ commits: [(id: ObjectID, parent: ObjectID?)], under folder: String = ""
    ) throws -> (CommitComparison.Ending, [String]) {
        var lines: [String] = []
        let ending = try comparison(scratch).run(commits, under: folder, number: 1) { id, difference in
            lines.append("\(id) \(difference)")
            return true
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/.git/commits-1"))
        return (ending, lines)
    }

    /// Random histories with merges, odd names, links, submodules and folders that become files.
    @Test(arguments: 0..<8) func agreesWithOurOwnComparison(_ seed: Int) throws {
        var random = Seeded(UInt64(seed))
        let scratch = try Scratch.make()
        let names = ["a", "a/b", "a-b", "a/b/c", "é", "line\nbreak", ":1", "x y", "sub/a", "sub/d/e", "\u{1F600}/x"]
        let modes: [FileMode] = [.blob, .blob, .executable, .link, .commit]
        var commits: [(id: ObjectID, parent: ObjectID?)] = []
        var trees: [ObjectID: ObjectID] = [:]
        for number in 0..<40 {
            let parent = commits.isEmpty ? nil : random.pick(commits).id
            let other = commits.isEmpty ? nil : random.pick(commits).id
            let parents = [parent, random.chance(30) ? other : nil].compactMap { $0 }
            let updates = try (0..<random.int(4)).map { _ in
                let file = try scratch.repository.objects.write(blob: [UInt8(random.int(4))])
                return TreeUpdate(
                    path: random.pick(names),
                    change: random.chance(20) ? .remove : .put(file, random.pick(modes)))
            }
            let base = parent.flatMap { trees[$0] }
            guard let tree = try? scratch.repository.objects.tree(updating: base, with: updates) else { continue }
            let commit = try scratch.commit(tree, parents: parents, time: 1_700_000_000 + Int64(number))
            trees[commit] = tree
            commits.append((commit, parents.first))
        }
        for folder in ["", "sub"] {
            let objects = scratch.repository.objects
            let expected = try commits.flatMap { id, parent in
                try objects.differences(from: parent.flatMap { trees[$0] }, to: trees[id], under: folder).map { "\(id) \($0)" }
            }
            let (ending, found) = try lines(scratch, commits, under: folder)
            #expect(ending == .complete && found == expected)
            #expect(expected.count > (folder.isEmpty ? 20 : 2), "it is about something")
        }
    }

    @Test func endsWhereNobodyTakesAnyMore() throws {
        let scratch = try Scratch.make()
        let commit = try scratch.commit(try scratch.tree(["a": "1", "b": "2", "c": "3"]))
        var count = 0
        let ending = try comparison(scratch).run([(commit, nil)], under: "", number: 1) { _, _ in
            count += 1
            return count < 2
        }
        #expect(ending == .stopped && count == 2)
    }

    @Test func namesThatAreNotUnicode() throws {
        let scratch = try Scratch.make()
        let blob = try scratch.repository.objects.write(blob: [1])
        let line = Array("100644 blob \(blob)\t".utf8) + [0xFF, 0x41, 0]
        let tree = try #require(ObjectID(hex: try scratch.git("mktree", "-z", input: line)))
        let (ending, found) = try lines(scratch, [(try scratch.commit(tree), nil)])
        #expect(ending == .complete && found.count == 1 && found[0].contains("pathIsValid: false"), "\(found)")
    }

    /// What git can't read, and trees that stand for a billion files or as many empty folders.
    @Test func failsWhereItCannotTellAll() throws {
        let scratch = try Scratch.make()
        let tree = try scratch.tree(["lost": "1"])
        let lost = try scratch.commit(tree)
        try FileManager.default.removeItem(atPath: scratch.loose(tree))
        #expect(try lines(scratch, [(lost, nil)]).0 == .failed)
        #expect(try lines(scratch, [(ObjectID(repeating: 9), nil)]).0 == .failed)
        var (files, folders) = (try scratch.tree(["a": "1"]), try scratch.tree([:]))
        for _ in 0..<60 {
            files = try scratch.twice(files)
            folders = try scratch.twice(folders)
        }
        let (many, empty) = (try scratch.commit(files), try scratch.commit(folders))
        #expect(try comparison(scratch, patience: 1).run([(many, nil)], under: "", number: 1) { _, _ in true } == .failed)
        #expect(try comparison(scratch, patience: 1).run([(empty, nil)], under: "", number: 1) { _, _ in true } == .failed)
    }
}
