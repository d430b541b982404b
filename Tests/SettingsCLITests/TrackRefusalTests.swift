import Foundation
import Surroundings
import Testing

/// Entries of `"files"` that can't be followed, and files that can't be tracked.
@Suite struct TrackRefusalTests {
    /// Three tracked files of three groups, and an option that no file has.
    static func office() throws -> Home {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("{\"x\": 1}\n", "config/a.json", home)
        try TrackTests.write("z = 1\n", "config/z.toml", home)
        let script = """
            git add . && git commit -q -m More
            settings track config/app.yaml --into app -q && settings track config/a.json --into other -q
            settings track config/z.toml --into zed -q && settings add free.x --title X --number 1 -q
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        return home
    }

    private static let faults = [
        #"_store.json: "files" names '../config/z.toml' without a "format" that this program supports"#,
        #"_store.json: "files" names '../.git/config', which has a name that is reserved by git or invalid on another system"#,
    ]

    /// One entry that can't be followed is nothing to the others.
    @Test func badEntriesAreNamedBesideAllElse() throws {
        let home = try Self.office()
        let edit = "sed -i 's|../config/app.yaml|../.git/config|; s|\"toml\"|\"tml\"|' conf/_store.json"
        let refused = try home.run("\(edit); settings done -m x 2>&1")
        #expect(refused.first == "settings: found 2 problems with tracked files" && refused.last == "[exit status: 65]")
        #expect(refused[1...2].map { $0.trimmingCharacters(in: .whitespaces) } == Self.faults)
        #expect(try home.run("git commit -q -a -m Evil && sed -i 's/1/2/' config/a.json") == [])
        #expect(
            try home.run("settings status 2> /dev/null") == ["edited in config/a.json: X (other.x): 1 → 2"] + Self.faults)
        let verified = try home.run("settings verify 2>&1")
        #expect(verified.filter { !$0.hasPrefix(" ") } == Self.faults + ["settings: found 2 problems", "[exit status: 65]"])
        #expect(try home.run("settings track 2>&1").count == 3)
        #expect(try home.run("settings track --json | grep -c problem; settings status --json | grep -c problem") == ["2", "2"])
        // What is of none of their groups is recorded, edits by hand too.
        #expect(
            try home.run("settings done -q -m Hand && settings set other.x 3 free.x 4 -q && cat config/a.json") == [#"{"x": 3}"#])
        for (word, count) in [("zed.z=5", 1), ("app.debug=on", 1), ("zed.z=5 app.debug=on", 2)] {
            let lines = try home.run("settings set \(word) free.x=9 2>&1")
            #expect(lines.last == "[exit status: 65]" && lines.count { $0.contains("names '") } == count, "\(lines)")
        }
        #expect(
            try home.run("settings get zed.z free.x; settings list > /dev/null; settings history -q > /dev/null") == ["1", "4"])
        #expect(try home.run("settings untrack ../.git/config -q; settings set app.debug on -q") == [])
        #expect(try home.run("settings untrack ../config/z.toml -q; settings verify -q; settings status -q --exit-code") == [])
        #expect(try home.run("git status --porcelain") == [] && home.unsound() == "")
    }

    @Test func aListThatIsNoneIsNamed() throws {
        let home = try Self.office()
        #expect(
            try home.run("printf '{\"format\": 1, \"title\": \"S\", \"files\": 5}' > conf/_store.json; git commit -q -a -m Bad")
                == [])
        let fault = #"_store.json: "files" must be a list, not a number"#
        #expect(try home.run("settings status 2> /dev/null").first == fault)
        #expect(try home.run("settings set free.x 2 2>&1").first == "settings: " + fault)
        #expect(try home.run("settings get free.x; settings verify > /dev/null 2>&1") == ["1", "[exit status: 65]"])
    }
}

extension TrackRefusalTests {
    /// What somebody names is refused with its own reason, and nothing has changed.
    @Test(arguments: [
        (
            "ln -s app.yaml config/link.yaml", "config/link.yaml",
            "config/link.yaml can't be tracked: it is behind a symbolic link"
        ),
        ("ln -s config linked", "linked/app.yaml", ""),
        (
            "git init -q sub && cp config/app.yaml sub && git -C sub add . && git -C sub commit -q -m Sub",
            "sub/app.yaml", "sub/app.yaml can't be tracked: it lies in another repository, sub"
        ),
        (
            """
            git init -q sub && cp config/app.yaml sub && git -C sub add . && git -C sub commit -q -m Sub
            git -c advice.addEmbeddedRepo=false add sub 2> /dev/null && git commit -q -m Sub && rm -rf sub/.git
            """,
            "sub/app.yaml", "sub/app.yaml can't be tracked: it lies under sub, which is not a folder of this repository"
        ),
        (
            "mkdir other && echo '{\"format\": 1, \"title\": \"O\"}' > other/_store.json && echo 'a: 1' > other/x.yaml",
            "other/x.yaml",
            "other/x.yaml can't be tracked: it belongs to the store in other"
        ),
        (
            "settings init -q other && echo 'a: 1' > other/x.yaml && git add other && git commit -q -m X", "other/x.yaml",
            "other/x.yaml can't be tracked: it belongs to the store in other"
        ),
        (":", "conf/_store.json", "conf/_store.json can't be tracked: it is one of the store's own files"),
        (
            "echo '{\"a\": 1}' > conf/own.json", "conf/own.json",
            "conf/own.json can't be tracked: it is one of the store's own files"
        ),
        (
            "printf '[a]\n\tb = 1\n' > .gitmodules", ".gitmodules --format git-config",
            ".gitmodules can't be tracked: it has a name that is reserved by git or invalid on another system"
        ),
        (
            "{ echo 'a: |'; yes ' xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' | head -c 1100000; } > config/big.yaml", "config/big.yaml",
            "config/big.yaml can't be tracked: it is larger than 1 MiB"
        ),
        (
            "echo 'config/f.yaml filter=lfs' > .gitattributes; git config filter.lfs.clean cat; echo 'a: 1' > config/f.yaml",
            "config/f.yaml", "config/f.yaml can't be tracked: it is converted by git (filter=lfs)"
        ),
        (
            "echo 'config/f.yaml working-tree-encoding=UTF-16' > .gitattributes; echo 'a: 1' > config/f.yaml", "config/f.yaml",
            "config/f.yaml can't be tracked: it is converted by git (working-tree-encoding=UTF-16)"
        ),
        (
            "echo '*.yaml text' > .gitattributes; printf 'a: 1\\r\\n' > config/f.yaml", "config/f.yaml",
            "config/f.yaml can't be tracked: it is converted by git (its line ends)"
        ),
        (
            "git config core.autocrlf true; printf 'a: 1\\r\\n' > config/f.yaml", "config/f.yaml",
            "config/f.yaml can't be tracked: it is converted by git (its line ends)"
        ),
        ("mkdir config/dir", "config/dir", "'config/dir' is a folder, and only files can be tracked"),
        (
            "settings track config/app.yaml -q; echo 'a: 1' > config/App.yaml", "config/App.yaml",
            "config/App.yaml can't be tracked: it differs from '../config/app.yaml' only in case, or one of them lies under the other"
        ),
    ])
    func whatCannotBeTracked(_ prepare: String, _ file: String, _ reason: String) throws {
        let home = try TrackTests.office(tracking: false)
        #expect(try home.run("{ \(prepare); } 2>&1") == [])
        let before = try home.run("git rev-parse HEAD; git status --porcelain; cat conf/_store.json")
        let lines = try home.run("settings track \(file) --into new --store conf 2>&1")
        if reason.isEmpty {
            // A link on the way leads to a file that can be tracked.
            #expect(lines.first?.hasSuffix("now tracks config/app.yaml") == true, "\(lines)")
            return
        }
        #expect(lines.first == "settings: " + reason)
        #expect(lines.last == "[exit status: 65]")
        #expect(try home.run("git rev-parse HEAD; git status --porcelain; cat conf/_store.json") == before)
    }

    /// The same in an entry that somebody wrote by hand, or that came with a clone.
    @Test(arguments: [
        ("ln -s app.yaml config/e.yaml", "is not a regular file"),
        (
            "ln -s config/app.yaml top.yaml; mkdir -p config; rm -f config/e.yaml; ln -s ../config config/e.yaml",
            "is not a regular file"
        ),
        (
            "{ echo 'a: |'; yes ' xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' | head -c 1100000; } > config/e.yaml",
            "is larger than 1 MiB"
        ),
        (
            "echo 'a: 1' > config/e.yaml; git add . && git commit -q -m E; "
                + "echo 'config/e.yaml working-tree-encoding=UTF-16' > .git/info/attributes",
            "is converted by git (working-tree-encoding=UTF-16)"
        ),
    ])
    func anEntryWhoseFileIsOdd(_ prepare: String, _ reason: String) throws {
        let home = try TrackTests.office(tracking: false)
        let entry = #"{"format": 1, "title": "S", "files": [{"file": "../config/e.yaml", "format": "yaml", "group": "new"}]}"#
        try TrackTests.write(entry, "conf/_store.json", home)
        let script = """
            settings add new.a --title A --number 1 -q; settings add old --title O --number 1 -q
            \(prepare); git add -f . && git commit -q -m Odd
            """
        _ = try home.run("{ \(script)\n} 2>&1")
        let fault = "_store.json: \"files\" names '../config/e.yaml', which \(reason)"
        let clone = "git clone -q . ../c 2> /dev/null; cp .git/info/attributes ../c/.git/info/ 2> /dev/null; cd ../c"
        for place in ["office", "c"] {
            if place == "c" { _ = try home.run(":; " + clone) }
            let lines = try home.run("settings set new.a 2 --store conf 2>&1")
            #expect(lines.first == "settings: " + fault && lines.last == "[exit status: 65]", "\(lines)")
            #expect(try home.run("settings status --store conf 2> /dev/null").first == fault)
            #expect(try home.run("settings verify --store conf 2> /dev/null").first == fault)
            #expect(try home.run("settings set old 2 -q --store conf; settings get old new.a --store conf") == ["2", "1"])
        }
    }

    @Test func atMostAHundred() throws {
        let home = try TrackTests.office(tracking: false)
        let many = "for n in $(seq 100); do echo \"a$n: 1\" > config/n$n.yaml; done; git add . && git commit -q -m Many"
        #expect(try home.run("\(many); settings track config/n*.yaml -q; settings track | wc -l") == ["100"])
        let lines = try home.run("settings track config/app.yaml 2>&1")
        #expect(lines.first == #"settings: _store.json: "files" names 101 files, more than 100"#, "\(lines)")
        #expect(try home.run("settings set a1 2 -q; cat config/n1.yaml; git status --porcelain") == ["a1: 2"])
    }

    @Test func oneUnderAnother() throws {
        let home = try TrackTests.office()
        let entries = ["config/app.yaml/x", "config/app.yaml"].map { #"{"file": "../\#($0)", "format": "yaml", "group": "x"}"# }
        try TrackTests.write(
            #"{"format": 1, "title": "S", "files": [\#(entries.joined(separator: ", "))]}"#, "conf/_store.json", home)
        #expect(
            try home.run("git commit -q -a -m Odd; settings status 2> /dev/null").first?.contains("lies under the other") == true)
    }

    /// A commit by plain git that gives a member another type: there is no edit that could be discarded.
    @Test func aCommittedValueOfAnotherTypeIsPutBack() throws {
        let home = try TrackTests.office()
        let lines = try home.run(
            "sed -i 's/debug: .*/debug: 7/' config/app.yaml && git commit -q -a -m Seven; settings done 2>&1")
        #expect(
            lines == [
                "settings: config/app.yaml: debug: invalid value '7' for a switch: expected on, off or toggle",
                "hint: 'settings export --overwrite' restores the file, 'settings import config/app.yaml --format yaml --overwrite' "
                    + "imports it with its type", "[exit status: 65]",
            ])
        #expect(
            try home.run("settings export --overwrite -q; grep debug config/app.yaml; settings verify -q") == ["debug: false"])
    }

    @Test func aFileThatWasRemovedIsNotWritten() throws {
        let home = try TrackTests.office()
        let warning =
            "warning: config/app.yaml is missing; 'settings export' writes it again; if it was renamed, run "
            + "'settings untrack config/app.yaml', then 'settings track NEW'"
        #expect(try home.run("rm config/app.yaml; settings set debug on -q") == [warning])
        #expect(try home.run("settings set debug off -q") == [warning])
        #expect(try home.run("settings export -q; settings set debug on -q; grep debug config/app.yaml") == ["debug: true"])
    }

    @Test func aFileThatWasRenamedIsTrackedUnderItsNewName() throws {
        let home = try TrackTests.office()
        #expect(
            try home.run("git mv config/app.yaml config/new.yaml; settings status 2>&1") == [
                "config/app.yaml is missing",
                "hint: 'settings export' writes it again; if it was renamed, run 'settings untrack config/app.yaml', "
                    + "then 'settings track NEW'",
            ])
        _ = try home.run("settings untrack config/app.yaml -q && settings track config/new.yaml -q && settings set debug on -q")
        #expect(
            try home.run("grep debug config/new.yaml; settings track; git commit -q -a -m Moved; settings verify -q") == [
                "debug: true", "config/new.yaml  -  yaml  in step",
            ])
    }
}
