import Git
import SettingsModel

extension Upkeep {
    /// The names among `subjects` that differ by case alone from an earlier one, each once.
    func clashes(of subjects: [Subject]) throws(Problem) -> [Names.Clash] {
        var names = Names(base: try versions.snapshot(nil))
        var clashes: [Names.Clash] = []
        var seen: Set<Names.Clash> = []
        for subject in subjects {
            guard let clash = try names.clash(adding: subject), seen.insert(clash).inserted else { continue }
            clashes.append(clash)
        }
        return clashes
    }

    /// The names at the end of a range that differ by case alone, where a version of the range brought them together. `adding`:
    /// the versions that added a file, the newest first.
    func clashes(at end: Snapshot, adding: [Subject: [VersionID]]) throws(Problem) -> [Finding] {
        guard !adding.isEmpty else { return [] }
        var findings: [Finding] = []
        for clash in try clashes(of: end.subjects()) {
            let names = [clash.name, clash.other]
            let ids = adding.filter { subject, _ in names.contains(where: subject.isWithin) }.flatMap(\.value)
            for id in Set(ids) {
                let version = try versions.version(id)
                let parents = try version.parents.map { parent throws(Problem) in try versions.snapshot(parent) }
                let hadBoth = try parents.map { parent throws(Problem) in try parent.holds(names) }.contains(true)
                guard !hadBoth, try versions.snapshot(id).holds(names) else { continue }
                let hadName = try parents.map { parent throws(Problem) in try parent.holds([clash.name]) }.contains(true)
                findings.append(Finding(hadName ? clash.reversed : clash, isRecorded: true, version: version))
                break
            }
        }
        return findings
    }
}

extension Snapshot {
    /// Whether all are there: an option's file, something in a group.
    fileprivate func holds(_ names: [Subject]) throws(Problem) -> Bool {
        for name in names where try name.isGroup ? subjects(in: name.key).isEmpty : !has(name) { return false }
        return true
    }
}

extension Subject {
    /// Whether it is the option `name`, or lies in the group `name`.
    func isWithin(_ name: Subject) -> Bool { name.isGroup ? key.isWithin(name.key) && self != .option(name.key) : self == name }
}

extension Finding {
    init(_ clash: Names.Clash, isRecorded: Bool, version: Version? = nil) {
        let path = clash.name.isGroup ? clash.name.key.path : clash.name.path
        self.init(path: path, .differsByCase(clash.name, from: clash.other, isRecorded: isRecorded), version: version)
    }
}
