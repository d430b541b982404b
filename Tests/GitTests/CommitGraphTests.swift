import Foundation
import Seeds
import Surroundings
import Testing

import SettingsModel
@testable import Git

/// What git's commit-graph tells is what the objects say, and a file that isn't whole tells nothing.
@Suite struct CommitGraphTests {
    static let paths = ["a.json", "b/c.json", "b/d.json", "b/e/f.json", "long/name/of/a/folder/x.json", "réglages/g.json"]

    /// Lines of versions that part and come together, also three and four at once.
    private func history(_ scratch: borrowing Scratch, seed: UInt64, count: Int) throws {
        var random = Seeded(seed)
        var stream = "blob\nmark :1000\ndata 1\n0\n"
        for number in 1...count {
            stream += "commit refs/heads/main\nmark :\(number)\n"
            stream += "committer Ada <ada@example.org> \(1_700_000_000 + number / 2 * (random.chance(90) ? 1 : 0)) +0000\n"
            stream += "data 2\nx\n"
            let from = max(1, number - 1 - random.int(3))
            if number > 1 { stream += "from :\(from)\n" }
            for other in Set((0..<(random.chance(20) ? random.int(1...3) : 0)).map { _ in max(1, number - 1 - random.int(9)) })
            where other != from && number > 1 {
                stream += "merge :\(other)\n"
            }
            for _ in 0..<random.int(3) {
                let path = random.pick(Self.paths)
                stream += random.chance(15) ? "D \(path)\n" : "M 100644 inline \(path)\ndata 3\n\(100 + number)\n"
            }
        }
        try scratch.git("fast-import", "--quiet", "--force", input: Array(stream.utf8))
    }

    private func commits(_ scratch: borrowing Scratch, _ revision: String = "main") throws -> [ObjectID] {
        try scratch.git("rev-list", revision).split(separator: "\n").compactMap { ObjectID(hex: String($0)) }
    }

    /// That there is one, or none.
    private func expect(_ isThere: Bool, in scratch: borrowing Scratch, _ note: String = "") {
        let graph = scratch.repository.commitGraph()
        #expect((graph != nil) == isThere, "\(note)")
    }

    private func graph(_ scratch: borrowing Scratch) throws -> CommitGraph {
        let graph = scratch.repository.commitGraph()
        return try #require(graph)
    }

    /// Everything that a history tells, by the graph or without it.
    private func told(_ scratch: borrowing Scratch, _ graph: CommitGraph?) throws -> [String] {
        let head = try #require(try commits(scratch).first)
        var history = try scratch.repository.history(of: head, by: graph)
        var told: [String] = []
        while let commit = try history.next(in: scratch.repository) {
            let step = try history.step(of: commit, in: scratch.repository, noticing: [])
            let parents = ([commit.first].filter { $0 != nil } + commit.others).map { $0?.tree.short ?? "none" }
            told.append("\(step.commit.id) \(commit.tree) \(parents) \(step.parents.map { $0?.id.short ?? "none" })")
        }
        return told
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func tellsWhatTheObjectsSay(seed: UInt64) throws {
        let scratch = try Scratch.make()
        try history(scratch, seed: seed, count: 80)
        let all = try commits(scratch)
        let without = try told(scratch, nil)
        expect(false, in: scratch)
        let steps = try commits(scratch, "main~10").count
        let layer = ["--split=no-merge"]
        let filters = ["--changed-paths"]
        for files in [
            [("main~10", [])], [("main~10", filters)], [("main", layer + filters)],
            [("main~10", layer), ("main~5", layer + filters), ("main", layer)], [("main", filters)],
        ] {
            try? FileManager.default.removeItem(atPath: scratch.path + "/.git/objects/info/commit-graphs")
            try? FileManager.default.removeItem(at: file(scratch))
            for (revision, options) in files {
                let generation = seed % 2 == 0 ? ["-c", "commitGraph.generationVersion=1"] : []
                try runGit(
                    generation + ["commit-graph", "write", "--stdin-commits", "--no-progress"] + options, in: scratch.path,
                    input: Array((try scratch.git("rev-parse", revision) + "\n").utf8))
            }
            let graph = try graph(scratch)
            #expect(graph.count == all.count || graph.count == steps)
            for id in all {
                guard let number = graph.number(of: id) else { continue }
                let header = try scratch.repository.header(id)
                #expect(graph.header(number) == header)
                try expectNothingMissed(graph, number, scratch)
            }
            #expect(graph.number(of: .emptyTree) == nil)
            let with = try told(scratch, graph)
            #expect(with == without, "seed \(seed), \(files)")
        }
    }

    private func expectNothingMissed(_ graph: CommitGraph, _ number: Int, _ scratch: borrowing Scratch) throws {
        let old = graph.firstParent(number).map { graph.tree($0) }
        for path in Self.paths + ["b", "b/e", "long/name", "other", "b/other", "réglages"] {
            var folder = path.split(separator: "/").map { Array($0.utf8) }
            let name = folder.removeLast()
            guard !graph.mayTouch(number, ChangedPath(Array(path.utf8))) else { continue }
            let differs = try scratch.repository.differ(old, graph.tree(number), in: folder, names: [name])
            #expect(!differs, "\(path) in \(graph.id(number))")
        }
    }

    /// The filters say no where there is nothing, so that they are of use.
    @Test func mostThatDidNotChangeIsKnown() throws {
        let scratch = try Scratch.make()
        try history(scratch, seed: 3, count: 60)
        try scratch.git("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")
        let graph = try graph(scratch)
        let (other, root) = (ChangedPath(Array("b/e/other.json".utf8)), ChangedPath([]))
        let touched = (0..<graph.count).count { graph.mayTouch($0, other) }
        #expect(touched < 10)
        #expect((0..<graph.count).allSatisfy { graph.mayTouch($0, root) })
        // Hashed by the first way, this depends on the machine.
        #expect((0..<graph.count).allSatisfy { graph.mayTouch($0, ChangedPath(Array("réglages/other".utf8))) })
    }

    /// As git's own tests have it.
    @Test(arguments: [
        ("", 0 as UInt32), ("Hello world!", 0x627B_0C2C), ("The quick brown fox jumps over the lazy dog", 0x2E4F_F723),
    ])
    func hashesAsGitDoes(text: String, hash: UInt32) {
        #expect(ChangedPath.murmur3(Array(text.utf8), seed: 0) == hash)
    }

    private func file(_ scratch: borrowing Scratch) -> URL {
        URL(fileURLWithPath: scratch.path + "/.git/objects/info/commit-graph")
    }

    private func put(_ bytes: some Sequence<UInt8>, _ scratch: borrowing Scratch) throws {
        try? FileManager.default.removeItem(at: file(scratch))
        try Data(bytes).write(to: file(scratch))
    }

    @Test func noDamageIsBelieved() throws {
        let scratch = try Scratch.make()
        try history(scratch, seed: 4, count: 12)
        try scratch.git("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")
        let whole = try [UInt8](Data(contentsOf: file(scratch)))
        for count in whole.indices {
            try put(whole.prefix(count), scratch)
            expect(false, in: scratch, "\(count) bytes")
        }
        for place in whole.indices {
            var damaged = whole
            damaged[place] ^= 1 << UInt8(place % 8)
            try put(damaged, scratch)
            expect(false, in: scratch, "byte \(place)")
        }
        try put(whole + [0], scratch)
        expect(false, in: scratch)
        try put(whole, scratch)
        let (count, all) = (try graph(scratch).count, try commits(scratch).count)
        #expect(count == all)
    }

    /// Under a hash that fits, whatever the numbers are: nothing is looked up outside, and every walk ends.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func noFileLeadsOutOfItself(seed: UInt64) throws {
        let scratch = try Scratch.make()
        try history(scratch, seed: seed, count: 30)
        try scratch.git("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")
        let whole = try [UInt8](Data(contentsOf: file(scratch)))
        let head = try #require(try commits(scratch).first)
        var random = Seeded(seed)
        var believed = 0
        for turn in 0..<500 {
            var bytes = whole
            for _ in 0...random.int(2) {
                // The table of chunks and the fanout as often as all the rest.
                let place = turn % 2 == 0 ? random.int(120) : random.int(whole.count - 24)
                let number: [UInt8] =
                    switch random.int(4) {
                    case 0: [0, 0, 0, UInt8(random.int(256))]
                    case 1: [0xFF, 0xFF, 0xFF, 0xFF]
                    case 2: [0x80, 0, 0, UInt8(random.int(256))]
                    default: (0..<4).map { _ in UInt8(random.int(256)) }
                    }
                bytes.replaceSubrange(place..<place + 4, with: number)
            }
            if random.chance(10) { bytes.removeSubrange((40 + random.int(whole.count - 80))..<(whole.count - 20)) }
            let hash = try #require(bytes.withUnsafeBytes { CommitGraphLayer.hash(of: $0) })
            bytes.replaceSubrange((bytes.count - 20)..., with: hash.bytes)
            try put(bytes, scratch)
            guard let graph = scratch.repository.commitGraph() else { continue }
            believed += 1
            for number in 0..<graph.count {
                _ = graph.header(number)
                _ = graph.level(number)
                _ = graph.mayTouch(number, ChangedPath(Array("b/c.json".utf8)))
            }
            guard var walk = try? scratch.repository.history(of: head, by: graph) else { continue }
            while let commit = try? walk.next(in: scratch.repository) {
                _ = try? walk.step(of: commit, in: scratch.repository, noticing: [])
            }
        }
        #expect(believed > 10)
    }

    @Test func notUsedWhereCommitsHaveOtherParents() throws {
        let scratch = try Scratch.make()
        try history(scratch, seed: 5, count: 20)
        try scratch.git("commit-graph", "write", "--reachable", "--no-progress")
        expect(true, in: scratch)
        let ids = try commits(scratch)
        try scratch.git("replace", ids[3].hex, ids[4].hex)
        expect(false, in: scratch)
        try scratch.git("pack-refs", "--all")
        expect(false, in: scratch)
        try scratch.git("replace", "-d", ids[3].hex)
        expect(true, in: scratch)
        try scratch.git("config", "core.commitGraph", "false")
        expect(false, in: scratch)
        try scratch.git("config", "core.commitGraph", "true")
        expect(true, in: scratch)
        try scratch.write("\(ids[0]) \(ids[5])\n", to: ".git/info/grafts")
        expect(false, in: scratch)
    }

    /// Layers whose upper ones are gone or damaged still tell what the lower ones have.
    @Test func whatIsBelowADamagedLayerHolds() throws {
        let scratch = try Scratch.make()
        try history(scratch, seed: 6, count: 40)
        for revision in ["main~20", "main~10", "main"] {
            try runGit(
                ["commit-graph", "write", "--stdin-commits", "--split=no-merge", "--changed-paths", "--no-progress"],
                in: scratch.path, input: Array((try scratch.git("rev-parse", revision) + "\n").utf8))
        }
        let folder = scratch.path + "/.git/objects/info/commit-graphs/"
        let names = try String(contentsOfFile: folder + "commit-graph-chain", encoding: .utf8).split(separator: "\n")
        let without = try told(scratch, nil)
        var counts = [try graph(scratch).count]
        for name in names.reversed() {
            try FileManager.default.removeItem(atPath: folder + "graph-\(name).graph")
            try Data("CGPH".utf8).write(to: URL(fileURLWithPath: folder + "graph-\(name).graph"))
            let graph = scratch.repository.commitGraph()
            counts.append(graph?.count ?? 0)
            let with = try told(scratch, graph)
            #expect(with == without)
        }
        #expect(counts == counts.sorted(by: >) && Set(counts).count == names.count + 1 && names.count == 3)
    }
}
