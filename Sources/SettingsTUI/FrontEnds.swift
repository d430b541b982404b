package import SettingsPages

/// Which front end shows the pages.
package enum FrontEnds {
    package static func run(
        _ pages: Pages, script: [UInt8]?, isPlain: Bool, isColoured: Bool, isTerminal: Bool
    ) throws -> Effect.Ending {
        if let script {
            let runner = Script(pages, isPlain: isPlain)
            try runner.run(String(decoding: script, as: UTF8.self))
            return pages.ending ?? .empty
        }
        if !isPlain, isTerminal, let screen = Screen.open(isColoured: isColoured) {
            return ScreenFrontEnd(pages, screen).run()
        }
        return PlainFrontEnd(pages, prompts: isTerminal).run()
    }
}
