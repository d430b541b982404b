import Files
import Git
package import SettingsModel

/// Follows the edits of a store's files that nobody has recorded yet. As with `Watcher`, whoever uses it waits for
/// `descriptor`, or for as long as is bearable, and asks then. It belongs to one thread.
package final class DraftWatcher {
    private let folder: StoreFolder
    private let places: [Key]
    private let sudoUser: UInt32?
    private let formats: (any FileFormats)?
    private var watch: FolderWatch?

    init(
        _ folder: StoreFolder, _ places: [Key], sudoUser: UInt32?, formats: (any FileFormats)?, watchesFolders: Bool
    ) {
        self.folder = folder
        self.places = places
        self.sudoUser = sudoUser
        self.formats = formats
        if watchesFolders { watch = try? FolderWatch() }
    }

    /// As of `Watcher`.
    package var descriptor: Int32? { watch?.descriptor }

    package func takeHint() -> Bool { watch?.takeEvents() ?? false }

    /// The edits as they are now. A version that is being written is waited for: its files follow its commit.
    package func draft() throws(Problem) -> Draft {
        arm()
        let (folder, places) = (folder, places)
        let store = try Store.open(folder, sudoUser: sudoUser, formats: formats)
        return try folder.reading { _ throws(Problem) in try store.workTree.draft(in: places) }
    }

    /// From now on `descriptor` tells of edits, also in groups that came since.
    package func begin() { arm() }

    private func arm() {
        guard let watch else { return }
        _ = watch.takeEvents()
        for _ in 0..<8 {
            do {
                if try !watch.watch(folder.groupFolders().map { FolderWatch.Place($0) }) { return }
            } catch {
                // Too many folders for the user's limit.
                self.watch = nil
                return
            }
        }
    }
}

extension StoreFolder {
    /// The paths of the store's folder and of all in it that may be groups.
    fileprivate func groupFolders() throws(Problem) -> [String] {
        var folders = [path]
        let ignored = Ignored(self)
        func add(_ folder: String, depth: Int) throws(Problem) {
            for (name, kind) in try git(system(FileSystem.entries(of: folder.isEmpty ? path : "\(path)/\(folder)")))
            where kind == .folder && depth < Key.partLimit && (try? Key(parts: [name])) != nil {
                let place = folder.isEmpty ? name : "\(folder)/\(name)"
                if try isForeign(place) { continue }
                if let ignored, try ignored.holds(folder: place) { continue }
                folders.append("\(path)/\(place)")
                try add(place, depth: depth + 1)
            }
        }
        try add("", depth: 0)
        return folders
    }
}

extension Session {
    /// Follows edits of the files, or of those of some options and groups.
    package func draftWatcher(_ words: [String] = [], watchesFolders: Bool = true) throws(Problem) -> DraftWatcher {
        DraftWatcher(
            folder, try pastPlaces(words), sudoUser: caller.sudoUser, formats: formats, watchesFolders: watchesFolders)
    }
}
