import Foundation
import Testing

/// Values whose kind changes in a tracked file, and members that come and go: what comes back is what the file had.
@Suite struct TrackKindTests {
    /// A second line of a unit makes a list of a text: as a text, it would be written as one item by whatever writes it next.
    @Test func aTextThatBecomesAListIsData() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("[Timer]\nOnCalendar=a\nPersistent=true\n", "b.timer", home)
        let log = try home.run(
            """
            : && settings track b.timer --into t -q && git switch -qc f && settings set t.Timer.Persistent off -q
            git switch -q -; sed -i 's/^OnCalendar=a/&\\nOnCalendar=b/' b.timer; settings done -q -m two
            settings get t.Timer.OnCalendar; settings merge -q f; tr '\\n' ' ' <b.timer; echo
            settings set t.Timer.OnCalendar '"x"' -q; tr '\\n' ' ' <b.timer; echo; settings undo -q; tr '\\n' ' ' <b.timer; echo
            settings verify -q; git status --porcelain
            """)
        let both = "[Timer] OnCalendar=a OnCalendar=b Persistent=false "
        #expect(log == [#"["a","b"]"#, both, "[Timer] OnCalendar=x Persistent=false ", both])
    }

    @Test(arguments: [
        ("s.yaml", "s: a\n", "s: [1, 2]\n", "s"), ("s.toml", "s = 'a'\n", "s = [1, 2]\n", "s"),
        ("s.ini", "[g]\ns = a\nt = 1\n", "[g]\ns =\n  a\n  b\nt = 1\n", "g.s"),
    ]) func theListComesBackWithAnUndo(name: String, text: String, list: String, key: String) throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write(text, name, home)
        #expect(try home.run("settings track \(name) --into t -q") == [])
        try TrackTests.write(list, name, home)
        #expect(try home.run("settings done -q; settings unset t.\(key) -q; settings undo -q; cat \(name)") == list.lines)
        #expect(
            try home.run("settings undo 1 -q; cat \(name); settings show t.\(key) | grep type") == text.lines + ["type    text"])
    }

    /// A member that somebody spells otherwise stays the same option.
    @Test func aMemberThatIsSpelledOtherwiseIsTheSameOption() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("omit=dev\nport=1\n", ".npmrc", home)
        let log = try home.run(
            """
            : && settings track .npmrc --into n -q
            sed -i 's/^omit=/omit[]=/; s/^port/Port/' .npmrc; settings done -q -m two; settings get n.omit n.port
            settings undo -q; cat .npmrc; settings redo -q; cat .npmrc
            settings verify -q; git status --porcelain
            """)
        #expect(log == [#"["dev"]"#, "1", "omit=dev", "port=1", "omit[]=dev", "Port=1"])
    }

    /// What plain git made of a file that is not tracked stays where that is undone or redone.
    @Test(arguments: ["port=2", "Port=2", ""]) func aFileThatWasChangedMeanwhileIsNotOverwritten(line: String) throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("omit=dev\nport=1\n", ".npmrc", home)
        let log = try home.run(
            """
            : && git add .npmrc; git commit -qm npm; settings track .npmrc --into n -q; settings undo -q
            sed -i 's/^omit/tag=x\\nomit/' .npmrc; git commit -qam tag; settings redo -q; settings set n.port 8 -q; cat .npmrc
            settings undo 2 -q; sed -i 's/^port=.*/\(line)/' .npmrc; git commit -qam npm; head=$(git rev-parse HEAD)
            settings redo 2>&1; echo $?; test $head = $(git rev-parse HEAD); git status --porcelain; cat .npmrc
            """)
        #expect(
            log == ["tag=x", "omit=dev", "port=8"] + [
                "settings: .npmrc has been changed since it was last tracked: its n.port would be overwritten",
                "hint: 'settings track .npmrc' tracks it as it is now", "2", "tag=x", "omit=dev", line,
            ], "\(log)")
    }

    /// Where the member that has the name of an option is still there, another one is an option beside it.
    @Test func aMemberThatDiffersInCaseIsAnotherOption() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("port: 1\n", "s.yaml", home)
        let log = try home.run(
            """
            : && settings track s.yaml --into t -q
            sed -i '1iPort: 2' s.yaml; settings done -q -m two; other=$(settings list t | grep -o 't.Port-[^ ]*')
            settings set t.port 3 -q; settings set $other 4 -q; cat s.yaml; settings verify -q
            settings undo 3 -q; cat s.yaml; git status --porcelain
            """)
        #expect(log == ["Port: 4", "port: 3", "port: 1"])
    }

    /// What the file did not have is not there after an undo, rather than `null` or empty.
    @Test(arguments: [
        ("s.yaml", "a: 1\nb: 2\n", "a: 1\n"), ("s.toml", "a = 1\nb = 2\n", "a = 1\n"),
        ("s.ini", "[g]\na = 1\nb = 2\n", "[g]\na = 1\n"),
    ]) func aMemberThatWasMissingIsMissingAgain(name: String, text: String, less: String) throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write(text, name, home)
        #expect(try home.run("settings track \(name) --into t -q") == [])
        try TrackTests.write(less, name, home)
        #expect(
            try home.run(
                """
                settings done -q; key=$(settings list t --json | grep -o 't[.g]*[.]b'); settings set $key 5 -q; grep -c 5 \(name)
                settings undo -q; cat \(name)
                """
            )
                == ["1"] + less.lines)
    }

    /// Over several versions, and of what readers disagree about.
    @Test func restoredValuesAreSpelledAsTheyWere() throws {
        let home = try TrackTests.office(tracking: false)
        let text = "m: 0644\nt: 12:30\nq: hunter2   # note\n"
        try TrackTests.write(text, "a.yaml", home)
        #expect(
            try home.run(
                """
                : && settings track a.yaml --into z -q && settings set z.m 493 z.t 800 -q && settings set z.q other -q
                settings restore z -q --from HEAD~2; cat a.yaml
                """) == text.lines)
    }

    /// Two files of one group: an option is a member of one of them.
    @Test func aSecondFileWithTheSameMembersIsRefused() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("[user]\n\tname = Ada\n", "a.gitconfig", home)
        try TrackTests.write("[user]\nname=Other\n", "x.ini", home)
        #expect(
            try home.run(
                "settings track a.gitconfig -q; settings track x.ini 2>&1; echo $?; cat a.gitconfig; git status --porcelain") == [
                    "settings: user.name is a member of a.gitconfig and of x.ini", "hint: track one of them with --into GROUP",
                    "2", "[user]", "\tname = Ada", "?? x.ini",
                ])
    }

    /// Also where other members are in both: what the second file brings is its own.
    @Test func theSecondFileOfAGroupKeepsItsMembers() throws {
        let home = try TrackTests.office(tracking: false)
        let service = "[Unit]\nDescription=x\n\n[Service]\nA=1\n"
        try TrackTests.write(service, "b.service", home)
        try TrackTests.write("[Unit]\nDescription=x\n\n[Timer]\nB=1\n", "b.timer", home)
        #expect(
            try home.run("settings track b.service --into u -q; settings track b.timer --into u -q; cat b.service")
                == service.components(separatedBy: "\n").dropLast())
        #expect(
            try home.run(
                "settings set u.Timer.B 2 u.Unit.Description y -q; grep -h '=[2y]' b.service b.timer; git status --porcelain"
            )
                == ["Description=y", "Description=y", "B=2"])
    }

    /// An undo of the version that tracked a file outside, in a store with other options, too.
    @Test func aFileOutsideIsNotEmptied() throws {
        let home = try TrackTests.office(tracking: false)
        let text = "# mine\nport: 80  # the port\nname: x\n"
        try TrackTests.write(text, "../b.yaml", home)
        #expect(
            try home.run(
                "settings add a --title A --number 1 -q; settings track ~/b.yaml -q; settings undo -q 2> /dev/null; cat ~/b.yaml")
                == text.lines)
        #expect(
            try home.run("settings redo -q; settings set port 81 -q; cat ~/b.yaml")
                == text.replacingOccurrences(of: "80", with: "81").lines)
        #expect(
            try home.run("settings remove port name -q 2> /dev/null; grep -c port ~/b.yaml; settings untrack ~/b.yaml -q") == [
                "1"
            ])
    }

    @Test func aFileIsNoOption() throws {
        let home = try TrackTests.office()
        for words in ["done config/app.yaml", "diff ./config/app.yaml", "list app.yaml"] {
            #expect(
                try home.run("settings \(words) 2>&1 | head -1")[0].hasSuffix("is a tracked file, not an option or a group"),
                "\(words)")
        }
        #expect(
            try home.run("settings import config/app.yaml --into other 2>&1 | head -1") == [
                "settings: config/app.yaml is already tracked, for the whole store"
            ])
    }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}
