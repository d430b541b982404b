import Testing

/// Where git merges texts and a side is taken for part of the file, labels can meet the values of others.
@Suite struct ExchangedLabelsTests {
    /// One side renames every label, the other moves one and chooses it. The clone has no merge driver.
    private func clone() throws -> Home {
        let home = try Home()
        _ = try home.run("settings init -q s; git -C s config user.name Ada; git -C s config user.email ada@example.org")
        _ = try home.run(
            ":; cd s; settings add language --title Language --choice English French German Spanish -q; git branch b; "
                + "for pair in English:Anglais French:Français German:Allemand Spanish:Espagnol; do "
                + "settings label rename language ${pair%:*} ${pair#*:} -q; done; "
                + "git switch -q b; settings label move language Spanish 1 -q; settings set language Spanish -q; git switch -q main; "
                + "cd ..; git clone -q s p; cd p; git config user.name Bob; git config user.email bob@example.org; "
                + "git branch -q b origin/b")
        return home
    }

    private let sentence =
        "language.json: the value \"spanish\" now has the label Français, which belonged to another value; its label was "
        + "Espagnol before"

    @Test(arguments: [
        "git merge -q -X ours -m merged b", "git switch -q b; GIT_COMMITTER_NAME=Bob git rebase -q -X ours main",
        "git cherry-pick -n -X ours main..b; git commit -qm picked",
    ]) func verifyNamesIt(_ merging: String) throws {
        let home = try clone()
        let found = try home.run(
            ":; cd p; { \(merging); } > ../log 2>&1; settings get --label language; settings verify origin/main..HEAD")
        #expect(found.first == "Français")
        #expect(found.dropFirst().first?.hasPrefix(sentence) == true, "\(found)")
        #expect(found.last == "[exit status: 65]", "\(found)")
        // Who chooses the same label once more does not know; the label is what is wrong.
        let chosen = try home.run(
            ":; cd p; settings set language Anglais -q; settings verify origin/main..HEAD 2> /dev/null | head -n 1")
        #expect(chosen.first?.hasPrefix(sentence) == true, "\(chosen)")
        let corrected = try home.run(
            ":; cd p; settings restore language --exact --from origin/main -q; "
                + "settings verify origin/main..HEAD 2> /dev/null | cut -d' ' -f2-"
        )
        #expect(corrected == ["versions checked, no problems found"], "\(corrected)")
    }

    /// Labels may be renamed to each other's names, also at once in an editor.
    @Test func whoExchangesThemOnPurposeIsLeftAlone() throws {
        let home = try clone()
        let lines = try home.run(
            ":; cd p; settings label rename language Anglais X -q; settings label rename language Français Anglais -q; "
                + "settings label rename language X Français -q; sed -i 's/Allemand/Y/; s/Espagnol/Allemand/; s/Y/Espagnol/' "
                + "language.json; settings done -q -m swapped; settings verify origin/main..HEAD")
        #expect(lines == ["4 versions checked, no problems found"], "\(lines)")
    }
}
