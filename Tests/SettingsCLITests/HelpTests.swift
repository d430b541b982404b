import ArgumentParser
import Testing

@testable import SettingsCLI

@Suite struct HelpTests {
    /// The parser breaks longer lines wherever they end, examples too.
    @Test func textsFitATerminalOf80Columns() {
        func check(_ text: String, _ name: String) {
            for line in text.split(separator: "\n") where line.count > 80 { Issue.record("\(name): \(line)") }
        }
        func check(_ command: any ParsableCommand.Type) {
            check(command.configuration.discussion, command._commandName)
            for command in command.configuration.subcommands { check(command) }
        }
        check(SettingsCommand.self)
        for (name, text) in [("summary", Help.summary), ("keys", Help.keys), ("times", Help.times), ("options", Help.options)] {
            check(text, name)
        }
    }
}
