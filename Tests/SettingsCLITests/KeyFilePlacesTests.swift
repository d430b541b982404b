import Surroundings
import Testing

/// What the folders above a key file and the files beside it say of it, through the program.
@Suite struct KeyFilePlacesTests {
    private static let jail = #"printf '[DEFAULT]\nbantime = 10m ; how long\n' > jail.conf"#

    /// fail2ban takes ` ;` for a comment, and other readers of such files don't: the folder above says which it is.
    @Test func relativePathsHaveFoldersAbove() throws {
        let home = try Home()
        let script = """
            mkdir -p s fail2ban/jail.d && export SETTINGS_STORE="$PWD/s" && settings init -q "$PWD/s" && cd fail2ban/jail.d
            \(Self.jail) && settings import jail.conf -q
            settings get DEFAULT.bantime && settings set DEFAULT.bantime 20m -q && settings export ini -o jail.conf && cat jail.conf
            """
        #expect(try home.run("{ \(script); } 2>&1") == ["10m", "[DEFAULT]", "bantime = 20m ; how long"])
    }

    @Test func aStoreMayLieInSuchAFolder() throws {
        let home = try Home()
        let script = """
            mkdir -p fail2ban && cd fail2ban && settings init -q . && \(Self.jail) && settings track jail.conf -q
            settings set DEFAULT.bantime 30m -q && cat jail.conf && settings status --exit-code -q
            """
        #expect(try home.run("{ \(script); } 2>&1") == ["[DEFAULT]", "bantime = 30m ; how long"])
    }

    /// A name that leads out of a folder is not in it.
    @Test func foldersThatAreLeft() throws {
        let home = try Home()
        let script = """
            mkdir -p fail2ban s && export SETTINGS_STORE="$PWD/s" && settings init -q "$PWD/s" && cd fail2ban
            printf '[a]\\nb = 1 ; c\\n' > ../setup.cfg && settings import ../setup.cfg -q && settings get a.b
            """
        #expect(try home.run("{ \(script); } 2>&1") == ["1 ; c"])
    }

    /// The server's own changes win over the file's: whoever tracks or imports it learns that.
    @Test func anotherFileWins() throws {
        let home = try Home()
        let script = "mkdir s && cd s && settings init -q . && echo 'port = 1' > postgresql.conf && touch postgresql.auto.conf"
        #expect(try home.run("{ \(script); } 2>&1") == [])
        for command in ["track", "import"] {
            let lines = try home.run("(cd s && settings \(command) postgresql.conf 2>&1)")
            #expect(lines.count { $0.contains("postgresql.auto.conf") } == 1, "\(lines)")
        }
        let alone = "rm s/postgresql.auto.conf; cd s; settings import postgresql.conf 2>&1 | grep auto"
        #expect(try home.run(alone) == ["[exit status: 1]"])
    }

    /// A key without a value is on; where it was switched off and on again, it has none again.
    @Test(arguments: [(".gitconfig", "[core]", "core.bare", "\tbare"), ("my.cnf", "[mysqld]", "mysqld.bare", "bare")])
    func keysWithoutValues(_ file: String, _ section: String, _ key: String, _ line: String) throws {
        let home = try Home()
        let script = """
            mkdir s && cd s && settings init -q . && printf '\(section)\\n\(line)\\nx = 1\\n' > \(file) && cp \(file) ../before
            settings track \(file) -q && settings set \(key) off -q && grep -c 'bare *= *' \(file) && settings set \(key) on -q
            cmp \(file) ../before && settings status --exit-code -q
            """
        #expect(try home.run("{ \(script); } 2>&1") == ["1"])
    }
}
