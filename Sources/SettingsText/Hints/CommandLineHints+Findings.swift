package import SettingsModel

// Findings of checks.

extension CommandLineHints {
    package static func explanation(of finding: Finding) -> Explanation {
        switch finding.fault {
        case .problem(let problem, let remedy):
            let known = explanation(of: problem)
            if remedy == .repairRecorded { return Explanation(known.reason, hint: repair(of: problem)) }
            if case .repair(let repair)? = remedy { return Explanation(known.reason, hint: FindingWords.words(repair)) }
            if case .mendAndFinish(let operation)? = remedy, let hint = chooses(for: problem, in: operation) {
                return Explanation(known.reason, hint: hint)
            }
            return Explanation(known.reason, hint: known.hint ?? remedy.map(FindingWords.words))
        case .stray(.linkedGroup): return Explanation(words(.linkedGroup), hint: hint(for: .linkedGroup))
        case .stray(let kind): return Explanation(words(kind), hint: "rename it, or move it out of the store")
        case .disagreement(let found, let isInLastVersion):
            let key = found.subject.key
            return Explanation(
                "\(found.place)\(isInLastVersion ? " (in the last version)" : ""): \(found.reason)",
                hint: found.isIndexEdited
                    ? "'settings discard \(key)' drops the edit of \"selected\", which has no effect"
                    : "'settings done \(key)' corrects \"selected\"; so does any command that writes the file")
        case .differsByCase(let name, let other, let isRecorded):
            let noun = other.isGroup ? "group" : "option"
            return Explanation(
                "its name differs from the \(noun) \(other.key) only in case",
                hint: isRecorded
                    ? "'settings rename \(name.key)\(name.isGroup ? "/" : "") NEW' gives it another name"
                    : "it is not recorded yet: move it to another name")
        case .isStranger(let stranger):
            return Explanation(
                "\(finding.path) is \(stranger == .link ? "a symbolic link" : "a submodule"), which is not followed",
                hint: "remove it, or move it out of the store")
        case .storeFileIsRemoved(let version):
            return Explanation(
                "\(finding.path) was removed, but its options were not",
                hint:
                    "'git checkout \(version.short)~ -- \(finding.path.shellWord)' restores it; otherwise, remove the options, too, "
                    + "or move them with it")
        case .nobodysChoice(let key, let byHost, let chosen, let candidates):
            let others = candidates.filter { $0 != chosen }.joined(separator: " or ")
            let isDropped = candidates.contains(chosen)
            return Explanation(
                "\(byHost ? "a host's merge would leave" : "the merge left") \(chosen) selected"
                    + (isDropped
                        ? ", although \(others) was selected on one side and \(chosen) on neither"
                        : ", which neither side selected there: expected \(others)"),
                hint: byHost
                    ? "after such a merge, choose the value with 'settings set \(key) VALUE'" : FindingWords.choosing(key))
        case .nobodysLabel(let key, let value, let label, let former):
            return Explanation(
                "the value \(value) now has the label \(label), which belonged to another value; its label was \(former) before",
                hint: "'settings label rename \(key) LABEL NEW' corrects a label; "
                    + "'settings restore \(key) --exact --from WHEN' restores an earlier file")
        case .misfitForEnvironment(let key, let place, let reason):
            return Explanation(
                "\(place): \(reason)",
                hint: "correct \"for\" in the file, and record it with 'settings done \(key)'")
        case .host(let fault):
            let hint = "merge it with 'settings merge', or with git after 'settings setup'"
            var isRemark = finding.kind != .problem
            if case .asksNeedlessly = fault { isRemark = false }
            return Explanation(FindingWords.words(fault), hint: isRemark ? nil : hint)
        case .objectsArePromised(let count, let some):
            return Explanation(FindingWords.promised(count, some), hint: fetchesEveryObject)
        case .fsck(let status, _, let remedy):
            return Explanation("git fsck reports damage (exit status \(status))", hint: FindingWords.words(remedy))
        default: return explanation(ofSurroundings: finding)
        }
    }

    /// Findings about what is next to the files: locks, caches, git's configuration.
    private static func explanation(ofSurroundings finding: Finding) -> Explanation {
        switch finding.fault {
        case .isLocked(let what, let age):
            Explanation(
                "it blocks writes to \(what), and was created \(Phrases.distance(age)); git may be running",
                hint:
                    "'pgrep -a git' and 'pgrep -a settings' list the processes that may have created it; if none of them uses "
                    + "this repository, 'rm \(finding.path.shellWord)' removes it")
        case .historyIndexIsWrong(let isRemoved):
            Explanation(
                "the history index does not match the versions\(isRemoved ? "; it was removed" : "")",
                hint: "\(isRemoved ? "" : "remove it; ")'settings maintain' rebuilds it")
        case .historyIndexIsDamaged:
            Explanation(
                "the history index is damaged and is not used", hint: "remove it; 'settings maintain' rebuilds it")
        case .conflictsAreWrong(let isRemoved):
            Explanation(
                "the list of open conflicts does not match the versions\(isRemoved ? "; it was removed" : "")",
                hint: "\(isRemoved ? "" : "remove it; ")'settings conflicts' rebuilds it")
        case .soundVersionIsWrong(let isRemoved):
            Explanation(
                "it wrongly states that the last version has no faults\(isRemoved ? "; it was removed" : "")",
                hint: isRemoved ? "'settings status' shows the faults" : "remove it")
        case .noteIsDamaged:
            Explanation(
                "this journal of an unfinished write is damaged",
                hint: "remove it, then check with 'settings status' that the files are as expected")
        case .isUnseen(let path):
            Explanation(
                "git's index lists it as unchanged, but its content differs",
                hint: "'touch \(path)' makes git check it again")
        case .driverIsNotNamed:
            Explanation(
                "it does not name the merge driver, so git merges the store's files as text",
                hint: "'settings setup' adds it, or reports what prevents it")
        case .driverIsNotSetUp:
            Explanation(
                "the merge driver is not set up in this clone, so git merges the store's files as text",
                hint: "run 'settings setup'")
        case .driverIsOutdated:
            Explanation(
                "the configured merge driver silently keeps one side where git cannot find 'settings'",
                hint: "run 'settings setup' to update it")
        case .driverIsLost(let program):
            Explanation(
                "the configured merge driver runs \(program.visible), which does not exist, so git merges the store's files as text",
                hint: "run 'settings setup' to replace it")
        case .driverIsForeign:
            Explanation(
                "the configured merge driver is not this program's, so the result of git's merges is not known",
                hint: "run 'settings setup' to replace it")
        case .isNoOption(let others):
            Explanation(
                (others > 0 ? "this file and \(others) other \(others == 1 ? "file" : "files") have" : "it has")
                    + " neither the title nor the type of an option, so \(others > 0 ? "they are" : "it is") not part of the store"
            )
        case .isMergedAsText(let others):
            Explanation(
                "git's attributes do not name the merge driver for it"
                    + (others > 0
                        ? " and \(others) other \(others == 1 ? "file" : "files"), so git merges them" : ", so git merges it")
                    + " as text",
                hint: "'git check-attr merge FILE' shows the value, which a .gitattributes file or .git/info/attributes sets")
        case .objectsAreUnchecked(let problem?):
            Explanation("git's objects were not checked: \(reason(problem))", hint: explanation(of: problem).hint)
        case .objectsAreUnchecked(nil):
            Explanation("git's objects were not checked, because 'git' is not installed", hint: "install git")
        case .problem, .stray, .disagreement, .differsByCase, .isStranger, .storeFileIsRemoved, .nobodysChoice, .nobodysLabel,
            .misfitForEnvironment,
            .host, .fsck, .objectsArePromised:
            explanation(of: finding)
        }
    }
}

/// What else is said of findings.
enum FindingWords {
    static func words(_ remedy: Finding.Remedy) -> String {
        switch remedy {
        case .discard(let key): "'settings discard\(key.isRoot ? "" : " \(key)")' restores the last version"
        case .choose(let key): FindingWords.choosing(key)
        case .repairRecorded, .mendByHand: "fix it by hand"
        case .mendAndFinish(let operation):
            "\(CommandLineHints.inProgress(operation)): fix the file by hand"
                + (CommandLineHints.ends(of: operation).map { ", then \($0)" } ?? "")
        case .repair(let repair): words(repair)
        }
    }

    static func choosing(_ key: Key) -> String {
        "choose the value with 'settings set \(key) VALUE', or keep the present one with 'settings resolve \(key) VALUE'"
    }

    static func words(_ repair: RepositoryRepair) -> String {
        switch repair {
        case .cloneAnew(let place):
            "\(place)/objects is missing, so there are no versions here: clone the repository again, and keep the files of this folder"
        case .makeReferences(let place): "'mkdir -p \(place)/refs/heads' creates the missing folder"
        case .nameBranch(let branch, let place, let isFolder):
            "\(place)/HEAD names no branch: '\(isFolder ? "rm -r \(place)/HEAD; " : "")echo \"ref: refs/heads/\(branch)\" > "
                + "\(place)/HEAD' restores it"
        case .relink(let place):
            ".git is a file that names \(place), which is missing: if that repository was moved, 'git worktree repair' in its "
                + "main work tree corrects the file; otherwise, clone it again, and keep the files of this folder"
        case .nameFolder: ".git is a file, which has to name the repository's folder: 'gitdir: PATH'"
        }
    }

    private static let stops = "a host does not merge this, and shows conflicts that must be resolved"

    static func words(_ fault: Finding.HostFault) -> String {
        switch fault {
        case .asksNeedlessly: "a host cannot merge the text; by meaning there is no conflict"
        case .asks(.existence, isInBoth: false): "one side removed it and the other edited it; \(stops)"
        case .asks(.existence, isInBoth: true): "both sides added it; \(stops)"
        case .asks(let facet, _): "both sides changed \(facet.name); \(stops)"
        case .asksAboutOtherFile: "both sides changed this file, which is not the store's; \(stops)"
        case .removesWhatWasEdited: "one side removed it and the other edited it; a host removes it without a conflict"
        case .removesWhatStays: "a host's merge removes it; merged by meaning, it stays"
        case .bringsBack: "a host's merge restores it; merged by meaning, it is removed"
        case .doesNotAsk(let facet): "both sides changed \(facet.name); a host merges this without a conflict"
        case .leavesUnreadable(let problem): "the result of a host's merge cannot be read: \(CommandLineHints.reason(problem))"
        case .leavesApart(let keys):
            "after a host's merge, it differs from \(CommandLineHints.some(of: keys.map(\.description)))"
        case .leavesDisagreement(let found): "after a host's merge, \(found.reason)"
        }
    }

    static func words(_ remedy: Finding.FsckRemedy?) -> String {
        switch remedy {
        case .rebuildGraph(let path)?: "remove \(path), which only makes git faster; 'settings maintain' rebuilds it"
        case .rebuildIndex(let path)?: "\(path): \(CommandLineHints.rebuilding(index: path))"
        case .repair(let repair)?: words(repair)
        case nil:
            "'git help fsck' explains these messages; what is missing may still be in another clone: 'git fetch --refetch --no-filter'"
        }
    }

    static func promised(_ count: Int, _ some: [String]) -> String {
        "\(count == 1 ? "1 object is" : "\(count) objects are") missing, because this partial clone left "
            + "\(count == 1 ? "it" : "them") on its remote: \(some.joined(separator: ", "))"
            + (count > some.count ? " and \(count - some.count) more" : "")
    }
}
