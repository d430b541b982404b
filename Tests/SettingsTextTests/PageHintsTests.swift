import Testing

@testable import SettingsModel
@testable import SettingsText

struct PageHintsTests {
    @Test func reasonsBecomeSentences() {
        for (reason, sentence) in [
            ("removed on one side, changed on the other", "Removed on one side, changed on the other"),
            ("expected a number, not a string", "Expected a number, not a string"),
            ("a is not set", "a is not set"), ("net.a: not a number", "net.a: not a number"), ("", ""), ("a", "a"),
        ] { #expect(PageHints.sentence(reason) == sentence) }
    }

    private static let key = Examples.key("general.language")
    private static let subject = Subject.option(key)
    private static let id = Examples.id
    private static let failure = SystemFailure(
        code: 13, operation: "write", path: "/s/general/language.json", reason: "Permission denied", cause: .forbidden)
    private static let bad = BadFile("not valid JSON", at: BadFile.Position(line: 2, column: 3), hint: "'settings discard'")

    /// What Done, undo, restore, revert, the edits of files and a store that somebody else changes can run into.
    @Test func aProblemNamesNoCommandAndNoOption() throws {
        let (key, subject, id, bad, failure) = (Self.key, Self.subject, Self.id, Self.bad, Self.failure)
        let version = try Examples.version("general.language: English → French")
        let waiting = SettingsModel.Confirmation(version, deadline: Time(seconds: Examples.now, offset: 60), .waiting)
        let link = Stray(path: "general/x.json", .link)
        var problems: [Problem] = [
            .key(.noOption("x", near: [])), .key(.noPlace("x", near: ["y"])), .key(.wasRemoved(key, by: version)),
            .key(.wasRenamed(key, to: key, today: nil, by: version)), .key(.isGroup("x", key)), .key(.isAmbiguous("x", [key])),
            .key(.isIgnored("x", path: "x.json", rule: "*.json")), .key(.isOutside("../x", store: "/s")),
            .key(.differsByCase(key, existing: key)),
            .value(.isReadOnly(key)), .value(.isSetTwice(key)), .value(.isNot(key, value: "en", wanted: "fr")),
            .editing(.titleIsEmpty(key)), .editing(.keyIsTaken(key)), .editing(.duplicateLabelValue(.string("en"))),
            .editing(.hasNoLabels(key, .text)), .editing(.noLabel(key, "x")), .editing(.labelIsEmpty(key)),
            .editing(.noPlace(key, 7, count: 2, isNew: false)), .editing(.labelValueIsTaken(key, by: "English", .string("en"))),
            .editing(.labelExists(key, "English", isNew: true)), .editing(.labelIsChosen(key, "English")),
            .editing(.labelIsDefault(key, "English")), .editing(.removesChosenLabel(key, "English")),
            .editing(.removesDefault(key, "en")), .editing(.tooManyTitles(key, groups: 1, titles: 2)), .editing(.isNoGroup(key)),
            .editing(.isNotStore), .editing(.duplicateOrderEntry), .editing(.sameSwitchValues), .value(.isNoCondition("x")),
            .repository(.hasNoMessage), .editing(.isValueForEnvironment(key, .string("en"), environment: "prod")),
            .file(.unreadable(bad, path: subject.path)), .file(.failed(failure)), .file(.inTheWay(failure)),
            .file(.notWritable(failure)), .file(.isStray(link)), .file(.cannotDiscard(link)), .file(.cannotRestore("x")),
            .file(.isLink("x")), .file(.isNotRegular("x")), .file(.isNotRegularIn("x", id)), .file(.isTooLarge("x")),
            .file(.bringsTooLarge("x")), .file(.isTooLargeToKeep("x")), .file(.isInPlaceOfFolder("x")),
            .file(.unknownIgnores(file: ".gitignore", reason: "no")), .file(.isNoStore("/s")),
            .file(.storeFileIsMissing(store: "/s", root: "/s", file: "_store.json", .inIndex)), .file(.ownFolderIsLink("/s")),
            .repository(.isInNone(folder: "/s")), .repository(.belongsToOther(root: "/s", reason: "no")),
            .repository(.cannotOpen(root: "/s", reason: "no")), .repository(.isGone(folder: "/s")),
            .repository(.isInUse(reason: "no")), .repository(.objectIsMissing(reason: "no")),
            .repository(.objectIsPromised(reason: "no")), .repository(.isCorrupt(reason: "no")),
            .repository(.indexIsDamaged(path: "index", reason: "no")), .repository(.headIsDamaged(reason: "no")),
            .repository(.isBeingRepacked(reason: "no")), .repository(.isOutOfResources(reason: "no")),
            .repository(.branchIsLost(branch: "refs/heads/main", last: id)), .repository(.unknownIndex(extension: "link")),
            .repository(.convertsFile(path: "x", attribute: "filter=x")), .repository(.noteIsOfLaterVersion(path: "/s")),
            .recording(.isBusy(seconds: 10)), .recording(.indexIsLocked("/s/.git/index.lock", age: 60, seconds: 10)),
            .recording(.isInHook),
            .recording(.isNotAt(id, but: nil)), .recording(.changedSince([])), .recording(.removesStore),
            .recording(.ignored(subject, rule: "*.json", file: ".gitignore")),
            .recording(.ignoredIsInTheWay("x", rule: "*.json", file: ".gitignore")), .recording(.otherIsHandEdited("x")),
            .recording(.unreadableDraft(.file(.isStray(link)))), .recording(.lastIsUnreadable(bad, path: subject.path, in: id)),
            .recording(.stagedSince), .recording(.nothingDiscarded(of: key)),
            .recording(.changedSinceDiscarded(subject, [], kept: "x")),
            .recording(.editedSinceDiscarded(subject, .edited, kept: "x")),
            .recording(.mayBeLost(id, reason: .file(.failed(failure)))),
            .history(.hasNoVersion), .history(.noVersion("x")), .history(.noVersionInClone("x")), .history(.isFirstOfClone(id)),
            .history(.isNotInHistory(id)), .history(.isNotInHistory(id, madeAgain: id)),
            .history(.noneWithTicket(["x"], squashed: id)), .history(.undidUnknown(id)),
            .history(.unreadable(.file(.unreadable(bad, path: subject.path)), change: true)),
            .history(.nothingToUndo), .history(.nothingToRedo), .history(.fewerToUndo(1)), .history(.fewerToRedo(1)),
            .history(.cloneBegins(0)), .history(.lastIsMerge(version)), .history(.lastIsOthers(version, own: nil)),
            .history(.lastIsTakenBack(version, by: version, count: 1)), .history(.wereNever([key])), .history(.notAllFits([])),
            .merge(.noQuestion(key)), .merge(.noQuestion(key, .title, open: [.value])),
            .merge(.moreIsOpen(key, besides: .value, .title)), .merge(.groupIsOpen(key, in: key)),
            .merge(.isInNoConflict(key)), .merge(.nameIsTaken(key, by: key, asked: true)),
            .signing(.format("x")), .signing(.isNoBoolean("commit.gpgSign", "x")), .signing(.hasNoKey),
            .signing(.keyOfRepositoryIsFile("x")), .signing(.programIsRelative("x", key: "gpg.program")),
            .signing(.programIsMissing("gpg", key: "gpg.program")), .signing(.failed(key: "x", program: "gpg", reason: "no")),
            .confirming(.nothingWaits(others: [])), .confirming(.waitsLonger(waiting)),
        ]
        problems += [.hasNoName, .hasNoEmail, .clockIsBefore1970].map { .identity($0) }
        problems += [.why, .requestedBy, .ticket].map { .recording(.isDemanded($0)) }
        problems += ["merge", "rebase", "am", "bisect"].map { .repository(.isInTheMiddle(of: $0)) }
        let edits: [RecordingProblem.HandEdit] = [
            .removed, .made, .edited, .editedMeanwhile, .unrecordable(.file(.unreadable(bad, path: subject.path))),
        ]
        problems += edits.map { .recording(.handEdited(subject, $0)) }
        let states: [SettingsModel.Confirmation.State] = [
            .waiting, .expired, .unanswered, .rewritten, .confirmed(by: id), .takenBack(by: id), .givenUp(by: id),
        ]
        problems += states.map { .confirming(.doesNotWait(version, $0)) }
        problems += [.textMembers, .range, .switchValues, .selection].map { .editing(.wrongType($0)) }
        for problem in problems { expectNoCommand(PageHints.words(problem), "\(problem)") }
    }

    @Test func aNoticeNamesNoCommandAndNoOption() throws {
        let failed = Problem.file(.failed(Self.failure))
        let version = try Examples.version("general.language: English → French")
        let waiting = SettingsModel.Confirmation(version, deadline: Time(seconds: Examples.now, offset: 60), .expired)
        let notices: [Notice] = [
            .keepsEdit(path: "x"), .isNotInStep(failed, isForwarded: false), .isNotWritten(["x"], failed, isForwarded: true),
            .isStillNotWritten(["x", "y"], failed), .isNotTidy(failed), .mayLackVersions, .takesBackUnknown(Self.id),
            .finished(["x"], edited: ["y"]),
            .caughtUp(["x"], from: Self.id, edited: ["y"]), .laidBack(["x"]), .tookBack(waiting, by: Self.id, left: []),
            .setsWaiting(waiting, []), .bringsBack(waiting), .opensConflicts([]), .nothingLeft(waiting),
            .cannotTakeBack(waiting, failed),
            .programsNotStarted(key: "core.sshcommand", value: "x", others: 1, remote: "origin", isNamed: true),
            .isPublished(Self.id, remote: "origin"), .isNotReported(failed), .lagsBehind(remote: "origin", count: 2),
            .lostMergeDriver(path: ".gitattributes", files: []), .lostMergeDriver(path: ".gitattributes", files: ["x"]),
        ]
        for notice in notices { expectNoCommand(PageHints.words(notice), "\(notice)") }
    }

    @Test func gitsOwnOperationsAreEndedWithGit() {
        for operation in ["merge", "rebase", "cherry-pick", "revert", "am"] {
            #expect(PageHints.inProgress(operation).last == "finish or abort it with git")
            for words in PageHints.inProgress(operation) { expectNoCommand(words, operation) }
        }
        #expect(PageHints.inProgress("bisect") == ["a bisect is in progress in this repository"])
        #expect(PageHints.cutOff("the history ends here") == "the history ends here: this is a shallow clone")
    }

    private func expectNoCommand(_ words: String, _ what: String) {
        #expect(!words.isEmpty, "\(what)")
        let isCommand = ["'settings ", "'git "].contains { words.contains($0) }
        let isOption = words.split { " ();'".contains($0) }.contains { $0.hasPrefix("-") }
        #expect(!isCommand && !isOption, "\(words)")
    }
}
