import Foundation
import Testing

/// SplitMix64: the same numbers from the same seed everywhere.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        // Mixed, or one seed's numbers would be the last one's, one further on.
        state = seed
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func int(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(next() % UInt64(bound)) }
    mutating func int(_ range: ClosedRange<Int>) -> Int { range.lowerBound + int(range.count) }
    mutating func chance(_ percent: Int) -> Bool { int(100) < percent }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[int(elements.count)] }
}

/// How often each law is tried; `SETTINGS_CASES` asks for more.
func cases(_ count: Int) -> Int {
    max(count, ProcessInfo.processInfo.environment["SETTINGS_CASES"].flatMap { Int($0) } ?? 0)
}

/// Tries `law` with the seeds from 1; it returns what is wrong, if anything. `SETTINGS_SEED` tries one seed alone.
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
