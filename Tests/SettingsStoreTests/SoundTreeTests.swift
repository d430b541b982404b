import Foundation
import Testing

@testable import Files
@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What `status` keeps of the last version that has no faults.
struct SoundTreeTests {
    /// A store with so many options that it is kept.
    private func withMany(_ work: (TemporaryStore) throws -> Void) throws {
        try withStore { s in
            for number in 0..<80 { try s.write(SettingsOption.number("N", 1).file, to: "g/n\(number).json") }
            try s.put("l", .language)
            _ = try s.store.drafts.record(s.done(.bob, why: "many"))
            try s.reopen()
            #expect(try s.store.workTree.draft(checksRecorded: true).isEmpty)
            try #require(SoundTree(s.store.versions, s.store.journal).read() != nil)
            try work(s)
        }
    }

    private func faults(_ s: TemporaryStore) throws -> (disagreements: [String], unreadable: [String]) {
        try s.reopen()
        let draft = try s.store.workTree.draft(checksRecorded: true)
        return (draft.disagreements.map(\.subject.path), draft.unreadableRecorded.map(\.path))
    }

    @Test func whatGitCommitsLaterIsLookedAt() throws {
        try withMany { s in
            try s.edit("l.json", "\"selected\": 0", "\"selected\": 1")
            try s.write(Array("{".utf8), to: "g/n7.json")
            try s.git("commit", "-qam", "by git")
            let found = try faults(s)
            #expect(found.disagreements == ["l.json"])
            #expect(found.unreadable == ["g/n7.json"])
            try s.git("revert", "--no-edit", "HEAD")
            #expect(try faults(s) == ([], []))
        }
    }

    @Test(arguments: ["", "settings sound 1\n", "settings sound 2\n%\n0000000000000000\n", "\u{0}"])
    func aDamagedFileIsNotBelieved(_ text: String) throws {
        try withMany { s in
            try s.edit("l.json", "\"selected\": 0", "\"selected\": 1")
            try s.git("commit", "-qam", "by git")
            let path = SoundTree(s.store.versions, s.store.journal).path
            let tree = try s.git("rev-parse", "HEAD^{tree}")
            try Data(text.replacing("%", with: tree).utf8).write(to: URL(filePath: path))
            #expect(try faults(s).disagreements == ["l.json"])
        }
    }

    @Test func aWrongFileIsFoundByADeepLook() throws {
        try withMany { s in
            try s.edit("l.json", "\"selected\": 0", "\"selected\": 1")
            try s.git("commit", "-qam", "by git")
            let sound = SoundTree(s.store.versions, s.store.journal)
            #expect(try !sound.isWrong())
            CacheFile("sound-1", magic: "settings sound 1", s.store.versions, s.store.journal)
                .write([try s.git("rev-parse", "HEAD^{tree}")])
            #expect(try sound.isWrong())
            try s.reopen()
            let findings = try s.store.upkeep.verifyDeeply(isDamaged: false).findings
            #expect(findings.contains { if case .soundVersionIsWrong(isRemoved: true) = $0.fault { true } else { false } })
            #expect(sound.read() == nil)
        }
    }
}
