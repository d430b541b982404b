import Foundation
import Testing

/// What can be wrong around a store, and the exit status of a command that meets it.
struct FaultInFolder: CustomTestStringConvertible, Sendable {
    var name: String
    /// Shell lines, run in the store.
    var breaking: String
    var command: String
    var status: Int32
    /// Whether it can be made only by root, or only by somebody else.
    var asRoot: Bool?

    init(_ name: String, _ status: Int32, _ breaking: String, _ command: String = "settings history", asRoot: Bool? = nil) {
        (self.name, self.breaking, self.command, self.status, self.asRoot) = (name, breaking, command, status, asRoot)
    }

    var testDescription: String { name }

    private static let reading = "settings get general.language --at HEAD"
    private static let object = "i=$(git rev-parse HEAD:general/language.json); f=.git/objects/${i:0:2}/${i:2}; "
    /// All of a pack's objects: what stands between its head and its checksum.
    private static func spoiling(_ folder: String) -> String {
        "git repack -adq; p=$(ls \(folder)/objects/pack/*.pack); n=$(stat -c %s $p); "
            + "{ head -c 20 $p; head -c $((n - 40)) /dev/zero | tr '\\0' x; tail -c 20 $p; } > spoiled; mv -f spoiled $p"
    }

    static let all = [
        FaultInFolder("a broken configuration", 65, "echo '[x' >> .git/config"),
        FaultInFolder(
            "an unknown extension", 66, "git config core.repositoryformatversion 1; git config extensions.strange true"),
        FaultInFolder(
            "another hash", 66, "git config core.repositoryformatversion 1; git config extensions.objectformat sha256"),
        FaultInFolder("a branch of nonsense", 65, "echo nonsense > .git/refs/heads/main"),
        FaultInFolder("packed references of nonsense", 65, "git pack-refs --all; sed -i '2s/^/zz/' .git/packed-refs"),
        FaultInFolder("a missing object", 65, object + "rm -f $f", reading),
        FaultInFolder("a loose object cut short", 65, object + "chmod u+w $f; truncate -s 12 $f", reading),
        FaultInFolder("a pack with other bytes", 65, spoiling(".git")),
        FaultInFolder(
            "a pack's index that lies", 65,
            "git repack -adq; p=$(ls .git/objects/pack/*.idx); chmod u+w $p; "
                + "printf '\\377\\377\\377\\377' | dd of=$p bs=1 seek=1028 conv=notrunc 2>/dev/null"),
        FaultInFolder("a lock", 75, "touch .git/refs/heads/main.lock", "settings set general.language es"),
        FaultInFolder("no access", 74, "chmod 0 .git/objects/pack", asRoot: false),
        FaultInFolder("another owner", 74, "chown -R 12345 .", asRoot: true),
        FaultInFolder("no remote", 66, "true", "settings sync ./hub.git"),
        FaultInFolder(
            "a remote with a damaged pack", 65, "git clone -q --bare . hub.git; cd hub.git; \(spoiling(".")); cd ..",
            "settings clone ./hub.git copy"),
    ]
}

/// The kind of a failure comes from codes, not from messages, which contain paths.
@Suite struct ErrorKindTests {
    private static let folders = [
        "plain", "unsupported", "No space left on device", "corrupt", "Permission denied", "a'b\nparse", "object not found",
    ]

    @Test(arguments: FaultInFolder.all) func isTheSameInEveryFolder(_ fault: FaultInFolder) throws {
        if let asRoot = fault.asRoot, asRoot != (getuid() == 0) { return }
        let made = try BadInputStore.make()
        var answers: [String: [String]] = [:]
        for name in Self.folders {
            let top = made.folder + "/" + name
            try FileManager.default.createDirectory(atPath: top, withIntermediateDirectories: true)
            let run = try made.run("set -e; cp -a ../store .; cd store; \(fault.breaking); set +e; \(fault.command)", in: top)
            #expect(run.status == fault.status, "in \(name): \(run.output)\(run.errors)")
            var line = run.errors
            for shown in ["\n", "?", "\\n", "␊"] { line = line.replacing(top.replacing("\n", with: shown), with: "TOP") }
            line = String(line.prefix { $0 != "\n" }).replacing(/[0-9a-f]{40}/, with: "ID")
            answers[line, default: []].append(name)
        }
        #expect(answers.count == 1, "\(answers)")
    }

    /// A program in git's place that fails at one of its commands.
    private func git(failingAt command: String, by lines: String) -> String {
        "mkdir -p ../bin; { echo '#!/bin/bash'; echo 'for last; do :; done'; "
            + "echo 'case \" $* \" in *\" \(command) \"*) \(lines);; esac'; echo 'exec '$(type -P git)' \"$@\"'; } > ../bin/git; "
            + "chmod +x ../bin/git; export PATH=$PWD/../bin:$PATH; "
    }

    /// git that could not look has found nothing.
    @Test(arguments: [
        ("kill -9 $$", 75, "git fsck could not be started or was stopped"),
        (
            "echo \"fatal: unable to create thread: Resource temporarily unavailable\" >&2; exit 128", 75,
            "unable to create thread"
        ),
        ("echo \"error: cannot opendir /x: Too many open files\" >&2; exit 2", 75, "Too many open files"),
        ("echo \"missing blob x\"; exit 2", 65, "found 1 problem"),
    ]) func checkThatWasStopped(_ lines: String, _ status: Int32, _ says: String) throws {
        let run = try BadInputStore.make().run(git(failingAt: "fsck", by: lines) + "settings verify --deep")
        #expect(run.status == status && run.errors.contains(says), "\(run.output)\(run.errors)")
        #expect(run.output.contains("    missing blob x\n") == (status == 65), "\(run.output)")
    }

    /// What this machine refuses is not the other side's damage.
    @Test(arguments: ["../store.bundle", "../hub.git"]) func failureOnThisSide(_ source: String) throws {
        let fails = "echo \"error: chmod on $last/config.lock failed: Operation not permitted\" >&2; exit 128"
        let run = try BadInputStore.make().run(
            "settings bundle -q ../store.bundle; git clone -q --bare . ../hub.git; "
                + git(failingAt: "clone", by: fails) + "settings clone \(source) ../copy")
        #expect(run.status == 74 && run.errors.contains("could not be written: Operation not permitted"), "\(run.errors)")
    }
}
