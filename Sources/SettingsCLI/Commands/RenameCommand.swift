import ArgumentParser
import SettingsModel
import SettingsStore

struct RenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give an option or a group another key; its history goes along.",
        discussion: """
              settings rename general.language system.language
              settings rename general system
            """,
        aliases: ["mv"])

    @Argument(help: "The key it has.", completion: .place) var old: String
    @Argument(help: "The key it gets.") var new: String

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        try Recorder(context: context, options: record, json: json.json).edit { tip throws(StoreError) in
            let target = try tip.newKey(new)
            let source = try tip.newKey(old)
            let inside = try tip.subjects(in: source)
            let isGroup = try tip.item(.option(source)) == nil && !inside.isEmpty
            let key = isGroup ? source : try tip.renamable(old, context.environment)
            let (from, to): (Subject, Subject) = isGroup ? (.group(key), .group(target)) : (.option(key), .option(target))
            if key == target { return Edit([]) }
            let isTaken = try isGroup ? !tip.subjects(in: target).isEmpty : tip.item(to) != nil
            if isTaken {
                throw StoreError(.conflict, "there is a '\(target)' already", hint: "remove it first, or choose another key")
            }
            if target.isWithin(key), isGroup { throw StoreError(.usage, "\(key) can't be put into itself") }
            let title = try tip.item(from)?.title ?? Text(target.name)
            var edit = Edit([
                Change(
                    to, title: title.isEmpty ? Text(target.name) : title, facet: .key, before: .key(key), after: .key(target))
            ])
            edit.touched = Set(try tip.subjects(in: key).filter { isGroup || $0 == from })
            return edit
        }
    }
}

extension Snapshot {
    /// The option of that key; where it isn't there, groups could have been meant as well.
    fileprivate func renamable(_ word: String, _ environment: Environment) throws(StoreError) -> Key {
        do {
            return try key(word, environment)
        } catch {
            guard error.kind == .missing else { throw error }
            let all = try subjects().flatMap { [$0.key, $0.key.group] }
            let missing = keys(environment).missing(word, among: all, "option or group")
            throw StoreError(.missing, missing.reason ?? error.reason, hint: missing.hint)
        }
    }
}
