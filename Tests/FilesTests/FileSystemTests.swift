import Foundation
import Base
import Testing

@testable import Files

/// Files and folders by their paths, in a folder that goes with the test.
struct FileSystemTests {
    private func inFolder(_ work: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/files-\(UUID().uuidString)"
        try Folder.make(path)
        defer { try? FileSystem.removeAll(path) }
        try work(path)
    }

    private func failure(_ work: () throws -> Void) -> SystemFailure? {
        do { try work() } catch { return error as? SystemFailure }
        return nil
    }

    @Test func foldersAbove() {
        #expect(Array(FileSystem.folders(upFrom: "/a/b c")) == ["/a/b c", "/a", "/"])
        #expect(Array(FileSystem.folders(upFrom: "/")) == ["/"] && Array(FileSystem.folders(upFrom: "a")) == ["a"])
    }

    @Test func aFileIsReadUpToALimit() throws {
        try inFolder { path in
            let (file, bytes) = (path + "/file", Array(repeating: UInt8(7), count: 200_000))
            try FileSystem.write(bytes, to: file)
            #expect(try FileSystem.bytes(of: file, atMost: .max) == bytes)
            #expect(try FileSystem.bytes(of: file, atMost: 200_000) == bytes)
            #expect(try FileSystem.bytes(of: file, atMost: 199_999) == nil)
            #expect(try Folder(path: path).read("file", limit: 200_000) == bytes)
            #expect(try Folder(path: path).read("file", limit: 100)?.count == 101)
            #expect(try FileSystem.contents(of: file, following: false, limit: 100)?.count == 101)
        }
    }

    /// The size of such a file says nothing.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func aFileThatIsLargerThanItsSize() throws {
        let bytes = try #require(try Folder(path: "/proc/self").read("status", limit: 1 << 20))
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("Name:"))
        #expect(bytes.count > 200)
    }

    @Test func whatIsNoFile() throws {
        try inFolder { path in
            try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: path)
            #expect(try FileSystem.bytes(of: path + "/none", atMost: .max) == nil)
            #expect(try FileSystem.bytes(of: path, atMost: .max) == nil)
            #expect(try FileSystem.bytes(of: path + "/link", atMost: .max) == nil)
            #expect(failure { _ = try Folder(path: path).read("link", limit: 1) }?.isLink == true)
            #expect(failure { _ = try Folder(path: path).read("link/file", limit: 1) }?.isLink == true)
            #expect(
                failure { _ = try Folder(path: path + "/..").read((path as NSString).lastPathComponent, limit: 1) }?.isFolder
                    == true)
            #expect(FileSystem.kind(of: path + "/link") == .link)
            #expect(FileSystem.kind(of: path + "/link", following: true) == .folder)
            #expect(try Folder(path: path).entry(at: "link") == .link)
            #expect(try Folder(path: path).entry(at: "none/file") == nil)
        }
    }

    @Test func whatIsInAFolder() throws {
        try inFolder { path in
            try Folder.make(path + "/b/c/d")
            try FileSystem.write([], to: path + "/a")
            let names = try #require(try Folder(path: path).names())
            #expect(names.map(\.name) == ["a", "b"])
            #expect(names.map(\.entry) == [.file, .folder])
            #expect(try FileSystem.entries(of: path).count == 2)
            #expect(try FileSystem.entries(of: path + "/none").isEmpty)
            #expect(try Folder(path: path).names(in: "b/none") == nil)
            try FileSystem.removeAll(path)
            #expect(try !FileSystem.isThere(path))
        }
    }

    @Test func aFailureNamesWhatFailed() throws {
        try inFolder { path in
            let missing = try #require(failure { try FileSystem.sync(path + "/none") })
            #expect((missing.operation, missing.path, missing.reason) == ("sync", path + "/none", "No such file or directory"))
            #expect(missing.isMissing)
            #expect(failure { try FileSystem.rename(path + "/none", to: path + "/other") }?.operation == "rename")
            #expect(failure { _ = try LogFile.open(path, making: true, .none) }?.isFolder == true)
        }
    }

    @Test func aLockFileBecomesWhatItLocks() throws {
        try inFolder { path in
            let file = path + "/file"
            func write() throws {
                guard var lock = try LockFile.take(file, second: path + "/second", .none) else {
                    Issue.record("somebody else has it")
                    return
                }
                let isFree = try LockFile.take(file, second: nil, .none) != nil
                #expect(!isFree)
                try lock.write([1, 2])
                try lock.place()
            }
            try write()
            #expect(try FileSystem.bytes(of: file, atMost: 2) == [1, 2])
            #expect(try FileSystem.entries(of: path).map(\.name) == ["file"])
        }
    }

    @Test func aProgramsOutput() {
        let run = Command(
            "/bin/sh", ["sh", "-c", "echo $WORD; yes | head -c 200000 >&2; exit 3"], ["WORD": "out", "PATH": "/usr/bin:/bin"]
        ).run(keeping: 1000)
        #expect(run.status == 3)
        #expect(run.output == Array("out\n".utf8))
        #expect(run.errors.count == 1000)
    }
}
