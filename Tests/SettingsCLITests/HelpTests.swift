import ArgumentParser
import SettingsText
import Testing

@testable import SettingsCLI

@Suite struct HelpTests {
    /// The parser breaks longer lines wherever they end, examples too, and those of 80 characters.
    @Test func textsFitATerminalOf80Columns() {
        func check(_ text: String, _ name: String, most: Int = 79) {
            for line in text.split(separator: "\n") where line.count > most { Issue.record("\(name): \(line)") }
        }
        func check(_ command: any ParsableCommand.Type) {
            check(command.configuration.discussion, command._commandName)
            for command in command.configuration.subcommands { check(command) }
        }
        check(SettingsCommand.self)
        for (name, text) in [("summary", Help.summary), ("keys", Help.keys), ("times", Help.times), ("options", Help.options)] {
            check(text, name, most: 80)
        }
    }

    /// What is suggested for another program's command or option exists.
    @Test func wordsOfOtherPrograms() {
        func check(_ hint: String, _ word: String) {
            for command in hint.split(separator: "'").map({ $0.split(separator: " ") }) where command.first == "settings" {
                guard command.count > 1, !command[1].hasPrefix("-") else { continue }
                guard let type = SettingsCommand.named(String(command[1])) else {
                    Issue.record("\(word): \(hint)")
                    continue
                }
                let shape = CommandShape(of: type)
                for option in command where option.hasPrefix("-") && !shape.isOption(String(option)) {
                    Issue.record("\(word): \(hint)")
                }
            }
        }
        for (word, hint) in ForeignCommands.hints {
            #expect(SettingsCommand.named(word) == nil, "\(word) is a command")
            #expect(hint.contains("'settings "), "\(word): \(hint)")
            check(hint, word)
        }
        for (name, options) in ForeignCommands.options {
            guard let command = SettingsCommand.named(name) else {
                Issue.record("\(name) is not a command")
                continue
            }
            let shape = CommandShape(of: command, includesHidden: true)
            let subcommands = command.configuration.subcommands.flatMap(UsageError.names)
            for (option, hint) in options {
                #expect(!shape.isOption(option) && !subcommands.contains(option), "\(name) \(option)")
                check(hint, "\(name) \(option)")
            }
        }
    }

    /// Whatever else is wrong or missing beside it.
    @Test func hintsForOptionsOfGit() throws {
        let home = try Home()
        for (name, options) in ForeignCommands.options {
            let all = options.sorted { $0.key < $1.key }
            let lines = try home.run(all.map { "settings \(name) \($0.key)" }.joined(separator: "\n"))
            #expect(lines.filter { $0.hasPrefix("hint: ") } == all.map { "hint: " + $0.value })
        }
    }

    /// Longer ones are moved to 'help options'.
    @Test(arguments: ["add", "define", "watch"]) func fitsAScreen(_ command: String) throws {
        let home = try Home()
        let moved = ["--placeholder ", "--require-ticket ", "--drafts "]
        let words = moved.map { "-e '\($0)'" }.joined(separator: " ")
        let lines = try home.run("settings help \(command); settings help options | grep -o \(words)")
        #expect(lines.suffix(moved.count) == moved[...])
        #expect(lines.count - moved.count < 45, "\(lines.count - moved.count) lines")
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
