import Foundation
import Surroundings
import Testing

/// Versions of many options beside plain git's upkeep, and writers that have the same process ID.
@Suite struct BesideUpkeepTests {
    private static func options(_ count: Int, _ text: String) -> String {
        "{" + (1...count).map { "\"k\($0)\": \"\(text) \($0)\"" }.joined(separator: ", ") + "}"
    }

    /// The branch's move waits for git's index, so that the upkeep comes between it and the objects that it needs.
    @Test(arguments: [60, 70], ["git repack -adq", "git gc -q", "git prune-packed -q", "git maintenance run --quiet"])
    func versionOfManyOptionsStays(count: Int, upkeep: String) throws {
        let home = try Home()
        try Data(Self.options(count, "value").utf8).write(to: URL(fileURLWithPath: home.path + "/options.json"))
        let script = """
            settings init -q && settings add a --title A --number 1 -q && git gc -q && touch .git/index.lock
            { settings import ~/options.json --into imp -m x -q 2>/dev/null; echo $? > ~/code; } &
            n=0; while [ "$(ls .git/objects/pack | wc -l)" -lt 4 ] && [ $n -lt 20 ]; do sleep 0.05; n=$((n + 1)); done
            \(upkeep); rm -f .git/index.lock; wait; cat ~/code
            settings get imp.k1 imp.k\(count) --at HEAD; git fsck --strict --no-dangling; find .git -name '*.keep'
            """
        #expect(try home.run(script) == ["0", "value 1", "value \(count)"])
    }

    /// Each of two programs that pack at once can take away the pack that the other one counts on.
    @Test func gitsOwnUpkeepAndOursKeepApart() throws {
        let home = try Home()
        let script = """
            settings init -q && settings add a --title A --number 1 -q
            sleep 30 & echo "$! $(uname -n)" > .git/gc.pid
            settings maintain 2>&1; echo $?; git gc -q 2>/dev/null; echo $?
            kill $!; wait $! 2>/dev/null
            settings maintain -q; echo $?; ls .git | grep '^gc'; ls .git/settings | grep gc
            touch .git/gc.pid.lock; settings maintain -q 2>/dev/null; echo $?; rm .git/gc.pid.lock
            git gc -q; echo $?
            """
        #expect(
            try home.run(script) == [
                "settings: another process is maintaining this store",
                "hint: wait for it to finish; 'settings doctor' shows the state", "75", "128", "0", "75", "0",
            ])
    }

    private static let separates =
        (try? Surroundings.run(
            ["unshare", "-p", "-f", "--mount-proc", "true"], in: "/", ["PATH": Surroundings.searchPath]
        ).status) == 0

    /// As in two containers on one volume: all of them are process 1.
    @Test(.enabled(if: separates, "this user can't make process namespaces"))
    func writersOfOneProcessIDInTwoWorkTrees() throws {
        let home = try Home()
        let script = """
            settings init -q && settings add a --title A --number 1 -q && git worktree add -q ../side 2>/dev/null
            write() {
              cd "$1" && for n in 1 2 3 4 5 6 7 8; do
                i=1; words=; while [ $i -le 70 ]; do words="$words \\"k$i\\": \\"value $n $i\\","; i=$((i + 1)); done
                echo "{${words%,}}" > ../options-$2.json
                unshare -p -f --mount-proc settings import ../options-$2.json --into imp -m x -q || echo "exit $?"
              done
            }
            (write . 1) & (write ../side 2) & wait
            for branch in HEAD side; do settings get imp.k1 imp.k70 --at $branch; done
            git fsck --strict --no-dangling; find .git -name '*.keep' -o -name 'tmp_*' -o -name 'new-*'
            """
        #expect(try home.run(script) == ["value 8 1", "value 8 70", "value 8 1", "value 8 70"])
    }
}
