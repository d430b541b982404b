@testable import SettingsModel
import Testing

@testable import SettingsPages

/// Two things happen to an option that a draft changes. Whether the pages are open meanwhile makes no difference, and what
/// the person wants is never lost.
struct DraftMovingTests {
    enum Act: String, CaseIterable {
        case set, setAsDraft, setBack, remove, addAgain, retype, rename, renameBack, removeLabel, renameLabel, narrow, lock
        case retitle, removeGroup, retypeAsNumber

        /// What was renamed, if anything was.
        func perform(on settings: inout SettingsContent, _ key: inout Key, _ draft: JSON) throws -> VersionMessage.Rename? {
            let place = Key(unchecked: DraftMovingTests.place(of: draft).split(separator: ".").map(String.init))
            let first = try #require(DraftMovingTests.office.options[place])
            var option = settings.options[key] ?? first
            switch self {
            case .set: option.value = option.type == .number ? .number(60) : option.type == .choice ? "auto" : "other"
            case .setAsDraft: option.value = draft
            case .setBack: option.value = first.value
            case .remove:
                settings.options[key] = nil
                return nil
            case .addAgain:
                option = first
                option.title = "Added Again"
            case .retype: option = SettingsOption(title: option.title, type: .text, value: "words")
            case .retypeAsNumber: option = SettingsOption(title: option.title, type: .number, value: .number(3))
            case .rename, .renameBack:
                let new = self == .rename ? try Key("general.renamed") : place
                guard settings.options[key] != nil, new != key else { return nil }
                let rename = VersionMessage.Rename(old: .option(key), new: .option(new))
                settings.options[new] = settings.options[key]
                settings.options[key] = nil
                key = new
                return rename
            case .removeLabel: if option.type == .choice { option.labels.remove("dark") }
            case .renameLabel: if option.type == .choice { option.labels.rename("dark", to: "Night") }
            case .narrow: if option.type == .number { option.range.maximum = Number(70) }
            case .lock: option.other["readOnly"] = .bool(true)
            case .retitle: option.title = "Another Title"
            case .removeGroup:
                for key in settings.options.keys where key.group == (try? Key("display")) { settings.options[key] = nil }
                settings.groups[try Key("display")] = nil
                return nil
            }
            // What nobody could have recorded.
            if !option.faults().isEmpty { return nil }
            settings.options[key] = option
            return nil
        }
    }

    static let office = (try? Office.settings) ?? SettingsContent()

    static func place(of draft: JSON) -> String { draft == "dark" ? "display.theme" : "display.brightness" }

    private static let drafts: [(value: JSON, retitles: Bool)] = [("dark", false), (.number(90), false), ("dark", true)]

    private func reread(_ draft: SettingsDraft) throws -> SettingsDraft {
        try #require(KeptDraft(file: KeptDraft(draft, Sheet()).file)).draft
    }

    @Test(arguments: Act.allCases)
    func openOrClosed(first: Act) throws {
        for second in Act.allCases {
            for (value, retitles) in Self.drafts {
                var key = try Key(Self.place(of: value))
                var draft = SettingsDraft(Self.office)
                var option = try #require(draft.content.options[key])
                option.value = value
                if retitles { option.title = "My Title" }
                draft.apply([(.option(key), .option(option))])
                var (closed, reopened) = (try reread(draft), draft)
                var settings = draft.base
                let story = "\(value.compact)\(retitles ? " and title" : ""): \(first), \(second)"
                var renames: [VersionMessage.Rename] = []
                for (number, act) in [first, second].enumerated() {
                    let rename = try act.perform(on: &settings, &key, value)
                    renames += [rename].compactMap { $0 }
                    draft.follow([rename].compactMap { $0 }, to: settings)
                    draft.move(to: settings)
                    if number == 1 { reopened = try reread(reopened) }
                    reopened.follow([rename].compactMap { $0 }, to: settings)
                    reopened.move(to: settings)
                }
                closed.follow(renames, to: settings)
                closed.move(to: settings)
                for (name, other) in [("reopened", reopened), ("open", draft)] {
                    #expect(other.content == closed.content, "\(story), \(name)")
                    #expect(Self.wanted(other) == Self.wanted(closed), "\(story), \(name)")
                }
                // The value is pending, or in conflict, or recorded.
                for (name, one) in [("open", draft), ("closed", closed), ("reopened", reopened)] {
                    let isThere = one.content.options[key]?.value == value
                    let words = "\(story), \(name): \(Self.wanted(one))"
                    #expect(isThere || Self.wanted(one).contains { $0.hasSuffix(value.compact) }, "\(words)")
                }
                while let step = draft.undo() { if !step.hasEffect { continue } }
                #expect(draft.content == settings, "\(story), undone")
            }
        }
    }

    /// Whether somebody made the option read-only or gave it another type: one conflict, whose reason says so, and no way to
    /// record the value.
    @Test(arguments: [Act.lock, .retypeAsNumber], [false, true])
    func aValueThatTheOptionCannotHave(act: Act, isReopened: Bool) throws {
        var key = try Key("display.theme")
        var draft = SettingsDraft(Self.office)
        var option = try #require(draft.content.options[key])
        option.value = "dark"
        option.title = "My Title"
        draft.apply([(.option(key), .option(option))])
        if isReopened { draft = try reread(draft) }
        var settings = Self.office
        _ = try act.perform(on: &settings, &key, "dark")
        #expect(draft.move(to: settings) == 1)
        let open = try #require(draft.openConflicts.first)
        let words = act == .lock ? "read-only now" : "the type of the option is number now"
        #expect(open.conflict.facet == .value && open.conflict.reason?.contains(words) == true)
        #expect(draft.content.options[key]?.value == settings.options[key]?.value)
        #expect(draft.content.options[key]?.title == "My Title")
        #expect(draft.settle(open, .yours) == open.conflict.reason)
        #expect(draft.settle(open, .theirs) == nil)
        #expect(draft.openConflicts.isEmpty && draft.changes.map(\.facet) == [.title])
        // The value is pending again where that is taken back.
        while draft.undo() != nil {}
        while draft.redo() != nil {}
        var other = SettingsDraft(Self.office)
        other.apply([(.option(key), .option(option))])
        other.move(to: settings)
        #expect(other.move(to: Self.office) == 0)
        #expect(other.content.options[key] == option && other.openConflicts.isEmpty)
    }

    /// Another option has the old name by the time that the draft is looked at again.
    @Test(arguments: [false, true])
    func aRenamedOptionWhoseNameIsTakenAgain(isClosed: Bool) throws {
        let (old, new) = (try Key("display.theme"), try Key("display.look"))
        var draft = SettingsDraft(Self.office)
        var option = try #require(draft.content.options[old])
        option.value = "dark"
        draft.apply([(.option(old), .option(option))])
        if isClosed { draft = try reread(draft) }
        var settings = Self.office
        settings.options[new] = settings.options[old]
        settings.options[old] = SettingsOption(title: "Another", type: .switch, value: .bool(false))
        let rename = VersionMessage.Rename(old: .option(old), new: .option(new))
        draft.follow([rename], to: settings)
        #expect(draft.move(to: settings) == 0)
        #expect(draft.changes.map(\.subject) == [.option(new)])
        #expect(draft.content.options[old] == settings.options[old] && draft.content.options[new]?.value == "dark")
    }

    /// A rename that git alone took back names nothing any more.
    @Test func aRenameThatIsGoneIsNotFollowed() throws {
        let (old, new) = (try Key("display.theme"), try Key("display.look"))
        var draft = SettingsDraft(Self.office)
        var option = try #require(draft.content.options[old])
        option.value = "dark"
        draft.apply([(.option(old), .option(option))])
        draft = try reread(draft)
        draft.follow([VersionMessage.Rename(old: .option(old), new: .option(new))], to: Self.office)
        #expect(draft.move(to: Self.office) == 0 && draft.changes.map(\.subject) == [.option(old)])
    }

    /// What is asked about, each with the value that the person wants.
    private static func wanted(_ draft: SettingsDraft) -> [String] {
        draft.openConflicts.map { open in
            let yours =
                switch open.yours {
                case .item(let item)?: item.option?.value?.compact ?? ""
                case let content?: content.json?.compact ?? ""
                case nil: ""
                }
            return "\(open.conflict.subject.path) \(open.conflict.facet.token): \(yours)"
        }.sorted()
    }
}
