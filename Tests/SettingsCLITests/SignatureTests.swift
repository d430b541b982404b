import Foundation
import Testing

/// Versions that are signed with ssh keys, made and checked by ssh-keygen; git agrees about each of them.
@Suite(.enabled(if: SigningKey.has("ssh-keygen"), "ssh-keygen is not installed"))
struct SignatureTests {
    /// A store with the options `a` and `b`, in which every version is signed with Ada's key.
    private func signed() throws -> Home {
        let home = try Home()
        try SigningKey.write(for: home)
        for command in [
            "git config --global gpg.format ssh",
            "git config --global user.signingKey '~/.ssh/id_ed25519.pub'",
            "git config --global gpg.ssh.allowedSignersFile '~/allowed'",
            "git config --global commit.gpgSign true",
            "printf 'ada@example.org %s' \"$(cat ~/.ssh/id_ed25519.pub)\" > ~/allowed",
            "settings init -q", "settings add a --title A --switch -q", "settings add b --title B --number 1 -q",
        ] { #expect(try home.run(command) == []) }
        return home
    }

    /// git's letter and our word for each version, newest first.
    static func verdicts(_ home: Home) throws -> [String] {
        let git = try home.run("git log --format=%G? 2>/dev/null")
        let ours = try home.run(
            "settings history --signatures --jsonl | sed 's/.*\"signature\": *{\"status\": *\"\\([a-z]*\\)\".*/\\1/'")
        return zip(git, ours).map { "\($0) \($1)" } + (git.count == ours.count ? [] : ["\(git.count) and \(ours.count)"])
    }

    @Test func everyCommandThatRecordsSigns() throws {
        let home = try signed()
        for command in [
            "settings set a on -q", "settings undo -q", "settings redo -q", "settings set b 5 -q", "settings revert HEAD -q",
            "settings restore b --from HEAD~1 -q", "settings unset b -q", "settings rename b c -q",
            "settings define c --title C -q",
            "settings add d --title D --choice x y -q", "settings label add d z -q",
            "sed -i 's/\"on\"/\"On\"/; s/true/false/' a.json",
            "settings done -q", "printf '{\"n\": 1}' > ~/n.json; settings import ~/n.json -q", "settings remove d -q",
            "git branch other; settings set a on -q; git switch -q other; settings set c 3 -q; git switch -q main",
            "settings merge other -q",
        ] { #expect(try home.run(command) == [], "\(command)") }
        #expect(try home.run("git log --format=%G? | sort | uniq -c") == ["     20 G"])
        #expect(try home.run("git verify-commit HEAD 2>&1 | grep -c '^Good \"git\" signature for ada@example.org'") == ["1"])
        #expect(try home.run("settings verify --signatures --require") == ["20 versions checked: 20 signed by a known signer"])
        #expect(try home.unsound() == "")
        #expect(try home.run("mkdir ~/tmp; TMPDIR=$HOME/tmp settings undo -q; ls -A ~/tmp") == [])
    }

    @Test func commitIsWhatGitWrites() throws {
        let home = try signed()
        #expect(try home.run("settings set a on -q") == [])
        // git signs the same text, apart from the times, and its commit has the same lines.
        let script = """
            names() { sed -E 's/^(author|committer) .*/\\1/; /^gpgsig/!{/^ /d}'; }
            git cat-file commit HEAD | tee ~/whole | names > ~/ours; sed '1,/^$/d' ~/whole > ~/text
            git cat-file commit $(git commit-tree -S -F ~/text -p HEAD~1 'HEAD^{tree}') | names > ~/theirs
            diff ~/ours ~/theirs && grep gpgsig ~/ours
            """
        #expect(try home.run(script) == ["gpgsig -----BEGIN SSH SIGNATURE-----"])
        #expect(try home.run("git cat-file commit HEAD | sed -n '/^committer/{n;s/ .*//;p;q}'") == ["gpgsig"])
    }

    @Test func tagsAreSignedAsConfigured() throws {
        let home = try signed()
        #expect(try home.run("settings tag plain -q; git tag -v plain 2>&1 | tail -1") == ["error: no signature found"])
        #expect(try home.run("settings tag wanted --sign -q; git tag -v wanted 2>&1 | grep -c '^Good'") == ["1"])
        #expect(
            try home.run(
                "git config tag.gpgSign true; settings tag asked -m 'For the\n\naudit' -q; git tag -v asked 2>&1 | grep -c '^Good'"
            ) == ["1"])
        #expect(
            try home.run("settings tag --force asked HEAD~1 --no-sign -q; git tag -v asked 2>&1 | tail -1") == [
                "error: no signature found"
            ])
        let refused = try home.run("settings tag refused --sign=/none")
        #expect(
            refused.last == "[exit status: 77]" && refused[0].hasPrefix("settings: cannot sign with key '/none'"), "\(refused)")
        #expect(try home.run("git tag -l refused; git fsck --strict --no-dangling 2>/dev/null") == [])
        #expect(try home.run("settings tag --json | grep -c '\"message\": \"For the'") == ["0", "[exit status: 1]"])
    }

    /// A commit whose content was changed after it was signed, unknown keys, times, namespaces and revoked keys.
    @Test func gitAgreesAboutEachSignature() throws {
        let home = try signed()
        let script = """
            for k in other before after early soon namespace revoked pattern; do ssh-keygen -q -t ed25519 -N '' -C $k -f ~/$k; done
            now=$(date -d @$(($SETTINGS_NOW + 1800)) +%Y%m%d%H%M%S); past=$(date -d @$(($SETTINGS_NOW - 1800)) +%Y%m%d%H%M%S)
            { echo "ada@example.org valid-before=\\"20200101\\" $(cat ~/before.pub)"
              echo "ada@example.org valid-after=\\"20200101\\",valid-before=\\"20990101\\" $(cat ~/after.pub)"
              echo "ada@example.org valid-after=\\"$now\\" $(cat ~/early.pub)"
              echo "ada@example.org valid-after=\\"$past\\",valid-before=\\"$now\\" $(cat ~/soon.pub)"
              echo "ada@example.org namespaces=\\"file\\" $(cat ~/namespace.pub)"
              echo "ada@example.org $(cat ~/revoked.pub)"
              echo "*@example.org,x@y namespaces=\\"git\\" $(cat ~/pattern.pub)"; } >> ~/allowed
            ssh-keygen -q -k -f ~/revoked.krl ~/revoked.pub; git config --global gpg.ssh.revocationFile ~/revoked.krl
            for k in other before after early soon namespace revoked pattern; do settings set b+=1 --sign=~/$k -q; done
            settings set b+=1 -q --no-sign; settings set b+=1 -q --sign
            git update-ref refs/heads/main $(git cat-file commit HEAD | sed 's/^Via: .*/Via: nobody/' |
              git hash-object -t commit -w --stdin)
            """
        #expect(try home.run(script) == [])
        let expected = [
            "B bad", "N none", "G good", "B bad", "U unknown", "G good", "U unknown", "G good", "U unknown", "U unknown",
        ]
        #expect(try Self.verdicts(home).prefix(10) == expected.prefix(3) + [expected[3]] + (try namespace(home)) + expected[5...])
        let shown = try home.run("settings show HEAD | grep signature")
        #expect(
            shown.first?.contains("bad signature: the signature does not match the version") == true, "\(shown)")
        let verified = try home.run("settings verify --signatures")
        #expect(
            verified.contains("settings: found 2 bad signatures") || verified.contains("settings: found 3 bad signatures"),
            "\(verified)")
        #expect(verified.last == "[exit status: 65]")
        #expect(
            try home.run("settings verify --signatures HEAD~2..HEAD~1 --require 2>/dev/null | head -1").first?.hasSuffix(
                "  not signed")
                == true)
        #expect(try home.run("settings verify --signatures HEAD~2..HEAD~1") == ["1 version checked: 1 not signed"])
        #expect(try home.run("settings history -n 4 --signatures | grep -c 'the key has been revoked'") == ["1"])
    }

    /// Versions of OpenSSH differ in whether a key for another namespace is found at all.
    private func namespace(_ home: Home) throws -> [String] {
        try home.run("git log -1 --format=%G? HEAD~4") == ["B"] ? ["B bad"] : ["U unknown"]
    }

    @Test func keyThatCannotBeUsedRecordsNothing() throws {
        let home = try signed()
        let before = try home.run("git rev-parse HEAD; cat a.json; ls -A .git/settings")
        for (command, words) in [
            ("settings set a on --sign=/none/key", "settings: cannot sign with key '/none/key': ssh-keygen: "),
            (
                "git config --global gpg.ssh.program nowhere; settings set a on",
                "settings: cannot sign: 'nowhere' is not installed"
            ),
            (
                "git config --global gpg.ssh.program ./here; settings set a on",
                "settings: cannot sign: gpg.ssh.program is the relative"
            ),
            (
                "git config --global --unset gpg.ssh.program; git config --global gpg.format x509; settings set a on",
                "settings: cannot sign: gpg.format is 'x509'"
            ),
            (
                "git config --global gpg.format ssh; git config --global --unset user.signingKey; settings set a on",
                "settings: cannot sign: no ssh key is configured"
            ),
            (
                "git config user.signingKey $HOME/.ssh/id_ed25519.pub; settings set a on",
                "settings: cannot sign: user.signingKey names the file"
            ),
            ("sed -i 's/false/true/' a.json; settings done", "settings: cannot sign: user.signingKey names the file"),
        ] {
            let lines = try home.run(command)
            let status = words.contains("not installed") ? 69 : 77
            #expect(lines.first?.hasPrefix(words) == true && lines.last == "[exit status: \(status)]", "\(command): \(lines)")
            #expect(lines.count == 3 && lines[1].hasPrefix("hint: "), "\(lines)")
        }
        #expect(try home.run("git checkout -q a.json; git rev-parse HEAD; cat a.json; ls -A .git/settings") == before)
        // What changes nothing needs no key, and a dry run signs nothing.
        #expect(try home.run("settings set a off") == ["nothing to do: already set"])
        #expect(try home.run("settings set a on -n").first == "would record:")
        #expect(try home.run("settings set a on -q --no-sign; settings set a off -q --sign=$HOME/.ssh/id_ed25519") == [])
        #expect(try Self.verdicts(home).prefix(2) == ["G good", "N none"])
    }

    @Test func repositoryMayOnlyAskForMore() throws {
        let home = try signed()
        let evil = "printf '#!/bin/sh\\ntouch ~/ran\\n' > ~/evil; chmod +x ~/evil; "
        let keys = ["gpg.program", "gpg.openpgp.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand"]
        #expect(try home.run(evil + keys.map { "git config \($0) ~/evil" }.joined(separator: ";")) == [])
        #expect(
            try home.run("mkfifo ~/pipe; git config gpg.ssh.allowedSignersFile ~/pipe; git config commit.gpgSign false") == [])
        #expect(
            try home.run("settings set a on -q; settings history --signatures -n 1 | tail -1").first?.hasPrefix(
                "    signed by ada@example.org, ") == true)
        // Another repository asks for signatures although the user doesn't.
        #expect(
            try home.run(
                "git config --global commit.gpgSign false; settings set a off -q; settings show HEAD | grep -c signature"
            ).first == "0")
        #expect(
            try home.run("git config commit.gpgSign true; settings set a on -q; settings verify --signatures HEAD~1..") == [
                "1 version checked: 1 signed by a known signer"
            ])
        // A public key that it names must be the user's agent's.
        let refused = try home.run("git config user.signingKey \"$(cat ~/.ssh/id_ed25519.pub)\"; settings set a off")
        #expect(refused.last == "[exit status: 77]", "\(refused)")
        #expect(try home.run("ls ~/ran") == ["ls: cannot access '/home/ada/ran': No such file or directory", "[exit status: 2]"])
    }

    @Test func commandLineOfGitCounts() throws {
        let home = try signed()
        #expect(try home.run("git config --global --unset commit.gpgSign; settings set a on -q") == [])
        let variables = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=commit.gpgsign GIT_CONFIG_VALUE_0=true"
        #expect(try home.run("\(variables) settings set a off -q") == [])
        #expect(try home.run("git -c commit.gpgSign=true -c alias.s='!settings set a on -q' s") == [])
        #expect(try Self.verdicts(home).prefix(3) == ["G good", "G good", "N none"])
    }

    @Test func withoutTheProgramNothingIsCalledGood() throws {
        let home = try signed()
        #expect(try home.run("mkdir ~/bin; ln -s $(command -v settings) $(command -v git) ~/bin") == [])
        let run = try home.run("PATH=$HOME/bin settings verify --signatures")
        #expect(run.first?.contains("signed, but this cannot be checked: 'ssh-keygen' is not installed") == true, "\(run)")
        #expect(run.suffix(2) == ["settings: 3 signatures could not be checked", "[exit status: 69]"], "\(run)")
        #expect(try home.run("PATH=$HOME/bin settings show HEAD | grep -c 'cannot be checked'") == ["1"])
        #expect(
            try home.run(
                "git config --global --unset gpg.ssh.allowedSignersFile; settings show HEAD | grep -c 'allowedSignersFile is not set'"
            ) == ["1"])
    }

    /// Somebody records a version while a person signs another one: it is signed once more, on top of that.
    @Test func nobodyIsKeptOutWhileAPersonSigns() throws {
        let home = try signed()
        // Beats the first two attempts; the third one holds the lock.
        let program = """
            printf '#!/bin/sh\\ncase "$*" in *sign*-f*) echo x >> ~/calls; \
            if [ $(wc -l < ~/calls) -lt 3 ]; then settings set b+=1 -q --no-sign || echo refused; fi; esac; exec ssh-keygen "$@"\\n' \
            > ~/slow; chmod +x ~/slow; git config --global gpg.ssh.program '~/slow'
            """
        #expect(try home.run(program) == [])
        #expect(try home.run("settings set a on -q; wc -l < ~/calls; settings get a b") == ["3", "true", "3"])
        #expect(try home.run("git config --global --unset gpg.ssh.program") == [])
        #expect(try Self.verdicts(home).prefix(3) == ["G good", "N none", "N none"])
    }

    @Test(arguments: ["TERM", "INT", "HUP"])
    func interruptedSignatureLeavesNothing(_ signal: String) throws {
        let home = try signed()
        let script = """
            mkdir ~/tmp; export TMPDIR=$HOME/tmp
            printf '#!/bin/sh\\necho $$ > ~/running; sleep 100\\n' > ~/slow; chmod +x ~/slow
            git config --global gpg.ssh.program '~/slow'; git rev-parse HEAD > ~/before
            python3 -c 'import os, signal; signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execvp("settings", ["settings", "set", "a", "on"])' & process=$!
            while ! [ -s ~/running ]; do sleep 0.05; done; ls ~/tmp | wc -l
            settings set b 2 -q --no-sign && settings undo -q --no-sign
            kill -\(signal) $process; wait $process; echo $(($? - 128))
            ls -A ~/tmp; if kill -0 $(cat ~/running) 2>/dev/null; then echo it still runs; fi
            git diff $(cat ~/before) HEAD --stat; git status --porcelain; settings get a
            """
        // A shell without job control lets background processes ignore Ctrl-C.
        let number = ["TERM": "15", "INT": "2", "HUP": "1"][signal] ?? ""
        // The shell reports some of the signals.
        let lines = try home.run(script).filter { !["Terminated", "Hangup"].contains($0) }
        #expect(lines == ["1", number, "false"], "\(lines)")
    }

    @Test func doctorSaysWhatSigns() throws {
        let home = try signed()
        #expect(
            try home.run("settings doctor | grep ^signing").first?.contains(
                "versions are signed with the ssh key /home/ada/.ssh/id_ed25519.pub by /") == true)
        let missing = try home.run("rm ~/.ssh/id_ed25519.pub; settings doctor 2>&1 | grep ^signing")
        #expect(missing == ["signing     ! versions are signed, but the key /home/ada/.ssh/id_ed25519.pub is missing"])
    }

    @Test func usageIsChecked() throws {
        let home = try signed()
        for command in [
            "set a on --sign=x --no-sign", "set a on --sign=", "set a on -m --sign=x", "verify --require",
            "verify --signatures --deep",
        ] {
            #expect(try home.run("settings \(command) >/dev/null 2>&1") == ["[exit status: 64]"], "\(command)")
        }
        // A reason that looks like the option is one where it is written as such.
        #expect(try home.run("settings set a on -q --message=--sign=x; git log -1 --format=%b | head -1") == ["--sign=x"])
    }
}

/// A key with a passphrase, which the person types at the terminal.
@Suite(
    .enabled(if: SigningKey.has("ssh-keygen") && Terminal.isThere, "ssh-keygen is not installed, or python3 has no module pty"))
struct PassphraseTests {
    @Test func isAskedForAtTheTerminal() throws {
        let home = try Home()
        for command in [
            "settings init -q; settings add a --title A --switch -q", "ssh-keygen -q -t ed25519 -N secret -f ~/key",
            "git config --global gpg.format ssh; git config --global user.signingKey '~/key'",
        ] { #expect(try home.run(command) == []) }
        let typed = try Terminal(home).run("settings set a on --sign", [("assphrase", "secret\n")])
        #expect(typed.contains("A (a): Off → On") && !typed.contains("exit status"), "\(typed)")
        #expect(try home.run("git cat-file commit HEAD | grep -c '^gpgsig'") == ["1"])
        let wrong = try Terminal(home).run("settings set a off --sign", [("assphrase", "wrong\n")])
        #expect(wrong.contains("cannot sign with key") && wrong.contains("[exit status: 77]"), "\(wrong)")
        let interrupted = try Terminal(home).run("TMPDIR=$HOME settings set a off --sign", [("assphrase", "\u{3}")])
        #expect(interrupted.contains("[exit status: 130]") || interrupted.contains("exit status"), "\(interrupted)")
        #expect(try home.run("settings get a; ls -A ~ | grep -c settings-; git status --porcelain") == ["true", "0"])
    }
}
