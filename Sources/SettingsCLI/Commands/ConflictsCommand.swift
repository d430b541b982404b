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
        if json.json {
            try context.output.json(
                context.reports.conflicts(
                    open.map { ($0.conflict, $0.merge, $0.origin) }, texts, isComplete: answer.isComplete))
        } else {
            for question in open {
                try context.output.line(context.phrases.conflict(question.conflict, inForce: question.inForce))
                try context.output.lines(context.phrases.sides(question.origin).map { StyledText("    ") + $0 })
            }
            for conflict in texts { try context.output.line(context.phrases.conflict(conflict)) }
            if answer.isEmpty {
                context.output.note("there are no open conflicts")
            } else {
                context.output.note("hint: 'settings resolve KEY VALUE' resolves a conflict; --ours or --theirs takes one side")
            }
            if !answer.isComplete {
                context.output.note(CommandLineHints.cutOff("conflicts that earlier merges left open are not known"))
            }
        }
        if !answer.isEmpty { throw Failure(.conflict) }
    }
}
