import Foundation
import Testing

/// `.mailmap`, as git reads it, tells who somebody is who was recorded with another name or address.
struct MailmapTests {
    /// Two versions by Bobby, one of them for him, and a mailmap that is not recorded.
    private static func home(_ map: String = "Robert Example <robert@example.org> <b@old>") throws -> Home {
        let home = try Home()
        _ = try home.run(
            """
            :; settings init -q; settings add a.v --title V --number 40 -q
            settings set a.v 41 --author 'Bobby <b@old>' -m x -q; settings set a.v 42 --requested-by 'Bobby <b@OLD>' -m y -q
            settings set a.v 43 --author 'Bobby <b@old>' -m z -q; echo '\(map)' > .mailmap
            """)
        return home
    }

    @Test func namesAreThoseOfTheMailmap() throws {
        let home = try Self.home()
        for command in [
            "blame a.v", "show a.v", "show HEAD", "history", "diff --who HEAD~1..", "history --json -n 1", "blame --json",
        ] {
            let lines = try home.run("settings \(command)")
            #expect(lines.contains { $0.contains("Robert Example") }, "\(command): \(lines)")
            #expect(!lines.contains { $0.contains("Bobby") } || command == "history", "\(command): \(lines)")
        }
        #expect(try home.run("settings history --json -n 1 | grep -A3 author | grep -c robert@example.org") == ["1"])
        #expect(try home.run("settings history --author Robert --oneline | wc -l") == ["2"])
        #expect(try home.run("settings history --author Bobby") == ["no version matches"])
        #expect(try home.run("settings history --requested-by robert@ --oneline | wc -l") == ["1"])
        #expect(try home.run("settings history --requested-by Bobby --oneline | wc -l") == ["1"])
        #expect(try home.run("settings history a.v --author Robert --oneline | wc -l") == ["2"])
    }

    @Test func whoeverChangedAddressUndoesTheirOwn() throws {
        let home = try Self.home()
        let own = "export GIT_AUTHOR_NAME=Robert GIT_AUTHOR_EMAIL=robert@example.org"
        #expect(try home.run("(\(own); settings undo -q); settings get a.v") == ["42"])
        #expect(try home.run("git log -1 --format=%ae") == ["robert@example.org"])
        #expect(try home.run("(\(own); settings redo -q); settings get a.v") == ["43"])
        // The old address is the same person, and is recorded as it is.
        let old = "export GIT_AUTHOR_NAME=Bobby GIT_AUTHOR_EMAIL=b@old"
        #expect(try home.run("(\(old); settings undo -q); settings get a.v; git log -1 --format=%ae") == ["42", "b@old"])
        #expect(try home.run("rm .mailmap; (\(own); settings undo -q 2> /dev/null); echo $?") == ["1"])
    }

    /// The lines of gitmailmap(5), and some that are none.
    @Test func linesAreReadAsGitReadsThem() throws {
        let map = """
            # Comment <c@x> <b@old>
            Proper Name <p1@x>
            <new2@x> <p2@x>
            Proper Three <new3@x> <P3@X>
            Four <new4@x> Recorded Four <p4@x>
            Other <new5@x> someone else <p5@x>
            No address
            <> <p6@x>
            Seven <p7@x> behind
            \t Eight   <new8@x>   <p8@x>   # behind
            Nine <new9@x> <p9@x>
            Ninth <p9@x>
            Ten <new10@x> <>
            """
        let home = try Home()
        _ = try home.run(":; settings init -q; settings add a.v --title V --number 0 -q; cat > .mailmap <<'E'\n\(map)\nE\n")
        for number in 1...10 {
            let name = number == 4 ? "recorded FOUR" : "Person \(number)"
            _ = try home.run(":; settings set a.v \(number) --author '\(name) <p\(number)@x>' -q")
        }
        let lines = try home.run(
            """
            git log --format='%aN|%aE' > ../git
            settings history --json | python3 -c "
            import json, sys
            for v in json.load(sys.stdin)['versions']: print(v['author']['name'] + '|' + v['author']['email'])
            " > ../own; cmp ../git ../own; wc -l < ../own; grep -c 'Four|new4@x' ../own
            """)
        #expect(lines == ["12", "1"])
    }

    @Test func otherPlaces() throws {
        let home = try Self.home("nothing")
        let name = "settings history -n 1 | head -1 | grep -o '[A-Z][a-z]*$'"
        _ = try home.run(":; mkdir ../maps; echo 'File <f@x> <b@old>' > ../maps/file; rm .mailmap")
        #expect(try home.run(name) == ["Bobby"])
        #expect(try home.run("git config mailmap.file \"$(cd ../maps; pwd)/file\"; \(name)") == ["File"])
        #expect(
            try home.run(
                """
                git config --unset mailmap.file
                git config mailmap.blob $(echo 'Blob <f@x> <b@old>' | git hash-object -w --stdin); \(name)
                """
            ) == ["Blob"])
        #expect(try home.run("git config --unset mailmap.blob; echo 'Head <f@x> <b@old>' > .mailmap; \(name)") == ["Head"])
        // A bare repository has that of its last version, and a link is not followed.
        _ = try home.run(":; git add -A; git commit -qm map; git clone -q --bare . ../b.git")
        #expect(try home.run("settings blame a.v --store ../b.git | grep -c Head") == ["1"])
        #expect(try home.run("mv .mailmap ../maps/own; ln -s ../maps/own .mailmap; settings blame a.v | grep -c Bobby") == ["1"])
    }

    /// What is broken, enormous or no file says nothing, and does no harm.
    @Test func brokenOnes() throws {
        let home = try Self.home()
        let bobby = "settings blame a.v | grep -c Bobby"
        for script in [
            "head -c 100000 /dev/urandom > .mailmap",
            "yes 'Robert <r@x> <b@old>' 2> /dev/null | head -c 50000000 > .mailmap 2> /dev/null",
            "rm .mailmap; mkfifo .mailmap", "rm .mailmap; mkdir .mailmap", "rmdir .mailmap; git config mailmap.file /dev/zero",
            "git config mailmap.file /; git config mailmap.blob none:none", "git config mailmap.blob HEAD:a",
        ] {
            #expect(try home.run("\(script); \(bobby)") == ["1"], "\(script)")
        }
    }
}
