package import SettingsModel
package import SettingsText

/// What pages show: the store with the draft, what is known of it, and how it is worded.
package struct Scene: Sendable {
    package var draft = SettingsDraft()
    package var outline = Outline()
    package var facts = Facts()
    package var browsing = Browsing()
    /// What is searched; nil until it is needed, or where it is no longer true.
    package var index: SearchIndex?
    package var sheet = Sheet()
    /// What the sheet of every version begins with.
    var freshSheet = Sheet()
    /// The draft that is offered at the start.
    package internal(set) var offered: KeptDraft?
    /// The draft that was offered and discarded, for bringing it back.
    var discarded: KeptDraft?
    /// The branch on which the draft was begun, if it is another one than the one that is checked out.
    var otherBranch: String?
    /// What the person's editor made of an option's data and the option cannot have, with the question what becomes of it.
    var invalidTexts: [RowID: InvalidTextPage] = [:]
    /// What was found last, for the next and the previous match.
    var matches: [Key] = []
    /// Edits of the files.
    package var files = FileEditing()
    package var phrases: Phrases
    /// Whether rows are told in sentences, one after another, to people who don't see the screen.
    package var isPlain = false
    /// Whether sections are set apart by empty lines; nil where they are if there is room.
    var setsApart: Bool?
    /// Whether a group without a title is called by its name with a capital: for people who see no keys.
    package var capitalizesNames = false

    package init(phrases: Phrases) { self.phrases = phrases }

    package var content: SettingsContent { draft.content }
    /// The branch on which the draft was begun.
    package var draftBranch: String { otherBranch ?? facts.branch }
    package var wording: Wording { phrases.wording }
    package var glyphs: Glyphs { phrases.wording.glyphs }

    /// How a person asks for something: by a key, or by a command of plain mode.
    func command(_ key: String, plain command: String) -> String { isPlain ? "'\(command)'" : key }

    package func title(ofGroup key: Key) -> String {
        let subject: Subject = key.isRoot ? .store : .group(key)
        let title = content.title(of: subject).string
        guard capitalizesNames, !key.isRoot, content[subject]?.title?.isEmpty ?? true else { return title }
        return title.prefix(1).uppercased() + title.dropFirst()
    }

    /// The key of what a row is about, where its title is that of something else as well.
    func key(beside row: RowID) -> String? {
        guard let subject = row.subject, outline.isShared(content.title(of: subject)) else { return nil }
        return subject.key.description
    }

    /// What keeps an option from being changed on a page.
    package enum Obstacle: Hashable, Sendable {
        case isRemoved, isReadOnly
        /// Its file has an edit that is not recorded.
        case isEdited
    }

    package func obstacle(to key: Key) -> Obstacle? {
        guard let option = content.options[key] else { return .isRemoved }
        if option.isReadOnly { return .isReadOnly }
        return facts.handEdited.contains(.option(key)) ? .isEdited : nil
    }

    /// Why an option can't be changed here, and what to press; nil if it can.
    func refusal(for key: Key) -> String? {
        let title = content.options[key]?.title
        return obstacle(to: key).map { obstacle in
            switch obstacle {
            case .isRemoved: "\(key) was removed"
            case .isReadOnly: "\(title ?? "") is read-only"
            case .isEdited: "\(title ?? "") has an edit in its file that is not recorded; \(listsEdits)"
            }
        }
    }

    /// Why the file of an option or a group cannot be read; nil if it can.
    func fault(inFileOf subject: Subject) -> String? {
        for problem in facts.unreadable {
            if case .file(.unreadable(_, let path, _)) = problem, path == subject.path { return PageHints.words(problem) }
        }
        return nil
    }

    /// What to do with an edit of a file that keeps one of the changes from being recorded; nil where none does.
    package func waysOut(of changes: [Change]) -> String? {
        let edited = changes.map(\.subject).first { facts.handEdited.contains($0) || fault(inFileOf: $0) != nil }
        guard let subject = edited else { return nil }
        if let fault = fault(inFileOf: subject) { return "\(fault); fix the file or discard the edit; \(listsEdits)" }
        return "\(subject.path) has an edit that is not recorded; record or discard it first; \(listsEdits)"
    }

    /// Where the edits of the files are.
    private var listsEdits: String { "\(command("2", plain: "commit")) lists the edits of the files" }

    /// The version that chose an option's value; nil where that is not known, and for a value that no version records.
    package func origin(of key: Key) -> Version? {
        facts.handEdited.contains(.option(key)) ? nil : facts.origins[key] ?? nil
    }

    /// Who recorded a version, when, and the first line of why.
    func who(_ version: Version) -> String {
        let why = version.message.why?.split(separator: "\n").first.map { ", \(glyphs.quoted($0))" } ?? ""
        return "\(version.author.name), \(phrases.time(version.time))\(why)"
    }

    /// A value for people: its label, a text without quotes, dots for a masked text.
    package func words(_ value: JSON?, of option: SettingsOption) -> String {
        guard let value else { return "not set" }
        // Dots would say that there is a text.
        if option.isMasked, value.bare.isEmpty { return "empty" }
        if case .string(let text) = value, option.type == .text, !option.isMasked {
            return text.isEmpty ? glyphs.quoted("") : shown(text.string)
        }
        return wording.words(value, of: option)
    }

    /// A text as a row has it. On a screen, what stands for a line break looks as no text can; in sentences, such a text is in
    /// quotation marks with escapes, as in JSON, and so is one that could be taken for that.
    func shown(_ text: String) -> String {
        isPlain && (text.visible != text || text.hasPrefix("\"")) ? JSON.string(ExactText(text)).compact : text
    }
}

/// What is known of a store beside its settings.
package struct Facts: Sendable {
    /// The last version.
    package var head: VersionID?
    /// The branch that is checked out; `HEAD` where none is.
    package var branch = "HEAD"
    /// Files with edits that nobody recorded.
    package var handEdited: Set<Subject> = []
    package var unreadable: [Problem] = []
    /// Why the draft would be lost when the pages are left; nil where it is kept.
    var unkept: String?
    /// Who chose a value; nil where the history doesn't say.
    package var origins: [Key: Version?] = [:]
    /// Whether `origins` has every option.
    package var hasAllOrigins = false
    /// Reasons of earlier versions, the latest first.
    package var reasons: [String] = []
    /// Versions that wait to be confirmed, the next deadline first.
    package var waiting: [WaitingVersion] = []
    /// What merges left open.
    package var questions = OpenQuestions()
    /// What was recorded last from here, for taking it back.
    package var recorded: [Change] = []
    /// The version that did.
    var recordedBy: VersionID?
    /// Whether it took back what was recorded before.
    var recordedIsUndo = false

    package init() {}

    /// The reason for which an option's value was chosen, where it is known.
    package func why(of key: Key) -> String? { origins.isEmpty ? nil : (origins[key] ?? nil)?.message.why }
}

/// Which options and groups are in which group, in the order in which they are shown.
package struct Outline: Sendable {
    private var options: [Key: [Key]] = [:]
    private var groups: [Key: [Key]] = [:]
    /// The titles that several options and groups have.
    private var sharedTitles: Set<ExactText> = []

    package init() {}

    package init(_ settings: SettingsContent) {
        options = Dictionary(grouping: settings.options.keys, by: \.group)
        groups = Dictionary(grouping: settings.allGroups.filter { !$0.isRoot }, by: \.group)
        var titles: Set<ExactText> = []
        let subjects = settings.options.keys.map { Subject.option($0) } + settings.allGroups.map { .group($0) }
        for subject in subjects {
            let title = settings.title(of: subject)
            if !titles.insert(title).inserted { sharedTitles.insert(title) }
        }
        for place in Set(options.keys).union(groups.keys) {
            let group = settings.groups[place] ?? SettingsGroup()
            options[place] = Self.ordered(options[place] ?? [], group)
            groups[place] = Self.ordered(groups[place] ?? [], group)
        }
    }

    private static func ordered(_ keys: [Key], _ group: SettingsGroup) -> [Key] {
        let byName = Dictionary(keys.map { (ExactText($0.name), $0) }) { first, _ in first }
        return group.ordered(Set(byName.keys)).compactMap { byName[$0] }
    }

    func isShared(_ title: ExactText) -> Bool { sharedTitles.contains(title) }

    package func options(in group: Key) -> [Key] { options[group] ?? [] }
    package func groups(in group: Key) -> [Key] { groups[group] ?? [] }
    package func holds(_ group: Key) -> Bool { options[group] != nil || groups[group] != nil }

    /// How many options are in a group, and in those that lie in it.
    package func count(in group: Key) -> Int {
        groups(in: group).reduce(options(in: group).count) { $0 + count(in: $1) }
    }
}
