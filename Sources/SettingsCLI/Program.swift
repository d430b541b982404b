import ArgumentParser
import Files
import SettingsModel
import SettingsStore
import SettingsText
import Synchronization

/// The main function.
package enum Program {
    static let output = Output(.current)

    /// The readers and writers of other programs' formats.
    static var interchange: any Interchange { given.interchange }

    /// Pages at a terminal.
    static var pages: any PageInterface { given.pages }

    private static let parts = Mutex<(interchange: any Interchange, pages: any PageInterface)?>(nil)

    private static var given: (interchange: any Interchange, pages: any PageInterface) {
        guard let parts = parts.withLock({ $0 }) else { preconditionFailure("a command runs before main") }
        return parts
    }

    package static func main(_ interchange: any Interchange, pages: any PageInterface) -> Never {
        parts.withLock { $0 = (interchange, pages) }
        ThisProcess.occupyClosedStreams()
        ThisProcess.reportCrashes(
            of: SettingsCommand.build,
            advice: "recorded versions are safe, and the next command completes or rolls back unfinished work; please report this"
        )
        ThisProcess.ignoreSignalsOfWrites()
        ThisProcess.keepMemory()
        // Before anything asks for the current folder.
        let failure = enterFolders()
        let environment = Environment.current
        environment.startTrace(output)
        // Programs that it starts need one.
        if environment.isNowhere { ThisProcess.leaveFolder() }
        Store.lookForConfiguration { ThisProcess.variable(orEmpty: $0) }
        let status = failure.map(report) ?? run(Array(ThisProcess.arguments.dropFirst()))
        output.finish()
        ThisProcess.end(status.rawValue)
    }

    /// Goes where `-C` says.
    private static func enterFolders() -> Failure? {
        for folder in ThisProcess.folders {
            do throws(SystemFailure) { try ThisProcess.enter(folder) } catch {
                return Failure(.missing, "cannot change to '\(folder)': \(error.reason)", hint: "-C takes an existing folder")
            }
        }
        return nil
    }

    private static func run(_ arguments: [String]) -> ExitStatus {
        do {
            try Words.checkArguments()
            var words = Words.protected(arguments)
            // As git does: 'settings --help set' is 'settings help set'.
            if words.count > 1, ["--help", "-h"].contains(words[0]) { words[0] = "help" }
            if words.first == "help" { words = words.flatMap { $0.split(separator: " ").map(String.init) } }
            // The server explains its own commands.
            if words.starts(with: ["help", "serve"]), words.count > 2 { words = words.dropFirst() + ["--help"] }
            if let lines = Completion.lines(arguments) {
                for line in lines { try output.value(line) }
            } else if let shell = try CompletionShell.withScript(arguments) {
                try print(shell.script)
            } else if words.isEmpty {
                if let offer { try print(offer + "\n") }
                try print(Help.summary)
            } else if words[0] == "help", words.count > 1, let text = Help.topic(words[1]) {
                try print(text)
            } else if let request = plainRequest(words) {
                try Store.checkConfiguration()
                try request.run()
            } else {
                try OptionWords.check(Words.optionsAfterCommand(arguments))
                var command = try parse(words)
                if type(of: command)._commandName != "help" { try Store.checkConfiguration() }
                try command.run()
            }
            try output.flush()
            return .success
        } catch {
            return report(error)
        }
    }

    /// What a person at a terminal in a store may want.
    private static var offer: String? {
        guard Environment.current.isOutputTerminal, let folder = try? Context(GlobalRequest()).storeFolder(),
            let definition = try? folder.definition()
        else { return nil }
        let title = Environment.current.glyphs.quoted((definition.title?.string ?? "Settings").visible)
        return "The store \(title): 'settings edit' opens it, 'settings browse' its history."
    }

    /// How to run this program again: by name if PATH finds it, or else by path. Quoted for a shell.
    static func command(_ environment: Environment) -> String {
        let folders = (environment["PATH"] ?? "").split(separator: ":").lazy
        let found = folders.compactMap { try? FileSystem.resolved("\($0)/settings") }.first
        if let found, found == ThisProcess.program { return "settings" }
        return path(environment).map(quoted) ?? "settings"
    }

    /// An absolute path of this program: the one that it was started by, a link included, because a link that an installation
    /// keeps outlives the file of one release; else the file itself. Nil where the system doesn't tell.
    static func path(_ environment: Environment) -> String? {
        guard let program = ThisProcess.program else { return nil }
        guard let word = ThisProcess.arguments.first else { return program }
        let started =
            word.contains("/") ? environment.absolute(word) : FileSystem.program(word, path: environment["PATH"]) ?? program
        return (try? FileSystem.resolved(started)) == program ? started : program
    }

    private static func quoted(_ path: String) -> String {
        "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Only the named command is parsed: looking at all others takes longer than most commands run.
    /// Anything that fails to parse, including help, is passed to the root command, which prints the message.
    private static func parse(_ words: [String]) throws -> any ParsableCommand {
        if let name = words.first, let command = SettingsCommand.named(name), command.configuration.subcommands.isEmpty,
            let parsed = try? command.parseAsRoot(Array(words.dropFirst())), type(of: parsed) == command
        {
            return parsed
        }
        if let word = words.first, Words.isShared(word) { throw UsageError.withoutCommand(words) }
        let name = words.first == "help" ? words.dropFirst().first : words.first
        if let name, !name.hasPrefix("-"), name != "help", SettingsCommand.named(name) == nil {
            let longer = SettingsCommand.names.filter { name.count > 2 && $0.hasPrefix(name) }
            let near = longer.isEmpty ? Nearest.words(to: name, among: SettingsCommand.names) : longer
            let hint = ForeignCommands.hints[name] ?? Nearest.question(near) ?? "'settings --help' lists the commands"
            throw Failure(.usage, "unknown command '\(name)'", hint: hint)
        }
        // The parser would explain the command alone.
        if words.first == "help", words.count > 2, let command = SettingsCommand.named(words[1]), !words[2].hasPrefix("-"),
            !command.configuration.subcommands.contains(where: { UsageError.names(of: $0).contains(words[2]) })
        {
            let name = "\(words[1]) \(words[2])"
            throw Failure(.usage, "unknown command '\(name)'", hint: "see 'settings help \(words[1])'")
        }
        return try SettingsCommand.parseAsRoot(words)
    }

    private static func print(_ text: String) throws {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { try output.value(String(line)) }
    }

    private static func report(_ error: any Error) -> ExitStatus {
        let phrases = Phrases(
            wording: Wording(glyphs: Environment.current.glyphs), clock: Environment.current.clock,
            times: Environment.current.times(nil))
        // The version is recorded: if this failed, a script would record it again.
        if output.hasRecorded, !(error is Output.Closed) {
            let reason = (error as? Problem).map(CommandLineHints.reason) ?? (error as? Failure)?.reason ?? "\(error)"
            output.error(StyledText("warning: the version was recorded, but a later step failed: \(reason)"))
            printAsJSON { Reports.recorded(butThen: reason) }
            return .success
        }
        switch error {
        case is Output.Closed:
            guard let reason = output.failed else { return .success }
            if output.hasRecorded {
                output.error(StyledText("warning: the version was recorded, but could not be printed: \(reason)"))
                return .success
            }
            output.error(StyledText("settings: cannot write: \(reason)"))
            return .cannotWrite
        case let error as Problem: return report(Failure(error), phrases)
        case let error as Failure: return report(error, phrases)
        default: return report(parsing: error, phrases)
        }
    }

    private static func report(_ failure: Failure, _ phrases: Phrases) -> ExitStatus {
        do { try output.flush() } catch { return .cannotWrite }
        failure.report(output, phrases: phrases)
        if failure.reason != nil { printAsJSON { failure.document(Reports()) } }
        return failure.status
    }

    /// With `--json`, prints what would otherwise be on standard error only; an answer that has begun stays one document.
    private static func printAsJSON(_ document: () -> JSON) {
        guard let form = Words.formOfJSON(Array(ThisProcess.arguments.dropFirst())), form == .lines || !output.hasPrinted else {
            return
        }
        try? output.json(document(), oneLine: form == .lines)
        try? output.flush()
    }

    /// The parser throws help, completion scripts and usage errors alike.
    private static func report(parsing error: any Error, _ phrases: Phrases) -> ExitStatus {
        if SettingsCommand.exitCode(for: error) == .success {
            let text = Help.ofCommand(SettingsCommand.fullMessage(for: error))
            do {
                try print(text)
                try output.flush()
            } catch {
                return report(error)
            }
            return .success
        }
        return report(UsageError(SettingsCommand.message(for: error), Array(ThisProcess.arguments.dropFirst())).failure, phrases)
    }
}
