import Git
package import SettingsModel

extension Upkeep {
    /// A merge chooses nothing: what is chosen after it is what merging by meaning gives, what one of several sides that
    /// chose had, or what the merge says that it decided.
    func verify(merge version: Version, _ here: Snapshot) throws(Problem) -> [Finding] {
        let sides = try version.parents.map { id throws(Problem) in try versions.snapshot(id) }
        var differing: Set<Subject> = []
        for side in sides { differing.formUnion(try versions.subjectsDiffering(from: side, to: here)) }
        differing = differing.filter { subject in
            if case .option = subject { (try? here.item(subject)) != .some(nil) } else { false }
        }
        // What can't be read on one side is named where it came in.
        guard !differing.isEmpty, let given = try? history.meaning(of: version) else { return [] }
        let decided = Set(version.message.resolves.map(\.subject))
        let open = Set(version.message.conflicts.map(\.subject))
        // What is in force while a conflict is open: anybody can write that one is.
        let inForce = open.isEmpty ? [] : SettingsContent.Merge.InForce.allCases.map { given.puttingInForce($0).settings }
        var findings: [Finding] = []
        for subject in differing.sorted() where !decided.contains(subject) {
            guard let option = (try? here.item(subject))?.option else { continue }
            let isOpen = open.contains(subject)
            let given = Given(subject, by: given, sides: sides, inForce: isOpen ? inForce : [])
            findings += [given.finding(option, byHost: false, version)].compactMap { $0 }
            if !isOpen { findings += [given.exchange(in: option, version)].compactMap { $0 } }
        }
        return findings
    }

    /// What the last version left selected that nobody chose, if it is a merge by plain git.
    package func verifyLastMerge() throws(Problem) -> [Finding] {
        let tip = try versions.tip()
        guard let id = tip.id else { return [] }
        let version = try versions.version(id)
        // Of merges by git, this program notes only what was decided in them.
        let isGits = version.message.via == nil || !version.message.resolves.isEmpty
        guard version.isMerge, isGits, !versions.isBoundary(version) else { return [] }
        return try verify(merge: version, tip)
    }

    /// Whether plain git made a version that is no merge, as in a rebase: there too labels and values can come from different
    /// sides. Nobody renames several labels to each other's names at once.
    func isMadeByGit(_ version: Version) throws(Problem) -> Bool {
        if version.parents.count != 1 { return false }
        if version.message.via == nil { return true }
        let commit = try git(versions.repository.objects.commit(version.id))
        return commit.author != commit.committer
    }

    func exchange(in option: SettingsOption, _ subject: Subject, since old: Snapshot, by version: Version) -> Finding? {
        guard let before = (try? old.item(subject))?.option else { return nil }
        return Finding(exchangedIn: option, since: [before], subject, version)
    }

    /// What merging two versions by meaning gives for one option, and what its sides have.
    private struct Given {
        let subject: Subject
        let expected: SettingsOption?
        let sides: [SettingsOption?]
        /// What may be there as long as nobody decided.
        let inForce: [SettingsOption]
        /// Both sides chose.
        let isAsked: Bool

        init(_ subject: Subject, by merge: SettingsContent.Merge, sides: [Snapshot], inForce: [SettingsContent] = []) {
            self.inForce = inForce.compactMap { $0[subject]?.option }
            self.subject = subject
            expected = merge.settings[subject]?.option
            self.sides = sides.map { side in (try? side.item(subject))?.option }
            isAsked = merge.conflicts.contains { $0.subject == subject }
        }

        /// Nil where each value of `option` has a label that somebody gave it.
        func exchange(in option: SettingsOption, _ version: Version) -> Finding? {
            Finding(exchangedIn: option, since: [expected].compactMap { $0 } + sides.compactMap { $0 }, subject, version)
        }

        /// Nil where `option` has a value that somebody chose. Where both sides chose, what they last agreed on is nobody's
        /// choice any more.
        func finding(_ option: SettingsOption, byHost: Bool, _ version: Version? = nil) -> Finding? {
            guard let expected else { return nil }
            let fitting = (isAsked ? sides.compactMap { $0 } : [expected]) + inForce
            if fitting.contains(where: { option.isSame(.value, as: $0) }) { return nil }
            var candidates: [JSON] = []
            for value in sides.map({ $0?.value }) + (isAsked ? [] : [expected.value]) {
                if let value, !candidates.contains(value) { candidates.append(value) }
            }
            let words = candidates.map { value in
                let definition =
                    expected.label(of: value) == nil
                    ? sides.compactMap { $0 }.first { $0.label(of: value) != nil } ?? expected : expected
                return Wording().words(value, of: definition)
            }
            let chosen = Wording().words(option.value, of: option)
            return Finding(
                path: subject.path, .nobodysChoice(subject.key, byHost: byHost, chosen: chosen, candidates: words),
                version: version, candidates: option.isMasked ? [] : candidates, subject: subject)
        }
    }
}

/// What a hosting service would make of a merge, before it does.
extension Upkeep {
    /// Merges `head` into `base` by meaning, and as texts as a hosting service does, and compares what is chosen then. Nothing
    /// is written. Returns how many files both sides changed, too. A squash gives the same files.
    package func verifyMerge(of head: VersionID, into base: VersionID) throws(Problem) -> (files: Int, findings: [Finding]) {
        let bases = try git(versions.repository.objects.mergeBases(of: base, and: head))
        if bases.isEmpty {
            throw .merge(.areUnrelated(base, head))
        }
        let (ours, theirs) = (try versions.snapshot(base), try versions.snapshot(head))
        let merge = try history.meaning(of: ours, and: theirs, since: bases).merge
        var subjects: Set<Subject> = []
        let snapshots = try bases.map { base throws(Problem) in try versions.snapshot(base) }
        for base in snapshots {
            subjects.formUnion(try versions.subjectsDiffering(from: base, to: ours))
            subjects.formUnion(try versions.subjectsDiffering(from: base, to: theirs))
        }
        var findings: [Subject: Finding] = [:]
        var others: [String: Finding] = [:]
        let tracked = try merging.recorder.tracking.entries(at: ours).map(\.path)
        for matching in Repository.LineMatching.allCases {
            let texts = try git(
                versions.repository.textMerge(
                    of: base, and: head, under: versions.folderInRepository, and: Set(tracked),
                    matching: matching))
            for subject in subjects.union(merge.settings.subjects) where findings[subject]?.kind != .problem {
                guard let finding = try finding(subject, merge, texts, [ours, theirs]) else { continue }
                findings[subject] = finding
            }
            for path in texts.conflicts where versions.subject(atRepositoryPath: path) == nil {
                others[path] = Finding(path: path, .host(.asksAboutOtherFile), kind: .note)
            }
            for finding in try self.findings(inTrackedFilesAfter: texts, [ours, theirs], since: snapshots) {
                others[finding.path] = finding
            }
        }
        let all = Array(findings.values) + Array(others.values)
        return (subjects.count, all.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    }

    private func finding(
        _ subject: Subject, _ merge: SettingsContent.Merge, _ texts: TextMerge, _ sides: [Snapshot]
    ) throws(Problem) -> Finding? {
        let path = versions.repositoryPath(subject)
        func problem(_ fault: Finding.HostFault, _ kind: Finding.Kind = .problem) -> Finding {
            Finding(path: subject.path, .host(fault), kind: kind, subject: subject)
        }
        let conflict = merge.conflicts.first { $0.subject == subject }
        if texts.conflicts.contains(path) {
            guard let conflict else { return problem(.asksNeedlessly, .note) }
            let isInBoth = try sides.map { side throws(Problem) in try side.has(subject) } == [true, true]
            return problem(.asks(conflict.facet, isInBoth: isInBoth))
        }
        guard let content = texts.files[path] else {
            if conflict != nil {
                return problem(.removesWhatWasEdited)
            }
            return merge.settings[subject] == nil ? nil : problem(.removesWhatStays)
        }
        let item: SettingsContent.Item
        do throws(Problem) { item = try versions.read(content.id, content.mode, subject, in: nil) } catch {
            return problem(.leavesUnreadable(error))
        }
        guard let option = item.option else { return nil }
        if merge.settings[subject] == nil { return problem(.bringsBack) }
        if let conflict {
            return problem(.doesNotAsk(conflict.facet))
        }
        let given = Given(subject, by: merge, sides: sides)
        if let finding = given.finding(option, byHost: true) { return finding }
        let file = try git(versions.repository.objects.blob(content.id, atMost: JSON.sizeLimit))
        guard let selection = Selection.disagreement(in: file, meaning: option) else { return nil }
        let found = Disagreement(subject: subject, selection: selection, isRecorded: true)
        return problem(.leavesDisagreement(found), .disagreement)
    }
}

extension Finding {
    fileprivate init?(exchangedIn option: SettingsOption, since others: [SettingsOption], _ subject: Subject, _ version: Version)
    {
        guard let (label, former) = option.labels.exchanged(since: others.map(\.labels)) else { return nil }
        self.init(
            path: subject.path,
            .nobodysLabel(subject.key, value: label.value.compact, label: label.text.string, former: former.string),
            version: version, subject: subject)
    }
}
