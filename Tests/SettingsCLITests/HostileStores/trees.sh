# Folders of versions with entries that git itself doesn't write.
# a tree with one more entry at its end
withentry() {
  C=$(commit $({ entries main^{tree}; entry "$1" "$2" "$3"; } | raw))
}
ingeneral() {
  local g=$({ entries main:general; entry "$1" "$2" "$3"; } | raw)
  C=$(commit $(git ls-tree main | sed "s/tree [0-9a-f]*\tgeneral/tree $g\tgeneral/" | git mktree))
}
store_link_file() {
  withentry 120000 $(printf ../outside/file | blob) zlink.json
}
store_link_over_option() {
  local l=$(printf ../../outside/file | blob)
  local g=$({ git ls-tree main:general | grep -v language; printf "120000 blob $l\tlanguage.json\n"; } | git mktree)
  C=$(commit $(git ls-tree main | sed "s/tree [0-9a-f]*\tgeneral/tree $g\tgeneral/" | git mktree))
}
store_link_over_group() {
  local l=$(printf ../outside | blob)
  C=$(commit $(git ls-tree main | sed "s/^.*general/120000 blob $l\tgeneral/" | git mktree))
}
store_link_store() {
  local l=$(printf ../outside/file | blob)
  C=$(commit $(git ls-tree main | sed "s/^.*_store.json/120000 blob $l\t_store.json/" | git mktree))
}
store_submodule() {
  withentry 160000 $(git rev-parse main) zsub
}
store_submodule_group() {
  C=$(commit $(git ls-tree main | sed "s/^.*general/160000 commit $(git rev-parse main)\tgeneral/" | git mktree))
}
store_dotdot() {
  local t=$({ entry 100644 $(option) file; } | raw)
  withentry 40000 $t ..
}
store_dotdot_outside() {
  local t=$({ entry 40000 $({ entry 100644 $(option) file; } | raw) outside; } | raw)
  withentry 40000 $t ..
}
store_dot() {
  local t=$({ entry 100644 $(option) file.json; } | raw)
  withentry 40000 $t .
}
store_slash_name() {
  withentry 100644 $(option) ../outside/file
}
store_slash_name_json() {
  withentry 100644 $(option) ../outside/file.json
}
store_abs_name() {
  withentry 100644 $(option) $W/outside/new
}
store_general_slash() {
  withentry 100644 $(option) general/language.json
}
store_dotgit() {
  local t=$({ entry 40000 $({ entry 100755 $(option) pre-commit; } | raw) hooks; } | raw)
  withentry 40000 $t .git
}
store_dotgit_config() {
  local t=$({ entry 100644 $(option) config; } | raw)
  withentry 40000 $t .git
}
store_dotGIT() {
  local t=$({ entry 100644 $(option) config; } | raw)
  withentry 40000 $t .GIT
}
store_dotgit_space() {
  local t=$({ entry 100644 $(option) config; } | raw)
  withentry 40000 $t '.git '
}
store_git1() {
  local t=$({ entry 100644 $(option) config; } | raw)
  withentry 40000 $t 'git~1'
}
store_git_zwnj() {
  local t=$({ entry 100644 $(option) config; } | raw)
  withentry 40000 $t $'.g\u200cit'
}
store_git_ads() {
  local t=$({ entry 100644 $(option) config; } | raw)
  withentry 40000 $t '.git::$INDEX_ALLOCATION'
}
store_dotgit_in_group() {
  local t=$({ entry 100644 $(option) config; } | raw)
  ingeneral 40000 $t .git
}
store_gitfile_in_group() {
  ingeneral 100644 $(printf 'gitdir: ../../outside' | blob) .git
}
store_backslash() {
  withentry 100644 $(option) '..\outside\file.json'
}
store_newline() {
  ingeneral 100644 $(option) $'a\nb.json'
}
store_escape() {
  ingeneral 100644 $(option) $'a\e[31mb\u202e.json'
}
store_escape_other() {
  withentry 100644 $(option) $'z\e[31mb\u202e.txt'
}
store_nonutf8() {
  ingeneral 100644 $(option) $'caf\xe9.json'
}
store_nonutf8_other() {
  withentry 100644 $(option) $'zcaf\xe9.txt'
}
store_emptyname() {
  withentry 100644 $(option) ''
}
store_twice() {
  ingeneral 100644 $(option) language.json
}
store_unsorted() {
  C=$(commit $({ entry 100644 $(option) zz.json; entries main^{tree}; } | raw))
}
store_longname() {
  ingeneral 100644 $(option) $(printf 'x%.0s' {1..5000}).json
}
store_case() {
  ingeneral 100644 $(git rev-parse main:general/language.json) Language.json
}
store_odd_mode() {
  ingeneral 100666 $(option) odd.json
}
store_bad_mode() {
  ingeneral 777777777777777 $(option) odd.json
}
store_mode0() {
  ingeneral 0 $(option) odd.json
}
store_tree_as_blob() {
  ingeneral 100644 $(git rev-parse main:sound) treeasblob.json
}
store_blob_as_tree() {
  withentry 40000 $(option) zgroup
}
store_commit_as_tree() {
  withentry 40000 $(git rev-parse main) zgroup
}
store_missing_blob() {
  ingeneral 100644 1234567890123456789012345678901234567890 gone.json
}
store_missing_tree() {
  withentry 40000 1234567890123456789012345678901234567890 zgone
}
store_null_id() {
  ingeneral 100644 0000000000000000000000000000000000000000 null.json
}
store_cut_tree() {
  C=$(commit $(entries main^{tree} | head -c -7 | raw))
}
store_garbage_tree() {
  C=$(commit $(head -c 300 /dev/urandom | raw))
}
store_deep() {
  local t=$({ entry 100644 $(option) x.json; } | raw)
  for i in {1..300}; do t=$({ entry 40000 $t a; } | raw); done
  withentry 40000 $t zdeep
}
store_deep_keys() {
  local t=$({ entry 100644 $(option) x.json; } | raw)
  for i in {1..40}; do t=$({ entry 40000 $t a; } | raw); done
  withentry 40000 $t zdeep
}
