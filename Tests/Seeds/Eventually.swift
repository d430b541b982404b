import Foundation

/// Waits until something is so; false if it is still not so after two minutes. That is no measure of how fast anything is: it makes a
/// failure of what would never end.
package func eventually(_ isSo: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while try !isSo() {
        guard ContinuousClock.now < end else { return false }
        // Each look may start a program: without a pause, looks take the processor from what is waited for.
        Thread.sleep(forTimeInterval: 0.01)
    }
    return true
}
