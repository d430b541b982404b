import Foundation
import Testing
@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What else is in the repository, or in its way, when lines of versions come together.
struct MergingSurroundingsTests {
    @Test func gitInTheMiddleOfAMerge() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.part(ours: { try s.put("a", .number("A", 1)) }, theirs: { try s.set("n", 2) })
            try s.git("merge", "-q", "--no-commit", "--no-ff", "side")
            let error = failure { try s.merge() }
            #expect(error?.kind == .conflict)
            #expect(error?.hint?.contains("git merge --abort") == true || error?.hint?.contains("--abort") == true)
        }
    }

    @Test(arguments: [true, false]) func aLaterFormatOnTheOtherSide(forward: Bool) throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.part(
                ours: { if !forward { try s.set("n", 2) } },
                theirs: {
                    try s.edit("_store.json", "\"format\": 1", "\"format\": 2")
                    try s.commitPlainly()
                })
            let head = try s.head()
            let refusal = failure { try s.merge() }
            #expect(refusal?.kind == .badData, "\(String(describing: refusal))")
            #expect(try s.head() == head)
        }
    }

    @Test(arguments: [true, false]) func brokenFilesOnTheOtherSide(forward: Bool) throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.part(
                ours: { if !forward { try s.put("m", .number("M", 2)) } },
                theirs: {
                    try s.write("{", to: "n.json")
                    try s.commitPlainly()
                })
            let head = try s.head()
            let error = failure { try s.merge() }
            #expect(error?.kind == .badData)
            #expect(error?.reason.contains("n.json") == true)
            #expect(try s.head() == head)
        }
    }

    /// Told by its size, before anything of it is read.
    @Test(arguments: [true, false], ["n.json", "large.bin"]) func aLargeFileOnTheOtherSide(forward: Bool, name: String) throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.part(
                ours: { if !forward { try s.put("m", .number("M", 2)) } },
                theirs: {
                    try s.write(String(repeating: "x", count: 17 << 20), to: name)
                    try s.commitPlainly()
                })
            let head = try s.head()
            let error = failure { try s.merge() }
            #expect(error?.kind == (name == "n.json" ? .badData : .conflict), "\(String(describing: error))")
            #expect(error?.reason.hasPrefix("\(name) is larger than 1") == true && error?.hint != nil)
            #expect(try s.head() == head)
        }
    }

    @Test func namesThatDifferByCaseOnTwoSides() throws {
        try withStore { s in
            try s.part(ours: { try s.put("Alpha", .number("A", 1)) }, theirs: { try s.put("alpha", .number("A", 2)) })
            let error = failure { try s.merge() }
            #expect(error?.kind == .conflict)
            #expect(error?.reason.contains("case") == true)
        }
        try withStore { s in
            try s.part(ours: { try s.put("Group.a", .number("A", 1)) }, theirs: { try s.put("group.b", .number("B", 2)) })
            let refusal = failure { try s.merge() }
            #expect(refusal?.kind == .conflict, "\(String(describing: refusal))")
        }
    }

    @Test func anOptionAndAGroupOfOneName() throws {
        try withStore { s in
            try s.part(ours: { try s.put("a.b", .number("A", 1)) }, theirs: { try s.put("a.b.c", .number("B", 2)) })
            try s.merge()
            #expect(try s.value("a.b") == "1")
            #expect(try s.value("a.b.c") == "2")
        }
    }

    @Test func aFileHereThatIsAFolderThere() throws {
        try withStore(draft: true) { s in
            try s.part(
                ours: {
                    try s.write("x", to: "notes")
                    try s.commitPlainly()
                },
                theirs: {
                    try s.write("y", to: "notes/one.txt")
                    try s.commitPlainly()
                })
            let head = try s.head()
            let refusal = failure { try s.merge() }
            #expect(refusal?.kind == .conflict, "\(String(describing: refusal))")
            #expect(try s.head() == head)
            #expect(s.text("notes") == "x")
        }
        // The store's own file against a folder of its name.
        try withStore(draft: true) { s in
            try s.part(
                ours: { try s.put("a", .number("A", 1)) },
                theirs: {
                    try s.write("y", to: "a.json/one.txt")
                    try s.commitPlainly()
                })
            let head = try s.head()
            let refusal = failure { try s.merge() }
            #expect(refusal?.kind == .badData, "\(String(describing: refusal))")
            #expect(try s.head() == head)
            #expect(try s.value("a") == "1")
        }
    }

    @Test func otherFilesOfTheRepositoryComeAlong() throws {
        try withStore(prefix: "conf/") { s in
            func write(_ text: String, _ name: String) throws {
                try Data(text.utf8).write(to: URL(fileURLWithPath: s.root + "/" + name))
                try s.commitPlainly()
            }
            try s.put("n", .number("N", 1))
            try s.part(
                ours: { try s.put("m", .number("M", 1)) },
                theirs: {
                    try s.set("n", 2)
                    try write("theirs\n", "README")
                })
            try s.merge()
            #expect(try s.value("n") == "2")
            #expect(try String(contentsOfFile: s.root + "/README", encoding: .utf8) == "theirs\n")
            try s.git("branch", "-D", "side")
            try s.part(
                ours: { try write("ours\n", "README") },
                theirs: {
                    try s.set("n", 3)
                    try write("theirs again\n", "README")
                })
            let error = failure { try s.merge() }
            #expect(error?.kind == .conflict)
            #expect(error?.hint?.contains("git merge") == true)
            #expect(try s.value("n") == "2")
        }
    }

    @Test func aDryRunWritesNothing() throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.part(ours: { try s.put("m", .number("M", 1)) }, theirs: { try s.set("n", 2) })
            let (head, files) = (try s.head(), try s.allFiles())
            guard case .planned(let subject, let changes) = try s.merge(dryRun: true) else {
                return _ = Issue.record("not planned")
            }
            #expect(subject == "merge side")
            #expect(changes.count == 1)
            #expect(try s.head() == head)
            #expect(try s.allFiles() == files)
        }
    }

    @Test(arguments: [true, false]) func withoutABranch(forward: Bool) throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.part(theirs: { try s.set("n", 2) })
            try s.git("checkout", "-q", "--detach")
            try s.reopen()
            if !forward { try s.put("m", .number("M", 1)) }
            try s.merge()
            #expect(try s.value("n") == "2")
            #expect(try s.git("rev-parse", "main") != s.head())
        }
    }

    @Test func aTag() throws {
        try withStore { s in
            try s.put("n", .number("N", 1))
            try s.part(
                ours: { try s.put("m", .number("M", 1)) },
                theirs: {
                    try s.set("n", 2)
                    try s.git("tag", "-a", "-m", "one", "v1")
                })
            try s.merge("v1")
            #expect(try s.value("n") == "2")
            #expect(try s.git("log", "-1", "--format=%s") == "merge v1")
        }
    }
}
