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
}

extension Store {
    /// What is wrong with the files as they stand. Returns how many there are, too.
    package func verify() throws(StoreError) -> (files: Int, findings: [Finding]) {
        let tip = try tip()
        let listing = try folder.listing()
        var findings = listing.strays.map { Finding(path: $0.path, reason: $0.reason) }
        // What is behind a link where a group should be is not listed.
        let hidden = Set((try? tip.subjects()) ?? []).subtracting(listing.subjects).sorted()
        for subject in listing.subjects + hidden where !listing.strays.contains(where: { $0.path == subject.path }) {
            do throws(StoreError) {
                let earlier = (try? tip.item(subject)).flatMap { $0 }
                _ = try folder.item(subject, since: earlier.map { [$0] } ?? [])
            } catch {
                findings.append(Finding(path: subject.path, reason: error.reason, hint: error.hint))
            }
        }
        for clash in Self.clashes(listing.subjects) { findings.append(Finding(path: clash.path,
            reason: "it differs from another name by case alone")) }
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
                    findings.append(Finding(path: subject.path, reason: error.reason, hint: error.hint, version: version))
                }
            }
            if version.parents.count == 2 { findings += try verify(merge: version, here) }
        }
        return (count, findings)
    }

    /// A merge chooses nothing: what is chosen after it is what a merge by meaning gives, or what one side had.
    private func verify(merge version: Version, _ here: Snapshot) throws(StoreError) -> [Finding] {
        let (ours, theirs) = (try snapshot(version.parents[0]), try snapshot(version.parents[1]))
        let base = try snapshot(try git { () throws(GitError) in try repository.mergeBases(of: version.parents[0],
            and: version.parents[1]) }.first)
        var findings: [Finding] = []
        let differing = Set(try subjectsDiffering(from: ours, to: here)).union(try subjectsDiffering(from: theirs, to: here))
        for subject in differing.sorted() {
            guard let item = try? here.item(subject), case .option(let option) = item, let our = try? ours.item(subject),
                let their = try? theirs.item(subject)
            else { continue }
            let old = (try? base.item(subject)).flatMap { $0 }
            let values = [our, their].map { $0.option?.value }
            guard !values.contains(option.value) || old?.option?.value == option.value && !values.allSatisfy({ $0 == option.value })
            else { continue }
            let merged = Settings.merge(
                base: Settings(subject, old), ours: Settings(subject, our), theirs: Settings(subject, their)
            )
            if merged.conflicts.isEmpty, merged.settings[subject]?.option?.value == option.value { continue }
            findings.append(
                Finding(
                    path: subject.path,
                    reason: "the merge left \(Wording().words(option.value, of: option)) chosen, which neither side chose there",
                    hint: "say what is meant with 'settings set \(subject.key) VALUE'", version: version,
                    candidates: values.compactMap { $0 }
                )
            )
        }
        return findings
    }
}

extension Settings {
    fileprivate init(_ subject: Subject, _ item: Item?) {
        self.init()
        self[subject] = item
    }
}
