import Files
import Git
package import SettingsModel

/// How the store stands.
package struct StatusQuery: Query {
    /// Only whether its files differ from the last version.
    package var isOnlyFiles: Bool

    package init(onlyFiles: Bool = false) { isOnlyFiles = onlyFiles }

    package func answer(in session: Session) throws(Problem) -> StoreStatus {
        let store = try session.store
        var draft = try store.workTree.draft(checksRecorded: true)
        draft.tracked = try session.trackedStates()
        var version: Version?
        if let last = try store.versions.tip().id { version = try store.versions.version(last) }
        let tip = try store.versions.tip()
        var overtaken: [Change: Version] = [:]
        for change in try store.drafts.overtaken(draft, since: tip) {
            guard case .option(let key) = change.subject else { continue }
            let blame = try store.history.blame([key], at: tip, facets: [change.facet]).first
            overtaken[change] = blame?.version
        }
        var status = StoreStatus(
            path: session.folder.path, version: version, branch: try store.versions.branch,
            operation: try store.versions.operation, draft: draft)
        status.unfinished = store.recorder.unfinished
        status.isBare = session.folder.bareRepository != nil
        if isOnlyFiles { return status }
        status.overtaken = overtaken
        status.openConflicts = (try? store.merging.openCount()) ?? nil
        status.hasTextConflicts = try hasTextConflicts(in: store, draft)
        (status.confirmations, status.confirmationProblem) = try session.openConfirmations()
        // 'settings verify A..B' says why this isn't known.
        status.findings = (try? store.upkeep.verifyLastMerge()) ?? []
        return status
    }

    private func hasTextConflicts(in store: Store, _ draft: Draft) throws(Problem) -> Bool {
        if draft.isEmpty, try store.versions.operation == nil { return false }
        return try git(store.versions.repository.index.conflicts())
            .contains { store.versions.subject(atRepositoryPath: $0.path) != nil }
    }
}

/// How this clone merges the store's files with git.
package struct MergeDriverQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> MergeDriverSetup { try session.store.workTree.mergeDriver }
}

/// The files with edits that no version has recorded yet.
package struct DraftQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> Draft { try session.store.workTree.draft() }
}

/// Edits of the files that no version has recorded yet, staged and not.
package struct HandEditsQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> HandEdits { try session.store.workTree.handEdits() }
}

extension Session {
    /// Where a file of the store lies, for a person's editor. Refuses anything but a regular file.
    package func pathForEditing(_ path: String) throws(Problem) -> String {
        let place = "\(folder.path)/\(path)"
        switch FileSystem.kind(of: place) {
        case .file: return place
        default: throw .file(.isNotRegular(path))
        }
    }
}

/// The questions that merges left open, and what git left in conflict in the files.
package struct ConflictsQuery: Query {
    package init() {}

    package struct Answer {
        package var open: [OpenConflict]
        package var texts: [Conflict]
        /// Whether all merges are here: a shallow clone may lack some.
        package var isComplete: Bool

        package var isEmpty: Bool { open.isEmpty && texts.isEmpty }
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let store = try session.store
        var answer = Answer(
            open: try store.merging.openConflicts(), texts: try store.merging.textConflicts(),
            isComplete: !store.versions.isShallow)
        if answer.isEmpty { return answer }
        let masked = try MaskedNames(store.history)
        answer.texts = try answer.texts.map { text throws(Problem) in try masked.masking(text) }
        for place in answer.open.indices { answer.open[place] = try masked.masking(answer.open[place]) }
        return answer
    }
}

/// Whether git left the file of an option or a group in conflict, or what it merges there can still be decided.
package struct TextConflictQuery: Query {
    package var key: Key

    package init(_ key: Key) { self.key = key }

    package func answer(in session: Session) throws(Problem) -> Bool {
        let merging = try session.store.merging
        let open = try merging.conflictingFiles()
        if open.contains(where: { $0.isAbout(key) }) { return true }
        return try merging.settledFiles(of: key, besides: open) != nil
    }
}

/// What is wrong with a store, or would be.
package enum VerifyQuery: Query {
    /// The files as they stand.
    case files
    /// How the versions of a range changed what is selected.
    case versions(from: VersionID, to: VersionID)
    /// What a hosting service would make of a merge.
    case merge(head: VersionID, into: VersionID)
    /// All of it. `isDamaged`: whether git has found damage.
    case everything(isDamaged: Bool)

    package struct Answer {
        /// How many files or versions were looked at.
        package var checked: Int
        package var findings: [Finding]
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let upkeep = try session.store.upkeep
        switch self {
        case .files:
            let (files, findings) = try upkeep.verify()
            return Answer(checked: files, findings: findings + (try session.trackedStates()).flatMap(\.findings))
        case .versions(let old, let new):
            let (versions, findings) = try upkeep.verify(from: old, to: new)
            return Answer(checked: versions, findings: findings)
        case .merge(let head, let base):
            let (files, findings) = try upkeep.verifyMerge(of: head, into: base)
            return Answer(checked: files, findings: findings)
        case .everything(let isDamaged):
            let (versions, findings) = try upkeep.verifyDeeply(isDamaged: isDamaged)
            return Answer(checked: versions, findings: findings)
        }
    }
}

/// What makes a file of the store readable that can't be read as it stands.
package struct RemedyQuery: Query {
    package var subject: Subject

    package init(_ subject: Subject) { self.subject = subject }

    package func answer(in session: Session) throws(Problem) -> Finding.Remedy {
        let store = try session.store
        return try store.upkeep.remedy(for: subject, at: try store.versions.tip())
    }
}

/// The names of versions, also of those whose objects are missing.
package struct TagsQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> [(tag: VersionTag, version: Version)] {
        let store = try session.store
        return try store.tags.list(all: true).map { tag throws(Problem) in (tag, try store.versions.version(tag.commit)) }
    }
}

/// The names of versions alone, without those whose objects are missing.
package struct TagNamesQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> [String] { try session.store.tags.list().map(\.name) }
}

/// Edits that were discarded and can still be brought back, the last ones first.
package struct DiscardedQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> [Drafts.Discarded] { try session.store.drafts.discarded() }
}

/// The options and groups of which discarded edits are kept.
package struct DiscardedSubjectsQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> Set<Subject> { try session.store.drafts.keptSubjects() }
}

/// How the store is set up, how safe it is and what is due.
package struct HealthQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> StoreHealth {
        let store = try session.store
        var problems: [Problem] = []
        func known<Part>(_ part: () throws(Problem) -> Part) throws(Problem) -> Part? {
            do throws(Problem) { return try part() } catch {
                guard case .file = error else { throw error }
                if !problems.contains(error) { problems.append(error) }
                return nil
            }
        }
        let driver = try known { () throws(Problem) in try store.workTree.mergeDriver }
        let (safety, fsync) = (store.journal.safety, store.fsync)
        let files = try VerifyQuery.files.answer(in: session)
        return StoreHealth(
            path: session.folder.path, gitDirectory: session.folder.gitDirectory,
            definition: try known { () throws(Problem) in try session.folder.definition() },
            draft: try known { () throws(Problem) in try store.workTree.draft(checksRecorded: true) },
            mergeDriver: driver, problems: problems, branch: try store.versions.branch, operation: try store.versions.operation,
            isShallow: store.versions.isShallow, isPartial: store.versions.repository.git.isPartial,
            durability: StoreDefinition.Durability(safety.durability), durabilitySource: safety.source,
            fsync: StoreHealth.Fsync(
                text: fsync.text, missing: fsync.missing, method: store.versions.configured("core.fsyncMethod")),
            storage: store.upkeep.storage, checked: files.checked, findings: files.findings,
            withoutDriver: driver?.isNamed == true ? (try? store.tracking.filesWithoutDriver()) ?? [] : [])
    }
}

extension StoreDefinition.Durability {
    init(_ durability: Files.Durability) {
        self =
            switch durability {
            case .strict: .strict
            case .fast: .fast
            case .none: .none
            }
    }
}
