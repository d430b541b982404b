import SettingsModel
import SettingsStore
import SettingsText

/// 'settings import' and 'settings export' without arguments.
extension TrackedExchange {
    func run(_ context: Context, _ request: RecordRequest, json: Bool) throws {
        let session = try context.session()
        var result = TrackedExchange.Outcome()
        var recording = Recording(context: context, options: request, json: json)
        recording.nothing = {
            result.written.isEmpty ? Phrases.nothingExchanged(result.states, result.kept.isEmpty) : Phrases.nothingRecorded
        }
        try recording.record(in: session, asks: direction == .importing) { done in
            result = try session.perform(self, done)
            return result.outcome
        }
        if json { return }
        let lost = result.states.filter {
            [.notInHistory(isThere: true), .notInHistory(isThere: false), .withoutOptions].contains($0.absence)
        }
        try context.output.print(context.phrases.differences(of: lost))
        try context.output.print(
            context.phrases.written(result.written, isPlanned: request.dryRun) + context.phrases.kept(result.kept))
    }
}
