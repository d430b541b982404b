import SettingsModel
import Testing

/// The `selected` and the `value` of a choice: the value counts.
@Suite struct SelectedAndValueTests {
    private func file(
        _ pair: String, labels: [String] = ["English", "French", "German"], values: [String] = ["en", "fr", "de"]
    ) -> [UInt8] {
        Array("{\"title\": \"Language\", \"type\": \"choice\", \(pair) \"labels\": \(labels), \"values\": \(values)}".utf8)
    }

    private func value(_ pair: String) throws -> String? { try SettingsOption(file: file(pair)).value?.bare }

    private func disagreement(_ file: [UInt8]) throws -> Selection.Disagreement? {
        Selection.disagreement(in: file, meaning: try SettingsOption(file: file))
    }

    @Test func bothAgree() throws {
        #expect(try value("\"selected\": 1, \"value\": \"fr\",") == "fr")
        #expect(try value("\"selected\": null, \"value\": null,") == nil)
        #expect(try value("") == nil)
        #expect(try disagreement(file("\"selected\": 1, \"value\": \"fr\",")) == nil)
        #expect(try disagreement(file("\"selected\": null, \"value\": null,")) == nil)
    }

    @Test(arguments: ["0", "2", "3", "-1", "99", "null"]) func theValueCounts(selected: String) throws {
        let bytes = file("\"selected\": \(selected), \"value\": \"fr\",")
        #expect(try SettingsOption(file: bytes).value == "fr")
        let found = try #require(try disagreement(bytes))
        #expect(found.index == Int(selected))
        #expect(found.option.selected == 1)
        #expect(found.label?.text == (["0": "English", "2": "German"][selected].map { ExactText($0) }))
        #expect(found.position?.line == 1)
    }

    @Test func aNullValueMeansUnsetWhateverTheIndexIs() throws {
        #expect(try value("\"selected\": 0, \"value\": null,") == nil)
        #expect(try disagreement(file("\"selected\": 0, \"value\": null,"))?.index == 0)
    }

    @Test func aMissingLineIsNoDisagreement() throws {
        #expect(try value("\"selected\": 2,") == "de")
        #expect(try value("\"value\": \"fr\",") == "fr")
        #expect(try value("\"selected\": null,") == nil)
        #expect(try value("\"value\": null,") == nil)
        for pair in ["\"selected\": 2,", "\"value\": \"fr\","] { #expect(try disagreement(file(pair)) == nil) }
        #expect(throws: BadFile.self) { try value("\"selected\": 3,") }
    }

    @Test func anIndexIsANumberOrNull() {
        for wrong in ["\"1\"", "1.5", "true", "[]"] {
            #expect(throws: BadFile.self) { try value("\"selected\": \(wrong), \"value\": \"fr\",") }
        }
    }

    @Test func theLabelsWereEditedButNeitherLineWas() throws {
        let edited = file("\"selected\": 0, \"value\": \"en\",", labels: ["Arabic", "English"], values: ["ar", "en"])
        let option = try SettingsOption(file: edited)
        #expect(option.value == .string("en"))
        #expect(option.selected == 1)
    }

    @Test func aValueWhoseLabelIsMissingIsAnErrorWhateverTheIndexIs() throws {
        for selected in ["0", "1", "null"] {
            let edited = file(
                "\"selected\": \(selected), \"value\": \"en\",", labels: ["Arabic", "French"], values: ["ar", "fr"])
            let error = try #require(throws: BadFile.self) { try SettingsOption(file: edited) }
            #expect(error.reason == "\"value\" is \"en\", which is not one of the option's values")
            #expect(try SettingsOption(file: edited, acceptingAnyValue: true).value == "en")
        }
    }

    @Test func nullIsAValueIfALabelHasItAndTheIndexTellsItFromNoChoice() throws {
        let labels = "\"labels\": [\"Off\", \"On\"], \"values\": [null, true]"
        func read(_ pair: String) throws -> SettingsOption {
            try SettingsOption(file: Array("{\"title\": \"T\", \"type\": \"choice\", \(pair) \(labels)}".utf8))
        }
        #expect(try read("\"selected\": 0, \"value\": null,").value == .null)
        #expect(try read("\"selected\": null, \"value\": null,").value == nil)
        #expect(try read("\"selected\": 1, \"value\": null,").value == .null)
        #expect(try read("\"selected\": 0,").value == .null)
        #expect(try read("\"value\": null,").value == .null)
    }
}
