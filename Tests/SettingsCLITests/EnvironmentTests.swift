import Foundation
import Surroundings
import Testing

/// Hostile environments: a full disk, no inodes, no descriptors, a clock that was set back. A command
/// succeeds, or it fails, changes nothing and doesn't affect the next command.
struct BadSurroundings: CustomTestStringConvertible, Sendable {
    var name: String
    /// Shell lines that are run next to `store`; each line that they print is a failure.
    var lines: String
    var needsRoot = false

    var testDescription: String { name }

    /// `attempt WORDS…` runs a command that may fail, as the user in `$as`, and checks what it left.
    private static let functions = #"""
        # The state that a user sees: the last version, and the files without edits.
        state() { git rev-parse HEAD && git --no-optional-locks status --porcelain && cat sound/volume.json general/language.json; }
        broken() { echo "$*: $(tr '\n' '|' < "$top/errors" | head -c 300)"; }
        attempt() {
          local before after status
          before=$(state)
          $as settings "$@" >"$top/output" 2>"$top/errors"
          status=$?
          case $status in
            0) ;;
            73 | 74 | 75)
              # Unchanged, once there is space again.
              ${relief-:}
              settings status -q >/dev/null 2>&1
              after=$(state)
              [ "$before" = "$after" ] || broken "$where: 'settings $*' failed with $status and changed something"
              [ "$(grep -c '^settings: ' "$top/errors")" = 1 ] || broken "$where: 'settings $*' does not say what is wrong once"
              [ $status = 75 ] || grep -q '^hint: ' "$top/errors" || broken "$where: 'settings $*' does not say what to do"
              grep -q ' [0-9a-f]\{2\}/[0-9a-f]\{38\}' "$top/errors" && broken "$where: 'settings $*' names no whole path"
              ;;
            # An error of the dynamic loader.
            127) grep -q 'shared librar\|error while loading' "$top/errors" || broken "$where: 'settings $*' exit 127" ;;
            *) broken "$where: 'settings $*' exit $status" ;;
          esac
          ${relief-:}
          return $status
        }
        # The next command succeeds, and everything is valid.
        sound() {
          local wanted=$((RANDOM % 18 * 5))
          settings set sound.volume 95 -q 2>"$top/errors" || broken "$where: the next command fails"
          settings set sound.volume $wanted -q 2>"$top/errors" || broken "$where: the next command fails"
          [ "$(settings get sound.volume --at HEAD)" = $wanted ] || broken "$where: the next command is not in the history"
          [ -z "$(git --no-optional-locks status --porcelain)" ] || broken "$where: $(git status --porcelain | head -3)"
          git fsck --full --strict --no-dangling --no-progress >"$top/errors" 2>&1 || broken "$where: git fsck"
          find .git -name '*.lock' | grep -v pack_git2 | grep . && broken "$where: locks are left"
        }
        top=$PWD as= where=
        """#

    private static let fullDisk = """
        mkdir disk
        mount -t tmpfs -o size=2m none disk || exit 9
        trap 'cd "$top"; umount "$top/disk"' EXIT
        cp -a store disk/store && cd disk/store || exit 9
        relief='rm -f ../fill'
        """

    static let all: [BadSurroundings] = [
        BadSurroundings(
            name: "a full disk",
            lines: fullDisk + """

                number=0
                for free in {0..26}; do
                  where="$free pages free"
                  number=$((number + 1))
                  dd if=/dev/zero of=../fill bs=4096 2>/dev/null
                  truncate -s $(($(stat -c %s ../fill) - free * 4096)) ../fill
                  if [ $((number % 3)) = 0 ]; then attempt undo; else attempt set sound.volume $((number % 20 * 5)); fi
                done
                where=afterwards
                sound
                """, needsRoot: true),
        BadSurroundings(
            name: "a full disk, edits by hand",
            lines: fullDisk + """

                for free in {0..24..2}; do
                  where="$free pages free"
                  sed -i "s/\\"value\\": .*,/\\"value\\": $((free * 2 / 5 * 5)),/" sound/volume.json
                  cp sound/volume.json ../edit
                  dd if=/dev/zero of=../fill bs=4096 2>/dev/null
                  truncate -s $(($(stat -c %s ../fill) - free * 4096)) ../fill
                  attempt done -m 'By hand.'
                  cmp -s sound/volume.json ../edit || settings is sound.volume $((free * 2 / 5 * 5)) || broken "$where: the edit is gone"
                  settings done -q -m 'By hand.' 2>"$top/errors" || broken "$where: done afterwards"
                done
                where=afterwards
                sound
                """, needsRoot: true),
        BadSurroundings(
            name: "no inodes",
            lines: fullDisk + """

                mount -o remount,nr_inodes=$(($(df --output=iused . | tail -1) + 200)) "$top/disk"
                relief='rm -rf ../fill'
                for free in {0..16}; do
                  where="$free inodes free"
                  mkdir -p ../fill
                  for n in {1..400}; do : >../fill/$n || break; done 2>/dev/null
                  for n in $(seq $free); do rm -f ../fill/$n; done
                  attempt set sound.volume $((free * 5))
                done
                where=afterwards
                sound
                """, needsRoot: true),
        BadSurroundings(
            name: "a read-only file system",
            lines: fullDisk + """

                mount -o remount,ro "$top/disk"
                for words in 'get general.language' list history status 'diff --from first' blame verify 'verify --deep' \\
                  'show general.language' 'set sound.volume 60 --dry-run'; do
                  settings $words >/dev/null 2>"$top/errors" || broken "'settings $words' exit $?"
                done
                for words in 'set sound.volume 60' undo 'tag new' 'add a.b --title T --switch' 'label add general.language X' \\
                  'remove sound.volume' 'define / --title T' setup maintain discard; do
                  attempt $words && broken "'settings $words' works"
                  grep -q 'Read-only file system' "$top/errors" || broken "'settings $words' doesn't say why"
                done
                mount -o remount,rw "$top/disk"
                sound
                """, needsRoot: true),
        BadSurroundings(
            name: "no descriptors to spare",
            lines: """
                cd store
                few() { (ulimit -n $few; exec "$@"); }
                as=few
                for few in {3..24}; do
                  where="$few descriptors"
                  attempt set sound.volume $((few % 20 * 5))
                  attempt get general.language
                  attempt history
                done
                where=afterwards
                sound
                """),
        BadSurroundings(
            name: "somebody else's objects",
            lines: """
                chmod a+rx . ~; chmod a+r ~/.gitconfig 2>/dev/null; chown -R 65534 store; cd store
                git config --global --add safe.directory "$PWD"; chmod a+r ~/.gitconfig
                as='setpriv --reuid 65534 --regid 65534 --clear-groups'
                for place in .git/objects .git/refs/heads .git/logs/HEAD .git/logs/refs/heads/main .git/settings .git sound .; do
                  where="$place is root's"
                  find .git/objects -type d -exec chown 65534 {} +
                  find $place -maxdepth 1 -exec chown 0 {} + ; [ $place = . ] && chown -R 65534 .git sound general
                  chmod -R go-w .
                  attempt set sound.volume $((RANDOM % 19 * 5)) -m x
                  chown -R 65534 .
                done
                chown -R 0 .
                where=afterwards
                sound
                """, needsRoot: true),
        BadSurroundings(
            name: "a clock that was set back",
            lines: """
                cd store
                unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE
                export SETTINGS_NOW=2019-05-05T05:05:05Z
                settings set general.language es -m 'Before the others.' -q || echo 'set fails'
                [ "$(settings history -n 1 | grep -c 'Before the others')" = 1 ] || echo 'the last version is not told first'
                settings blame general.language | grep -q 'Spanish' || echo 'blame tells another'
                [ "$(settings show general.language | grep -c 'Before the others')" = 1 ] || echo 'show tells another'
                settings diff --from HEAD~1 | grep -q 'French → Spanish' || echo 'diff tells something else'
                export SETTINGS_NOW=1980-01-01T00:00:00Z
                settings undo -q || echo 'undo fails'
                [ "$(settings get general.language)" = fr ] || echo 'undo brings another value'
                settings redo -q || echo 'redo fails'
                touch -d 2038-01-01 .git/index general/language.json
                settings set sound.volume 5 -q || echo 'set fails beside files of the future'
                settings verify --deep >/dev/null || echo 'verify complains'
                unset SETTINGS_NOW
                sound
                """),
        BadSurroundings(
            name: "a lock of git's that was left, in upkeep",
            lines: """
                cd store
                mkdir -p .git/objects/info/settings/info
                touch .git/objects/info/commit-graph.lock .git/objects/info/settings/info/commit-graph.lock
                settings maintain -q || echo 'maintain fails'
                git commit-graph verify || echo 'there is no commit-graph'
                [ "$(ls .git/objects/info | grep -v '^packs$' | xargs)" = 'commit-graph commit-graph.lock' ] || ls .git/objects/info
                """),
        BadSurroundings(
            name: "a time zone that changes",
            lines: """
                cd store
                unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE
                TZ=Asia/Tokyo SETTINGS_NOW=2026-11-21T00:30:00+09:00 settings set general.language es -q
                TZ=America/Los_Angeles SETTINGS_NOW=2026-11-20T08:00:00-08:00 settings set general.language en -q
                one=$(TZ=Pacific/Kiritimati settings history --json) two=$(TZ=Pacific/Pago_Pago settings history --json)
                [ "$one" = "$two" ] || echo 'programs are told other times'
                export SETTINGS_NOW=2026-11-20T20:00:00Z
                for ask in 'Asia/Tokyo 2026-11-21 00:45' 'UTC 2026-11-20 15:45' 'America/Los_Angeles 2026-11-20 07:45'; do
                  [ "$(TZ=${ask%% *} settings get general.language --at "${ask#* }" 2>/dev/null)" = es ] || echo "at $ask it was not es"
                done
                for zone in Nowhere/None : '' /etc/passwd 'ABC-99:99' "$(head -c 5000 /dev/zero | tr '\\0' A)"; do
                  TZ=$zone settings history >/dev/null 2>&1 || echo "history fails in the zone $zone"
                done
                sound
                """),
    ]

    func check() throws {
        if needsRoot, !Surroundings.isRoot { try Test.cancel("needs to be root") }
        let store = try BadInputStore.make()
        let run = try store.run(Self.functions + "\n" + lines, in: store.folder, within: 120)
        if run.status == 9 { try Test.cancel("no file system can be mounted here") }
        #expect(run.output.isEmpty && run.status != 124, "\(run.output)\(run.errors.suffix(1000))[exit status: \(run.status)]")
    }
}

@Suite struct EnvironmentTests {
    @Test(arguments: BadSurroundings.all) func environment(_ row: BadSurroundings) throws { try row.check() }

    /// The zone of the versions is the one that the program runs in.
    @Test func datesAreWrittenAsGitWritesThem() throws {
        let store = try BadInputStore.make()
        let formats = [
            "iso", "iso8601", "local", "short", "rfc", "rfc2822", "raw", "unix", "default", "short-local",
            "format:%Y-%m-%dT%H:%M:%S%z|%a %A %b %B %e %j %y %I %p %F %T %D %R %c %x %X %u %w %%|%Q",
        ]
        for format in formats {
            let run = try store.run(
                """
                cd store
                settings history --oneline --date='\(format)' | sed 's/^[0-9a-f]*  //'
                git log --format='%ad  %an' --date='\(format)'
                """, in: store.folder)
            let lines = run.output.split(separator: "\n").map(String.init)
            let (ours, gits) = (lines.prefix(lines.count / 2), lines.suffix(lines.count / 2))
            #expect(!ours.isEmpty && zip(ours, gits).allSatisfy { $0.hasPrefix($1) }, "\(format): \(run.output)")
        }
    }
}
