public import SettingsModel
import SettingsStore

/// The settings of one version, never of two. It is in memory: nothing is read and nothing waited for.
public struct SettingsSnapshot: Sendable {
    package internal(set) var content = SettingsContent()
    package internal(set) var head: VersionID?
    /// The branch of that version; nil where HEAD is detached.
    package internal(set) var branch: String?
    /// Why files can't be read.
    package internal(set) var faults: [Subject: Problem] = [:]
    /// The values that are in force, so that reading one copies no option.
    private var values: [Key: JSON] = [:]

    package init() {}

    /// The version, as 40 hexadecimal digits; nil where there is none yet.
    public var version: String? { head?.hex }

    /// The value in force; the setting's own default where the option has none, is gone, can't be read, or holds a value of another
    /// type. Takes less than a microsecond.
    public subscript<Value>(_ setting: Setting<Value>) -> Value {
        values[setting.key].flatMap { Value(json: $0) } ?? setting.defaultValue
    }

    /// The value in force; nil where the option has none.
    ///
    /// Throws `.missing` where there is no such option, `.badData` where its file can't be read and no good version of it was
    /// seen, or where its value is of another type.
    public func value<Value: SettingsValue>(_ key: Key, as: Value.Type = Value.self) throws(SettingsError) -> Value? {
        guard let json = values[key] else {
            if options[key] != nil { return nil }
            throw SettingsError(fault(of: key))
        }
        if let value = Value(json: json) { return value }
        throw SettingsError(.badData, "The value of \(key) is \(json.kind), and not of type \(Value.self).")
    }

    public var options: [Key: SettingsOption] { content.options }

    /// What is wrong with the files that can't be read. Their options keep the last good value that was seen.
    public var unreadable: [SettingsError] { problems.map { SettingsError($0) } }

    /// The same as problems.
    package var problems: [Problem] { faults.sorted { $0.key.path < $1.key.path }.map(\.value) }

    /// Why there is no option of that key.
    package func fault(of key: Key) -> Problem {
        if let fault = faults[.option(key)] { return fault }
        return .key(.noOption(key.description, near: Nearest.words(to: key.description, among: options.keys.map(\.description))))
    }

    /// Takes what a file has become; nil where it is gone.
    mutating func take(_ item: Result<SettingsContent.Item?, Problem>, of subject: Subject) {
        switch item {
        case .success(let item):
            content[subject] = item
            faults[subject] = nil
            if case .option(let key) = subject { values[key] = item?.option?.effectiveValue }
        case .failure(let problem): faults[subject] = problem
        }
    }
}

extension SettingsSnapshot {
    /// Takes everything that a version has. What can't be read keeps what was read before.
    mutating func read(_ id: VersionID, _ watcher: Watcher) throws(Problem) {
        let state = try watcher.state(at: id)
        head = id
        take(state.settings, unreadable: state.unreadable.map(\.problem))
    }

    /// Takes all there is.
    mutating func take(_ settings: SettingsContent, unreadable: [Problem]) {
        let old = content
        self = SettingsSnapshot(head, on: branch)
        for subject in settings.subjects { take(.success(settings[subject]), of: subject) }
        for problem in unreadable {
            guard case .file(.unreadable(_, let path, _)) = problem, let subject = Subject(path: path) else { continue }
            if let last = old[subject] { take(.success(last), of: subject) }
            take(.failure(problem), of: subject)
        }
    }

    private init(_ head: VersionID?, on branch: String?) { (self.head, self.branch) = (head, branch) }

    /// Notes the files that changes since this snapshot have to do with.
    func note(_ changes: VersionChanges, in subjects: inout Set<Subject>) {
        for change in changes.changes {
            subjects.insert(change.subject)
            guard let (old, new) = change.renaming else { continue }
            subjects.formUnion([old, new])
            // What lies in a group goes with it.
            guard case .group = old else { continue }
            for subject in subjects.union(content.subjects) where subject.key.isWithin(old.key) {
                subjects.formUnion([subject, subject.renamed(from: old, to: new)])
            }
        }
        subjects.formUnion(changes.unreadable.compactMap { Subject(path: $0.path) })
    }
}
