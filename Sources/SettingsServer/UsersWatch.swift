import Files
import SettingsModel

/// Tells when the file of those who may sign in has changed, so that the streams of a removed person end at once.
actor UsersWatch {
    private let thread: ServiceThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let place: FolderWatch.Place
    private let tell: @Sendable () -> Void
    private var watch: FolderWatch?

    /// Even where the system tells nothing, as network file systems do, so often it is looked.
    private static let interval = Duration.seconds(5)

    init(_ path: String, _ tell: @escaping @Sendable () -> Void) throws(ServeFailure) {
        do throws(SystemFailure) { thread = try ServiceThread() } catch {
            throw ServeFailure(status: 75, reason: "cannot \(error.operation) \(error.path): \(error.reason)")
        }
        let path = (try? FileSystem.resolved(path)) ?? path
        place = FolderWatch.Place(FileSystem.folder(of: path), [FileSystem.name(of: path)])
        self.tell = tell
        thread.whenIdle { [weak self] _ in self?.assumeIsolated { $0.look() } ?? ServiceThread.Wait() }
    }

    deinit { thread.end() }

    private func look() -> ServiceThread.Wait {
        if watch == nil, let new = try? FolderWatch() { watch = new }
        _ = try? watch?.watch([place])
        _ = watch?.takeEvents()
        tell()
        return ServiceThread.Wait(for: watch.map { [$0.descriptor] } ?? [], atMost: Self.interval)
    }
}
