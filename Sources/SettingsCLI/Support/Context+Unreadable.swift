import SettingsModel
import SettingsStore
import SettingsText

extension Context {
    /// Fails if there are files that can't be read, once everything else is printed.
    func report(_ unreadable: [Problem], in session: Session) throws {
        guard let last = unreadable.last else { return }
        for problem in unreadable.dropLast() { failure(problem, in: session).report(output, phrases: phrases) }
        throw failure(last, in: session)
    }

    /// What a query answers about the files as they stand, or why one can't be read and what repairs it.
    func ask<Q: Query>(_ query: Q, in session: Session) throws -> Q.Answer {
        do throws(Problem) { return try session.ask(query) } catch { throw failure(error, in: session) }
    }

    /// With the hint that 'settings verify' prints, for a file that isn't of a certain version.
    private func failure(_ problem: Problem, in session: Session) -> Failure {
        var failure = Failure(problem)
        guard case .file(.unreadable(_, let path, nil)) = problem, let subject = Subject(path: path),
            let remedy = try? session.ask(RemedyQuery(subject))
        else { return failure }
        failure.hint = CommandLineHints.explanation(of: Finding(path: path, .problem(problem, remedy))).hint
        return failure
    }
}
