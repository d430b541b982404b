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

/// What goes wrong, as a page: the one place where it is worded.
struct ErrorPages: RouterMiddleware {
    typealias Context = WebContext
    let site: Site

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        func page(_ status: HTTPResponse.Status, _ title: String, _ words: String) -> Response {
            var response = Response.page(status, Plain(site, title).html(words))
            if status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
            return response
        }
        do { return try await next(request, context) } catch let problem as Problem {
            return page(.of(problem.kind), "Not done", PageHints.statement(PageHints.words(problem)))
        } catch is Form.Fault {
            return page(.badRequest, "Not a form of this page", "Open the page again.")
        } catch Wanted.Fault.nothingChosen {
            return page(.unprocessableContent, "Nothing to do", "Nothing was chosen. Go back and tick what is to be reverted.")
        } catch is Wanted.Fault {
            let words = "The form shows a version that isn't there any more. Open the page again."
            return page(.badRequest, "Not a form of this page", words)
        } catch let error as any HTTPResponseError {
            switch error.status {
            case .notFound: return page(.notFound, "Not found", "There is no page at this address.")
            case .contentTooLarge: return page(.contentTooLarge, "Not done", "The form is larger than 1 MiB.")
            case .serviceUnavailable: return page(.serviceUnavailable, "Busy", "The server is busy. Try again in a moment.")
            default: return page(error.status, "Not done", "\(error.status.reasonPhrase).")
            }
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
