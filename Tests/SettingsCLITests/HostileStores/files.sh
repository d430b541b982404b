# Options and groups that are designed to harm programs that read or show them.
CHECKOUT=

# PATH: commits the standard input at this path; the files match.
holds() {
  local file
  file=$(blob)
  C=$(
    export GIT_INDEX_FILE=$W/index
    git read-tree main && git update-index --add --cacheinfo "100644,$file,$1" && commit "$(git write-tree)"
  )
  CHECKOUT=yes
}
store_json_100_000_deep() { head -c 100000 /dev/zero | tr '\0' '[' | holds general/language.json; }
store_json_of_objects_20_000_deep() { yes '{"a":' | head -20000 | tr -d '\n' | holds general/language.json; }
store_title_of_2_mb() {
  { printf '{"title": "'; head -c 2000000 /dev/zero | tr '\0' a; printf '", "type": "text", "value": "x"}'; } |
    holds general/language.json
}
store_title_of_1_mb() {
  { printf '{"title": "'; head -c 1000000 /dev/zero | tr '\0' a; printf '", "type": "text", "value": "x"}'; } |
    holds general/language.json
}
# As many as a file may contain.
store_labels_by_the_100_000() {
  { printf '{"title": "X", "type": "choice", "selected": 0, "labels": ['; seq -f '"%g",' 110000 | tr -d '\n'; printf '"x"]}'; } |
    holds general/language.json
}
store_one_label_100_000_times() {
  {
    printf '{"title": "X", "type": "choice", "selected": 0, "labels": ['
    yes '"a",' | head -200000 | tr -d '\n'; printf '"x"]}'; } |
    holds general/language.json
}
# Just below the limit, and different from the previous file in every label.
store_labels_just_under_1_mb() {
  labels() {
    printf '{"title": "X", "type": "choice", "selected": 0, "labels": ['
    "$@" | sed 's/.*/"l&",/' | tr -d '\n'
    printf '"x"], "values": ['
    "$@" | sed 's/.*/&,/' | tr -d '\n'
    printf '"x"]}'
  }
  labels seq 30000 | holds general/language.json
  local before=$C
  labels seq 30000 -1 1 | sed 's/"l7/"m7/g' | holds general/language.json
  C=$(commit "$(git rev-parse "$C^{tree}")" "$before")
}
store_group_order_just_under_1_mb() {
  { printf '{"title": "G", "order": ['; seq -f '"n%g",' 70000 | tr -d '\n'; printf '"language"]}'; } |
    holds general/_group.json
}
store_members_by_the_100_000() {
  { printf '{"title": "X", "type": "text", "value": "x"'; seq -f ',"m%g":0' 90000 | tr -d '\n'; printf '}'; } |
    holds general/language.json
}
store_escapes_in_a_choice() {
  printf '%s' '{"title": "T\u001b[31m\u202e\u009b1m", "type": "choice", "selected": 0, "help": "h\u001b[2J", "labels": ' \
    '["a\u001b[5m\u2066", "b\u0007\u202e"], "values": ["v\u001b]0;x\u0007", "w\u202e"], "longLabels": ["\u001b[1m", "\u2069"]}' |
    holds general/language.json
}
store_raw_bidirectional_text() {
  printf '{"title": "T\u202eX\u2066", "type": "text", "value": "v\u202e\u2069", "help": "\u202d"}' |
    holds general/language.json
}
store_escapes_in_data() {
  printf '%s' '{"title": "D", "type": "data", "value": {"k\u001b[1m\u202e": ["\u001b[31m", "\u0000", "\u2028"]}}' |
    holds general/language.json
}
store_escapes_in_a_group() {
  printf '%s' '{"title": "G\u001b[31m\u202e", "style": "page", "footer": "f\u001b[2J", "order": ["\u001b[1m", "../x", ""]}' |
    holds general/_group.json
}
store_escapes_in_the_store() {
  printf '%s' '{"format": 1, "title": "S\u001b[31m\u202e", "policy": {"why": "optional"}}' | holds _store.json
}
store_of_a_later_format() { echo '{"format": 99, "title": "S"}' | holds _store.json; }
store_lone_surrogates() {
  printf '%s' '{"title": "\ud800", "type": "text", "value": "\udfff\ud800"}' | holds general/language.json;
}
store_file_of_no_utf8() { printf '{"title": "caf\xe9", "type": "text", "value": "\xff"}' | holds general/language.json; }
store_members_twice() {
  echo '{"title": "a", "title": "b", "type": "text", "value": "x", "value": "y"}' | holds general/language.json
}
store_numbers_out_of_bounds() {
  echo '{"title": "N", "type": "number", "value": 1e400, "minimum": -1e999, "maximum": 1e-9999, "step": 1e-400}' |
    holds general/language.json
}
store_number_of_1_mb() {
  { printf '{"title": "N", "type": "number", "value": '; head -c 1000000 /dev/zero | tr '\0' 9; printf '}'; } |
    holds general/language.json
}
store_selected_out_of_bounds() {
  echo '{"title": "C", "type": "choice", "selected": 9223372036854775808, "labels": ["a"]}' | holds general/language.json
}
store_pattern_without_end() {
  printf '{"title": "P", "type": "text", "pattern": "(a*)*(b+)+((a|aa)+)+$", "value": "%s!"}' \
    "$(head -c 5000 /dev/zero | tr '\0' a)" | holds general/language.json
}
store_pattern_of_brackets() {
  { printf '{"title": "P", "type": "text", "value": "x", "pattern": "'; head -c 200000 /dev/zero | tr '\0' '('; printf '"}'; } |
    holds general/language.json
}
store_pattern_that_calls_itself() {
  echo '{"title": "P", "type": "text", "value": "aaaa", "pattern": "(?R)*(?1)(a(?R))((?2)|a)*"}' | holds general/language.json
}
store_attributes() {
  git config filter.x.clean "$W/outside/evil"
  git config filter.x.smudge "$W/outside/evil"
  git config diff.x.textconv "$W/outside/evil"
  echo '*.json merge=settings filter=x diff=x text working-tree-encoding=UTF-16' | holds .gitattributes
  CHECKOUT=
}
store_gitmodules() {
  printf '[submodule "x"]\npath = zsub\nurl = ext::sh -c touch%% ran\n' | holds .gitmodules
}
store_git_file_in_a_group() { printf 'gitdir: ../../outside\n' | holds_git_file; }
holds_git_file() {
  cat >general/.git
  C=
}
