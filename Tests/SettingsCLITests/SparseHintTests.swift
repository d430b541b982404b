import Testing

/// The command that is named where a sparse checkout leaves out a store's `_store.json` checks it out.
@Suite struct SparseHintTests {
    @Test(arguments: ["plain", "st*r[1]?", "back\\slash", "two words", "!bang", "-dash", "#hash"], ["cone", "no-cone"])
    func checksOut(folder: String, mode: String) throws {
        let run = try Home().run(
            """
            git init -q . && mkdir -p other './\(folder)' && echo 1 > other/file && cd './\(folder)' && settings init -q
            settings add a.x --title X --text v -q && cd .. && git add -A && git commit -qm all
            git sparse-checkout set --\(mode) other && mkdir -p './\(folder)'
            hint=$(cd './\(folder)' && settings get a.x 2>&1 | sed -n "s/^hint: '\\(git .*\\)' checks it out$/\\1/p")
            eval "$hint" && cd './\(folder)' && settings get a.x
            """)
        #expect(run == ["v"])
    }

    /// Only git can read which files it leaves out.
    @Test func sparseIndex() throws {
        let run = try Home().run(
            """
            git init -q . && mkdir -p other store && echo 1 > other/file && cd store && settings init -q && cd ..
            git add -A && git commit -qm all && git sparse-checkout set --cone --sparse-index other && mkdir -p store && cd store
            settings list 2>&1; echo $?; cd .. && git sparse-checkout reapply --no-sparse-index && mkdir -p store && cd store
            settings list 2>&1 | tail -1
            """)
        #expect(
            run.first == "settings: git's index is sparse, which only git can read" && run.dropFirst(2).first == "74", "\(run)")
        #expect(run.last?.hasSuffix("sparse-checkout add store' checks it out") == true, "\(run)")
    }

    /// Whatever command it is, it works after the repair that is named, if one is, and leaves nothing behind.
    @Test(arguments: [
        "status", "list", "get b.w", "set b.w 5", "set a.v 5", "label add b.c X", "define b --title New", "rename b.w b.x",
        "remove b.w", "rename b bb", "undo", "restore b.w --from HEAD~2", "merge other --theirs -m m", "verify",
        "add b.z --title Z --switch", "revert HEAD",
    ])
    func everyCommandWorksThen(_ command: String) throws {
        let home = try Home()
        for mode in ["--no-cone /a/", "--no-cone /_store.json", "--cone a", "--cone --sparse-index a"] {
            let run = try home.run(
                """
                rm -rf s; settings init -q s && cd s && settings add a.v --title V --number 40 -q
                settings add b.w --title W --number 1 -q; settings add b.c --title C --choice A B -q; git branch other
                git checkout -q other; settings set b.w 3 -q; git checkout -q main; settings set b.w 2 -q -m two
                git sparse-checkout set \(mode); settings \(command) > ../out 2> ../err && status=0 || status=$?
                if test $status != 0; then
                  hint=$(grep '^hint:' ../err | grep -oE "'git [^']*'" | head -1 | tr -d "'")
                  eval "$hint" && settings \(command) > ../out 2> ../err || { cat ../err; echo failed; }
                fi
                git status --porcelain; git fsck --no-dangling --strict 2>&1
                """)
            #expect(run.isEmpty, "\(mode): \(run)")
        }
    }
}
