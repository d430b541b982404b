// settings-writer STORE KEY COUNT: records COUNT versions in one process, each of which adds 1 to a number.
// Prints the total time and that of the slowest version, in seconds. Only for Scripts/benchmark.

import SettingsModel
import SettingsStore

@main
struct Main {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 4, let key = try? Key(words[2]), let count = Int(words[3]) else {
            print("usage: settings-writer STORE KEY COUNT")
            return
        }
        let store = try Store.open(StoreFolder(path: words[1]))
        store.journal.patience = 600
        let somebody = Person(name: "Ada", email: "ada@example.org")
        var longest = Duration.zero
        let start = ContinuousClock.now
        for number in 0..<count {
            let begun = ContinuousClock.now
            let time = Time(seconds: 1_800_000_000 + Int64(number), offset: 0)
            var done = Done(author: somebody, authorTime: time, committer: somebody, time: time, via: "benchmark")
            done.why = "why"
            _ = try store.recorder.record(done) { tip throws(Problem) in
                let before = try tip.settings(of: [.option(key)])
                var after = before
                guard var option = before.options[key], case .number(let number)? = option.value, let one = Number("1"),
                    let sum = number.adding(one)
                else { throw .key(.noOption(key.description, near: [])) }
                option.value = .number(sum)
                after.options[key] = option
                return Edit(after.changes(since: before))
            }
            longest = max(longest, ContinuousClock.now - begun)
        }
        print(seconds(ContinuousClock.now - start), seconds(longest))
    }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
