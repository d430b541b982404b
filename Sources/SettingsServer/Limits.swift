import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Ends connections that are slow to send: a head within 10 seconds, all of a request within 30. Without it, each might hold its
/// place for as long as it sends a byte now and then.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private var timer: Scheduled<Void>?
    private var isBetween = true

    private static let head = TimeAmount.seconds(10)
    private static let whole = TimeAmount.seconds(30)

    func handlerAdded(context: ChannelHandlerContext) {
        try? context.pipeline.syncOperations.addHandler(FirstByte { [weak self] in self?.began(context) }, position: .first)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    private func began(_ context: ChannelHandlerContext) {
        guard isBetween else { return }
        isBetween = false
        start(Self.head, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isBetween = false
            start(Self.whole, context)
        case .body: break
        case .end:
            isBetween = true
            timer?.cancel()
        }
        context.fireChannelRead(data)
    }

    private func start(_ limit: TimeAmount, _ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
    }
}

/// Notices bytes before anybody makes a request of them.
private final class FirstByte: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let tell: () -> Void

    init(_ tell: @escaping () -> Void) { self.tell = tell }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        tell()
        context.fireChannelRead(data)
    }
}

/// Refuses requests while 256 others wait for their answers.
final class WaitingLimit: RouterMiddleware {
    typealias Context = WebContext

    private let waiting = Mutex(0)
    private static let most = 256

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < Self.most else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else { throw HTTPError(.serviceUnavailable) }
        defer { waiting.withLock { $0 -= 1 } }
        return try await next(request, context)
    }
}
