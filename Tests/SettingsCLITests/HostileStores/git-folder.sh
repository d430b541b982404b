# A `.git` folder that was delivered with the store, as in an archive, prepared by an attacker.
store_worktree_out() {
  git config core.worktree $W/outside
}
store_worktree_up() {
  git config core.worktree ../..
}
store_worktree_merge() {
  git config core.worktree ../..
  local t=$(printf "040000 tree $(git rev-parse main^{tree})\tstore\n" | git mktree)
  local m=$(git commit-tree $t -m base)
  git update-ref refs/heads/main $m
  local new=$(printf "100644 blob $(option)\tnew\n" | git mktree)
  local old=$(git rev-parse $t:store)
  C=$(git commit-tree $(printf "040000 tree $old\tstore\n040000 tree $new\toutside\n" | git mktree) -p $m -m out)
  git update-ref refs/heads/theirs $C
  C=
}
store_programs() {
  mkdir -p .git/hooks
  for h in pre-commit prepare-commit-msg commit-msg post-commit reference-transaction post-checkout post-merge pre-rebase \
    post-rewrite post-index-change pre-auto-gc fsmonitor-watchman update push-to-checkout pre-merge-commit; do
    cp $W/outside/evil .git/hooks/$h
  done
  E=$W/outside/evil
  for k in core.fsmonitor core.editor core.pager core.sshCommand core.askPass core.gitProxy core.alternateRefsCommand \
    sequence.editor pager.log pager.history gpg.program gpg.ssh.program gpg.ssh.defaultKeyCommand diff.external \
    diff.x.textconv diff.x.command merge.settings.driver merge.x.driver filter.x.clean filter.x.smudge filter.x.process \
    credential.helper alias.history alias.repack alias.commit-graph interactive.diffFilter uploadpack.packObjectsHook \
    init.templateDir trailer.x.command trailer.x.cmd; do
    git config $k $E
  done
  git config core.hooksPath $W/outside
  mkdir -p .git/info
  echo '* filter=x diff=x merge=x' > .git/info/attributes
  git config extensions.worktreeConfig true
  git config -f .git/config.worktree core.fsmonitor $E
  git config core.untrackedCache true
  git config gc.auto 1
  local o=$(git commit-tree $(git rev-parse main~1^{tree}) -p main -m x)
  git config --unset core.fsmonitor
  git update-ref refs/heads/theirs $o
  git config core.fsmonitor $E
}
# Asks for signatures, names everything that signing and checking would run or read, and has a signed version.
store_signing() {
  local k s
  for k in gpg.program gpg.openpgp.program gpg.ssh.program gpg.x509.program gpg.ssh.defaultKeyCommand; do
    git config $k $W/outside/evil
  done
  mkfifo .git/fifo
  for k in user.signingKey gpg.ssh.allowedSignersFile gpg.ssh.revocationFile; do git config $k $PWD/.git/fifo; done
  git config commit.gpgSign true
  git config tag.gpgSign true
  git config gpg.format ssh
  s=$(printf '%s-----BEGIN SSH SIGNATURE-----\n U1NIU0lH\e[31m\n -----END SSH SIGNATURE-----' 'gpgsig ')
  C=$(git cat-file commit main | sed "1,/^\$/s/^committer .*/&\n${s//$'\n'/\\n}/" | raw commit)
}
store_include() {
  printf '[include]\n\tpath = /etc/passwd\n\tpath = %s/outside/conf\n' $W >> .git/config
  printf '[core]\n\tfsmonitor = %s\n\teditor = %s\n' $W/outside/evil $W/outside/evil > $W/outside/conf
}
store_include_loop() {
  printf '[include]\n\tpath = config\n' >> .git/config
}
store_include_fifo() {
  mkfifo .git/fifo
  printf '[include]\n\tpath = fifo\n' >> .git/config
}
store_include_zero() {
  printf '[include]\n\tpath = /dev/zero\n' >> .git/config
}
store_config_big() {
  { echo '[x]'; yes 'a = b' | head -3000000; } >> .git/config
}
store_alternates() {
  echo $W/outside/objects > .git/objects/info/alternates
  git init -q $W/outside/other
  mv $W/outside/other/.git/objects $W/outside/objects
}
store_alternates_self() {
  echo $PWD/.git/objects > .git/objects/info/alternates
}
store_alternates_fifo() {
  mkfifo .git/objects/info/alternates
}
store_alternates_many() {
  for i in $(seq 20000); do echo /nowhere/$i; done > .git/objects/info/alternates
}
store_objects_link() {
  mv .git/objects $W/outside/o
  ln -s $W/outside/o .git/objects
}
store_commondir() {
  git init -q $W/outside/other
  echo $W/outside/other/.git > .git/commondir
}
store_head_outside() {
  echo 'ref: ../../outside/file' > .git/HEAD
}
store_head_abs() {
  echo "ref: $W/outside/file" > .git/HEAD
}
store_head_loop() {
  echo 'ref: HEAD' > .git/HEAD
}
store_head_tag() {
  echo 'ref: refs/tags/first' > .git/HEAD
}
store_head_escape() {
  printf 'ref: refs/heads/\e[31mx\u202e\n' > .git/HEAD
}
store_head_big() {
  head -c 100000000 /dev/zero > .git/HEAD
}
store_head_fifo() {
  rm .git/HEAD
  mkfifo .git/HEAD
}
store_index_fifo() {
  rm .git/index
  mkfifo .git/index
}
store_config_fifo() {
  rm .git/config
  mkfifo .git/config
}
store_packedrefs_fifo() {
  mkfifo .git/packed-refs
}
store_ref_fifo() {
  rm .git/refs/heads/main
  mkfifo .git/refs/heads/main
}
store_reflog_fifo() {
  rm .git/logs/HEAD
  mkfifo .git/logs/HEAD
}
store_branchlog_fifo() {
  rm .git/logs/refs/heads/main
  mkfifo .git/logs/refs/heads/main
}
store_pending_fifo() {
  mkdir -p .git/settings
  rm -f .git/settings/pending
  mkfifo .git/settings/pending
}
store_lock_fifo() {
  rm -f .git/settings/lock
  mkfifo .git/settings/lock
}
store_history_fifo() {
  mkfifo .git/settings/history-1
}
store_maintain_fifo() {
  mkfifo .git/settings/maintain
}
store_reflog_link() {
  rm .git/logs/HEAD .git/logs/refs/heads/main
  ln -s $W/outside/file .git/logs/HEAD
  ln -s $W/outside/file .git/logs/refs/heads/main
}
store_logs_link() {
  rm -rf .git/logs
  mkdir $W/outside/l
  ln -s $W/outside/l .git/logs
}
store_refs_link() {
  mv .git/refs/heads $W/outside/heads
  ln -s $W/outside/heads .git/refs/heads
}
store_ref_link() {
  cp .git/refs/heads/main $W/outside/main
  ln -sf $W/outside/main .git/refs/heads/main
}
store_index_link() {
  mv .git/index $W/outside/index
  ln -s $W/outside/index .git/index
}
store_config_link() {
  mv .git/config $W/outside/config
  ln -s $W/outside/config .git/config
}
store_pending_link() {
  rm -f .git/settings/pending
  ln -s $W/outside/file .git/settings/pending
}
store_pending_out() {
  local b=$(echo owned | blob)
  local t=$({ entry 40000 $(entry 100644 $b new | raw) outside; } | raw)
  local n=$(git commit-tree $({ entry 40000 $t ..; entries main^{tree}; } | raw) -p main -m x)
  printf 'old %s\nnew %s\n' $(git rev-parse main) $n > .git/settings/pending
  git update-ref refs/heads/main $n
}
store_pending_hooks() {
  local b=$(cat $W/outside/evil | blob)
  local t=$({ entry 40000 $(entry 100644 $b pre-commit | raw) hooks; } | raw)
  local n=$(git commit-tree $({ entry 40000 $t .git; entries main^{tree}; } | raw) -p main -m x)
  printf 'old %s\nnew %s\n' $(git rev-parse main) $n > .git/settings/pending
  git update-ref refs/heads/main $n
  rm -f .git/hooks/pre-commit
}
store_pending_garbage() {
  head -c 3000 /dev/urandom > .git/settings/pending
  sed -i '1s/^/old /' .git/settings/pending
}
store_refs_garbage() {
  head -c 100000 /dev/urandom > .git/packed-refs
}
store_refs_many() {
  seq -f "$(git rev-parse main) refs/tags/t%g" 5000 | LC_ALL=C sort -k 2 > .git/packed-refs
}
store_refs_odd() {
  local m=$(git rev-parse main)
  printf '%s refs/tags/\u202ebidi\n%s refs/tags/../../x\n%s refs/heads/-x\n' $m $m $m > .git/packed-refs
  git update-ref refs/tags/blob $(git rev-parse main:_store.json)
  git update-ref refs/tags/tree $(git rev-parse main^{tree})
  echo nonsense > .git/refs/tags/bad
  echo 'ref: refs/tags/loop' > .git/refs/tags/loop
  echo 1234567890123456789012345678901234567890 > .git/refs/tags/gone
}
store_tag_escape() {
  local tag='object %s\ntype commit\ntag x\e[31m\ntagger \e[31mx <a> 1 +0000\n\n\e[31m\u202e\n'
  git update-ref refs/tags/ann $(printf "$tag" $(git rev-parse main) | raw tag)
  git update-ref refs/tags/annloop $(printf 'object 1234567890123456789012345678901234567890\ntype tag\ntag x\n\n' | raw tag)
  git update-ref "refs/tags/$(printf 'b\u202ex')" main
  git update-ref "refs/heads/$(printf 'b\u202ex')" main
  git symbolic-ref HEAD "refs/heads/$(printf 'b\u202ex')"
}
store_tag_chain() {
  local t=$(git rev-parse main) k=commit
  for i in {1..500}; do
    t=$(printf 'object %s\ntype %s\ntag x\ntagger x <a> 1 +0000\n\nx\n' $t $k | raw tag)
    k=tag
  done
  git update-ref refs/tags/chain $t
}
store_index_garbage() {
  head -c 5000 /dev/urandom > .git/index
}
store_index_lies() { python3 - .git/index <<'P'
import sys,random,hashlib
p=sys.argv[1]; b=bytearray(open(p,'rb').read()[:-20]); random.seed(5)
for i in range(12): b[random.randrange(8,len(b))]=random.randrange(256)
open(p,'wb').write(bytes(b)+hashlib.sha1(bytes(b)).digest())
P
}
store_index_count() { python3 - .git/index <<'P'
import sys,hashlib
p=sys.argv[1]; b=bytearray(open(p,'rb').read()[:-20]); b[8:12]=b'\x7f\xff\xff\xff'
open(p,'wb').write(bytes(b)+hashlib.sha1(bytes(b)).digest())
P
}
store_packs_garbage() {
  git repack -adq
  for f in .git/objects/pack/*; do chmod u+w $f; done
  f=$(ls .git/objects/pack/*.idx)
  head -c 5000 /dev/urandom > $f
}
store_pack_lies() { git repack -adq; f=$(ls .git/objects/pack/*.pack); chmod u+w $f; python3 - $f <<'P'
import sys,random,hashlib
p=sys.argv[1]; b=bytearray(open(p,'rb').read()[:-20]); random.seed(7)
for i in range(30): b[random.randrange(12,len(b))]=random.randrange(256)
open(p,'wb').write(bytes(b)+hashlib.sha1(bytes(b)).digest())
P
}
# REVISION HEADER: replaces its file by an object with this header and 100 MB.
bomb() {
  python3 - "$(git rev-parse "$1")" "$2" <<'PYTHON'
import os, sys, zlib
name, header = sys.argv[1:]
path = f".git/objects/{name[:2]}/{name[2:]}"
os.chmod(path, 0o644)
packer = zlib.compressobj(1)
with open(path, "wb") as stream:
    stream.write(packer.compress(header.encode() + b"\0"))
    for _ in range(100):
        stream.write(packer.compress(b"x" * (1 << 20)))
    stream.write(packer.flush())
PYTHON
}
store_zlib_bomb() { bomb main:general/language.json 'blob 60'; }
store_zlib_bomb_of_its_size() {
  bomb 'main~1^{tree}' 'tree 104857600'
  bomb main 'commit 104857600'
}
store_object_fifo() {
  h=$(git rev-parse main:sound/volume.json)
  f=.git/objects/${h:0:2}/${h:2}
  rm -f $f
  mkfifo $f
}
store_bare_confused() {
  mkdir sub
  cp -r .git/* sub/ 2>/dev/null
  git config -f sub/config core.bare true
  git config -f sub/config core.fsmonitor $W/outside/evil
}
