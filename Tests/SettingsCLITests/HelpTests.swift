import ArgumentParser
import SettingsText
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

    /// The help names every exit status there is, and no other.
    @Test func exitStatuses() throws {
        let named = Help.exitStatuses.split { " ,\n".contains($0) }.compactMap { Int32($0) }
        #expect(named == ExitStatus.allCases.map(\.rawValue))
        #expect(SettingsCommand.configuration.discussion.contains(Help.exitStatuses))
        // What a command of 'bisect' may end with.
        let known = Set(named + [125, 126, 127])
        func check(_ command: any ParsableCommand.Type) {
            for text in command.configuration.discussion.split(separator: "\n\n") where text.lowercased().contains("exit status")
            {
                let sentence = text.split { " ,.:;()\n".contains($0) }.compactMap { Int32($0) }
                for status in sentence where (64..<128).contains(status) && !known.contains(status) {
                    Issue.record("\(command._commandName): exit status \(status)")
                }
            }
            for command in command.configuration.subcommands { check(command) }
        }
        check(SettingsCommand.self)
    }
}
