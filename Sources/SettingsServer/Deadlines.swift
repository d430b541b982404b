import ServiceLifecycle
import SettingsKit
import SettingsModel
import SettingsStore

/// Reverts what nobody confirmed in time: the server's own timer.
struct Deadlines: Service {
    let settings: Settings

    /// A deadline that was missed because something was in the way is tried again so often.
    private static let patience = Duration.seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var waiting: Task<Void, any Error>?
            for await _ in settings.snapshots() {
                // What was recorded may have another deadline, or confirm the one that was waited for.
                waiting?.cancel()
                waiting = Task { try await wait() }
            }
            waiting?.cancel()
        }
    }

    private func wait() async throws {
        while let waiting = try? await settings.ask(ConfirmationsQuery()) {
            let open = waiting.map(\.confirmation).filter { [.waiting, .expired].contains($0.state) }
            guard let next = open.map(\.deadline.seconds).min() else { return }
            let left = Duration.seconds(next - settings.present.now)
            try await Task.sleep(for: left > .zero ? left : Self.patience)
            guard let done = try? await settings.done(via: "web") else { continue }
            _ = try? await settings.perform(ExpireAction(isUnattended: true), done)
        }
    }
}
