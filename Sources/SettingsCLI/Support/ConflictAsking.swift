import Files
import SettingsModel
import SettingsStore
import SettingsText

/// Asks a person at a terminal about the conflicts that came with other versions. What is answered is recorded as
/// 'settings resolve' does; what is not stays open.
struct ConflictAsking {
    let context: Context

    /// Returns how many were resolved.
    func ask(_ questions: [SyncReport.Question]) throws -> Int {
        var count = 0
        try context.output.flush()
        // What answers the newest of several questions answers the others.
        var asked: Set<VersionMessage.Question> = []
        for question in questions where asked.insert(question.id).inserted {
            switch try ask(question) {
            case .resolved: count += 1
            case .later: break
            case .never: return count
            }
        }
        return count
    }

    private enum Result {
        case resolved, later
        /// Input has ended.
        case never
    }

    private func ask(_ question: SyncReport.Question) throws -> Result {
        let conflict = question.conflict
        let sides = conflict.hasSides ? ["ours", "theirs"] : conflict.takesValue ? [] : ["ours"]
        let answers = (sides + (conflict.takesValue ? ["a value"] : [])).joined(separator: ", ")
        let facet = conflict.facet == .value ? "" : ", \(conflict.facet.name)"
        while true {
            ThisProcess.report("\(conflict.subject.key)\(facet): \(answers) (Enter for later)? ".visible)
            guard let line = readLine() else {
                ThisProcess.report("\n")
                return .never
            }
            let word = line.trimmingSpaces
            if word.isEmpty { return .later }
            do {
                let recording = Recording(context: context, options: RecordRequest(), json: false)
                try recording.record(.resolve(conflict.subject.key, conflict.facet, answer(word)), in: try context.session())
                try context.output.flush()
                // The command itself may yet fail.
                context.output.hasRecorded = false
                return .resolved
            } catch let problem as Problem {
                // An answer to another question settled it.
                if case .merge(.noQuestion) = problem { return .later }
                Failure(problem).report(context.output, phrases: context.phrases)
            }
        }
    }

    private func answer(_ word: String) -> ConflictAnswer {
        switch word {
        case "ours", "--ours": .ours
        case "theirs", "--theirs": .theirs
        default: .word(word)
        }
    }
}
