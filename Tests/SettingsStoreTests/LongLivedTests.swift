import Files
import Foundation
import Surroundings
import Synchronization
import Testing

@testable import SettingsModel
@testable import SettingsStore

/// A process that lives for hours, with several stores that are asked from several threads while git's upkeep runs.
@Suite(.serialized)
struct LongLivedTests {
    /// For how many seconds it has the process for itself, with a look at memory:
    /// `SETTINGS_SOAK=60 swift test --filter LongLivedTests`.
    private static let alone = ProcessInfo.processInfo.environment["SETTINGS_SOAK"].flatMap { Int($0) }
    /// For how many seconds it is driven; where it isn't said, a few requests are made.
    private static let seconds = alone ?? (ProcessInfo.processInfo.environment["SETTINGS_FULL"] == nil ? nil : 60)
    private static let threads = 4

    @Test func fourThreadsDriveTwoStoresBesideGit() throws {
        try withStore { one in
            try withStore(prefix: "conf/") { other in
                let stores = [one, other]
                for s in stores {
                    try s.put("shared", .number("Shared", 0))
                    for number in 0..<Self.threads { try s.put("g.n\(number)", .number("N", 0)) }
                }
                let roots = stores.map(\.root)
                let before = Self.held(in: roots)
                let course = Course(stores.map(\.path), seconds: Self.seconds)
                // The last thread is git's.
                let errors = inThreads(Self.threads + 1) { number in
                    if number < Self.threads { return try course.drive(number) }
                    while !course.isAtEnd(Self.threads) {
                        for root in roots {
                            _ = try? runGit(["gc", "-q"], in: root)
                            _ = try? runGit(["repack", "-adq"], in: root)
                        }
                        course.sample()
                    }
                }
                #expect(errors == [])
                #expect(Self.held(in: roots) <= before)
                let counts = course.counts
                for (index, s) in stores.enumerated() {
                    try s.reopen()
                    #expect(try s.value("shared") == "\(counts.shared[index])")
                }
                if Self.alone != nil {
                    print("\(counts.requests) requests; memory in MiB: \(counts.memory.map { $0 >> 10 })")
                    #expect(counts.requests >= 1000)
                    // Caches fill up at first.
                    let (early, late) = (counts.memory[counts.memory.count / 4], counts.memory.last ?? 0)
                    #expect(late < early + 32 << 10, "\(counts.memory)")
                } else {
                    #expect(counts.requests >= 100)
                }
            }
        }
    }

    /// How many files below these folders this process has open or mapped.
    private static func held(in folders: [String]) -> Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let open = all.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        let mapped = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8))?.split(separator: "\n") ?? []
        return open.count { path in folders.contains { path.hasPrefix($0 + "/") } }
            + mapped.count { line in folders.contains { line.contains($0 + "/") } }
    }
}

/// What the threads ask, and what they must be told.
private final class Course: Sendable {
    private let paths: [String]
    private let end: ContinuousClock.Instant?
    private let known: Mutex<Counts>

    struct Counts {
        var requests = 0
        var atEnd = 0
        /// How often each store's option was raised that all threads share.
        var shared: [Int]
        /// What the process had of the machine's memory beside files that are mapped, in KiB.
        var memory: [Int] = []
    }

    init(_ paths: [String], seconds: Int?) {
        self.paths = paths
        end = seconds.map { .now + .seconds($0) }
        known = Mutex(Counts(shared: Array(repeating: 0, count: paths.count)))
    }

    var counts: Counts { known.withLock { $0 } }

    func isAtEnd(_ threads: Int) -> Bool { known.withLock { $0.atEnd == threads } }

    func sample() {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let words = lines.first { $0.hasPrefix("RssAnon:") }?.split(whereSeparator: \.isWhitespace) ?? []
        if words.count > 1, let size = Int(words[1]) { known.withLock { $0.memory.append(size) } }
    }

    /// One thread with a session of its own for each store. Sooner or later a session is given up for another one.
    func drive(_ number: Int) throws {
        defer { known.withLock { $0.atEnd += 1 } }
        let person = Person(name: "Thread \(number)", email: "\(number)@example.org")
        var (rounds, values) = (0, paths.map { _ in 0 })
        var sessions = paths.map(session)
        while end.map({ .now < $0 }) ?? (rounds < 8) {
            rounds += 1
            let index = (rounds + number) % paths.count
            if rounds % 64 == 0 { sessions[index] = session(paths[index]) }
            var done = TemporaryStore.done(person, at: 1_700_001_000 + Int64(rounds), why: "round \(rounds)")
            done.patience = 120
            try round(rounds, number, index, sessions[index], &values[index], done)
        }
    }

    private func session(_ path: String) -> Session {
        Session(StoreFolder(path: path), by: Caller(), at: Clock(now: 1_700_000_000))
    }

    private func round(
        _ round: Int, _ number: Int, _ index: Int, _ session: Session, _ value: inout Int, _ done: Done
    ) throws {
        let key = "g.n\(number)"
        var made = try #require(try session.perform(.edit(.set([.init(key, .plus(Number(1)))])), done).version)
        value += 1
        switch round % 4 {
        case 0:
            do throws(Problem) {
                let undone = try session.perform(.undo(1), done).version
                #expect(undone?.named.undoes == [made.id])
            } catch {
                // Somebody else was faster, and theirs is not undone.
                guard case .history(.lastIsOthers) = error else { throw error }
                value += 1
            }
            made = try #require(try session.perform(.edit(.set([.init(key, .plus(Number(1)))])), done).version)
        case 1:
            _ = try session.perform(.edit(.set([.init("shared", .plus(Number(1)))])), done)
            known.withLock { $0.shared[index] += 1 }
        default: break
        }
        #expect(try session.ask(OptionsQuery([key])).map(\.option.value) == [.number(value)])
        #expect(try session.ask(OptionsQuery([key], at: made.id)).map(\.option.value) == [.number(value)])
        let blame = try session.ask(BlameQuery([key])).blames.first?.version
        #expect(blame?.id == made.id && blame?.author == done.author)
        var (query, newest) = (HistoryQuery(), made.id)
        (query.keys, query.limit) = ([key], 1)
        _ = try session.walk(query) { version, _, _ in
            newest = version.id
            return true
        }
        #expect(newest == made.id)
        let page = try session.ask(PagesQuery())
        #expect(page.settings.options[.of(key)]?.value == .number(value) && page.unreadable.isEmpty)
        known.withLock { $0.requests += 6 }
    }
}
