import HTTPTypes
import Hummingbird
import SettingsModel
import SettingsText

/// Why a program's request was refused: `application/problem+json`, as RFC 9457 has it.
struct ProblemDocument: Error {
    var status: HTTPResponse.Status
    /// That of the command which would be refused for the same reason.
    var exitStatus: ExitStatus
    /// Sentences for a person.
    var detail: String
    var more: [JSON.Member] = []
    /// What OpenFeature calls the error, and the flag that was asked for.
    var code = "GENERAL"
    var flag: String?

    init(_ status: HTTPResponse.Status, _ detail: String, _ more: KeyValuePairs<ExactText, JSON?> = [:]) {
        (self.status, self.detail) = (status, detail)
        exitStatus =
            switch status {
            case .unauthorized, .forbidden: .policy
            case .notFound, .gone: .missing
            case .conflict, .preconditionFailed: .conflict
            case .unprocessableContent: .badData
            case .serviceUnavailable: .busy
            default: .usage
            }
        self.more = more.compactMap { name, value in value.map { JSON.Member(name, $0) } }
    }

    /// Of several things that are wrong, each in a sentence.
    init(_ status: HTTPResponse.Status, faults: [String]) {
        self.init(
            status, faults.joined(separator: " "),
            ["problems": .array(faults.map { .object(["detail": .string($0)]) })])
    }

    /// `conflicts`: those of the problem, without what is masked.
    init(_ problem: Problem, conflicts: [Conflict] = []) {
        let failure = Failure(problem)
        self.init(failure.status, failure.words)
        exitStatus = ExitStatus(problem.kind)
        let reports = Reports()
        if !conflicts.isEmpty { more.append(JSON.Member("conflicts", .array(conflicts.map { reports.conflict($0) }))) }
        let problems =
            Self.unmetConditions(problem)
            ?? CommandLineHints.explanation(of: problem).details.map {
                .object(["detail": .string($0)])
            }
        if !problems.isEmpty { more.append(JSON.Member("problems", .array(problems))) }
        let nearest = Self.nearest(problem)
        if !nearest.isEmpty { more.append(JSON.Member("nearest", .array(nearest.map { .string($0) }))) }
    }

    /// The options that are not as a request demands, each with its key; nil where it was refused for something else.
    private static func unmetConditions(_ problem: Problem) -> [JSON]? {
        let rows = problem.each.compactMap { problem -> JSON? in
            guard case .value(.isNot(let key, _, _)) = problem else { return nil }
            return .object([
                "key": .string(key.description), "detail": .string(Failure(problem).words),
                "exitStatus": .number(Int(ExitStatus.conflict.rawValue)),
            ])
        }
        return rows.isEmpty ? nil : rows
    }

    /// Names that may have been meant.
    static func nearest(_ problem: Problem) -> [String] {
        switch problem {
        case .key(.noOption(_, let near)), .key(.noPlace(_, let near)), .key(.noGroup(_, _, let near)),
            .history(.noTag(_, let near)):
            near
        case .key(.wasRenamed(_, _, let today?, _)): [today.description]
        case .key(.isNothing(_, let problem?)): nearest(.key(problem))
        default: []
        }
    }

    /// Nil for what nobody has words for.
    init?(of error: any Error) {
        switch error {
        case let document as ProblemDocument: self = document
        case let problem as Problem: self.init(problem)
        default:
            guard let failure = Failure(error) else { return nil }
            self.init(failure.status, failure.words)
        }
    }

    func response(to audience: Audience) -> Response {
        let document: JSON =
            audience == .flags
            ? .object([
                "key": flag.map { .string($0) }, "errorCode": .string(code), "errorDetails": .string(detail),
            ])
            : .object(
                [
                    JSON.Member("title", .string(status.reasonPhrase)), JSON.Member("detail", .string(detail)),
                    JSON.Member("status", .number(status.code)),
                    JSON.Member("exitStatus", .number(Int(exitStatus.rawValue))),
                ] + more)
        var response = Response.json(
            status, document, type: audience == .flags ? "application/json" : "application/problem+json")
        if status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
        return response
    }
}
