import Files
import HTTPTypes
import Hummingbird
import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText

/// One line for each request on standard error: the method, the path, the status. No query, no token, no value.
struct RequestLog: RouterMiddleware {
    typealias Context = WebContext
    let isQuiet: Bool

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        if !isQuiet { ThisProcess.report("\(request.method) \(request.uri.path.visible) \(response.status.code)\n") }
        return response
    }
}

/// What goes wrong, as a page.
struct ErrorPages: RouterMiddleware {
    typealias Context = WebContext
    let site: Site

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch let error as any HTTPResponseError {
            switch error.status {
            case .notFound: return .page(.notFound, Plain(site, "Not found").html("There is no page at this address."))
            case .contentTooLarge: return .page(.contentTooLarge, Plain(site, "Not done").html("The form is larger than 1 MiB."))
            default: return .page(error.status, Plain(site, "Not done").html(error.status.reasonPhrase))
            }
        } catch let problem as Problem {
            return .page(.of(problem.kind), Plain(site, "Not done").html(PageHints.statement(PageHints.words(problem))))
        }
    }
}

extension HTTPResponse.Status {
    /// What a kind of problem is called over HTTP.
    static func of(_ kind: Problem.Kind) -> HTTPResponse.Status {
        switch kind {
        case .usage: .badRequest
        case .missing: .notFound
        case .conflict, .no: .conflict
        case .badData, .policy: .unprocessableContent
        case .busy, .unavailable, .interrupted, .incomplete: .serviceUnavailable
        case .cannotWrite: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        }
    }
}
