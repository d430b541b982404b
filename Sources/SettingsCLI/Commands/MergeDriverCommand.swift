import ArgumentParser
import SettingsStore

struct MergeDriverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge-driver",
        abstract: "Merge one file by meaning, as git's merge driver; see 'settings setup'.",
        shouldDisplay: false)

    @Argument(help: "The common ancestor's file.") var base: String
    @Argument(help: "Our file, which becomes the merged one.") var ours: String
    @Argument(help: "Their file.") var theirs: String
    @Argument(help: "The file's path in the repository.") var path: String

    @OptionGroup var global: GlobalOptions

    func run() throws {
        _ = Context(global)
        // git treats 1 as a conflict and reports it itself.
        let formats = Program.interchange.tracked
        if try !MergeDriver.run(base: base, ours: ours, theirs: theirs, path: path, formats) { throw Failure(.no) }
    }
}
