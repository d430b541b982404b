import Foundation
import Surroundings
import Testing

/// Servers that fail, lie or die, and what is left of it: one sentence, the right exit status, nothing lost, and the next sync
/// goes on. How each server fails is told in Servers/smart_http.py.
@Suite(.enabled(if: SyncServersTests.Server.http.isThere)) struct SyncFailuresTests {
    /// Runs a script in the clone `a`, which has a version to send; `origin KIND` sets how the server fails from there on.
    private func run(_ home: Home, _ script: String) throws -> [String] {
        try home.run(
            """
            { \(SyncServersTests.Server.http.start)
            origin() { git remote set-url origin "${url%bare.git}$1bare.git"; }
            cd a; settings set dark on -q; \(script)
            } 2> ~/errors; kill $(cat ~/pids) 2> /dev/null
            """)
    }

    /// A version that came from somewhere else waits on the server as well.
    private func office() throws -> Home {
        let home = try SyncTests.office()
        _ = try home.run(":; cd b; settings set volume 60 -q; settings sync -q")
        return home
    }

    /// What a command printed: its error, hint and exit status.
    private func expect(_ lines: ArraySlice<String>, _ status: Int, _ reason: String) {
        #expect(lines.filter { $0.hasPrefix("settings: ") }.count == 1, "one sentence: \(lines)")
        #expect(lines.first?.hasPrefix("settings: origin ") == true || lines.first?.contains("origin sent") == true, "\(lines)")
        #expect(lines.joined().contains(reason) && lines.last == "\(status)", "\(lines)")
    }

    @Test(arguments: [
        ("unknown/", 65, "origin sent damaged data: remote error: upload-pack: not our ref"),
        ("cuts-fetch-0/", 75, "origin cannot be reached"), ("cuts-fetch-40/", 75, "origin cannot be reached"),
        ("cuts-fetch-300/", 75, "origin cannot be reached"), ("cuts-push-0/", 75, "1 version has not been sent yet"),
        ("cuts-push-100/", 75, "1 version has not been sent yet"), ("dies-after-push/", 75, "1 version has not been sent yet"),
    ]) func serversThatFail(_ kind: String, _ status: Int, _ reason: String) throws {
        let home = try office()
        let script = "origin \(kind); settings sync 2>&1; echo $?; git fsck --strict 2>&1; origin; settings sync -q; echo $?"
        let lines = try run(home, script)
        expect(lines.dropLast(), status, reason)
        #expect(lines.last == "0", "\(lines)")
        #expect(try home.run(":; cd b; settings sync -q; settings get dark volume") == ["true", "60"])
        try SyncTests.check(home)
    }

    @Test func serversThatSayNothing() throws {
        let home = try office()
        let quickly = "git config --global http.lowSpeedLimit 1; git config --global http.lowSpeedTime 1"
        let lines = try run(home, "\(quickly); origin stalls/; settings sync 2>&1; echo $?; origin; settings sync -q; echo $?")
        expect(lines.dropLast(), 75, "origin cannot be reached: ")
        #expect(lines.last == "0", "\(lines)")
    }

    /// Nobody else pushes, and the server takes nothing all the same.
    @Test(arguments: [
        ("touch bare.git/refs/heads/main.lock", "rm bare.git/refs/heads/main.lock", "main.lock': File exists"),
        (
            "git clone -q --bare bare.git c.git; git -C a push -q ../c.git HEAD~1:refs/heads/main -f; "
                + "git -C a config remote.origin.pushurl ../c.git",
            "git -C a config --unset remote.origin.pushurl", "stale info"
        ),
    ]) func serversThatDoNotMove(_ breaking: String, _ mending: String, _ reason: String) throws {
        let home = try SyncTests.office()
        let lines = try home.run(
            ":; \(breaking); cd a; settings set dark on -q; settings sync 2>&1; echo $?; settings get dark; cd ..; \(mending); "
                + "cd a; settings sync -q; echo $?")
        #expect(lines.first?.hasPrefix("settings: origin could not update its branch: ") == true, "\(lines)")
        #expect(lines.first?.contains(reason) == true && lines.suffix(3) == ["75", "true", "0"], "\(lines)")
        #expect(try home.run(":; cd b; settings sync -q; settings get dark") == ["true"])
    }

    /// The server says that it took a push, and didn't: the next sync notices.
    @Test func pushesThatAreForgotten() throws {
        let home = try office()
        let script = """
            settings sync -q; settings set dark off -q; origin forgets-push/; settings sync -q; echo $?; origin
            settings sync 2>&1; echo $?; settings sync --put-back -q; echo $?
            """
        let lines = try run(home, script)
        #expect(lines.first == "0" && lines.suffix(2) == ["2", "0"], "\(lines)")
        #expect(lines.contains { $0.hasPrefix("settings: origin no longer has 1 version that it had: ") }, "\(lines)")
        try SyncTests.check(home, ["a"])
    }

    /// A branch that is no commit, one that is missing, and tags of anything.
    @Test func referencesToAnything() throws {
        let home = try office()
        let script = """
            cd ../bare.git; blob=$(git rev-parse main:volume.json); tree=$(git rev-parse main^{tree}); tip=$(git rev-parse main)
            git update-ref refs/tags/blob $blob; git update-ref refs/tags/tree $tree; cd ../a; origin
            for id in $blob $tree; do
              echo $id > ../bare.git/refs/heads/main; settings sync 2>&1; echo $?
              git remote add path ../bare.git; settings sync path 2>&1; echo $?; git remote remove path
              settings clone "$url" ../c -b main 2>&1; echo $?; ls ../c 2>&1; done
            echo $tip > ../bare.git/refs/heads/main; settings sync -q; echo $?; git tag
            """
        let lines = try run(home, script)
        let damaged = lines.filter {
            $0.hasSuffix(" sent damaged data: its branch main is not a commit; nothing was changed")
        }
        #expect(damaged.count == 6 && lines.filter { $0 == "65" }.count == 6 && lines.last == "0", "\(lines)")
    }

    @Test func moreThanTheLimit() throws {
        let home = try office()
        let large = "head -c 300000 /dev/urandom > notes; git add notes; git commit -qm notes; git push -q"
        _ = try home.run(":; cd b; \(large)")
        let lines = try run(
            home, "origin; settings sync --limit 100k 2>&1; echo $?; settings sync -q; echo $?; test -s notes; echo $?")
        expect(lines.dropLast(2), 65, "origin sent more than ")
        #expect(lines.suffix(2) == ["0", "0"], "\(lines)")
    }

    /// A thousand are taken in at once, the others by the next sync.
    @Test func manyTags() throws {
        let home = try office()
        let tags =
            "seq 1500 | sed \"s,.*,create refs/tags/t& $(git -C bare.git rev-parse main),\" | git -C bare.git update-ref --stdin"
        let lines = try run(home, "(cd ..; \(tags)); origin; for n in 1 2 3; do settings sync -q; git tag | wc -l; done")
        #expect(lines == ["1000", "1500", "1500"], "\(lines)")
        try SyncTests.check(home, ["a"])
    }
}
