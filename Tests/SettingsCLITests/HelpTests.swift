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

    /// What is suggested for another program's command exists.
    @Test func commandsOfOtherPrograms() {
        for (word, hint) in ForeignCommands.hints {
            #expect(SettingsCommand.named(word) == nil, "\(word) is a command")
            let commands = hint.split(separator: "'").filter { $0.hasPrefix("settings ") }
            #expect(!commands.isEmpty, "\(word): \(hint)")
            for name in commands.compactMap({ $0.split(separator: " ").dropFirst().first }) where !name.hasPrefix("-") {
                #expect(SettingsCommand.named(String(name)) != nil, "\(word): \(hint)")
            }
        }
    }

    /// Longer ones are moved to 'help options'.
    @Test(arguments: ["add", "watch"]) func fitsAScreen(_ command: String) throws {
        let home = try Home()
        let lines = try home.run("settings help \(command); settings help options | grep -o -e '--placeholder ' -e '--drafts '")
        #expect(lines.suffix(2) == ["--placeholder ", "--drafts "])
        #expect(lines.count - 2 < 45, "\(lines.count - 2) lines")
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
