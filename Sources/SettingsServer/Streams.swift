import HTTPTypes
import Hummingbird
import ServiceLifecycle
import SettingsKit
import SettingsModel
import Synchronization

/// Those who are told of what is recorded: open pages of each version, by its id and no value; programs of each version in full, or
/// of other values of flags.
final class Streams: Service {
    let settings: Settings
    private let latest: LatestFlags

    enum Kind { case pages, versions, flags }

    enum Message: Sendable {
        /// As it is sent.
        case bytes(ByteBuffer)
        case versions(VersionBatch)
    }

    private struct Open {
        let kind: Kind
        let continuation: AsyncStream<Message>.Continuation
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

    init(_ settings: Settings, _ latest: LatestFlags) { (self.settings, self.latest) = (settings, latest) }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup { group in
                group.addTask { [self] in
                    for await snapshot in settings.snapshots() {
                        if let version = snapshot.version { send("id: \(version)\nevent: version\ndata: \(version)\n\n", .pages) }
                    }
                }
                group.addTask { [self] in
                    let pending = VersionBatch.Pending()
                    for await _ in settings.arrivals({ pending.note($0, $1) }) {
                        let now = settings.present
                        for batch in pending.take(now) { send(.versions(batch), .versions) }
                    }
                }
                group.addTask { [self] in try await tellFlags() }
                group.addTask { [self] in
                    while !Task.isCancelled {
                        try await Task.sleep(for: Self.rest)
                        send(": still here\n\n", nil)
                    }
                }
                try await gracefulShutdown()
                group.cancelAll()
            }
        } onGracefulShutdown: { [self] in
            end()
        }
    }

    /// Several versions in a short time are one reason to ask for the flags again.
    private func tellFlags() async throws {
        var last: EntityTag?
        for await first in latest.sets() {
            if last == nil || first.tag == last {
                last = first.tag
                continue
            }
            try await Task.sleep(for: Self.burst)
            let flags = await latest.flags()
            if flags.tag == last { continue }
            last = flags.tag
            send(.bytes(Self.news(of: flags)), .flags)
        }
    }

    private static let burst = Duration.milliseconds(50)

    /// As OFREP has it.
    private static func news(of flags: FlagSet) -> ByteBuffer {
        let data = JSON.object([
            "type": "refetchEvaluation", "etag": .string(flags.tag.field), "lastModified": .number(Int(flags.seconds)),
        ])
        return ByteBuffer(string: "id: \(flags.tag.word)\ndata: \(data.compact)\n\n")
    }

    /// Nil: to all.
    private func send(_ text: String, _ kind: Kind?) { send(.bytes(ByteBuffer(string: text)), kind) }

    private func send(_ message: Message, _ kind: Kind?) {
        let open = state.withLock { state in state.open.values.filter { kind == nil || $0.kind == kind } }
        for stream in open { stream.continuation.yield(message) }
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
        let stream = try open(.pages, visitor)
        let version = settings.snapshot.version ?? ""
        stream.continuation.yield(.bytes(ByteBuffer(string: "\(Self.start)id: \(version)\nevent: version\ndata: \(version)\n\n")))
        return response(to: request, stream)
    }

    /// Flags, from what an interrupted stream told last.
    func flags(_ latest: LatestFlags, _ request: Request, _ visitor: Who.Visitor?) async throws -> Response {
        let stream = try open(.flags, visitor)
        let flags = await latest.flags()
        let last = request.headers[named: "Last-Event-ID"]
        stream.continuation.yield(.bytes(ByteBuffer(string: Self.start + "id: \(flags.tag.word)\n\n")))
        if let last, !last.isEmpty, last != flags.tag.word { stream.continuation.yield(.bytes(Self.news(of: flags))) }
        return response(to: request, stream)
    }

    /// After how many milliseconds whoever is cut off comes back.
    static let start = "retry: 2000\n"

    typealias Stream = (messages: AsyncStream<Message>, continuation: AsyncStream<Message>.Continuation)

    func open(_ kind: Kind, _ visitor: Who.Visitor?) throws -> Stream {
        // Who is slow gets the newest alone.
        let stream = AsyncStream.makeStream(of: Message.self, bufferingPolicy: .bufferingNewest(8))
        let number = state.withLock { state -> Int? in
            guard !state.isOver, state.open.count < Self.most else { return nil }
            state.next += 1
            state.open[state.next] = Open(kind: kind, continuation: stream.continuation, visitor: visitor)
            return state.next
        }
        guard let number else { throw HTTPError(.serviceUnavailable) }
        stream.continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.open.removeValue(forKey: number) }
        }
        return (stream.stream, stream.continuation)
    }

    /// `follower`: what makes bytes of versions.
    func response(to request: Request, _ stream: Stream, _ follower: VersionFollower? = nil) -> Response {
        var response = Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
            body: ResponseBody { writer in
                // Who has closed the page makes room at once, not when something is sent next.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    // The server waits for its connections before any other service is told to end.
                    try await withGracefulShutdownHandler {
                        var follower = follower
                        for await message in stream.messages {
                            switch message {
                            case .bytes(let bytes): try await writer.write(bytes)
                            case .versions(let batch): try await follower?.take(batch) { try await writer.write($0) }
                            }
                        }
                    } onGracefulShutdown: {
                        stream.continuation.finish()
                    }
                } onInboundClosed: {
                    stream.continuation.finish()
                }
                try await writer.finish(nil)
            })
        // nginx would keep it until there is enough of it.
        response.headers.set("X-Accel-Buffering", "no")
        return response
    }
}
