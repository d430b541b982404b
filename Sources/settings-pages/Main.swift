import SettingsCLI
import SettingsPages
import SettingsTUI

/// All of `settings`, with the pages that `edit` needs.
@main
enum Main {
    static func main() {
        Program.main(pages: Terminal())
    }
}

/// Pages at a terminal.
private struct Terminal: PageInterface {
    var keys: [String] { KeyTable.lines }

    func run(_ request: PageRequest) throws -> Int {
        let pages = try Pages(
            request.session, at: request.place, phrases: request.phrases, Outside(done: request.done, edit: request.edit))
        let ending = try FrontEnds.run(
            pages, script: request.script, isPlain: request.isPlain, isColoured: request.isColoured,
            isTerminal: request.isTerminal)
        if case .kept(let count) = ending { return count }
        return 0
    }
}
