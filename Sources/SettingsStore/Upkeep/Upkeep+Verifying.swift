import Git
package import SettingsModel

extension Upkeep {
    /// What is wrong with the files as they stand. Returns how many there are, too.
    package func verify() throws(Problem) -> (files: Int, findings: [Finding]) {
        let tip = try versions.tip()
        if versions.folder.bareRepository != nil { return try verify(tip) }
        let listing = try versions.folder.listing()
        var findings = listing.strays.map { Finding(path: $0.path, .stray($0.kind)) }
        var recorded: [Subject] = []
        do throws(Problem) { recorded = try tip.subjects() } catch {
            if error.isPassing { throw error }
            findings.append(Finding(error, at: ".git"))
        }
        // What is behind a link where a group should be is not listed.
        let hidden = Set(recorded).subtracting(listing.subjects).sorted()
        var others: [String] = []
        for subject in listing.subjects + hidden where !listing.strays.contains(where: { $0.path == subject.path }) {
            do throws(Problem) {
                guard let bytes = try versions.folder.bytes(of: subject) else { continue }
                let item = try versions.folder.item(subject, file: bytes)
                if let found = try versions.disagreement(subject, bytes, item.option, try tip.file(of: subject)) {
                    findings.append(Finding(found, isInFiles: true))
                }
                findings += Self.misfits(in: item.option, subject, bytes)
            } catch {
                if error.isPassing { throw error }
                if error.isNoOption, try tip.mendableIfReadable(subject) == nil, try !wasOption(subject) {
                    others.append(subject.path)
                    continue
                }
                if case .file(.isStray(let stray)) = error {
                    if !findings.contains(where: { $0.path == stray.path }) {
                        findings.append(Finding(path: stray.path, .stray(stray.kind)))
                    }
                    continue
                }
                findings.append(Finding(path: subject.path, .problem(error, try remedy(for: subject, at: tip))))
            }
        }
        if let first = others.first {
            findings.append(Finding(path: first, .isNoOption(others: others.count - 1), kind: .note))
        }
        let known = Set(findings.compactMap(\.subject))
        for found in (try? versions.recordedFaults(at: tip) { !known.contains($0) }.disagreements) ?? [] {
            findings.append(Finding(found, isInFiles: false))
        }
        findings += try clashes(of: listing.subjects).map { clash in
            func isRecorded(_ name: Subject) -> Bool { recorded.contains { $0.isWithin(name) } }
            // The one to be renamed is the one that nobody has yet.
            let clash = isRecorded(clash.name) && !isRecorded(clash.other) ? clash.reversed : clash
            return Finding(clash, isRecorded: isRecorded(clash.name))
        }
        return (listing.subjects.count, findings)
    }

    /// Whether an earlier version has it as an option.
    private func wasOption(_ subject: Subject) throws(Problem) -> Bool {
        var filter = HistoryFilter()
        filter.places = [subject.key]
        var wasOne = false
        try history.walk(filter) { _, made in
            wasOne = made.changes.contains { $0.subject == subject && $0.before != nil }
            return !wasOne
        }
        return wasOne
    }

    /// The same of a version, where there are no files.
    private func verify(_ version: Snapshot) throws(Problem) -> (files: Int, findings: [Finding]) {
        let files = try version.files()
        var findings: [Finding] = []
        try version.eachItem(of: files) { subject, file throws(Problem) in
            switch file.item {
            case .failure(let problem): findings.append(Finding(path: subject.path, .problem(problem, .repairRecorded)))
            case .success(let item):
                guard let option = item.option else { return }
                if let selection = Selection.disagreement(in: file.bytes, meaning: option) {
                    let found = Disagreement(subject: subject, selection: selection, isRecorded: true)
                    findings.append(Finding(found, isInFiles: false))
                }
                findings += Self.misfits(in: option, subject, file.bytes)
            }
        }
        return (files.count, findings + (try clashes(of: files.map(\.subject)).map { Finding($0, isRecorded: true) }))
    }

    /// What makes a file readable that can't be read as it stands.
    func remedy(for subject: Subject, at tip: Snapshot) throws(Problem) -> Finding.Remedy {
        if let operation = try versions.operation, operation != "bisect" { return .mendAndFinish(operation: operation) }
        if (try? tip.item(subject)).flatMap({ $0 }) != nil { return .discard(subject.key) }
        guard let bytes = try? versions.folder.bytes(of: subject), let content = try? tip.file(of: subject),
            ObjectID.hash(ofBlob: bytes) == content.id
        else { return .mendByHand }
        return .repairRecorded
    }

    /// What is wrong with an option's values for environments; in what `states` had already nothing is new.
    static func misfits(
        in option: SettingsOption?, _ subject: Subject, _ bytes: [UInt8], since states: [SettingsOption] = [],
        version: Version? = nil
    ) -> [Finding] {
        guard let option else { return [] }
        return option.environmentFaults(comparedWith: states).map { fault in
            let place = subject.path + (fault.position(in: bytes).map { ":\($0.line):\($0.column)" } ?? "")
            return Finding(
                path: subject.path, .misfitForEnvironment(subject.key, place: place, reason: fault.reason),
                version: version, subject: subject)
        }
    }
}
