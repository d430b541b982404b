import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsStore

extension API {
    /// Each version that is recorded, as `watch --jsonl` prints it: from now on, or after a version that was told last.
    func events(_ request: Request, _ context: WebContext) async throws -> Response {
        let fields = try request.fields("since")
        // What a client that was cut off says by itself counts: it has seen more than what it was started with.
        let sent = request.headers[named: "Last-Event-ID"].flatMap { $0.isEmpty ? nil : $0 }
        let word = sent ?? fields.filled("since")
        var first = Watcher.News(id: settings.snapshot.head)
        // From where whoever is cut off before the first event goes on.
        var start = first.id
        if let word {
            guard let id = VersionID(hex: word) else {
                throw ProblemDocument(.badRequest, "Invalid version id '\(word.visible)': expected 40 hexadecimal digits.")
            }
            (first, start) = (try await settings.events(since: id), id)
            if case .rewritten(let rewriting)? = first.events.first, rewriting.changes == nil {
                throw ProblemDocument(
                    .gone,
                    "Version \(id.short) is no longer in the repository. Read the options again, and follow the events from there."
                )
            }
        }
        let stream = try streams.open(.versions, context.visitor)
        let now = settings.present
        var bytes = ByteBuffer(string: Streams.start + (start.map { "id: \($0.hex)\n" } ?? "") + "\n")
        bytes.writeImmutableBuffer(VersionBatch.bytes(first.events, at: now.time(now.now)))
        stream.continuation.yield(.bytes(bytes))
        // What was recorded since.
        stream.continuation.yield(.versions(VersionBatch()))
        return streams.response(to: request, stream, VersionFollower(settings: settings, last: first.id))
    }
}
