import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// Marks what takes more than about five seconds of processor time; `SETTINGS_SLOW=0` leaves it out.
    package static var slow: Self {
        .disabled(if: ProcessInfo.processInfo.environment["SETTINGS_SLOW"] == "0", "slow")
    }
}
