import Testing

@testable import Git

/// A commit's signature, and what it covers, as git's `parse_buffer_signed_by_header` has them.
@Suite struct SignedObjectTests {
    private func parts(_ text: String) -> (payload: String, signature: String) {
        let object = Array(text.utf8).withUnsafeBytes { SignedObject(commit: $0) }
        return (String(decoding: object.payload, as: UTF8.self), String(decoding: object.signature, as: UTF8.self))
    }

    private let header = "tree t\nauthor a\ncommitter c\n"

    @Test func signatureIsWrittenAsGitWritesIt() {
        let payload = header + "\nTitle\n\ngpgsig x\n"
        let signature = "-----BEGIN\n\nabc\n-----END\n"
        let bytes = SignedObject.commit(Array(payload.utf8), signedBy: Array(signature.utf8))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text == header + "gpgsig -----BEGIN\n \n abc\n -----END\n\nTitle\n\ngpgsig x\n")
        #expect(parts(text) == (payload, signature))
    }

    @Test func otherHeadersStay() {
        #expect(parts(header + "\nx\n") == (header + "\nx\n", ""))
        #expect(parts(header + "gpgsig a\n b\nencoding x\n y\n\nm") == (header + "encoding x\n y\n\nm", "a\nb\n"))
        // Another hash's signature is not covered by this one.
        #expect(parts(header + "gpgsig-sha256 a\n b\ngpgsig c\n\nm") == (header + "\nm", "c\n"))
        #expect(parts(header + "gpgsig a\n b\ngpgsig c\n\nm") == (header + "\nm", "a\nb\nc\n"))
        // Without an empty line and without an end.
        #expect(parts(header + "gpgsig a\n b") == (header, "a\nb"))
        #expect(parts("") == ("", ""))
    }
}
