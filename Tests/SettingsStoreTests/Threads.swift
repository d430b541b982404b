import Foundation
import Synchronization

/// Runs `body` in threads of their own, each with its number.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
    let errors = Mutex<[String]>([])
    let left = DispatchGroup()
    for number in 0..<count {
        left.enter()
        let thread = Thread {
            do { try body(number) } catch { errors.withLock { $0.append("\(number): \(error)") } }
            left.leave()
        }
        thread.stackSize = 8 << 20
        thread.start()
    }
    left.wait()
    return errors.withLock { $0 }
}
