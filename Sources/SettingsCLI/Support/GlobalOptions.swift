import ArgumentParser

/// The options of every command.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "The store's folder (default: $SETTINGS_STORE, or the nearest store at or above the current folder).",
            valueName: "path"),
        completion: .directory)
    var store: String?

    @Flag(name: .long, help: "Use your personal store, in your data folder.")
    var user = false

    @Option(name: .long, help: ArgumentHelp("When to use color: auto, always or never.", valueName: "when"))
    var color: Output.Colour = .auto

    @Flag(name: [.short, .long], help: "Print nothing but the requested output.")
    var quiet = false

    @Flag(name: .long, help: "Do not use a pager.")
    var noPager = false

    var request: GlobalRequest { GlobalRequest(store: store, user: user, color: color, quiet: quiet, noPager: noPager) }

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

/// The option of commands that may show masked texts.
struct RevealOption: ParsableArguments {
    @Flag(name: .long, help: "Show masked texts in clear.")
    var reveal = false
}
