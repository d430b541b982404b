package import SettingsModel

/// Packs the history and brings its index up to date. Nothing is removed from the history, and other processes can write
/// meanwhile.
package struct Maintenance {
    /// Runs a command of git's on a git directory, with a configuration and variables of its own. Returns its exit status; nil
    /// where it could not be started or was killed.
    package typealias RunGit = (
        _ words: [String], _ directory: String, _ configuration: [String], _ variables: [String: String]
    ) -> Int32?

    /// Only what is due.
    package var isAutomatic: Bool
    /// Nil if git is not installed.
    package var runGit: RunGit?
    package var progress: (Step) -> Void

    package enum Step: Hashable, Sendable {
        /// A command of git's; nil before the first one.
        case git(String?)
        case packed(Int, of: Int)
    }

    package init(isAutomatic: Bool, runGit: RunGit?, progress: @escaping (Step) -> Void) {
        self.isAutomatic = isAutomatic
        self.runGit = runGit
        self.progress = progress
    }

    package struct Outcome: Sendable {
        package var work: Storage.Work
        package var before: Storage
        package var after: Storage
    }
}

extension Session {
    /// Maintains the store. Nil where that is automatic and another process does so already.
    package func maintain(_ maintenance: Maintenance) throws(Problem) -> Maintenance.Outcome? {
        let upkeep = try store.upkeep
        let before = upkeep.storage
        let indexIsDue = try store.history.cache.indexIsDue
        func outcome(_ work: Storage.Work) -> Maintenance.Outcome {
            Maintenance.Outcome(work: work, before: before, after: upkeep.storage)
        }
        if maintenance.isAutomatic, !before.isDue, !indexIsDue { return outcome(.nothingIsDue) }
        let done = try upkeep.underLock { () throws(Problem) -> Maintenance.Outcome in
            // The index comes first, because queries benefit from it and packing takes longer.
            if indexIsDue { try reading.store.history.cache.buildIndex() }
            if maintenance.isAutomatic, !before.isDue { return outcome(.onlyIndex) }
            guard let runGit = maintenance.runGit else {
                return outcome(.packed(try upkeep.pack { maintenance.progress(.packed($0, of: $1)) }))
            }
            maintenance.progress(.git(nil))
            try upkeep.pack(isWhole: !maintenance.isAutomatic, by: runGit) { maintenance.progress(.git($0)) }
            return outcome(.packedByGit)
        }
        if done == nil, !maintenance.isAutomatic { throw .repository(.isBeingMaintained) }
        return done
    }
}

/// Whether upkeep is due: it should be started in the background, unless the user's `gc.auto` is 0.
package enum UpkeepQuery: Query {
    /// The history should be packed.
    case packing
    /// A question had to walk the history, because there is no index.
    case index

    package func answer(in session: Session) throws(Problem) -> Bool {
        let isDue =
            switch self {
            case .packing: try session.store.upkeep.storage.isDue
            case .index: try session.store.history.cache.missedIndex
            }
        return isDue && session.configured("gc.auto").flatMap { Int($0) } != 0
    }
}
