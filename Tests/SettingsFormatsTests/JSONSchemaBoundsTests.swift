import Seeds
import SettingsFormats
import SettingsModel
import Testing

/// Schemas that were designed to exhaust a reader are rejected within seconds of processor time, even in a
/// debug build.
struct JSONSchemaBoundsTests {
    private func refusal(_ text: String, _ sourceLocation: SourceLocation = #_sourceLocation) -> Refusal? {
        var refusal: Refusal?
        let time = processorTime {
            refusal = #expect(throws: Refusal.self, sourceLocation: sourceLocation) {
                try JSONSchemaFormat.read(["a.json": text])
            }
        }
        #expect(time < .seconds(120), sourceLocation: sourceLocation)
        return refusal
    }

    @Test func aMillionfoldReference() {
        var definitions = #""d0": {"type": "boolean"}"#
        for level in 1...30 {
            let both = ##""a": {"$ref": "#/$defs/d\##(level - 1)"}, "b": {"$ref": "#/$defs/d\##(level - 1)"}"##
            definitions += #", "d\#(level)": {"properties": {\#(both)}}"#
        }
        #expect(refusal(##"{"$ref": "#/$defs/d30", "$defs": {\##(definitions)}}"##)?.hint != nil)
    }

    @Test func aMillionfoldComposition() {
        var definitions = #""d0": {"type": "boolean"}"#
        for level in 1...30 {
            let one = ##"{"$ref": "#/$defs/d\##(level - 1)"}"##
            definitions += #", "d\#(level)": {"allOf": [\#(one), \#(one), \#(one)]}"#
        }
        #expect(refusal(##"{"properties": {"x": {"$ref": "#/$defs/d30"}}, "$defs": {\##(definitions)}}"##) != nil)
    }

    @Test func manyCopiesOfALargeSchema() {
        let values = (0..<20_000).map { "\"v\($0)\"" }.joined(separator: ",")
        let properties = (0..<5000).map { ##""p\##($0)": {"$ref": "#/$defs/e"}"## }.joined(separator: ",")
        #expect(refusal(##"{"properties": {\##(properties)}, "$defs": {"e": {"enum": [\##(values)]}}}"##) != nil)
    }

    @Test func deeplyNested() throws {
        let deep =
            String(repeating: #"{"properties": {"a": "#, count: 60) + #"{"type": "boolean"}"# + String(repeating: "}}", count: 60)
        #expect(refusal(deep) != nil)
        let fine =
            String(repeating: #"{"properties": {"a": "#, count: 40) + #"{"type": "boolean"}"# + String(repeating: "}}", count: 40)
        let imported = try JSONSchemaFormat.read(["a.json": fine])
        try expectWhole(imported)
        let key = try #require(imported.settings.options.keys.first)
        #expect(key.parts.count == 16 && imported.settings.options[key]?.type == .data)
        let again = try JSONSchemaFormat.reread(imported.settings, as: "a.json")
        #expect(differences(imported.settings, again.settings) == [])
    }

    @Test func aLongChain() throws {
        let chain = (0..<200).map { ##""d\##($0)": {"$ref": "#/$defs/d\##($0 + 1)"}"## }.joined(separator: ",")
        let imported = try JSONSchemaFormat.read([
            "a.json": ##"{"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {\##(chain), "d200": {"type": "boolean"}}}"##
        ])
        #expect(imported.settings["x"]?.type == .data && imported.repairs.count == 1)
    }

    @Test func manySettings() throws {
        let properties = (0..<10_000).map { #""p\#($0)": {"type": "boolean", "x": 1}"# }.joined(separator: ",")
        let imported = try JSONSchemaFormat.read(["a.json": #"{"properties": {\#(properties)}}"#])
        #expect(imported.settings.options.count == 10_000 && imported.repairs.count == 10_000)
    }
}
