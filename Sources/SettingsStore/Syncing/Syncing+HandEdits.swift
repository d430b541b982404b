import SettingsModel

extension Syncing {
    /// Does `work` while hand edits of these subjects are put aside, and lays them on what it did.
    func withoutEdits<Result>(
        of subjects: Set<Subject>, _ round: inout Round, _ work: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        guard let aside = try drafts.putAside(whatIsEditedOf: subjects, round.done) else { return try work() }
        let result: Result
        do throws(Problem) { result = try work() } catch {
            try? drafts.lay(aside)
            throw error
        }
        try drafts.lay(aside)
        round.report.redrafted += aside.subjects
        return result
    }
}
