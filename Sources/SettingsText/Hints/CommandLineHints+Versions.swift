import SettingsModel

// Problems with recording and the history.

extension CommandLineHints {
    static func explanation(of problem: IdentityProblem) -> Explanation {
        switch problem {
        case .hasNoName: unconfigured("name", example: "Your Name")
        case .hasNoEmail: unconfigured("email", example: "you@example.com")
        case .isNoTime(let text, let variable):
            Explanation("invalid time '\(text)' in \(variable)", hint: "write it as 2026-11-20T18:00:00Z")
        case .clockIsBefore1970:
            Explanation(
                "the system clock is before 1970, which git cannot record", hint: "set the clock, then try again; 'date' shows it"
            )
        }
    }

    private static func unconfigured(_ what: String, example: String) -> Explanation {
        Explanation(
            "no \(what) is configured, and user.useConfigOnly forbids guessing it",
            hint: "git config --global user.\(what) '\(example)' (without --global: in this repository only)")
    }

    static func explanation(of problem: RecordingProblem) -> Explanation {
        switch problem {
        case .isDemanded(.why):
            Explanation("a reason is required", hint: "add -m 'the reason'")
        case .isDemanded(.requestedBy):
            Explanation("a requester is required", hint: "add --requested-by NAME")
        case .isDemanded(.ticket): Explanation("a ticket is required", hint: "add --ticket ID")
        case .isBusy(let seconds):
            Explanation("another process has held the store's lock for \(seconds) seconds", hint: "try again")
        case .indexIsLocked(let lock, let age, let seconds):
            Explanation(
                "git's index is still locked after \(seconds) seconds: \(lock) exists, and was created \(Phrases.distance(age))",
                hint: "nothing was changed; finish the git command that is running here, such as a 'git commit' whose editor is "
                    + "open, and try again; 'pgrep -a git' lists git's processes, and if none of them uses this repository, "
                    + "'rm \(lock.shellWord)' removes the lock")
        case .isInHook:
            Explanation(
                "git is committing here, and its index stays locked until this hook has ended",
                hint: "nothing was changed; run this command when git is done, for example in a post-commit hook")
        case .isNotAt(let expected, let tip):
            Explanation(
                "the store is at \(tip?.short ?? "no version"), not at \(expected.short)",
                hint: "see what has changed with 'settings diff --from \(expected.short)', then try again")
        case .changedSince(let conflicts):
            Explanation("the changes conflict with later ones", hint: "nothing was changed; " + way(through: conflicts))
        case .removesStore:
            Explanation(
                "this would remove _store.json, and the store with it",
                hint: "to remove a store, use 'git rm'; its history remains")
        case .ignored(let subject, let rule, let file):
            Explanation(
                "git ignores \(subject.path) (\(rule)), so it cannot be added",
                hint: "use another \(subject == .store ? "folder" : "key"), or remove the rule from \(file); "
                    + "'git add --force' adds the file anyway")
        case .ignoredIsInTheWay(let path, let rule, let file):
            Explanation(
                "\(path) is ignored by git (\(rule)) and would be overwritten",
                hint: "move the file away, or remove the rule from \(file) and record the file with 'settings done'")
        case .handEdited(let subject, let edit): explanation(of: subject, edit)
        case .otherIsHandEdited(let path):
            Explanation("\(path) has uncommitted changes, which would be lost", hint: "commit them with git first")
        case .indexEdited(let edit): explanation(of: edit)
        case .unreadableDraft(.file(.isStray(let stray))):
            Explanation(reason(.file(.isStray(stray))), hint: "\(hint(for: stray.kind)); nothing was recorded")
        case .unreadableDraft(let problem):
            Explanation(reason(problem), hint: "\(fixesOrDiscards(problem)); nothing was recorded")
        case .mayBeBehind(let subjects):
            outdatedOrEdited(subjects)
        case .lastIsUnreadable(let fault, let path, let version):
            Explanation(
                reason(.file(.unreadable(fault, path: path, in: version))),
                hint: repair(of: .file(.unreadable(fault, path: path))))
        case .stagedSince:
            Explanation("other changes have been staged meanwhile", hint: "nothing was recorded; look at what is staged")
        case .needsOthers(let key, let fault):
            Explanation(
                "\(key): without its other changes, \(fault.reason)", hint: "nothing was changed; take those changes first")
        case .nothingDiscarded(of: nil):
            Explanation(
                "no edits were discarded in the last 30 days",
                hint: "'settings discard' drops unrecorded edits, which can then be restored")
        case .nothingDiscarded(of: let key?):
            Explanation(
                "no edits to \(key) were discarded in the last 30 days",
                hint: "'settings discard --list' lists what can be restored")
        case .changedSinceDiscarded(let subject, _, let kept):
            Explanation(
                "\(subject.path) has changed since it was discarded",
                hint: "nothing was restored; \(restoresOthers)" + (kept.map { ", and 'git show \($0)' prints this file" } ?? ""))
        case .editedSinceDiscarded(let subject, let edit, let kept):
            Explanation(
                reason(.recording(.handEdited(subject, edit))),
                hint: explanation(of: subject, edit).hint.map { hint in
                    "\(hint); \(restoresOthers)\(kept.map { ", and 'git show \($0)' prints this file" } ?? "")"
                })
        case .mayBeLost(let id, let problem):
            Explanation(
                "\(id.short) was recorded, but the disk failed before it was stored safely (\(reason(problem)))",
                hint: "check the disk, then look for the version in 'settings history' before repeating the change")
        }
    }

    private static func outdatedOrEdited(_ subjects: [Subject]) -> Explanation {
        let (isOne, paths) = (subjects.count == 1, some(of: subjects.map(\.path)))
        let name = isOne ? name(of: subjects[0]) : subjects.contains(.store) ? "FILE" : "KEY"
        return Explanation(
            "\(paths) may not have been edited, but left behind when the branch was moved: git's index has an earlier version of "
                + "\(isOne ? "it" : "them"), and no reflog explains it",
            hint: "nothing was changed; see 'settings diff'; 'settings done \(name)' records \(isOne ? "it" : "one") as it is, "
                + "'settings discard \(name)' brings it up to date")
    }

    /// How a command is told of an edit: the root has no key of its own.
    private static func name(of subject: Subject) -> String { subject.key.isRoot ? Subject.store.path : "\(subject.key)" }

    private static let restoresOthers = "'settings discard --undo KEY' restores the edits to another key"

    private static func way(through conflicts: [Conflict]) -> String {
        if conflicts.allSatisfy({ $0.facet == .value }) { return "use 'settings set' to choose a value" }
        if let other = conflicts.first(where: { [.existence, .key].contains($0.facet) }) {
            return "'settings history \(other.subject.key)' lists what changed it later"
        }
        return "use 'settings define' for what differs"
    }

    private static func explanation(of subject: Subject, _ edit: RecordingProblem.HandEdit) -> Explanation {
        let name = name(of: subject)
        let lost = "\(subject.path) has unrecorded edits, which would be lost, and which cannot be recorded"
        let (how, records, drops): (String, String, String)
        switch edit {
        case .removed:
            (how, records, drops) = ("was removed by hand, which is not recorded yet", "records the removal", "brings it back")
        case .made:
            (how, records, drops) = ("was created by hand and is not recorded yet", "records it", "removes it")
        case .edited: (how, records, drops) = ("has unrecorded edits, which would be lost", "records them", "drops them")
        case .editedMeanwhile:
            (how, records, drops) = ("was edited by hand meanwhile, which would be lost", "records the edit", "drops it")
        case .unrecordable(.recording(.indexEdited(let edit))):
            return Explanation(
                "\(lost): \(edit.place): \(edit.reason)",
                hint: "editing \"selected\" alone has no effect: drop the edit with 'settings discard \(name)', then try again")
        case .unrecordable(let problem):
            return Explanation("\(lost): \(reason(problem))", hint: fixesOrDiscards(problem))
        }
        return Explanation(
            "\(subject.path) \(how)",
            hint: "see 'settings diff \(name)'; 'settings done \(name)' \(records), 'settings discard \(name)' \(drops)")
    }

    /// What to do about an edited file that cannot be read.
    private static func fixesOrDiscards(_ problem: Problem) -> String {
        guard case .file(.unreadable(_, let path, _)) = problem, let subject = Subject(path: path) else {
            return "fix the file, or drop the edit with 'settings discard'"
        }
        return "fix the file, or drop the edit with 'settings discard \(name(of: subject))'"
    }

    private static func explanation(of edit: Disagreement) -> Explanation {
        let key = edit.subject.key
        let chosen =
            switch (edit.selection.index, edit.selection.label) {
            case (let index?, let label?): "choose \(label.text) with 'settings set \(key) --index \(index)'"
            case (_?, nil): "choose a label with 'settings set \(key) LABEL'"
            case (nil, _): "clear the value with 'settings unset \(key)'"
            }
        return Explanation(
            "\(edit.place): \(edit.reason); the option's value is \"value\", so editing \"selected\" alone has no effect",
            hint: "drop the edit with 'settings discard \(key)', then \(chosen)")
    }

    static func explanation(of problem: HistoryProblem) -> Explanation {
        switch problem {
        case .hasNoVersion: Explanation("the store has no versions yet")
        case .noVersion(let name):
            Explanation(
                "there is no version '\(name)'",
                hint: "give an id, a tag, HEAD~2 or a time such as 'yesterday 18:00'; 'settings history' lists the versions")
        case .noVersionInClone(let name):
            Explanation("there is no version '\(name)' in this shallow clone", hint: unshallow)
        case .noRevision(let name, let isTime):
            Explanation(
                "there is no version '\(name)'",
                hint: isTime
                    ? "a time is not accepted here; \"settings show '\(name)'\" shows the id of the version"
                    : "give an id, a tag or HEAD~2; 'settings history' lists the versions")
        case .isSeveral(let name): Explanation("'\(name)' is ambiguous: several ids begin with it", hint: "use more characters")
        case .isNoTime(let name):
            Explanation(
                "invalid time '\(name)'",
                hint: "write it as 18:00, 'fri 6pm', yesterday, 2026-11-20 or '2026-11-20 18:00'")
        case .isInFuture(let text, _):
            Explanation(
                "'\(text)' is in the future", hint: "give a time that has passed; HEAD is the last version")
        case .isBeforeFirst(let text, let first):
            Explanation(
                "the store had no versions yet at '\(text)'",
                hint: first.map { "the first version, \($0.id.short), was recorded at \(moment($0.time))" })
        case .isBeforeClone(let text, let first):
            Explanation(
                "this shallow clone has no version from '\(text)': it begins at \(moment(first.time)) with \(first.id.short)",
                hint: unshallow)
        case .isFirstOfClone(let id):
            Explanation(
                "cannot revert \(id.short): this shallow clone begins with it and does not have the version before",
                hint: unshallow)
        case .isNotInHistory(let id, let new):
            Explanation(
                "the version \(id.short) is not in the history of this branch",
                hint: new.map { "it was rewritten as \($0.short): 'settings revert \($0.short)' reverts that" }
                    ?? "'settings history' lists the versions")
        case .isEmptyRange(let start, let end, let isReversed):
            Explanation(
                "the range \(start.short)..\(end.short) has no versions",
                hint: isReversed
                    ? "the older version comes first: \(end.short)..\(start.short)"
                    : "A..B has the versions in B that are not in A; 'settings history' lists the versions")
        case .rangeHasMerge(let start, let end, let merge):
            Explanation(
                "cannot revert \(start.short)..\(end.short): the merge \(merge.id.short) decided conflicts or left some open, and "
                    + "merged versions that are not in the range",
                hint: "name the versions: 'settings history \(start.short)..\(end.short)' lists them")
        case .noneWithTicket(let tickets, let squashed):
            Explanation(
                "no version with the ticket \(tickets.joined(separator: ", ")) is left to revert",
                hint: squashed.map { id in
                    "\(id.short) squashed a version with that ticket and others: 'settings revert \(id.short)' reverts all of them, "
                        + "'settings set KEY VALUE' changes single values"
                })
        case .hasNothingToRevert(let ids, let places, changed: false, _):
            Explanation(
                "\(ids.map(\.short).joined(separator: ", ")) did not change \(some(of: places.map(\.description)))",
                hint: ids.first.map { "'settings show \($0.short)' lists its changes" })
        case .hasNothingToRevert(let ids, let places, _, let later):
            Explanation(
                "no changes of \(ids.map(\.short).joined(separator: ", "))"
                    + (places.isEmpty ? "" : " to \(some(of: places.map(\.description)))") + " are left to revert",
                hint: later.map { "\($0.short) has since made the same choice; 'settings revert \($0.short)' reverts it" }
                    ?? "they were reverted already, or changed again: 'settings history"
                    + "\(places.count == 1 ? " \(places[0])" : "")' lists the later versions")
        case .unreadable(let problem, let change):
            Explanation(
                reason(problem) + (change ? "; nothing was changed" : ""),
                hint: change ? nil : restoring(problem).map { "this cannot be undone; \($0)" })
        case .invalidTag(let name):
            Explanation("invalid tag name '\(name)'", hint: "'git help check-ref-format' lists what git allows")
        case .tagIsThere(let name):
            Explanation(
                "the tag '\(name)' already exists",
                hint: "choose another name, or move it with 'settings tag --force \(name.shellWord)'")
        case .noTag(let name, let near):
            Explanation(
                "there is no tag '\(name)'", hint: Nearest.question(Array(near.prefix(1))) ?? "'settings tag' lists the tags")
        case .tagMeansOther(let name, let meaning):
            Explanation("invalid tag name '\(name)': it \(words(meaning))", hint: hint(forName: name, "release"))
        case .nothingToUndo:
            Explanation(
                "nothing to undo", hint: "'settings history' lists the versions, 'settings revert VERSION' reverts any of them")
        case .cloneBegins(let count):
            Explanation(
                count == 0
                    ? "nothing to undo: the history is cut off in this shallow clone"
                    : "only \(count) of your latest versions can be undone: the history is cut off in this shallow clone",
                hint: unshallow + (count == 0 ? "" : "; 'settings undo \(count)' undoes what is there"))
        case .nothingToRedo:
            Explanation(
                "nothing to redo", hint: "'settings redo' repeats what 'settings undo' reverted, until you record another change")
        case .undidUnknown(let id):
            Explanation(
                "nothing to redo: \(id.short) undid a version that isn't in this history",
                hint: "'settings undo' reverses the changes of \(id.short)")
        case .fewerToUndo(let count):
            Explanation(
                "only \(count) of your latest versions can be undone",
                hint: "'settings undo \(count)' does that; 'settings revert' and 'settings restore' reach further back")
        case .fewerToRedo(let count):
            Explanation(
                "only \(count) version\(count == 1 ? "" : "s") can be redone", hint: "'settings redo \(count)' does that")
        case .lastIsMerge(let last): lastIsMerge(last)
        case .lastIsTakenBack(let last, let taker, let count):
            Explanation(
                "nothing to undo: your latest version, \(last.id.short), was not confirmed and was reverted in \(taker.id.short)",
                hint: "'settings undo \(count + 1)' undoes the version before it"
                    + (taker.message.reverts.isEmpty ? "" : "; 'settings revert \(taker.id.short)' reapplies its changes"))
        case .lastIsOthers(let last, let own?):
            Explanation(
                "your latest version is \(own.id.short), but \(last.author.name) has recorded \(last.id.short) since",
                hint: "'settings revert \(own.id.short)' reverts your version and keeps later changes")
        case .lastIsOthers(let last, nil):
            Explanation(
                "you have recorded nothing that can be undone; the latest version, \(last.id.short), is by "
                    + last.author.name,
                hint: "'settings revert \(last.id.short)' reverts it anyway")
        case .wereNever(let keys):
            Explanation("there is no \(keys.map(\.description).joined(separator: ", ")), and there was none at that time")
        case .notAllFits:
            Explanation(
                "not all of these values can be restored",
                hint: "nothing was changed; restore the others by name, or use --exact")
        }
    }

    static func words(_ meaning: NameMeaning) -> String {
        switch meaning {
        case .time: "is a time"
        case .gitsOwn: "is reserved by git"
        case .reference: "is the name of a reference in git"
        case .beginningOfID: "could be the beginning of an id"
        case .branch: "is the name of a branch"
        case .version(let id): "already refers to the version \(id.short)"
        }
    }

    static func hint(forName name: String, _ start: String) -> String {
        let plain = name.filter { $0.isLetter || $0.isNumber }
        return "choose an unambiguous name, such as '\(start)-\(plain.isEmpty ? "1" : plain)'"
    }

    private static func lastIsMerge(_ last: Version) -> Explanation {
        guard last.message.conflicts.isEmpty else {
            let count = counted(last.message.conflicts.count, "conflict")
            return Explanation(
                "cannot undo a change for which the merge \(last.id.short) left \(count) open",
                hint: "'settings conflicts' lists what is open, and 'settings resolve' resolves it")
        }
        return Explanation(
            "undo does not revert the latest version, \(last.id.short), because it is a merge that resolved conflicts",
            hint: "'settings show \(last.id.short)' lists its changes; 'settings revert \(last.id.short)' reverts them, "
                + "'settings set' and 'settings restore' change them")
    }
}
