import SettingsCLI
import SettingsPages
import SettingsTUI

/// All of `settings`, with the pages that `edit` and `browse` need.
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
        let way = FrontEnds.Way(
            script: request.script, isPlain: request.isPlain, isColoured: request.isColoured, isTerminal: request.isTerminal,
            sheet: Sheet(confirm: request.confirm ?? ""), isBrowser: request.isBrowser)
        let ending = try FrontEnds.run(
            request.session, at: request.place, phrases: request.phrases,
            Outside(
                done: request.done, edit: request.edit, notices: request.notices, waits: request.waits,
                clock: request.clock), way)
        if case .kept(let count) = ending { return count }
        return 0
    }
}
