import Testing

/// Bare repositories, which have no files: everything is read from the last version, and nothing is written.
struct BareTests {
    static let questions = [
        "get a.v", "get a.v a.c", "get a.v --at v1", "is a.v 41", "list", "list a", "list --json", "history",
        "history a.v",
        "history --graph --oneline", "show a.v", "show v1", "diff", "diff v1..", "diff --from v1 --who", "blame", "blame a",
        "verify v1..HEAD", "verify --merge v1 HEAD", "conflicts", "tag",
    ]

    /// The answers are those of the clone.
    @Test(arguments: questions) func isReadAsTheCloneIs(_ question: String) throws {
        let home = try Self.home()
        let expected = try home.run("settings \(question)")
        #expect(!expected.isEmpty || question.hasPrefix("is"))
        for place in ["cd ../b.git; settings", "cd ../b.git/refs; settings", "GIT_DIR=b.git; export GIT_DIR; cd ..; settings"] {
            #expect(try home.run(":; \(place) \(question)") == expected)
        }
        #expect(try home.run("settings \(question) --store ../b.git") == expected)
    }

    @Test func nothingIsWrittenThere() throws {
        let home = try Self.home()
        let sum = "(cd ../b.git; find . | sort; find . -type f | sort | xargs md5sum)"
        _ = try home.run(":; \(sum) > ../before")
        for question in Self.questions + ["status", "verify", "status --json"] {
            let lines = try home.run(":; cd ../b.git; settings \(question)")
            #expect(lines.last?.hasPrefix("[exit") != true, "\(question): \(lines)")
        }
        for command in [
            "set a.v 1", "unset a.v", "add q --title Q --switch", "define a.v --title T", "label add a.c X", "rename a.v a.w",
            "remove a.v", "undo", "redo", "revert HEAD", "restore a.v --from v1", "done", "discard", "merge v1", "resolve a.v 1",
            "tag x", "confirm", "edit", "watch", "sync", "maintain", "setup", "doctor", "verify --deep",
        ] {
            let lines = try home.run(":; cd ../b.git; settings \(command)")
            #expect(lines.first?.hasSuffix("b.git is a bare repository and has no files") == true, "\(command): \(lines)")
            #expect(lines.dropFirst() == ["hint: clone it and use the clone", "[exit status: 66]"], "\(command)")
        }
        #expect(try home.run("\(sum) | diff ../before -").isEmpty)
    }

    @Test func statusSaysWhatItIs() throws {
        let home = try Self.home()
        let lines = try home.run("settings status --store ../b.git")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("a bare repository, which has no files, branch main, at ") == true, "\(lines)")
    }

    @Test func storesInFolders() throws {
        let home = try Home()
        _ = try home.run(
            """
            :; git init -q; settings init -q one; settings --store one add x --title X --number 1 -q; git clone -q --bare . ../app.git
            """)
        #expect(
            try home.run(
                """
                settings get x --store ../app.git; settings get x --store ../app.git/one; cd ../app.git; settings get x
                settings blame x | cut -c1-4
                """) == ["1", "1", "1", "x  1"])
        _ = try home.run(
            ":; settings init -q two; settings --store two add y --title Y --number 2 -q; git push -q ../app.git main")
        #expect(try home.run("settings get x --store ../app.git 2>&1 | head -1")[0].contains("several stores"))
        #expect(
            try home.run(
                """
                settings get y --store ../app.git/two; settings get y --store ../app.git/none 2> /dev/null; echo $?
                git -C ../app.git config settings.store two; settings get y --store ../app.git
                """) == ["2", "66", "2"])
        let lines = try home.run("git init -q --bare ../empty.git; settings list --store ../empty.git")
        #expect(lines.first?.contains("there is no store in the last version of") == true, "\(lines)")
        #expect(lines.last == "[exit status: 66]")
    }

    /// A read-only one, and one of somebody else's that `safe.directory` names.
    @Test func othersRepositories() throws {
        let home = try Self.home()
        #expect(try home.run("chmod -R a-w ../b.git; settings get a.v --store ../b.git; chmod -R u+w ../b.git") == ["41"])
        guard try home.run("id -u") == ["0"] else { return }
        let lines = try home.run("chown -R 12345 ../b.git; settings get a.v --store ../b.git")
        #expect(lines.first?.contains("is owned by another user") == true, "\(lines)")
        #expect(
            try home.run("git config --global safe.directory $(cd ../b.git; pwd); settings get a.v --store ../b.git") == ["41"])
    }

    private static func home() throws -> Home {
        let home = try Home()
        _ = try home.run(
            """
            :; settings init -q; settings add a.v --title V --number 40 -q; git tag v1; settings set a.v 41 -q -m loud
            settings add a.c --title C --choice A B -q; git clone -q --bare . ../b.git
            """)
        return home
    }
}
