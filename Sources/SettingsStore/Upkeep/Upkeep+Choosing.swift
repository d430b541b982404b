import Git
import SettingsModel

extension Upkeep {
    /// Records the value that somebody chooses for an option whose present value nobody chose, as `verify` reports of all
    /// versions, even if it stays as it is. Nil where nothing is reported about the option.
    func choose(_ key: Key, _ word: String, _ done: Done) throws(Problem) -> Outcome? {
        let subject = Subject.option(key)
        guard let head = try versions.head.commit else { return nil }
        // A whole check takes a second for 20,000 versions; the index knows the few that say anything about the option.
        var filter = HistoryFilter()
        filter.places = [key]
        var about: Set<VersionID> = []
        try history.walk(filter, isWhole: true) { version, _ in
            about.insert(version.id)
            return true
        }
        guard
            try verify(without: [], to: head, among: about).findings.contains(where: {
                $0.kind == .problem && $0.subject == subject
            })
        else { return nil }
        return try merging.recorder.record(done) { tip throws(Problem) in
            guard case .option(var option)? = try tip.mendable(subject) else { throw .merge(.noQuestion(key)) }
            let before = SettingsContent(options: [key: option])
            option.value = try option.requestedValue(.word(word), key)
            let after = SettingsContent(options: [key: option])
            var edit = Edit(after.changes(since: before))
            edit.sides = (before, after)
            edit.touched = [subject]
            let question = VersionMessage.Question(subject, .value)
            edit.resolves = [question]
            if edit.changes.isEmpty { edit.tell([Decision(question, .option(option), over: [])]) }
            return edit
        }
    }
}
