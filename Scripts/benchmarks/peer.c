// peer REPOSITORY FILE COUNT: the equivalent program with libgit2 alone. Makes COUNT commits that each put a number into FILE, by
// compare and swap of the branch, everything synced, without work tree and index. Prints the total time and that of the
// slowest commit, in seconds.
#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void check(int code, const char *what) {
  if (code == 0) return;
  fprintf(stderr, "peer: %s: %s\n", what, git_error_last() ? git_error_last()->message : "?");
  exit(1);
}

// Commits on top of the branch; false if another process was faster.
static int commit(git_repository *repository, const char *path, int number) {
  git_reference *head = NULL;
  check(git_repository_head(&head, repository), "head");
  git_oid old = *git_reference_target(head), blob, tree_id, id;
  git_commit *parent = NULL;
  git_tree *tree = NULL;
  check(git_commit_lookup(&parent, repository, &old), "parent");
  check(git_commit_tree(&tree, parent), "tree");
  char text[200];
  snprintf(text, sizeof text, "{\n  \"title\": \"Option\",\n  \"type\": \"number\",\n  \"value\": %d,\n  \"minimum\": 0\n}\n", number);
  check(git_blob_create_from_buffer(&blob, repository, text, strlen(text)), "blob");
  git_tree_update update = {GIT_TREE_UPDATE_UPSERT, blob, GIT_FILEMODE_BLOB, path};
  check(git_tree_create_updated(&tree_id, repository, tree, 1, &update), "tree");
  git_tree *new_tree = NULL;
  check(git_tree_lookup(&new_tree, repository, &tree_id), "tree");
  git_signature *somebody = NULL;
  check(git_signature_now(&somebody, "Ada", "ada@example.org"), "signature");
  const git_commit *parents[] = {parent};
  check(git_commit_create(&id, repository, NULL, somebody, somebody, NULL, "why\n", new_tree, 1, parents), "commit");
  git_reference *moved = NULL;
  // Locked, moved, or sometimes "target OID … doesn't exist" although it was written: all are retried.
  int code = git_reference_create_matching(&moved, repository, git_reference_name(head), &id, 1, &old, "why");
  git_reference_free(moved);
  git_signature_free(somebody);
  git_tree_free(new_tree);
  git_tree_free(tree);
  git_commit_free(parent);
  git_reference_free(head);
  return code == 0;
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  git_libgit2_init();
  git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
  git_repository *repository = NULL;
  check(git_repository_open(&repository, argv[1]), "open");
  double longest = 0, start = now();
  for (int number = 0; number < atoi(argv[3]); number++) {
    double begun = now();
    while (!commit(repository, argv[2], (int)getpid() * 1000 + number)) usleep(500 + (unsigned)(rand() % 2000));
    if (now() - begun > longest) longest = now() - begun;
  }
  printf("%.6f %.6f\n", now() - start, longest);
  return 0;
}
