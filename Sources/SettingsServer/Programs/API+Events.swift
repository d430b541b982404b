import HTTPTypes
import Hummingbird
import SettingsModel
import SettingsStore

extension API {
    /// Each version that is recorded, as `watch --jsonl` prints it: from now on, or after a version that was told last.
    func events(_ request: Request, _ context: WebContext) async throws -> Response {
        let fields = try request.fields("since")
        // What a client that was cut off says by itself counts: it has seen more than what it was started with.
        let sent = request.headers[named: "Last-Event-ID"].flatMap { $0.isEmpty ? nil : $0 }
        let word = sent ?? fields.filled("since")
        var since: VersionID?
        if let word {
            guard let id = VersionID(hex: word) else {
                throw ProblemDocument(.badRequest, "'\(word.visible)' is not the id of a version: 40 hexadecimal digits are.")
            }
            do throws(Problem) { since = try await settings.ask(RevisionQuery(id.hex), atMost: Self.patience).id } catch {
                guard error.kind == .missing else { throw error }
                throw ProblemDocument(
                    .gone, "Version \(id.short) is not in the repository any more. Read the options again, and follow from there."
                )
            }
        }
        let stream = try streams.open(.versions, context.visitor)
        let last = since ?? settings.snapshot.head
        let id = last.map { "id: \($0.hex)\n" } ?? ""
        stream.continuation.yield(.bytes(ByteBuffer(string: "\(Streams.start)\(id)\n")))
        // What was recorded since it was told last.
        stream.continuation.yield(.versions(VersionBatch()))
        return streams.response(to: request, stream, VersionFollower(settings: settings, last: last))
    }
}
