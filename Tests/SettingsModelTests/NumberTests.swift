@testable import SettingsModel
import Testing

/// The spelling of numbers and their meaning.
@Suite struct NumberTests {
    private func number(_ text: String) -> Number { Number(text) ?? Number(0) }

    @Test(arguments: ["0", "-0", "1.0", "1e0", "1E+05", "-12.50e-3", "18446744073709551615", "1e400"])
    func aNumberKeepsItsSpelling(text: String) throws {
        #expect(Number(text)?.text == text)
        #expect(try JSON(parsing: text).compact == text)
    }

    @Test(arguments: ["", "-", "01", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity", "1 ", " 1", "1,5", "--1", "1_000"])
    func invalidNumbersAreNil(text: String) { #expect(Number(text) == nil) }

    @Test(arguments: [
        ("0.1", "0.2", "0.3"), ("0.3", "-0.1", "0.2"), ("1", "-1", "0"), ("1.50", "0.5", "2.00"), ("-0.05", "0.05", "0.00"),
        ("18446744073709551615", "1", "18446744073709551616"), ("1e3", "1", "1001"), ("5", "-10", "-5"),
        ("-0.5", "0.25", "-0.25"),
    ])
    func sumsAreExact(left: String, right: String, sum: String) {
        #expect(number(left).adding(number(right))?.text == sum)
        #expect(number(right).adding(number(left))?.text == sum)
    }

    @Test func aSumWithTooManyDigitsIsNil() {
        #expect(number("1e400").adding(number("1")) == nil)
        #expect(number("1e999999999999999999999").adding(number("1")) == nil)
    }

    /// Each number is less than the next.
    private static let ascending = [
        "-1e99999", "-1e5000", "-1e400", "-18446744073709551616", "-18446744073709551615", "-1", "-0.1", "-1e-400", "0",
        "1e-5000", "1e-400",
        "0.1", "0.30000000000000001", "0.30000000000000004", "1", "1.0000000000000000001", "2", "10", "1e2",
        "18446744073709551615",
        "18446744073709551616", "123456789012345678901234567890", "1e39", "12e38", "1e400", "2e400", "1e401", "1e5000", "1e99999",
    ]

    @Test func numbersCompareByValueHoweverLargeTheirExponentsAre() {
        for (left, one) in NumberTests.ascending.enumerated() {
            for (right, other) in NumberTests.ascending.enumerated() {
                #expect((number(one) < number(other)) == (left < right), "\(one) < \(other)")
                #expect(number(one).isEqual(to: number(other)) == (left == right), "\(one) = \(other)")
            }
        }
    }

    @Test func twoSpellingsOfANumberAreEqualInValueButNotInText() {
        for (one, other) in [
            ("1", "1.0"), ("1", "1e0"), ("0", "-0"), ("100", "1e2"), ("0.10", "1e-1"), ("1e400", "10e399"), ("1e5000", "10e4999"),
        ] {
            #expect(number(one).isEqual(to: number(other)), "\(one) and \(other)")
            #expect(!(number(one) < number(other)) && !(number(other) < number(one)), "\(one) and \(other)")
            #expect(number(one) != number(other))
        }
    }

    @Test func stepsAreExact() {
        #expect(number("0.3").isOnStep(number("0.1"), from: number("0")))
        #expect(number("0.7").isOnStep(number("0.1"), from: number("-0.5")))
        #expect(!number("0.35").isOnStep(number("0.1"), from: number("0")))
        #expect(number("7").isOnStep(number("2"), from: number("1")))
        #expect(!number("6").isOnStep(number("2"), from: number("1")))
        #expect(number("5").isOnStep(number("0"), from: number("1")))
        #expect(number("-6").isOnStep(number("-2"), from: number("0")))
    }

    @Test func sumsAndComparisonsOfSmallNumbersAgreeWithIntegers() {
        forSeeds { random in
            let (one, other) = (random.int(2001) - 1000, random.int(2001) - 1000)
            // Hundredths are written with two decimals.
            func hundredths(_ value: Int) -> Number {
                let digits = String(abs(value))
                let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
                return number((value < 0 ? "-" : "") + padded.dropLast(2) + "." + padded.suffix(2))
            }
            let (left, right) = (hundredths(one), hundredths(other))
            if (left < right) != (one < other) { return "\(left.text) < \(right.text)" }
            if left.adding(right)?.isEqual(to: hundredths(one + other)) != true { return "\(left.text) + \(right.text)" }
            let step = random.int(1...50)
            if left.isOnStep(hundredths(step), from: right) != ((one - other) % step == 0) { return "\(left.text) on \(step)" }
            return nil
        }
    }
}
