import Foundation
import Testing

/// Indexes of git's whose numbers libgit2 follows beyond the end of a file.
struct DamagedIndex: CustomTestStringConvertible, Sendable {
    var name: String
    /// Its file below `.git/objects`; `*` stands for the pack's name.
    var file: String
    /// Where bytes are written, and which.
    var damage: @Sendable (Data) -> (place: Int, bytes: [UInt8])

    var testDescription: String { name }

    static let all = [
        DamagedIndex(name: "a pack's index with 2³² - 1 objects", file: "pack/*.idx") { _ in (1028, [255, 255, 255, 255]) },
        DamagedIndex(name: "a pack's index with 2³⁰ objects more", file: "pack/*.idx") { _ in (1028, [0x40]) },
        DamagedIndex(name: "an object behind the end of its pack", file: "pack/*.idx") { (1032 + 24 * count($0, 1028), [0x10]) },
        DamagedIndex(name: "a multi-pack-index with 2³⁰ objects more", file: "pack/multi-pack-index") {
            (chunk("OIDF", in: $0) + 1020, [0x40])
        },
        DamagedIndex(name: "an object behind the end of one of several packs", file: "pack/multi-pack-index") {
            (chunk("OOFF", in: $0) + 4, [0x10])
        },
        DamagedIndex(name: "a commit-graph with 2³⁰ commits more", file: "info/commit-graph") {
            (chunk("OIDF", in: $0) + 1020, [0x40])
        },
    ]

    private static func count(_ bytes: Data, _ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }

    private static func chunk(_ name: String, in bytes: Data) -> Int {
        bytes.range(of: Data(name.utf8)).map { count(bytes, $0.upperBound + 4) } ?? 0
    }
}

@Suite struct DamagedIndexTests {
    @Test(arguments: DamagedIndex.all) func isNamed(_ index: DamagedIndex) throws {
        let made = try BadInputStore.make()
        let packing =
            "git repack -adq; git -c commitGraph.generationVersion=1 commit-graph write --reachable; "
            + (index.file.contains("multi") ? "git multi-pack-index write; " : "") + "ls -d $PWD/.git/objects/\(index.file)"
        let path = try made.run(packing).output.trimmingCharacters(in: .newlines)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let (place, wrong) = index.damage(bytes)
        bytes.replaceSubrange(place..<place + wrong.count, with: wrong)
        try FileManager.default.removeItem(atPath: path)
        try bytes.write(to: URL(fileURLWithPath: path))
        // The hash at its end is right.
        _ = try made.run(
            "f='\(path)'; head -c -20 $f > ../new; printf \"$(sha1sum < ../new | cut -c1-40 | sed 's/../\\\\x&/g')\" >> ../new; "
                + "cat ../new > $f")
        for command in ["get general.language --at HEAD", "history", "status", "verify", "set general.language es"] {
            let run = try made.run("settings \(command)")
            #expect(run.status == 65, "\(command): \(run.output)\(run.errors)")
            #expect(run.errors.contains("\(path) is damaged: ") && run.errors.contains("hint: "), "\(run.errors)")
        }
        let repair = path.hasSuffix(".idx") ? "rm -f \(path); git index-pack \(path.dropLast(4)).pack" : "rm -f \(path)"
        let after = try made.run("\(repair); settings history && settings verify --deep")
        #expect(after.status == 0, "\(after.output)\(after.errors)")
    }

    /// libgit2 passes over these, and takes the objects for missing.
    @Test(arguments: [
        ("a pack's index cut short", "pack/*.idx", "truncate -s 100 $f"),
        ("a pack's index cut short behind its fan-out", "pack/*.idx", "truncate -s 1100 $f"),
        ("an empty index of a pack", "pack/*.idx", ": > $f"),
        ("a pack's index of zeros", "pack/*.idx", "head -c $(stat -c %s $f) /dev/zero > ../new; cat ../new > $f"),
        ("a fan-out that does not ascend", "pack/*.idx", "put 8 '\\377\\377\\377\\377'"),
        ("a pack's index with 2²⁴ objects", "pack/*.idx", "put 1028 '\\1\\0\\0\\0'"),
        ("a multi-pack-index that leads to no pack", "pack/multi-pack-index", "offsets"),
        ("a pack that begins otherwise", "pack/*.pack", "put 0 X"),
    ]) func isNotTakenForMissingVersions(name: String, file: String, damage: String) throws {
        let made = try BadInputStore.make()
        let several = file.contains("multi") ? "git multi-pack-index write; " : ""
        let path = try made.run(
            """
            git repack -adq; \(several)f=$(ls -d $PWD/.git/objects/\(file)); chmod u+w $f
            put() { printf "$2" | dd of=$f bs=1 seek=$1 conv=notrunc 2> /dev/null; }
            offsets() {
              perl -0777 -pi -e '/OOFF(.{8})/s; my $at = unpack("Q>", $1); /OIDL(.{8})/s;
                my $size = 8 * unpack("N", substr($_, unpack("Q>", $1) - 4, 4)); substr($_, $at, $size) = "\\xff" x $size' $f
            }
            \(damage); echo $f
            """
        ).output.trimmingCharacters(in: .newlines)
        for command in [
            "get general.language --at HEAD", "diff --from HEAD~1", "show HEAD~1", "history", "status", "set general.language es",
        ] {
            let run = try made.run("settings \(command)")
            #expect(run.status == 65, "\(command): \(run.output)\(run.errors)")
            #expect(run.errors.contains("\(path) is damaged: ") && run.errors.contains("hint: "), "\(command): \(run.errors)")
        }
        let verified = try made.run("settings verify --deep")
        #expect(verified.status == 65 && verified.output.contains("    \(path): "), "\(verified.output)\(verified.errors)")
        let maintained = try made.run("settings maintain")
        #expect(maintained.status == 65 || file.contains("multi"), "\(maintained.output)\(maintained.errors)")
    }

    @Test(arguments: ["status", "history", "set general.language es", "get general.language --at HEAD"])
    func headThatLeadsOutOfTheRepository(command: String) throws {
        let run = try BadInputStore.make().run("echo 'ref: ../../../../etc/passwd' > .git/HEAD; settings \(command)")
        #expect(run.status == 65 && run.errors.contains("which is not a branch"), "\(run.output)\(run.errors)")
        #expect(run.errors.contains("hint: 'settings verify --deep'"), "\(run.errors)")
    }

    /// Upkeep writes nothing through a link inside git's folder.
    @Test func linkedInfo() throws {
        let made = try BadInputStore.make()
        let run = try made.run(
            "mv .git/info ../info; ln -s ../../info .git/info; ls ../info; echo =; settings maintain; ls ../info")
        let halves = run.output.split(separator: "=\n", omittingEmptySubsequences: false)
        #expect(run.status == 0 && halves.count == 2 && halves[1].hasSuffix(halves[0]), "\(run.output)\(run.errors)")
        #expect(!run.output.contains("refs"), "\(run.output)")
    }

    /// What is a link is refused where git's upkeep would follow it.
    @Test(arguments: ["packed-refs", "shallow"]) func linkedFiles(_ name: String) throws {
        let run = try BadInputStore.make().run("touch ../there; ln -sf ../../there .git/\(name); settings maintain; cat ../there")
        #expect(run.status == 0 && run.output.isEmpty && run.errors.contains("is a symbolic link"), "\(run.output)\(run.errors)")
    }
}
