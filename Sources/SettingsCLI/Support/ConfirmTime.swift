import SettingsModel

extension RecordRequest {
    /// How long a version waits to be confirmed.
    static func span(_ word: String) -> Result<TimeSpan, Failure> {
        guard let span = TimeSpan(word) else {
            return .failure(
                Failure(.usage, "invalid duration '\(word)': expected a number and a unit, such as 10m, 90s, 1h30m or '2 hours'"))
        }
        if span.seconds < Confirmation.shortest.seconds {
            let least = Confirmation.shortest.words
            return .failure(Failure(.usage, "the duration '\(word)' is too short: expected at least \(least)"))
        }
        if span.seconds > Confirmation.longest.seconds {
            let most = Confirmation.longest.words
            return .failure(Failure(.usage, "the duration '\(word)' is too long: expected at most \(most)"))
        }
        return .success(span)
    }

    /// The moment that a duration from now leads to.
    static func deadline(_ word: String, _ clock: Clock) throws(Failure) -> Time {
        clock.time(clock.now + (try span(word).get()).seconds)
    }
}
