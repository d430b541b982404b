import SettingsModel
import Testing

/// Round trips of files.
@Suite struct FileTests {
    @Test func anOptionSurvivesARoundTrip() {
        var bytes: [[UInt8]: SettingsOption] = [:]
        forSeeds { random in
            let option = random.option()
            let file = option.file
            if try SettingsOption(file: file) != option {
                return "read back as another option: \(String(decoding: file, as: UTF8.self))"
            }
            // One table for all seeds: equal bytes mean equal options; reading back checks the converse.
            if let other = bytes.updateValue(option, forKey: file), other != option { return "two options share their bytes" }
            return difference(option.json, file)
        }
    }

    @Test func anEditedOptionSurvivesARoundTrip() {
        forSeeds { random in
            var option = random.option()
            for _ in 0..<4 {
                let edited = random.edited(option)
                if (edited == option) != (edited.file == option.file) { return "equal options and equal bytes are not one" }
                option = edited
            }
            let file = option.file
            if try SettingsOption(file: file) != option {
                return "read back as another option: \(String(decoding: file, as: UTF8.self))"
            }
            return nil
        }
    }

    @Test func aGroupSurvivesARoundTrip() {
        forSeeds { random in
            let group = random.group()
            if try SettingsGroup(file: group.file) != group { return "read back as another group" }
            let edited = random.edited(group)
            if (edited == group) != (edited.file == group.file) { return "equal groups and equal bytes are not one" }
            return difference(group.json, group.file)
        }
    }

    @Test func aStoresDefinitionSurvivesARoundTrip() {
        forSeeds { random in
            let definition = random.definition()
            if try StoreDefinition(file: definition.file) != definition { return "read back as another definition" }
            let edited = random.edited(definition)
            if (edited == definition) != (edited.file == definition.file) {
                return "equal definitions and equal bytes are not one"
            }
            return difference(definition.json, definition.file)
        }
    }

    @Test func jsonSurvivesARoundTripPrettyOrCompact() {
        forSeeds { random in
            let json = random.json(depth: 4)
            if try JSON(parsing: json.pretty) != json { return "pretty: \(json.pretty)" }
            if try JSON(parsing: json.compact) != json { return "compact: \(json.compact)" }
            return difference(json, Array(json.pretty.utf8))
        }
    }

    @Test func theOrderOfMembersAndTheSpacesInAFileMakeNoDifference() throws {
        forSeeds(5_000) { random in
            let option = random.option()
            guard case .object(var members) = option.json else { return "no object" }
            members.shuffle(using: &random)
            let shuffled = JSON.object(members)
            let read = try SettingsOption(file: Array((random.chance(50) ? shuffled.compact : shuffled.pretty).utf8))
            return read.file == option.file ? nil : "other bytes for \(shuffled.compact)"
        }
    }

    @Test func theFileOfDESIGNmdsExampleIsExactlyAsShownThere() throws {
        let file = """
            {
              "title": "Language",
              "type": "choice",
              "selected": 1,
              "value": "fr",
              "default": "en",
              "help": "Shown in every menu.",
              "labels": [
                "English",
                "French",
                "Spanish"
              ],
              "values": [
                "en",
                "fr",
                "es"
              ]
            }

            """
        let option = try SettingsOption(file: Array(file.utf8))
        #expect(String(decoding: option.file, as: UTF8.self) == file)
        #expect(option.selected == 1)
        #expect(option.value == .string("fr"))
    }

    private func difference(_ json: JSON, _ bytes: [UInt8]) -> String? {
        json.hasHugeNumber ? nil : differenceFromFoundation(json, in: bytes)
    }
}
