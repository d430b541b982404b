import Base
import Testing

@testable import SettingsModel

/// Where a store's folder was before a commit, by the files that are gone and new.
@Suite struct MovedFoldersTests {
    /// Of `old` and `new`, each a path and what is in it, where a store in `folder` was.
    private static func former(of folder: String, _ old: [File], _ new: [File]) -> String? {
        var moved = MovedFolders()
        for file in old where !new.contains(file) { moved.take(file.path, before: file.id, after: nil) }
        for file in new where !old.contains(file) { moved.take(file.path, before: nil, after: file.id) }
        return moved.former(of: folder)
    }

    private struct File: Equatable {
        let path: String
        let id: ObjectID

        static func == (one: File, other: File) -> Bool { Array(one.path.utf8) == Array(other.path.utf8) && one.id == other.id }
    }

    private static func store(_ folder: String, _ contents: [UInt8]) -> [File] {
        zip(["_store.json", "a.json", "b/_group.json", "b/c.json"], contents).map { name, content in
            File(path: folder + name, id: ObjectID(repeating: content))
        }
    }

    @Test(arguments: [("config/", "settings/"), ("", "settings/"), ("config/", ""), ("a/b/", "a/"), ("ä/", "a\u{308}/")])
    func allOfIt(old: String, new: String) {
        let found = Self.former(of: new, Self.store(old, [1, 2, 3, 4]), Self.store(new, [1, 2, 3, 4]))
        #expect(found.map { Array($0.utf8) } == Array(old.utf8))
    }

    @Test func partOfIt() {
        let old = Self.store("x/", [1, 2, 3, 4])
        #expect(Self.former(of: "y/", old, Self.store("y/", [1, 2, 3, 9])) == "x/")
        #expect(Self.former(of: "y/", old, Self.store("y/", [1, 2, 8, 9])) == "x/")
        #expect(Self.former(of: "y/", old, Self.store("y/", [1, 7, 8, 9])) == nil)
        #expect(Self.former(of: "y/", old, Self.store("y/", [9, 2, 3, 4])) == nil)
        #expect(Self.former(of: "y/", Self.store("x/", [1]), Self.store("y/", [1])) == nil)
    }

    @Test func copiesAndOtherFolders() {
        let old = Self.store("x/", [1, 2, 3, 4])
        #expect(Self.former(of: "y/", old, old + Self.store("y/", [1, 2, 3, 4])) == nil)
        #expect(Self.former(of: "z/", old, Self.store("y/", [1, 2, 3, 4])) == nil)
        let two = old + Self.store("w/", [1, 2, 3, 4])
        #expect(Self.former(of: "y/", two, Self.store("y/", [1, 2, 3, 4])) == nil)
        let nearly = old + Self.store("w/", [1, 2, 3, 5])
        #expect(Self.former(of: "y/", nearly, Self.store("y/", [1, 2, 3, 4])) == "x/")
    }
}
