import SettingsModel
import SettingsStore
import SettingsText

/// `settings is KEY [VALUE]`
struct IsRequest: PlainCommand, Equatable {
    var key: String
    var value: String?
    var json = false
    var at: String?
    var global = GlobalRequest()

    func run() throws {
        let context = Context(global)
        let session = try context.reader(at: at)
        let version = try at.map { try context.version($0, in: session).id }
        let (key, option) = try context.ask(OptionsQuery([key], at: version), in: session)[0]
        let answer: Bool
        if let value {
            if option.type == .choice || option.type == .switch {
                // A value that the option doesn't offer is an error, not a "no".
                do throws(SettingsOption.Refusal) { _ = try option.value(for: .word(value)) } catch {
                    throw Problem.value(.refused(key, error))
                }
            }
            answer = option.isNow(value)
        } else if option.type == .switch {
            answer = option.effectiveValue == option.offOn.on
        } else {
            answer = option.effectiveValue != nil
        }
        if json { try context.output.json(Reports.answer(answer)) }
        if !answer { throw Failure(.no) }
    }
}

extension IsRequest {
    init?(plain words: ArraySlice<String>) {
        guard let words = PlainWords(words, flags: ["--json"], values: ["--at"]), let key = words.positionals.first,
            words.positionals.count <= 2, let global = GlobalRequest(plain: words)
        else { return nil }
        self.key = key
        value = words.positionals.dropFirst().first.map(Words.plain)
        json = words.has("--json")
        at = words["--at"]
        self.global = global
    }
}
