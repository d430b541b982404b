import Foundation
import Seeds
import Testing

/// How often each law is tried: an eighth of `count`, and all of it by `Scripts/test --full`; `SETTINGS_CASES` asks for more.
func cases(_ count: Int) -> Int {
    let environment = ProcessInfo.processInfo.environment
    return max(environment["SETTINGS_FULL"] == nil ? count / 8 : count, environment["SETTINGS_CASES"].flatMap { Int($0) } ?? 0)
}

/// Tests `law` with seeds from 1; it returns a description of the failure, if any. `SETTINGS_SEED` selects one seed.
func forSeeds(
    _ count: Int = 20_000, at sourceLocation: SourceLocation = #_sourceLocation, _ law: (inout Seeded) throws -> String?
) {
    var seeds = 1...UInt64(cases(count))
    if let only = ProcessInfo.processInfo.environment["SETTINGS_SEED"].flatMap({ UInt64($0) }) { seeds = only...only }
    var failures = 0
    for seed in seeds {
        var random = Seeded(seed)
        do {
            guard let fault = try law(&random) else { continue }
            failures += 1
            if failures <= 3 { Issue.record("seed \(seed): \(fault)", sourceLocation: sourceLocation) }
        } catch {
            failures += 1
            if failures <= 3 { Issue.record("seed \(seed): \(error)", sourceLocation: sourceLocation) }
        }
    }
    if failures > 3 { Issue.record("\(failures) of \(seeds.count) seeds fail", sourceLocation: sourceLocation) }
}

extension Sequence where Element: Hashable {
    func asSet() -> Set<Element> { Set(self) }
}
