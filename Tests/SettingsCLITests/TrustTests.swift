import Foundation
import Surroundings
import Testing

/// 'remote trust' and 'remote untrust': what a repository's own configuration says about reaching others.
@Suite struct TrustTests {
    /// Notes that it was started, and does what it is in place of.
    private static let programs = """
        printf '#!/bin/sh\\necho up >> ~/ran\\nexec git-upload-pack "$@"\\n' > ~/up
        printf '#!/bin/sh\\necho receive >> ~/ran\\nexec git-receive-pack "$@"\\n' > ~/receive
        chmod +x ~/up ~/receive; PATH=$PATH:$(git --exec-path); export PATH
        """

    @Test func programsAreStartedOnlyIfTheyAreTrusted() throws {
        let home = try SyncTests.office()
        let script = """
            \(Self.programs)
            cd a; git config remote.origin.uploadpack ~/up; git config remote.origin.receivepack ~/receive
            settings set dark on -q; settings sync; settings sync; cat ~/ran; settings remote | sed 's/(reached.*)/(reached)/'
            """
        #expect(
            SyncTests.plain(try home.run(":; \(script)")) == [
                "warning: remote.origin.uploadpack = '/home/ada/up' and 1 other value in this repository's configuration are not "
                    + "used for origin; if they are yours, 'settings remote trust origin' allows them, or move them to your own "
                    + "configuration (~/.gitconfig)",
                "1 version sent to origin:", "  ID  Dark mode (dark): Off → On  Ada Example", "up to date with origin",
                "cat: /home/ada/ran: No such file or directory",
                "origin  ../bare.git  main  up to date (reached)  not trusted: remote.origin.uploadpack, remote.origin.receivepack",
            ])
        let trusted = """
            \(Self.programs)
            cd a; settings remote trust origin; settings set volume 1 -q; settings sync -q; cat ~/ran; rm ~/ran
            stat -c %a ~/.config/settings/trusted; settings remote --json | grep trusted; settings remote | grep -c ' trusted'
            settings remote trust origin -q; git config remote.origin.uploadpack "$HOME/up --timeout=9"; settings sync
            cat ~/ran; settings remote untrust origin; settings remote untrust origin; grep -c hash ~/.config/settings/trusted
            """
        #expect(
            try home.run(":; \(trusted)") == [
                "trusted: remote.origin.uploadpack = '/home/ada/up'", "trusted: remote.origin.receivepack = '/home/ada/receive'",
                "up", "receive", "600", "      \"trusted\": true,", "          \"trusted\": true", "          \"trusted\": true",
                "1",
                "warning: remote.origin.uploadpack = '/home/ada/up --timeout=9' in this repository's configuration is not used "
                    + "for origin; if it is yours, 'settings remote trust origin' allows it, or move it to your own configuration "
                    + "(~/.gitconfig)",
                "up to date with origin", "cat: /home/ada/ran: No such file or directory",
                "no longer trusted: remote.origin.uploadpack = '/home/ada/up --timeout=9'",
                "no longer trusted: remote.origin.receivepack = '/home/ada/receive'", "nothing to do: origin is not trusted", "0",
                "[exit status: 1]",
            ])
    }

    /// One at a time, and each only in the repository where it was trusted.
    @Test func trustIsOfOneRepository() throws {
        let home = try SyncTests.office()
        let script = """
            \(Self.programs)
            cd a; git config remote.origin.uploadpack ~/up; settings remote trust origin -q; cd ..; cp -r a c; cd c
            settings sync 2>&1 | grep -c 'not used'; ls ~/ran; cd ../a; settings sync; rm ~/ran
            echo '{' > ~/.config/settings/trusted; settings sync 2>&1 | grep -c 'not used'; ls ~/ran; settings remote trust origin
            """
        #expect(
            try home.run(":; \(script)") == [
                "1", "ls: cannot access '/home/ada/ran': No such file or directory", "up to date with origin", "1",
                "ls: cannot access '/home/ada/ran': No such file or directory",
                "settings: /home/ada/.config/settings/trusted is damaged or belongs to another user, so no remote is trusted",
                "hint: remove it, and trust the remotes again", "[exit status: 65]",
            ])
        #expect(try home.run(":; cd a; settings remote trust nowhere").last == "[exit status: 66]")
    }

    @Test func addressesAreRewrittenOnlyIfThatIsTrusted() throws {
        let home = try SyncTests.office()
        let script = """
            cd a; git config url."$HOME/office/".insteadOf team:; git remote set-url origin team:bare.git
            settings set dark on -q; settings sync 2>&1 | grep -c sent
            settings remote trust origin; settings sync -q; git -C ../bare.git log -1 --format=%s
            """
        #expect(
            try home.run(":; GIT_SSH_COMMAND=false; export GIT_SSH_COMMAND; \(script)") == [
                "0", "trusted: url./home/ada/office/.insteadOf = 'team:'", "dark: Off → On",
            ])
    }

    @Test func sshCommandsOfTheRepositoryAreTrusted() throws {
        let home = try SyncTests.office()
        let script = """
            echo '#!/bin/sh' > ~/way; echo 'echo ssh >> ~/ran; test "$1" = -G && exit 1' >> ~/way; chmod +x ~/way
            echo 'for word; do :; done; exec sh -c "$word"' >> ~/way; cd a; git config core.sshCommand ~/way
            git remote set-url origin nowhere.invalid:$HOME/office/bare.git; settings set dark on -q
            settings sync 2>&1 | grep -c 'core.sshCommand = .*is not used for origin'; ls ~/ran; settings remote trust origin
            settings sync -q; sort -u ~/ran; git -C ../bare.git log -1 --format=%s
            """
        #expect(
            try home.run(":; \(script)") == [
                "1", "ls: cannot access '/home/ada/ran': No such file or directory", "trusted: core.sshCommand = '/home/ada/way'",
                "ssh", "dark: Off → On",
            ])
    }

    private static let hook = """
        printf '#!/bin/sh\\necho "$0" >> ~/ran\\n' > bare.git/hooks/update; chmod +x bare.git/hooks/update
        cp bare.git/hooks/update ~/fsmonitor; git -C bare.git config core.fsmonitor ~/fsmonitor
        git -C bare.git config core.alternateRefsCommand ~/fsmonitor
        """

    @Test func hooksOnThisMachineRunAfterTrust() throws {
        let home = try SyncTests.office()
        let script = """
            \(Self.hook)
            cd a; settings set dark on -q; settings push; settings remote | grep -c 'not trusted: hooks'
            settings remote trust origin; settings push -q; settings remote | grep -c ' trusted'; cat ~/ran
            settings remote untrust origin; settings set dark off -q; settings push 2>&1 | tail -1
            cp -r ../bare.git ../other.git; settings remote trust origin -q; git remote set-url origin ../other.git; settings push
            """
        #expect(
            try home.run(":; \(script)") == [
                "settings: /home/ada/office/a/../bare.git has an update hook, which settings does not run",
                "hint: 'settings remote trust origin' allows it; or reach the repository by ssh", "1",
                "trusted: the hooks of /home/ada/office/bare.git", "1", "hooks/update",
                "no longer trusted: the hooks of /home/ada/office/bare.git",
                "hint: 'settings remote trust origin' allows it; or reach the repository by ssh",
                "settings: /home/ada/office/a/../other.git has an update hook, which settings does not run",
                "hint: 'settings remote trust origin' allows it; or reach the repository by ssh", "[exit status: 77]",
            ])
    }

    /// Where the git directory is not in the repository's folder, or says elsewhere where its hooks are.
    @Test func hooksAreFoundWhereverTheyAre() throws {
        let home = try SyncTests.office()
        let script = """
            printf '#!/bin/sh\\nexit 1\\n' > no; chmod +x no; mkdir hooks; cp no hooks/update
            git init -q --separate-git-dir=real.git team; cp no real.git/hooks/pre-receive; git -C team checkout -q -b other
            git clone -q bare.git m; git -C m worktree add -q -b x ../linked; cp no m/.git/hooks/pre-receive
            git init -q --bare wc.git; git -C wc.git config core.repositoryformatversion 1
            git -C wc.git config extensions.worktreeConfig true; git -C wc.git config --worktree core.hooksPath "$PWD/hooks"
            git init -q --bare home.git; git -C home.git config core.hooksPath '~/office/hooks'; cd a; settings set dark on -q
            """
        #expect(try home.run(":; \(script)") == [])
        for address in ["../team", "../team/.git", "file://$HOME/office/team", "../linked", "../wc.git", "../home.git"] {
            let lines = try home.run(":; cd a; settings push \"\(address)\"")
            #expect(lines.first?.hasSuffix("hook, which settings does not run") == true, "\(address): \(lines)")
            #expect(lines.last == "[exit status: 77]", "\(address): \(lines)")
        }
        #expect(
            try home.run(
                ":; cd a; rm ../real.git/hooks/pre-receive; settings push ../team -q; git -C ../team log -1 --format=%s main")
                == ["dark: Off → On"])
    }

    /// The user's own configuration leads to the same repository: its hooks are neither run nor skipped, wherever the rule is,
    /// and although the repository's configuration has the same one.
    @Test(arguments: ["insteadOf", "pushInsteadOf"], ["", "repeated", "included"])
    func addressesThatLeadToAPath(_ key: String, _ way: String) throws {
        let home = try SyncTests.office()
        let script = """
            \(Self.hook)
            git config --global url."$HOME/office/".\(key) team:; git config --global url.elsewhere:.insteadOf tea
            cd a; git config remote.origin.url team:bare.git; test \(key) = insteadOf || git config remote.origin.url ../bare.git
            test \(key) = insteadOf || git config --global url."$HOME/office/bare.git".pushInsteadOf "$HOME/office/a/../bare.git"
            test "\(way)" != repeated || git config url."$HOME/office/".\(key) team:
            test "\(way)" != included || { mv ~/.gitconfig ~/rules; git config --global include.path ~/rules; }
            settings set dark on -q; settings push; settings remote trust origin; settings push -q; cat ~/ran
            settings pull; settings clone -q ../bare.git ../c; git -C ../c remote -v | wc -l
            """
        let path = "/home/ada/office/bare.git"
        #expect(
            try home.run(":; \(script)").filter { !$0.contains("url.") } == [
                "settings: \(path) has an update hook, which settings does not run",
                "hint: 'settings remote trust origin' allows it; or reach the repository by ssh",
                "trusted: the hooks of \(path)", "hooks/update", "up to date with origin", "2",
            ])
    }
}
