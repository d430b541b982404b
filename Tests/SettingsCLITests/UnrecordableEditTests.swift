import Testing

/// Edits by hand that 'done' refuses: no command that they are in the way of advises recording them.
struct UnrecordableEditTests {
    /// On the branch `side`, the volume and the language differ from those on `main`.
    private func home() throws -> Home {
        let home = try Home()
        let script = """
            settings init -q; settings add -q a.v --title V --number 40 --range 0..100
            settings add -q a.l --title L --choice English French German
            git branch side; settings set -q a.v 50 a.l French
            """
        _ = try home.run("{ \(script)\n} 2> /dev/null")
        return home
    }

    private static let commands = [
        "settings set a.v 5", "settings unset a.v", "settings define a.v --title W", "settings remove a.v",
        "settings rename a.v a.w", "settings switch side", "settings undo", "settings revert HEAD",
        "settings restore a.v --from HEAD~1",
    ]

    @Test(
        arguments: commands,
        [
            ("50", "500", #"4:12: "value" is invalid: 500 is above the maximum, 100"#),
            ("50,", ",", "4:12: expected a value, found ','"),
        ])
    func aFileThatCannotBeReadIsFixedOrDiscarded(_ command: String, _ edit: (old: String, new: String, fault: String)) throws {
        let home = try home()
        _ = try home.run(":; sed -i 's/\"value\": \(edit.old)/\"value\": \(edit.new)/' a/v.json")
        #expect(
            try home.run(command) == [
                "settings: a/v.json has unrecorded edits, which would be lost, and which cannot be recorded: "
                    + "a/v.json:\(edit.fault)",
                "hint: fix the file, or drop the edit with 'settings discard a.v'", "[exit status: 2]",
            ])
        #expect(
            try home.run("settings done").prefix(2) == [
                "settings: a/v.json:\(edit.fault)",
                "hint: fix the file, or drop the edit with 'settings discard a.v'; nothing was recorded",
            ])
        #expect(try home.run("settings discard -q a.v; \(command) -q") == [])
    }

    @Test func aMadeFileThatCannotBeReadIsNotRecordedEither() throws {
        let home = try home()
        _ = try home.run(":; echo '{\"title\": \"N\", \"type\": \"nonsense\"}' > a/n.json")
        let lines = try home.run("settings add a.n --title N --switch")
        #expect(lines.dropFirst() == ["hint: fix the file, or drop the edit with 'settings discard a.n'", "[exit status: 2]"])
    }

    /// Programs read "value", which says what it said before.
    @Test(arguments: ["settings set a.l German", "settings label add a.l Arabic", "settings switch side", "settings undo"])
    func anEditOfTheIndexAloneIsDiscarded(_ command: String) throws {
        let home = try home()
        _ = try home.run(#":; sed -i 's/"selected": 1/"selected": 0/' a/l.json"#)
        #expect(
            try home.run(command) == [
                "settings: a/l.json has unrecorded edits, which would be lost, and which cannot be recorded: "
                    + #"a/l.json:4:15: "selected" is 0 (English), but "value" is "french", so French is chosen"#,
                #"hint: editing "selected" alone has no effect: drop the edit with 'settings discard a.l', then try again"#,
                "[exit status: 2]",
            ])
        #expect(try home.run("settings discard -q a.l; \(command) -q") == [])
    }

    @Test(arguments: [
        ("7", "choose a label with 'settings set a.l LABEL'"), ("null", "clear the value with 'settings unset a.l'"),
        ("2", "choose German with 'settings set a.l --index 2'"),
    ])
    func whatWasMeantByTheIndexIsDone(_ index: String, _ advice: String) throws {
        let home = try home()
        _ = try home.run(":; sed -i 's/\"selected\": 1/\"selected\": \(index)/' a/l.json")
        #expect(try home.run("settings done")[1] == "hint: drop the edit with 'settings discard a.l', then \(advice)")
    }

    @Test func whatIsDiscardedIsNamed() throws {
        let home = try home()
        _ = try home.run(#":; sed -i 's/"selected": 1/"selected": 2/' a/l.json"#)
        #expect(
            try home.run("settings discard 2> /dev/null") == [
                "discarded:", #"    a/l.json: "selected" was 2 (German); "value" is still "french""#,
            ])
    }

    /// The last version has it.
    @Test(arguments: ["get a.v", "show a.v", "is a.v 50"]) func aFileThatIsGoneIsBroughtBack(_ command: String) throws {
        let home = try home()
        _ = try home.run(":; rm a/v.json")
        #expect(
            try home.run("settings \(command)") == [
                "settings: there is no option 'a.v': its file, a/v.json, is missing",
                "hint: 'settings discard a.v' brings it back, 'settings done a.v' records that it was removed",
                "[exit status: 66]",
            ])
        #expect(
            try home.run("settings set a.v 3")[1]
                == "hint: see 'settings diff a.v'; 'settings done a.v' records the removal, 'settings discard a.v' brings it back"
        )
        #expect(try home.run("settings discard -q a.v; settings get a.v") == ["50"])
    }
}
