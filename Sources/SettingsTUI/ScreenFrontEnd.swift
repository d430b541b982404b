import SettingsPages

/// Pages on a terminal's screen. This thread owns it: keys, signals and the store are waited for in one place.
final class ScreenFrontEnd {
    private let pages: Pages
    private let screen: Screen

    init(_ pages: Pages, _ screen: Screen) {
        self.pages = pages
        self.screen = screen
    }

    /// How often to look whether somebody recorded something, in milliseconds.
    private static let interval: Int32 = 500

    func run() -> Effect.Ending {
        pages.lend = { [screen] work in screen.lend(work) }
        pages.suspend = { [screen, pages] in
            screen.stop()
            pages.send(.resize(screen.size))
        }
        pages.redraw = { [screen] in screen.forget() }
        pages.send(.resize(screen.size))
        screen.draw(pages.editor.draw())
        pages.offerKept()
        screen.draw(pages.editor.draw())
        var next = ContinuousClock.now + .milliseconds(Int(Self.interval))
        while pages.ending == nil {
            let ready = screen.wait(pages.isBusy ? 0 : Self.interval)
            if ready.contains(.end) { break }
            if ready.contains(.size) { pages.send(.resize(screen.size)) }
            if ready.contains(.suspend) {
                screen.stop()
                pages.send(.resize(screen.size))
            }
            if ready.contains(.keys) { readKeys() }
            var isOther = !ready.isEmpty
            if ContinuousClock.now >= next {
                isOther = pages.look() || isOther
                next = .now + .milliseconds(Int(Self.interval))
            }
            if ready.isEmpty, pages.isBusy {
                pages.work()
                isOther = true
            } else if ready.isEmpty {
                pages.send(.idle)
            }
            if isOther, pages.ending == nil { screen.draw(pages.editor.draw()) }
            pages.settle()
        }
        pages.settle()
        screen.close()
        return pages.ending ?? .kept(pages.editor.scene.draft.changes.count)
    }

    private func readKeys() {
        while pages.ending == nil, let event = screen.event() { pages.send(event) }
    }
}
