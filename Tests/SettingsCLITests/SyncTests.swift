import Foundation
import Surroundings
import Testing

/// 'sync', 'pull' and 'push' through the program, with repositories in folders.
@Suite struct SyncTests {
    /// A bare repository in `~/office/bare.git` and two clones of a store beside it, `a` and `b`.
    static func office() throws -> Home {
        let home = try Home()
        let script = """
            git init -q --bare bare.git; settings init -q a --title Shop; cd a
            settings add -q language --title Language --choice English French German
            settings add -q volume --title Volume --number 40; settings add -q dark --title 'Dark mode' --switch
            git remote add origin ../bare.git; settings push -q; cd ..; git clone -q bare.git b; settings setup -q --store b
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        return home
    }

    /// The identifiers of versions, and times, vary.
    static func plain(_ lines: [String]) -> [String] {
        lines.map { line in
            line.replacingOccurrences(of: "\\b[0-9a-f]{7}\\b", with: "ID", options: .regularExpression)
                .replacingOccurrences(of: ", [0-9-]{10} [0-9:]{8} [+-][0-9]{4}", with: "", options: .regularExpression)
        }
    }

    /// What both clones agree on, and that plain git finds nothing wrong.
    static func check(_ home: Home, _ clones: [String] = ["a", "b"]) throws {
        var tips: Set<[String]> = []
        for clone in clones + ["bare.git"] { tips.insert(try home.run("git -C \(clone) rev-parse main")) }
        #expect(tips.count == 1, "the same version everywhere")
        for clone in clones { #expect(try home.run("git -C \(clone) status --porcelain") == []) }
        #expect(try home.run("ls -d */.git/settings/courier.* 2> /dev/null") == ["[exit status: 2]"])
        #expect(try home.unsound() == "")
    }

    @Test func versionsGoBothWays() throws {
        let home = try Self.office()
        let out = try home.run(":; cd b; settings set language French -q -m Paris; settings set volume 60 -q; settings sync")
        #expect(
            Self.plain(out) == [
                "2 versions sent to origin:",
                "  ID  Language (language): English → French  Ada Example  “Paris”",
                "  ID  Volume (volume): 40 → 60               Ada Example",
            ])
        let both = try home.run(":; cd a; settings set dark on -q; settings sync")
        #expect(
            Self.plain(both) == [
                "2 versions fetched from origin:",
                "  ID  Language (language): English → French  Ada Example  “Paris”",
                "  ID  Volume (volume): 40 → 60               Ada Example",
                "1 version sent to origin:",
                "  ID  Dark mode (dark): Off → On  Ada Example",
            ])
        #expect(try home.run(":; cd b; settings sync -q; settings sync") == ["up to date with origin"])
        #expect(try home.run(":; cd a; settings pull; settings push") == ["up to date with origin", "up to date with origin"])
        #expect(try home.run(":; cd b; settings get language volume dark") == ["french", "60", "true"])
        try Self.check(home)
    }

    @Test func whatIsPublishedStaysInForce() throws {
        let home = try Self.office()
        _ = try home.run(":; cd b; settings set language French -q; settings sync -q")
        let asked = try home.run(":; cd a; settings set language German -q; settings pull --ask")
        #expect(asked.last == "[exit status: 2]" && asked.contains { $0.contains("the branches conflict") }, "\(asked)")
        #expect(try home.run(":; cd a; settings get language; git log --oneline | wc -l") == ["german", "5"])
        let lines = try home.run(":; cd a; settings sync")
        #expect(
            Self.plain(lines) == [
                "1 version fetched from origin:",
                "  ID  Language (language): English → French  Ada Example",
                "1 version sent to origin:",
                "  ID  Language (language): English → German  Ada Example",
                "1 conflict is open:",
                "  Language (language): ours is German, theirs is French, and French is in force",
                "hint: 'settings resolve KEY VALUE' resolves a conflict; --ours or --theirs takes one side",
                "[exit status: 2]",
            ])
        let resolved = try home.run(":; cd b; settings sync -q; settings get language; settings resolve language German -q")
        #expect(
            resolved == [
                "1 conflict is open:",
                "  Language (language): ours is German, theirs is French, and French is in force", "french",
            ])
        let settled = try home.run(
            ":; cd b; settings sync -q; cd ../a; settings sync -q; settings conflicts; settings get language")
        #expect(settled == ["there are no open conflicts", "german"])
        try Self.check(home)
    }

    /// A label that is gone here was chosen there: what was published stays in force, with its label.
    @Test func whatIsPublishedKeepsItsLabel() throws {
        let home = try Self.office()
        _ = try home.run(":; cd b; settings set language German -q; settings sync -q")
        let lines = try home.run(":; cd a; settings label remove language German -q; settings sync; settings get language")
        #expect(lines.suffix(2) == ["[exit status: 2]", "german"] || lines.last == "german", "\(lines)")
        #expect(lines.contains { $0.contains("ours is English, theirs is German, and German is in force") }, "\(lines)")
        let resolved = try home.run(":; cd a; settings resolve language --ours -q; settings get language; settings sync -q")
        #expect(resolved == ["english"])
        let there = try home.run(":; cd b; settings sync -q; settings get language; grep -c German language.json")
        #expect(there == ["english", "0", "[exit status: 1]"])
        try Self.check(home)
    }

    @Test func ourSideCanBePutInForce() throws {
        let home = try Self.office()
        _ = try home.run(":; cd b; settings set language French -q; settings sync -q")
        _ = try home.run(":; cd a; settings set language German -q; settings sync -q --in-force ours")
        #expect(try home.run(":; cd b; settings sync -q > /dev/null; settings get language") == ["german"])
    }

    @Test func jsonTellsTheSame() throws {
        let home = try Self.office()
        _ = try home.run(":; cd b; settings set language French -q; settings sync -q")
        let script = """
            :; cd a; settings set language German -q; settings sync --json | python3 -c '
            import json, sys
            d = json.load(sys.stdin)
            print(d["state"], d["remote"], d["branch"], len(d["in"]), len(d["out"]), d["tries"])
            print(d["in"][0]["changes"][0]["after"], d["conflicts"][0]["key"], d["conflicts"][0]["theirsBy"] is not None)'
            """
        #expect(try home.run(script) == ["question origin main 1 1 1", "french language True"])
        _ = try home.run(":; cd a; settings set dark on -q; git remote set-url origin http://127.0.0.1:1/x.git")
        let waiting = try home.run(":; cd a; settings sync")
        #expect(waiting.first?.hasSuffix("; 1 version has not been sent yet") == true, "\(waiting)")
        let offline = try home.run(":; cd a; settings sync http://127.0.0.1:1/x.git --json 2> /dev/null | grep exitStatus")
        #expect(offline == ["    \"exitStatus\": 75,"])
    }

    @Test func tagsGoBothWaysAndNeverMove() throws {
        let home = try Self.office()
        _ = try home.run(":; cd a; settings tag first -q; git tag plain; settings tag same -q; settings set dark on -q")
        #expect(try home.run(":; cd b; settings tag same -q HEAD~1; settings sync").contains("tag same sent"))
        let lines = try home.run(":; cd a; settings sync 2>&1; git -C ../bare.git tag")
        #expect(lines.contains("tag first sent") && lines.contains("first") && !lines.contains("plain"), "\(lines)")
        #expect(lines.contains("the tag same names another version on origin; neither was moved"))
        #expect(try home.run(":; cd b; settings sync | tail -1; git tag") == ["tag first fetched", "first", "same"])
        #expect(try home.run(":; cd b; git tag -d first > /dev/null; settings sync").contains("tag first fetched"))
        try Self.check(home)
    }

    /// What a hostile or careless colleague pushes with plain git; nothing of it comes into the store.
    @Test(arguments: [
        ("ln -sf /etc/passwd language.json", "language.json is a symbolic link in ID by Ada Example"),
        ("mkdir -p sub; ln -s .. sub/up", "sub/up is a symbolic link in ID by Ada Example"),
        ("git -c protocol.file.allow=always submodule add -q ../bare.git sub", "sub is a submodule in ID by Ada Example"),
        ("head -c 2000000 /dev/zero | tr '\\0' ' ' >> language.json", "language.json is larger than 1 MiB in ID by Ada Example"),
        ("head -c 20000000 /dev/zero > notes", "notes is larger than 16 MiB in ID by Ada Example"),
        ("echo '{' > language.json", "language.json"),
        ("sed -i '/\"value\"/s/english/klingon/' language.json", "not one of the option's values"),
        ("sed -i 's/\"format\": 1/\"format\": 9/' _store.json", "later format than this program supports"),
        ("git rm -q --cached _store.json; rm _store.json", "_store.json was removed in ID by Ada Example"),
        ("touch 'a\\b'", "is not a valid file name in a store in ID by Ada Example"),
    ]) func badVersionsAreRefused(_ script: String, _ reason: String) throws {
        let home = try Self.office()
        let commit = "git add -A . && git commit -qm evil && git push -q; git rev-parse HEAD"
        let id = try #require(try home.run(":; cd b; \(script); \(commit)").last)
        let state = ":; cd a; find .git -path '*/settings/*' -prune -o -type f -print | sort; git rev-parse main origin/main"
        let before = try home.run(state)
        for command in ["sync", "pull"] {
            let lines = try home.run(":; cd a; settings \(command)")
            #expect(lines.last == "[exit status: 65]" && lines.first?.hasPrefix("settings: ") == true, "\(lines)")
            #expect(Self.plain(lines).first?.contains(reason) == true, "\(lines)")
        }
        #expect(try home.run(":; cd a; git cat-file -e \(id) 2> /dev/null").last?.hasPrefix("[exit status: ") == true)
        let after = try home.run(state)
        #expect(before == after, "the store has none of its objects")
        // Broken on the way and mended at the end is a history like any other.
        guard reason == "language.json" || reason == "not one of the option's values" else { return }
        _ = try home.run(":; cd b; git checkout -q HEAD~1 -- language.json; git commit -qm mended; git push -q")
        #expect(try home.run(":; cd a; settings sync -q; git log -1 --format=%s") == ["mended"])
    }

    /// Plain git brought it here, and others go on from it before it is corrected there.
    @Test func whatWasBroughtBeforeIsNotRefused() throws {
        let home = try Self.office()
        let pull = "git commit -qam broken; git push -q; cd ../a; git pull -q origin main; cd ../b"
        let later = "settings set dark on -q; git push -q; cd ../a; settings sync -q; settings get dark"
        let mended = "cd ../b; git checkout -q HEAD~2 -- .; git commit -qm mended; git push -q; cd ../a; settings sync -q"
        for spoil in ["sed -i '/\"value\"/s/english/klingon/' language.json", "echo '{' > volume.json"] {
            let lines = try home.run(
                ":; cd b; \(spoil); \(pull); \(later); \(mended); settings get language volume; settings get dark")
            #expect(lines == ["true", "english", "40", "false"])
            try Self.check(home)
        }
    }

    @Test func rewoundRemotes() throws {
        let home = try Self.office()
        _ = try home.run(":; cd a; settings set dark on -q; settings set volume 5 -q; settings sync -q")
        let rewind = "git -C bare.git update-ref refs/heads/main main~2"
        _ = try home.run(rewind)
        let before = try home.run("git -C a rev-parse main origin/main")
        let lines = try home.run(":; cd a; settings sync")
        #expect(
            Self.plain(lines) == [
                "settings: origin no longer has 2 versions that it had: ID Volume (volume): 40 → 5; ID Dark mode (dark): Off → On",
                "hint: nothing was changed; 'settings sync --put-back' sends them again, and 'settings sync --follow' drops them here",
                "[exit status: 2]",
            ])
        #expect(try home.run("git -C a rev-parse main origin/main") == before)
        #expect(try home.run(":; cd a; settings sync --put-back -q; cd ../b; settings sync -q; settings get volume") == ["5"])
        try Self.check(home)
        _ = try home.run(rewind)
        #expect(
            try home.run(
                ":; cd a; settings sync --follow -q; settings get volume; git show-ref | grep -c /dropped/"
            )
                == ["40", "1"])
        #expect(try home.run(":; cd b; settings set dark off -q; settings sync --follow").last == "[exit status: 2]")
    }

    /// What processes leave that die in the middle.
    @Test func theNextSyncGoesOn() throws {
        let home = try Self.office()
        _ = try home.run(":; cd b; settings set language French -q; settings set volume 60 -q; settings sync -q")
        let half = """
            :; cd a; id=$(git -C ../b rev-parse HEAD); folder=.git/objects/$(echo $id | cut -c1-2); mkdir -p $folder
            cp ../b/$folder/$(echo $id | cut -c3-) $folder; mkdir -p .git/settings/courier.dead/objects
            settings sync -q; settings get language volume
            """
        #expect(try home.run(half) == ["french", "60"], "the version is there, and not what it names")
        try Self.check(home)
        let followed = """
            :; git -C bare.git update-ref refs/heads/main main~2; cd a; git reset -q --hard HEAD~2
            settings sync --follow; settings sync; git rev-parse main origin/main | uniq | wc -l
            """
        #expect(try home.run(followed) == ["up to date with origin", "up to date with origin", "1"])
        let aside = """
            :; cd b; settings sync --follow -q; sed -i 's/40/45/' volume.json; settings discard -q; mkdir .git/settings/courier.dead
            git for-each-ref --format='%(refname)' refs/settings/discarded > .git/settings/aside; settings get volume
            settings sync; settings status 2> /dev/null | head -2; ls .git/settings | grep -E '^(courier.dead|aside)$'
            """
        #expect(
            try home.run(aside) == [
                "warning: a command that updated the files was interrupted; your edits to volume.json were kept",
                "45", "up to date with origin", "edits not recorded yet:", "    Volume (volume): 40 → 45", "[exit status: 1]",
            ])
    }

    /// Both sides resolved a conflict, and one removed the label that the other decided for.
    @Test func bothResolvedAndALabelIsGone() throws {
        let home = try Self.office()
        let script = """
            :; cd b; settings set language French -q; settings sync -q; cd ../a; settings set language German -q
            settings sync -q > /dev/null 2>&1; settings resolve language French -q; cd ../b; settings sync -q > /dev/null 2>&1
            settings resolve language German -q; settings label remove language French -q; settings sync -q; cd ../a
            settings sync -q > /dev/null 2>&1; echo $?; settings get language; settings sync -q; cd ../b; settings sync -q > /dev/null 2>&1
            """
        let lines = try home.run(script)
        #expect(lines == ["2", "german", "[exit status: 2]"], "the question came to both: \(lines)")
        try Self.check(home)
    }

    /// The same edit may be put aside or discarded twice within a second.
    @Test func theSameEditTwice() throws {
        let home = try Self.office()
        let edit = "sed -i 's/40/45/' volume.json; settings discard -q; echo $?"
        #expect(try home.run(":; cd a; export GIT_COMMITTER_DATE='@1795161600 +0000'; \(edit); \(edit)") == ["0", "0"])
    }

    @Test func pushNeverForces() throws {
        let home = try Self.office()
        _ = try home.run(":; cd a; settings set dark on -q; settings push -q")
        let lines = try home.run(":; cd b; settings set volume 1 -q; settings push; git -C ../bare.git log -1 --format=%s")
        #expect(
            lines == [
                "settings: origin has 1 version that this branch does not have; nothing was sent",
                "hint: 'settings sync' merges it first", "dark: Off → On",
            ])
    }

    @Test func failuresSayWhatIsWrong() throws {
        let home = try Self.office()
        for (command, status, reason) in [
            ("sync nowhere", 66, "there is no remote 'nowhere'"),
            ("sync ../none.git", 66, "there is no repository at ../none.git"),
            ("sync http://127.0.0.1:1/x.git", 75, "http://127.0.0.1:1/x.git cannot be reached: "),
            ("sync http://me:secret@127.0.0.1:1/x.git", 75, "http://127.0.0.1:1/x.git cannot be reached: "),
            ("sync http://me:pa@secret@127.0.0.1:1/x.git", 75, "http://127.0.0.1:1/x.git cannot be reached: "),
            ("sync https://secret@nowhere.invalid/x.git", 75, "https://nowhere.invalid/x.git cannot be reached: "),
            ("sync git://me:pa@secret@127.0.0.1:1/x.git", 75, "git://me@127.0.0.1:1/x.git cannot be reached: "),
            ("sync http://me:pa/secret@127.0.0.1:1/x.git", 75, "http://127.0.0.1:1/x.git cannot be reached: "),
            ("sync 'ext::sh -c touch% ran'", 77, "git refuses the transport 'ext' for ext::sh -c touch% ran"),
            ("sync --limit x", 64, "invalid size 'x'"), ("sync --limit 10", 64, "at least 64K"),
            ("sync --limit 63k", 64, "at least 64K"),
            ("pull --ask --in-force ours", 64, "cannot be combined"),
        ] {
            let lines = try home.run(":; cd a; settings \(command)")
            #expect(lines.last == "[exit status: \(status)]", "\(command): \(lines)")
            #expect(lines.first?.contains(reason) == true && !lines.joined().contains("secret"), "\(command): \(lines)")
        }
        #expect(
            try home.run(":; cd a; git switch -q --detach; settings sync; git switch -q main; ls ran 2> /dev/null").first
                == "settings: HEAD is detached, so there is no branch to exchange")
        #expect(try home.run(":; cd a; mkdir ../empty; PATH=../empty $(command -v settings) sync").last == "[exit status: 69]")
        #expect(try home.run(":; cd a; git remote remove origin; settings sync").last == "[exit status: 66]")
    }

    @Test func colleaguesWithPlainGit() throws {
        let home = try Self.office()
        _ = try home.run(":; cd b; sed -i 's/40/41/' volume.json; git commit -qam 'plain git'; git push -q")
        _ = try home.run(":; cd a; settings set dark on -q; settings sync -q")
        let script = """
            :; cd b; sed -i 's/\"Shop\"/\"Bob’s shop\"/' _store.json; git commit -qam title; git pull -q --rebase; git push -q
            git switch -qc topic; settings set language French -q; git switch -q main; git merge -q --no-ff --no-edit topic
            git push -q; cd ../a; settings sync -q; settings get volume language dark
            """
        #expect(try home.run(script) == ["41", "french", "true"])
        try Self.check(home)
    }

    @Test func aServersHookIsNotRunAndNotSkipped() throws {
        let home = try Self.office()
        _ = try home.run("printf '#!/bin/sh\\ntouch ~/ran\\n' > bare.git/hooks/pre-receive; chmod +x bare.git/hooks/pre-receive")
        let lines = try home.run(":; cd a; settings set dark on -q; settings sync; ls ~/ran 2> /dev/null; settings pull")
        #expect(lines.first == "settings: /home/ada/office/a/../bare.git has a pre-receive hook, which settings does not run")
        #expect(lines.last == "1 version to send: 'settings push' sends it", "\(lines)")
    }

    @Test func checkedOutBranches() throws {
        let home = try Self.office()
        let lines = try home.run(":; cd a; git remote add desk ../b; settings set dark on -q; settings push desk")
        #expect(lines.first == "settings: desk has this branch checked out, so git does not push to it", "\(lines)")
        #expect(lines.last == "[exit status: 77]")
        #expect(try home.run(":; cd b; settings pull ../a -q; settings get dark") == ["true"])
    }

    @Test func inAFolderOfALargerRepository() throws {
        let home = try Home()
        let script = """
            git init -q --bare bare.git; git init -q app; cd app; echo all: > Makefile; git add .; git commit -qm app
            settings init -q config/shop; cd config/shop; settings add -q dark --title Dark --switch
            git remote add origin ../bare.git; settings push -q; cd ../../..; git clone -q bare.git b
            cd b; echo more >> Makefile; git commit -qam make; settings set dark on -q; git push -q; cd ../app/config/shop
            settings sync -q; settings get dark; cat ../../Makefile; echo x >> ../../Makefile
            cd ~/office/b; echo y >> Makefile; git commit -qam y; git push -q; cd ../app/config/shop; settings sync
            """
        let lines = try home.run(script)
        #expect(lines.prefix(3) == ["true", "all:", "more"] && lines.last == "[exit status: 2]", "\(lines)")
    }

    /// Files that are not the store's come along if they are plain and untouched here; else nothing is merged.
    @Test func otherFilesComeWholeOrNotAtAll() throws {
        let home = try Home()
        let script = """
            git init -q --bare bare.git; git init -q app; cd app; echo all: > Makefile; mkdir src; echo x > src/x; git add .
            git commit -qm app; settings init -q config/shop; cd config/shop; settings add -q dark --title Dark --switch
            git remote add origin ../bare.git; settings push -q; cd ../../..; git clone -q bare.git b
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        let others = ":; cd b; echo y > src/y; git rm -q src/x; echo b >> Makefile; git add .; git commit -qm o; git push -q"
        #expect(
            try home.run("\(others); cd ../app/config/shop; settings sync -q; ls ../../src; tail -1 ../../Makefile") == [
                "y", "b",
            ])
        for (there, here, undone) in [
            ("ln -s y src/z", ":", "git rm -q src/z"), ("echo 1 > new", "echo mine > new", "git rm -q new; rm -f ../app/new"),
            ("echo c >> Makefile", "echo d >> Makefile", "git checkout -q HEAD~ Makefile; git -C ../app checkout -q Makefile"),
        ] {
            let before = try home.run(":; cd app; \(here); git rev-parse HEAD; git status --porcelain -uall; cat Makefile")
            let push = "cd b; \(there); settings set --store config/shop dark --next -q; git add .; git commit -qm t; git push -q"
            let lines = try home.run(":; (\(push)); cd app/config/shop; settings sync")
            #expect(lines.last == "[exit status: 2]" && lines.first?.hasPrefix("settings: ") == true, "\(there): \(lines)")
            #expect(try home.run(":; cd app; git rev-parse HEAD; git status --porcelain -uall; cat Makefile") == before)
            _ = try home.run(":; cd b; \(undone); git commit -qam u; git push -q; cd ../app/config/shop; settings sync -q")
            #expect(try home.run(":; git -C app rev-parse HEAD") == home.run(":; git -C b rev-parse HEAD"), "\(there)")
        }
    }

    @Test func worktreesAndShallowClones() throws {
        let home = try Self.office()
        _ = try home.run(":; cd a; git worktree add -q ../w -b other; cd ../w; settings set dark on -q; settings sync -q")
        #expect(try home.run("git -C bare.git branch --format='%(refname:short)'") == ["main", "other"])
        let next = try home.run(":; cd w; git switch -q -c third; settings set volume 8 -q; settings sync | head -1")
        #expect(next == ["1 version sent to origin:"], "what other branches there have did not go out")
        #expect(
            try home.run(
                "git clone -q --depth 1 file://$PWD/bare.git s; cd s; settings set volume 7 -q; settings sync -q"
                    + "; cd ../a; settings sync -q; settings get volume; git -C ../s fsck --strict") == ["7"])
    }
}
