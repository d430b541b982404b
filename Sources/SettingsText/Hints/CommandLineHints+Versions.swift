import SettingsModel

// Recording, the history, merging.

extension CommandLineHints {
    static func explanation(of problem: RecordingProblem) -> Explanation {
        switch problem {
        case .isDemanded(.why):
            Explanation("this store wants to know why, and no reason was given", hint: "say it with -m 'the reason'")
        case .isDemanded(.requestedBy):
            Explanation("this store wants to know who asked for it", hint: "say it with --requested-by NAME")
        case .isDemanded(.ticket): Explanation("this store wants a ticket", hint: "say it with --ticket ID")
        case .isBusy(let seconds):
            Explanation("another process has been writing to this store for \(seconds) seconds", hint: "try again")
        case .isNotAt(let expected, let tip):
            Explanation(
                "the store is no longer at \(expected.short) but at \(tip?.short ?? "no version")",
                hint: "look at what came since with 'settings diff --from \(expected.short)', then try again")
        case .changedSince:
            Explanation(
                "it conflicts with what was changed since", hint: "nothing was changed; decide with 'settings set'")
        case .removesStore:
            Explanation(
                "that would remove _store.json, and without it this is no store",
                hint: "'git rm' removes a store; its versions stay in git's history")
        case .ignored(let subject, let rule, let file):
            Explanation(
                "\(subject.path) is ignored by git (\(rule)), so it can't be added",
                hint: "use another \(subject == .store ? "folder" : "key"), or take the line out of \(file); "
                    + "'git add --force' adds the file all the same")
        case .ignoredIsInTheWay(let path, let rule, let file):
            Explanation(
                "\(path) is ignored by git (\(rule)) and would be overwritten",
                hint: "move the file away, or take the line out of \(file) and record the file with 'settings done'")
        case .handEdited(let subject, let edit): explanation(of: subject, edit)
        case .otherIsHandEdited(let path):
            Explanation("\(path) carries edits made by hand; they would be lost", hint: "commit them with git first")
        case .indexEdited(let edit): explanation(of: edit)
        case .unreadableDraft(let problem):
            Explanation(
                reason(problem), hint: "mend the file, or drop the edit with 'settings discard'; nothing was recorded")
        case .nothingDiscarded: Explanation("nothing was discarded in the last 30 days")
        case .changedSinceDiscarded(let subject, _):
            Explanation("\(subject.path) was changed since it was discarded", hint: "nothing was brought back")
        case .mayBeLost(let id, let problem):
            Explanation(
                "\(id.short) stands on the branch, but the disk failed before it was sure to stay (\(reason(problem)))",
                hint: "see to the disk, then look with 'settings history' whether it is there before doing it again")
        }
    }

    private static func explanation(of subject: Subject, _ edit: RecordingProblem.HandEdit) -> Explanation {
        let how =
            switch edit {
            case .removed: "was removed by hand"
            case .made: "was made by hand and not recorded yet"
            case .edited: "carries edits made by hand"
            case .editedMeanwhile: "was edited by hand in the meantime"
            }
        let name = subject.key.isRoot ? subject.path : subject.key.description
        return Explanation(
            "\(subject.path) \(how), which would be lost",
            hint: "look with 'settings diff \(name)', then 'settings done \(name)' records it, "
                + "'settings discard \(name)' drops it")
    }

    private static func explanation(of edit: Disagreement) -> Explanation {
        let key = edit.subject.key
        let chosen = edit.selection.label.map { label in
            "then 'settings set \(key) --index \(edit.selection.index ?? 0)' chooses \(label.text)"
        }
        return Explanation(
            "\(edit.place): \(edit.reason); programs read \"value\", so editing \"selected\" alone has no effect",
            hint: "drop the edit with 'settings discard \(key)'; \(chosen ?? "then 'settings unset \(key)' unsets it")")
    }

    static func explanation(of problem: HistoryProblem) -> Explanation {
        switch problem {
        case .hasNoVersion: Explanation("the store has no version yet")
        case .noVersion(let name):
            Explanation(
                "there is no version '\(name)'",
                hint: "a version is an id, a tag, HEAD~2 or a time such as 'yesterday 18:00'; 'settings history' lists them")
        case .isSeveral(let name): Explanation("'\(name)' is the beginning of several ids", hint: "write more of it")
        case .isNoTime(let name):
            Explanation(
                "'\(name)' is not a valid time",
                hint: "write it as 18:00, 2026-11-20, '2026-11-20 18:00' or 2026-11-20T18:00:00Z")
        case .isBeforeFirst(let text, let first):
            Explanation(
                "there was no version yet at '\(text)'",
                hint: first.map { "the first one, \($0.id.short), is of \($0.time.rfc3339)" })
        case .isNotInHistory(let id):
            Explanation("the version \(id.short) is not in this history", hint: "'settings history' lists what is")
        case .noneWithTicket(let tickets):
            Explanation("no version has the ticket \(tickets.joined(separator: ", ")), or all were taken back already")
        case .unreadable(let problem, let change):
            Explanation(reason(problem), hint: change ? "nothing was changed" : nil)
        case .invalidTag(let name): Explanation("'\(name)' can't be the name of a tag")
        case .tagIsThere(let name):
            Explanation(
                "there is a tag '\(name)' already",
                hint: "choose another name, or move it with 'settings tag --force \(name)'")
        case .noTag(let name, let near):
            Explanation("there is no tag '\(name)'", hint: guess(Array(near.prefix(1))) ?? "'settings tag' lists the tags")
        case .tagMeansOther(let name, let meaning):
            Explanation("'\(name)' \(words(meaning)), so it can't be the name of a tag", hint: hint(forTag: name))
        case .nothingToUndo: Explanation("there is nothing to undo")
        case .nothingToRedo: Explanation("there is nothing to redo")
        case .fewerToUndo(let count): Explanation("only \(count) of your own last versions can be undone")
        case .fewerToRedo(let count): Explanation("only \(count) can be redone")
        case .lastIsMerge(let last):
            Explanation(
                "the last version, \(last.id.short), is a merge that decided something, and undo doesn't take it apart",
                hint: "'settings show \(last.id.short)' lists what it changed; 'settings resolve' decides otherwise")
        case .lastIsOthers(let last):
            Explanation(
                "the last version, \(last.id.short), is by \(last.author.name), not by you",
                hint: "'settings revert \(last.id.short)' takes it back all the same")
        case .wereNever(let keys):
            Explanation("there is no \(keys.map(\.description).joined(separator: ", ")), and was none then")
        case .notAllFits:
            Explanation(
                "not everything of then can be put back",
                hint: "nothing was changed; restore the others by name, or use --exact")
        }
    }

    private static func words(_ meaning: HistoryProblem.TagMeaning) -> String {
        switch meaning {
        case .time: "is a time"
        case .gitsOwn: "is a name of git's own"
        case .reference: "means a reference to git"
        case .beginningOfID: "may be the beginning of a version's id"
        case .branch: "is a branch"
        case .version(let id): "means the version \(id.short) already"
        }
    }

    private static func hint(forTag name: String) -> String {
        let plain = name.filter { $0.isLetter || $0.isNumber }
        return "choose a name that means nothing else, such as 'release-\(plain.isEmpty ? "1" : plain)'"
    }

    static func explanation(of problem: MergeProblem) -> Explanation {
        switch problem {
        case .isUnrelated(let name):
            Explanation(
                "\(name) has no version in common with this line",
                hint: "--allow-unrelated-histories brings them together all the same")
        case .areUnrelated(let base, let head): Explanation("\(base.short) and \(head.short) have no version in common")
        case .namesDifferByCase(let key, let other):
            Explanation(
                "\(key) and \(other) differ by case alone, which some file systems can't tell apart",
                hint: "rename one of them on its side with 'settings rename', then merge")
        case .unresolved:
            Explanation(
                "both sides changed the same; nothing was merged",
                hint: "decide with KEY=VALUE, --ours or --theirs behind the merge, or merge what agrees with --keep")
        case .otherFile(let path):
            Explanation(
                "\(path) is not the store's, and merging it is git's work",
                hint: "'git merge' brings everything in, and the settings by meaning once 'settings setup' was run here")
        case .otherFileIsTooLarge(let path, let isForwarding):
            Explanation(
                "\(path) is larger than 16 MiB, and bringing it along is git's work",
                hint: "use '\(isForwarding ? "git merge --ff-only" : "git merge")'")
        case .otherIsNotPlain(let path):
            Explanation("\(path) is no plain file, and bringing it along is git's work", hint: "use 'git merge --ff-only'")
        case .nameIsTaken(let key, let old, let isAsked):
            Explanation(
                "\(old) can't become \(key): \(key) is there already",
                hint: isAsked
                    ? "keep the name with the other side's answer, or rename with 'settings rename'"
                    : "rename one of them, then merge")
        case .noOption(let key): Explanation("there is no option '\(key)' to set in this merge")
        case .noQuestion(let key):
            Explanation("no question about \(key) is open", hint: "'settings conflicts' lists those that are")
        case .severalQuestions(let key, let facets):
            Explanation(
                "\(key) has \(facets.count) open questions: \(facets.map(\.token).joined(separator: ", "))",
                hint: facets.first.map { "name one as \(key):\($0.token)" })
        case .takesNoValue(let facet):
            Explanation(
                "\(facet.name) can't be given as a VALUE here",
                hint: "say --ours or --theirs, or edit it with 'settings define'")
        case .moreIsOpen(let key, let facet, let other):
            Explanation(
                "\(key) has more open than \(facet.token): \(other.token)", hint: "leave the facet out to settle all")
        case .moreThanValueIsOpen(let key):
            Explanation(
                "more than the value of \(key) is open",
                hint: "say --ours or --theirs, then 'settings set \(key) VALUE' once git is done")
        }
    }
}
