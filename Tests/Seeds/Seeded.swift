/// SplitMix64: the same seed gives the same numbers everywhere.
package struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) {
        // The seed is mixed; otherwise each seed's numbers would be those of the previous seed, shifted by one.
        state = seed
        state = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func int(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(next() % UInt64(bound)) }
    package mutating func int(_ range: ClosedRange<Int>) -> Int { range.lowerBound + int(range.count) }
    package mutating func chance(_ percent: Int) -> Bool { int(100) < percent }
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[int(elements.count)] }
}
