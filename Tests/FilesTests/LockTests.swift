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
                for _ in 0..<200 { _ = Child.silent("/bin/true", ["true"], [:])?.wait() }
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

    private final class Started: Sendable {
        let queues = Atomic(0)
    }
}
