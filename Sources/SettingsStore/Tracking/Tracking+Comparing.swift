import Git
import SettingsModel

/// Which of the two changed where a recorded file and the options of its version differ: commits that are not the store's change
/// files alone, or options alone.
extension Tracking {
    /// Options that differ from a file, with keys relative to its group, by what changed since both last agreed.
    struct Differences {
        /// The file has something else since this version.
        var ahead: [Key: VersionID] = [:]
        /// The option has something else since this version.
        var behind: [Key: VersionID] = [:]
        var contested: [Key] = []

        var isEmpty: Bool { ahead.isEmpty && behind.isEmpty && contested.isEmpty }
    }

    /// What differs between the file and the options of a version.
    func compare(_ text: TrackedText, _ entry: Entry, at tip: Snapshot, _ state: inout TrackedState) throws(Problem) {
        let group = entry.file.group
        let removals = try removals(from: text, entry, at: tip)
        let options = try options(of: [text] + removals.map(\.text), in: group, at: tip)
        let differences = try differences(of: text, options, since: removals, entry, at: tip)
        if differences.isEmpty { return }
        state.contested = differences.contested.map { $0.below(group) }.sorted()
        func changes(
            _ found: [Key: VersionID], toFile: Bool
        ) throws(Problem) -> [TrackedState.Difference] {
            var all: [TrackedState.Difference] = []
            for (key, id) in found.sorted(by: { $0.key < $1.key }) {
                guard let option = options.options[key] else { continue }
                let full = key.below(group)
                var inFile = option
                inFile.value = nil
                if let member = text.option(at: options.memberPath(of: key)) { inFile = option.showing(member) }
                let (old, new) = toFile ? (option, inFile) : (inFile, option)
                let version = try versions.version(id)
                all += SettingsContent(options: [full: new]).changes(since: SettingsContent(options: [full: old])).map {
                    TrackedState.Difference($0, id, by: version.author)
                }
            }
            return all
        }
        state.ahead = try changes(differences.ahead, toFile: true)
        state.behind = try changes(differences.behind, toFile: false)
    }

    func differences(
        of text: TrackedText, _ options: SettingsContent, since removals: [Removal], _ entry: Entry, at tip: Snapshot
    ) throws(Problem) -> Differences {
        var found = Differences()
        for (key, option) in options.options {
            let path = options.memberPath(of: key)
            guard let member = text.option(at: path) else {
                if option.value != nil, let removal = removals.first(where: { $0.text.members[path] != nil }) {
                    found.ahead[key] = removal.id
                }
                continue
            }
            if option.isInStep(with: member) { continue }
            let since = try since(key, path, entry, at: tip)
            switch (since.file, since.option) {
            case (let file?, nil): found.ahead[key] = file
            case (nil, let option?): found.behind[key] = option
            default: found.contested.append(key)
            }
        }
        return found
    }

    /// How many versions are looked at for a member that no file has.
    static let walkLimit = 1000

    /// A commit of a tracked file that removed members, and the text before it.
    typealias Removal = (text: TrackedText, id: VersionID)

    /// The commits of a tracked file that removed members and left their options as they were, the newest first. Where every
    /// option of the group has its member, there is nothing to look for.
    func removals(from text: TrackedText, _ entry: Entry, at tip: Snapshot) throws(Problem) -> [Removal] {
        let group = entry.file.group
        let present = Set(text.members.values.map { $0.below(group) })
        guard !entry.isElsewhere, try !tip.subjects(in: group).options.allSatisfy(present.contains) else { return [] }
        var found: [Removal] = []
        var here = tip
        for _ in 0..<Self.walkLimit {
            let befores = try (here.commit?.parents ?? []).map { id throws(Problem) in try versions.snapshot(id) }
            let content = try here.content(at: entry.path)
            guard let first = befores.first else { break }
            let contents = try befores.map { before throws(Problem) in try before.content(at: entry.path) }
            if let same = contents.firstIndex(of: content) {
                here = befores[same]
                continue
            }
            guard let old = contents[0], old.mode.isRegular, let content, content.mode.isRegular,
                try recorded(first)?.trackedFiles.files.contains(entry.file) == true
            else { break }
            if let id = here.id, try !changesOptions(here, since: first), let before = try self.text(of: old, entry),
                let after = try self.text(of: content, entry), before.members.keys.contains(where: { after.members[$0] == nil })
            {
                found.append((before, id))
            }
            here = first
        }
        return found
    }

    private func changesOptions(_ snapshot: Snapshot, since before: Snapshot) throws(Problem) -> Bool {
        try git(versions.repository.objects.differences(from: before.tree, to: snapshot.tree)).contains {
            versions.subject(atRepositoryPath: $0.path) != nil
        }
    }

    /// The newest versions that changed a member of the file and its option, since both last agreed.
    private func since(
        _ key: Key, _ path: MemberPath, _ entry: Entry, at tip: Snapshot
    ) throws(Problem) -> (file: VersionID?, option: VersionID?) {
        let subject = Subject.option(key.below(entry.file.group))
        var (file, option): (VersionID?, VersionID?)
        var here = try side(at: tip, subject, path, entry)
        var commit = tip
        for _ in 0..<Self.agreementLimit {
            guard let parents = commit.commit?.parents, !parents.isEmpty else { break }
            let befores = try parents.map { id throws(Problem) in
                let snapshot = try versions.snapshot(id)
                return (snapshot, try side(at: snapshot, subject, path, entry))
            }
            if let same = befores.first(where: { $0.1 == here }) {
                (commit, here) = same
                continue
            }
            let (snapshot, before) = befores[0]
            if file == nil, !before.hasSameMember(as: here) { file = commit.id }
            if option == nil, before.option?.effectiveValue != here.option?.effectiveValue { option = commit.id }
            (commit, here) = (snapshot, before)
            if before.isInStep { break }
            if before.option == nil || before.member == nil { break }
        }
        return (file, option)
    }

    /// How many versions are looked at for the one in which an option and its member agreed.
    private static let agreementLimit = 10_000

    /// An option and its member as one version has them.
    private struct Side: Equatable {
        var contents: [Content?]
        var option: SettingsOption?
        var member: SettingsOption?

        var isInStep: Bool {
            guard let option, let member else { return false }
            return option.isInStep(with: member)
        }

        func hasSameMember(as other: Side) -> Bool { member?.effectiveValue == other.member?.effectiveValue }

        static func == (left: Side, right: Side) -> Bool {
            left.contents == right.contents
                || left.hasSameMember(as: right) && left.option?.effectiveValue == right.option?.effectiveValue
        }
    }

    private func side(at snapshot: Snapshot, _ subject: Subject, _ path: MemberPath, _ entry: Entry) throws(Problem) -> Side {
        let contents = [try snapshot.content(at: entry.path), try snapshot.content(subject)]
        var side = Side(contents: contents)
        side.option = try snapshot.readable(subject, acceptingAnyValue: true)?.option
        if let content = contents[0], content.mode.isRegular { side.member = try member(path, of: content, entry) }
        return side
    }

    /// A member of an earlier text; nil where that can't be read.
    func member(_ path: MemberPath, of content: Content, _ entry: Entry) throws(Problem) -> SettingsOption? {
        try text(of: content, entry)?.option(at: path)
    }

    /// An earlier text; nil where it can't be read.
    private func text(of content: Content, _ entry: Entry) throws(Problem) -> TrackedText? {
        if let known = knownTexts[content.id] { return known }
        var text: TrackedText?
        if let bytes = try? versions.repository.objects.blob(content.id, atMost: TrackedFile.sizeLimit) {
            text = try? self.text(bytes, of: entry)
        }
        if knownTexts.count > 64 { knownTexts = [:] }
        knownTexts[content.id] = .some(text)
        return text
    }
}
