import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsStore
import SettingsText

/// What programs read and record: the documents of the command line's `--json`, under `/api/v1`.
struct API: Sendable {
    let site: Site
    let latest: LatestFlags
    let streams: Streams
    let reports = Reports()

    var settings: Settings { site.settings }

    /// A history or a search that takes longer ends with what it has.
    static let patience = Routes.patience

    func add(to router: some RouterMethods<WebContext>) {
        for (path, answer) in [
            ("/options", options), ("/options/{key}", option), ("/versions", versions), ("/versions/{id}", version),
            ("/diff", diff),
        ] as [(String, @Sendable (Request, WebContext) async throws -> Response)] {
            let path = RouterPath("/api/v1" + path)
            router.get(path) { try await answer($0, $1) }
            refuseOthers(path, than: .get, router)
        }
        for (path, answer) in [
            ("/done", done), ("/revert", revert), ("/restore", restore), ("/undo", undo),
        ] as [(String, @Sendable (Request, WebContext) async throws -> Response)] {
            let path = RouterPath("/api/v1" + path)
            router.post(path) { try await answer($0, $1) }
            refuseOthers(path, than: .post, router)
        }
        router.get("/api/v1/events") { try await events($0, $1) }
        refuseOthers("/api/v1/events", than: .get, isStream: true, router)
        router.get("/health") { _, _ in health() }
        refuseOthers("/health", than: .get, router)
    }

    /// Whether there is anything to answer with.
    private func health() -> Response {
        guard settings.snapshot.version != nil else {
            return ProblemDocument(.serviceUnavailable, "The store has no version yet.").response(to: .programs)
        }
        return .json(.ok, Reports.document(["status": "ok"]))
    }
}

/// The other methods of an address, whose answer names those that there are. What can be got has a head (RFC 9110, section 9.3.2),
/// unless it is a stream: that has no length, and what its head would say is known to whoever opened it.
func refuseOthers(
    _ path: RouterPath, than method: HTTPRequest.Method, isStream: Bool = false, _ router: some RouterMethods<WebContext>
) {
    let allowed: [HTTPRequest.Method] = method == .get && !isStream ? [.get, .head] : [method]
    for other in [.get, .head, .post, .put, .patch, .delete, .options, .trace] as [HTTPRequest.Method]
    where !allowed.contains(other) {
        router.on(path, method: other) { request, _ in
            var response = ProblemDocument(.methodNotAllowed, "\(request.method) is not supported here; use \(method).")
                .response(to: Audience(path.description))
            response.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
            return response
        }
    }
}

extension Request {
    /// The fields of the address, where it has none but these.
    func fields(_ names: String...) throws(ProblemDocument) -> Form {
        let form: Form
        do throws(Form.Fault) { form = try Form((uri.query ?? "").utf8) } catch {
            throw ProblemDocument(.badRequest, "The query is malformed, or repeats a parameter.")
        }
        let faults = form.names.filter { !names.contains($0) }.map { name in
            "Unknown parameter '\(name.visible)': expected "
                + (names.isEmpty ? "none." : "one of \(names.joined(separator: ", ")).")
        }
        if !faults.isEmpty { throw ProblemDocument(.badRequest, faults: faults) }
        return form
    }
}
