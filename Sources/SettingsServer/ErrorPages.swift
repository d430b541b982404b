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

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        ThisProcess.report("\(request.method) \(request.uri.path.visible) \(response.status.code)\n")
        return response
    }
}

/// What goes wrong, as a page or as a program reads it: the one place where it is worded.
struct ErrorPages: RouterMiddleware {
    typealias Context = WebContext
    let site: Site

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch {
            let audience = Audience(site.path(request.uri.path) ?? "/")
            if audience != .people, let document = ProblemDocument(of: error) { return document.response(to: audience) }
            guard let failure = Failure(error) else { throw error }
            return failure.page(Plain(site, failure.title).html(failure.words))
        }
    }
}

/// What went wrong, as a page says it.
struct Failure {
    var status: HTTPResponse.Status
    var title: String
    var words: String

    /// Nil for what no page has words for.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self.init(problem)
        case is Form.Fault: self.init(.badRequest, "Invalid form", "Open the page again.")
        case let fault as Wanted.Fault: self.init(fault)
        case let error as any HTTPResponseError:
            switch error.status {
            case .notFound: self.init(.notFound, "Not found", "There is no page at this address.")
            case .contentTooLarge: self.init(.contentTooLarge, "Not recorded", "The request is larger than 1 MiB.")
            case .serviceUnavailable: self.init(.serviceUnavailable, "Busy", "The server is busy. Try again in a moment.")
            default: self.init(error.status, "Not recorded", "\(error.status.reasonPhrase).")
            }
        default: return nil
        }
    }

    init(_ problem: Problem) {
        switch problem {
        // Who sees it may have no terminal, and no access to the lock.
        case .recording(.isBusy), .recording(.indexIsLocked), .recording(.isInHook):
            self.init(
                .of(problem.kind), "Not recorded",
                "Another program is using the store. Nothing was recorded. Try again in a moment.")
        default: self.init(.of(problem.kind), "Not recorded", PageHints.statement(PageHints.words(problem)))
        }
    }

    private init(_ status: HTTPResponse.Status, _ title: String, _ words: String) {
        (self.status, self.title, self.words) = (status, title, words)
    }

    private init(_ fault: Wanted.Fault) {
        let title = "Invalid form"
        switch fault {
        case .malformed: self.init(.badRequest, title, "A field is missing from the form. Open the page again.")
        case .isGone: self.init(.badRequest, title, Self.isGone)
        case .noOption(let key): self.init(.badRequest, title, "There is no option \(key). Open the page again.")
        case .isMasked(let key): self.init(.badRequest, title, "\(key) is masked, and can be set only on its own page.")
        case .nothingChosen:
            self.init(.unprocessableContent, "Nothing to do", "Nothing was selected. Go back and tick what you want to revert.")
        }
    }

    /// What was typed in a form whose version git has dropped can't be told from what it showed.
    static let isGone =
        "The version that the form showed is no longer in the history. Open the page again, "
        + "or see below how the form differs from what is recorded now."

    func page(_ html: HTML) -> Response {
        var response = Response.page(status, html)
        if status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
        return response
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
