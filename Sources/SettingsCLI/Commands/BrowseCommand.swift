import ArgumentParser

struct BrowseCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Browse the history on pages, and restore from it.",
        discussion: """
            This shows the history of the current branch, with branches and tags: all
            versions, or those that changed an option or a group, which may have been
            removed since. Opening a version shows its changes, and the pages as they were
            at that version. What you restore or revert joins the pending changes, as in
            'settings edit'; Done records them as one version. '2' lists edits to the
            files, to stage, record or discard. '?' lists the keys.

              settings browse
              settings browse display.theme
              settings browse --plain     numbered lines, for screen readers and pipes

            '/' searches: words, and filters such as @who:ada, @why:night, @key:theme,
            @ticket:FEAT-12, @became:dark, @since:2d and @until:2026-11-20.
            """)

    @Argument(help: ArgumentHelp("The group or option.", valueName: "key-or-group"), completion: .word(.place))
    var place: String?

    @Flag(name: .long, help: "Use numbered lines instead of a screen.") var plain = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Read keys and commands from a file instead of a terminal.", valueName: "file"), completion: .file())
    var script: String?

    @Flag(name: .long, help: "List the keys of the pages.") var keys = false

    @OptionGroup var reveal: RevealOption
    @OptionGroup var global: GlobalOptions

    var request: EditPagesRequest {
        EditPagesRequest(
            isBrowser: true, place: place, plain: plain, script: script, keys: keys, reveal: reveal.reveal,
            global: global.request)
    }
}
