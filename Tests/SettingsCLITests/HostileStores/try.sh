# Makes one hostile store and runs the commands against it: bash try.sh NAME, in the folder of a case, where `store` is a
# store. A line that begins with `!!` is a broken promise; SETTINGS_HOSTILE=all runs every command,
# SETTINGS_HOSTILE=both or SETTINGS_FULL=1 the default ones both with the version on another branch and with it as HEAD.
here=$(dirname "${BASH_SOURCE[0]}")
# A function that creates a store may be the end of a pipeline, and sets variables.
shopt -s lastpipe
W=$PWD
hex_bytes() { printf '%b' "$(sed 's/../\\x&/g' <<<"$1")"; }
# One entry of a tree: MODE ID NAME.
entry() { printf '%s %s\0' "$1" "$3"; hex_bytes "$2"; }
raw() { git hash-object -t "${1:-tree}" -w --stdin --literally; }
blob() { git hash-object -w --stdin; }
entries() { git cat-file tree "$1"; }
commit() { git commit-tree "$1" -p "${2:-main}" -m "${3:-hostile}"; }
option() { echo '{"title": "X", "type": "text", "value": "x"}' | blob; }
for file in trees history git-folder files; do . "$here/$file.sh"; done

reads=('list' 'history' 'show theirs' 'diff --from theirs' 'status' 'verify --deep' 'tag' 'verify --signatures')
writes=('merge theirs -m x' 'set general.language es -m x' 'undo' 'restore --all --from theirs -m x')
if [ "${SETTINGS_HOSTILE-}" = all ]; then
  reads+=('get general.language' 'blame' 'verify' 'list --json' 'list --at theirs' 'show general.language' 'show HEAD' 'history --json'
    'history general.language' 'history --search x' 'diff' 'diff --from HEAD~1' 'verify HEAD~1..HEAD' 'verify main..theirs'
    'conflicts' 'doctor' 'get general.language --at HEAD' 'get general.language --at theirs' 'merge theirs --dry-run')
  writes+=('set sound.volume 60 -m x' 'done -m x' 'merge theirs --theirs -m x' 'revert HEAD -m x' 'revert theirs -m x' 'redo'
    'restore --all --exact --from theirs -m x' 'label add general.language German -m x'
    'rename general.language general.tongue -m x' 'remove sound.volume -m x' 'discard' 'tag new' 'maintain' 'setup')
fi

run() {
  local begun=$EPOCHREALTIME status
  (
    ulimit -v "${SETTINGS_HOSTILE_MEMORY:-1000000}"
    # Processor time, because other work on the machine doesn't count. A debug build takes ten times as
    # long as a release build.
    ulimit -t 40
    # shellcheck disable=SC2086
    exec timeout -k 1 200 settings $1
  ) >"$W/output" 2>"$W/errors" </dev/null
  status=$?
  local took=$(((${EPOCHREALTIME/./} - ${begun/./}) / 1000))
  case $status in
    0 | 1 | 2 | 64 | 65 | 66 | 69 | 73 | 74 | 75 | 77) ;;
    *) echo "!! $as: settings $1: exit $status after $took ms: $(head -c 300 "$W/output" "$W/errors" | tr '\n' '|')" ;;
  esac
  # Programs get a value unchanged.
  if [[ $1 != get* ]] &&
    grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\x{80}|\x{9b}|\x{202a}|\x{202e}|\x{2066}' "$W/output" "$W/errors"; then
    echo "!! $as: settings $1: a control character or bidirectional override is shown"
  fi
  echo "$took $as $1"
}

# Everything outside the store.
surroundings() {
  (cd "$W" && find outside home -type f -exec cksum {} + && find outside home -printf '%p %y %m %l\n') | sort
}

# The store is made once; each way begins with a copy.
mkdir outside made
echo precious >outside/file
printf '#!/bin/sh\ntouch "%s/ran-$(basename "$0")"\ncat\n' "$W" >outside/evil
chmod +x outside/evil
cd store || exit 1
git branch -q theirs
C=
"store_$1" >/dev/null || echo "!! the store can't be made"
mv "$W/store" "$W/outside" "$W/made"
for as in theirs head; do
  rm -rf "$W/store" "$W/outside" "$W"/ran-*
  cp -a "$W/made/." "$W"
  cd "$W/store" || exit 1
  # An object that git doesn't accept as a commit is stored as a fetch would store it.
  put() { echo "$C" >".git/refs/heads/$1"; }
  if [ -n "$C" ]; then
    put theirs
    if [ "$as" = head ]; then put main; fi
    if [ "$as$CHECKOUT" = headyes ]; then git read-tree main && git checkout-index -fa; fi
  elif [ "$as" = head ]; then
    continue
  fi
  before=$(surroundings)
  if [ -n "$C" ] && [ -z "${SETTINGS_FULL-}${SETTINGS_HOSTILE-}" ]; then
    # Each command once: what concerns the other branch, then what concerns HEAD.
    if [ "$as" = theirs ]; then
      reads=('show theirs' 'diff --from theirs' 'tag' 'verify --deep') writes=('merge theirs -m x' 'restore --all --from theirs -m x')
    else
      reads=('list' 'history --signatures' 'status' 'verify --deep') writes=('set general.language es -m x' 'undo')
    fi
  fi
  for words in "${reads[@]}"; do run "$words"; done
  for words in "${writes[@]}"; do
    if [ "${SETTINGS_HOSTILE-}" = all ]; then
      rm -rf "$W/kept"
      cp -a "$W/store" "$W/kept"
    fi
    run "$words"
    if [ "${SETTINGS_HOSTILE-}" = all ]; then
      cd "$W" && rm -rf "$W/store" && mv "$W/kept" "$W/store" && cd "$W/store" || exit 1
    fi
  done
  if [ "$before" != "$(surroundings)" ]; then
    echo "!! $as: outside of the store: $(diff <(echo "$before") <(surroundings) | head -5 | tr '\n' '|')"
  fi
  for mark in "$W"/ran-*; do if [ -e "$mark" ]; then echo "!! $as: a program was run: $mark"; fi; done
done
