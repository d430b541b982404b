import SettingsModel
import Testing

@testable import SettingsFormats

/// Everything that can't be written is named at once.
struct InPlaceRefusalsTests {
    private func refusals(
        _ format: any Format.Type, _ text: String, named name: String, isThere: Bool = true,
        _ change: (inout SettingsContent) throws -> Void
    ) throws -> [Refusal] {
        var settings = try format.read([name: text]).settings
        try change(&settings)
        var request = WriteRequest()
        (request.present, request.name) = (isThere ? Array(text.utf8) : nil, name)
        do throws(Refusal) { _ = try format.write(settings, request) } catch { return error.all }
        return []
    }

    @Test(arguments: [true, false]) func valuesThatTOMLLacks(isThere: Bool) throws {
        let found = try refusals(
            TOMLFormat.self, "a = 1.0\nb = 1\nc = [1]\n[t]\nd = { e = 1 }\nf = 2\n", named: "a.toml", isThere: isThere
        ) {
            $0.set("a", Number("1e400").map { .number($0) })
            $0.set("b", Number("92233720368547758070").map { .number($0) })
            $0.set("c", .array([.null]))
            $0.set("t.d.e", Number("-1e400").map { .number($0) })
            $0.set("t.f", .number(3))
        }
        #expect(
            found.map(\.reason) == [
                "'a' is 1e400, out of range for a float in TOML",
                "'b' is 92233720368547758070, out of range for an integer in TOML",
                "'c.0' is null, which TOML cannot express", "'t.d.e' is -1e400, out of range for a float in TOML",
            ])
        if isThere { #expect(found.map(\.position?.line) == [1, 2, 3, 5]) }
    }

    @Test func valuesThatVariablesLack() throws {
        let found = try refusals(EnvFormat.self, "A=1\nB=2\nC=3\n", named: ".env") {
            $0.set("A", "a\"'\\")
            $0.set("B", "x")
            $0.set("C", "${D}")
            $0.options[try Key("d-e")] = SettingsOption(title: "", type: .text, value: "x")
        }
        #expect(found.map(\.position?.line) == [1, 3, nil] && found.allSatisfy { $0.file == ".env" })
        for (refusal, name) in zip(found, ["'A'", "'C'", "'d-e'"]) { #expect(refusal.reason.contains(name)) }
    }

    @Test func placesThatCannotBeEdited() throws {
        let found = try refusals(
            YAMLFormat.self, "a: &x {p: 1, q: 2}\nb: *x\nc:\n  <<: *x\nd: 1\n", named: "a.yaml"
        ) {
            $0.set("b.p", .number(5))
            $0.set("b.q", .number(6))
            $0.set("c.p", .number(7))
            $0.set("d", .number(2))
        }
        #expect(
            found.map(\.reason) == [
                "'b.p' can't be edited in place: it is the alias '*x'",
                "'b.q' can't be edited in place: it is the alias '*x'",
                "'c.p' can't be edited in place: it comes from the merge key '<<'",
            ])
        #expect(found.map(\.position?.line) == [2, 2, 4])
    }
}
