import Git
package import SettingsModel

extension Upkeep {
    /// Each time in a range that a value changed though nobody chose it, files that can't be read, and choices whose two lines
    /// still name different labels at its end.
    package func verify(from old: VersionID?, to new: VersionID) throws(Problem) -> (versions: Int, findings: [Finding]) {
        try verify(without: old.map { [$0] } ?? [], to: new)
    }

    /// The same of the versions that are in the history of `new` and of none of `hidden`. `wanted`: only these are looked at.
    func verify(
        without hidden: [VersionID], to new: VersionID, among wanted: Set<VersionID>? = nil
    ) throws(Problem) -> (versions: Int, findings: [Finding]) {
        var findings: [Finding] = []
        var steps: [Step] = []
        var adding: [Subject: [VersionID]] = [:]
        let end = try versions.snapshot(new)
        var seen: Set<Subject> = []
        var removal: Version?
        var walk = try git(versions.repository.objects.commits(from: [new], hiding: hidden, order: .topological))
        while let id = try versions.next(&walk) {
            if let wanted, !wanted.contains(id) {
                steps.append(Step(id: id, parents: try git(versions.repository.objects.header(id)).parents, isLeftOut: true))
                continue
            }
            let version = try versions.version(id)
            let here = try versions.snapshot(id)
            var step = Step(id: id, parents: version.parents)
            defer { steps.append(step) }
            if versions.isBoundary(version) { continue }
            let before = try versions.snapshot(version.parents.first)
            let isGits = try isMadeByGit(version)
            let isStore = (before: try before.has(.store), here: try here.has(.store))
            if isStore.before, !isStore.here { removal = removal ?? version }
            // Nobody looked at what lay there before it was a store.
            let isNewStore = !isStore.before && isStore.here
            for difference in try differences(from: isNewStore ? versions.snapshot(nil) : before, to: here) {
                guard let content = difference.new else {
                    step.touched.insert(difference.subject)
                    continue
                }
                if let stranger = stranger(content.mode) {
                    findings.append(
                        Finding(
                            path: difference.path, .isStranger(stranger), version: version, subject: difference.subject))
                    continue
                }
                guard let subject = difference.subject else { continue }
                step.touched.insert(subject)
                if difference.isNew { adding[subject, default: []].append(id) }
                let item: SettingsContent.Item
                do throws(Problem) { item = try versions.read(content.id, content.mode, subject, in: here.commit) } catch {
                    if error.isNoOption, try !before.holdsOption(subject.key) { continue }
                    let isThere = (try? end.item(subject)).flatMap { $0 } != nil
                    findings.append(
                        Finding(
                            path: subject.path, .problem(error, isThere ? .choose(subject.key) : .repairRecorded),
                            version: version,
                            subject: subject))
                    continue
                }
                if isGits, let option = item.option, option.type == .choice,
                    let found = exchange(in: option, subject, since: before, by: version)
                {
                    findings.append(found)
                }
                // The newest version that wrote it: an older one has been put right.
                guard seen.insert(subject).inserted, try end.content(subject)?.id == content.id else { continue }
                if let option = item.option, !option.environmentFaults().isEmpty {
                    let file = try versions.bytes(content.id, content.mode, subject, in: nil)
                    let former = (try? before.item(subject)).flatMap { $0?.option }
                    findings += Self.misfits(
                        in: option, subject, file, since: former.map { [$0] } ?? [], version: version)
                }
                guard let selection = try here.disagreement(subject, content)
                else { continue }
                let found = Disagreement(subject: subject, selection: selection, isRecorded: true)
                findings.append(Finding(found, isInFiles: false, version: version))
            }
            if version.isMerge { findings += try verify(merge: version, here) }
        }
        findings += try clashes(at: end, adding: adding)
        if let removal, try !end.has(.store), try hasOptions(end) {
            findings.append(Finding(path: Subject.store.path, .storeFileIsRemoved(by: removal.id), version: removal))
        }
        return (steps.count, try unsettled(findings, steps))
    }

    /// A version on the way, with what it may have chosen.
    private struct Step {
        let id: VersionID
        let parents: [VersionID]
        var touched: Set<Subject?> = []
        var isLeftOut = false
    }

    private struct Difference {
        let path: String
        /// Nil where the path is no option's, group's or definition's.
        let subject: Subject?
        let new: Content?
        let isNew: Bool
    }

    private func differences(from old: Snapshot, to new: Snapshot) throws(Problem) -> [Difference] {
        try git(versions.differences(from: old.tree, to: new.tree)).filter(\.pathIsValid).map {
            Difference(path: $0.path, subject: $0.subject, new: $0.new, isNew: $0.old == nil)
        }
    }

    /// Whether options are in the store's folder that don't lie in a store within it.
    private func hasOptions(_ snapshot: Snapshot) throws(Problem) -> Bool {
        let others = try snapshot.stores().map { $0 + "/" }
        for (subject, content) in try snapshot.files() where !subject.isGroup {
            if others.contains(where: (versions.prefix + subject.path).hasPrefix) { continue }
            if try snapshot.readable(subject, content, acceptingAnyValue: true) != nil { return true }
        }
        return false
    }

    /// What an entry is that no store follows; nil for a file.
    private func stranger(_ mode: FileMode) -> Finding.Stranger? {
        switch mode {
        case .link: .link
        case .commit: .submodule
        case .blob, .executable, .tree: nil
        }
    }

    /// Without those about which somebody chose since, so that it is as somebody wants it. `steps`: newest first.
    private func unsettled(_ findings: [Finding], _ steps: [Step]) throws(Problem) -> [Finding] {
        let questions = Set(findings.compactMap(\.question))
        guard !questions.isEmpty else { return findings }
        let subjects = Set(questions.map(\.subject))
        let wanted = Dictionary(grouping: findings) { $0.version?.id }
        var settled: Set<VersionID> = []
        // What was chosen in the versions that come from each one.
        var chosenSince: [VersionID: Set<VersionMessage.Question>] = [:]
        var open: [Finding] = []
        // Decisions about what is in force already that were taken back since, and those that were repeated.
        var (takenBack, redone): (Set<VersionID>, Set<VersionID>) = ([], [])
        for step in steps {
            let since = chosenSince.removeValue(forKey: step.id) ?? []
            open += (wanted[step.id] ?? []).filter { finding in finding.question.map { !since.contains($0) } ?? true }
            settled.insert(step.id)
            var chosen = since
            // One that touches nothing may decide on what is in force already.
            let mayChoose =
                step.parents.count > 1 || step.touched.isEmpty || subjects.contains(where: { step.touched.contains($0) })
            if mayChoose, !step.isLeftOut {
                let version = try versions.version(step.id)
                redone.formUnion(Set(version.named.redoes).subtracting(takenBack))
                takenBack.formUnion(Set(version.named.undoes + version.named.reverts).subtracting(redone))
                if !step.touched.isEmpty || !takenBack.contains(step.id) {
                    chosen.formUnion(try self.chosen(by: version).intersection(questions))
                }
            }
            guard !chosen.isEmpty else { continue }
            for parent in step.parents { chosenSince[parent, default: []].formUnion(chosen) }
        }
        return open + findings.filter { $0.version.map { !settled.contains($0.id) } ?? true }
    }

    /// The options whose value, or whose labels, a version chose.
    private func chosen(by version: Version) throws(Problem) -> Set<VersionMessage.Question> {
        func both(_ subject: Subject) -> [VersionMessage.Question] {
            [Facet.value, .labels].map { VersionMessage.Question(subject, $0) }
        }
        let resolved = Set(version.message.resolves.map(\.subject).flatMap(both))
        if version.isMerge { return resolved }
        if versions.isBoundary(version) { return [] }
        let (before, here) = (try versions.snapshot(version.parents.first), try versions.snapshot(version.id))
        let made = try versions.changes(of: version)
        var chosen = resolved
        for change in made.changes {
            if change.facet == .existence { chosen.formUnion(both(change.subject)) }
            chosen.insert(VersionMessage.Question(change.subject, change.facet))
        }
        guard version.message.via != nil else { return chosen }
        // Whoever makes a file readable again, or removes it, through this program says what is meant.
        let touched = Set(made.changes.map(\.subject) + made.unreadable.compactMap { Subject(path: $0.path) })
        for subject in touched where try before.has(subject) {
            guard try before.readable(subject) == nil else { continue }
            let isSound = try here.readable(subject) != nil
            let isThere = try here.has(subject)
            if isSound || !isThere { chosen.formUnion(both(subject)) }
        }
        return chosen
    }
}

extension Finding {
    /// What somebody has to choose, so that it is as somebody wants it; nil where this is only a remark.
    fileprivate var question: VersionMessage.Question? {
        guard kind == .problem, let subject else { return nil }
        if case .nobodysLabel = fault { return VersionMessage.Question(subject, .labels) }
        return VersionMessage.Question(subject, .value)
    }
}
