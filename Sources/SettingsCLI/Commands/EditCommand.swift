import ArgumentParser

struct EditCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit settings on pages.",
        discussion: """
            This opens the first page of the store, the page of a group, or the page that
            shows an option. Changes are collected and recorded as one version by Done,
            which asks for a reason according to the store's policy. Until then, no file is
            changed, and the changes are kept if you leave the pages. '?' lists the keys.

              settings edit
              settings edit display
              settings edit display.theme
              settings edit --confirm 10m
              settings edit --plain     numbered lines, for screen readers and pipes

            Exit status: if the lines come from a pipe or a script, the status of the first
            one that failed: 2 if a conflict is open, 64 for an unknown command, 65 for an
            invalid value, 66 if there is no such row, 77 if a reason is required. A script
            ends with 65 at an unknown command or row, and with 1 at an :expect or :refuse
            that fails; a line whose failure is named by :expect does not count.
            """)

    @Argument(help: ArgumentHelp("The group or option to open.", valueName: "group-or-key"), completion: .word(.place))
    var place: String?

    @Flag(name: .long, help: "Use numbered lines instead of a screen.") var plain = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            """
            Read commands from a file instead of a terminal: the lines of --plain, and :keys \
            Down Enter "text", :paste TEXT, :resize COLUMNS ROWS, :expect TEXT, :refuse TEXT \
            (which fail unless, or if, the screen contains it) and :save-display [FILE].
            """, valueName: "file"), completion: .file())
    var script: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Revert the recorded version after this time (10m, 1h30m) unless it is confirmed.", valueName: "time"))
    var confirm: String?

    @Flag(name: .long, help: "List the keys of the pages.") var keys = false

    @OptionGroup var reveal: RevealOption
    @OptionGroup var global: GlobalOptions

    var request: EditPagesRequest {
        EditPagesRequest(
            place: place, plain: plain, script: script, confirm: confirm, keys: keys, reveal: reveal.reveal,
            global: global.request)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }
}
