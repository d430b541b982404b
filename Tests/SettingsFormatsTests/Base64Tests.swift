import Foundation
import Testing

@testable import SettingsFormats

struct Base64Tests {
    @Test func matchesFoundation() {
        for count in 0..<100 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count &* 101) }
            let text = Base64.text(of: bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.bytes(of: text) == bytes)
        }
    }

    @Test(arguments: ["a", "ab", "abc", "ab=c", "a===", "====", "ab==cd==", "a*==", "abé="])
    func invalidBase64IsRejected(_ text: String) {
        #expect(Base64.bytes(of: text) == nil)
    }
}
