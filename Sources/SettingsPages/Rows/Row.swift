package import SettingsModel
package import SettingsText

/// A row of a page. Each kind of row is a type of its own in a file of its name: it knows its value, how that is shown and
/// edited, and why it can't be.
package protocol Row: Sendable {
    var id: RowID { get }
    /// Whether it can be gone to; headings and explanations can't.
    var isFocusable: Bool { get }
    /// Whether its mark is about a change that is not recorded.
    func isDrafted(in scene: Scene) -> Bool
    func title(in scene: Scene) -> String
    /// A shorter title for where there is little room; nil for the beginning of the title.
    func shortTitle(in scene: Scene) -> String?
    /// A sign before the title; empty for none.
    func mark(in scene: Scene) -> String
    func accessory(in scene: Scene) -> Accessory
    /// The row in columns of its own; nil where a title stands at the left and the accessory at the right edge.
    func line(width: Int, in scene: Scene) -> StyledText?
    var titleRole: Cell.Role { get }
    /// Whether its title takes as many lines as it needs, up to four.
    var wraps: Bool { get }
    /// The row in a sentence, for plain mode.
    func sentence(in scene: Scene) -> String

    /// Enter.
    func open(in scene: Scene) -> Response
    /// Space.
    func toggle(in scene: Scene) -> Response
    /// One step, or several, on a scale.
    func step(by count: Int, in scene: Scene) -> Response
    /// So far along its slider, from 0 to 1.
    func move(to fraction: Double, in scene: Scene) -> Response
    /// Whether only Enter does what it is for, not a character that may belong to a text, such as Space.
    var isConfirmed: Bool { get }
    /// Whether the arrows change its value.
    func isSlider(in scene: Scene) -> Bool
    func reset(in scene: Scene) -> Response
    /// A character that nobody else wants.
    func type(_ character: Character, in scene: Scene) -> Response
    /// A word given for its value, as plain mode has it.
    func set(_ word: String, in scene: Scene) -> Response
    /// What was typed into it is accepted.
    func commit(_ text: String, in scene: Scene) -> Response
    func info(in scene: Scene) -> Response
    /// What it offers besides taking another value, for pages that have a button for each.
    func acts(in scene: Scene) -> [RowAct]
    /// Any other act.
    func act(_ act: Act, in scene: Scene) -> Response?
    /// Who chose what it shows, when and why; nil where nobody did, and where that isn't known.
    func who(in scene: Scene) -> String?
    /// The command line that does what it is for.
    func command(in scene: Scene) -> String?
    /// The line at the foot of the screen while it is focused, which ends in both.
    func hint(in scene: Scene) -> String
}

/// What a row is about, which stays when rows come and go.
package enum RowID: Hashable, Sendable {
    case option(Key)
    case group(Key)
    case label(JSON)
    case change(Subject, Facet)
    case conflict(Subject, Facet)
    case version(VersionID)
    /// An edit of a file.
    case fileChange(Subject, Facet, isStaged: Bool)
    case named(String)

    /// The option or the group that it is about; nil for anything else.
    var subject: Subject? {
        switch self {
        case .option(let key): .option(key)
        case .group(let key): .group(key)
        case .change(let subject, _), .conflict(let subject, _), .fileChange(let subject, _, _): subject
        case .label, .version, .named: nil
        }
    }

    /// Where the row is after it was staged, or after it no longer is.
    var counterpart: RowID? {
        guard case .fileChange(let subject, let facet, let isStaged) = self else { return nil }
        return .fileChange(subject, facet, isStaged: !isStaged)
    }
}

/// Something that a row can do now.
package struct RowAct: Sendable {
    package let act: Act
    package let title: String
    package let response: Response

    init(_ act: Act, _ title: String, _ response: Response) {
        (self.act, self.title, self.response) = (act, title, response)
    }
}

/// What stands at the right edge of a row.
package struct Accessory: Hashable, Sendable {
    package var text: StyledText
    /// What stays of it where there is little room; nil for its beginning.
    package var short: StyledText?
    /// How far a slider is, from 0 to 1.
    package var fraction: Double?
    /// Whether the row opens a page.
    package var opens: Bool

    package init(_ text: StyledText = StyledText(), fraction: Double? = nil, opens: Bool = false) {
        self.text = text
        self.fraction = fraction
        self.opens = opens
    }
}

/// What a row or a page answers to an act.
package enum Response: Sendable {
    case nothing
    /// It can't be done, and why. `no`: there is nothing to do.
    case refuse(String, Problem.Kind = .no)
    case say(String)
    case open(any Page)
    case back
    /// Options as they are to be. `words` says it; nil says the change.
    case edit([(subject: Subject, item: SettingsContent.Item?)], isAdjustment: Bool = false, words: String? = nil)
    /// An option as it is to be, where somebody may have changed what was found there.
    case merge(SettingsContent.Item?, SettingsDraft.Found)
    /// Something is to be typed into the row.
    case type(Typing)
    /// A text from the person's editor that the row refused is not needed any more.
    case discardText(RowID)
    case dismiss(Change)
    case settle(SettingsDraft.OpenConflict, SettingsDraft.Pick)
    case answer(OpenQuestion, SettingsDraft.Pick)
    case sheet(Sheet)
    case focus(RowID)
    /// What is searched for on the page is typed into the row, beginning with these words; nil ends the search.
    case search(RowID, String?)
    /// What was searched for was found there.
    case matches([Key])
    case effect(Effect)
    case perform(Act)
    case browse(BrowseWish)
    case all([Response])
}

extension Response {
    /// A change of what was found, where that is another one now.
    func since(_ found: SettingsDraft.Found) -> Response {
        switch self {
        case .edit(let items, _, _): .merge(items.first?.item, found)
        case .say: .say("Nothing was changed")
        default: self
        }
    }
}

extension Row {
    package var isFocusable: Bool { true }
    package var isConfirmed: Bool { false }
    package func isDrafted(in scene: Scene) -> Bool { false }
    package var titleRole: Cell.Role { .plain }
    package var wraps: Bool { false }
    package func shortTitle(in scene: Scene) -> String? { nil }
    package func mark(in scene: Scene) -> String { "" }
    package func accessory(in scene: Scene) -> Accessory { Accessory() }
    package func line(width: Int, in scene: Scene) -> StyledText? { nil }
    package func open(in scene: Scene) -> Response { .refuse("There is nothing to open here") }
    package func toggle(in scene: Scene) -> Response { open(in: scene) }
    package func step(by count: Int, in scene: Scene) -> Response { .refuse("Only a number has steps") }
    package func isSlider(in scene: Scene) -> Bool { false }
    package func move(to fraction: Double, in scene: Scene) -> Response { .refuse("This row has no slider") }
    package func reset(in scene: Scene) -> Response { .refuse("There is nothing to reset here") }
    package func type(_ character: Character, in scene: Scene) -> Response {
        .refuse("'\(String(character).visible)' does nothing here; ? lists the keys")
    }
    package func set(_ word: String, in scene: Scene) -> Response { .refuse("This row has no value") }
    package func commit(_ text: String, in scene: Scene) -> Response { .nothing }
    package func info(in scene: Scene) -> Response { .refuse("This row has no further information") }
    package func acts(in scene: Scene) -> [RowAct] { [] }
    package func act(_ act: Act, in scene: Scene) -> Response? { nil }
    package func who(in scene: Scene) -> String? { nil }
    package func command(in scene: Scene) -> String? { nil }
    package func hint(in scene: Scene) -> String { "" }

    /// The key beside the title of a change, where the title doesn't tell what it is about.
    func key(in scene: Scene) -> String? {
        switch id {
        case .change, .conflict, .fileChange: scene.key(beside: id)
        default: nil
        }
    }

    /// Whether a character can be typed into it.
    func takes(_ character: Character, in scene: Scene) -> Bool {
        if case .refuse = type(character, in: scene) { false } else { true }
    }

    /// The row in a sentence, for plain mode.
    package func sentence(in scene: Scene) -> String {
        let accessory = accessory(in: scene)
        let text = accessory.text.spans.map(\.text).joined()
        let title =
            switch id {
            case .option, .group, .label: title(in: scene).inWords
            default: title(in: scene)
            }
        let name = key(in: scene).map { "\(title) (\($0))" } ?? title
        let sentence = text.isEmpty ? name : "\(name): \(text)"
        switch mark(in: scene) {
        case scene.glyphs.check: return sentence + " (chosen)"
        case "": return sentence
        case "!": return sentence + " (conflict)"
        case "?": return sentence + " (open conflict)"
        default: return sentence + (isDrafted(in: scene) ? " (not recorded)" : " (changed)")
        }
    }
}
