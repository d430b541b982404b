import Git
package import SettingsModel

/// Something that is wrong in a store.
package struct Finding: Sendable {
    package enum Kind: Hashable, Sendable {
        case problem
        /// A choice whose two lines name different labels: its meaning is clear, its index isn't right.
        case disagreement
        /// Worth knowing, though nothing is wrong.
        case note
    }

    package var path: String
    package var reason: String
    package var hint: String?
    /// Where it came in, if not in the files as they stand.
    package var version: Version?
    /// The values that it could be.
    package var candidates: [JSON] = []
    package var kind = Kind.problem
    /// What it is about.
    var subject: Subject?

    init(
        path: String, reason: String, hint: String? = nil, version: Version? = nil, candidates: [JSON] = [],
        kind: Kind = .problem, subject: Subject? = nil
    ) {
        self.path = path
        self.reason = reason
        self.hint = hint
        self.version = version
        self.candidates = candidates
        self.kind = kind
        self.subject = subject
    }

    /// What stopped a check.
    package init(_ error: StoreError, at path: String) {
        self.init(path: path, reason: error.reason, hint: error.hint)
    }

    init(_ found: Disagreement, isInFiles: Bool, version: Version? = nil) {
        let place = isInFiles || version != nil ? found.place : "\(found.place) (in the last version)"
        self.init(
            path: found.subject.path, reason: "\(place): \(found.reason)",
            hint: found.isIndexEdited
                ? "'settings discard \(found.subject.key)' drops the edit of \"selected\", which has no effect"
                : "'settings done \(found.subject.key)' corrects \"selected\"; so does any command that writes the file",
            version: version, kind: .disagreement, subject: found.subject)
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
                guard let bytes = try folder.bytes(of: subject) else { continue }
                let item = try folder.item(subject, file: bytes)
                if let found = try disagreement(subject, bytes, item.option, try tip.file(of: subject)) {
                    findings.append(Finding(found, isInFiles: true))
                }
            } catch {
                let key = subject.key.isRoot ? "" : " \(subject.key)"
                let last =
                    (try? tip.item(subject)).flatMap { $0 } == nil ? nil : "'settings discard\(key)' takes the last version's"
                findings.append(Finding(path: subject.path, reason: error.reason, hint: error.hint ?? last ?? "mend it by hand"))
            }
        }
        let known = Set(findings.compactMap(\.subject))
        for found in (try? recordedFaults(at: tip, besides: known).disagreements) ?? [] {
            findings.append(Finding(found, isInFiles: false))
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
}
