import Foundation
import Testing

/// The author of a version: names are not guessed if the user forbids it.
@Suite struct IdentityTests {
    /// Runs `settings` with git's configuration, without the names in the tests' environment.
    private func settings(_ words: String, in home: Home) throws -> [String] {
        let unset = ["AUTHOR", "COMMITTER"].flatMap { ["-u GIT_\($0)_NAME", "-u GIT_\($0)_EMAIL"] }.joined(separator: " ")
        return try home.run("env -u EMAIL \(unset) settings \(words)")
    }

    @Test func isNotGuessedIfConfigurationForbidsIt() throws {
        let home = try Home()
        _ = try home.run("settings init -q && git config --global user.useConfigOnly true")
        let refused = try settings("add a --title A --switch", in: home)
        #expect(refused.first == "settings: no email is configured, and user.useConfigOnly forbids guessing it")
        #expect(refused.contains { $0.hasPrefix("hint: git config --global user.email ") })
        #expect(refused.last == "[exit status: 77]")
        #expect(try home.run("git rev-list --count HEAD") == ["1"])
        #expect(try settings("doctor", in: home).contains { $0.contains("user.useConfigOnly forbids guessing it") })
        _ = try home.run("git config user.email ada@example.org")
        #expect(try settings("add a --title A --switch", in: home).first?.contains("no name is configured") == true)
        _ = try home.run("git config user.name Ada")
        #expect(try settings("add a --title A --switch -q", in: home) == [])
        #expect(try home.run("git log -1 --format='%an <%ae>'") == ["Ada <ada@example.org>"])
    }

    /// What the environment says of git's configuration: the author is git's own.
    @Test(arguments: [
        "GIT_CONFIG_GLOBAL=$HOME/other", "GIT_CONFIG_GLOBAL=$HOME/none", "GIT_CONFIG_GLOBAL=/dev/null",
        "GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=$HOME/machine GIT_CONFIG_NOSYSTEM=0", "GIT_CONFIG_SYSTEM=$HOME/machine",
        "GIT_CONFIG_GLOBAL= GIT_CONFIG_SYSTEM=$HOME/machine GIT_CONFIG_NOSYSTEM=false",
        "GIT_CONFIG_GLOBAL=$HOME/including",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=USER.name GIT_CONFIG_VALUE_0='Cy Counted'",
        "GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=Cy GIT_CONFIG_KEY_1=user.Name GIT_CONFIG_VALUE_1=Di",
        "GIT_CONFIG_COUNT=0 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=Cy",
        "GIT_CONFIG_PARAMETERS=\"'user.name'='Pat O'\\''Neill'\"", "GIT_CONFIG_PARAMETERS=\"'user.name=Old Form'\"",
    ]) func isWhatTheEnvironmentConfigures(_ variables: String) throws {
        let home = try Home()
        let script = """
            git config --global user.name Usual; git config --global user.email ada@example.org
            git config -f ~/other user.name Other; git config -f ~/other user.email other@example.org
            git config -f ~/machine user.name Machine; git config -f ~/machine user.email root@example.org
            git config -f ~/including include.path other
            export EMAIL=mail@example.org
            unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
            settings init -q; settings add -q a --title A --switch
            \(variables) settings set -q a on
            \(variables) git commit -q --allow-empty -m git
            git log -2 --format='%an <%ae>, %cn'
            """
        let authors = try home.run(":; \(script)")
        #expect(authors.count == 2 && authors.first == authors.last, "\(authors)")
    }

    /// git refuses each of these, too.
    @Test(arguments: [
        ("GIT_CONFIG_COUNT=x", "the count 'x' in GIT_CONFIG_COUNT is not valid"),
        ("GIT_CONFIG_COUNT=-1", "the count '-1' in GIT_CONFIG_COUNT is not valid"),
        ("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0 is missing"),
        ("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0 is missing"),
        ("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=name GIT_CONFIG_VALUE_0=x", "the key 'name' has no section"),
        ("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.a_b GIT_CONFIG_VALUE_0=x", "the key 'user.a_b' is not valid"),
        ("GIT_CONFIG_GLOBAL=$HOME", "GIT_CONFIG_GLOBAL is '/home/ada', which is a directory"),
        ("GIT_CONFIG_NOSYSTEM=0 GIT_CONFIG_SYSTEM=/usr", "GIT_CONFIG_SYSTEM is '/usr', which is a directory"),
        ("GIT_CONFIG_PARAMETERS=user.name", "GIT_CONFIG_PARAMETERS is not valid"),
        ("GIT_CONFIG_PARAMETERS=\"'user.name'='x\"", "GIT_CONFIG_PARAMETERS is not valid"),
    ]) func refusesWhatGitRefuses(_ variables: String, _ reason: String) throws {
        let home = try Home()
        let lines = try home.run(
            """
            :; settings init -q; settings add -q a --title A --switch
            \(variables) git status >/dev/null 2>&1 && echo 'git takes it'
            \(variables) settings get a; echo $?; \(variables) settings --help >/dev/null && echo help
            """)
        let hint = "hint: correct or unset the environment variables whose names begin with GIT_CONFIG"
        #expect(lines == ["settings: cannot read git's configuration: \(reason)", hint, "65", "help"])
    }

    @Test func takesNoRelativeHome() throws {
        let home = try Home()
        let lines = try home.run(
            """
            :; settings init -q; unset XDG_DATA_HOME XDG_CONFIG_HOME GIT_CONFIG_GLOBAL
            HOME=relative settings init --user; echo $?; HOME=relative settings setup --global; echo $?
            ls -A | grep relative; true
            """
        ).filter { !$0.hasPrefix("hint") }
        #expect(
            lines == [
                "settings: cannot find your personal store: HOME is not an absolute path", "66",
                "settings: cannot find your git configuration: HOME is not an absolute path", "66",
            ])
    }

    @Test func onlyThatFileIsRead() throws {
        let home = try Home()
        let script = """
            settings init -q; settings add -q a --title A --switch
            git config --file ~/ignoring core.excludesFile '~/ignored'; echo 'b.json' >~/ignored
            GIT_CONFIG_GLOBAL=~/ignoring settings add -q b --title B --switch
            git config -f ~/naming settings.store '~/office'
            cd ~; settings get a; for level in GLOBAL SYSTEM; do
              env GIT_CONFIG_NOSYSTEM=0 GIT_CONFIG_$level=$HOME/naming settings get a
            done
            git -c settings.store='~/office' -c alias.s='!settings get a' s
            GIT_CONFIG_GLOBAL=~/naming git -c settings.store='~/nowhere' -c alias.s='!settings get a' s
            GIT_CONFIG_GLOBAL= settings setup --global
            """
        let lines = try home.run(":; \(script)").filter { !$0.hasPrefix("hint") }
        #expect(
            lines == [
                "settings: git ignores b.json (/home/ada/ignored:1:b.json), so it cannot be added",
                "settings: there is no store in /home/ada or above it", "false", "false", "false",
                "settings: settings.store in git's configuration is '~/nowhere', but there is no store in /home/ada/nowhere",
                "settings: GIT_CONFIG_GLOBAL is empty, so git does not read your configuration", "[exit status: 66]",
            ])
    }
}
