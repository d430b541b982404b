import SettingsModel
import SettingsText

extension RecordRequest {
    /// How long a version waits to be confirmed.
    static func span(_ word: String) -> Result<TimeSpan, Failure> {
        do throws(Confirmation.WaitFault) { return .success(try Confirmation.wait(word)) } catch {
            return .failure(Failure(.usage, CommandLineHints.words(error, of: word)))
        }
    }

    /// The moment that a duration from now leads to.
    static func deadline(_ word: String, _ clock: Clock) throws(Failure) -> Time {
        try span(word).get().end(at: clock)
    }
}
