import Testing

/// Where the merge of a hosting service stops, 'verify --merge' says so before.
struct VerifyHostMergeTests {
    private static let stops = "a host does not merge this, and shows conflicts that must be resolved"

    @Test(arguments: [
        ("settings set -q a.v 50", "settings set -q a.v 60", "a/v.json: both sides changed value; \(stops)", 65),
        (
            "settings remove -q a.v", "settings set -q a.v 60", "a/v.json: one side removed it and the other edited it; \(stops)",
            65
        ),
        (
            "settings add -q n --title N --switch", "settings add -q n --title M --switch",
            "n.json: both sides added it; \(stops)", 65
        ),
        (
            "settings label add -q a.c X", "settings label add -q a.c Y",
            "a/c.json: a host cannot merge the text; by meaning there is no conflict", 0
        ),
        (
            "echo 1 > README; git add -A; git commit -qm r", "echo 2 > README; git add -A; git commit -qm r",
            "README: both sides changed this file, which is not the store's; \(stops)", 0
        ),
        ("settings set -q a.v 50", "settings set -q a.w 60", "2 files of the merge checked, no problems found", 0),
    ])
    func whereItStops(_ ours: String, _ theirs: String, _ line: String, _ status: Int) throws {
        let home = try Home()
        _ = try home.run(
            """
            :; settings init -q; settings add a.v --title V --number 40 -q; settings add a.w --title W --number 1 -q
            settings add a.c --title C --choice A B -q; git checkout -qb theirs; \(theirs); git checkout -q main; \(ours)
            """)
        let lines = try home.run("settings verify --merge main theirs")
        #expect(lines.first == line)
        #expect(lines.contains("[exit status: 65]") == (status == 65), "\(lines)")
        // Plain git stops there as well.
        let merge = "git -c merge.settings.driver='git merge-file %A %O %B' merge -q theirs > /dev/null 2>&1; echo $?"
        #expect(try home.run(merge) == [line.hasPrefix("2 files") ? "0" : "1"])
    }
}
