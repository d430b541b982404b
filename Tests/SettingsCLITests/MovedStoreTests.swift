import Testing

/// A store whose folder was moved by plain git keeps its history.
@Suite struct MovedStoreTests {
    /// In `~/office/shop`, whose store is in `folder`. Bob chose `sound.volume`.
    private static func store(at folder: String = "config", _ rest: String) throws -> [String] {
        let script = """
            git init -q shop; cd shop; echo shop > README; git add .; git commit -qm readme
            settings init -q '\(folder)' --title Shop; cd '\(folder)'
            settings add -q sound.volume --title Volume --number 40; settings add -q sound.bass --title Bass --number 3
            settings add -q net.host --title Host --text alpha
            settings set -q sound.volume 50 -m loud --author 'Bob <bob@example.org>'
            root() { cd "$(git rev-parse --show-toplevel)"; }
            move() { root; git mv "$1" "$2"; git commit -qm tidy; cd "$2"; }
            words() { sed 's/  *[0-9a-f]\\{7\\} .* [+-][0-9]\\{4\\}  / /'; }
            blame() { settings blame "$@" | words; }
            versions() { settings history "$@" | grep -c '^[0-9a-f]'; }

            """
        return try Home().run("{ \(script)\(rest)\n} 2>&1")
    }

    /// Reading and taking back, where Bob's version is `old`.
    private static let questions = """
        blame sound.volume; versions; versions sound.volume; settings show $old | grep Volume
        settings get sound.volume --at $old~1; settings list --at $old~1 | grep -c sound
        settings export json --at $old~1 | grep -c 40; settings diff $old~1..HEAD; settings diff --from $old~1 --who | tail -1 | words
        settings verify $old~1..HEAD | cut -d, -f2
        settings bisect --good $old~1 -- sh -c '[ $(settings get sound.volume) = 40 ]' | grep -c loud
        settings restore -q sound.volume --from $old~1; settings get sound.volume; settings undo -q; blame sound.volume
        settings revert -q $old; settings get sound.volume; settings undo -q; blame sound.volume
        settings status | cut -d\\; -f1; settings verify --deep | cut -d, -f2
        """
    private static let answers = [
        "sound.volume  50 Bob  “loud”", "5", "2", "    Volume (sound.volume): 40 → 50",
        "40", "3", "1", "Volume (sound.volume): 40 → 50", " Bob  “loud”",
        " no problems found", "1",
        "40", "sound.volume  50 Bob  “loud”",
        "40", "sound.volume  50 Bob  “loud”",
        "no unrecorded edits", " no problems found",
    ]

    @Test(arguments: [
        ("config", "git mv config settings", "settings"),
        ("config", "mkdir -p etc/app; git mv config etc/app", "etc/app/config"),
        ("config", "git mv config/* config/.gitattributes .", "."),
        (".", "mkdir settings; git mv _*.json .gitattributes sound net settings", "settings"),
        ("config", "mkdir etc; touch etc/x; git add etc; git commit -qm etc; git mv config/* config/.g* etc", "etc"),
        ("größe/[a] b", "git mv größe '*ü?'", "*ü?/[a] b"),
        ("config", "git mv config a; git commit -qm a; git mv a b; git commit -qm b; git mv b config", "config"),
    ]) func aFolder(from: String, by move: String, to: String) throws {
        let found = try Self.store(
            at: from, "old=$(git rev-parse HEAD); root; \(move); git commit -qm tidy; cd '\(to)'\n\(Self.questions)")
        #expect(found == Self.answers)
    }

    @Test func aFolderAndAnOptionAtOnce() throws {
        let found = try Self.store(
            """
            root; git mv config a; sed -i s/alpha/beta/ a/net/host.json; git add a; git commit -qm both; cd a
            blame sound net; settings history -n 1 | grep Host; settings undo -q; blame net.host; settings get net.host
            """)
        #expect(
            found == [
                "net.host      \"beta\" Ada Example", "sound.bass    3 Ada Example", "sound.volume  50 Bob  “loud”",
                "    Host (net.host): \"alpha\" → \"beta\"", "net.host  \"alpha\" Ada Example", "alpha",
            ])
    }

    /// The other side changed options in the old folder, and added one.
    @Test(arguments: ["git merge -q --no-edit side", "settings merge -q side"]) func aMergeWithTheOldFolder(merge: String) throws
    {
        let found = try Self.store(
            """
            git branch side; move config settings; settings set -q sound.bass 9
            root; git switch -q side; cd config; settings set -q net.host beta -m moved --author 'Cyd <cyd@example.org>'
            root; git switch -q main; cd settings; \(merge); git status --short; blame; versions net.host
            settings get net.host --at side~1; settings diff side..main; settings maintain -q; blame net.host
            settings verify --deep | cut -d, -f2; settings revert -q side; blame net.host; settings undo -q; blame net.host
            """)
        #expect(
            found == [
                "net.host      \"beta\" Cyd  “moved”", "sound.bass    9 Ada Example", "sound.volume  50 Bob  “loud”", "2",
                "alpha", "Bass (sound.bass): 3 → 9", "net.host  \"beta\" Cyd  “moved”", " no problems found",
                "net.host  \"alpha\" Ada Example", "net.host  \"beta\" Cyd  “moved”",
            ])
    }

    /// Each keeps its own history.
    @Test func twoStores() throws {
        let found = try Self.store(
            """
            root; settings init -q other --title Other; cd other
            settings add -q sound.volume --title Volume --number 40; settings add -q sound.bass --title Bass --number 3
            settings set -q sound.volume 50 -m quiet --author 'Cyd <cyd@example.org>'; root
            git mv config a; git mv other b; git commit -qm both; cd a; blame sound.volume; cd ../b; blame sound.volume
            root; git mv a c; git mv b d; git commit -qm again; cd c; blame sound.volume; cd ../d; blame sound.volume
            settings verify --deep | cut -d, -f2
            """)
        let (bob, cyd) = ("sound.volume  50 Bob  “loud”", "sound.volume  50 Cyd  “quiet”")
        #expect(found == [bob, cyd, bob, cyd, " no problems found"])
    }

    /// Another store that takes the place of one is no move, nor is a copy.
    @Test func whatIsNotFollowed() throws {
        let found = try Self.store(
            """
            root; cp -r config copy; git add copy; git commit -qm copied; git rm -rq config; git commit -qm removed; cd copy
            blame sound.volume; versions; settings get sound.volume --at HEAD~3 2>&1 | head -1
            root; settings init -q --title New new; git rm -rq copy; git commit -qm gone; cd new; versions
            """)
        #expect(
            found == [
                "sound.volume  50 Ada Example", "1", "settings: there is no option 'sound.volume'", "1",
            ])
    }

    /// What a clone without a work tree, one without all versions, and a server's hook make of it.
    @Test func clonesAndHooks() throws {
        let found = try Self.store(
            """
            root; git clone -q --bare . ../hub.git; git remote add origin ../hub.git
            settings setup --hook > ../hub.git/hooks/pre-receive; chmod +x ../hub.git/hooks/pre-receive
            move config settings; settings set -q sound.bass 9; git push -q origin main 2>&1 && echo pushed
            cd ../../hub.git; blame sound.volume; settings get sound.volume --at HEAD~3
            cd ..; git clone -q --depth 2 "file://$PWD/hub.git" few; cd few/settings; blame sound; git fetch -q --unshallow
            blame sound.volume; settings get sound.volume --at HEAD~3
            """)
        #expect(
            found == [
                "pushed", "sound.volume  50 Bob  “loud”", "40", "sound.bass    9 Ada Example",
                "sound.volume  50  before this shallow clone", "sound.volume  50 Bob  “loud”", "40",
            ])
    }
}
