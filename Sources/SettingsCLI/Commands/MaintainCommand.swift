import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct MaintainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Pack the history to keep it small and fast.",
        discussion: """
            Nothing is removed from the history, and other processes can write meanwhile.
            The index used by 'history' and 'blame' is updated, too. Maintenance runs
            automatically when it is due, unless git's gc.auto is 0.

              settings maintain
            """)

    @Flag(name: .long, help: "Do so only if it is due.")
    var auto = false

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        let store = try session.store
        let before = store.upkeep.storage
        let indexIsDue = store.history.cache.indexIsDue
        if auto, !before.isDue, !indexIsDue { return try report("nothing is due", before, store, context) }
        guard let lock = try store.upkeep.takeLock() else {
            if auto { return }
            throw Failure(
                .busy, "another process is maintaining this store",
                hint: "wait for it to finish; 'settings doctor' shows the state")
        }
        defer { withExtendedLifetime(lock) {} }
        // The index comes first, because queries benefit from it and packing takes longer.
        if indexIsDue {
            try context.session(readsOnly: true).store.history.cache.buildIndex()
        }
        if auto, !before.isDue { return try report("the index is up to date", before, store, context) }
        let done: String
        if let git = GitUpkeep(environment: context.environment) {
            context.output.progress("git is packing …")
            try git.run(on: store, whole: !auto) { context.output.progress($0) }
            done = "packed by git"
        } else {
            let count = try store.upkeep.maintain { context.output.progress("\($0) of \($1) objects packed …") }
            done = "\(count) objects packed by libgit2; git, which is not installed, would make smaller packs"
        }
        try report(done, before, store, context)
    }

    private func report(_ done: String, _ before: Storage, _ store: Store, _ context: Context) throws {
        let after = store.upkeep.storage
        if json.json {
            func storage(_ upkeep: Storage) -> JSON {
                .object([
                    "looseObjects": .number(upkeep.loose), "packs": .number(upkeep.packs),
                    "packedBytes": .number(upkeep.packedBytes), "commitGraph": .bool(upkeep.hasCommitGraph),
                ])
            }
            return try context.output.json(
                Reports.document(["done": .string(done), "before": storage(before), "after": storage(after)]))
        }
        guard !context.output.isQuiet else { return }
        try context.output.line("\(done): \(after.words)")
    }
}
