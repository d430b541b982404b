import Foundation
import Seeds
import Surroundings
import Testing

import Base
@testable import Git

@Suite struct HistoryTests {
    /// A random history: commits in topological order, with times that don't always follow it.
    private func history(_ scratch: borrowing Scratch, seed: UInt64, count: Int = 40) throws -> [ObjectID] {
        var random = Seeded(seed)
        let tree = try scratch.tree(["a": "1"])
        var commits: [ObjectID] = []
        for number in 0..<count {
            var parents: [ObjectID] = []
            for _ in 0..<min(commits.count, Int.random(in: 1...2, using: &random)) {
                if let parent = commits.suffix(6).randomElement(using: &random), !parents.contains(parent) {
                    parents.append(parent)
                }
            }
            let time = 1_700_000_000 + Int64(number) * 10
            commits.append(try scratch.commit(tree, parents: parents, message: "\(number)\n", time: time))
        }
        return commits
    }

    private func all(_ walk: consuming Walk) throws -> [ObjectID] {
        var ids: [ObjectID] = []
        while let id = try walk.next() { ids.append(id) }
        return ids
    }

    private func steps(_ scratch: borrowing Scratch, from start: ObjectID) throws -> [HistoryWalk.Step] {
        var walk = try scratch.repository.objects.history(of: start)
        var steps: [HistoryWalk.Step] = []
        while let step = try walk.next(in: scratch.repository.objects) { steps.append(step) }
        return steps
    }

    private func revList(_ scratch: borrowing Scratch, _ arguments: [String]) throws -> [String] {
        try runGit(["rev-list"] + arguments, in: scratch.path).split(separator: "\n").map(String.init)
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func walksLikeGit(seed: UInt64) throws {
        let scratch = try Scratch.make()
        let commits = try history(scratch, seed: seed)
        let (tip, hidden) = (commits[39], commits[20])
        let byTime = try all(try scratch.repository.objects.commits(from: [tip]))
        #expect(try byTime.map(\.hex) == revList(scratch, [tip.hex]))
        #expect(try steps(scratch, from: tip).map(\.commit.id) == byTime)
        let some = try all(try scratch.repository.objects.commits(from: [tip, commits[38]], hiding: [hidden]))
        #expect(try some.map(\.hex) == revList(scratch, [tip.hex, commits[38].hex, "^" + hidden.hex]))
        let first = try all(try scratch.repository.objects.commits(from: [tip], firstParentOnly: true))
        #expect(try first.map(\.hex) == revList(scratch, ["--first-parent", tip.hex]))
        let topological = try all(try scratch.repository.objects.commits(from: [tip], order: .topological))
        #expect(Set(topological) == Set(byTime))
        for (position, id) in topological.enumerated() {
            for parent in try scratch.repository.objects.commit(id).parents {
                #expect(try #require(topological.firstIndex(of: parent)) > position)
            }
        }
        #expect(try all(try scratch.repository.objects.commits(from: [tip], hiding: [tip])).isEmpty)
        for pair in 0..<20 {
            let (one, other) = (commits[pair], commits[39 - pair])
            let merged = (try? scratch.git("merge-base", "--all", one.hex, other.hex)) ?? ""
            #expect(
                try Set(scratch.repository.objects.mergeBases(of: one, and: other).map(\.hex))
                    == Set(merged.split(separator: "\n").map(String.init)))
            #expect(
                try scratch.repository.objects.isAncestor(one, of: other)
                    == ((try? scratch.git("merge-base", "--is-ancestor", one.hex, other.hex)) != nil))
        }
        #expect(try scratch.repository.objects.isAncestor(tip, of: tip) == true)
    }

    /// Wrong clocks: many commits in one second, children older than their parents.
    @Test(arguments: 12..<24 as Range<UInt64>)
    func walksByTimeLikeGit(seed: UInt64) throws {
        let scratch = try Scratch.make()
        var random = Seeded(seed)
        let tree = try scratch.tree(["a": "1"])
        var commits: [ObjectID] = []
        for number in 0..<60 {
            var parents: [ObjectID] = []
            for _ in 0..<min(commits.count, Int.random(in: 1...3, using: &random)) {
                if let parent = commits.suffix(8).randomElement(using: &random), !parents.contains(parent) {
                    parents.append(parent)
                }
            }
            let time = 1_700_000_000 + Int64(number / 4) + Int64.random(in: seed % 2 == 0 ? 0...0 : -9...9, using: &random)
            commits.append(try scratch.commit(tree, parents: parents, message: "\(number)\n", time: time))
        }
        let steps = try steps(scratch, from: commits[59])
        #expect(try steps.map(\.commit.id.hex) == revList(scratch, [commits[59].hex]))
        for step in steps {
            let commit = try scratch.repository.objects.commit(step.commit.id)
            #expect(step.commit.parents == commit.parents)
            #expect(step.commit.tree == commit.tree)
            #expect(step.commit.time == commit.committer.time)
            #expect(step.parents.map { $0?.id } == commit.parents)
        }
    }

    @Test func headersOfUnusualCommits() throws {
        let scratch = try Scratch.make()
        let tree = try scratch.tree(["a": "1"])
        for (lines, time) in [
            ("author A <a> 5 +0000\ncommitter B <b> 7 +0100", 7), ("author A <a> 5 +0000", 5), ("committer B <b>", 0),
            ("author A <a> 5 +0000\ncommitter B <b> -8 +0000", -8), ("committer > B <b> 9", 9), ("committer B <b> x 1", 0),
            ("", 0),
            ("committer B <b> 99999999999999999999 +0000", 0),
        ] {
            let text =
                "tree \(tree)\n" + (lines.isEmpty ? "" : lines + "\n") + "gpgsig a\n  b\n\nTitle\n\nVia: cli\nrenamed: a b\n"
            let id = try #require(
                ObjectID(
                    hex: try runGit(
                        ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], in: scratch.path, input: Array(text.utf8)
                    )))
            let header = try scratch.repository.objects.header(
                id, noticing: ["via:", "title:", "Renamed:"].map { Array($0.utf8) })
            #expect(header.time == time, "\(lines)")
            #expect(try scratch.repository.objects.commit(id).committer.time == time, "\(lines)")
            #expect(header.noticed == 0b101)
        }
    }

    /// Our own walk, which shallow clones need, in repositories where it can be compared with git.
    @Test(arguments: 6..<12 as Range<UInt64>)
    func walksAShallowHistoryLikeGit(seed: UInt64) throws {
        let scratch = try Scratch.make()
        let commits = try history(scratch, seed: seed)
        var own = try ShallowHistory(of: scratch.repository.objects)
        let reached = try own.reach([commits[39]], in: scratch.repository.objects)
        #expect(try own.sorted(reached).map(\.hex) == revList(scratch, ["--date-order", commits[39].hex]))
        for pair in 0..<20 {
            let (one, other) = (commits[pair], commits[39 - pair])
            #expect(
                try Set(own.mergeBases(of: one, and: other, in: scratch.repository.objects))
                    == Set(scratch.repository.objects.mergeBases(of: one, and: other)))
        }
    }

    @Test func resolvesRevisions() throws {
        let scratch = try Scratch.make()
        #expect(kind(scratch) { _ = try $0.references.resolve("HEAD") } == .notFound)
        let first = try scratch.record(["a": "1"])
        let second = try scratch.record(["a": "2"])
        #expect(try scratch.repository.references.resolve("HEAD") == second)
        #expect(try scratch.repository.references.resolve("HEAD~1") == first)
        #expect(try scratch.repository.references.resolve("HEAD~0~1") == first)
        #expect(try scratch.repository.references.resolve("\(second.short)~1") == first)
        #expect(kind(scratch) { _ = try $0.references.resolve(":/none~1") } == .notFound)
        #expect(kind(scratch) { _ = try $0.references.resolve("HEAD~-1") } != nil)
        #expect(try scratch.repository.references.resolve(first.short) == first)
        #expect(try scratch.repository.references.resolve("main") == second)
        #expect(kind(scratch) { _ = try $0.references.resolve("nothing") } == .notFound)
        #expect(kind(scratch) { _ = try $0.references.resolve("HEAD^{tree}") } == .invalid)
        #expect(kind(scratch) { _ = try $0.references.resolve("HEAD\0") } == .invalid)
        #expect(kind(scratch) { _ = try $0.references.resolve("HEAD~9") } == .notFound)
        #expect(kind(scratch) { _ = try $0.references.resolve("") } != nil)
    }

    @Test func prefixOfSeveralIdsIsAmbiguous() throws {
        let scratch = try Scratch.make()
        let tree = try scratch.tree(["a": "1"])
        var seen: [Substring: ObjectID] = [:]
        for number in 0..<2000 {
            let id = try scratch.commit(tree, message: "\(number)")
            let hex = id.hex
            if seen.updateValue(id, forKey: hex.prefix(4)) != nil {
                let beginning = String(hex.prefix(4))
                #expect(kind(scratch) { _ = try $0.references.resolve(beginning) } == .ambiguous)
                return
            }
        }
        Issue.record("no two ids began alike")
    }

    @Test func endsAtTheBoundaryOfAShallowClone() throws {
        let scratch = try Scratch.make()
        for number in 0..<5 { try scratch.record(["a": "\(number)"]) }
        try scratch.git("clone", "-q", "--depth", "2", "file://" + scratch.path, "shallow")
        let shallow = try Repository.open(at: scratch.path + "/shallow")
        #expect(shallow.git.isShallow == true)
        let head = try #require(try shallow.references.head().commit)
        for order in [Walk.Order.time, .topological] {
            #expect(try all(try shallow.objects.commits(from: [head], order: order)).count == 2)
        }
        #expect(try all(try shallow.objects.commits(from: [head], firstParentOnly: true)).count == 2)
        let edge = try #require(try shallow.objects.commit(head).parents.first)
        #expect(try shallow.objects.shallowEdge() == [edge])
        #expect(try all(try shallow.objects.commits(from: [head], hiding: [edge])) == [head])
        #expect(try shallow.objects.isAncestor(edge, of: head) == true)
        #expect(try shallow.objects.isAncestor(head, of: edge) == false)
        #expect(try shallow.objects.mergeBases(of: head, and: edge) == [edge])
    }
}
