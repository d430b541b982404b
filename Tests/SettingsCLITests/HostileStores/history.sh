# Versions that no ordinary program writes.
people='author A <a@b> 1 +0000
committer A <a@b> 1 +0000'
time=1795161600

# Prints a tree in which sound.volume differs.
changed() {
  local file folder
  file=$(git show main:sound/volume.json | sed "s/50/${1:-70}/" | blob)
  folder=$(printf '100644 blob %s\tvolume.json\n' "$file" | git mktree)
  git ls-tree main | sed "s/tree [0-9a-f]*\tsound/tree $folder\tsound/" | git mktree
}
# A commit with the standard input after the lines of its tree and parent.
forged() { { printf 'tree %s\nparent %s\n' "${1:-$(changed)}" "${2:-$(git rev-parse main)}"; cat; } | raw commit; }
# The same with this message.
said() { { printf '%s\n\n' "$people"; cat; } | forged; }
# The same with these times.
timed() { printf 'author A <a@b>%s\ncommitter A <a@b>%s\n\nx\n' "$1" "${2:-$1}" | forged; }

store_escapes() {
  C=$(printf '%b' "author Ev\e[31mil\u202e <e\e]0;x\a@x> $time +0000\ncommitter A\e[2J <a> $time +0000\n\n" \
    'tit\e[31mle\u202e: x\n\nwhy\e[5m\u2066\x9b1m\n\nRequested-by: \e[31mx\u202e\nTicket: T\e[1m-1\nVia: \e[7mx\n' | forged)
}
store_no_author() { C=$(printf 'committer A <a@b> %s +0000\n\nx\n' $time | forged); }
store_no_committer() { C=$(printf 'author A <a@b> %s +0000\n\nx\n' $time | forged); }
store_no_tree() { C=$(printf 'parent %s\n%s\n\nx\n' "$(git rev-parse main)" "$people" | raw commit); }
store_empty_commit() { C=$(raw commit </dev/null); }
store_garbage_commit() { C=$(head -c 4000 /dev/urandom | raw commit); }
store_zero_byte_in_message() { C=$(printf 'x\0y\n' | said); }
store_no_message() { C=$(echo "$people" | forged); }
store_no_line_before_message() { C=$(printf '%s' "$people" | forged); }
store_message_of_20_mb() { C=$({ printf 'x\n\n'; head -c 20000000 /dev/zero | tr '\0' y; } | said); }
store_message_of_500_000_tickets() { C=$({ printf 'x\n\n'; yes 'Ticket: a' | head -500000; } | said); }
store_reverts_20_000() { C=$({ printf 'x\n\n'; yes "Reverts: $(git rev-parse main)" | head -20000; } | said); }
# Names that no version has, and one version with very many.
store_reverts_20_000_unknown() { C=$({ printf 'x\n\n'; seq -f 'Reverts: I%040.0f' 20000; } | said); }
store_change_ids_20_000() { C=$({ printf 'x\n\n'; seq -f 'Change-Id: I%040.0f' 20000; } | said); }
store_renames_20_000() {
  C=$({
    printf 'x\n\n'
    yes 'Renamed: general.language general.language' | head -20000
    printf 'Renamed: ../x ../../y\nRenamed: a\nResolves: x:y:z\nConflicts: ..:value\n'
  } | said)
}
store_trailers_of_nonsense() {
  C=$(printf 'x\n\nReverts: 1234567890123456789012345678901234567890\nUndoes: zzz\nRedoes: %s\nRestored-from: -\n' \
    "$(git rev-parse main:sound)" | said)
}
store_60_000_parents() {
  C=$({
    printf 'tree %s\n' "$(changed)"
    yes "parent $(git rev-parse main)" | head -60000
    printf '%s\n\nx\n' "$people"
  } | raw commit)
}
store_octopus() {
  C=$(git commit-tree "$(changed 75)" -p main -p "$(commit "$(changed 60)")" -p "$(commit "$(changed 65)" main~1)" \
    -p "$(commit 'main^{tree}' first^0)" -m octopus)
}
store_two_roots() { C=$(git commit-tree "$(changed 75)" -p main -p "$(git commit-tree "$(changed 60)" -m root)" -m two); }
store_no_parent() { C=$(git commit-tree "$(changed 60)" -m root); }
store_merges_of_merges() {
  local one two next number
  one=$(commit "$(changed 60)")
  two=$(commit "$(changed 65)")
  for number in {1..40}; do
    next=$(git commit-tree "$(changed $((60 + number % 8 * 5)))" -p "$one" -p "$two" -m x)
    two=$(git commit-tree "$(changed $((60 + number % 7 * 5)))" -p "$two" -p "$one" -m y)
    one=$next
  done
  C=$one
}
store_of_9999() { C=$(timed ' 253402300799 +0000'); }
store_of_1970() { C=$(timed ' 0 -1200'); }
store_before_1970() { C=$(timed ' -5000000000 -1200' ' -5 +0000'); }
store_of_the_last_second() { C=$(timed ' 9223372036854775807 +0000' ' 9223372036854775807 +9959'); }
store_of_no_second() { C=$(timed ' 99999999999999999999999 +999999' ' 18446744073709551616 -99999999'); }
store_without_a_time() { C=$(timed '' ' abc'); }
store_of_no_utf8() {
  C=$(printf 'author \xe9\xff <\xff@b> 1 +0000\ncommitter \xe9 <a@b> 1 +0000\nencoding L1\n\ncaf\xe9 \xff\n\n\xff\n' | forged)
}
store_name_of_1_mb() {
  C=$(printf 'author %s <a@b> 1 +0000\n\nx\n' "$(head -c 1000000 /dev/zero | tr '\0' n)" | forged)
}
store_missing_parent() { C=$(printf '%s\n\nx\n' "$people" | forged '' 1234567890123456789012345678901234567890); }
store_parent_is_a_tree() { C=$(printf '%s\n\nx\n' "$people" | forged '' "$(git rev-parse 'main^{tree}')"); }
store_tree_is_a_file() { C=$(printf '%s\n\nx\n' "$people" | forged "$(option)"); }
store_tree_is_a_commit() { C=$(printf '%s\n\nx\n' "$people" | forged "$(git rev-parse main)"); }
store_forged_merge() {
  C=$(git commit-tree "$(changed 75)" -p main -p "$(commit "$(changed 60)" main~1)" \
    -m $'x\n\nResolves: sound.volume:value\nConflicts: a:b')
}
store_replaced_in_a_ring() {
  C=$(commit "$(changed)")
  git update-ref "refs/replace/$(git rev-parse main)" "$C"
  git update-ref "refs/replace/$C" "$(git rev-parse main)"
}
store_grafted_in_a_ring() {
  C=$(commit "$(changed)")
  mkdir -p .git/info
  printf '%s %s\n%s %s %s\n' "$(git rev-parse main)" "$C" "$C" "$(git rev-parse main)" "$C" >.git/info/grafts
}
store_shallow() {
  C=$(commit "$(changed)")
  git rev-parse main >.git/shallow
  rm -f ".git/objects/$(git rev-parse main~1 | sed 's/^../&\//')"
}
store_shallow_nonsense() {
  C=$(commit "$(changed)")
  head -c 3000 /dev/urandom >.git/shallow
}
store_shallow_everywhere() {
  C=$(commit "$(changed)")
  git rev-list --all >.git/shallow
}
store_commit_graph_of_garbage() {
  C=$(commit "$(changed)")
  head -c 3000 /dev/urandom >.git/objects/info/commit-graph
}
store_commit_graph_that_lies() {
  C=$(commit "$(changed)")
  put theirs
  git commit-graph write --reachable 2>/dev/null
  scribble .git/objects/info/commit-graph 60
}
# FILE COUNT: changes COUNT bytes of a file and corrects the SHA-1 at its end.
scribble() {
  chmod u+w "$1"
  python3 - "$1" "$2" <<'PYTHON'
import hashlib, random, sys
path, count = sys.argv[1], int(sys.argv[2])
data = bytearray(open(path, "rb").read()[:-20])
random.seed(3)
for _ in range(count):
    data[random.randrange(8, len(data))] = random.randrange(256)
open(path, "wb").write(bytes(data) + hashlib.sha1(data).digest())
PYTHON
}
