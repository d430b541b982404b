import Foundation
import Surroundings
import Testing

/// What 'watch' reports of a history that grows, is rewritten and is packed.
@Suite struct WatchTests {
    static let all: [Watched] = [
        Watched(
            name: "versions of this program and of git, beside packing",
            lines: #"""
                start=$(git rev-parse HEAD)
                follow out --jsonl --poll 0
                settings set sound.volume 60 -q
                sed -i 's/"value": 60/"value": 65/' sound/volume.json && git commit -qam 'by hand'
                git pack-refs --all && settings set sound.volume 70 -q
                git gc -q --prune=now && settings set display.dark on general.language es -q
                git worktree add -q ../other 2>/dev/null && settings set display.dark off -q
                echo unrelated >notes.txt && git add notes.txt && git commit -qm 'Not a setting'
                git commit -q --allow-empty -m 'Nothing'
                settings set sound.volume 75 -q
                lines out 6
                finish
                expect 'what changed settings' "$(ids out)" \
                  "$(git rev-list --first-parent --reverse --invert-grep --grep='Not a setting' --grep=Nothing $start..HEAD)"
                """#),
        Watched(
            name: "sentences as 'history' has them, with the reason",
            lines: #"""
                follow out --poll 0
                settings set sound.volume 60 general.language es -q -m 'Madrid, loud.'
                lines out 1
                finish
                expect line "$(sed 's/^[0-9a-f]*/ID/' ../out)" \
                  'ID  2026-11-20 18:00:00 +0000  Marie Curie  Language (general.language): French → Spanish, and 1 more  “Madrid, loud.”'
                expect errors "$(cat ../out.errors)" ''
                """#),
        Watched(
            name: "no value of what is masked since, or was when it was removed",
            lines: #"""
                start=$(git rev-parse HEAD)
                settings add pw --title Password --text s3cret -q; settings set pw s4cret -q
                settings add pin --title PIN --text s5cret -q; settings define pin --masked -q; settings remove pin -q
                settings define pw --masked -q
                for form in '' --jsonl --reveal; do
                  settings watch --since $start $form --poll 0 >../out$form 2>../out$form.errors & pid=$!
                  lines out$form 6
                  finish
                done
                expect masked "$(cat ../out ../out--jsonl | grep -c 's[345]cret')" 0
                expect revealed "$(grep -o 's[345]cret' ../out--reveal | sort -u | wc -l)" 3
                """#),
        Watched(
            name: "400 versions by four writers beside git gc, while the watch is stopped and continued",
            lines: #"""
                start=$(git rev-parse HEAD)
                for n in 1 2 3 4; do settings add count.n$n --title N --number 0 -q; done
                follow out --jsonl --poll 0; begin=$(git rev-parse HEAD)
                write() { for i in $(seq 100); do settings set count.n$1 $i -q || broken "set: exit $?"; done; }
                write 1 & one=$!; write 2 & two=$!; write 3 & three=$!; write 4 & four=$!
                for i in 1 2 3 4 5; do
                  kill -STOP $pid; git gc -q 2>/dev/null; git pack-refs --all 2>/dev/null; kill -CONT $pid
                  lines out $((i * 20)) '"event":"version"'
                done
                wait $one $two $three $four
                lines out 400 '"event":"version"'
                finish
                expect order "$(ids out | md5sum)" "$(since $begin | md5sum)"
                expect count "$(ids out | sort -u | wc -l)" 400
                """#, seconds: 200),
        Watched(
            name: "the system's queue of events runs over",
            lines: #"""
                follow out --jsonl --poll 0
                settings set sound.volume 60 -q
                lines out 1
                limit=$(cat /proc/sys/fs/inotify/max_queued_events 2>/dev/null || echo 1000)
                [ "$limit" -lt 100000 ] || limit=1000
                kill -STOP $pid
                (cd .git && seq -f 'x%.0f' "$limit" | xargs touch && seq -f 'x%.0f' "$limit" | xargs rm)
                settings set sound.volume 65 -q
                kill -CONT $pid
                lines out 2
                settings set sound.volume 70 -q
                lines out 3
                finish
                expect versions "$(ids out)" "$(since HEAD~3)"
                """#),
        Watched(
            name: "the folder of a branch comes and goes",
            lines: #"""
                git checkout -q -b feature/deep/branch
                start=$(git rev-parse HEAD)
                follow out --jsonl --poll 0
                settings set sound.volume 60 -q
                lines out 1
                git pack-refs --all
                [ ! -e .git/refs/heads/feature ] || rmdir -p --ignore-fail-on-non-empty .git/refs/heads/feature/deep
                settings set sound.volume 65 -q
                lines out 2
                git pack-refs --all; git gc -q
                settings set sound.volume 70 -q
                lines out 3
                finish
                expect versions "$(ids out)" "$(since $start)"
                """#),
        Watched(
            name: "a reset, a checkout and a rebase are one event each",
            lines: #"""
                first=$(git rev-parse HEAD)
                follow out --jsonl --poll 0
                settings set sound.volume 60 -q && second=$(git rev-parse HEAD)
                lines out 1
                git reset -q --hard HEAD~1
                lines out 2
                git checkout -q -b side
                for i in 70 75 80; do settings set sound.volume $i -q; done; third=$(git rev-parse HEAD)
                lines out 5
                git checkout -q -
                lines out 6
                settings set display.dark on -q; fourth=$(git rev-parse HEAD)
                lines out 7
                git checkout -q side
                lines out 8
                git rebase -q - >/dev/null 2>&1; fifth=$(git rev-parse HEAD)
                lines out 9
                finish
                told=$(sed -n 's/.*rewritten",.*"from":"\([0-9a-f]*\)","to":"\([0-9a-f]*\)","branch":"\([a-z]*\)".*/\1 \2 \3/p' ../out)
                main=$(git branch --format='%(refname:short)' | grep -v side)
                expect events "$told" "$second $first $main
                $third $first $main
                $fourth $third side
                $third $fifth side"
                tail -n 1 ../out | grep -q '"key":"display.dark"' || broken "what the rebase changed: $(tail -n 1 ../out)"
                expect lines "$(wc -l <../out)" 9
                """#),
        Watched(
            name: "the version that was seen last is gone",
            lines: #"""
                follow out --poll 0
                settings set sound.volume 60 -q && seen=$(git rev-parse HEAD)
                lines out 1
                kill -STOP $pid
                git reset -q --hard HEAD~1 && git reflog expire --expire=now --all && git gc -q --prune=now
                settings set sound.volume 65 -q
                kill -CONT $pid
                lines out 2
                settings set sound.volume 70 -q
                lines out 3
                finish
                grep -q "HEAD moved here from $(echo $seen | cut -c1-7), which no longer exists" ../out || broken "$(cat ../out)"
                settings watch --since $seen >../none 2>&1
                expect 'since a version that is gone' "$? $(head -n 1 ../none)" "66 settings: there is no version '$seen'"
                """#),
        Watched(
            name: "a linked work tree",
            lines: #"""
                git worktree add -q ../other -b other && cd ../other
                start=$(git rev-parse HEAD)
                follow out --jsonl --poll 0
                settings set sound.volume 60 -q
                (cd ../store && settings set sound.volume 5 -q)
                lines out 1
                git pack-refs --all
                settings set sound.volume 65 -q
                lines out 2
                git -C ../store update-ref refs/heads/other $(git -C ../store commit-tree -p HEAD -m none "$(git rev-parse $start^{tree})")
                lines out 3
                expect versions "$(ids out '"event":"version"')" "$(since $start other@{1})"
                cd ../store && git worktree remove --force ../other
                wait $pid; expect 'exit status' $? 66
                """#),
        Watched(
            name: "merges are one version, with what they brought in",
            lines: #"""
                start=$(git rev-parse HEAD)
                git checkout -q -b side; settings set sound.volume 60 -q; settings set display.dark on -q; git checkout -q -
                settings set user.name Pierre -q
                rm -f ../out; settings watch --since $start --jsonl --poll 0 >../out 2>../out.errors & pid=$!
                lines out 1
                settings merge side -q -m 'Both.'
                lines out 2
                finish
                expect versions "$(ids out)" "$(since $start)"
                expect 'brought in' "$(tail -n 1 ../out | grep -o '"key":"[a-z.]*"' | sort | xargs)" 'key:display.dark key:sound.volume'
                """#),
        Watched(
            name: "a branch that this one was merged into, and forwarded to",
            lines: #"""
                git checkout -q -b side; settings set sound.volume 60 -q; git checkout -q -
                settings set display.dark on -q; here=$(git rev-parse HEAD); main=$(git symbolic-ref --short HEAD)
                follow out --jsonl --poll 0
                git checkout -q -b merging side 2>/dev/null && settings merge $main -q && git update-ref refs/heads/$main HEAD
                git checkout -q $main
                lines out 1 '"event":"version"'
                finish
                """#),
        Watched(
            name: "decisions are versions too",
            lines: #"""
                git checkout -q -b side; settings set sound.volume 60 -q; git checkout -q -
                settings set sound.volume 70 -q
                git checkout -q -b third; settings set sound.volume 75 -q; git checkout -q -
                follow out --jsonl --poll 0
                settings merge side --keep -q -m 'Later.'
                settings resolve sound.volume --ours -q -m 'Ours.'
                settings merge third sound.volume=70 -q
                lines out 1 '"decisions":\[{"key":"sound.volume"'
                finish
                for id in HEAD~1 HEAD~2 HEAD; do
                  expect "told of $id" "$(ids out '"event":"version"' | grep -c $(git rev-parse $id))" 1
                done
                """#),
        Watched(
            name: "keys, also under the names that they had",
            lines: #"""
                start=$(git rev-parse HEAD)
                settings set sound.volume 60 -q; settings rename sound.volume sound.level -q
                rm -f ../out; settings watch sound.level --since $start --poll 0 >../out 2>../out.errors & pid=$!
                lines out 2
                settings set general.language es -q; settings set sound.level 65 -q; settings rename sound audio -q
                settings set audio.level 70 -q; settings set sound.volume 1 -q 2>/dev/null
                lines out 5
                finish
                expect changes "$(grep -o '(.*' ../out)" '(sound.volume): 50 → 60
                (sound.level): renamed sound.volume → sound.level
                (sound.level): 60 → 65
                (group audio): renamed sound → audio
                (audio.level): 65 → 70'
                """#),
    ]

    @Test(arguments: all) func watch(_ row: Watched) throws { try row.check() }
}
