import Foundation
import Surroundings
import Testing

/// Files that released versions wrote are read as those versions read them; `Released/make.sh` says how they were made.
@Suite struct ReleasedTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Released")

    static let releases: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.first?.isNumber == true }.sorted()
    }()

    @Test func everyReleaseIsThere() {
        #expect(Self.releases.contains("0.1.0"))
    }

    /// Each line that a check prints is a failure.
    private static let checks: [(name: String, lines: String)] = [
        ("versions keep their ids", "git for-each-ref --format='%(objectname) %(refname)' | diff \"$released/references\" -"),
        (
            "values",
            """
            while read -r id file value; do
              got=$(settings get "${file%.json}" --at "$id" 2>/dev/null | tr '\\n' ' ' | sed 's/ $//')
              [ "$got" = "$value" ] || echo "$file at $id: '$got', not '$value'"
            done < "$released/values"
            """
        ),
        (
            "changes",
            """
            members='id|name|email|subject|why|requestedBy|key|title|facet|before|after|beforeLabel|afterLabel'
            settings history --json | grep -E "^ *\\"($members)\\":" | tail -n "$(grep -c '' "$released/changes")" |
              diff "$released/changes" - | head -20
            """
        ),
        (
            // It doesn't have what merges decided without saying so, nor all that was decided again.
            "the index of the history is replaced",
            "settings history user.name > /dev/null; settings maintain -q; head -c 16 .git/settings/history-1 | grep -v 'index 9'"
        ),
        ("everything is sound", "settings verify --deep | grep -v 'objects checked, no problems found'"),
        (
            "edits by hand",
            """
            settings status --json | grep -A 9 '"key": "user.name"' | grep -q '"after": "Edited"' || settings status
            settings discard --list | grep -q 'Gone' || echo 'what was discarded is not listed'
            settings done -q -m 'Recorded later.' && settings get user.name --at HEAD | grep -vx Edited
            """
        ),
        (
            "a draft of the pages",
            """
            printf '%s\\n' 2 done Done | settings edit --plain > ../pages 2>&1
            settings get sound.volume | grep -vx 65; settings history -n 1 | grep -q 'Not recorded.' || cat ../pages
            """
        ),
        (
            "a version that waits to be confirmed",
            // That release kept nothing beside the history, so nothing reverts itself.
            """
            waits='was to be confirmed by .*; this history contains no confirmation'; id=$(git log -1 --format=%h --grep=^Confirm-by:)
            settings status 2>&1 | grep "$waits"; export SETTINGS_NOW=2026-11-21T18:00:00Z
            settings status 2>&1 | grep -q "$waits: 'settings confirm $id' keeps it" || settings status
            settings set -q sound.volume 60 -m later; settings get sound.silent | grep -vx true; settings confirm --expire | grep -v nothing
            settings confirm -q "$id" || echo $?; settings status 2>&1 | grep "$waits"
            """
        ),
        (
            // Of the two that a merge left open, a later change by that release resolved one without saying so.
            "a conflict that a merge left open",
            """
            open='Language (general.language): ours is Français, theirs is English, and German is in force'
            settings conflicts 2> /dev/null | head -n 1 | grep -vxF "$open"; settings conflicts 2> /dev/null | grep Loudness
            settings resolve -q general.language --theirs -m agreed; settings conflicts 2>&1 | grep -v 'no open conflicts'
            settings undo -q 2> /dev/null; settings conflicts 2> /dev/null | grep -qxF "$open" || echo 'an undo does not open it again'
            settings redo -q; settings conflicts 2>&1 | grep -v 'no open conflicts'; settings get general.language | grep -vx en
            """
        ),
        (
            // That release undid a rename and made it again; here that is undone once more.
            "what was undone and made again",
            """
            git switch -q --detach 5643e3c; settings undo -q 2> /dev/null; settings list | grep -q 'sound.mute' || settings list
            settings redo -q 2> /dev/null; settings list | grep -q 'sound.silent' || settings list; git switch -q main
            """
        ),
        (
            "an unfinished write",
            """
            git stash -q; git read-tree HEAD~1; git checkout-index -af; cp "$released/unfinished" .git/settings/pending
            settings get general.region.city 2>/dev/null | grep -vx paris; git status --porcelain
            """
        ),
        (
            "what the user trusts",
            """
            git init -q --bare ../server.git; git config remote.origin.url ../server.git; git config core.sshCommand 'ssh -4'
            settings sync 2>&1 | grep 'is not used'; git config core.sshCommand 'ssh -6'
            settings sync 2>&1 | grep -q 'is not used' || echo 'a changed command is trusted'
            """
        ),
        (
            "a bundle",
            """
            settings clone -q "$released/shop.bundle" ../clone && cd ../clone && settings get general.language | grep -vx de
            git rev-parse main | grep -vx "$(git -C ../shop rev-parse main)"
            """
        ),
        (
            "git merges by meaning",
            "settings doctor | grep merging | grep -v \"git merges the store's files by meaning; \""
        ),
        (
            "its history merges with a branch that leaves it early",
            """
            git stash -q; was=$(settings get general.language); git switch -q --detach v1
            settings label add general.language Nihongo --at 0 -q 2> /dev/null && settings set user.name There -q 2> /dev/null
            there=$(git rev-parse HEAD); git switch -q main; settings merge "$there" > /dev/null 2>&1; [ $? = 2 ] || echo 'no conflict'
            settings merge "$there" --theirs -q 2> /dev/null || echo $?
            settings get general.language | grep -vx "$was"; settings get user.name | grep -vx There
            settings show general.language | grep -q Nihongo || echo 'the label is lost'; settings verify -q
            """
        ),
        (
            "it goes on",
            """
            git stash -q; settings set -q general.language English -m later && settings undo -q 2>/dev/null && settings redo -q || echo $?
            settings blame general.language | grep -v later; settings verify -q; git fsck --strict --no-dangling --no-progress
            """
        ),
    ]

    @Test(arguments: releases, checks.indices)
    func isRead(_ release: String, _ check: Int) throws {
        let check = Self.checks[check]
        let home = try TemporaryFolder()
        let opening = """
            released='\(Self.folder.path)/\(release)'
            git config --global init.defaultBranch main
            git init -q "$HOME/shop" && cd "$HOME/shop" && git fast-import --quiet < "$released/history" && git reset -q --hard main
            cp -r "$released/own" .git/settings; [ $(id -u) = 0 ] || mv .git/settings/edits-0-0 ".git/settings/edits-$(id -u)-0"
            cat "$released/config" >> .git/config; cp -r "$released/edited/." .
            mkdir -p "$HOME/.config/settings"; sed "s:@STORE@:$PWD:" "$released/trusted" > "$HOME/.config/settings/trusted"
            export SETTINGS_NOW=$(git log -1 --format=%ct main)

            """
        let run = try Surroundings.run(
            ["bash", "-c", opening + check.lines], in: home.path,
            Surroundings.environment(home: home.path, person: "Ada Example", at: "2026-11-20T18:00:00Z"), joined: true)
        #expect(run.output == "", "\(release): \(check.name)")
    }
}
