import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print what programs read: the value, or the default where it is unset.",
        discussion: """
            Strings are printed bare, data as JSON, several keys a line each, all from one
            version. Where something has neither value nor default, nothing is printed for
            it and the exit status is 1.

              settings get general.language
              settings get general.language --label --at 'yesterday 18:00'
            """)

    @Argument(help: ArgumentHelp("Options.", valueName: "key"), completion: .key) var keys: [String]

    @Flag(name: .long, help: "Print the label.") var label = false
    @Flag(name: .long, help: "Print the index of the chosen label, from 0.") var index = false
    @Flag(name: .long, help: "Print the value only, never the default.") var noDefault = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("As it was then: a version or a time. HEAD: the last version, without hand edits.", valueName: "when"))
    var at: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if [label, index, json.json].count(where: { $0 }) > 1 {
            throw ValidationError("--label, --index and --json are three ways to print; choose one")
        }
    }

    func run() throws {
        let context = Context(global)
        let options = try read(context)
        if json.json {
            let report = Reports(revealsMasked: true)
            return try context.output.json(
                Reports.document(["options": .array(options.map { report.option($0.key, $0.option) })]))
        }
        var isMissing = false
        for (key, option) in options {
            guard let text = try text(of: option, key) else {
                isMissing = true
                context.output.note("\(key) is not set")
                continue
            }
            try context.output.value(text)
        }
        if isMissing { throw Failure(.no) }
    }

    private func read(_ context: Context) throws -> [(key: Key, option: SettingsModel.Option)] {
        if let at {
            let store = try context.store()
            let snapshot = try store.snapshot(try context.version(at, in: store).id)
            return try keys.map { word in
                let key = try snapshot.key(word, context.environment)
                return (key, try snapshot.existing(key))
            }
        }
        let folder = try context.folder()
        let user = context.environment.sudoUser
        func read() throws -> [(key: Key, option: SettingsModel.Option)] {
            let names = folder.keys(context.environment)
            return try keys.map { word in
                let key = try names.option(word) { try folder.option($0, sudoUser: user) != nil }
                guard let option = try folder.option(key, sudoUser: user) else { throw names.missing(word, among: []) }
                return (key, option)
            }
        }
        return keys.count == 1 ? try read() : try folder.reading { _ in try read() }
    }

    private func text(of option: SettingsModel.Option, _ key: Key) throws -> String? {
        guard let value = noDefault ? option.value : option.effectiveValue else { return nil }
        if label {
            guard let label = option.label(of: value) else {
                throw Failure(.usage, "\(key) is a \(option.type.rawValue), which has no labels")
            }
            return label.string
        }
        if index {
            guard let index = option.labels.index(of: value) else {
                throw Failure(.usage, "\(key) is a \(option.type.rawValue), which has no index")
            }
            return String(index)
        }
        return option.type == .data ? value.compact : value.bare
    }
}

struct IsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "is",
        abstract: "Ask whether an option has a value, or a switch is on: exit status 0 yes, 1 no.",
        discussion: """
              settings is display.dark && start-dark
              settings is general.language French
            """)

    @Argument(help: "The option.", completion: .key) var key: String
    @Argument(
        help: "A value or a label; without one a switch is on, anything else is set.", completion: .keyOrValue,
        transform: Words.plain) var value: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("As it was then.", valueName: "when"))
    var at: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let option: SettingsModel.Option
        if let at {
            let store = try context.store()
            let snapshot = try store.snapshot(try context.version(at, in: store).id)
            option = try snapshot.existing(try snapshot.key(key, context.environment))
        } else {
            let folder = try context.folder()
            let user = context.environment.sudoUser
            let found = try folder.keys(context.environment).option(key) { try folder.option($0, sudoUser: user) != nil }
            guard let present = try folder.option(found, sudoUser: user) else {
                throw Failure(.missing, "there is no option '\(key)'")
            }
            option = present
        }
        let answer: Bool
        if let value {
            if option.type == .choice || option.type == .switch {
                // A value that it doesn't have is a mistake, not a no.
                do throws(SettingsModel.Option.Refusal) { _ = try option.value(for: .word(value)) } catch {
                    throw Failure(.badData, "\(key): \(error.reason)", hint: error.hint)
                }
            }
            answer = option.isNow(value)
        } else if option.type == .switch {
            answer = option.effectiveValue == option.offOn.on
        } else {
            answer = option.effectiveValue != nil
        }
        if json.json { try context.output.json(Reports.document(["is": .bool(answer)])) }
        if !answer { throw Failure(.no) }
    }
}
