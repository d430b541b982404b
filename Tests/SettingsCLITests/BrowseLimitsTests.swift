import Foundation
import Surroundings
import Testing

/// `settings browse` where something is missing, damaged, or not a setting.
struct BrowseLimitsTests {
    private func browse(_ script: String, in home: Home) throws -> [String] {
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        return try home.run("settings browse --script ~/script")
    }

    private func store() throws -> Home {
        let home = try Home()
        _ = try home.run("settings init -q; for k in net.a net.b c; do settings add -q $k --title ${k##*.} --number 1; done")
        return home
    }

    /// The order that a group gets by itself is not told.
    @Test func versionsAreComparedAsDiffDoes() throws {
        let home = try store()
        #expect(
            try home.run("printf 'mark 4\\ncompare 1\\nquit\\n' | settings browse | tail -n 3") == [
                "1. c: added (1)", "2. a: added (1)", "3. b: added (1)",
            ])
    }

    @Test func whatWouldRemoveTheStoreIsRefusedAtOnce() throws {
        let home = try store()
        let id = try home.run("git rev-list --max-parents=0 --abbrev-commit HEAD")[0]
        #expect(try browse("revert \(id)\n:expect This would remove _store.json\n:refuse 1 change", in: home) == [])
    }

    @Test func aShallowCloneSaysSo() throws {
        let home = try store()
        _ = try home.run("git clone -q --depth 2 file://$HOME/office ~/shallow")
        #expect(try home.run("cd ~/shallow") == [])
        let note = "The history ends here: this is a shallow clone."
        #expect(try home.run("settings browse < /dev/null").last == note)
        #expect(try home.run("settings browse c < /dev/null").last == note)
        #expect(try home.run("printf '/zzz\\n' | settings browse | tail -n 2") == ["Nothing matches.", note])
        #expect(
            try home.run("printf 'files 2\\n' | settings browse").last == "What this version changed is not in this clone.")
    }

    @Test func versionsBeforeADamagedOneAreShown() throws {
        let home = try store()
        _ = try home.run("o=$(git rev-parse HEAD~2); f=.git/objects/${o%${o#??}}/${o#??}; chmod u+w $f; echo junk > $f")
        let lines = try home.run("settings browse --plain < /dev/null")
        #expect(lines.contains { $0.hasPrefix("1. today") && $0.hasSuffix("c: added (1)") })
        #expect(!lines.contains("There are no versions."))
        #expect(lines.contains { $0.hasPrefix("settings: cannot read commit") } && lines.last == "[exit status: 65]")
    }

    @Test func aScriptComesFromStandardInput() throws {
        let home = try store()
        for name in ["-", "/dev/stdin"] {
            #expect(try home.run("printf ':expect [main]\\n' | settings browse --script \(name)") == [])
        }
    }

    @Test func aMessageInLatin1IsConverted() throws {
        let home = try store()
        _ = try home.run(
            "printf 'caf\\351' > ~/m; git -c i18n.commitEncoding=ISO-8859-1 commit -q --allow-empty -F ~/m; git tag t")
        #expect(try home.run("settings history --graph --oneline")[0].hasSuffix("[t]  café"))
    }

    @Test func aMaskedValueIsNotFoundByWhatItBecame() throws {
        let home = try store()
        _ = try home.run("settings add -q p --title P --text x; settings define -q p --masked; settings set -q p geheim")
        #expect(try home.run("settings history --became geheim") == ["no version matches"])
        #expect(try home.run("settings set -q c 2; settings history --became 2 --oneline").count == 1)
    }
}
