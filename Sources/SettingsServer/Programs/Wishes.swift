import SettingsKit
import SettingsModel
import SettingsText

/// What a program wants options to be, and what they must be now for that.
struct Wishes {
    private let snapshot: SettingsSnapshot
    private let isDryRun: Bool
    private(set) var assignments: [EditRequest.Assignment] = []
    private(set) var conditions: [EditRequest.Condition] = []
    private(set) var keys: [Key] = []
    /// What is wrong with the request itself, in sentences.
    private(set) var malformed: [String] = []
    /// Options that aren't there.
    private(set) var unknown: [Key] = []
    private var refusals: [(key: Key, problem: ProblemDocument)] = []

    init(_ snapshot: SettingsSnapshot, isDryRun: Bool) { (self.snapshot, self.isDryRun) = (snapshot, isDryRun) }

    var isEmpty: Bool { keys.isEmpty && malformed.isEmpty && unknown.isEmpty }

    mutating func set(_ members: [JSON.Member]) {
        for member in members { assign(member.name.string) { Self.wish(member.value, $0) } }
    }

    mutating func unset(_ words: [String]) {
        for word in words { assign(word) { _ in .json(nil) } }
    }

    mutating func require(_ members: [JSON.Member]) {
        for member in members {
            guard let key = key(member.name.string), let option = option(key) else { continue }
            if option.isMasked {
                refuse(key, ProblemDocument(.unprocessableContent, "\(key) is masked: its value cannot be a condition."))
            } else {
                conditions.append(EditRequest.Condition(key.description, Self.wish(member.value, option)))
            }
        }
    }

    private mutating func assign(_ word: String, _ wish: (SettingsOption) -> Wish) {
        guard let key = key(word), let option = option(key) else { return }
        guard !keys.contains(key) else {
            malformed.append(PageHints.statement(PageHints.words(.value(.isSetTwice(key)))))
            return
        }
        keys.append(key)
        let wish = wish(option)
        if option.isMasked, isDryRun {
            // Or one could guess its value without a trace.
            refuse(key, ProblemDocument(.unprocessableContent, "\(key) is masked: a dry run cannot test its value."))
        } else {
            do throws(Problem) {
                var one = SettingsContent(options: [key: option])
                try one.set([(key, wish)])
            } catch { refuse(key, error) }
        }
        assignments.append(EditRequest.Assignment(key.description, wish))
    }

    private mutating func key(_ word: String) -> Key? {
        do throws(Key.Malformed) { return try Key(word) } catch {
            malformed.append(PageHints.statement(PageHints.words(.key(.malformed(word, error)))))
            return nil
        }
    }

    private mutating func option(_ key: Key) -> SettingsOption? {
        if let option = snapshot.options[key] { return option }
        if !unknown.contains(key) { unknown.append(key) }
        return nil
    }

    /// A value as JSON, or the label of one: no option but one of data has objects for values. Null is no value, unless a label stands
    /// for it.
    private static func wish(_ json: JSON, _ option: SettingsOption) -> Wish {
        switch json {
        case .object(let members) where option.type != .data && members.count == 1 && members[0].name == "label":
            members[0].value.text.map { .label($0.string) } ?? .json(json)
        // As the command line reads it: 60.0 is 60 where whole numbers are wanted.
        case .number(let number) where option.type == .number: .word(number.text)
        case .null: .json(option.type == .choice && option.labels.index(of: .null) != nil ? .null : nil)
        default: .json(json)
        }
    }

    // MARK: What is refused

    mutating func refuse(_ key: Key, _ problem: Problem) { refuse(key, ProblemDocument(problem)) }

    private mutating func refuse(_ key: Key, _ problem: ProblemDocument) { refusals.append((key, problem)) }

    /// All that is wrong, as one answer: of several, that an option is not there comes first.
    var refusal: ProblemDocument? {
        guard let first = refusals.first(where: { $0.problem.status == .notFound }) ?? refusals.first else { return nil }
        var document = first.problem
        document.detail = refusals.map(\.problem.detail).joined(separator: " ")
        let rows = refusals.map { key, problem in
            JSON.object(
                [
                    JSON.Member("key", .string(key.description)), JSON.Member("detail", .string(problem.detail)),
                    JSON.Member("exitStatus", .number(Int(problem.exitStatus.rawValue))),
                ] + problem.more.filter { $0.name == "nearest" })
        }
        document.more.removeAll { $0.name == "problems" }
        document.more.append(JSON.Member("problems", .array(rows)))
        return document
    }
}
