import Testing

/// `settings define` to another type: what was chosen stays chosen where it means something there.
struct ChangedTypeTests {
    @Test(arguments: [
        ("--text yes", "--switch", "true"), ("--text False", "--switch", "false"), ("--text on", "--data 1", "\"on\""),
        ("--text info", "--choice Error Info Debug", "info"), ("--text Info", "--choice e=Error i=Info", "i"),
        ("--text 3", "--number 9", "3"), ("--number 3", "--choice 1 2 3", "3"), ("--number 1", "--switch", "true"),
        ("--number 3", "--text x", "3"), ("--choice true=Yes false=No", "--switch", "true"),
        ("--choice Off On --select On", "--switch", "true"), ("--choice a=4 b=5", "--number 9", "4"),
        ("--choice Error Info --select Info", "--text x", "info"), ("--switch", "--choice true=Yes false=No", "false"),
        ("--switch --on-value an --off-value aus", "--text x", "aus"), ("--data '{\"a\":1}'", "--text x", "x"),
        ("--number 300", "--number 5 --range 0..500", "300"), ("--text 300", "--number 5 --range 0..100", "5"),
    ])
    func keepsTheValue(before: String, after: String, value: String) throws {
        let home = try Home()
        #expect(
            try home.run("settings init -q; settings add a --title A \(before) -q; settings define a \(after) -q; settings get a")
                == [value])
        // The definition that the option has already changes nothing.
        #expect(try home.run("settings define a \(after); settings verify").last == "2 files checked, no problems found")
    }

    @Test func whatFitsNothingIsAskedFor() throws {
        let home = try Home()
        _ = try home.run("settings init -q; settings add a --title A --text what -q")
        let refused = "settings: a: the value what does not fit a "
        func told(_ command: String) throws -> [String] { try home.run("settings define a \(command) 2>&1; echo $?") }
        #expect(try told("--switch") == [refused + "switch", "hint: --unset drops it", "2"])
        #expect(
            try told("--choice A B") == [
                refused + "choice", "hint: give the value to select instead with --select VALUE, or --unset", "2",
            ])
        #expect(try home.run("settings get a") == ["what"])
        #expect(try home.run("settings define a --choice A B --select B -q; settings get a") == ["b"])
        #expect(try home.run("settings define a --switch --unset -q; settings get a 2>&1; echo $?") == ["a is not set", "1"])
        // Nobody chose anything, and nothing is chosen.
        #expect(try home.run("settings define a --choice A B -q; settings get a 2>&1; echo $?") == ["a is not set", "1"])
    }

    @Test func aDefaultStaysWhereItFits() throws {
        let home = try Home()
        _ = try home.run("settings init -q; settings add a --title A --text no --default yes -q; settings define a --switch -q")
        #expect(try home.run("settings get a; settings reset a -q; settings get a") == ["false", "true"])
    }

    @Test func aMaskedTextIsNotShown() throws {
        let home = try Home()
        _ = try home.run("settings init -q; settings add a --title A --text 4711 --masked -q")
        #expect(try home.run("settings define a --switch 2>&1").first == "settings: a: the value •••••• does not fit a switch")
        #expect(
            try home.run("settings define a --number 1; settings get a; settings show HEAD | grep -c 4711 || true").suffix(2) == [
                "1", "0",
            ])
    }
}
