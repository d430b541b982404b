import Foundation
import Surroundings
import Testing

/// 'clone' and 'bundle' through the program.
@Suite struct CloneTests {
    @Test func clonesAreReadyForUse() throws {
        let home = try SyncTests.office()
        _ = try home.run(":; cd a; settings tag opening -q; settings push -q")
        let lines = try home.run(
            "settings clone bare.git c; cd c; git status -sb; settings tag -q | wc -l; git config merge.settings.name")
        #expect(
            SyncTests.plain(lines) == [
                "ID  cloned into /home/ada/office/c", "## main...origin/main", "1", "settings, by meaning",
            ])
        #expect(
            try home.run(
                ":; cd c; git pull -q; settings set dark on -q; git push -q 2>&1; cd ../b; settings sync -q; settings get dark")
                == ["true"])
        try SyncTests.check(home, ["b", "c"])
    }

    @Test func branchesAndBareRepositories() throws {
        let home = try SyncTests.office()
        _ = try home.run(":; cd a; git switch -q -c topic; settings set dark on -q; settings push -q")
        #expect(
            try home.run("settings clone -q bare.git t -b topic; cd t; git branch; settings get dark") == ["* topic", "true"])
        #expect(
            try home.run(
                "settings clone -q --bare a; cd a.git; git rev-parse --is-bare-repository HEAD@{0} 2> /dev/null | head -1; git branch"
            )
                == ["true", "* topic"])
        #expect(try home.run(":; cd a; settings sync ../a.git; git fsck --strict") == ["up to date with ../a.git"])
    }

    @Test(arguments: [
        ("nowhere", 66, "there is no repository at nowhere"), ("http://127.0.0.1:1/x", 75, "cannot be reached"),
        ("empty.git", 66, "empty.git has no versions yet"), ("plain x", 66, "plain does not contain a store"),
        ("bare.git -b none", 66, "bare.git has no branch 'none'"), ("bare.git a", 64, "exists and is not an empty folder"),
        ("evil x", 65, "language.json is a symbolic link in ID by Ada Example"),
        ("cut.bundle", 65, "which is not in this repository"),
        ("half.bundle", 65, "half.bundle sent damaged data"), ("stub.bundle", 66, "there is no repository at stub.bundle"),
        ("header.bundle", 65, "header.bundle sent damaged data: the bundle is truncated in its header"),
        ("large x --limit 64K", 65, "sent more than 64 KiB"),
    ]) func failuresLeaveNoFolder(_ words: String, _ status: Int, _ reason: String) throws {
        let home = try SyncTests.office()
        let script = """
            git init -q --bare empty.git; git init -q plain; cd plain; git commit -q --allow-empty -m x; cd ..
            cp -r b large; head -c 200000 /dev/urandom > large/notes; git -C large add notes; git -C large commit -qm notes
            cp -r b evil; cd evil; rm language.json; ln -s /etc/passwd language.json; git commit -qam evil; cd ..
            cd a; for n in $(seq 60); do settings set volume $n -q; done; settings push -q
            settings bundle ../cut.bundle --since HEAD~1 -q; cd ..
            git -C a bundle create -q ../whole HEAD main; head -c 900 whole > half.bundle; head -c 10 whole > stub.bundle
            head -c 60 whole > header.bundle; ls -A
            """
        let before = try home.run(":; \(script)")
        let lines = try home.run("settings clone \(words)")
        #expect(lines.last == "[exit status: \(status)]" && SyncTests.plain(lines)[0].contains(reason), "\(lines)")
        #expect(try home.run("ls -A") == before)
    }

    @Test(arguments: [("TERM", 143), ("HUP", 129)]) func interruptedClonesLeaveNothing(_ signal: String, _ status: Int) throws {
        let home = try SyncTests.office()
        let script = """
            printf '#!/bin/sh\\ntouch ~/started; exec sleep 60\\n' > ~/ssh; chmod +x ~/ssh; ls -A > ~/before
            GIT_SSH_COMMAND=~/ssh settings clone host:shop.git & clone=$!
            for n in $(seq 1200); do test -e ~/started && break; sleep 0.1; done
            kill -\(signal) $clone; wait $clone; echo $?; ls -A | diff ~/before -
            """
        #expect(try home.run(":; \(script)") == ["\(status)"])
    }

    /// What lacks a part of its history can't hand it on; what it has can still be pulled.
    @Test func incompleteRepositories() throws {
        let home = try SyncTests.office()
        let script = """
            :; git -C bare.git config uploadpack.allowFilter true; git clone -q --depth 1 file://$PWD/bare.git shallow
            cd a; for n in 1 2 3; do settings set volume $n -q; done; settings sync -q; cd ..
            git clone -q --filter=blob:none file://$PWD/bare.git partial; git init -q --object-format=sha256 other
            git -C other commit -q --allow-empty -m x; git init -q new; git -C new commit -q --allow-empty -m x
            """
        #expect(try home.run(script) == [])
        for (command, status, reason) in [
            ("clone shallow x", 65, "shallow is a shallow or partial clone, which does not have the whole history"),
            ("clone partial x", 65, "partial is a shallow or partial clone, which does not have the whole history"),
            ("clone other x", 65, "other is a repository of git's SHA-256 format, which settings does not support"),
            ("pull --store a ../other", 65, "../other is a repository of git's SHA-256 format, which settings does not support"),
            ("bundle --store shallow x", 66, "this shallow clone does not have the whole history"),
            ("bundle --store partial x", 66, "this partial clone does not have the whole history"),
        ] {
            let lines = try home.run("settings \(command)")
            #expect(lines.first?.contains(reason) == true && lines.last == "[exit status: \(status)]", "\(command): \(lines)")
            #expect(try home.run("ls -d x .settings* 2> /dev/null").last == "[exit status: 2]")
        }
        let pulled = try home.run(
            ":; cd partial; settings set dark on -q; cd ../a; settings pull -q ../partial; settings get dark")
        #expect(pulled == ["true"])
        let synced = try home.run(
            ":; cd partial; settings sync -q; cd ../shallow; settings set language French -q; settings sync -q; cd ../a; "
                + "settings sync -q; settings get language; cd ..; git -C shallow fsck --strict; git -C partial fsck --strict")
        #expect(synced == ["french"])
        try SyncTests.check(home, ["a", "shallow"])
    }

    /// The conflict was left open on versions that this clone doesn't have.
    @Test func partialClonesThatCannotTellChangeNothing() throws {
        let home = try SyncTests.office()
        let script = """
            git -C bare.git config uploadpack.allowFilter true; cd a; settings set volume 60 -q; settings sync -q
            cd ../b; settings set volume 30 -q; settings sync -q > /dev/null; cd ..
            git clone -q --filter=tree:0 file://$PWD/bare.git partial; settings setup -q --store partial
            cd a; settings sync -q > /dev/null; settings set language French -q; settings sync -q
            cd ../partial; settings set language German -q; git rev-parse HEAD origin/main > ~/before
            """
        #expect(try home.run(":; \(script)") == [])
        let lines = try home.run(":; cd partial; settings sync; git rev-parse HEAD origin/main | diff ~/before -")
        #expect(lines.first?.hasSuffix(": this partial clone has left it with its remote") == true, "\(lines)")
        #expect(
            lines.dropFirst() == ["hint: 'git fetch --refetch --no-filter' fetches every object", "[exit status: 65]"]
                || lines.count == 2, "\(lines)")
        let whole = try home.run(":; cd partial; git fetch -q --refetch --no-filter; settings sync -q; settings get language")
        #expect(whole.last == "french", "\(whole)")
        try SyncTests.check(home, ["partial"])
    }

    /// A conflict was left open and resolved in versions whose files this clone doesn't have: their messages say so.
    @Test func partialClonesExchangeBesideAResolvedConflict() throws {
        let home = try SyncTests.office()
        let script = """
            git -C bare.git config uploadpack.allowFilter true; cd a; settings set language French -q; settings sync -q
            cd ../b; settings set language German -q; settings sync -q > /dev/null; settings resolve language German -q
            settings set volume 50 -q; settings sync -q; cd ..
            git clone -q --filter=blob:none file://$PWD/bare.git partial; settings setup -q --store partial
            cd partial; settings set volume 70 -q; cd ../b
            settings set language English -q; settings set language French -q; settings sync -q
            """
        #expect(try home.run(":; \(script)") == [])
        let lines = try home.run(
            ":; cd partial; settings sync; git rev-parse HEAD origin/main | uniq | wc -l; cd ../b; settings sync -q")
        #expect(SyncTests.plain(lines).contains("2 versions fetched from origin:"), "\(lines)")
        #expect(SyncTests.plain(lines).contains("1 version sent to origin:"), "\(lines)")
        #expect(lines.last == "1", "\(lines)")
        try SyncTests.check(home, ["b", "partial"])
    }

    /// A conflict is open, of which this clone doesn't have the sides.
    @Test func partialClonesSendBesideAnOpenConflict() throws {
        let home = try SyncTests.office()
        let script = """
            git -C bare.git config uploadpack.allowFilter true; cd a; settings set language French -q; settings sync -q
            cd ../b; settings set language German -q; settings sync -q > /dev/null; settings set volume 50 -q; settings sync -q
            cd ..; git clone -q --filter=blob:none file://$PWD/bare.git partial; settings setup -q --store partial
            """
        #expect(try home.run(":; \(script)") == [])
        let sent = try home.run(":; cd partial; settings conflicts 2>&1 | tail -1; settings set volume 70 -q; settings sync")
        #expect(
            SyncTests.plain(sent) == [
                "hint: 'git fetch --refetch --no-filter' fetches every object", "1 version sent to origin:",
                "  ID  Volume (volume): 50 → 70  Ada Example",
            ])
        // A fast-forward and a merge of other options.
        let script2 = """
            cd b; settings sync -q; settings set dark on -q; settings sync -q; cd ../partial; settings sync
            cd ../b; settings set dark off -q; settings sync -q; cd ../partial; settings set volume 80 -q; settings sync
            cd ../b; settings sync -q
            """
        let lines = SyncTests.plain(try home.run(":; \(script2)"))
        #expect(
            lines == [
                "1 version fetched from origin:", "  ID  Dark mode (dark): Off → On  Ada Example",
                "1 version fetched from origin:", "  ID  Dark mode (dark): On → Off  Ada Example",
                "1 version sent to origin:", "  ID  Volume (volume): 70 → 80  Ada Example",
            ])
        try SyncTests.check(home, ["b", "partial"])
    }

    @Test func whatDeadProcessesLeftIsRemoved() throws {
        let home = try SyncTests.office()
        let script = """
            mkdir -p .settings-clone-dead1/clone ~/off/.settings-bundle-dead1; touch ~/off/.settings-bundle-dead1/bundle.lock
            settings clone -q bare.git c; settings bundle --store c -q ~/off/1.bundle; ls -A . ~/off | grep '^[.]settings'
            """
        #expect(try home.run(":; \(script)") == ["[exit status: 1]"])
    }

    @Test func bundlesContinueEachOther() throws {
        let home = try SyncTests.office()
        let script = """
            mkdir ~/off; cd a; settings tag start -q; settings bundle ~/off/1.bundle; settings set dark on -q
            settings bundle ~/off/2.bundle --since-last; settings bundle ~/off/3.bundle --since-last; echo $?
            settings set volume 3 -q; settings bundle ~/off/3.bundle --since-last --json | grep '"versions"'; ls ~/off
            git bundle verify -q ~/off/3.bundle > /dev/null 2>&1
            """
        let lines = try home.run(":; \(script)").map {
            $0.replacingOccurrences(of: " \\([0-9]+ bytes\\)", with: "", options: .regularExpression)
        }
        #expect(
            SyncTests.plain(lines) == [
                "ID  4 versions written to /home/ada/off/1.bundle", "ID  1 version written to /home/ada/off/2.bundle",
                "settings: there is nothing new to bundle", "1", "  \"versions\": 1,", "1.bundle", "2.bundle", "3.bundle",
            ])
        let back = """
            settings clone -q ~/off/1.bundle back; cd back; settings pull ~/off/3.bundle -q; echo $?
            settings pull ~/off/2.bundle -q; settings pull ~/off/3.bundle -q; settings get dark volume; git tag
            """
        let restored = try home.run(":; \(back) 2> /dev/null")
        #expect(restored.suffix(4) == ["65", "true", "3", "start"], "\(restored)")
        #expect(try home.unsound() == "")
    }
}
