import Files
import Git
package import SettingsModel

/// Notices that branches or tags were made, moved or removed. As with `Watcher`, `descriptor` is waited for. It belongs to one
/// thread.
package final class NameWatcher {
    private let versions: Versions
    private var watch: FolderWatch?

    init(_ folder: StoreFolder, sudoUser: UInt32?) throws(Problem) {
        versions = try Versions.open(folder, sudoUser: sudoUser, readsOnly: true)
        watch = try? FolderWatch()
    }

    /// As of `Watcher`.
    package var descriptor: Int32? { watch?.descriptor }

    package func takeHint() -> Bool { watch?.takeEvents() ?? false }

    /// From now on `descriptor` tells of them, also in folders that came since.
    package func begin() {
        guard let watch else { return }
        for _ in 0..<8 {
            do {
                let places = try git(versions.repository.references.placesOfNames())
                if try !watch.watch(places) { return }
            } catch {
                // Too many folders for the user's limit.
                self.watch = nil
                return
            }
        }
    }
}

extension Session {
    package func nameWatcher() throws(Problem) -> NameWatcher { try NameWatcher(folder, sudoUser: caller.sudoUser) }
}
