import SettingsModel
import SettingsStore

/// The words that a store has for what is typed. Only so much of its history is read.
struct NamedCandidates {
    let shell: CompletionShell
    let folder: StoreFolder
    /// The words before, without options and their values.
    let positionals: [String]
    let typed: String
    let caller: Caller
    let session: Session

    init(shell: CompletionShell, folder: StoreFolder, positionals: [String], typed: String) {
        self.shell = shell
        self.folder = folder
        self.positionals = positionals
        self.typed = typed
        var caller = Environment.current.caller(in: folder)
        // Who presses the tab key sits there.
        caller.isAtTerminal = true
        self.caller = caller
        session = Session(folder, by: caller, at: Environment.current.clock, readsOnly: true)
    }

    /// How many versions are offered where nothing is typed.
    private static let offered = 20
    /// How many commits are read for an id that begins so, for people and for tickets.
    private static let examined = 1000
    /// The titles of no more options are read.
    private static let titled = 100

    func candidates(_ kind: WordKind) -> [Candidate] {
        switch kind {
        case .key: keys()
        case .place, .placeBeforeCommand, .placeOrDiscarded: keys(includesGroups: true)
        case .discarded: keys(of: Array((try? session.ask(DiscardedSubjectsQuery())) ?? []), includesGroups: true)
        case .keyOrValue: keyOrValue()
        case .assignment: typed.contains("=") ? assignment() : keys(after: "=")
        case .label: positionals.last.map { values(of: $0, typed) } ?? []
        case .when: revisions(typed) + times(typed) + versions(typed)
        case .version: revisions(typed) + versions(typed)
        case .versionOrRange: typed.contains("..") ? range(from: []) : revisions(typed) + versions(typed)
        case .keyOrVersion: first(of: keys(byPart: false) + revisions(typed) + (typed.isEmpty ? [] : versions(typed)), keys())
        case .range: range(from: revisions(typed) + versions(typed))
        case .placeOrRange: typed.contains("..") ? range(from: []) : placeOrRange
        case .branch: fitting(branches, typed)
        case .remote: fitting(remotes, typed)
        case .waiting: fitting(waiting, typed.lowercased())
        case .tag: fitting(tags, typed)
        case .author: people { [$0.author.description] }
        case .requester: people { $0.message.requestedBy }
        case .ticket: fitting(distinct { $0.message.tickets }, typed)
        case .command: []
        }
    }

    /// What begins so counts before what it is a part of.
    private func first(of candidates: [Candidate], _ others: @autoclosure () -> [Candidate]) -> [Candidate] {
        candidates.isEmpty ? others() : candidates
    }

    private var placeOrRange: [Candidate] {
        first(of: keys(includesGroups: true, byPart: false) + range(from: typedRevisions), keys(includesGroups: true))
    }

    private func fitting(_ candidates: [Candidate], _ typed: String) -> [Candidate] {
        candidates.filter { $0.text.hasPrefix(typed) }
    }

    // MARK: Keys and values

    /// `ending`: what follows an option's key in the same word. `byPart`: where none begins so, those of which it is a part.
    private func keys(includesGroups: Bool = false, byPart: Bool = true, after ending: String = "") -> [Candidate] {
        guard let listing = try? folder.listing() else { return [] }
        return keys(of: listing.subjects, includesGroups: includesGroups, byPart: byPart, after: ending)
    }

    private func keys(
        of subjects: [Subject], includesGroups: Bool, byPart: Bool = true, after ending: String = ""
    ) -> [Candidate] {
        let entries = KeyCandidates(options: subjects.options, caller: caller, includesGroups: includesGroups).entries(typed)
        if entries.isEmpty, byPart, !typed.isEmpty, !typed.contains("/") {
            return named(subjects, includesGroups: includesGroups, after: ending)
        }
        let isShort = entries.count <= Self.titled
        let showsTitles = shell != .bash && isShort
        return entries.compactMap { entry in
            if isShort, folder.isOfOtherProgram(entry.subject) { return nil }
            var candidate = Candidate(text: entry.text)
            if !entry.subject.isGroup { candidate.text += ending }
            if showsTitles, let item = try? folder.item(entry.subject) { candidate.note = title(of: item) }
            return candidate
        }
    }

    /// Options and groups of which this is a part of the key or of the title.
    private func named(_ subjects: [Subject], includesGroups: Bool, after ending: String) -> [Candidate] {
        let typed = typed.lowercased()
        let wanted = subjects.filter { ($0.isGroup ? includesGroups : true) && !$0.key.isRoot }
        let readsTitles = wanted.count <= Self.titled
        return wanted.sorted { $0.key < $1.key }.compactMap { subject in
            let key = subject.key.description
            let isInKey = key.lowercased().contains(typed)
            let title = readsTitles ? (try? folder.item(subject)).flatMap { $0.map(self.title) } ?? "" : ""
            guard isInKey || title.lowercased().contains(typed), !folder.isOfOtherProgram(subject) else { return nil }
            return Candidate(text: subject.isGroup ? key : key + ending, note: shell == .bash ? "" : title)
        }
    }

    private func title(of item: SettingsContent.Item) -> String {
        switch item {
        case .option(let option): option.title.string
        case .group(let group): group.title?.string ?? ""
        case .store(let store): store.title?.string ?? ""
        }
    }

    private func keyOrValue() -> [Candidate] {
        if typed.contains("=") { return assignment() }
        // KEY VALUE pairs; KEY=VALUE is complete.
        var key: String?
        for word in positionals { key = key == nil && !word.contains("=") ? word : nil }
        return key.map { values(of: $0, typed) } ?? keys()
    }

    private func assignment() -> [Candidate] {
        guard let equals = typed.firstIndex(of: "=") else { return [] }
        return values(of: String(typed[..<equals]), String(typed[typed.index(after: equals)...]))
            .map { Candidate(text: typed[...equals] + $0.text, note: $0.note) }
    }

    private func values(of word: String, _ typed: String) -> [Candidate] {
        guard let option = try? folder.option(named: String(word.prefix { $0 != ":" }), caller).option else { return [] }
        switch option.type {
        case .choice: return labels(of: option, typed)
        case .switch: return ["on", "off", "toggle"].map { Candidate(text: $0) }.filter { $0.begins(with: typed) }
        case .number: return numbers(option).filter { $0.begins(with: typed) }
        case .text, .data: return []
        }
    }

    /// The labels that begin so, or else those whose values do. A label that bash would split is easier to type as its value.
    private func labels(of option: SettingsOption, _ typed: String) -> [Candidate] {
        let all = option.labels.map { (text: $0.text.string, value: $0.value.bare) }
        func byValue(_ label: (text: String, value: String)) -> Candidate {
            Candidate(text: label.value, note: label.value == label.text ? "" : label.text)
        }
        let byLabel = all.map { label in
            let isPlain = shell != .bash || CompletionShell.bash.written(label.text, inside: nil) == label.text
            if typed.isEmpty, !isPlain { return byValue(label) }
            return Candidate(text: label.text, note: label.value == label.text ? "" : label.value)
        }.filter { $0.begins(with: typed) }
        return byLabel.isEmpty ? all.map(byValue).filter { $0.begins(with: typed) } : byLabel
    }

    private func numbers(_ option: SettingsOption) -> [Candidate] {
        var found: [Candidate] = []
        func add(_ number: JSON?, _ note: String) {
            guard let text = number?.bare, number?.isNull == false, !found.contains(where: { $0.text == text }) else { return }
            found.append(Candidate(text: text, note: note))
        }
        add(option.value, "current value")
        add(option.defaultValue, "default")
        return found
    }

    // MARK: Versions

    private var tags: [Candidate] {
        ((try? session.ask(TagNamesQuery())) ?? []).sorted().map { Candidate(text: $0, note: "tag") }
    }

    private var branches: [Candidate] {
        ((try? session.ask(BranchNamesQuery())) ?? []).map { branch in
            Candidate(text: branch.name, note: branch.isRemote ? "remote-tracking branch" : "branch")
        }
    }

    private var remotes: [Candidate] {
        ((try? session.ask(RemoteNamesQuery())) ?? []).map { Candidate(text: $0, note: "remote") }
    }

    private func revisions(_ typed: String) -> [Candidate] {
        fitting(tags + branches + [Candidate(text: "HEAD", note: "the latest version")], typed)
    }

    private var typedRevisions: [Candidate] { typed.isEmpty ? [] : revisions(typed) }

    private func times(_ typed: String) -> [Candidate] {
        fitting(Self.times.map { Candidate(text: $0, note: $1) }, typed)
    }

    private static let times = [
        ("today", "a bare day means its end; for --since, its beginning"), ("yesterday", "a bare day means its end"),
        ("18:00", "the most recent 18:00"), ("noon", "the most recent noon"), ("1.hour.ago", "an hour before now"),
        ("3.days.ago", "three days before now"), ("1.week.ago", "a week before now"),
    ]

    /// Versions by their short ids, newest first, each with its sentence.
    private func versions(_ typed: String) -> [Candidate] {
        guard typed.allSatisfy({ $0.isHexDigit && $0.isASCII }) else { return [] }
        let query = RecentVersionsQuery(limit: typed.isEmpty ? Self.offered : Self.examined, examining: Self.examined)
        return ((try? session.ask(query)) ?? []).lazy
            .map { Candidate(text: $0.id.short, note: $0.message.subject) }
            .filter { $0.text.hasPrefix(typed.lowercased()) }
            .prefix(Self.offered).map { $0 }
    }

    /// Versions that have to be confirmed.
    private var waiting: [Candidate] {
        ((try? session.ask(ConfirmationsQuery())) ?? []).map { open in
            let version = open.confirmation.version
            return Candidate(text: version.id.short, note: version.message.subject)
        }
    }

    /// `A..B` or, as long as there are no dots, one of `starts` with them.
    private func range(from starts: [Candidate]) -> [Candidate] {
        guard let dots = typed.firstRange(of: "..") else {
            return starts.map { Candidate(text: $0.text + "..", note: $0.note) }
        }
        let end = String(typed[dots.upperBound...])
        return (revisions(end) + versions(end)).map { Candidate(text: typed[..<dots.upperBound] + $0.text, note: $0.note) }
    }

    // MARK: People and tickets

    /// Those of the newest versions, each once, newest first.
    private func distinct(_ names: (Version) -> [String]) -> [Candidate] {
        let query = RecentVersionsQuery(limit: Self.examined, examining: Self.examined)
        var seen: Set<String> = []
        return ((try? session.ask(query)) ?? []).flatMap(names).filter { seen.insert($0).inserted }
            .map { Candidate(text: $0) }
    }

    /// By the name or, where that is what was typed, by the address.
    private func people(_ names: (Version) -> [String]) -> [Candidate] {
        distinct(names).compactMap { candidate in
            if candidate.begins(with: typed) { return candidate }
            guard let person = Person(candidate.text), person.email.lowercased().hasPrefix(typed.lowercased()) else { return nil }
            return Candidate(text: person.email, note: person.name)
        }
    }
}
