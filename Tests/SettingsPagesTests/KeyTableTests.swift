import Testing

@testable import SettingsPages

struct KeyTableTests {
    @Test func noKeyHasTwoActs() {
        let keys = KeyTable.bindings.flatMap { $0.bindings.flatMap(\.keys) }
        #expect(Set(keys).count == keys.count)
    }

    @Test func keysAreReadByTheirNames() {
        for key in KeyTable.bindings.flatMap({ $0.bindings.flatMap(\.keys) }) { #expect(Keystroke(name: key.name) == key) }
    }
}
