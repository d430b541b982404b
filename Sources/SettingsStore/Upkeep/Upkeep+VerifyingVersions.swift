import Git
package import SettingsModel

extension Upkeep {
    /// Each time in a range that a value changed though nobody chose it, files that can't be read, and choices whose two lines
    /// still name different labels at its end.
    package func verify(from old: VersionID?, to new: VersionID) throws(Problem) -> (versions: Int, findings: [Finding]) {
        var findings: [Finding] = []
        var steps: [Step] = []
        let hidden = old.map { [$0] } ?? []
        let end = try versions.snapshot(new)
        var seen: Set<Subject> = []
        var walk = try git { () throws(GitError) in
            try versions.repository.objects.commits(from: [new], hiding: hidden, order: .topological)
        }
        while let id = try versions.next(&walk) {
            let version = try versions.version(id)
            let here = try versions.snapshot(id)
            var step = Step(id: id, parents: version.parents)
            defer { steps.append(step) }
            if versions.isBoundary(version) { continue }
            for difference in try differences(from: try versions.snapshot(version.parents.first), to: here) {
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
                do throws(Problem) {
                    _ = try here.item(subject, content)
                } catch {
                    findings.append(
                        Finding(
                            path: subject.path, .problem(error, .restoreOrSet(subject.key)), version: version, subject: subject))
                    continue
                }
                if !version.isMerge, let parent = version.parents.first {
                    let before = try versions.snapshot(parent)
                    if let found = try verifyExchange(subject, by: version, from: before, to: here) { findings.append(found) }
                }
                // The newest version that wrote it: an older one has been put right.
                guard seen.insert(subject).inserted, try end.content(subject)?.id == content.id,
                    let selection = try here.disagreement(subject, content)
                else { continue }
                let found = Disagreement(subject: subject, selection: selection, isRecorded: true)
                findings.append(Finding(found, isInFiles: false, version: version))
            }
            if version.isMerge { findings += try verify(merge: version, here) }
        }
        return (steps.count, try unsettled(findings, steps))
    }

    /// A version on the way, with what it may have chosen.
    private struct Step {
        let id: VersionID
        let parents: [VersionID]
        var touched: Set<Subject?> = []
    }

    private struct Difference {
        let path: String
        /// Nil where the path is no option's, group's or definition's.
        let subject: Subject?
        let new: Content?
    }

    private func differences(from old: Snapshot, to new: Snapshot) throws(Problem) -> [Difference] {
        try git { () throws(GitError) in
            try versions.repository.objects.differences(from: old.tree, to: new.tree, under: versions.folderInRepository)
        }
        .filter(\.pathIsValid).map {
            Difference(path: $0.path, subject: versions.subject(atRepositoryPath: $0.path), new: $0.new)
        }
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
        for step in steps {
            let since = chosenSince.removeValue(forKey: step.id) ?? []
            open += (wanted[step.id] ?? []).filter { finding in finding.question.map { !since.contains($0) } ?? true }
            settled.insert(step.id)
            var chosen = since
            if step.parents.count > 1 || subjects.contains(where: { step.touched.contains($0) }) {
                chosen.formUnion(try self.chosen(by: try versions.version(step.id)).intersection(questions))
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
        if version.isMerge { return Set(version.message.resolves.map(\.subject).flatMap(both)) }
        if versions.isBoundary(version) { return [] }
        let here = try versions.snapshot(version.id)
        let made = try versions.changes(of: version)
        var questions: Set<VersionMessage.Question> = []
        for change in made.changes {
            if change.facet == .existence { questions.formUnion(both(change.subject)) }
            questions.insert(VersionMessage.Question(change.subject, change.facet))
        }
        // Whoever makes a file readable again through this program says what is meant.
        for file in made.unreadable where version.message.via != nil {
            guard let subject = Subject(path: file.path), (try? here.item(subject)) != nil else { continue }
            questions.formUnion(both(subject))
        }
        return questions
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
