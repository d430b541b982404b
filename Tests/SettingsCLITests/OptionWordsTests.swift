import ArgumentParser
import SettingsModel
import Surroundings
import Testing

@testable import SettingsCLI

/// An option takes the next word as its value whatever it looks like, except a word that is an option of the command.
struct OptionWordsTests {
    /// Every command that takes options, with the words that name it.
    private static let commands: [(words: [String], command: any ParsableCommand.Type)] =
        SettingsCommand.configuration.subcommands.flatMap { command in
            let subcommands = command.configuration.subcommands
            let own: [(words: [String], command: any ParsableCommand.Type)] =
                subcommands.isEmpty ? [([command._commandName], command)] : []
            return own + subcommands.map { ([command._commandName, $0._commandName], $0) }
        }

    private static func status(_ words: [String]) -> Int32? {
        do { try OptionWords.check(Words.optionsAfterCommand(words)) } catch {
            return (error as? Failure)?.status.rawValue
        }
        return nil
    }

    /// As with `git log --oneline -2`.
    @Test func aNumberIsReadBehindEveryOptionWithoutAValue() throws {
        let home = try Home()
        let script =
            "settings init -q .; settings add a --title A --number 1 -q; for n in 2 3 4 -2; do settings set a $n -q; done"
        #expect(try home.run(script) == [])
        for (words, count) in [
            ("-2", 2), ("--oneline -2", 2), ("-q -2", 2), ("--all --no-pager -3", 3), ("a --reveal -1", 1),
            ("-2 --oneline -3", 3),
            ("--became -2", 1), ("--search -2 -1", 1), ("--author Ada --oneline -1", 1),
        ] {
            #expect(try home.run("settings log \(words) | grep -c '^[0-9a-f]\\{7\\} '") == ["\(count)"], "\(words)")
        }
    }

    /// The word behind an empty value is no value: scripts write `--ticket="$TICKET"`.
    @Test func anEmptyValueTakesNoOtherWord() throws {
        let home = try Home()
        _ = try home.run("settings init -q .; settings add a --title A --number 1 -q; settings add t --title T --text x -q")
        let head = try home.run("git rev-parse HEAD")
        for words in [
            "set a 2 --ticket= --dry-run", "--quiet set a 2 --ticket=", "set a 2 --message= --ticket=X",
            "set a 2 --requested-by= -m x",
        ] { #expect(try home.run("settings \(words)").last == "[exit status: 64]", "\(words)") }
        #expect(try home.run("git rev-parse HEAD") == head)
        #expect(try home.run("settings add u --title U --text= -q; settings get u") == [""])
        // A word that begins with a digit is no value of these.
        for words in ["tag -5", "bundle -5", "show -5", "merge -5", "define -5 --title x"] {
            let lines = try home.run("settings \(words)")
            #expect(lines.first?.hasPrefix("settings: ") == true && !lines.joined().contains("\u{F8FF}"), "\(words): \(lines)")
        }
        #expect(try home.run("git tag; ls") == ["_store.json", "a.json", "t.json", "u.json"])
    }

    /// Of another folder with the name that it is shown by, nothing is read or recorded.
    @Test func aFolderWhoseNameIsNoText() throws {
        let home = try Home()
        let run = "d=$(printf 'n\\377'); mkdir -p \"$d\" 'n\u{FFFD}'; settings init -q 'n\u{FFFD}'; cd \"$d\" && settings list"
        #expect(try home.run("(\(run))").first == "settings: the name of the current folder is not UTF-8")
    }

    /// A law over all commands, made from their definitions. What reads usual forms without the parser leaves these to it.
    @Test func noOptionIsTheValueOfAnother() {
        var count = 0
        for (words, command) in Self.commands {
            let shape = CommandShape(of: command, includesHidden: true)
            func found(_ typed: String...) -> String? {
                OptionWords.optionAsValue((["a.b"] + typed)[...], shape, command._commandName)?.value
            }
            let all = shape.options.flatMap { option in
                option.names + (option.takesValue ? option.names.filter { $0.hasPrefix("--") }.map { $0 + "=x" } : [])
            }
            for option in shape.options where option.takesValue {
                for name in option.names where !Words.endsOptions(name, command._commandName) {
                    for other in all + CommandShape.everywhere {
                        #expect(found(name, other) == other, "\(words)")
                        #expect(plainRequest(Words.protected(words + [name, other])) == nil, "\(words) \(name) \(other)")
                        if name.hasPrefix("--") { #expect(found("\(name)=\(other)") == nil, "\(words) \(name)=\(other)") }
                        count += 1
                    }
                    for joined in Self.joined(shape) {
                        #expect(found(name, joined) == joined, "\(words) \(name) \(joined)")
                        if !option.takesSeveral, name.hasPrefix("--") { #expect(found("\(name)=\(joined)") == nil, "\(words)") }
                        #expect(plainRequest(Words.protected(words + [name, joined])) == nil, "\(words) \(name) \(joined)")
                    }
                    for text in ["--none-of-them", "-", "--x=--json", "-5", "words"] where !option.takesSeveral {
                        #expect(found(name, text, "--json") == nil, "\(words) \(name) \(text)")
                    }
                }
            }
            // As it is typed.
            if let name = shape.options.first(where: \.takesValue)?.names.first {
                #expect(Self.status(words + [name, "--help"]) == 64, "\(words)")
            }
        }
        #expect(count > 3000)
    }

    /// What the parser lists for a command, whether the command or the parser has it, is known.
    @Test func everyOptionOfTheParserIsKnown() throws {
        func check(_ description: JSON, _ command: any ParsableCommand.Type) throws {
            let shape = CommandShape(of: command, includesHidden: true)
            for argument in description["arguments"]?.elements ?? [] {
                for name in argument["names"]?.elements ?? [] {
                    let text = try #require(name["name"]?.text?.string)
                    let word = (name["kind"]?.text == "long" ? "--" : "-") + text
                    #expect(shape.isOption(word), "\(command._commandName) \(word)")
                }
            }
            for sub in description["subcommands"]?.elements ?? [] {
                let name = try #require(sub["commandName"]?.text?.string)
                guard name != "help" else { continue }
                try check(sub, try #require(command.configuration.subcommands.first { $0._commandName == name }))
            }
        }
        try check(try #require(try JSON(parsing: SettingsCommand._dumpHelp())["command"]), SettingsCommand.self)
    }

    /// What records otherwise is no text after the key of one either, and prints nothing in place of recording.
    @Test func optionsOfEveryCommandAreNotRecorded() throws {
        let home = try Home()
        #expect(try home.run("settings init -q && settings add t --title T --text x -q") == [])
        for words in ["set t --version", "set t --sign=key", "set t a -m --version", "add u --title U --text --version"] {
            let lines = try home.run("settings \(words) 2>&1; echo $?")
            #expect(lines.last == "64" && lines.first?.hasPrefix("settings: missing ") == true, "\(words): \(lines)")
            #expect(lines.contains { $0.hasPrefix("hint: ") && $0.contains("=\(words.split(separator: " ").last ?? "")") })
        }
        #expect(
            try home.run("settings get t; git rev-list --count HEAD; settings set t=--version -q; settings get t") == [
                "x", "2", "--version",
            ])
        #expect(try home.run("settings set --version | cut -c1-9") == ["settings "])
    }

    /// Short options in one word: flags, and one with its value.
    private static func joined(_ shape: CommandShape) -> [String] {
        var flags = ""
        var withValues: [String] = []
        for option in shape.options {
            for name in option.names where name.count == 2 {
                if option.takesValue { withValues.append(String(name)) } else { flags += name.dropFirst() }
            }
        }
        var words = flags.count > 1 ? ["-" + flags] : []
        for name in withValues {
            words.append(name + "hi2")
            if !flags.isEmpty { words.append("-" + flags + name.dropFirst()) }
        }
        return words
    }

    /// After the key of a text as well, but for what is none of the command's options.
    @Test func joinedOptionsAreNoValueOfAText() throws {
        let shape = CommandShape(of: SetCommand.self, includesHidden: true)
        for word in ["-mhi2", "-nq", "-nm", "-qn"] { #expect(shape.isOption(word), "\(word)") }
        for word in ["-5", "-5m", "-x5", "-", "-n5", "--nq"] { #expect(!shape.isOption(word), "\(word)") }
        #expect(OptionWords.optionAsValueOfSet(["set", "a", "--json", "b.c", "5"])?.option == "--json")
        #expect(OptionWords.optionAsValueOfSet(["set", "a", "b", "-mhi", "c", "-nq"])?.key == "c")
    }

    @Test func whatIsSomebodyElsesIsNotLookedAt() {
        #expect(Self.status(["bisect", "run", "a", "--", "test", "-m", "--json"]) == nil)
        #expect(Self.status(["watch", "--exec", "grep", "-m", "--json"]) == nil)
        #expect(Self.status(["--store", "s", "add", "a", "--text", "--masked"]) == 64)
    }
}

extension JSON {
    fileprivate var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
