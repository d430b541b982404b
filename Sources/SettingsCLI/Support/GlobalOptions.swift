import ArgumentParser

/// The options of every command.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            """
            The store's folder (default: $SETTINGS_STORE, the nearest store at or above the current folder, the one that git's \
            configuration names as settings.store, or the only one in the repository).
            """, valueName: "path", visibility: Help.visibilityOfListedOptions),
        completion: .directory)
    var store: String?

    @Flag(
        name: .long,
        help: ArgumentHelp("Use your personal store, in your data folder.", visibility: Help.visibilityOfListedOptions))
    var user = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "When to use color: auto, always or never.", valueName: "when", visibility: Help.visibilityOfListedOptions))
    var color: Output.Colour = .auto

    @Flag(
        name: [.short, .long],
        help: ArgumentHelp("Print nothing but the requested output.", visibility: Help.visibilityOfListedOptions))
    var quiet = false

    @Flag(name: .long, help: ArgumentHelp("Do not use a pager.", visibility: Help.visibilityOfListedOptions))
    var noPager = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            """
            How times are written, as in git log: iso, relative, local, short, rfc, human, raw, unix, default or \
            format:STRFTIME (default: git's log.date; otherwise the time of day at a terminal, and iso in pipes and files).
            """, valueName: "format", visibility: Help.visibilityOfListedOptions),
        completion: .list(["iso", "relative", "local", "short", "rfc", "human", "raw", "unix", "default", "format:"]))
    var date: String?

    var request: GlobalRequest {
        GlobalRequest(store: store, user: user, color: color, quiet: quiet, noPager: noPager, date: date)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }
}

extension Context {
    init(_ options: GlobalOptions, reveal: Bool = false) { self.init(options.request, reveal: reveal) }
}

extension Output.Colour: ExpressibleByArgument {}

struct JSONOption: ParsableArguments {
    @Flag(name: .long, help: "Print JSON.")
    var json = false
}

/// The option of commands that print many things.
struct LinesOption: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Print JSON, one version or event per line.", visibility: Help.visibilityOfListedOptions))
    var jsonl = false
}

/// The option of commands that may show masked texts.
struct RevealOption: ParsableArguments {
    @Flag(name: .long, help: "Show masked text in the clear.")
    var reveal = false
}
