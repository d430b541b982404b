import HTTPTypes
import Hummingbird
import ServiceLifecycle
import SettingsKit
import SettingsModel
import Synchronization

/// Open pages, which are told of each version: its id and the keys that it changed, and no value.
final class Streams: Service {
    private let settings: Settings
    private struct Open {
        let continuation: AsyncStream<ByteBuffer>.Continuation
        let visitor: Who.Visitor?
    }
    private struct State {
        var next = 0
        var open: [Int: Open] = [:]
        var isOver = false
    }
    private let state = Mutex(State())

    /// More than these are refused.
    private static let most = 2_000
    /// So often something is sent, so that nobody in between takes the connection for dead.
    private static let rest = Duration.seconds(20)

    init(_ settings: Settings) { self.settings = settings }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup { group in
                group.addTask { [self] in
                    for await snapshot in settings.snapshots() {
                        if let version = snapshot.version { send("id: \(version)\nevent: version\ndata: \(version)\n\n") }
                    }
                }
                group.addTask { [self] in
                    while !Task.isCancelled {
                        try await Task.sleep(for: Self.rest)
                        send(": still here\n\n")
                    }
                }
                try await gracefulShutdown()
                group.cancelAll()
            }
        } onGracefulShutdown: { [self] in
            end()
        }
    }

    private func send(_ text: String) {
        let bytes = ByteBuffer(string: text)
        for stream in state.withLock({ Array($0.open.values) }) { stream.continuation.yield(bytes) }
    }

    private func end() {
        let open = state.withLock { state in
            state.isOver = true
            defer { state.open = [:] }
            return Array(state.open.values)
        }
        for stream in open { stream.continuation.finish() }
    }

    /// Ends those of people who are no longer let in.
    func end(unless isWelcome: (Who.Visitor) -> Bool) {
        let ended = state.withLock { state in
            let ended = state.open.filter { !($0.value.visitor.map(isWelcome) ?? false) }
            for number in ended.keys { state.open[number] = nil }
            return ended.values
        }
        for stream in ended { stream.continuation.finish() }
    }

    /// Begins with the last version: the page may have missed it.
    func response(to request: Request, for visitor: Who.Visitor?) throws -> Response {
        // Who is slow gets the newest alone.
        let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingNewest(8))
        let number = state.withLock { state -> Int? in
            guard !state.isOver, state.open.count < Self.most else { return nil }
            state.next += 1
            state.open[state.next] = Open(continuation: continuation, visitor: visitor)
            return state.next
        }
        guard let number else { throw HTTPError(.serviceUnavailable) }
        continuation.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.open.removeValue(forKey: number) } }
        let version = settings.snapshot.version ?? ""
        continuation.yield(ByteBuffer(string: "retry: 2000\nid: \(version)\nevent: version\ndata: \(version)\n\n"))
        var response = Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
            body: ResponseBody { writer in
                // Who has closed the page makes room at once, not when something is sent next.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    // The server waits for its connections before any other service is told to end.
                    try await withGracefulShutdownHandler {
                        for await bytes in stream { try await writer.write(bytes) }
                    } onGracefulShutdown: {
                        continuation.finish()
                    }
                } onInboundClosed: {
                    continuation.finish()
                }
                try await writer.finish(nil)
            })
        // nginx would keep it until there is enough of it.
        response.headers.set("X-Accel-Buffering", "no")
        return response
    }
}
