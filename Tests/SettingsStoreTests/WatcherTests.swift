import Seeds
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What is told of a history that somebody follows.
@Suite struct WatcherTests {
    private func number(_ value: Int) -> String { #"{"title": "N", "type": "number", "value": \#(value)}"# + "\n" }

    /// In a history of branches and merges, each with values of its own.
    @Test(arguments: 0..<4) func changesOnTheWayAddUpToTheDifference(_ seed: UInt64) throws {
        try withStore { store in
            var seeded = Seeded(seed)
            var ids = [try store.git("rev-parse", "HEAD")]
            for index in 1...14 {
                for name in ["a", "b", "c"] where seeded.chance(60) { try store.write(number(seeded.int(4)), to: "\(name).json") }
                try store.git("add", "-A")
                let recent = Array(ids.suffix(4))
                var parents = ["-p", seeded.pick(recent)]
                let other = seeded.pick(recent)
                if seeded.chance(40), other != parents[1] { parents += ["-p", other] }
                let tree = try store.git("write-tree")
                ids.append(try runGit(["commit-tree", tree, "-m", "\(index)"] + parents, in: store.root, at: 1_700_000_000))
            }
            let (history, versions) = (store.store.history, store.store.versions)
            for (old, new) in ids.flatMap({ old in ids.map { (old, $0) } }) {
                let (from, to) = (try #require(ObjectID(hex: old.utf8)), try #require(ObjectID(hex: new.utf8)))
                let path = try history.path(from: from, to: to)
                let isAncestor = try versions.repository.objects.isAncestor(from, of: to)
                #expect((path != nil) == isAncestor, "seed \(seed), \(old) to \(new)")
                guard let path else { continue }
                var content = try versions.snapshot(from).settings()
                var last = from
                for id in path {
                    let version = try versions.version(id)
                    #expect(version.parents.contains(last))
                    let changes = try history.changes(of: version, since: last, decisionsIn: [])
                    content = content.merging(changes.changes).settings
                    last = id
                }
                #expect(try content == versions.snapshot(to).settings(), "seed \(seed), \(old) to \(new)")
            }
            try store.git("reset", "-q", "--hard")
        }
    }

    @Test func manyVersionsComeInPartsEachOnce() throws {
        try withStore { store in
            let session = Session(store.store, by: Caller(), at: Clock(now: 0))
            let watcher = try session.watcher()
            var last = try watcher.tip()
            #expect(try watcher.changes(since: last).events.isEmpty)
            let start = try store.git("rev-parse", "HEAD")
            var stream = ""
            for index in 1...600 {
                let file = number(index)
                stream += "commit refs/heads/main\ncommitter Git <git@example.org> \(1_700_000_000 + index) +0000\ndata 2\nn\n"
                stream += (index == 1 ? "from \(start)\n" : "") + "M 644 inline n.json\ndata \(file.utf8.count)\n\(file)\n"
            }
            try store.git("fast-import", "--quiet", input: Array(stream.utf8))
            try store.git("reset", "-q", "--hard")
            var (told, parts): ([String], Int) = ([], 0)
            while true {
                let news = try watcher.changes(since: last)
                for case .recorded(let version, _) in news.events { told.append(version.id.hex) }
                (last, parts) = (news.id, parts + 1)
                if !news.hasMore { break }
            }
            #expect(try told.joined(separator: "\n") == store.git("rev-list", "--reverse", "\(start)..HEAD"))
            #expect(parts > 1 && last?.hex == told.last)
            #expect(try watcher.changes(since: last).events.isEmpty)
            // From the beginning, as whoever saw nothing yet.
            #expect(try watcher.changes(since: nil).events.count > 200)
        }
    }

    @Test func aProblemLaterOnHoldsNothingBack() throws {
        try withStore { store in
            let session = Session(store.store, by: Caller(), at: Clock(now: 0))
            let watcher = try session.watcher()
            let start = try watcher.tip()
            try store.write(number(1), to: "n.json")
            try store.git("add", "-A")
            try store.git("commit", "-qm", "One")
            let first = try store.git("rev-parse", "HEAD")
            try store.write(number(2), to: "n.json")
            try store.git("commit", "-qam", "Two")
            let tree = try store.git("rev-parse", "HEAD^{tree}")
            let object = ".git/objects/\(tree.prefix(2))/\(tree.dropFirst(2))"
            let bytes = try #require(store.file(object))
            try store.delete(object)
            let news = try watcher.changes(since: start)
            #expect(news.id?.hex == first && news.events.count == 1 && news.hasMore)
            #expect(throws: Problem.self) { try watcher.changes(since: news.id) }
            #expect(throws: Problem.self) { try watcher.changes(since: news.id) }
            try store.write(bytes, to: object)
            #expect(try watcher.changes(since: news.id).events.count == 1)
        }
    }
}
