import SettingsCLI
import SettingsPages
import SettingsTUI

/// Pages at a terminal.
struct Terminal: PageInterface {
    var keys: [String] { KeyTable.lines }

    func run(_ request: PageRequest) throws -> PageOutcome {
        let way = FrontEnds.Way(
            script: request.script, isPlain: request.isPlain, isColoured: request.isColoured, isTerminal: request.isTerminal,
            sheet: Sheet(confirm: request.confirm ?? ""), isBrowser: request.isBrowser)
        let outside = Outside(
            done: request.done, edit: request.edit, notices: request.notices, waits: request.waits)
        do {
            let (ending, failure) = try FrontEnds.run(
                request.session, at: request.place, phrases: request.phrases, outside, way)
            switch ending {
            case .empty, .discarded: return PageOutcome(failure: failure)
            case .kept(let count): return PageOutcome(kept: count, failure: failure)
            case .lost(let count): return PageOutcome(kept: count, isLost: true, failure: failure)
            case .cutOff(let count): return PageOutcome(kept: count, isCutOff: true, failure: failure)
            }
        } catch let failure as Script.Failure {
            throw PageScriptFailure(failure.description, isInvalid: failure.isInvalid)
        }
    }
}
