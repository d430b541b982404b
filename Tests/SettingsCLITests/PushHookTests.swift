import Foundation
import Testing

/// The pre-receive hook that `setup --hook` prints, run by git for real pushes.
struct PushHookTests {
    /// A bare repository with the hook, and a clone of it, `w`.
    private static func home() throws -> Home {
        let home = try Home()
        let lines = try home.run(
            """
            settings init -q s && settings --store s add a.v --title V --number 40 -q && git clone -q --bare s bare.git &&
            settings setup --hook > bare.git/hooks/pre-receive && chmod +x bare.git/hooks/pre-receive &&
            git clone -q bare.git w && git -C w config push.default current
            """)
        #expect(lines.isEmpty)
        return home
    }

    /// Two people choose, and plain git merges what neither did.
    private static let bad = """
        git checkout -qb side HEAD~1; settings set a.v 50 -q; git checkout -q main; settings set a.v 60 -q
        git merge -q side -m m > /dev/null 2>&1
        printf '{\\n  "title": "V",\\n  "type": "number",\\n  "value": 77\\n}\\n' > a/v.json; git add -A; git commit -qm merged
        """

    private func refuses(_ home: Home, _ push: String, _ name: String = "refs/heads/main") throws {
        let lines = try home.run(push + " 2>&1").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.last == "[exit status: 1]", "\(lines)")
        #expect(lines.contains("remote: settings: \(name) was not accepted: found 1 problem"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("remote: a/v.json: the merge left 77 selected") && $0.hasSuffix("by Ada Example") })
    }

    @Test func aPath() throws {
        let home = try Self.home()
        let places = "(cd ../bare.git; find . -not -path './objects/*' | sort)"
        _ = try home.run("cd w")
        #expect(try home.run("settings set a.v 41 -q -m x; git push -q; echo $?") == ["0"])
        _ = try home.run(":; \(places) > ../before; \(Self.bad)")
        try refuses(home, "git push -q")
        try refuses(home, "git push -q origin main:refs/heads/new", "refs/heads/new")
        try refuses(home, "git tag t; git push -q origin t", "refs/tags/t")
        try refuses(home, "git tag -a -m x tt; git push -q origin tt", "refs/tags/tt")
        #expect(try home.run("\(places) | diff ../before - ; find ../bare.git/objects -name '*incoming*'").isEmpty)
        // What somebody chose since is as somebody wants it.
        #expect(try home.run("settings set a.v 78 -q -m y; git push -q; echo $?") == ["0"])
    }

    @Test func whatIsNotAboutAStorePasses() throws {
        let home = try Self.home()
        _ = try home.run("cd w")
        let lines = try home.run(
            """
            git tag blob $(git rev-parse HEAD:a/v.json); git push -q origin blob; echo $?
            git push -q origin main:refs/heads/new; echo $?; git push -q origin :new; echo $?
            echo hi > README; git add -A; git commit -qm readme; git push -q; echo $?
            git init -q --bare ../plain.git; cp ../bare.git/hooks/pre-receive ../plain.git/hooks; git push -q ../plain.git main; echo $?
            git init -q ../other; cd ../other; git commit -q --allow-empty -m x; git init -q --bare ../none.git
            cp ../bare.git/hooks/pre-receive ../none.git/hooks; git push -q ../none.git HEAD; echo $?
            """)
        #expect(lines == ["0", "0", "0", "0", "0", "0"])
    }

    @Test func aStoreInAFolder() throws {
        let home = try Home()
        let lines = try home.run(
            """
            git init -q . && settings init -q conf && settings --store conf add a.v --title V --number 40 -q &&
            git init -q --bare ../b.git && settings setup --hook > ../b.git/hooks/pre-receive &&
            chmod +x ../b.git/hooks/pre-receive && git push -q ../b.git main && echo '{' > conf/a/v.json &&
            git commit -qam broken && git push ../b.git main 2>&1 | sed -n 's/^remote: //p' | head -1
            """)
        #expect(lines.count == 1 && lines[0].hasPrefix("conf/a/v.json"), "\(lines)")
    }

    /// The same is said by `verify A..B`: what a later version of the range has put right is right.
    @Test func whatIsMendedInTheSamePushPasses() throws {
        let home = try Self.home()
        let lines = try home.run(
            """
            :; cd w; settings add a.m --title M --number 1 --range 0..9 -q -m x; git push -q; git tag known
            sed -i 's/"value": 1/"value": 99/' a/m.json; git commit -qam bad
            settings verify known..HEAD > /dev/null 2>&1; echo $?; git push -q 2> /dev/null; echo $?
            settings set a.m 5 -q -m mended; settings verify known..HEAD; git push -q; echo $?
            sed -i 's/"value": 5/"value": 99/' a/m.json; git commit -qam bad
            sed -i 's/"value": 99/"value": 6/' a/m.json; git commit -qam good
            settings verify HEAD~2..HEAD; git push -q; echo $?
            """)
        #expect(
            lines == ["65", "1", "2 versions checked, no problems found", "0", "2 versions checked, no problems found", "0"])
    }

    /// Options whose store's file a push takes away are refused, and what lay in a folder before that file is looked at with it.
    @Test func aStoreWithoutItsFileIsNoWayAround() throws {
        let home = try Self.home()
        let lines = try home.run(
            """
            :; cd w; settings add a.m --title M --number 1 --range 0..9 -q -m x; git push -q; git tag known
            push() { git push origin "$@" 2>&1 | sed -n 's/ *$//; s/^remote: //p'; }
            git rm -q _store.json; sed -i 's/"value": 1/"value": 99/' a/m.json; git commit -qam 'without'
            push HEAD:main > ../said; sed -n "s/$(git rev-parse --short HEAD)/ID/; /removed, but/p" ../said
            grep -c 'is invalid' ../said
            push HEAD:refs/heads/other | grep -c 'was removed, but'
            settings -q verify known..HEAD 2> /dev/null; echo $?
            git checkout -q known -- _store.json; git commit -qm 'with it'
            push HEAD:main | grep -c 'value. is invalid'
            git reset -q --hard known; git rm -qr a _store.json; git commit -qm 'no store any more'; git push -q -f; echo $?
            git reset -q --hard known; mkdir conf; git mv a _store.json conf; git commit -qm moved; git push -q -f; echo $?
            git checkout -q --orphan o; git mv conf/a .; git rm -qrf conf; sed -i 's/"value": 1/"value": 99/' a/m.json
            echo '{}' > package.json; git add -A; git commit -qm 'no store'; git push -q origin o; echo $?
            git checkout -q known -- _store.json; git commit -qm 'now it is one'; push o | grep -c 'is invalid\\|package'
            settings set a.m 3 -q -m 'made well'; git push -q origin o; echo $?
            """)
        let removed = "_store.json was removed, but its options were not  in ID by Ada Example"
        #expect(lines == [removed, "1", "1", "66", "2", "0", "0", "0", "1", "0"])
    }

    @Test func aRefusalIsShort() throws {
        let home = try Self.home()
        let lines = try home.run(
            """
            :; cd w; for n in $(seq 40); do echo '{' > a/z$n.json; done; git add -A; git commit -qm many
            git push 2>&1 | grep '^remote'
            """)
        #expect(lines.count <= 20 && lines.contains { $0.hasPrefix("remote: and 32 more") }, "\(lines)")
    }

    /// Only the repository that is pushed to reads what git has not accepted, and only in a hook.
    @Test func objectsOfAPushAreReadInAHookAlone() throws {
        let home = try Self.home()
        let lines = try home.run(
            """
            git clone -q w other; git -C other commit -q --allow-empty -m x; id=$(git -C other rev-parse HEAD); cd bare.git
            export GIT_DIR=. GIT_OBJECT_DIRECTORY=$PWD/../other/.git/objects
            settings show $id > /dev/null 2>&1; echo $?
            export GIT_QUARANTINE_PATH=$GIT_OBJECT_DIRECTORY; settings show $id > /dev/null; echo $?
            export GIT_DIR=../other/.git; settings show $id > /dev/null 2>&1; echo $?
            export GIT_DIR=. GIT_ALTERNATE_OBJECT_DIRECTORIES="/none:\\"$GIT_OBJECT_DIRECTORY\\"" GIT_OBJECT_DIRECTORY=/none
            settings show $id > /dev/null; echo $?
            """)
        #expect(lines == ["66", "0", "66", "0"])
    }

    @Test(arguments: [SyncServersTests.Server.http, .ssh].filter(\.isThere)) func aServer(
        _ server: SyncServersTests.Server
    ) throws {
        let home = try Self.home()
        defer { _ = try? home.run("kill $(cat ~/pids)") }
        _ = try home.run(":; \(server.start); git -C w remote set-url origin \"$url\"")
        _ = try home.run("cd w")
        #expect(try home.run("settings set a.v 41 -q -m x; git push -q; echo $?") == ["0"])
        _ = try home.run(":; \(Self.bad)")
        try refuses(home, "git push -q")
    }
}
