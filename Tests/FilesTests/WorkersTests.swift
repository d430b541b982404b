import Seeds
import Testing

@testable import Files

struct WorkersTests {
    @Test(arguments: [0, 1, 511, 512, 1023, 1024, 5000, 10_007])
    func partsComeInOrderAndOnce(_ count: Int) {
        let numbers = Workers.parts(of: count) { Array($0) }.flatMap { $0 }
        #expect(numbers == Array(0..<count))
    }

    @Test func failuresStayInTheirPart() {
        let parts = Workers.parts(of: 4096) { part in
            Result { () throws(Cancelled) -> Int in
                if part.contains(2000) { throw Cancelled() }
                return part.count
            }
        }
        let failed = parts.filter { if case .failure = $0 { true } else { false } }
        #expect(failed.count == 1)
        #expect(parts.reduce(0) { $0 + ((try? $1.get()) ?? 0) } < 4096)
    }

    private struct Cancelled: Error {}
}
