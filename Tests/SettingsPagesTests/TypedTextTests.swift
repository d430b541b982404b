import Seeds
import SettingsModel
import SettingsText
import Testing

@testable import SettingsPages

/// Text that a person types is never taken for a command that records: only Enter, Ctrl-S and F10 do, on the page that asks
/// for the reason.
struct TypedTextTests {
    private static let pages = [
        "commit", "done", "staged", "earlier", "changes", "confirm", "conflicts", "conflict", "leave", "help", "search", "group",
        "choice", "text", "recover",
    ]

    /// An editor with a draft, staged edits, earlier reasons and a version that waits, on a page.
    private func editor(on page: String) throws -> Editor {
        var editor = try Office.editor(at: "display.larger")
        var files = try CommitPageTests.Files()
        files.index = files.files
        if page != "confirm" { editor.press("Space") }
        func perform(_ effects: [Effect]) throws {
            for effect in effects {
                switch effect {
                case .files(let work): _ = editor.step(try files.perform(work))
                case .reasons: _ = editor.step(.reasons(["scope", "too dark at night"]))
                default: break
                }
            }
        }
        func focus(_ id: RowID) { _ = editor.step(.focus(id)) }
        switch page {
        case "commit": try perform(editor.press("2"))
        case "done": try perform(editor.press("c"))
        case "staged":
            try perform(editor.press("2") + [])
            try perform(editor.press("c"))
        case "earlier":
            try perform(editor.press("c"))
            focus(.named("reason scope"))
        case "changes": editor.press("v")
        case "confirm":
            let version = try Self.waitingVersion()
            _ = editor.step(.waiting([version]))
            editor.answer(.open(ConfirmationPage(version.confirmation.version.id)))
        case "conflicts", "conflict":
            var other = try Office.settings
            other.options[try Key("display.theme")]?.value = "auto"
            editor.answer(.focus(.option(try Key("display.theme"))))
            editor.press("Enter Down Enter")
            _ = editor.step(.loaded(Loaded(other, author: "Bob")))
            editor.press("c")
            if page == "conflict" { editor.press("Enter") }
        case "leave": editor.answer(.open(LeavePage()))
        case "help": editor.press("?")
        case "search": editor.press("/")
        case "choice": editor.answer(.open(ChoicePage(try Key("display.theme"))))
        case "text":
            focus(.option(try Key("display.name")))
            editor.press("Enter")
        case "recover":
            var draft = SettingsDraft(try Office.settings)
            var option = try #require(draft.content.options[try Key("display.larger")])
            option.value = .bool(true)
            draft.apply([(.option(try Key("display.larger")), .option(option))])
            _ = editor.step(.offered(KeptDraft(draft, Sheet())))
        default: break
        }
        return editor
    }

    private static func waitingVersion() throws -> WaitingVersion {
        let time = Time(seconds: 1_795_000_000, offset: 0)
        let person = Person(name: "Ann", email: "ann@example.org")
        let version = Version(
            id: VersionID(repeating: 5), parents: [], author: person, committer: person, time: time,
            message: VersionMessage(subject: "s"))
        return WaitingVersion(Confirmation(version, deadline: time, .waiting), [])
    }

    /// A text with line breaks, with other keys among it.
    private static func burst(_ random: inout Seeded) -> [Keystroke] {
        (0..<(3 + random.int(9))).map { number in
            if number == 0 { return .enter }
            return switch random.int(6) {
            case 0: .enter
            case 1: random.pick([.backspace, .control("s"), .function(10), .right, .down, .escape, .delete, .tab, .control("u")])
            default: .character(random.pick(characters))
            }
        }
    }

    private static let characters = Array("scope change lrRcCdDuUqQ12=+-vnNHijkhgGaemp /?.,:\\'\"éß山 \u{E000}0123456789")

    @Test(.slow, arguments: pages)
    func anyText(page: String) throws {
        for seed in 0..<60 {
            var random = Seeded(UInt64(seed))
            var editor = try editor(on: page)
            var typed = ""
            for number in 0..<40 {
                // A text may come in at any time: while a page closes, and after something failed.
                let event: Event
                switch random.int(24) {
                case 0: event = .paste(random.pick(["c", "done\n", " \r\n ", "scope change\n\nc\n"]))
                case 1: event = .failed("cannot write")
                case 2: event = .together(random.pick([.enter, .right, .control("s"), .function(10)]))
                case 3: event = .burst(Self.burst(&random))
                case 4: event = .loaded(Loaded(try Office.settings, author: "Bob"))
                default:
                    let character = seed < 10 && number < 12 ? Array("scope change")[number] : random.pick(Self.characters)
                    typed.append(character)
                    event = .key(.character(character))
                }
                for effect in editor.step(event) {
                    #expect(!effect.records, "\(page), seed \(seed): \(typed)")
                    if case .reasons = effect { _ = editor.step(.reasons(["scope"])) }
                }
            }
        }
    }

    /// Where nothing is typed they do nothing at all; in a field they are its text, which a line break at the end accepts.
    @Test func keysThatCameTogetherAreText() throws {
        var editor = try editor(on: "group")
        let burst: [Keystroke] = [.character("c"), .down, .character("u"), .enter, .escape]
        #expect(editor.step(.burst(burst)).isEmpty && editor.title == "Display" && editor.focused == "Larger Text")
        #expect(editor.status.isRefusal && editor.status.text.hasSuffix("then paste"))
        editor = try self.editor(on: "text")
        editor.press("Ctrl-u")
        _ = editor.step(.burst([.character("a"), .character("x"), .backspace, .left, .character("b"), .enter]))
        #expect(editor.typing == nil)
        #expect(try editor.value("display.name") == "ba")
        // Two breaks are text, and what accepts or leaves has to be pressed again.
        editor.press("Enter Ctrl-u")
        _ = editor.step(.burst([.character("a"), .enter, .character("b"), .enter, .control("s")]))
        #expect(editor.typing?.field.text == "a\nb\n")
        #expect(editor.status.text == "Ctrl-S arrived together with other keys, like pasted text; press it again")
        // A reason of several lines stays in the row, and nothing goes to the person's editor.
        editor = try self.editor(on: "done")
        _ = editor.step(.paste("too dark\nat night"))
        editor.press("Enter")
        let effects = editor.step(.burst([.enter, .character("q"), .enter]))
        #expect(effects.isEmpty && editor.typing?.field.text == "too dark\nat night\nq\n")
    }

    @Test func whatIsPastedOnDoneIsTheReason() throws {
        var editor = try editor(on: "done")
        #expect(editor.focused == "Done")
        _ = editor.step(.paste("too dark\nat night"))
        #expect(editor.typing?.field.text == "too dark\nat night")
        editor.press("Enter")
        #expect(editor.scene.sheet.why == "too dark\nat night" && editor.focused == "Done")
    }
}

extension Effect {
    /// Whether it records a version.
    var records: Bool {
        switch self {
        case .record, .confirm: true
        case .files(let work): if case .record = work.act { true } else { false }
        default: false
        }
    }
}

extension Event {
    /// Whether it is a key that records on the page for it.
    var records: Bool {
        switch self {
        case .key(.enter), .key(.right), .key(.control("s")), .key(.function(10)): true
        default: false
        }
    }
}
