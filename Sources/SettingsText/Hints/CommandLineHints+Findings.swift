package import SettingsModel

// What checks find.

extension CommandLineHints {
    package static func explanation(of finding: Finding) -> Explanation {
        switch finding.fault {
        case .problem(let problem, let remedy):
            let known = explanation(of: problem)
            if case .repair(let repair)? = remedy { return Explanation(known.reason, hint: words(repair)) }
            return Explanation(known.reason, hint: known.hint ?? remedy.map(words))
        case .stray(let kind): return Explanation(words(kind), hint: "rename it, or move it out of the store")
        case .disagreement(let found, let isInLastVersion):
            let key = found.subject.key
            return Explanation(
                "\(found.place)\(isInLastVersion ? " (in the last version)" : ""): \(found.reason)",
                hint: found.isIndexEdited
                    ? "'settings discard \(key)' drops the edit of \"selected\", which has no effect"
                    : "'settings done \(key)' corrects \"selected\"; so does any command that writes the file")
        case .differsByCase:
            return Explanation(
                "it differs from another name by case alone", hint: "rename one of them with 'settings rename'")
        case .isStranger(let stranger):
            return Explanation(
                "\(finding.path) is \(stranger == .link ? "a symbolic link" : "a submodule"), which a store never follows",
                hint: "remove it, or move it out of the store")
        case .nobodysChoice(let key, let byHost, let chosen, let candidates):
            return Explanation(
                "\(byHost ? "a host's merge leaves" : "the merge left") \(chosen) chosen, which neither side chose there: "
                    + "it is \(candidates.joined(separator: " or "))",
                hint: "\(byHost ? "then " : "")say what is meant with 'settings set \(key) VALUE'")
        case .host(let fault):
            let hint = "merge it with 'settings merge', or with git where 'settings setup' was run"
            return Explanation(words(fault), hint: finding.kind == .problem ? hint : nil)
        case .git(let fault, let remedy): return Explanation(words(fault), hint: remedy.map(words))
        default: return explanation(ofSurroundings: finding)
        }
    }

    /// What is kept beside the files: locks, caches, git's configuration.
    private static func explanation(ofSurroundings finding: Finding) -> Explanation {
        switch finding.fault {
        case .isLocked(let what):
            Explanation(
                "it keeps everybody from writing \(what)",
                hint: "if neither git nor settings is running, remove it: 'rm \(finding.path)'")
        case .historyIndexIsWrong(let isRemoved):
            Explanation(
                "the index of the history does not agree with the versions\(isRemoved ? "; it was removed" : "")",
                hint: "\(isRemoved ? "" : "remove it; ")'settings maintain' makes it anew")
        case .historyIndexIsDamaged:
            Explanation(
                "the index of the history is damaged, so it isn't used", hint: "remove it; 'settings maintain' makes it anew")
        case .noteIsDamaged:
            Explanation(
                "it is no note of what was about to be written",
                hint: "remove it, then look with 'settings status' whether the files are as you want them")
        case .isUnseen(let path):
            Explanation(
                "git's index takes it for unchanged, and it holds something else",
                hint: "'touch \(path)' has git look at it again")
        case .driverIsNotNamed:
            Explanation(
                "it doesn't name the merge driver, so git merges the store's files as texts",
                hint: "'settings setup' names it, or says what is in the way")
        case .driverIsNotSetUp:
            Explanation(
                "the merge driver isn't set up in this clone, so git merges the store's files as texts",
                hint: "'settings setup' does it")
        case .driverIsOutdated:
            Explanation(
                "where git can't find this program, the merge driver keeps one side without a word",
                hint: "'settings setup' mends that")
        case .objectsAreUnchecked:
            Explanation("git's objects and files were not checked, because the 'git' program is not installed")
        case .problem, .stray, .disagreement, .differsByCase, .isStranger, .nobodysChoice, .host, .git: explanation(of: finding)
        }
    }

    private static func words(_ remedy: Finding.Remedy) -> String {
        switch remedy {
        case .discard(let key): "'settings discard\(key.isRoot ? "" : " \(key)")' takes the last version's"
        case .restoreOrSet(let key):
            "'settings restore \(key) --from WHEN' takes one from before, 'settings set' says what is meant"
        case .mendByHand: "mend it by hand"
        case .repair(let repair): words(repair)
        }
    }

    private static func words(_ repair: RepositoryRepair) -> String {
        switch repair {
        case .cloneAnew(let place):
            "\(place)/objects is missing, so no version is here: clone the repository anew, and keep this folder's files"
        case .makeReferences(let place): "'mkdir -p \(place)/refs/heads' makes the folder that is missing"
        case .nameBranch(let branch, let place):
            "\(place)/HEAD names no branch: 'echo \"ref: refs/heads/\(branch)\" > \(place)/HEAD' puts it back"
        }
    }

    private static func words(_ fault: Finding.HostFault) -> String {
        switch fault {
        case .asksNeedlessly: "a host can't merge the texts; by meaning they fit together"
        case .removesWhatWasEdited: "one side removed it and the other edited it, and a host removes it without asking"
        case .removesWhatStays: "a host's merge removes it; by meaning it stays"
        case .bringsBack: "a host's merge brings it back; by meaning it is removed"
        case .doesNotAsk(let facet): "both sides changed \(facet.name), and a host merges that without asking"
        case .leavesUnreadable(let problem): "a host's merge can't be read: \(reason(problem))"
        case .leavesDisagreement(let found): "after a host's merge \(found.reason)"
        }
    }

    private static func words(_ fault: Finding.GitFault) -> String {
        switch fault {
        case .words(let words): words
        case .objectIsMissing: "it is missing"
        case .commitGraphIsDamaged: "it is damaged"
        case .branchIsMissing: "it is on a branch that is missing, though it had versions"
        case .failed(let status): status.map { "git fsck failed with exit status \($0)" } ?? "git fsck was stopped"
        }
    }

    private static func words(_ remedy: Finding.GitRemedy) -> String {
        switch remedy {
        case .askGit: "'git fsck' says more"
        case .removeCommitGraph: "it only makes git faster: remove it, 'settings maintain' makes it anew"
        case .filterTree: "nothing of it is written to files here; 'git filter-repo' takes it out of the history"
        case .filterObject: "it is shown as far as it goes; only a new history, as by 'git filter-repo', is without it"
        case .putBack(let log, let id, let file):
            "\(log) says where it was: 'echo \(id.hex) > \(quoted(file))' puts it back"
        case .writeReference: "write the id of its last version into it, or remove it"
        case .repair(let repair): words(repair)
        case .remove(let path): "nothing refers to it: \(removing(path))"
        case .writeFromFile(let path): "'git hash-object -w \(path)' writes it anew: the file still has it"
        case .fetch: "get it from another clone: 'git fetch --refetch --no-filter', or copy its objects folder over this one's"
        case .inTurn(.remove(let path), let next): "\(removing(path)), then \(words(next))"
        case .inTurn(let first, let next): "\(words(first)), then \(words(next))"
        case .makeIndex(let path):
            "'rm -f \(path)' and 'git reset' make it anew; what was staged has to be staged again"
        case .takeLineOut(let logs): "take that line out; a branch's log in \(logs) says where it was"
        case .bringFolderBack: "bring that folder back, or take it out of the file; without it objects may be missing"
        case .makePackIndex(let pack, let index):
            "'rm -f \(quoted(index))' and 'git index-pack \(quoted(pack))' make it anew"
        case .unpack:
            "move it away and take out of it what is whole: 'git unpack-objects -r < PACK'; "
                + "the rest is in another clone: 'git fetch --refetch --no-filter'"
        case .checkAgain(let remedy):
            "\(remedy.map { "\(words($0)); " } ?? "")git fsck stopped here, so run this again afterwards"
        }
    }

    private static func removing(_ path: String) -> String { "'rm -f \(quoted(path))'" }

    private static func quoted(_ path: String) -> String { path.contains(" ") ? "\"\(path)\"" : path }
}
