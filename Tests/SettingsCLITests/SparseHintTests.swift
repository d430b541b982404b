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
}
