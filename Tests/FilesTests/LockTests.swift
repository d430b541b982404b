import Foundation
import Seeds
import Synchronization
import Testing

@testable import Files

struct LockTests {
    /// A program that is just being started has every open file of its parent for a moment.
    @Test func isFreeAtOnceWhileProgramsAreStarted() throws {
        let path = FileManager.default.temporaryDirectory.path + "/lock-\(UUID().uuidString)"
        defer { unlink(path) }
        let (starting, started) = (DispatchQueue(label: "starting", attributes: .concurrent), Started())
        for _ in 0..<3 {
            starting.async {
                for _ in 0..<200 { _ = try? Command("/bin/true", ["true"], [:]).start().wait() }
                started.queues.add(1, ordering: .relaxed)
            }
        }
        var (taken, refused) = (0, 0)
        while started.queues.load(ordering: .relaxed) < 3 {
            if try Lock.take(path, .exclusive, patience: 0) != nil { taken += 1 } else { refused += 1 }
        }
        #expect(taken > 0)
        #expect(refused == 0)
    }

    /// In a process that lives for long, a lock that somebody else keeps costs one thread, however often it is asked for.
    @Test func whoGivesUpLeavesOneBehind() throws {
        let path = FileManager.default.temporaryDirectory.path + "/lock-\(UUID().uuidString)"
        defer { unlink(path) }
        func opened() -> Int {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return all.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
        }
        do {
            let lock = try Lock.take(path, .exclusive)
            for _ in 0..<20 {
                let isHad = try Lock.take(path, .exclusive, patience: 0.02) != nil
                #expect(!isHad)
            }
            #expect(opened() <= 2)
            withExtendedLifetime(lock) {}
        }
        for _ in 0..<20 {
            let isHad = try Lock.take(path, .exclusive, patience: 300) != nil
            #expect(isHad)
        }
        #expect(eventually { opened() == 0 })
    }

    private final class Started: Sendable {
        let queues = Atomic(0)
    }
}
