import Foundation
import Seeds
import Surroundings
import Synchronization
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Who chose a value: `blame`, `show` and `diff --who` agree with a model that was told nothing by them, in every clone.
struct ChoiceLawTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isFull = environment["SETTINGS_FULL"] != nil
    private static let count = environment["SETTINGS_CASES"].flatMap { Int($0) } ?? (isFull ? 5_000 : 120)
    private static let only = environment["SETTINGS_SEED"].flatMap { Int($0) }

    @Test func everybodyNamesWhoeverChoseIt() throws {
        let seeds = Self.only.map { $0..<($0 + 1) } ?? 0..<Self.count
        let threads = Self.isFull && Self.only == nil ? 2 : 1
        let wrong = Mutex(0)
        let errors = inThreads(threads) { number in
            for seed in seeds where seed % threads == number {
                var faults: [String] = []
                do { faults = try self.faults(seed) } catch { faults = ["\(error)"] }
                if faults.isEmpty { continue }
                let count = wrong.withLock { wrong in
                    wrong += 1
                    return wrong
                }
                if count <= 12 { Issue.record("seed \(seed): \(faults.joined(separator: "\n"))") }
            }
        }
        #expect(errors.isEmpty && wrong.withLock { $0 } == 0, "\(wrong.withLock { $0 }) of \(seeds.count) \(errors)")
    }

    private func faults(_ seed: Int) throws -> [String] {
        let s = try TemporaryStore.make()
        var people = RandomPeople(seed)
        try people.begin(s)
        for _ in 0..<(6 + people.random.int(8)) { try people.go(s) }
        let model = try ChoiceModel(s, squashes: people.squashes)
        var faults = try self.faults(of: s, model, "here", people.random)
        // Every way to look at each of them takes its time.
        func isWanted(_ place: Int) -> Bool { Self.isFull || seed % 6 == place }
        if isWanted(0) {
            let folder = try TemporaryFolder()
            try runGit(["clone", "-q", "--no-local", s.root, folder.path + "/clone"], in: folder.path)
            let clone = try TemporaryStore.open(folder.path + "/clone", root: folder.path + "/clone")
            faults += try self.faults(of: clone, model, "in a clone", people.random)
        }
        if isWanted(1) || isWanted(2) {
            s.store.history.cache.buildIndex()
            faults += try self.faults(of: s, model, "with an index", people.random)
        }
        if isWanted(3) {
            try s.git("reflog", "expire", "--expire=now", "--all")
            try s.git("gc", "-q", "--prune=now")
            try s.reopen()
            faults += try self.faults(of: s, model, "after gc", people.random)
        }
        if isWanted(4) || isWanted(5) {
            let moved = try self.moved(s)
            if seed % 2 == 0 { moved.store.history.cache.buildIndex() }
            faults += try self.faults(of: moved, model, "in another folder", people.random)
        }
        return faults.isEmpty ? [] : faults + [people.log.joined(separator: "\n")]
    }

    /// The same store, which somebody without the program moved to another folder of its repository.
    private func moved(_ s: TemporaryStore) throws -> TemporaryStore {
        let names = try s.git("ls-tree", "--name-only", "HEAD").split(separator: "\n").map(String.init)
        try FileManager.default.createDirectory(atPath: s.root + "/other", withIntermediateDirectories: true)
        _ = try runGit(["mv"] + names + ["other"], in: s.root)
        try s.git("commit", "-q", "-m", "Make room")
        return try TemporaryStore.open(s.root + "/other", root: s.root)
    }

    private func faults(of s: TemporaryStore, _ model: ChoiceModel, _ place: String, _ random: Seeded) throws -> [String] {
        var random = random
        guard let id = model.tip, let tip = model.commits[id] else { return ["no version"] }
        var faults: [String] = []
        func compare(_ title: String, _ who: VersionID?, _ question: String) {
            let wanted = tip.cells[title]?.chosenBy
            if who == wanted { return }
            faults.append("\(place): \(question) \(title): \(who?.short ?? "nobody"), model \(wanted?.short ?? "nobody")")
        }
        let session = s.session()
        let snapshot = try s.store.versions.tip()
        for (title, key) in tip.keys.sorted(by: { $0.key < $1.key }) {
            compare(title, try s.store.history.blame([.of(key)], at: snapshot).first?.version?.id, "blame")
            guard case .option(let shown) = try session.ask(ShowQuery(key)) else { continue }
            compare(title, shown.origin?.id, "show")
        }
        let blames = try session.ask(BlameQuery()).blames
        for blame in blames { compare(blame.option.title.string, blame.version?.id, "blame of all") }
        for _ in 0..<3 {
            let old = model.order[random.int(model.order.count)]
            var query = DiffQuery([], from: old, to: id)
            query.wantsOrigins = true
            let answer = try session.ask(query)
            for (change, origins) in zip(answer.changes, answer.origins) where change.facet == .value {
                compare(change.title.string, origins.last?.version.id, "diff --who \(old.short)")
            }
        }
        return faults
    }
}

/// What three people do to four options, by every way there is; the same for the same seed.
private struct RandomPeople {
    var random: Seeded
    var log: [String] = []
    /// What each squashed version was made from, the oldest first.
    var squashes: [VersionID: [VersionID]] = [:]
    private var lines = 0
    private static let titles = ["M", "N", "L", "O"]
    private static let people: [Person] = [.ada, .bob, .carol]

    init(_ seed: Int) { random = Seeded(UInt64(77_000 + seed)) }

    mutating func begin(_ s: TemporaryStore) throws {
        try s.change(s.done()) { content in
            for title in Self.titles where title != "L" { content.options[.of(title.lowercased())] = .number(title, 0) }
            content.options[.of("l")] = .choice("L", ["v0=English", "v1=French", "v2=Spanish"])
        }
        for _ in 0..<3 { try set(s, s.done(person())) }
    }

    private mutating func person() -> Person { Self.people[random.int(3)] }

    /// Some that was recorded before, the latest most often.
    private mutating func version(_ s: TemporaryStore) throws -> VersionID {
        var ids: [VersionID] = []
        try s.store.versions.eachCommit(from: try s.store.versions.tip().id, hiding: []) { commit in
            if commit.parents.count < 2 { ids.append(commit.id) }
        }
        let most = random.int(2) == 0 ? min(3, ids.count - 2) : ids.count - 2
        return ids[random.int(max(1, most))]
    }

    mutating func go(_ s: TemporaryStore) throws {
        let before = try s.git("rev-parse", "HEAD")
        try goOn(s)
        // The model tells options by their titles.
        let titles = try s.store.versions.tip().settings().options.values.map(\.title)
        if Set(titles).count == titles.count { return }
        try s.git("reset", "-q", "--hard", before)
        try s.reopen()
        note("reset", s)
    }

    private mutating func goOn(_ s: TemporaryStore) throws {
        switch random.int(12) {
        case 0 where lines < 3: try merge(s)
        case 1 where lines < 3: try rewrite(s)
        default: try step(s)
        }
    }

    private mutating func note(_ words: String, _ s: TemporaryStore) {
        log.append("\((try? s.store.versions.tip().id)?.short ?? "?") \(words)")
    }

    /// What can't be done isn't.
    private mutating func attempt(_ words: String, _ s: TemporaryStore, _ body: () throws -> Void) throws {
        do { try body() } catch is Problem { return }
        note(words, s)
    }

    private mutating func set(_ s: TemporaryStore, _ done: Done) throws {
        let titles = random.int(4) == 0 ? [0, 1, 2, 3].filter { _ in random.int(2) == 0 } : [random.int(4)]
        let values = titles.map { (Self.titles[$0], random.int(3)) }
        try attempt("\(done.author.name.prefix(3)) set \(values)\(done.confirmBy == nil ? "" : " --confirm")", s) {
            try s.change(done) { content in
                for (title, value) in values {
                    guard let key = content.options.first(where: { $0.value.title.string == title })?.key else { continue }
                    content.options[key]?.value = title == "L" ? .string("v\(value)") : .number(value)
                }
            }
        }
    }

    private mutating func step(_ s: TemporaryStore) throws {
        let by = person()
        switch random.int(22) {
        case 0, 1, 2:
            let count = 1 + random.int(3)
            try attempt("\(by.name.prefix(3)) undo \(count)", s) { _ = try s.undo(count, by: by) }
        case 3, 4:
            let count = 1 + random.int(2)
            try attempt("\(by.name.prefix(3)) redo \(count)", s) { _ = try s.redo(count, by: by) }
        case 5, 6, 7:
            var ids = [try version(s)]
            if random.int(3) == 0 { ids.append(try version(s)) }
            let done = s.done(by)
            try attempt("\(by.name.prefix(3)) revert \(ids.map(\.short))", s) { _ = try s.store.reverting.revert(ids, done) }
        case 8:
            let (id, done) = (try version(s), s.done(by))
            try attempt("\(by.name.prefix(3)) restore \(id.short)", s) { _ = try s.store.reverting.restore([], from: id, done) }
        case 9, 10: try set(s, s.waiting(Int64(5 + 20 * random.int(3)), by: by))
        case 11, 12:
            let minutes = Int64(20 * random.int(4))
            try attempt("expire", s) { try s.expire(after: minutes, by: by) }
        case 13:
            let (value, word) = (random.int(3), random.int(100))
            try attempt("label", s) {
                try s.change(s.done(by)) { content in
                    guard let key = content.options.first(where: { $0.value.title == "L" })?.key else { return }
                    content.options[key]?.labels.rename(.string("v\(value)"), to: ExactText("Word \(word)"))
                }
            }
        case 14:
            guard let (key, new) = try move(s) else { return }
            try attempt("rename \(key) \(new)", s) { try s.rename(key, new, by: by) }
        case 15:
            guard let (old, new) = try moveGroup(s) else { return }
            try attempt("rename \(old)/ \(new)/", s) { try s.renameGroup(old, new, by: by) }
        case 16: try byGit(s, by)
        default: try set(s, s.done(by))
        }
    }

    /// An option, and another name for it.
    private mutating func move(_ s: TemporaryStore) throws -> (old: String, new: String)? {
        let title = Self.titles[random.int(4)]
        let options = try s.store.versions.tip().settings().options
        guard let key = options.first(where: { $0.value.title.string == title })?.key.description else { return nil }
        return (key, (key.contains(".") ? "" : "g.") + "\(title.lowercased())\(random.int(3))")
    }

    private func moveGroup(_ s: TemporaryStore) throws -> (old: String, new: String)? {
        let groups = Set(try s.store.versions.tip().settings().options.keys.map { $0.group.description })
        for (old, new) in [("g", "h"), ("h", "g")] where groups.contains(old) && !groups.contains(new) { return (old, new) }
        return nil
    }

    /// Somebody without the program moves a file or a folder, edits a value, or both at once.
    private mutating func byGit(_ s: TemporaryStore, _ by: Person) throws {
        func path(_ key: String) -> String { key.replacingOccurrences(of: ".", with: "/") + ".json" }
        let how = random.int(4)
        guard let (key, new) = try move(s) else { return }
        if how == 3 {
            guard let (old, new) = try moveGroup(s) else { return }
            try s.git("mv", old, new)
        } else {
            if how < 2 {
                try FileManager.default.createDirectory(atPath: s.root + "/g", withIntermediateDirectories: true)
                if s.file(path(new)) != nil { return }
                try s.git("mv", path(key), path(new))
            }
            let file = how < 2 ? path(new) : path(key)
            if how > 0, let text = s.text(file), text.contains("number") {
                let value = random.int(3)
                try s.write(text.replacing(/"value": ./, with: "\"value\": \(value)"), to: file)
            }
        }
        do { try s.git("commit", "-q", "-a", "-m", "Tidy up", "--author", "\(by.name) <\(by.email)>") } catch is GitFailed {
            return
        }
        try s.reopen()
        note("git \(how) \(key) \(new)", s)
    }

    private mutating func part(_ s: TemporaryStore) throws -> String {
        lines += 1
        let name = "side\(lines)"
        try s.git("checkout", "-q", "-b", name)
        try s.reopen()
        note("-- \(name)", s)
        for _ in 0..<(1 + random.int(3)) { try step(s) }
        try s.git("checkout", "-q", "main")
        try s.reopen()
        note("-- main", s)
        for _ in 0..<random.int(3) { try step(s) }
        return name
    }

    private mutating func merge(_ s: TemporaryStore) throws {
        let name = try part(s)
        let (by, how) = (person(), random.int(5))
        try attempt("\(by.name.prefix(3)) merge \(name) \(how)", s) {
            switch how {
            case 0: try s.merge(name, by: by) { ($0.kept, $0.neverForwards) = (.ours, true) }
            case 1: try s.merge(name, by: by) { $0.kept = .theirs }
            case 2: try s.merge(name, by: by) { $0.side = .theirs }
            case 3: do { try s.git("merge", "-q", "--no-edit", name) } catch is GitFailed { try s.git("merge", "--abort") }
            default: try s.merge(name, by: by) { $0.side = .ours }
            }
        }
        try s.reopen()
        for open in try s.store.merging.openConflicts() where random.int(2) == 0 && open.conflict.facet == .value {
            let answer: ConflictAnswer = random.int(2) == 0 ? .ours : .theirs
            try attempt("resolve \(open.conflict.subject.key) \(answer)", s) {
                try s.resolve(open.conflict.subject.key.description, answer, .value, by: by)
            }
        }
    }

    /// A branch that git makes anew: rebased, picked or squashed, by git or by a host.
    private mutating func rewrite(_ s: TemporaryStore) throws {
        let how = ["rebase", "rebase --apply", "pick", "pick -x", "squash", "host"][random.int(6)]
        let name = try part(s)
        let range = "main..\(name)"
        do {
            switch how {
            case "rebase", "rebase --apply":
                let backend = how == "rebase" ? "--merge" : "--apply"
                try s.git("rebase", "-q", backend, "main", name)
                try s.git("checkout", "-q", "main")
                try s.git("merge", "-q", "--ff-only", name)
            case "pick": try s.git("cherry-pick", range)
            case "pick -x": try s.git("cherry-pick", "-x", range)
            default:
                let parts = try s.git("rev-list", "--reverse", range).split(separator: "\n").compactMap {
                    VersionID(hex: Array($0.utf8))
                }
                try s.git("merge", "-q", "--squash", name)
                let author = ["--author", "Bob Bemer <bob@example.org>"]
                let log = try s.git("log", "--reverse", "--format=* %B", range)
                let words = how == "host" ? ["-m", "Tune everything (#7)\n\n" + log] : ["--no-edit"]
                _ = try runGit(["commit", "-q"] + words + author, in: s.root, at: s.clock)
                try s.reopen()
                if let id = try s.store.versions.tip().commit?.id { squashes[id] = parts }
            }
        } catch is GitFailed {
            for abort in [["rebase", "--abort"], ["cherry-pick", "--abort"], ["reset", "-q", "--hard"]] {
                _ = try? runGit(abort, in: s.root)
            }
            try s.git("checkout", "-q", "main")
        }
        try s.reopen()
        note("\(how) \(name)", s)
    }
}
