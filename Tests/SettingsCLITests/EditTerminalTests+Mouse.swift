import Foundation
import Testing

/// What a click does at a terminal.
extension EditTerminalTests {
    /// A press and a release, in the older form and in the newer one.
    @Test func aClickChoosesARow() throws {
        for (variables, click) in [
            ("TERM=screen", "\u{1B}[M *%\u{1B}[M#*%"), ("TERM=xterm-256color", "\u{1B}[<0;10;5M\u{1B}[<0;10;5m"),
        ] {
            let tmux = try start(variables)
            try tmux.press("Enter")
            try tmux.wait(for: "▸ Theme")
            try tmux.send(click)
            try tmux.wait(for: "▸ Device Name")
            try tmux.send(click)
            try tmux.wait(for: "Enter accepts")
        }
    }

    /// A button that is let go, and one that does nothing, are no reason to wait for a key: what others record is still shown.
    @Test(arguments: ["\u{1B}[<0;10;5m", "\u{1B}[<2;10;5M", "\u{1B}[<1;10;5m"])
    func aReleaseKeepsNothingWaiting(_ event: String) throws {
        let tmux = try start("TERM=xterm-256color")
        try tmux.press("Enter")
        try tmux.wait(for: "▸ Theme")
        try tmux.send("\u{1B}[<0;10;5M")
        try tmux.wait(for: "▸ Device Name")
        try tmux.send(event)
        Thread.sleep(forTimeInterval: 0.3)
        #expect(try tmux.home.run("settings set -q display.brightness 80") == [])
        try tmux.wait(for: "80", without: "does nothing here")
    }
}
