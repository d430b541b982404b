import SettingsModel

// Problems with merging.

extension CommandLineHints {
    static func explanation(of problem: MergeProblem) -> Explanation {
        switch problem {
        case .isUnrelated(let name):
            Explanation(
                "\(name) and this branch have no common history",
                hint: "'settings merge \(name) --allow-unrelated-histories' merges them anyway")
        case .baseIsBeforeClone(let name):
            Explanation(
                "cannot merge \(name): this shallow clone does not have the versions that both branches come from",
                hint: unshallow)
        case .areUnrelated(let base, let head): Explanation("\(base.short) and \(head.short) have no common history")
        case .namesDifferByCase(let key, let other):
            Explanation(
                "\(key) and \(other) differ only in case, which some file systems cannot distinguish",
                hint: "rename one of them on its branch with 'settings rename', then merge")
        case .unresolved(_, _, let branch?):
            Explanation(
                "the branches conflict; nothing was merged",
                hint: "without --ask they are merged, and the conflicts are left open; "
                    + "'settings merge \(branch.shellWord)' takes decisions: KEY=VALUE, --ours or --theirs")
        case .unresolved:
            Explanation(
                "the branches conflict; nothing was merged",
                hint: "decide with KEY=VALUE, --ours or --theirs, or merge the rest with --keep")
        case .otherFile(let path, let isTracked):
            Explanation(
                mustBeMergedWithGit(path, isTracked),
                hint: "'git merge' merges everything, and the settings by meaning once 'settings setup' has been run here")
        case .otherFileIsTooLarge(let path, let isForwarding):
            Explanation(
                "\(path) is larger than 16 MiB and must be merged with git",
                hint: "use '\(isForwarding ? "git merge --ff-only" : "git merge")'")
        case .otherIsNotPlain(let path):
            Explanation(
                "\(path) must be merged with git: it is a link, a submodule or one of git's own files",
                hint: "use 'git merge --ff-only'")
        case .nameIsTaken(let key, let old, let isAsked):
            Explanation(
                "\(old) cannot be renamed to \(key): \(key) already exists",
                hint: isAsked
                    ? "keep the name with the other side's answer, or rename one of them with 'settings rename'"
                    : "rename one of them, then merge")
        case .noOption(let key):
            Explanation("there is no option '\(key)' in this merge", hint: "'settings merge REF --dry-run' lists its changes")
        case .noQuestion(let key, let facet?, let open) where !open.isEmpty:
            Explanation(
                "\(key):\(facet.token) has no open conflict",
                hint: "\(key) has an open conflict in \(open.map(\.token).joined(separator: " and in ")): "
                    + "name it as \(key):\(open[0].token)")
        case .noQuestion(let key, let facet, _):
            Explanation(
                "\(key)\(facet.map { ":\($0.token)" } ?? "") has no open conflict",
                hint: "'settings conflicts' lists the open conflicts")
        case .severalQuestions(let key, let facets):
            Explanation(
                "\(key) has \(facets.count) open conflicts: \(facets.map(\.token).joined(separator: ", "))",
                hint: facets.first.map { "name one of them, as \(key):\($0.token)" })
        case .takesNoValue(let facet):
            Explanation(
                "\(facet.name) cannot be decided with a VALUE",
                hint: "use --ours or --theirs, or change it with 'settings define'")
        case .sidesAreGone(let key, let facet):
            Explanation(
                "the two sides of \(key):\(facet.token) are not in this history",
                hint: facet == .value || facet == .default
                    ? "'settings resolve \(key) VALUE' chooses a value, which may be the present one"
                    : "'settings resolve \(key):\(facet.token) --ours' keeps what is in force")
        case .moreIsOpen(let key, let facet, let other):
            Explanation(
                "\(key) has another open conflict besides \(facet.token): \(other.token)",
                hint: "leave the facet out to resolve all of them")
        case .moreThanValueIsOpen(let key):
            Explanation(
                "more than the value of \(key) is in conflict",
                hint: "use --ours or --theirs, then 'settings set \(key) VALUE' when git is done")
        case .isInNoConflict(let key):
            Explanation(
                "\(key) has no conflict, so there is no side to take",
                hint: "'settings resolve \(key) VALUE' chooses its value in this merge")
        case .groupIsOpen(let key, let group):
            Explanation(
                "\(key) is in the group \(group), whose name is also in conflict",
                hint: "'settings resolve \(group)' with --ours or --theirs resolves the group and everything in it")
        }
    }

    /// A file that both sides of a merge changed, and that isn't the store's or is tracked.
    static func mustBeMergedWithGit(_ path: String, _ isTracked: Bool) -> String {
        isTracked
            ? "both sides changed the same lines of \(path) that are not options; they must be merged with git"
            : "\(path) is not part of the store and must be merged with git"
    }
}
