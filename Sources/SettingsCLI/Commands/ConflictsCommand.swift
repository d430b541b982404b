import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct ConflictsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "List the conflicts that merges left open.",
        discussion: """
            The exit status is 2 if a conflict is open.

              settings conflicts
              settings conflicts --json
            """)

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global, reveal: reveal.reveal)
        let answer = try context.reader().ask(ConflictsQuery())
        let (open, texts) = (answer.open, answer.texts)
        try context.output.print(
            json.json,
            context.reports.conflicts(
                open.map { ($0.conflict, $0.merge, $0.origin) }, texts, isComplete: answer.isComplete),
            context.phrases.conflicts(
                open.map { ($0.conflict, $0.inForce, $0.origin) }, texts, isComplete: answer.isComplete))
        if !answer.isEmpty { throw Failure(.conflict) }
    }
}
