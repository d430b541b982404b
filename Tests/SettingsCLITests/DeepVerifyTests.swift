import Testing

/// Each kind of damage that can be made by hand: `settings verify --deep` reports it with a remedy, and if that is
/// possible locally, the store is valid afterwards.
struct DamageByHand: CustomTestStringConvertible, Sendable {
    var name: String
    /// Shell lines; `object REVISION` is the path of an object's file.
    var breaking: String
    /// Texts that its output must contain.
    var says: [String]
    /// Shell lines that follow the hint; nil if it needs another clone or a person.
    var mending: String?
    /// Whether it is a note, not an error.
    var isNote = false

    init(_ name: String, _ breaking: String, says: String..., mending: String? = nil, isNote: Bool = false) {
        (self.name, self.breaking, self.says, self.mending, self.isNote) = (name, breaking, says, mending, isNote)
    }

    var testDescription: String { name }

    private static let language = "f=$(object HEAD:general/language.json); "
    private static let again = "rm -f $f; git hash-object -w general/language.json"
    private static let pack = "git repack -adq; p=$(ls .git/objects/pack/*.pack); i=${p%.pack}.idx; chmod u+w $p $i; "

    static let objects = [
        DamageByHand(
            "a file's object cut short", language + "chmod u+w $f; truncate -s 12 $f",
            says: "(exit status 3)\n", "corrupt", mending: language + again),
        DamageByHand(
            "a file's object empty", language + "chmod u+w $f; : > $f", says: " is empty", mending: language + again),
        DamageByHand(
            "a file's object missing", language + "rm -f $f",
            says: "    missing blob ", "(:general/language.json)\n",
            mending: language + again),
        DamageByHand(
            "an object that is another", language + "chmod u+w $f; cp $(object HEAD:sound/volume.json) $f",
            says: "hash-path mismatch", mending: language + again),
        DamageByHand(
            "an earlier file's object missing", "rm -f $(object first:general/language.json)",
            says: "general/language.json)\n", "'git fetch --refetch --no-filter'"),
        DamageByHand(
            "a folder's object with another byte",
            "f=$(object HEAD^{tree}); chmod u+w $f; printf x | dd of=$f bs=1 seek=20 conv=notrunc 2>/dev/null",
            says: "corrupt", "'git fetch --refetch --no-filter'"),
        DamageByHand("a version's object empty", "f=$(object HEAD~1); chmod u+w $f; : > $f", says: " is empty"),
        DamageByHand(
            "an object that nothing refers to", "f=$(object $(echo x | git hash-object -w --stdin)); chmod u+w $f; : > $f",
            says: " is empty", mending: "rm -f $(find .git/objects -size 0)"),
        DamageByHand(
            "a pack with another byte", pack + "printf xx | dd of=$p bs=1 seek=200 conv=notrunc 2>/dev/null",
            says: ".pack pack checksum mismatch"),
        DamageByHand(
            "a pack cut short", pack + "truncate -s 300 $p",
            says: "an object that it lists is behind the end of its pack", "if that fails, the pack is damaged"),
        DamageByHand("a pack missing", pack + "rm -f $p", says: "refs/heads/main: invalid sha1 pointer", "missing blob"),
        DamageByHand(
            "a pack's index missing", pack + "rm -f $i", says: "refs/heads/main: invalid sha1 pointer", "missing blob",
            mending: "git index-pack .git/objects/pack/*.pack"),
        DamageByHand(
            "a pack's index of nonsense", pack + "head -c 2000 /dev/zero > $i",
            says: "wrong index v1 file size in ",
            mending: "rm -f .git/objects/pack/*.idx; git index-pack .git/objects/pack/*.pack"),
        DamageByHand(
            "a pack's index with another byte", pack + "printf xx | dd of=$i bs=1 seek=1100 conv=notrunc 2>/dev/null",
            says: ".pack hash mismatch",
            mending: "rm -f .git/objects/pack/*.idx; git index-pack .git/objects/pack/*.pack"),
        DamageByHand(
            "no objects", "rm -rf .git/objects", says: ".git/objects is missing", "clone the repository again"),
        DamageByHand(
            "a folder with a bad name",
            "id=$(git rev-parse HEAD:sound | sed 's/../\\\\x&/g'); "
                + "t=$({ git cat-file tree HEAD^{tree}; printf '40000 ..\\0'; printf \"$id\"; } | "
                + "git hash-object -t tree -w --stdin --literally); "
                + "git update-ref refs/heads/other $(git commit-tree $t -p HEAD -m x)",
            says: "hasDotdot: contains '..'"),
        DamageByHand(
            "a folder cut short",
            "t=$(git cat-file tree HEAD^{tree} | head -c -5 | git hash-object -t tree -w --stdin --literally); "
                + "git update-ref refs/heads/other $(git commit-tree $t -p HEAD -m x)",
            says: "badTree: cannot be parsed as a tree"),
        DamageByHand(
            "a version without an author",
            "c=$(printf 'tree %s\\ncommitter A <a@b> 1 +0000\\n\\nx\\n' $(git rev-parse HEAD^{tree}) | "
                + "git hash-object -t commit -w --stdin --literally); git update-ref refs/heads/other $c",
            says: "missingAuthor: invalid format - expected 'author' line"),
    ]

    static let files = [
        DamageByHand("nothing", "git fsck", says: "and all objects checked, no problems found", isNote: true),
        DamageByHand(
            "an index with another byte", "printf x | dd of=.git/index bs=1 seek=60 conv=notrunc 2>/dev/null",
            says: "(exit status 128)\n    error: bad index file sha1 signature\n", mending: "rm -f .git/index; git reset -q"),
        DamageByHand(
            "an index cut short", "truncate -s 100 .git/index", says: "error: bad index file sha1 signature",
            mending: "rm -f .git/index; git reset -q"),
        DamageByHand(
            "an empty index", ": > .git/index", says: "index file smaller than expected",
            mending: "rm -f .git/index; git reset -q"),
        DamageByHand(
            "a branch of nonsense", "git rev-parse HEAD > ../id; echo nonsense > .git/refs/heads/main",
            says: "    error: refs/heads/main: invalid sha1 pointer",
            mending: "cat ../id > .git/refs/heads/main"),
        DamageByHand(
            "an empty branch", "git rev-parse HEAD > ../id; : > .git/refs/heads/main",
            says: "    error: refs/heads/main: invalid sha1 pointer",
            mending: "cat ../id > .git/refs/heads/main"),
        DamageByHand(
            "a branch without its file", "git rev-parse HEAD > ../id; rm .git/refs/heads/main",
            says: "the branch main is missing, although its reflog ends at ", "'git update-ref refs/heads/main ",
            mending: "cat ../id > .git/refs/heads/main"),
        DamageByHand(
            "a branch to nowhere",
            "git rev-parse HEAD > ../id; echo 1234567890123456789012345678901234567890 > .git/refs/heads/main",
            says: "    error: refs/heads/main: invalid sha1 pointer", mending: "cat ../id > .git/refs/heads/main"),
        DamageByHand(
            "a tag of nonsense", "git update-ref refs/tags/x HEAD; echo nonsense > .git/refs/tags/x",
            says: "    error: refs/tags/x: invalid sha1 pointer", mending: "rm .git/refs/tags/x"),
        DamageByHand(
            "packed references of nonsense", "git pack-refs --all; sed -i '2s/^/zz/' .git/packed-refs",
            says: "fatal: unexpected line in ", mending: "sed -i '2s/^zz//' .git/packed-refs"),
        DamageByHand("no references", "rm -rf .git/refs", says: "'mkdir -p .git/refs/heads'"),
        DamageByHand(
            "a HEAD of nonsense", "echo nonsense > .git/HEAD", says: ".git/HEAD names no branch",
            "'echo \"ref: refs/heads/main\" > .git/HEAD'", mending: "echo 'ref: refs/heads/main' > .git/HEAD"),
        DamageByHand(
            "a HEAD that leads out of the repository", "echo 'ref: ../../../../etc/passwd' > .git/HEAD",
            says: ".git/HEAD names no branch", "'echo \"ref: refs/heads/main\" > .git/HEAD'",
            mending: "echo 'ref: refs/heads/main' > .git/HEAD"),
        DamageByHand(
            "an empty HEAD", ": > .git/HEAD", says: ".git/HEAD names no branch",
            mending: "echo 'ref: refs/heads/main' > .git/HEAD"),
        DamageByHand(
            "no HEAD", "rm .git/HEAD", says: ".git/HEAD names no branch", mending: "echo 'ref: refs/heads/main' > .git/HEAD"),
        DamageByHand(
            "a broken configuration", "echo '[broken' >> .git/config", says: "cannot read git's configuration", "config:",
            mending: "sed -i '$d' .git/config"),
        DamageByHand(
            "a commit-graph with another byte",
            "git commit-graph write --reachable; f=.git/objects/info/commit-graph; chmod u+w $f; "
                + "printf xx | dd of=$f bs=1 seek=60 conv=notrunc 2>/dev/null",
            says: "(exit status 16)\n", "commit-graph, which only makes git faster; 'settings maintain' rebuilds it",
            mending: "rm -f .git/objects/info/commit-graph; settings maintain -q"),
        DamageByHand(
            "an index of the history with another byte",
            "for n in {1..70}; do settings set -q sound.volume $((n % 2 * 5)); done; settings maintain -q; "
                + "printf xx | dd of=.git/settings/history-1 bs=1 seek=60 conv=notrunc 2>/dev/null",
            says: ".git/settings/history-1: the history index is damaged", "remove it",
            mending: "rm .git/settings/history-1; settings maintain -q"),
        DamageByHand(
            "a note of nonsense", "echo nonsense > .git/settings/pending",
            says: ".git/settings/pending: this journal of an unfinished write is damaged", "'settings status'",
            mending: "rm .git/settings/pending"),
        DamageByHand(
            "locks that were left", "touch .git/index.lock .git/refs/heads/main.lock .git/config.lock .git/packed-refs.lock",
            says: "'rm .git/index.lock'", "'rm .git/refs/heads/main.lock'", "'rm .git/config.lock'", "'rm .git/packed-refs.lock'",
            "was created just now; git may be running", mending: "find .git -name '*.lock' -delete", isNote: true),
    ]

    static let store = [
        DamageByHand(
            "an option that can't be read", "echo '{' > general/language.json", says: "general/language.json:2:1:",
            "'settings discard general.language'", mending: "settings discard -q general.language"),
        DamageByHand(
            "an option that can't be read, recorded", "echo '{' > general/language.json; git commit -qam broken",
            says: "(in version", "'settings restore general.language --exact --from WHEN'",
            mending: "settings restore -q general.language --exact --from HEAD~1 -m repaired"),
        DamageByHand(
            "a group that can't be read", "echo x > general/_group.json", says: "general/_group.json:1:1:",
            mending: "settings discard -q general"),
        DamageByHand(
            "a store that can't be read", "echo x > _store.json", says: "_store.json:1:1:", mending: "git checkout -q _store.json"
        ),
        DamageByHand(
            "a selection and a value that disagree",
            "sed -i 's/\"selected\": 1/\"selected\": 2/; s/\"value\": \"fr\"/\"value\": \"en\"/' general/language.json; "
                + "git commit -qam hand",
            says: "\"selected\" is 2 (Spanish), but \"value\" is \"en\", so English is chosen",
            "'settings done general.language' corrects \"selected\"", isNote: true),
        DamageByHand(
            "a merge that chose for nobody",
            "git switch -qc other; settings set -q general.language es; git switch -q main; "
                + "settings set -q general.language en; git merge -q -s ours other -m m; "
                + "sed -i 's/\"selected\": 0/\"selected\": 1/; s/\"value\": \"en\"/\"value\": \"fr\"/' general/language.json; "
                + "git commit -qa --amend --no-edit",
            says: "which neither side selected", "'settings set general.language VALUE'",
            mending: "settings set -q general.language en"),
        DamageByHand(
            "strays", "echo {} > 'general/bad name.json'; ln -s x general/y.json", says: "is not a valid name for an option",
            "general/y.json: it is a symbolic link", mending: "rm general/bad* general/y.json"),
        DamageByHand(
            "no attributes", "git rm -q .gitattributes; git commit -qm x",
            says: ".gitattributes: it does not name the merge driver",
            "'settings setup'", isNote: true),
        DamageByHand(
            "attributes of a folder", "settings setup -q; echo '*.json -merge' > general/.gitattributes",
            says:
                "general/_group.json: git's attributes do not name the merge driver for it and 1 other file, so git merges them",
            "'git check-attr merge FILE'",
            mending: "rm general/.gitattributes", isNote: true),
        DamageByHand(
            "attributes of one file", "settings setup -q; echo '/general/language.json merge=union' >> .git/info/attributes",
            says: "general/language.json: git's attributes do not name the merge driver for it, so git merges it as text",
            mending: "rm .git/info/attributes", isNote: true),
        DamageByHand(
            "no merge driver", "git config --remove-section merge.settings || true",
            says: "the merge driver is not set up in this clone", isNote: true),
    ]
}

@Suite struct DeepVerifyTests {
    @Test(arguments: DamageByHand.objects) func objects(_ row: DamageByHand) throws { try row.check() }
    @Test(arguments: DamageByHand.files) func files(_ row: DamageByHand) throws { try row.check() }
    @Test(arguments: DamageByHand.store) func store(_ row: DamageByHand) throws { try row.check() }

    /// Without git, the store's own files are still checked, and the exit status says that not everything was.
    @Test func withoutGit() throws {
        let store = try BadInputStore.make()
        let setting = "mkdir ../bin; ln -s $(type -P settings) ../bin; export PATH=$PWD/../bin; "
        let whole = try store.run(setting + "settings verify --deep")
        #expect(whole.status == 69 && whole.errors.contains("git's objects were not checked"), "\(whole.errors)")
        let lines = whole.output.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasSuffix("versions checked, no problems found"), "\(whole.output)")
        let doctor = try store.run("export PATH=$PWD/../bin; settings doctor")
        #expect(doctor.output.contains("git is not in PATH; exchanging versions needs it"), "\(doctor.output)")
        let broken = try store.run("echo '{' > general/language.json; export PATH=$PWD/../bin; settings verify --deep")
        #expect(broken.status == 65 && broken.output.contains("general/language.json:2:1:"), "\(broken.output)")
    }

    /// Only git's own words about what it read are damage: not that it, or a wrapper of it, was kept from reading.
    @Test(arguments: [
        ("echo 'fatal: Out of memory, malloc failed (tried to allocate 65536 bytes)' >&2; exit 128", 75),
        ("echo 'fatal: mmap failed: Cannot allocate memory, check sys.vm.max_map_count and/or RLIMIT_DATA' >&2; exit 128", 75),
        ("echo 'fatal: unable to create thread: Resource temporarily unavailable' >&2; exit 128", 75),
        ("echo 'git: error while loading shared libraries: libz.so.1: cannot open shared object file' >&2; exit 127", 74),
        ("exit 126", 74), ("exit 137", 75), ("exit 255", 74), ("kill -9 $$", 75),
        ("echo \"fatal: unable to access '.git/config': Permission denied\" >&2; exit 128", 74),
        ("echo 'fatal: index file corrupt' >&2; exit 128", 65), ("echo 'missing blob 1'; exit 2", 65),
    ]) func fsckThatIsKeptFromReading(_ wrapper: String, _ status: Int32) throws {
        let store = try BadInputStore.make()
        let found = try store.run(
            """
            mkdir ../bin; printf '%s\n' '#!/bin/sh' 'case " $* " in *" fsck "*) :;; *) exec '$(type -P git)' "$@";; esac' > ../bin/git
            cat >> ../bin/git << 'END'
            \(wrapper)
            END
            chmod +x ../bin/git; PATH=$PWD/../bin:$PATH settings verify --deep
            """)
        #expect(found.status == status, "\(found.output)\(found.errors)")
        #expect(found.output.contains("git fsck reports damage") == (status == 65), "\(found.output)\(found.errors)")
    }

    /// Files and programs that a repository configures for `git fsck` neither stop the check nor are run.
    @Test func unreadableSkipList() throws {
        let store = try BadInputStore.make()
        let found = try store.run("mkfifo ../pipe; git config fsck.skipList $PWD/../pipe; timeout 60 settings verify --deep")
        #expect(found.status == 65 && found.output.contains("/pipe is not a regular file"), "\(found.output)\(found.errors)")
    }
}

extension DamageByHand {
    private static let functions =
        "object() { local o; o=$(git rev-parse \"$1\"); echo .git/objects/${o:0:2}/${o:2}; }; "

    func check() throws {
        let store = try BadInputStore.make()
        let broken = try store.run("set -e; " + Self.functions + breaking)
        try #require(broken.status == 0, "cannot break the store: \(broken.errors)")
        let before = store.everything()
        let found = try store.run("settings verify --deep")
        #expect(found.status == (isNote ? 0 : 65), "\(found.output)\(found.errors)")
        for text in says { #expect(found.output.contains(text), "‘\(text)’ in:\n\(found.output)\(found.errors)") }
        let lines = found.output.split(separator: "\n")
        #expect(isNote || lines.contains { $0.hasPrefix("    ") } || says.contains("cannot read git's configuration"))
        #expect(store.everything() == before, "nothing is changed")
        guard let mending else { return }
        let mended = try store.run("set -e; " + Self.functions + mending)
        try #require(mended.status == 0, "cannot do what it says: \(mended.errors)")
        let after = try store.run("settings verify --deep")
        #expect(after.status == 0, "mended, but:\n\(after.output)\(after.errors)")
    }
}
