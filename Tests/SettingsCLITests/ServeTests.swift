import Foundation
import Surroundings
import Testing

/// How `settings serve` finds the program that serves.
struct ServeTests {
    /// A home with a copy of the program in `bin`, and no other.
    private func home() throws -> Home {
        let home = try Home()
        _ = try home.run("mkdir -p ../bin ../lib/settings && cp \(Surroundings.programs)/settings ../bin/")
        return home
    }

    private let server = "printf '#!/bin/sh\\necho served $SETTINGS_RELEASE \"$0\" \"$@\"\\nexit 7\\n' >"

    @Test func itRunsTheServerBesideItOrWhereAPackageHasIt() throws {
        let home = try home()
        _ = try home.run("\(server) ../lib/settings/settings-serve && chmod +x ../lib/settings/settings-serve")
        let words = "--listen '[::1]:0' --url https://x.example/y -q 'a b' --help"
        let packaged = try home.run("../bin/settings serve \(words)")
        #expect(
            packaged == [
                "served 0.2.0 \(Home.shown)/bin/../lib/settings/settings-serve --listen [::1]:0 --url https://x.example/y -q a b --help",
                "[exit status: 7]",
            ])
        _ = try home.run("\(server) ../bin/settings-serve && chmod +x ../bin/settings-serve")
        #expect(try home.run("../bin/settings serve")[0] == "served 0.2.0 \(Home.shown)/bin/settings-serve")
        for words in ["help serve user", "help 'serve user'", "--help serve user"] {
            #expect(
                try home.run("../bin/settings \(words)")[0] == "served 0.2.0 \(Home.shown)/bin/settings-serve user --help")
        }
        #expect(try home.run("../bin/settings help serve")[0] == "OVERVIEW: Serve a page for changing settings in a browser.")
        #expect(try home.run("../bin/settings help 'remote add'")[0] == "OVERVIEW: Add a remote.")
    }

    @Test func withoutItThatIsSaid() throws {
        let home = try home()
        #expect(
            try home.run("../bin/settings serve -q") == [
                "settings: settings-serve is not installed",
                "hint: 'apt install settings-serve', or 'Scripts/build --server'", "[exit status: 69]",
            ])
        _ = try home.run("touch ../bin/settings-serve")
        #expect(try home.run("../bin/settings serve").last == "[exit status: 69]")
    }
}
