import Files
import SettingsModel
import SettingsStore
import SettingsText

/// Asks a person why.
struct Asking {
    let context: Context

    init(_ context: Context) { self.context = context }

    func why(subject: String, changes: [Change], inEditor: Bool, session: Session) throws -> String? {
        if inEditor { return try fromEditor(subject: subject, changes: changes, session: session) }
        for line in context.phrases.sentences(changes) { context.output.error(line) }
        let prompt = "Why? "
        ThisProcess.report(prompt)
        guard let line = readLine() else {
            throw Failure(.policy, "no reason was given; nothing was recorded", hint: "add -m 'the reason'")
        }
        return VersionMessage.cleaned(line)
    }

    private func fromEditor(subject: String, changes: [Change], session: Session) throws -> String? {
        var text = "\n# Enter the reason for this change. Lines that begin with # are ignored;\n# an empty reason aborts.\n#\n"
        for line in context.phrases.sentences(changes) { text += "# \(line.rendered(coloured: false))\n" }
        let environment = context.environment
        let editor =
            environment["SETTINGS_EDITOR"] ?? environment["GIT_EDITOR"] ?? session.userConfigured("core.editor")
            ?? environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
        let written = try session.edited(text, in: "WHY") { path in
            guard Child.byShell(editor, [path], ThisProcess.variables)?.wait() == 0 else {
                throw Failure(
                    .policy, "the editor '\(editor)' failed; nothing was recorded",
                    hint: "give the reason with -m, or set GIT_EDITOR")
            }
        }
        let lines = written.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
        guard let why = VersionMessage.cleaned(lines.joined(separator: "\n")) else {
            throw Failure(.policy, "the reason is empty; nothing was recorded")
        }
        return why
    }
}
