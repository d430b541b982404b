import SettingsModel

// Branches.

extension CommandLineHints {
    static func explanation(of problem: BranchProblem) -> Explanation {
        switch problem {
        case .invalid(let name, let meaning?):
            Explanation("invalid branch name '\(name)': it \(words(meaning))", hint: hint(forName: name, "branch"))
        case .invalid(let name, nil):
            Explanation("invalid branch name '\(name)'", hint: "'git help check-ref-format' lists what git allows")
        case .isThere(let name):
            Explanation(
                "the branch '\(name)' already exists",
                hint: "choose another name, or check it out with 'settings switch \(name.shellWord)'")
        case .isMissing(let name, let near, let all, let remote):
            Explanation(
                "there is no branch '\(name)'",
                hint: remote.map { "'settings branch \(name.shellWord) \($0.shellWord)' creates it from \($0)" }
                    ?? Nearest.question(Array(near.prefix(1))).map { "\($0) \(branches(all))" } ?? branches(all))
        case .hasNoFormer(let all):
            Explanation("there is no branch that was checked out before this one", hint: branches(all))
        case .isCheckedOut(let name, nil):
            Explanation("the branch '\(name)' is checked out here", hint: "'settings switch NAME' checks out another one first")
        case .isCheckedOut(let name, let folder?):
            Explanation(
                "the branch '\(name)' is checked out in another work tree (\(folder))",
                hint: "'git worktree list' lists the work trees")
        case .isNotMerged(let name):
            Explanation(
                "the branch '\(name)' is not fully merged",
                hint: "'settings merge \(name.shellWord)' merges it, and 'settings branch -D \(name.shellWord)' deletes it anyway"
            )
        case .hasOtherFiles(let name, let path):
            Explanation(
                "cannot switch to '\(name)' here: the repository also has files of other programs, such as \(path)",
                hint: "'git switch \(name.shellWord)' switches all files")
        }
    }

    /// "the branches are: main, laptop".
    package static func branches(_ names: [String]) -> String {
        names.isEmpty ? "there are no branches yet" : "the branches are: \(some(of: names))"
    }
}
