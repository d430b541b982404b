import SettingsPages

/// Pages on a terminal's screen. This thread owns it: keys, signals and the store are waited for in one place.
final class ScreenFrontEnd {
    private let pages: Pages
    private let screen: Screen

    init(_ pages: Pages, _ screen: Screen) {
        self.pages = pages
        self.screen = screen
    }

    /// After so long without a key there is time for what a key would otherwise wait for.
    private static let pause = Duration.milliseconds(300)

    func run() -> Effect.Ending {
        pages.lend = { [screen] work in screen.lend(work) }
        pages.suspend = { [screen, pages] in
            screen.stop()
            pages.send(.resize(screen.size))
        }
        pages.redraw = { [screen] in screen.forget() }
        pages.takesKeysMeanwhile = true
        pages.send(.resize(screen.size))
        screen.draw(pages.editor.draw())
        pages.offerKept()
        screen.draw(pages.editor.draw())
        var isIdle = false
        while pages.ending == nil {
            // A history is read on while nobody presses a key.
            let patience = pages.isBusy ? .zero : isIdle ? pages.patience : min(Self.pause, pages.patience)
            let ready = screen.wait(patience, pages.descriptors)
            if ready.contains(.end) {
                // A text that is half typed is kept like everything else.
                if pages.editor.typing != nil { pages.send(.key(.control("c"))) }
                break
            }
            if ready.contains(.size) { pages.send(.resize(screen.size)) }
            if ready.contains(.suspend) {
                screen.stop()
                pages.send(.resize(screen.size))
            }
            if ready.contains(.keys) { readKeys() }
            var isOther = pages.ending == nil && pages.lookIfDue()
            // There may be questions now that were not open before.
            if isOther { isIdle = false }
            if ready.isEmpty, pages.isBusy {
                pages.work()
                isOther = true
            } else {
                if ready.isEmpty, !isIdle {
                    pages.send(.idle)
                    isOther = true
                }
                isIdle = ready.isEmpty || isIdle && ready == .other
            }
            if pages.ending == nil, isOther || !ready.subtracting(.other).isEmpty { screen.draw(pages.editor.draw()) }
            if pages.keepDraft() { screen.draw(pages.editor.draw()) }
        }
        let ending = pages.end()
        screen.close()
        return ending
    }

    private func readKeys() {
        while pages.ending == nil, let event = screen.event() { pages.send(event) }
    }
}
