import SettingsModel
import Testing

@testable import Files
@testable import Git
@testable import SettingsStore

/// What a version's file is compared with.
struct ExpectedContentTests {
    private static let old = ExpectedContent.content(
        ObjectID.hash(ofBlob: Array("old\n".utf8)).map { Content(id: $0, mode: .blob) })

    @Test func aFileOfAVersion() {
        #expect(Self.old.matches(Array("old\n".utf8)))
        #expect(Self.old.matches(Array("old\r\n".utf8)))
        #expect(!Self.old.matches(Array("edited\n".utf8)))
        #expect(!Self.old.matches(nil))
    }

    @Test func noFile() {
        #expect(ExpectedContent.content(nil).matches(nil))
        #expect(!ExpectedContent.content(nil).matches([]))
    }
}
