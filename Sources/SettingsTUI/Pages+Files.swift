import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText

/// Edits of the files, and what merges left open.
extension Pages {
    /// What Done asks of the store: questions that are answered are settled with the changes.
    func request(recording changes: [Change]) -> Request {
        let settled = editor.scene.settled
        let draft = editor.scene.draft
        if settled.isEmpty {
            return .changes(changes, reverts: draft.reverts, restoredFrom: draft.restoredFrom, undoes: draft.undoes)
        }
        return .settle(
            settled.map { question, pick in
                Settlement(question.conflict.subject, question.conflict.facet, pick.answer)
            }, with: changes)
    }

    func lookForQuestions() {
        guard let answer = try? session.ask(ConflictsQuery()) else { return send(.questions(OpenQuestions([], texts: []))) }
        let open = answer.open.map {
            var sides: [SettingsDraft.Pick: SettingsContent.Item] = [:]
            (sides[.yours], sides[.theirs], sides[.before]) = ($0.sides.ours, $0.sides.theirs, $0.sides.base)
            return OpenQuestion(
                $0.conflict, origin: $0.origin, merge: $0.merge, inForce: $0.inForce, sides: sides, merged: $0.merged,
                decided: $0.decided)
        }
        send(.questions(OpenQuestions(open, texts: answer.texts)))
    }

    /// Looks whether the files or git's index are others, while their page is shown. True if they are.
    func lookAtFiles() -> Bool {
        guard editor.visits.contains(where: { $0.page is CommitPage }), let edits = try? fileEdits(),
            edits != editor.scene.files.edits
        else { return false }
        reload(tellsAuthor: true)
        send(.fileEdits(edits))
        return true
    }

    private func fileEdits() throws(Problem) -> FileEdits {
        let edits = try session.ask(HandEditsQuery())
        var broken = edits.unreadable.map { FileEdits.Broken($0, isStaged: false) }
        broken += edits.unreadableStaged.map { FileEdits.Broken($0, isStaged: true) }
        for edit in edits.disagreements where edit.isIndexEdited {
            broken.append(
                FileEdits.Broken(
                    path: edit.subject.path, subject: edit.subject,
                    reason: "\(edit.place): \(edit.reason); editing \"selected\" alone has no effect"))
        }
        let disagreeing = Set(broken.compactMap(\.subject))
        return FileEdits(
            staged: edits.staged, unstaged: edits.unstaged, broken: broken,
            rewritten: edits.rewritten.filter { !disagreeing.contains($0) },
            tracked: try session.ask(TrackedQuery()).compactMap(FileEdits.Tracked.init),
            operation: try session.ask(RepositoryQuery()).operation)
    }

    func perform(_ work: FileWork) {
        do {
            var words: String?
            switch work.act {
            case .look: break
            case .stage(let changes): try session.perform(StageAction(changes), try outside.done(session))
            case .unstage(let changes): try session.perform(StageAction(changes.inverted), try outside.done(session))
            case .discard(let changes, let files):
                try session.perform(DiscardChangesAction(changes, files: files), try outside.done(session))
            case .bringBack: _ = try session.perform(BringBackAction(), try outside.done(session))
            case .record(let changes, let sheet):
                if isElsewhere() { return send(.fileEdits(try fileEdits())) }
                words = try record(staged: changes, sheet)
            case .edit(let path): try edit(path)
            }
            if work.act.touchesFiles { reload(tellsAuthor: false) }
            send(.fileEdits(try fileEdits(), work))
            if let words { send(.notice(words)) }
        } catch let problem as Problem {
            if let edits = try? fileEdits() { send(.fileEdits(edits)) }
            send(.failed(PageHints.words(problem), problem.kind))
        } catch { send(.failed("\(error)")) }
    }

    private func record(staged changes: [Change], _ sheet: Sheet) throws -> String {
        switch try perform(.recordStaged(expected: changes), done(for: sheet)) {
        case .recorded(let version, let made, let notes): return words(version, made, notes)
        case .unchanged, .reformatted, .planned, .forwarded: return "Nothing to record: already set"
        }
    }

    private func edit(_ path: String) throws(Problem) {
        let file = try session.pathForEditing(path)
        var failure: String?
        lend { failure = outside.edit(file) }
        if let failure { send(.failed(failure, .unavailable)) }
    }
}

extension FileEdits.Broken {
    fileprivate init(_ file: VersionChanges.Unreadable, isStaged: Bool) {
        // What is no regular file is not discarded.
        var subject = Subject(path: file.path)
        if case .file(.isStray) = file.problem { subject = nil }
        self.init(
            path: file.path, subject: subject, reason: PageHints.words(file.problem), isStaged: isStaged)
    }
}

extension FileEdits.Tracked {
    fileprivate init?(_ state: TrackedState) {
        if state.edits.isEmpty, !state.hasOtherEdits { return nil }
        self.init(path: state.path, changes: state.edits, hasOtherEdits: state.hasOtherEdits)
    }
}

extension FileWork.Act {
    fileprivate var touchesFiles: Bool {
        switch self {
        case .look, .stage, .unstage: false
        case .discard, .bringBack, .record, .edit: true
        }
    }
}

extension SettingsDraft.Pick {
    fileprivate var answer: ConflictAnswer {
        switch self {
        case .yours: .ours
        case .theirs: .theirs
        case .before: .base
        }
    }
}

extension Problem {
    /// Whether somebody else recorded something since.
    var isOvertaken: Bool {
        switch self {
        case .recording(.changedSince), .value(.isReadOnly): true
        default: false
        }
    }
}
