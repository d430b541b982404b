import Configuration
import ConfigurationSettings
import ConfigurationTesting
import Foundation
import SettingsKit
import Surroundings
import Testing

/// A server reads its configuration with swift-configuration, and people change it with the program.
@Suite(.timeLimit(.minutes(1)))
struct SettingsProviderTests {
    private let home: TemporaryFolder
    private let store: String

    struct Failed: Error { let words: String }

    init() throws {
        home = try TemporaryFolder()
        store = home.path + "/store"
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        try sh(
            """
            settings init -q
            settings add http.port -q --title Port --number 8080
            settings add log.level -q --title Level --choice debug info warning --select info
            settings add cart.enabled -q --title Cart --switch
            settings add mail.password -q --title Password --text hunter2 --masked
            settings add mail.from -q --title From --text '' --unset
            """)
    }

    private func sh(_ script: String) throws {
        let environment = Surroundings.environment(home: home.path, person: "Ada Lovelace", at: "@1700000000 +0000")
        let run = try Surroundings.run(["sh", "-ec", script], in: store, environment)
        guard run.status == 0 else { throw Failed(words: "\(script)\n\(run.output)\(run.errors)") }
    }

    private func provider() async throws -> SettingsProvider { SettingsProvider(try await Settings.open(store)) }

    @Test func itPassesTheTestThatSwiftConfigurationHasForProviders() async throws {
        let values = [
            "string": "\"Hello\"", "other.string": "\"Other Hello\"", "int": "42", "other.int": "24", "double": "3.14",
            "other.double": "2.72", "bool": "true", "other.bool": "false", "bytes": "\"bWFnaWM=\"", "other.bytes": "\"bWFnaWMy\"",
            "stringy.array": #"["Hello", "World"]"#, "other.stringy.array": #"["Hello", "Swift"]"#, "inty.array": "[42, 24]",
            "other.inty.array": "[16, 32]", "doubly.array": "[3.14, 2.72]", "other.doubly.array": "[0.9, 1.8]",
            "booly.array": "[true, false]", "other.booly.array": "[false, true, true]",
            "byteChunky.array": #"["bWFnaWM=", "bWFnaWMy"]"#, "other.byteChunky.array": #"["bWFnaWM=", "bWFnaWMy", "bWFnaWM="]"#,
        ]
        for (key, value) in values { try sh("settings add \(key) -q --title '\(key)' --data '\(value)'") }
        try await ProviderCompatTest(provider: try await provider()).runTest()
    }

    @Test func aReaderGetsTheValuesInForce() async throws {
        let config = ConfigReader(provider: try await provider())
        #expect(config.int(forKey: "http.port") == 8080)
        #expect(config.double(forKey: "http.port") == 8080)
        #expect(config.string(forKey: "log.level", default: "none") == "info")
        #expect(try config.requiredBool(forKey: "cart.enabled") == false)
        #expect(config.string(forKey: "mail.from", default: "nobody") == "nobody")
        #expect(config.string(forKey: "no.such.option") == nil)
        #expect(config.string(forKey: "no key/at all") == nil)
        #expect(config.scoped(to: "http").int(forKey: "port") == 8080)
    }

    @Test func valuesOfAnotherTypeAreErrors() async throws {
        let provider = try await provider()
        let wrong: [(AbsoluteConfigKey, ConfigType)] = [
            ("http.port", .string), ("http.port", .bool), ("log.level", .int), ("cart.enabled", .string),
            ("log.level", .stringArray), ("mail.password", .bytes),
        ]
        for (key, type) in wrong {
            let error = #expect(throws: SettingsError.self, "\(key) as \(type)") { try provider.value(forKey: key, type: type) }
            #expect(error?.kind == .badData && error?.reason.contains(key.description) == true, "\(key) as \(type)")
            #expect(error?.reason.contains("hunter2") == false)
        }
        let config = ConfigReader(provider: provider)
        #expect(throws: SettingsError.self) { try config.requiredInt(forKey: "log.level") }
    }

    @Test func whatIsMaskedIsASecret() async throws {
        let provider = try await provider()
        #expect(try provider.value(forKey: "mail.password", type: .string).value == ConfigValue("hunter2", isSecret: true))
        #expect(try provider.snapshot().value(forKey: "log.level", type: .string).value == ConfigValue("info", isSecret: false))
    }

    @Test func anOptionWhoseFileCannotBeReadIsAnErrorAndNotADefault() async throws {
        try sh("printf '{' >http/port.json; git commit -qam broken")
        let provider = try await provider()
        let error = #expect(throws: SettingsError.self) { try provider.value(forKey: "http.port", type: .int) }
        #expect(error?.path == "http/port.json")
    }

    private static let breaking = "printf '{' >http/port.json; git commit -qam broken; settings set mail.password x -q"

    @Test(arguments: [
        ("http.port", ConfigType.int, "settings set http.port 9090 -q", ConfigContent.int(9090)),
        ("http.port", .double, "settings set http.port 8080.5 -q", .double(8080.5)),
        ("cart.enabled", .bool, "settings set cart.enabled on -q", .bool(true)),
        ("log.level", .string, "settings set log.level debug -q", .string("debug")),
        ("mail.from", .string, "settings set mail.from me@example.org -q", .string("me@example.org")),
        ("mail.password", .string, breaking, .string("x")),
    ])
    func aWatcherIsToldWhatItsOwnReadingBecomes(
        name: String, type: ConfigType, script: String, content: ConfigContent
    ) async throws {
        let provider = try await provider()
        let key = AbsoluteConfigKey(ConfigKey(name))
        try await provider.watchValue(forKey: key, type: type) { updates in
            var updates = updates.makeAsyncIterator()
            let first = try await updates.next()?.get().value
            let read = try provider.value(forKey: key, type: type).value
            #expect(first == read && first?.content != content)
            // A version that is none of its business.
            try sh("settings add other.\(type) -q --title Other --switch")
            try sh(script)
            let second = try await updates.next()?.get().value
            #expect(second?.content == content)
        }
    }

    @Test func aWatcherIsToldThatAValueIsOfAnotherTypeAndWhenItIsRightAgain() async throws {
        let provider = try await provider()
        try await provider.watchValue(forKey: "http.port", type: .int) { updates in
            var updates = updates.makeAsyncIterator()
            _ = try await updates.next()?.get()
            try sh("settings set http.port 80.5 -q")
            let wrong = try await updates.next()
            #expect(throws: SettingsError.self) { try wrong?.get() }
            try sh("settings undo -q")
            let right = try await updates.next()?.get()
            #expect(right?.value?.content == .int(8080))
            try sh("settings remove http.port -q")
            let gone = try await updates.next()?.get()
            #expect(gone == LookupResult(encodedKey: "http.port", value: nil))
        }
    }

    @Test func snapshotsAreOfOneVersionEach() async throws {
        let provider = try await provider()
        try await provider.watchSnapshot { updates in
            var updates = updates.makeAsyncIterator()
            let first = try await updates.next()
            try sh("settings set http.port 1 log.level debug -q")
            let second = try await updates.next()
            #expect(try first?.value(forKey: "http.port", type: .int).value?.content == .int(8080))
            #expect(try second?.value(forKey: "http.port", type: .int).value?.content == .int(1))
            #expect(try second?.value(forKey: "log.level", type: .string).value?.content == .string("debug"))
        }
    }
}
