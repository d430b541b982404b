import ArgumentParser
import SettingsStore
import SettingsText

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show edits to the store's files that are not recorded yet.",
        discussion: """
            Versions waiting for confirmation and open conflicts are also shown.

            A write that was interrupted is completed first. With --exit-code, the exit
            status is 1 if a file differs from the last version: because it was edited, or
            because a version was recorded and its files could not be written.

              settings status
              settings set sound.volume 40 && settings status -q --exit-code && reload
            """)

    @Flag(name: .long, help: "Exit with 1 if a file differs from the last version.") var exitCode = false
    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global, reveal: reveal.reveal)
        let session = try context.reader(readsOnly: true)
        // The exit status is the answer.
        let isSilent = global.quiet && exitCode
        let status = try session.ask(StatusQuery(onlyFiles: isSilent))
        if json.json, !isSilent {
            try context.output.json(context.reports.status(status))
        } else if !isSilent {
            try context.output.print(context.phrases.status(status, missingSetup: context.isSetupMissing(session)))
        }
        if exitCode, status.filesDiffer { throw Failure(.no) }
    }
}
