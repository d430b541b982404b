import Files
import SettingsModel
import SettingsStore
import SettingsText

/// `settings edit [GROUP|KEY]`, and `settings browse`
struct EditPagesRequest: PlainCommand, Equatable {
    /// Whether it is `browse`.
    var isBrowser = false
    var place: String?
    var plain = false
    var script: String?
    /// How long versions wait to be confirmed.
    var confirm: String?
    /// Whether the keys are listed instead.
    var keys = false
    var reveal = false
    var global = GlobalRequest()

    /// The usage error of an invalid word.
    var problem: String? {
        if let confirm, case .failure(let failure) = RecordRequest.span(confirm) { return failure.reason }
        return nil
    }

    func run() throws {
        let pages = Program.pages
        let context = Context(global, reveal: reveal)
        if keys { return try context.output.lines(pages.keys.map { StyledText($0) }) }
        let environment = context.environment
        let reports = PageReports()
        let folder = try context.storeFolder()
        let session = Session(
            folder, by: context.caller(in: folder), now: { environment.presentClock },
            Session.Reporting(notice: { reports.words.append(PageHints.words($0)) }))
        session.formats = Program.interchange.tracked
        session.personalFiles = environment.personalFiles
        let script = try script.map { path throws -> [UInt8] in
            do {
                if ["-", "/dev/stdin"].contains(path) { return try ThisProcess.standardInput(atMost: JSON.sizeLimit) }
                return try FileSystem.input(environment.absolute(path), atMost: JSON.sizeLimit)
            } catch let failure as SystemFailure {
                if failure.isMissing {
                    throw Failure(
                        .missing, "'\(path)' does not exist", hint: "--script names a file of commands; - reads standard input")
                }
                throw Failure(.file(.failed(failure)))
            }
        }
        let isTerminal = environment.isInputTerminal && environment.isOutputTerminal && !environment.isDumb
        var phrases = context.phrases
        phrases.times = environment.times(global.date, isTerminal: true)
        let request = PageRequest(
            session: session, place: place, isBrowser: isBrowser, phrases: phrases, script: script, isPlain: plain,
            confirm: confirm,
            isColoured: environment.isColoured(terminal: true), isTerminal: isTerminal,
            done: { session in
                reports.hasRecorded = true
                var recording = Recording(context: context.now, options: RecordRequest(), json: false)
                recording.via = isBrowser ? "browse" : "edit"
                return try recording.done(in: session)
            },
            edit: { path in
                guard let editor = Asking.editor(context, session) else {
                    return "the terminal cannot show an editor, and EDITOR is not set"
                }
                let isEdited = (try? Command(shell: editor, [path], ThisProcess.variables).start())?.wait().status == 0
                return isEdited ? nil : "the editor '\(editor)' failed"
            },
            notices: {
                defer { reports.words = [] }
                return reports.words
            },
            waits: { session, deadline in
                if !Waiter.start(until: deadline, session) { reports.words.append(Waiter.failure) }
            })
        let outcome: PageOutcome
        do { outcome = try pages.run(request) } catch let failure as Failure { throw failure } catch let problem as Problem {
            context.output.hasRecorded = reports.hasRecorded
            throw problem
        } catch let failure as PageScriptFailure {
            throw Failure(failure.isInvalid ? .badData : .no, failure.reason)
        } catch { throw Failure(.no, "\(error)") }
        if reports.hasRecorded {
            context.noteMissingSetup(session)
            AutomaticUpkeep.startIfDue(session)
        }
        let failure = outcome.failure.map { Failure(ExitStatus($0)) }
        guard outcome.kept > 0 else {
            if let failure { throw failure }
            return
        }
        let words = Phrases.notRecorded(outcome.kept, isLost: outcome.isLost)
        if outcome.isLost { throw Failure(.cannotWrite, words) }
        if failure == nil, outcome.isCutOff {
            throw Failure(.conflict, words, hint: "a second 'done' records the changes that the first one shows")
        }
        context.output.note(words)
        if let failure { throw failure }
    }
}

/// What the store reports while pages are shown.
private final class PageReports {
    var words: [String] = []
    /// Whether a version was to be recorded.
    var hasRecorded = false
}

extension EditPagesRequest {
    init?(plain words: ArraySlice<String>, isBrowser: Bool = false) {
        guard let words = PlainWords(words, flags: ["--plain", "--keys", "--reveal"], values: ["--script", "--confirm"]),
            words.positionals.count <= 1, let global = GlobalRequest(plain: words)
        else { return nil }
        place = words.positionals.first
        self.isBrowser = isBrowser
        plain = words.has("--plain")
        script = words["--script"]
        confirm = words["--confirm"]
        keys = words.has("--keys")
        reveal = words.has("--reveal")
        self.global = global
        if problem != nil { return nil }
    }
}
