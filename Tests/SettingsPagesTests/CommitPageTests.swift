import Seeds
import SettingsModel
import SettingsText
import Testing

@testable import SettingsPages

/// The page of edits of the files, and that of the questions that merges left open.
struct CommitPageTests {
    /// A store's files and index as far as the page sees them, and what it asks for done to them.
    struct Files {
        var recorded: SettingsContent
        var index: SettingsContent
        var files: SettingsContent
        var discarded: [SettingsContent] = []

        init() throws {
            recorded = try Office.settings
            index = recorded
            files = recorded
            files.options[try Key("display.theme")]?.value = "dark"
            files.options[try Key("display.theme")]?.title = "Colour Theme"
            files.options[try Key("display.larger")] = nil
            files.options[try Key("display.secret")]?.value = "correct horse"
            files.options[try Key("general.new")] = SettingsOption(title: "New", type: .switch, value: .bool(true))
            files.groups[try Key("general")]?.footer = "Below."
            index.options[try Key("display.brightness")]?.value = .number(60)
            files.options[try Key("display.brightness")]?.value = .number(60)
        }

        var edits: FileEdits {
            FileEdits(
                staged: index.changes(since: recorded), unstaged: files.changes(since: index),
                broken: [
                    FileEdits.Broken(
                        path: "general/half.json", subject: Subject(path: "general/half.json"),
                        reason: "general/half.json:1:3: 'h' where a name in double quotes was expected")
                ])
        }

        /// Does what is asked; nil where it can't be.
        mutating func perform(_ work: FileWork) throws -> Event {
            do {
                switch work.act {
                case .look, .edit: break
                case .stage(let changes): index = try index.applying(changes)
                case .unstage(let changes): index = try index.applying(changes.inverted)
                case .discard(let changes, _):
                    discarded.append(files)
                    files = try files.applying(changes.inverted)
                case .bringBack:
                    let last = discarded.popLast()
                    files = try #require(last)
                case .record(let changes, _):
                    #expect(changes == edits.staged)
                    recorded = index
                }
            } catch is Conflicts { return .failed("conflict") }
            return .fileEdits(edits, work)
        }
    }

    /// Takes an event in, and does what is asked of the files.
    private func step(_ editor: inout Editor, _ files: inout Files, _ event: Event) throws {
        for case .files(let work) in editor.step(event) { _ = editor.step(try files.perform(work)) }
    }

    private func press(_ editor: inout Editor, _ files: inout Files, _ words: String) throws {
        for word in words.split(separator: " ") {
            try step(&editor, &files, .key(try #require(Keystroke(name: String(word)), "\(word)")))
        }
    }

    private func page(columns: Int = 80, rows: Int = 24, ascii isASCII: Bool = false) throws -> (Editor, Files) {
        var editor = try Office.editor(columns: columns, rows: rows, ascii: isASCII)
        var files = try Files()
        try press(&editor, &files, "2")
        return (editor, files)
    }

    @Test func spaceStagesAndUnstages() throws {
        var (editor, files) = try page()
        #expect(editor.title == "Commit" && editor.focused == "general/half.json")
        try press(&editor, &files, "Down Down Space")
        #expect(files.edits.staged.count == 2)
        #expect(editor.status.text.hasPrefix("Staged: "))
        try press(&editor, &files, "u")
        #expect(files.edits.staged.count == 1)
        try press(&editor, &files, "U")
        #expect(files.edits.staged.count == 2)
        try press(&editor, &files, "u u")
        #expect(editor.status.text.hasPrefix("There is nothing to undo here"))
        #expect(editor.scene.draft.steps.isEmpty)
    }

    /// Of a row its difference, and of a button that of all the changes that it is for.
    @Test func theDifferenceIsShownAlone() throws {
        var (editor, files) = try page()
        try press(&editor, &files, "v")
        #expect(editor.status.isRefusal && editor.title == "Commit")
        try press(&editor, &files, "Down v")
        #expect(editor.title == "Difference" && editor.draw().lines[1] == "▸ Larger Text  display.larger")
        #expect(!editor.draw().lines.contains { $0.contains("Theme") })
        try press(&editor, &files, "v")
        try step(&editor, &files, .focus(.named("stage all")))
        try press(&editor, &files, "v")
        #expect(editor.draw().lines.contains("  -Light") && editor.draw().lines.contains("  +Dark"))
    }

    /// Space again and again stages one change after another. The focus never comes to a button by itself.
    @Test func theNextRowTakesThePlaceOfOneThatIsStaged() throws {
        var (editor, files) = try page()
        let first = files.files
        try press(&editor, &files, "Down")
        let unstaged = files.edits.unstaged
        for (number, change) in unstaged.enumerated() {
            #expect(editor.row?.id == FileChangeRow(change, isStaged: false).id)
            try press(&editor, &files, "Space")
            #expect(files.edits.unstaged.count == unstaged.count - number - 1)
        }
        #expect(editor.row is BrokenFileRow)
        // The last one of the staged changes leaves the one above it.
        let staged = files.edits.staged
        try step(&editor, &files, .focus(FileChangeRow(staged[staged.count - 1], isStaged: true).id))
        try press(&editor, &files, "Space")
        #expect(editor.row?.id == FileChangeRow(staged[staged.count - 2], isStaged: true).id)
        try press(&editor, &files, "u")
        #expect(files.edits.unstaged.isEmpty)
        try step(&editor, &files, .focus(FileChangeRow(staged[0], isStaged: true).id))
        // Git may unstage it as well.
        files.index = files.recorded
        _ = editor.step(.fileEdits(files.edits))
        #expect(editor.row is FileChangeRow)
        for _ in 0..<4 { try press(&editor, &files, "u u Enter Space") }
        try step(&editor, &files, .focus(.named("stage all")))
        try press(&editor, &files, "Enter")
        #expect(!(editor.row is ButtonRow) && files.edits.unstaged.isEmpty)
        #expect(files.files == first && files.discarded.isEmpty)
    }

    /// In plain mode, numbers are those of the list that was printed last, wherever the rows are by then.
    @Test func numbersAreThoseOfTheLastList() throws {
        var (editor, files) = try page()
        editor.becomePlain(true)
        editor.list()
        func take(_ line: String) throws {
            for event in editor.events(for: PlainCommand(line)) { try step(&editor, &files, event) }
        }
        let first = files.files
        let numbers = 2..<2 + files.edits.unstaged.count
        for number in numbers {
            let title = files.edits.unstaged.first?.title.string ?? ""
            try take("stage \(number)")
            #expect(editor.status.text.hasPrefix("Staged: "), "\(title): \(editor.status.text)")
        }
        #expect(files.edits.unstaged.isEmpty)
        try take("stage 2")
        #expect(editor.status.text.hasSuffix(" is already staged"))
        try take("discard 2")
        #expect(editor.status.isRefusal)
        // Stage All is gone, and Discard All cannot be staged.
        try take("stage \(numbers.upperBound)")
        #expect(
            editor.status.text == "Row \(numbers.upperBound) is no longer on the page; an empty line lists the rows again")
        for verb in ["stage", "unstage", "discard"] {
            try take("\(verb) \(numbers.upperBound + 1)")
            #expect(editor.status.isRefusal)
        }
        try take("unstage 2")
        #expect(files.edits.unstaged.count == 1)
        #expect(files.files == first && files.discarded.isEmpty)
    }

    @Test func whatIsDiscardedComesBack() throws {
        var (editor, files) = try page()
        let first = files.files
        try press(&editor, &files, "Down Del Del")
        #expect(files.files != first && files.discarded.count == 2)
        try press(&editor, &files, "u u")
        #expect(files.files == first)
        try press(&editor, &files, "d")
        #expect(files.files == first && editor.status.isRefusal)
        // What is staged is not discarded.
        try step(&editor, &files, .focus(.fileChange(.option(try Key("display.brightness")), .value, isStaged: true)))
        try press(&editor, &files, "Del")
        #expect(files.files == first && editor.status.isRefusal)
    }

    @Test func doneRecordsWhatIsStagedWithItsReason() throws {
        var (editor, files) = try page()
        #expect(editor.press("c").allSatisfy { if case .reasons = $0 { true } else { false } })
        #expect(editor.title == "Done" && editor.focused == "Done")
        // A letter goes to the reason, and Space records nothing.
        #expect(editor.press("Space").isEmpty)
        _ = editor.press("'scope change' Enter Ctrl-U 'brighter' Enter")
        try step(&editor, &files, .focus(.named("why")))
        _ = editor.press("Enter Ctrl-U 'brighter' Enter")
        let effects = editor.press("Enter")
        guard case .files(let work)? = effects.first, case .record(let changes, let sheet) = work.act else {
            Issue.record("not recorded: \(effects)")
            return
        }
        #expect(changes == files.edits.staged && sheet.why == "brighter")
        _ = editor.step(try files.perform(work))
        #expect(files.recorded == files.index && editor.scene.sheet == Sheet() && editor.title == "Commit")
        try press(&editor, &files, "c")
        #expect(editor.status.text == "Stage a change first, with Space")
    }

    @Test func aRequiredReasonIsAskedFor() throws {
        var (editor, files) = try page()
        var settings = try Office.settings
        settings.definition?.policy.why = .required
        _ = editor.step(.loaded(Loaded(settings)))
        try press(&editor, &files, "c")
        #expect(editor.focused == "Why" && editor.typing != nil)
        #expect(try files.recorded == Office.settings)
    }

    @Test func aDigitIsTypedWhereOneCanBe() throws {
        var editor = try Office.editor(at: "general.inner.count")
        editor.press("2")
        #expect(editor.typing?.field.text == "2" && editor.title == "Settings")
        editor.press("Enter")
        #expect(try editor.value("general.inner.count") == .number(2))
    }

    /// Whatever is pressed, nothing is recorded without Done, and as many undos give the first state back.
    @Test(arguments: 0..<30)
    func anyKeys(seed: Int) throws {
        var random = Seeded(UInt64(seed))
        var (editor, files) = try page(columns: random.pick([20, 40, 80]), rows: random.pick([5, 10, 24]))
        let first = files
        let keys: [Keystroke] = KeyTable.bindings.flatMap { $0.bindings.flatMap(\.keys) } + "2xé".map { .character($0) }
        for _ in 0..<150 {
            let event: Event =
                switch random.int(20) {
                case 0: .resize(Grid.Size(columns: random.pick([5, 20, 80]), rows: random.pick([3, 5, 10, 24])))
                case 1...4: .key(.character(" "))
                case 5...6: .key(.delete)
                case 7...10: .key(.down)
                case 11: .fileEdits(files.edits)
                default: .key(random.pick(keys))
                }
            let isOnPage = editor.visit.page is DonePage && event.records
            for effect in editor.step(event) {
                guard case .files(let work) = effect else { continue }
                if case .record = work.act {
                    #expect(isOnPage, "seed \(seed): \(event)")
                    continue
                }
                _ = editor.step(try files.perform(work))
            }
            #expect(files.recorded == first.recorded)
            if editor.visit.rows.contains(where: \.isFocusable) { #expect(editor.row != nil, "seed \(seed): \(event)") }
            let lines = editor.draw().lines.joined()
            #expect(!lines.contains("correct horse") && !lines.contains("hunter2"), "seed \(seed): a masked text is shown")
        }
        if !(editor.visit.page is CommitPage) { try step(&editor, &files, .act(.commit)) }
        for _ in 0..<editor.scene.files.done.count {
            for case .files(let work) in editor.step(.act(.undo)) { _ = editor.step(try files.perform(work)) }
        }
        #expect(editor.scene.files.done.isEmpty, "seed \(seed)")
        #expect(files.index == first.index && files.files == first.files, "seed \(seed)")
    }

    // MARK: Questions

    private func version(_ name: String, _ why: String) throws -> Version {
        let time = Time(seconds: 1_795_000_000, offset: 0)
        let person = Person(name: name, email: "\(name)@example.org")
        var message = VersionMessage(subject: "s")
        message.why = why
        return Version(
            id: VersionID(high: UInt64(name.utf8.count), middle: 0, low: 0), parents: [], author: person, committer: person,
            time: time, message: message)
    }

    private func questions() throws -> OpenQuestions {
        let settings = try Office.settings
        func question(_ key: String, _ ours: JSON, _ theirs: JSON) throws -> OpenQuestion {
            let subject = Subject.option(try Key(key))
            func content(_ value: JSON) -> Change.Content? {
                var option = settings[subject]?.option
                option?.value = value
                return option.flatMap { SettingsContent.Item.option($0).facets[.value] }
            }
            let option = try #require(settings[subject]?.option)
            return OpenQuestion(
                Conflict(
                    subject, title: option.title, facet: .value, base: content(option.value ?? .null), ours: content(ours),
                    theirs: content(theirs)),
                origin: ConflictOrigin(ours: try version("Bob", "too dark"), theirs: try version("Carol", "easier at night")),
                merge: try version("Ann", ""), inForce: content(option.value ?? .null))
        }
        return OpenQuestions(
            [try question("display.theme", "dark", "auto"), try question("display.brightness", .number(60), .number(70))],
            texts: [])
    }

    private func asked(columns: Int = 80, rows: Int = 24, ascii isASCII: Bool = false) throws -> Editor {
        var editor = try Office.editor(columns: columns, rows: rows, ascii: isASCII)
        _ = editor.step(.questions(try questions()))
        editor.press("g")
        return editor
    }

    @Test func aSideIsChosenAndTakenBack() throws {
        var editor = try asked()
        #expect(editor.focused == "2 conflicts are open")
        editor.press("Enter Enter Down Space")
        #expect(try editor.value("display.theme") == "auto")
        #expect(editor.changes == ["Theme: Light → Auto"])
        #expect(editor.scene.settled.map(\.pick) == [.theirs])
        editor.press("u")
        #expect(editor.scene.settled.isEmpty && editor.scene.draft.isEmpty)
        editor.press("U Left")
        #expect(editor.row?.mark(in: editor.scene) == "✓")
        // What it was already settles the question as well.
        editor.press("Down Enter Down Down Enter c")
        #expect(editor.title == "Done" && editor.scene.recordableCount == 2)
        #expect(editor.scene.settled.map(\.pick) == [.theirs, .before])
        // It is kept with the draft.
        let kept = try #require(KeptDraft(file: KeptDraft(editor.scene.draft, editor.scene.sheet).file))
        var draft = kept.draft
        draft.move(to: try Office.settings)
        #expect(draft.answers == editor.scene.draft.answers)
        #expect(draft.content == editor.scene.content)
        let isRecorded = editor.press("Enter").contains { if case .record = $0 { true } else { false } }
        #expect(isRecorded)
    }

    @Test func anOptionWithAQuestionIsMarkedAndLeadsToIt() throws {
        var editor = try Office.editor(at: "display.theme")
        _ = editor.step(.questions(try questions()))
        func mark() -> String? { editor.row?.mark(in: editor.scene) }
        #expect(mark() == "?")
        #expect(editor.row?.sentence(in: editor.scene) == "Theme: Light (open conflict)")
        #expect(editor.row?.hint(in: editor.scene) == "Theme: a merge left a conflict open, Dark or Auto; i shows it")
        editor.press("i")
        #expect(editor.visit.rows.contains { $0 is QuestionRow })
        while !(editor.row is QuestionRow) { editor.press("Down") }
        editor.press("Enter Space Left Left")
        #expect(try editor.focused == "Theme" && editor.value("display.theme") == "dark")
        #expect(mark() == "•")
        editor.press("u")
        #expect(mark() == "?")
    }

    @Test func anotherValueThanTheChosenSideIsAnOrdinaryChange() throws {
        var editor = try asked()
        editor.press("Enter Enter Down Enter Esc")
        var option = try #require(editor.scene.content.options[try Key("display.theme")])
        option.value = "dark"
        editor.answer(.edit([(.option(try Key("display.theme")), .option(option))]))
        #expect(editor.scene.settled.isEmpty && editor.changes == ["Theme: Light → Dark"])
    }

    // MARK: Screens

    @Test(arguments: [(80, 24), (40, 10), (20, 5), (200, 60)], [false, true])
    func screens(size: (Int, Int), ascii isASCII: Bool) throws {
        let (columns, rows) = size
        var text = ""
        func add(_ name: String, _ editor: Editor) {
            let grid = editor.draw()
            if isASCII { #expect(grid.lines.joined().utf8.allSatisfy { $0 < 128 }, "\(name)") }
            text += "== \(name)\n" + ScreenTests.picture(grid, looks: false)
        }
        var (editor, files) = try page(columns: columns, rows: rows, ascii: isASCII)
        add("commit", editor)
        try press(&editor, &files, "Down Space")
        add("staged", editor)
        try press(&editor, &files, "g Down Down Del")
        add("discarded", editor)
        try press(&editor, &files, "G")
        add("end", editor)
        var asked = try asked(columns: columns, rows: rows, ascii: isASCII)
        add("first", asked)
        asked.press("Enter")
        add("questions", asked)
        asked.press("Enter Down Space")
        add("question", asked)
        asked.press("Left")
        add("chosen", asked)
        try ScreenTests.compare(text, with: "commit-\(columns)x\(rows)", ascii: isASCII)
    }
}
