import SettingsModel

extension Context {
    /// Fails if there are files that can't be read, once everything else is printed.
    func report(_ unreadable: [Problem]) throws {
        guard let last = unreadable.last else { return }
        for problem in unreadable.dropLast() { Failure(problem).report(output, phrases: phrases) }
        throw last
    }
}
