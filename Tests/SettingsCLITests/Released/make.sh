#!/bin/bash
# Writes the fixtures of one release: every kind of file that a version of the program leaves behind, made by that version.
#
#   Tests/SettingsCLITests/Released/make.sh PROGRAM [FOLDER]
#
# PROGRAM is the released 'settings', with the programs beside it. FOLDER (default: its version number, beside this script)
# must not exist. What is written:
#
#   history        the repository as a stream for 'git fast-import': versions of every kind, tags, branches, discarded edits
#   config         the settings of git that the program made
#   own/           the program's own files in '.git/settings': notes, caches, drafts of the pages
#   edited/        files of the store that were edited by hand and not recorded
#   trusted        what the user trusts; @STORE@ stands for the store's folder
#   shop.bundle    a copy of the history
#   values         every value at every version up to v2, as 'get' printed it
#   changes        every change up to v2, as 'history --json' printed it, without merges that left a conflict open
#   unfinished     the note of a version whose files were not written yet when its process died
#
# 'changes' holds the members that the contract promises, so that later versions may add others.
set -eu -o pipefail
program=$(realpath "$1")
folder=${2:-$(dirname "$(realpath "$0")")/$("$program" --version | grep -o '[0-9][0-9.]*[0-9]' | head -n 1)}
test ! -e "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"
for name in ${!GIT_*} ${!SETTINGS_*}; do unset "$name"; done
export HOME=$work/home PATH=$(dirname "$program"):$PATH LC_ALL=C.UTF-8 TZ=Europe/Paris GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME='Ada Example' GIT_AUTHOR_EMAIL=ada@example.org
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
git config --global init.defaultBranch main
now=1795161600
# Each command takes a minute.
settings() {
  now=$((now + 60))
  GIT_AUTHOR_DATE="@$now +0100" GIT_COMMITTER_DATE="@$now +0100" SETTINGS_NOW=$now command settings "$@"
}

settings init -q --title 'Web shop' "$work/shop"
cd "$work/shop"
settings define -q / --require-why asked
settings add -q general.language --title Language --choice en=English fr=French de=German --default en --section General \
  --help-text 'Shown in every menu.'
settings add -q general.region.city --title City --choice Paris Berlin --page 'Region' --unset
settings add -q sound.volume --title Volume --number 40 --range 0..100:5
settings add -q sound.mute --title Mute --switch
settings add -q user.name --title Name --text Marie --pattern '[A-Z][a-z]*'
settings add -q user.token --title Token --text s3cret --masked
settings add -q app.config --title Config --data '{"a": [1, 1.0, null], "ü": "\u00e9"}'
settings tag v1
settings set -q general.language German -m 'Berlin opens on Monday.' --requested-by 'Marie Curie <marie@example.org>' --ticket FEAT-12
settings label add -q general.language Arabic --at 1 --value ar -m 'For the new colleagues.'
settings set -q sound.volume+=20 general.language=French user.name=Pierre -m $'Paris, loud.\n\nTwo paragraphs.'
settings revert -q HEAD --only general.language -m 'Berlin it is.'
settings label rename -q general.language French Français
settings rename -q sound.mute sound.silent
settings undo -q
settings redo -q
settings restore -q sound.volume --from v1 -m 'Quiet again.'
settings remove -q app.config
# A branch that is merged with an open conflict, one that is not merged, and a version by plain git.
git branch laptop HEAD~3
git switch -q laptop
settings set -q general.language English sound.volume=80
git switch -q main
settings set -q general.language Français
settings merge -q laptop --keep -m 'From the laptop.' || test $? = 2
git branch -q -f laptop HEAD~1
sed -i 's/"title": "Volume"/"title": "Loudness"/' sound/volume.json
GIT_AUTHOR_DATE="@$((now + 30)) +0100" GIT_COMMITTER_DATE="@$((now + 30)) +0100" git commit -qam 'By hand'
printf '{"title": "Door", "door": "open", "window": null}' > "$HOME/door.json"
settings import -q "$HOME/door.json" -m 'The doors.'
settings tag v2
# The index of the history is written once it is worth it.
for number in $(seq 33); do settings set -q sound.volume=10; settings set -q sound.volume=15; done
settings maintain -q
settings blame > /dev/null
settings set -q sound.silent on --confirm 30m -m 'For a test.'
settings set -q general.region.city Paris

# Edits by hand: some discarded, some left.
sed -i 's/"value": "Pierre"/"value": "Gone"/' user/name.json
settings discard -q
sed -i 's/"value": "Pierre"/"value": "Edited"/' user/name.json
# A draft of the pages.
printf '%s\n' sound Loudness 65 'done' 'Why = Not recorded.' | settings edit --plain > /dev/null || true
test -e .git/settings/edits-*-0
# What the user trusts.
git remote add origin "$work/shop.git"
git init -q --bare "$work/shop.git"
git config core.sshCommand 'ssh -4'
settings remote trust origin -q > /dev/null
settings bundle -q "$work/shop.bundle"

mkdir -p "$folder/own" "$folder/edited/user"
git fast-export --all --signed-tags=verbatim > "$folder/history"
git for-each-ref --format='%(objectname) %(refname)' > "$folder/references"
for key in merge.settings.name merge.settings.driver core.fsync; do
  git config -f "$folder/config" $key "$(git config --local $key)"
done
cp user/name.json "$folder/edited/user/"
for file in .git/settings/*; do
  case $file in *lock) ;; *) cp -r "$file" "$folder/own/" ;; esac
done
sed "s:$work/shop:@STORE@:" "$HOME/.config/settings/trusted" > "$folder/trusted"
cp "$work/shop.bundle" "$folder/"
git stash -q
for id in $(git rev-list --reverse v2); do
  for file in $(git ls-tree -r --name-only $id); do
    case $file in *_store.json | *_group.json | .*) continue ;; esac
    key=${file%.json}
    printf '%s %s %s\n' "$id" "$key" "$(settings get "$key" --at $id 2>/dev/null | tr '\n' ' ' | sed 's/ $//')"
  done
done | sed 's/ $//' > "$folder/values"
changes() {
  settings history --json | grep -E '^ *"(id|name|email|subject|why|requestedBy|key|title|facet|before|after|beforeLabel|afterLabel)":'
}
git branch -q later
git reset -q --hard v2
changes > "$folder/changes"
git reset -q --hard later
# A process that died when the branch had moved and the files had not.
printf 'old %s\nnew %s\n' "$(git rev-parse HEAD~1)" "$(git rev-parse HEAD)" > "$folder/unfinished"
echo "$folder"
