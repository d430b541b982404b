import Foundation
import Seeds
import Surroundings
import Synchronization
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// The index answers as the history itself does, whatever happened to either.
struct HistoryIndexTests {
    /// Everything that is answered from the index, with it or without.
    private func answers(_ s: TemporaryStore, usingIndex: Bool, _ random: Seeded) throws -> [String] {
        var random = random
        let store = try Store.open(StoreFolder(path: s.path))
        store.history.cache.usesIndex = usingIndex
        store.history.cache.indexWritingLimit = 1
        var answers: [String] = []
        func history(_ name: String, _ filter: HistoryFilter) throws {
            answers.append("history \(name)")
            try store.history.walk(filter) { version, changes in
                let decisions = changes.decisions.map { Wording().sentence($0).plain }
                answers.append("  \(version.id.short) " + (changes.changes.sentences + decisions).joined(separator: "; "))
                return true
            }
        }
        let head = try #require(try store.versions.head.commit)
        let times = [try store.versions.version(head).time.seconds] + (0..<3).map { _ in s.clock - Int64(random.int(4000)) }
        for _ in 0..<4 {
            var filter = HistoryFilter()
            let names = RandomEdits.names + ["g", "h", "h.i", "nowhere", "other"]
            filter.places = (0...random.int(2)).map { _ in .of(names[random.int(names.count)]) }
            try history("\(filter.places)", filter)
            filter.since = times[1]
            filter.until = times[2]
            try history("\(filter.places) between \(times[1]) and \(times[2])", filter)
        }
        for (became, search) in [("7", nil), ("true", nil), (nil, "label"), ("v1", "lovelace")] as [(String?, String?)] {
            var filter = HistoryFilter()
            (filter.became, filter.search) = (became, search)
            try history("\(became ?? "") \(search ?? "")", filter)
        }
        for time in times {
            let version = Result { try store.history.version(at: .moment(time), written: "") }
            answers.append("at \(time): \((try? version.get().id.short) ?? "nothing")")
        }
        let tip = try store.versions.tip()
        let keys = try tip.subjects().compactMap { if case .option(let key) = $0 { key } else { nil } }
        for blame in try store.history.blame(keys, at: tip, facets: [.value, .title, .labels]) {
            answers.append("blame \(blame.key) \(blame.facet.name): \(blame.version?.id.short ?? "nobody")")
        }
        if usingIndex { #expect(store.history.cache.lastIndex != nil) }
        return answers
    }

    private func expectSame(_ s: TemporaryStore, _ random: inout Seeded, _ note: String) throws {
        _ = random.next()
        let without = try answers(s, usingIndex: false, random)
        #expect(try answers(s, usingIndex: true, random) == without, "\(note)")
        #expect(try s.store.upkeep.wrongCaches(s.root).map(\.path) == [], "\(note)")
    }

    /// People, plain git, lines of versions that come together, histories that are moved and rewritten.
    private static let seeds = ProcessInfo.processInfo.environment["SETTINGS_FULL"] == nil ? 6 : 16

    @Test(.slow, arguments: 0..<seeds) func answersAsWithoutIt(seed: Int) throws {
        var edits = RandomEdits(seed: 70_000 + seed)
        var random = Seeded(UInt64(seed))
        let s = try TemporaryStore.make(prefix: seed % 4 == 0 ? "conf/" : "")
        try s.put("a", .language)
        for step in 0..<14 {
            var what = ""
            switch random.int(12) {
            case 0...3:
                what = "record"
                for _ in 0...random.int(3) { try s.record(&edits, by: [.ada, .bob, .carol][random.int(3)]) }
            case 4:
                what = "undo"
                _ = try? s.undo(1 + random.int(2))
                if random.int(2) == 0 { _ = try? s.redo() }
            case 5, 6:
                what = "merge"
                try s.part(
                    ours: { for _ in 0..<random.int(3) { try s.record(&edits) } },
                    theirs: { for _ in 0...random.int(3) { try s.record(&edits, by: .bob) } })
                if random.int(3) == 0 {
                    what = "merge by git"
                    _ = try? s.git("merge", "-q", "-s", "recursive", "-X", "ours", "-m", "merged", "side")
                    if (try? s.git("rev-parse", "-q", "--verify", "MERGE_HEAD")) != nil { try s.git("merge", "--abort") }
                } else if (try? s.merge()) == nil {
                    try s.merge { $0.kept = .agreed }
                }
                try s.git("branch", "-q", "-D", "side")
            case 7:
                what = "plain git"
                try s.write("\(step)\n", to: random.int(2) == 0 ? "other/words" : "words")
                if let file = try s.allFiles().keys.sorted().first(where: { $0.hasSuffix(".json") && $0 != "_store.json" }) {
                    try s.write((s.text(file) ?? "") + "\n", to: file)
                }
                try s.commitPlainly("Renamed: a b\n\nRenamed: a b\n")
                let names = ["a", "b", "g/a", "g/b", "h", "h/i"].map { random.int(3) == 0 ? $0 : $0 + ".json" }
                for (old, new) in zip(names, names.reversed()) where (try? s.git("mv", old, new)) != nil {
                    try s.commitPlainly("moved")
                    break
                }
            case 8:
                what = "reset"
                let count = Int(try s.git("rev-list", "--count", "--first-parent", "HEAD")) ?? 1
                try s.git("reset", "-q", "--hard", "HEAD~\(min(count - 2, random.int(6)))")
            case 9:
                what = "amend"
                try s.git("commit", "-q", "--amend", "-m", "amended \(step)\n\nVia: test\n")
            default:
                what = "gc"
                try s.git("gc", "-q")
                if random.int(3) > 0 {
                    let way = random.int(2) == 0 ? "--no-progress" : "--split=no-merge"
                    try s.git("commit-graph", "write", "--reachable", "--changed-paths", way)
                }
            }
            try s.reopen()
            try expectSame(s, &random, "seed \(seed), step \(step): \(what)")
        }
    }

    /// A long line of versions, as `git fast-import` makes them, with clocks that go wrong.
    private func long(_ count: Int, seed: UInt64) throws -> TemporaryStore {
        var random = Seeded(seed)
        let s = try TemporaryStore.make()
        try s.put("a", .number("Number", 0))
        var stream = ""
        func data(_ text: String) { stream += "data \(text.utf8.count)\n\(text)\n" }
        var time = s.clock
        for number in 1...count {
            time += Int64(random.int(5)) - (seed % 2 == 0 ? 0 : 1)
            stream += "commit refs/heads/\(number % 10 == 9 ? "side" : "main")\nmark :\(number)\n"
            stream += "committer Ada Lovelace <ada@example.org> \(time) +0100\n"
            data("Number: \(number)\n\nVia: test\n" + (number % 89 == 70 ? "Renamed: a b\n" : ""))
            if number == 1 { stream += "from refs/heads/main^0\n" }
            // A line aside for a while; its end is brought in by the next one.
            if number % 10 == 9 { stream += "from :\(number - 1 - random.int(4))\n" }
            if number % 10 == 0 { stream += "from :\(number - 2)\nmerge :\(number - 1)\n" }
            stream += "M 100644 inline \(["a", "b", "g/c"][random.int(3)]).json\n"
            data(number % 97 == 50 ? "no JSON" : String(decoding: SettingsOption.number("Number", number).file, as: UTF8.self))
        }
        try s.git("fast-import", "--quiet", input: Array(stream.utf8))
        try s.git("reset", "-q", "--hard", "main")
        s.clock = time
        try s.reopen()
        return s
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func isKeptAndCaughtUp(seed: UInt64) throws {
        let s = try long(170, seed: seed)
        var random = Seeded(seed)
        try s.git("branch", "-q", "end")
        for step in ["HEAD~100", "HEAD~30", "HEAD~3", "HEAD", "HEAD~80"] {
            try s.git("reset", "-q", "--hard", step == "HEAD" ? "end" : "end" + step.dropFirst(4))
            try expectSame(s, &random, step)
        }
        try s.git("reset", "-q", "--hard", "end")
        s.store.history.cache.buildIndex()
        #expect(FileManager.default.fileExists(atPath: s.store.history.cache.indexPath))
        let again = try Store.open(StoreFolder(path: s.path))
        let index = try #require(again.history.cache.index())
        #expect(index.newer < 64)
        #expect(again.versions.walked == index.newer)
        try s.set("a", -1)
        try s.reopen()
        #expect(try #require(s.store.history.cache.index()).newer <= index.newer + 1)
        try s.expectSound()
    }

    /// The first versions are told one by one, the others as threads understand them, some thousands at a time.
    @Test func aLongHistoryIsToldInOrder() throws {
        let s = try long(1700, seed: 5)
        func told(usingIndex: Bool, _ filter: HistoryFilter, atMost limit: Int = .max) throws -> [String] {
            let store = try Store.open(StoreFolder(path: s.path))
            store.history.cache.usesIndex = usingIndex
            var told: [String] = []
            try store.history.walk(filter, isWhole: true) { version, changes in
                let words = changes.changes.sentences + changes.unreadable.map { "unreadable \($0.path)" }
                told.append("\(version.id.short) \(version.message.subject): \(words)")
                return told.count < limit
            }
            return told
        }
        let all = try told(usingIndex: false, HistoryFilter())
        #expect(all.count > 1300 && all.contains { $0.contains("unreadable") })
        #expect(try told(usingIndex: true, HistoryFilter()) == all)
        #expect(try told(usingIndex: true, HistoryFilter(), atMost: 1000) == Array(all.prefix(1000)))
        var filter = HistoryFilter()
        filter.author = "ada"
        filter.places = [.of("a"), .of("g")]
        #expect(try told(usingIndex: true, filter) == told(usingIndex: false, filter))
        filter.author = "nobody"
        #expect(try told(usingIndex: true, filter) == [])
    }

    /// A few versions are looked at each time, but not where one of them touches as many files as a history of many does.
    @Test func aVersionOfManyFilesIsEnough() throws {
        try withStore { s in
            s.store.history.cache.touchLimit = 50
            try s.put("a", .number("A", 1))
            _ = try #require(s.store.history.cache.index())
            #expect(!FileManager.default.fileExists(atPath: s.store.history.cache.indexPath))
            try s.change(s.done()) { settings in
                for number in 0..<50 { settings.options[.of("many.o\(number)")] = .number("N", number) }
            }
            _ = try #require(s.store.history.cache.index())
            #expect(FileManager.default.fileExists(atPath: s.store.history.cache.indexPath))
        }
    }

    /// What the index has of the files is what the trees have.
    @Test func itHasTheFilesThatEachVersionTouches() throws {
        let s = try long(60, seed: 12)
        try s.git("rm", "-q", "b.json")
        try s.commitPlainly()
        try s.git("update-index", "--chmod=+x", "a.json")
        try s.git("commit", "-q", "-m", "executable")
        try s.git("reset", "-q", "--hard")
        try FileManager.default.removeItem(atPath: s.path + "/a.json")
        try FileManager.default.createSymbolicLink(atPath: s.path + "/a.json", withDestinationPath: "g/c.json")
        try s.commitPlainly("a link")
        try FileManager.default.removeItem(atPath: s.path + "/a.json")
        try s.write(String(decoding: SettingsOption.number("Number", 4).file, as: UTF8.self), to: "a.json")
        try s.commitPlainly("a file again")
        try s.reopen()
        let index = try #require(s.store.history.cache.index())
        var told = 0
        for number in 0..<index.count {
            let commit = try s.store.versions.repository.objects.commit(index.id(number))
            let trees = [try commit.parents.first.map { try s.store.versions.repository.objects.commit($0).tree }, commit.tree]
            let isMerge = commit.parents.count > 1
            var touches: [(String, HistoryContent)] = []
            index.eachTouch(by: number) { path, place in
                if path != 0 { touches.append((String(decoding: index.path(Int(path)), as: UTF8.self), index.content(place))) }
            }
            for (path, content) in touches {
                for (tree, id) in zip(trees, [content.before, content.after]) {
                    let entry = try tree.flatMap { try s.store.versions.repository.objects.entry(at: path, in: $0) }
                    let isFile = entry?.mode == .blob || entry?.mode == .executable
                    let expected = entry.map { isFile ? $0.id : HistoryContent.unknown } ?? HistoryContent.none
                    let isNotRecorded = isMerge && (id == HistoryContent.unknown || content.isUndeclared)
                    #expect(isNotRecorded || !isMerge && id == expected, "\(path) in \(commit.id)")
                    told += 1
                }
            }
        }
        #expect(told > 120)
        var random = Seeded(12)
        try expectSame(s, &random, "files that are none")
    }

    @Test func noDamageIsBelieved() throws {
        let s = try long(40, seed: 5)
        s.store.history.cache.indexWritingLimit = 1
        _ = try #require(s.store.history.cache.index())
        let path = s.store.history.cache.indexPath
        let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        func isBelieved(_ bytes: some Sequence<UInt8>) throws -> Bool {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return HistoryColumns.read(path, prefix: "") != nil
        }
        #expect(try isBelieved(whole))
        for place in whole.indices {
            var damaged = whole
            damaged[place] ^= 1 << UInt8(place % 8)
            #expect(try !isBelieved(damaged), "byte \(place)")
        }
        for count in whole.indices { #expect(try !isBelieved(whole.prefix(count)), "\(count) bytes") }
        #expect(try !isBelieved(whole + [0]))
        #expect(HistoryColumns.read(path, prefix: "other/") == nil)
        var random = Seeded(5)
        try expectSame(s, &random, "damaged")
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == whole)
    }

    /// Numbers that lead outside of the file, under a checksum that fits.
    @Test func noFileLeadsOutOfItself() throws {
        let s = try long(20, seed: 6)
        s.store.history.cache.indexWritingLimit = 1
        _ = try #require(s.store.history.cache.index())
        let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: s.store.history.cache.indexPath)))
        var random = Seeded(6)
        for _ in 0..<400 {
            var bytes = whole
            let place = 24 + random.int((whole.count - 28) / 4) * 4
            bytes.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, UInt8(random.int(256)), UInt8(random.int(256))])
            let sum = bytes.withUnsafeBytes { HistoryFile.checksum(of: $0.dropFirst(24)) }
            withUnsafeBytes(of: sum) { bytes.replaceSubrange(16..<24, with: $0) }
            try Data(bytes).write(to: URL(fileURLWithPath: s.store.history.cache.indexPath))
            guard let columns = HistoryColumns.read(s.store.history.cache.indexPath, prefix: "") else { continue }
            let index = HistoryIndex(base: columns, kept: columns.count, tail: HistoryTail(), isOrdered: true)
            #expect(index.file().count == whole.count)
            for number in 0..<index.count { index.eachTouch(by: number) { path, _ in _ = index.path(Int(path)) } }
        }
    }

    @Test func whatIsInItsPlaceDoesNoHarm() throws {
        let s = try long(30, seed: 7)
        let other = try long(30, seed: 8)
        for s in [s, other] {
            s.store.history.cache.indexWritingLimit = 1
            _ = s.store.history.cache.index()
        }
        var random = Seeded(7)
        let manager = FileManager.default
        try manager.removeItem(atPath: s.store.history.cache.indexPath)
        try manager.copyItem(atPath: other.store.history.cache.indexPath, toPath: s.store.history.cache.indexPath)
        try expectSame(s, &random, "another repository's")
        let outside = s.root + "/outside"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: outside))
        try manager.removeItem(atPath: s.store.history.cache.indexPath)
        try manager.createSymbolicLink(atPath: s.store.history.cache.indexPath, withDestinationPath: outside)
        try expectSame(s, &random, "a link")
        #expect(try Data(contentsOf: URL(fileURLWithPath: outside)) == Data("mine".utf8))
        try manager.removeItem(atPath: outside)
        try manager.removeItem(atPath: s.store.history.cache.indexPath)
        try manager.createDirectory(atPath: s.store.history.cache.indexPath, withIntermediateDirectories: false)
        try expectSame(s, &random, "a folder")
    }

    @Test func severalStoresOfOneRepository() throws {
        let s = try TemporaryStore.make(prefix: "one/")
        _ = try Store.create(at: s.root + "/two", title: "Two", done: s.done())
        let two = try TemporaryStore.open(s.root + "/two", root: s.root)
        two.clock = s.clock
        var (edits, random) = (RandomEdits(seed: 9), Seeded(9))
        for _ in 0..<6 {
            try s.record(&edits)
            two.clock = s.clock
            try two.reopen()
            try two.record(&edits)
            s.clock = two.clock
            try s.reopen()
            try expectSame(s, &random, "one")
            try expectSame(two, &random, "two")
        }
        #expect(s.store.history.cache.indexPath != two.store.history.cache.indexPath)
    }

    @Test func manyAtOnce() throws {
        let s = try long(200, seed: 10)
        var random = Seeded(10)
        let expected = try answers(s, usingIndex: false, random)
        let (path, same) = (s.path, Counter())
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            let store = try? Store.open(StoreFolder(path: path))
            store?.history.cache.indexWritingLimit = 1
            for _ in 0..<5 {
                store?.history.cache.lastIndex = nil
                store?.history.cache.buildIndex()
                if store?.history.cache.lastIndex?.count == 202 { same.add() }
                if number == 0, let index = store?.history.cache.indexPath { unlink(index) }
            }
        }
        #expect(same.count == 40)
        let left = try FileManager.default.contentsOfDirectory(atPath: s.root + "/.git/settings").filter { $0.contains(".new-") }
        #expect(left.isEmpty)
        #expect(try answers(s, usingIndex: true, random) == expected)
        _ = random.next()
    }

    @Test func aShallowCloneGoesWithout() throws {
        let s = try long(30, seed: 11)
        let path = try Surroundings.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try runGit(["clone", "-q", "--depth", "5", "file://\(s.root)", path], in: s.root)
        let clone = try TemporaryStore.open(path, root: path)
        #expect(clone.store.history.cache.index() == nil)
        clone.store.history.cache.buildIndex()
        #expect(!FileManager.default.fileExists(atPath: clone.store.history.cache.indexPath))
        try runGit(["fetch", "-q", "--unshallow"], in: path)
        try clone.reopen()
        #expect(clone.store.history.cache.index()?.count == 32)
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}
