import ArgumentParser
import Files
import SettingsModel
import SettingsStore
import SettingsText

struct CloneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone",
        abstract: "Clone a store from a URL, a path or a bundle.",
        discussion: """
            The history is checked before any of it is used, no hook or program of the
            repository is run, and git is configured to merge the settings by meaning. If
            the clone fails, no folder is left.

              settings clone git@example.org:shop.git
              settings clone /mnt/team/shop.git shop --branch main
              settings clone backup/shop.bundle
              settings clone --bare shop /mnt/team/shop.git
            """)

    @Argument(help: ArgumentHelp("A URL, a path or a bundle.", valueName: "url"), completion: .file()) var url: String
    @Argument(help: "The new folder (default: the last part of the URL, without .git or .bundle).", completion: .directory)
    var path: String?

    @Option(name: .shortAndLong, parsing: .unconditional, help: "The branch (default: the one checked out there).")
    var branch: String?
    @Flag(name: .long, help: "Make a bare repository, to which others can push.") var bare = false

    @OptionGroup var network: NetworkOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let environment = context.environment
        let target = environment.absolute(path ?? name)
        var wish = CloneWish(
            url: url, path: target, branch: branch, isBare: bare, program: Program.command(environment),
            folder: environment.folder, environment.clock)
        let identity = environment.identity { Store.userConfigured($0) }
        let signatures = SignatureConfiguration(
            environment: environment, configured: { Store.userConfigured($0) }, userConfigured: { Store.userConfigured($0) })
        wish.signatures = try signatures.required
        let time = try identity.time("GIT_COMMITTER_DATE")
        let done = Done(
            author: try identity.author, authorTime: time, committer: try identity.committer, time: time, via: "cli")
        let cloned = try context.interruptibly { try Store.clone(wish, by: try network.program(context), done) }
        try context.output.print(
            json.json,
            context.reports.cloned(
                cloned.version, into: target, branch: cloned.branch, isBare: bare, stores: cloned.stores),
            Phrases.cloned(cloned.version, into: target, stores: bare ? [] : cloned.stores))
    }

    /// As git makes a folder's name of a URL.
    private var name: String {
        var text = url[...]
        while text.hasSuffix("/") { text = text.dropLast() }
        if text.hasSuffix("/.git") { text = text.dropLast(5) }
        var name = text.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? "store"
        for ending in [".git", ".bundle"] where name.hasSuffix(ending) && name.count > ending.count {
            name = String(name.dropLast(ending.count))
        }
        return bare ? name + ".git" : name
    }
}
