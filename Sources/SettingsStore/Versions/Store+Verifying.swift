import Git
package import SettingsModel

/// Something that is wrong in a store.
package struct Finding: Sendable {
    package var path: String
    package var reason: String
    package var hint: String?
    /// Where it came in, if not in the files as they stand.
    package var version: Version?
    /// The values that it could be.
    package var candidates: [JSON] = []
    /// Worth knowing, though nothing is wrong.
    package var isNote = false
    /// What it is about.
    var subject: Subject?

    init(
        path: String, reason: String, hint: String? = nil, version: Version? = nil, candidates: [JSON] = [],
        isNote: Bool = false, subject: Subject? = nil
    ) {
        self.path = path
        self.reason = reason
        self.hint = hint
        self.version = version
        self.candidates = candidates
        self.isNote = isNote
        self.subject = subject
    }

    /// What stopped a check.
    package init(_ error: StoreError, at path: String) {
        self.init(path: path, reason: error.reason, hint: error.hint)
    }
}

extension Store {
    /// What is wrong with the files as they stand. Returns how many there are, too.
    package func verify() throws(StoreError) -> (files: Int, findings: [Finding]) {
        let tip = try tip()
        let listing = try folder.listing()
        var findings = listing.strays.map {
            Finding(path: $0.path, reason: $0.reason, hint: "rename it, or move it out of the store")
        }
        var recorded: [Subject] = []
        do throws(StoreError) { recorded = try tip.subjects() } catch { findings.append(Finding(error, at: ".git")) }
        // What is behind a link where a group should be is not listed.
        let hidden = Set(recorded).subtracting(listing.subjects).sorted()
        for subject in listing.subjects + hidden where !listing.strays.contains(where: { $0.path == subject.path }) {
            do throws(StoreError) {
                let earlier = (try? tip.item(subject)).flatMap { $0 }
                _ = try folder.item(subject, since: earlier.map { [$0] } ?? [])
            } catch {
                let key = subject.key.isRoot ? "" : " \(subject.key)"
                let last =
                    (try? tip.item(subject)).flatMap { $0 } == nil ? nil : "'settings discard\(key)' takes the last version's"
                findings.append(Finding(path: subject.path, reason: error.reason, hint: error.hint ?? last ?? "mend it by hand"))
            }
        }
        for clash in Self.clashes(listing.subjects) {
            findings.append(
                Finding(
                    path: clash.path,
                    reason: "it differs from another name by case alone", hint: "rename one of them with 'settings rename'"))
        }
        return (listing.subjects.count, findings)
    }

    private static func clashes(_ subjects: [Subject]) -> [Subject] {
        var seen: [Subject: Subject] = [:]
        return subjects.filter { subject in
            guard case .option(let key) = subject else { return false }
            return seen.updateValue(subject, forKey: .option(key.folded)) != nil
        }
    }

    /// Each time in a range that a value changed though nobody chose it, and files that can't be read.
    package func verify(from old: VersionID?, to new: VersionID) throws(StoreError) -> (versions: Int, findings: [Finding]) {
        var findings: [Finding] = []
        var choices: [(version: Version, subjects: Set<Subject>)] = []
        var count = 0
        let hidden = old.map { [$0] } ?? []
        var walk = try git { () throws(GitError) in try repository.commits(from: [new], hiding: hidden, order: .topological) }
        while let id = try next(&walk) {
            let version = try version(id)
            count += 1
            if isBoundary(version) { continue }
            let here = try snapshot(id)
            let first = try snapshot(version.parents.first)
            for subject in try subjectsDiffering(from: first, to: here) {
                do throws(StoreError) {
                    _ = try here.item(subject)
                } catch {
                    let way =
                        "'settings restore \(subject.key) --from WHEN' takes one from before, 'settings set' says what is meant"
                    findings.append(
                        Finding(
                            path: subject.path, reason: error.reason, hint: error.hint ?? way, version: version, subject: subject)
                    )
                }
            }
            if version.parents.count == 2 { findings += try verify(merge: version, here) }
            let chosen = try chosen(by: version, here)
            if !chosen.isEmpty { choices.append((version, chosen)) }
        }
        // Somebody chose since, so it is as somebody wants it.
        var open: [Finding] = []
        for finding in findings {
            var isSettled = false
            for (version, subjects) in choices {
                guard let subject = finding.subject, subjects.contains(subject), let found = finding.version,
                    found.id != version.id
                else { continue }
                if try git({ () throws(GitError) in try repository.isAncestor(found.id, of: version.id) }) { isSettled = true }
            }
            if !isSettled { open.append(finding) }
        }
        return (count, open)
    }

    /// The options whose value a version chose.
    private func chosen(by version: Version, _ here: Snapshot) throws(StoreError) -> Set<Subject> {
        if version.isMerge { return Set(version.message.resolves.map(\.subject)) }
        let made = try changes(of: version)
        var subjects = Set(made.changes.filter { $0.facet == .value || $0.facet == .existence }.map(\.subject))
        // Whoever makes a file readable again through this program says what is meant.
        for file in made.unreadable where version.message.via != nil {
            guard let subject = Subject(path: file.path), (try? here.item(subject)) != nil else { continue }
            subjects.insert(subject)
        }
        return subjects
    }

    /// A merge chooses nothing: what is chosen after it is what merging by meaning gives, what one of two sides that
    /// both chose had, or what the merge says that it decided.
    private func verify(merge version: Version, _ here: Snapshot) throws(StoreError) -> [Finding] {
        let (ours, theirs) = (try snapshot(version.parents[0]), try snapshot(version.parents[1]))
        var differing = Set(try subjectsDiffering(from: ours, to: here)).union(try subjectsDiffering(from: theirs, to: here))
        differing = differing.filter { subject in
            if case .option = subject { (try? here.item(subject)) != .some(nil) } else { false }
        }
        guard !differing.isEmpty else { return [] }
        // What can't be read on one side is named where it came in.
        guard let given = try? meaning(of: version) else { return [] }
        let decided = Set((version.message.conflicts + version.message.resolves).map(\.subject))
        var findings: [Finding] = []
        for subject in differing.sorted() where !decided.contains(subject) {
            guard let item = try? here.item(subject), case .option(let option) = item,
                case .option(let expected)? = given.settings[subject]
            else { continue }
            // Where both sides chose, what they last agreed on is nobody's choice any more.
            let sides = [(try? ours.item(subject))?.option, (try? theirs.item(subject))?.option]
            let isAsked = given.conflicts.contains { $0.subject == subject }
            let fitting = isAsked ? sides.compactMap { $0 } : [expected]
            if fitting.contains(where: { option.isSame(.value, as: $0) }) { continue }
            var candidates: [JSON] = []
            for value in sides.map({ $0?.value }) + (isAsked ? [] : [expected.value]) {
                if let value, !candidates.contains(value) { candidates.append(value) }
            }
            let words =
                (candidates.map { value in
                    Wording().words(
                        value,
                        of: expected.label(of: value) == nil
                            ? sides.compactMap { $0 }.first { $0.label(of: value) != nil } ?? expected : expected)
                }).joined(separator: " or ")
            findings.append(
                Finding(
                    path: subject.path,
                    reason:
                        "the merge left \(Wording().words(option.value, of: option)) chosen, which neither side chose there: "
                        + "it is \(words)",
                    hint: "say what is meant with 'settings set \(subject.key) VALUE'", version: version,
                    candidates: option.isMasked ? [] : candidates, subject: subject
                )
            )
        }
        return findings
    }
}
