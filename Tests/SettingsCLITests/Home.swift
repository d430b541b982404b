import Foundation
import Surroundings

/// A user's home folder for one test, with its own clock; the real user's configuration isn't visible.
final class Home {
    private let own: TemporaryFolder
    var path: String { own.path }
    /// Where commands run; `cd` changes it.
    private(set) var folder: String
    private var person = "Ada Example"
    /// Seconds since 1970.
    private var now: Int64 = 1_795_161_600

    /// How `path` is shown in transcripts.
    static let shown = "/home/ada"

    init() throws {
        own = try TemporaryFolder()
        folder = own.path + "/office"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let configuration = "[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: path + "/.gitconfig"))
    }

    struct NoTime: Error { let text: String }

    func become(_ name: String, at time: String?) throws {
        person = name
        guard let time else { return }
        let reader = DateFormatter()
        reader.locale = Locale(identifier: "en_US_POSIX")
        reader.timeZone = TimeZone(identifier: "Europe/Paris")
        reader.dateFormat = "yyyy-MM-dd HH:mm"
        guard let date = reader.date(from: time) else { throw NoTime(text: time) }
        now = Int64(date.timeIntervalSince1970)
    }

    var environment: [String: String] {
        Surroundings.environment(
            home: path, person: person, at: "@\(now) \(zone)",
            [
                "XDG_DATA_HOME": path + "/.local/share", "TZ": "Europe/Paris", "SETTINGS_NOW": String(now), "PAGER": "cat",
            ])
    }

    /// The time zone offset as git writes it.
    private var zone: String {
        let isSummer =
            TimeZone(identifier: "Europe/Paris")?.isDaylightSavingTime(for: Date(timeIntervalSince1970: Double(now))) ?? false
        return isSummer ? "+0200" : "+0100"
    }

    /// What a version is called by others.
    func changeID(of version: String) throws -> String {
        try run("git log -1 --format='%(trailers:key=Change-Id,valueonly)' \(version)").first ?? "none"
    }

    /// The standard output and standard error of a command line in order, and its exit status if it isn't 0.
    func run(_ command: String) throws -> [String] {
        defer { now += 60 }
        if command.hasPrefix("cd ") {
            let target = command.dropFirst(3)
            folder = target.hasPrefix("~") ? path + target.dropFirst() : folder + "/" + target
            return FileManager.default.fileExists(atPath: folder) ? [] : ["there is no folder \(target)"]
        }
        let (text, status) = try shell(command)
        var lines = text.replacingOccurrences(of: path, with: Self.shown)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() } else { lines.append("[no newline at the end]") }
        if status != 0 { lines.append("[exit status: \(status)]") }
        return lines
    }

    private func shell(_ command: String) throws -> (text: String, status: Int32) {
        let run = try Surroundings.run(["/bin/sh", "-c", command], in: folder, environment, joined: true)
        return (run.output, run.status)
    }

    /// Unrecorded changes in git's view of the work tree; nil if there are none, or no repository.
    func untidy() throws -> String? {
        let status = ["git", "--no-optional-locks", "status", "--porcelain"]
        let run = try Surroundings.run(status, in: folder, environment, joined: true)
        return run.status == 0 && !run.output.isEmpty ? run.output : nil
    }

    /// The messages of `git fsck` about every repository here.
    func unsound() throws -> String {
        let fsck = "git --git-dir=\"$git\" fsck --strict --no-dangling --no-progress 2>&1"
        return try shell("find '\(path)' -name .git -prune | while read -r git; do \(fsck); done").text
    }

    /// The problems after plain git has worked on every repository here: cloned it, repacked it in various ways, reset it and
    /// committed to it, and after this program has used it again. Drafts are lost.
    func unusable() throws -> String {
        let script = """
            use() { settings list --json > "$2/list" 2>&1; cmp "$1" "$2/list" || echo "the settings are others: $PWD"
              settings define compatible.probe --title Probe --number 1 -q $why && settings set compatible.probe 2 -q $why &&
              test "$(settings get compatible.probe --at HEAD)" = 2 && settings undo -q && settings history -n 3 >/dev/null
              test $? = 0 || echo "it can't be used: $PWD"; git status --porcelain; git fsck --strict --no-dangling --no-progress; }
            why="-m why --requested-by Ada --ticket T-1"; n=0
            find '\(path)' -name .git -prune | while read -r git; do
              cd "${git%/.git}" && git rev-parse -q --verify HEAD >/dev/null || continue
              test ! -e "$git/rebase-merge" || git rebase --abort; git reset -q --hard; git clean -qfd
              git ls-files '*_store.json' > '\(path)/stores'; top=$PWD; n=$((n + 1)); made='\(path)/made'$n
              git clone -q . "$made"
              while read -r store; do
                place=$(dirname "$store"); mkdir -p "$made.lists/$place"
                cd "$top/$place"; settings list --json > "$made.lists/$place/was" 2>&1
                cd "$made/$place" && use "$made.lists/$place/was" "$made.lists"
              done < '\(path)/stores'
              cd "$top"; git gc -q --prune=now; git repack -adq; git pack-refs --all
              git commit -q --allow-empty -m plain; git reset -q --hard HEAD; git rev-parse -q --verify HEAD~2 >/dev/null &&
              git reset -q --hard HEAD~1
              while read -r store; do
                cd "$top/$(dirname "$store")" && use "$made.lists/$(dirname "$store")/was" "$made.lists"
              done < '\(path)/stores'
            done
            """
        return try shell("{\n\(script)\n} 2>&1 | grep -v '^notice: HEAD points to an unborn'").text
    }
}
