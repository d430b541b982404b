import Files
import SettingsModel
import SettingsStore
import SettingsText

/// Asks a person at a terminal for what the store's policy wants of a version and no option gave.
struct Asking {
    let context: Context

    /// What is asked for, and whether an empty answer will do.
    struct Question: Equatable {
        var demanded: RecordingProblem.Demanded
        var isRequired: Bool
    }

    init(_ context: Context) { self.context = context }

    /// What `policy` wants that `done` doesn't have, in the order of the message.
    static func questions(of policy: StoreDefinition.Policy, for done: Done) -> [Question] {
        let wanted: [(RecordingProblem.Demanded, StoreDefinition.Demand, Bool)] = [
            (.why, policy.why, done.why == nil), (.requestedBy, policy.requestedBy, done.requestedBy.isEmpty),
            (.ticket, policy.ticket, done.tickets.isEmpty),
        ]
        return wanted.compactMap { demanded, demand, isMissing in
            isMissing && demand != .optional ? Question(demanded: demanded, isRequired: demand == .required) : nil
        }
    }

    /// Shows `changes` and adds the answers to `done`.
    /// - Throws: a failure with the status for policies if input ends, which cancels the command.
    func complete(_ done: inout Done, _ questions: [Question], changes: [Change]) throws {
        guard !questions.isEmpty else { return }
        for line in context.phrases.sentences(changes) { context.output.error(line) }
        for question in questions {
            let answer = try answer(to: question)
            switch question.demanded {
            case .why: done.why = answer
            case .requestedBy: done.requestedBy = answer.map { [$0] } ?? []
            case .ticket:
                done.tickets = answer?.split(separator: ",").map { String($0).trimmingSpaces }.filter { !$0.isEmpty } ?? []
            }
        }
    }

    private func answer(to question: Question) throws -> String? {
        let words =
            switch question.demanded {
            case .why: "Why?"
            case .requestedBy: "Requested by?"
            case .ticket: "Ticket?"
            }
        while true {
            ThisProcess.report(question.isRequired ? "\(words) " : "\(words) (Enter for none) ")
            guard let line = readLine() else {
                ThisProcess.report("\n")
                throw Failure(.policy, "canceled; nothing was recorded")
            }
            let answer = question.demanded == .why ? VersionMessage.cleaned(line) : line.trimmingSpaces
            if let answer, !answer.isEmpty { return answer }
            if !question.isRequired { return nil }
            context.output.error(StyledText("the store requires an answer; Ctrl-C cancels", .faint))
        }
    }

    /// The person's editor, never the repository's, looked for as git does. Nil if nothing names one and the terminal shows
    /// nothing but lines.
    static func editor(_ context: Context, _ session: Session) -> String? {
        let environment = context.environment
        if let named = environment["SETTINGS_EDITOR"] ?? environment["GIT_EDITOR"] ?? session.userConfigured("core.editor") {
            return named
        }
        let visual = environment.isDumb ? nil : environment["VISUAL"]
        return visual ?? environment["EDITOR"] ?? (environment.isDumb ? nil : "vi")
    }

    /// The reason, written in the person's editor.
    func reason(for changes: [Change], in session: Session) throws -> String {
        var text = "\n# Enter the reason for this change. Lines that begin with # are ignored;\n# an empty reason aborts.\n#\n"
        for line in context.phrases.sentences(changes) { text += "# \(line.rendered(coloured: false))\n" }
        guard let editor = Self.editor(context, session) else {
            throw Failure(
                .unavailable, "the terminal cannot show an editor, and EDITOR is not set",
                hint: "give the reason with -m, or set EDITOR")
        }
        let written = try session.edited(text, in: "WHY") { path in
            let status = (try? Command(shell: editor, [path], ThisProcess.variables).start())?.wait().status
            // What the shell exits with if it cannot run a program.
            if status == 126 || status == 127 {
                throw Failure(
                    .unavailable, "cannot run the editor '\(editor)'; nothing was recorded",
                    hint: "give the reason with -m, or set GIT_EDITOR")
            }
            guard status == 0 else {
                throw Failure(
                    .policy, "the editor '\(editor)' failed; nothing was recorded",
                    hint: "give the reason with -m, or set GIT_EDITOR")
            }
        }
        let lines = (written ?? "").split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
        guard let why = VersionMessage.cleaned(lines.joined(separator: "\n")) else {
            throw Failure(.policy, "the reason is empty; nothing was recorded", hint: "save it in the editor, or give it with -m")
        }
        return why
    }
}
