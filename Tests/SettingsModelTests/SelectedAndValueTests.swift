import SettingsModel
import Testing

/// `selected` and `value` of a choice, read together.
@Suite struct SelectedAndValueTests {
    private func file(
        _ pair: String, labels: [String] = ["English", "French", "German"], values: [String] = ["en", "fr", "de"]
    ) -> [UInt8] {
        Array("{\"title\": \"Language\", \"type\": \"choice\", \(pair) \"labels\": \(labels), \"values\": \(values)}".utf8)
    }

    private func value(_ pair: String, since earlier: Option? = nil) throws -> String? {
        try Option(file: file(pair), since: earlier.map { [$0] } ?? []).value?.bare
    }

    private var english: Option { get throws { try Option(file: file("\"selected\": 0, \"value\": \"en\",")) } }

    @Test func `both agree`() throws {
        #expect(try value("\"selected\": 1, \"value\": \"fr\",") == "fr")
        #expect(try value("\"selected\": 1, \"value\": \"fr\",", since: english) == "fr")
        #expect(try value("\"selected\": null, \"value\": null,", since: english) == nil)
        #expect(try value("") == nil)
    }

    @Test func `one that differs from the last version was meant`() throws {
        #expect(try value("\"selected\": 2, \"value\": \"en\",", since: english) == "de")
        #expect(try value("\"selected\": 0, \"value\": \"fr\",", since: english) == "fr")
        #expect(try value("\"selected\": null, \"value\": \"en\",", since: english) == nil)
        #expect(try value("\"selected\": 0, \"value\": null,", since: english) == nil)
    }

    @Test func `one that is missing is what the other says`() throws {
        for earlier in [nil, try english] {
            #expect(try value("\"selected\": 2,", since: earlier) == "de")
            #expect(try value("\"value\": \"fr\",", since: earlier) == "fr")
            #expect(try value("\"selected\": null,", since: earlier) == nil)
            #expect(try value("\"value\": null,", since: earlier) == nil)
        }
    }

    @Test func `both differ and disagree: an error that names both`() throws {
        let english = try english
        let error = #expect(throws: BadFile.self) { try value("\"selected\": 2, \"value\": \"fr\",", since: english) }
        #expect(error?.reason.contains("\"fr\"") == true)
        #expect(error?.reason.contains("\"selected\" is 2 (\"German\")") == true)
        #expect(throws: BadFile.self) { try value("\"selected\": 2, \"value\": \"fr\",") }
    }

    @Test func `neither differs but they disagree: the value wins`() throws {
        let edited = file("\"selected\": 0, \"value\": \"en\",", labels: ["Arabic", "English"], values: ["ar", "en"])
        let option = try Option(file: edited, since: [english])
        #expect(option.value == .string("en"))
        #expect(option.selected == 1)
    }

    @Test func `the chosen label is gone: an error, whatever the index says`() throws {
        let edited = file("\"selected\": 0, \"value\": \"en\",", labels: ["Arabic", "French"], values: ["ar", "fr"])
        let error = try #require(throws: BadFile.self) { try Option(file: edited, since: [try english]) }
        #expect(error.reason.contains("not among its values"))
    }

    @Test func `an index beyond the shortened list is healed where the value is offered`() throws {
        let german = try Option(file: file("\"selected\": 2, \"value\": \"de\","))
        let edited = file("\"selected\": 2, \"value\": \"de\",", labels: ["German"], values: ["de"])
        #expect(try Option(file: edited, since: [german]).selected == 0)
    }

    @Test func `null is a value where a label has it`() throws {
        let labels = "\"labels\": [\"Off\", \"On\"], \"values\": [null, true]"
        func read(_ pair: String) throws -> Option {
            try Option(file: Array("{\"title\": \"T\", \"type\": \"choice\", \(pair) \(labels)}".utf8))
        }
        #expect(try read("\"selected\": 0, \"value\": null,").value == .null)
        #expect(try read("\"selected\": null, \"value\": null,").value == nil)
        #expect(try read("\"selected\": 0,").value == .null)
        #expect(try read("\"value\": null,").value == .null)
    }
}
