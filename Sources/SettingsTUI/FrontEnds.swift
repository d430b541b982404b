package import SettingsModel
package import SettingsPages
package import SettingsStore
package import SettingsText

/// Which front end shows the pages.
package enum FrontEnds {
    /// How the pages are shown, and by what they are used.
    package struct Way {
        package var script: [UInt8]?
        package var isPlain: Bool
        package var isColoured: Bool
        package var isTerminal: Bool
        /// What the sheet of every version begins with.
        package var sheet: Sheet
        /// Whether it opens on versions.
        package var isBrowser: Bool

        package init(
            script: [UInt8]?, isPlain: Bool, isColoured: Bool, isTerminal: Bool, sheet: Sheet = Sheet(), isBrowser: Bool = false
        ) {
            self.script = script
            self.isPlain = isPlain
            self.isColoured = isColoured
            self.isTerminal = isTerminal
            self.sheet = sheet
            self.isBrowser = isBrowser
        }
    }

    /// `place`: an option or a group; nil for everything. The failure is that of the first line that could not be done, where
    /// nobody types them.
    package static func run(
        _ session: Session, at place: String?, phrases: Phrases, _ outside: Outside, _ way: Way
    ) throws -> (ending: Effect.Ending, failure: Problem.Kind?) {
        if let script = way.script {
            let pages = try Pages(
                session, at: place, isBrowser: way.isBrowser, phrases: phrases, sheet: way.sheet, outside)
            let running = Script(pages, isPlain: way.isPlain)
            try running.run(String(decoding: script, as: UTF8.self))
            let ending = pages.end()
            if case .lost = ending { return (ending, running.failure) }
            return (pages.ending ?? .empty, running.failure)
        }
        if !way.isPlain, way.isTerminal, let screen = Screen.open(isColoured: way.isColoured) {
            do {
                if way.isBrowser {
                    screen.draw(try Pages.firstVersions(session, at: place, phrases: phrases, size: screen.size, outside))
                } else if let frame = Pages.firstFrame(session, at: place, phrases: phrases, size: screen.size) {
                    screen.draw(frame)
                }
                let pages = try Pages(
                    session, at: place, isBrowser: way.isBrowser, phrases: phrases, size: screen.size, sheet: way.sheet,
                    outside)
                return (ScreenFrontEnd(pages, screen).run(), nil)
            } catch {
                screen.close()
                throw error
            }
        }
        let pages = try Pages(session, at: place, isBrowser: way.isBrowser, phrases: phrases, sheet: way.sheet, outside)
        let frontEnd = PlainFrontEnd(pages, prompts: way.isTerminal)
        let ending = frontEnd.run()
        if let failure = frontEnd.failure { throw Problem.file(.failed(failure)) }
        if way.isBrowser, case .empty = ending, let damage = pages.damage { throw damage }
        // Who types sees at once what was refused.
        return (ending, way.isTerminal ? nil : pages.failure)
    }
}
