import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct BranchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "branch",
        abstract: "List, create or delete branches.",
        discussion: """
            A branch lets you try settings, or prepare them, alongside those in effect:
            'settings switch' checks it out, and 'settings merge' merges it back.

              settings branch
              settings branch winter
              settings branch before-opening 'yesterday 18:00'
              settings branch --delete winter
            """)

    @Argument(help: "The name.", completion: .word(.branch)) var name: String?
    @Argument(
        help: ArgumentHelp("The version or time at which the branch begins (default: the latest version).", valueName: "when"),
        completion: .word(.when))
    var when: String?

    @Flag(name: [.customShort("d"), .long], help: "Delete the branch if the current branch or its own upstream contains it.")
    var delete = false
    @Flag(name: [.customShort("D")], help: "Delete the branch even if it is not merged.") var forceDelete = false

    @OptionGroup var json: JSONOption
    @OptionGroup var dry: DryRunOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if delete || forceDelete, name == nil { throw ValidationError("missing argument: the branch's name") }
        if delete || forceDelete, when != nil { throw ValidationError("--delete takes one branch and no version") }
        if name == nil, dry.dryRun { throw ValidationError("--dry-run cannot be combined with a list of branches") }
    }

    func run() throws {
        let context = Context(global)
        let session = try name == nil ? context.reader() : context.session()
        guard let name else { return try list(session, context) }
        let done = try Recording(context: context, options: RecordRequest(dryRun: dry.dryRun), json: json.json).done(in: session)
        let change: Phrases.BranchChange = delete || forceDelete ? .deleted : .created
        let version: Version
        if change == .deleted {
            version = try session.perform(BranchAction.remove(name, forced: forceDelete), done)
        } else {
            let start = try when.map { try context.version($0, in: session).id }
            version = try session.perform(BranchAction.add(name, start), done)
        }
        try context.output.print(
            json.json, context.reports.branch(name, change, version, isPlanned: dry.dryRun),
            Phrases.branch(name, change, version, isPlanned: dry.dryRun))
    }

    private func list(_ session: Session, _ context: Context) throws {
        let branches = try session.ask(BranchesQuery())
        if json.json { return try context.output.json(context.reports.branches(branches)) }
        let isDetached = try session.ask(RepositoryQuery()).isDetached
        let head = isDetached ? try session.ask(RevisionQuery("HEAD")).id : nil
        context.page(session)
        try context.output.print(context.phrases.branches(branches, detachedAt: head))
    }
}
