import Foundation
import Testing

@testable import Files

/// A file takes another's place only where that holds what is expected: everything else is somebody's edit.
struct PlacingTests {
    private static let ours = Array("ours".utf8)
    private static let old = ExpectedContent { $0.map { String(decoding: $0, as: UTF8.self) } == "old" }

    /// What the file holds afterwards, and whether anything else is left.
    private func after(
        _ there: String?, _ work: (borrowing FileDescriptor, _ new: String) throws -> Bool
    ) throws -> (isDone: Bool, text: String?) {
        let path = FileManager.default.temporaryDirectory.path + "/placing-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path + "/scratch", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        if let there { try Data(there.utf8).write(to: URL(fileURLWithPath: path + "/file")) }
        let folder = try Folder(path: path).open(folder: "", for: "test")
        let isDone = try work(folder, path + "/scratch/new")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/scratch") == [])
        return (isDone, try? String(contentsOfFile: path + "/file", encoding: .utf8))
    }

    private func place(over old: ExpectedContent?, there: String?) throws -> (isDone: Bool, text: String?) {
        try after(there) { folder, new in
            try Folder.create(new, Self.ours, .none)
            return try Folder.place(new, Self.ours, as: "file", in: folder, over: old)
        }
    }

    @Test func whatIsExpectedIsReplaced() throws {
        #expect(try place(over: Self.old, there: "old") == (true, "ours"))
        #expect(try place(over: .bytes(Array("old".utf8)), there: "old") == (true, "ours"))
        #expect(try place(over: .bytes(nil), there: nil) == (true, "ours"))
        #expect(try place(over: nil, there: "whatever") == (true, "ours"))
        #expect(try place(over: nil, there: nil) == (true, "ours"))
    }

    @Test func anEditMeanwhileStays() throws {
        #expect(try place(over: Self.old, there: "edited") == (false, "edited"))
        #expect(try place(over: Self.old, there: nil) == (false, nil))
        #expect(try place(over: .bytes(nil), there: "made") == (false, "made"))
    }

    @Test func soItIsWithWhatGoes() throws {
        func take(holding old: ExpectedContent?, there: String?) throws -> (isDone: Bool, text: String?) {
            try after(there) { folder, away in try Folder.take("file", from: folder, by: away, holding: old) }
        }
        #expect(try take(holding: Self.old, there: "old") == (true, nil))
        #expect(try take(holding: Self.old, there: "edited") == (false, "edited"))
        #expect(try take(holding: Self.old, there: nil) == (true, nil))
        #expect(try take(holding: nil, there: "whatever") == (true, nil))
    }
}
