import Foundation
import Surroundings
import Testing

/// How 'watch' runs commands, waits and ends, and what it prints for programs.
@Suite struct WatchEndsTests {
    static let all: [Watched] = [
        Watched(
            name: "a command runs once for each burst, never twice at once, and for the last state",
            lines: #"""
                printf '%s\n' 'mkdir ../running || echo "two at once"' 'sleep 0.2' 'echo "$SETTINGS_VALUE"' 'rmdir ../running' >../command
                start=$(git rev-parse HEAD)
                follow out sound.volume --poll 0 --exec sh ../command
                for i in $(seq 5 5 100); do settings set sound.volume $i -q; done
                lines out.errors 1 '^100$'
                finish
                expect lines "$(wc -l <../out)" 20
                [ "$(wc -l <../out.errors)" -lt 20 ] || broken "it ran each time: $(xargs <../out.errors)"
                grep -q 'two' ../out.errors && broken "$(cat ../out.errors)"
                expect 'last run' "$(tail -n 1 ../out.errors)" 100
                """#),
        Watched(
            name: "what a command is given",
            lines: #"""
                printf '%s\n' 'cat >../given.json; env | grep ^SETTINGS_ | sort >../given' 'settings get sound.volume >../got' \
                  'touch ../ran' >../command
                first=$(git rev-parse HEAD)
                follow out --poll 0 --debounce 1s --exec sh ../command
                settings set sound.volume 60 -q
                until [ -e ../ran ]; do sleep 0.02; done; second=$(git rev-parse HEAD)
                expect variables "$(grep -v NOW ../given)" "SETTINGS_KEY=sound.volume
                SETTINGS_OLD_VALUE=50
                SETTINGS_STORE=$PWD
                SETTINGS_VALUE=60
                SETTINGS_VERSION=$second"
                expect 'what it reads from the store' "$(cat ../got)" 60
                rm ../ran
                settings set sound.volume 65 display.dark on -q; settings set sound.volume 70 -q
                until [ -e ../ran ]; do sleep 0.02; done
                finish
                python3 - "$second" "$(git rev-parse HEAD)" <<'END'
                import json, sys
                given = json.load(open("../given.json"))
                changes = {change["key"]: (change["before"], change["after"]) for change in given["changes"]}
                if changes != {"sound.volume": (60, 70), "display.dark": (False, True)}: print(changes)
                if [given["event"], given["from"], given["id"]] != ["changed", *sys.argv[1:]]: print(given)
                if [event["event"] for event in given["events"]] != ["version", "version"]: print(given["events"])
                END
                expect keys "$(sed -n 's/^SETTINGS_KEY=//p' ../given)" 'display.dark sound.volume'
                expect 'value of several' "$(grep -c VALUE ../given)" 0
                """#),
        Watched(
            name: "masked values are for those who ask for them",
            lines: #"""
                settings add app.token --title Token --text old --masked -q
                for reveal in '' --reveal; do
                  rm -f ../ran
                  follow out app.token --jsonl --poll 0 $reveal --exec sh -c \
                    'cat >../given.json; echo "${SETTINGS_VALUE-none}" >../given; touch ../ran'
                  settings set app.token new$reveal -q
                  until [ -e ../ran ]; do sleep 0.02; done
                  finish
                  [ -z "$reveal" ] || { expect value "$(cat ../given)" new--reveal; continue; }
                  expect value "$(cat ../given)" none
                  grep -q new ../given.json ../out && broken "$(cat ../given.json ../out)"
                done
                """#),
        Watched(
            name: "a command that fails",
            lines: #"""
                follow out sound.volume --poll 0 --exec sh -c 'exit 3'
                settings set sound.volume 60 -q
                lines out.errors 1 "^warning: 'sh' failed with exit status 3"
                settings set sound.volume 65 -q
                lines out.errors 2
                finish
                follow out --exit-on-error --exec sh -c 'exit 3'
                settings set sound.volume 70 -q
                wait $pid; expect 'exit status' $? 1
                follow out --exit-on-error --exec no-such-program
                settings set sound.volume 75 -q
                wait $pid; expect 'exit status' $? 69
                expect errors "$(cat ../out.errors)" "settings: cannot run 'no-such-program': No such file or directory"
                """#),
        Watched(
            name: "a command runs with the present values first, and words after --exec are its own",
            lines: #"""
                settings --quiet watch sound.volume --initial --jsonl --exec \
                  sh -c 'echo "$SETTINGS_VALUE $*"; cat >../given.json' sh --json -5 --store x >../out 2>../out.errors & pid=$!
                lines out.errors 1 '^50 --json -5 --store x$'
                settings set sound.volume 60 -q
                lines out.errors 1 '^60 --json'
                finish
                expect events "$(grep -o '"event":"[a-z]*"' ../out | xargs)" 'event:snapshot event:version'
                """#),
        Watched(
            name: "signals end it, and the command with it",
            lines: #"""
                for signal in INT TERM; do
                  rm -f ../started; start=$(git rev-parse HEAD)
                  env --default-signal=INT settings watch --since $start --poll 0 --exec \
                    sh -c 'echo $$ >../started; sleep 600' >../out 2>&1 & pid=$!
                  settings set sound.volume+=5 -q
                  until [ -s ../started ]; do sleep 0.02; done
                  kill -$signal $pid; wait $pid; expect "exit status after $signal" $? 0
                  kill -0 $(cat ../started) 2>/dev/null && broken "the command goes on after $signal"
                done
                rm -f ../out; settings watch >../out 2>&1 & pid=$!
                kill -HUP $pid; wait $pid; expect 'exit status after HUP' $? 129
                """#),
        Watched(
            name: "a signal ends it while nobody reads what it prints",
            lines: #"""
                start=$(git rev-parse HEAD); branch=$(git symbolic-ref HEAD)
                for i in $(seq 400); do
                  printf 'commit %s\ncommitter A <a@example.org> 1700000000 +0000\ndata 2\nn\n' $branch
                  [ $i -gt 1 ] || echo "from $start"
                  file='{"title": "N", "type": "number", "value": '$i'}'
                  printf 'M 644 inline n.json\ndata %s\n%s\n' ${#file} "$file"
                done | git fast-import --quiet
                mkfifo ../pipe; (head -c 100 >../begun; exec sleep 600) <../pipe & reader=$!
                settings watch --since $start --jsonl --poll 0 >../pipe 2>../out.errors & pid=$!
                until [ -s ../begun ]; do sleep 0.02; done
                # It writes more than a pipe holds.
                sleep 0.3
                finish
                kill $reader
                """#),
        Watched(
            name: "a closed pipe ends it at once, without a word",
            lines: #"""
                (settings watch --initial --poll 0 2>../errors; echo $? >../status) | head -n 1 >/dev/null
                expect 'exit status' "$(cat ../status)" 141
                expect errors "$(cat ../errors)" ''
                """#),
        Watched(
            name: "a store that is removed or moved away",
            lines: #"""
                cd ..; for how in 'rm -rf copy' 'mv copy elsewhere' 'rm -rf copy/.git'; do
                  rm -rf copy elsewhere out; cp -a store copy; mkdir -p work && cd work
                  rm -f ../out; settings watch --store ../copy --initial >../out 2>../out.errors & pid=$!
                  lines out 1; cd ..; $how
                  wait $pid; expect "exit status after $how" $? 66
                  expect errors "$(cat out.errors)" "settings: the store in $PWD/copy was removed"
                done
                """#),
        Watched(
            name: "idle, it takes no processor time",
            lines: #"""
                rm -f ../out; settings watch --initial --jsonl >../out 2>../out.errors & pid=$!
                lines out 1
                spent() { cut -d' ' -f14,15 /proc/$pid/stat; }
                [ -e /proc/$pid/stat ] || exit 0
                settings set sound.volume 60 -q; lines out 2
                before=$(spent); sleep 6; after=$(spent)
                set -- $before $after
                ticks=$(($3 + $4 - $1 - $2))
                [ $ticks -le 2 ] || broken "$ticks ticks of 10 ms in 6 s"
                finish
                """#),
        Watched(
            name: "events for programs",
            lines: #"""
                follow out --jsonl --poll 0 --bookmark 1ms
                lines out 3 '"event":"bookmark"'
                finish
                rm -f ../out; settings watch --initial --jsonl --poll 0 >../out 2>../out.errors & pid=$!
                lines out 1
                echo '{' >sound/volume.json; git commit -qam 'Broken'
                lines out 3
                git revert --no-edit HEAD >/dev/null
                lines out 4
                finish
                python3 - "$(git rev-parse HEAD~1)" <<'END'
                import json, sys
                events = [json.loads(line) for line in open("../out")]
                if {event["format_version"] for event in events} != {"1.0"}: print(events)
                snapshot, broken, error = events[:3]
                if snapshot["event"] != "snapshot" or len(snapshot["options"]) != 5: print(snapshot)
                id, path = sys.argv[1], "sound/volume.json"
                if [broken["event"], broken["id"], broken["unreadable"][0]["path"]] != ["version", id, path]: print(broken)
                if [error["event"], error["id"], error["path"]] != ["error", id, path]: print(error)
                END
                rm -f ../out; settings watch --initial --json --poll 0 >../out 2>../out.errors & pid=$!
                lines out 1 '^}'
                finish
                python3 -c 'import json; json.load(open("../out"))' || broken 'not JSON'
                """#),
        Watched(
            name: "unrecorded edits",
            lines: #"""
                follow out --drafts --poll 0
                sed -i 's/"value": 50/"value": 65/' sound/volume.json
                lines out 1 '^draft .*Volume (sound.volume): 50 → 65$'
                settings set display.dark on -q
                lines out 1 'Dark Mode'
                settings discard -q
                lines out 1 '^draft .*no unrecorded edits$'
                mkdir -p more/deep && sleep 0.3
                echo '{"title": "N", "type": "number", "value": 1}' >more/deep/n.json
                lines out 1 '^draft .*N (more.deep.n): added (1)$'
                echo '{' >more/deep/n.json
                lines out 1 '^draft .*unreadable: more/deep/n.json'
                finish
                expect lines "$(wc -l <../out)" 5
                """#),
        Watched(
            name: "a file that cannot be read, and a branch that moves back from it",
            lines: #"""
                good=$(git rev-parse HEAD)
                echo '{' >sound/volume.json && git commit -qam 'Broken'
                settings watch --initial --once --poll 0 >../initial & pid=$!
                lines initial 1 'unreadable: sound/volume.json'
                settings set display.dark on -q; wait $pid
                git reset -q --hard HEAD~1
                bad=$(git rev-parse HEAD)
                follow out --jsonl --poll 0; json=$pid
                follow text --poll 0
                git reset -q --hard HEAD~1
                lines text 1 'HEAD moved here'; lines text 0
                expect sentence "$(grep -o '  sound.*' ../text)" '  sound/volume.json was unreadable before'
                finish; pid=$json; lines out 1; finish
                expect errors "$(grep -c '"event":"error"' ../out)" 0
                expect rewritten "$(ids out)" "$good"
                """#),
        Watched(
            name: "once",
            lines: #"""
                follow out sound.volume --once --poll 0
                settings set display.dark on -q; settings set sound.volume 60 -q; settings set sound.volume 65 -q
                wait $pid; expect 'exit status' $? 0
                expect change "$(grep -o '(.*' ../out)" '(sound.volume): 50 → 60'
                follow out --once --poll 0 --exec sh -c 'echo "$SETTINGS_VALUE"'
                settings set sound.volume 70 -q
                wait $pid; expect 'exit status' $? 0
                expect 'what it printed' "$(cat ../out.errors)" 70
                """#),
        Watched(
            name: "without events of the system",
            lines: #"""
                follow out --poll-only --poll 20ms
                settings set sound.volume 60 -q
                lines out 1
                git reset -q --hard HEAD~1
                lines out 2
                finish
                # The limit of this user namespace alone.
                unshare -r true 2>/dev/null || exit 0
                start=$(git rev-parse HEAD)
                none='echo 0 >/proc/sys/user/max_inotify_instances; exec settings watch --poll'
                unshare -r sh -c "$none 20ms --since $start" >../out 2>../out.errors & pid=$!
                settings set sound.volume 65 -q
                lines out 1
                finish
                expect warning "$(cat ../out.errors)" \
                  'warning: cannot watch folders (Too many open files); polling every 20 milliseconds instead'
                unshare -r sh -c "$none 0" 2>../out.errors
                expect 'exit status' $? 75
                """#),
        Watched(
            name: "a branch that is missing for a while",
            lines: #"""
                branch=$(git symbolic-ref HEAD); old=$(git rev-parse HEAD)
                rm -f ../out; settings watch --initial --poll 20ms >../out 2>../out.errors & pid=$!
                lines out 5
                mv .git/$branch ../branch; mv .git/logs/$branch ../log
                until grep -q '^warning: the store has no versions yet' ../out.errors; do sleep 0.02; done
                mv ../log .git/logs/$branch; mv ../branch .git/$branch
                settings set sound.volume 60 -q
                lines out 6
                finish
                expect lines "$(wc -l <../out)" 6
                """#),
    ]

    @Test(arguments: all) func watch(_ row: Watched) throws { try row.check() }
}
