import Foundation
import Surroundings
import Testing

/// Versions of git and kinds of repositories that versions cannot be exchanged with, and clones that were killed.
@Suite struct SyncLimitsTests {
    @Test func oldVersionsOfGitAreNamed() throws {
        let home = try SyncTests.office()
        let script = """
            mkdir ~/old; echo '#!/bin/sh' > ~/old/git; chmod +x ~/old/git
            echo 'test "$*" = --version && echo git version 2.25.1 && exit' >> ~/old/git
            echo 'echo "error: unknown option \\`no-write-fetch-head'"'"'" >&2; exit 129' >> ~/old/git
            PATH=~/old:$PATH; export PATH; cd a; settings set dark on -q
            """
        for command in ["sync", "pull", "push", "clone ../bare.git ../c"] {
            #expect(
                try home.run(":; \(script.replacingOccurrences(of: "mkdir", with: "mkdir -p")); settings \(command)") == [
                    "settings: git version 2.25.1 is too old: exchanging versions needs git 2.29 or later",
                    "hint: install a newer git; everything else works", "[exit status: 69]",
                ], "\(command)")
        }
    }

    @Test func repositoriesWithSHA256AreNamed() throws {
        let home = try SyncTests.office()
        let script = """
            git init -q --object-format=sha256 -b main w; cd w; cp ../a/*.json .; git add .; git commit -qm new; cd ..
            git clone -q --bare w new.git; git init -q --bare --object-format=sha256 empty.git
            git -C w bundle create -q ../w.bundle main HEAD
            """
        #expect(try home.run(":; { \(script)\n} 2>&1") == [])
        for (command, name) in [
            ("cd a; settings pull ../new.git", "../new.git"), ("cd a; settings push ../empty.git", "../empty.git"),
            ("cd a; settings sync ../w.bundle", "../w.bundle"), ("settings clone w.bundle c", "w.bundle"),
            ("settings clone new.git c", "new.git"),
        ] {
            #expect(
                try home.run(":; \(command)") == [
                    "settings: \(name) is a repository of git's SHA-256 format, which settings does not support; nothing was changed",
                    "[exit status: 65]",
                ])
        }
        let own = try home.run(":; cd w; settings get volume; settings sync")
        #expect(own.first == "40" && own.last == "[exit status: 66]" && own[1].hasSuffix("cannot read yet"), "\(own)")
    }

    @Test func bundlesThatBuildOnAMissingOne() throws {
        let home = try SyncTests.office()
        let script = """
            mkdir ~/off; cd a; settings bundle ~/off/1.bundle -q; id=$(git rev-parse HEAD); settings set dark on -q
            settings bundle ~/off/2.bundle --since-last -q; settings set volume 3 -q; mv ~/off/1.bundle ~
            settings bundle ~/off/3.bundle --since-last 2>&1 | sed "s/$id/MISSING/"; ls ~/off; mv ~/1.bundle ~/off/9.bundle
            settings bundle ~/off/3.bundle --since-last --json | grep '"versions"'
            """
        #expect(
            try home.run(":; \(script)") == [
                "settings: /home/ada/off/2.bundle builds on version MISSING, which is in no bundle in that folder; nothing was written",
                "hint: restore the missing bundle, or write a complete one without --since-last", "2.bundle",
                "  \"versions\": 1,",
            ])
    }

    @Test func bundlesSinceATimeBeforeTheFirstVersion() throws {
        let home = try SyncTests.office()
        let script =
            "settings bundle ../f.bundle --since '7 days ago' --json | grep '\"versions\"'; settings clone ../f.bundle ../c -q"
        #expect(try home.run(":; cd a; \(script); settings get volume --store ../c") == ["  \"versions\": 4,", "40"])
        let missing = try home.run(":; cd a; settings bundle nowhere/f.bundle; ls -d nowhere 2> /dev/null")
        #expect(
            missing.first == "settings: cannot write /home/ada/office/a/nowhere/f.bundle: its folder does not exist", "\(missing)"
        )
    }

    private static let bundleHint = "hint: name a new file in an existing folder, or an earlier bundle"

    @Test func bundlesTakeThePlaceOfFilesAlone() throws {
        let home = try SyncTests.office()
        let script = "cd a; mkfifo ../pipe; ln -s pipe ../link; mkdir ../folder"
        #expect(try home.run(":; \(script)") == [])
        for name in ["pipe", "link", "folder"] {
            let after = "test -p ../pipe && test -L ../link && test -d ../folder && exit $status"
            let lines = try home.run(":; cd a; settings bundle ../\(name) 2>&1; status=$?; \(after)")
            #expect(
                lines == [
                    "settings: cannot write /home/ada/office/\(name): it is not a regular file", Self.bundleHint,
                    "[exit status: 74]",
                ])
        }
        #expect(
            try home.run(":; cd a; echo old > ../file; settings bundle ../file; status=$?; cat ../file; exit $status") == [
                "settings: cannot write /home/ada/office/file: the file exists and is not a bundle", Self.bundleHint, "old",
                "[exit status: 74]",
            ])
        // A bundle and an empty file are replaced, through links.
        let replace =
            "settings bundle ../new -q; ln -s new ../to; : > ../empty; settings bundle ../to -q; settings bundle ../empty -q"
        #expect(
            try home.run(
                ":; cd a; \(replace); test -L ../to; { git bundle verify -q ../new && git bundle verify -q ../empty; } 2> /dev/null"
            ) == [])
    }

    /// What a host is called says nothing about what it sent.
    @Test func hostsWithNamesLikeErrors() throws {
        let home = try SyncTests.office()
        for url in ["http://corrupt.invalid:1/bad-object.git", "ssh://invalid.invalid/unpack.git"] {
            let lines = try home.run(":; cd a; settings sync \(url)")
            #expect(lines.last == "[exit status: 75]" && lines.first?.contains("cannot be reached") == true, "\(lines)")
        }
    }

    @Test func clonesThatWereKilledAreRemovedByTheNext() throws {
        let home = try SyncTests.office()
        let script = """
            real=$(command -v git); mkdir ~/slow; touch ~/wait
            printf '#!/bin/sh\\nwhile test -e ~/wait; do sleep 0.1; done\\nexec %s "$@"\\n' "$real" > ~/slow/git; chmod +x ~/slow/git
            mkdir new; cd new; PATH=~/slow:$PATH settings clone -q ../bare.git dead & dead=$!
            PATH=~/slow:$PATH settings clone -q ../bare.git alive & alive=$!
            for n in $(seq 1200); do test $(ls -d .settings-clone-*/clone 2> /dev/null | wc -l) = 2 && break; sleep 0.1; done
            kill -9 $dead; wait $dead 2> /dev/null
            settings clone -q ../bare.git c; ls -d .settings-clone-* | wc -l; rm ~/wait; wait $alive; ls -A
            """
        #expect(try home.run(":; cd ~/office; { \(script)\n} 2> /dev/null") == ["1", "alive", "c"])
    }

    /// Each sweeps the folder for what dead ones left, also while another has just made its own.
    @Test func clonesIntoOneFolderAtOnce() throws {
        let home = try SyncTests.office()
        let script = "mkdir new; cd new; for n in $(seq 24); do settings clone -q ../bare.git $n & done; wait; ls -A | wc -l"
        #expect(try home.run(":; cd ~/office; { \(script)\n} 2>&1") == ["24"])
    }

    /// So many that they are checked on all processors; the oldest fault is named.
    @Test func oneBadVersionAmongThousands() throws {
        let home = try SyncTests.office()
        let script = """
            cd a; head=$(git rev-parse HEAD); {
              for n in $(seq 3000); do
                echo "commit refs/heads/main"; echo "committer Mal <mal@example.org> $((1800000000 + n)) +0000"
                echo "data <<."; echo "version $n"; echo .; test $n = 1 && echo "from $head"
                case $n in
                  2100) echo "M 120000 inline general/evil.json" ;;
                  2500) echo "M 120000 inline general/worse.json" ;;
                  2900) echo "D general/evil.json"; echo "D general/worse.json"; echo "M 100644 inline note" ;;
                  *) echo "M 100644 inline note" ;;
                esac
                echo "data <<."; echo "$n"; echo .
              done
            } > ../stream; cd ..; git clone -q bare.git mal; cd mal; git fast-import --quiet --force < ../stream
            id=$(git log --format=%h --grep='^version 2100$'); git push -q origin main; cd ../a
            before=$(git rev-parse HEAD; find .git/objects -type f | sort); settings sync 2>&1 | sed "s/$id/BAD/"
            after=$(git rev-parse HEAD; find .git/objects -type f | sort); test "$before" = "$after" && echo unchanged
            settings clone ../bare.git ../new 2>&1 | sed "s/$id/BAD/"; ls ..
            """
        let lines = try home.run(":; { \(script)\n} 2>&1")
        #expect(lines.filter { $0.contains("general/evil.json") && $0.contains("BAD") }.count == 2, "\(lines)")
        #expect(lines.contains("unchanged") && !lines.contains("new"), "\(lines)")
    }
}
