import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the store's files, or how a range of versions changed the selected values.",
        discussion: """
            The exit status is 65 if a problem is found. A choice whose "selected" and
            "value" name different labels is reported together with its meaning, which is
            its value; with --strict, this is also a problem.

            --merge BASE HEAD merges HEAD into BASE by meaning and as text, as a hosting
            service does, and lists the options that the service would get wrong, and those
            for which it would stop with a conflict. Use it before a squash, too.

            --signatures checks the signatures of all versions, or of those in a range,
            with gpg and ssh-keygen. The exit status is 65 if one is bad, and 69 if one
            cannot be checked because a program is missing. Versions that are not signed,
            or signed with a key of unknown validity, are counted; with --require, they are
            problems.

            With --deep, git checks the objects. If git is not installed, everything else
            is checked and the exit status is 69; if git is killed or runs out of memory,
            75; if it fails and does not report damage, 74. Lock files of git are reported,
            but are not problems.

            --pre-receive is for the hook that 'settings setup --hook' prints.

              settings verify
              settings verify main..feature
              settings verify --merge main feature
              settings verify --deep    every version too, and 'git fsck'
              settings verify --signatures --require v1..HEAD
            """)

    @Argument(
        help: ArgumentHelp("A..B: the versions in B that are not in A; with --merge, BASE and HEAD.", valueName: "range"),
        completion: .word(.range))
    var words: [String] = []

    @Flag(name: .long, help: "Check what a hosting service would select by merging HEAD into BASE.")
    var merge = false

    @Flag(name: .long, help: "Also exit with 65 if \"selected\" and \"value\" disagree.")
    var strict = false

    @Flag(name: .long, help: "Also check every version, and run 'git fsck' on the repository.")
    var deep = false

    @Flag(name: .long, help: "Check the versions' signatures.")
    var signatures = false

    @Flag(name: .long, help: "With --signatures, require every version to be signed by a known signer.")
    var require = false

    @Flag(name: .long, help: "In git's pre-receive hook: check the versions that a push contains.")
    var preReceive = false

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        if preReceive { return try checkPush(context) }
        if require, !signatures {
            throw Failure(.usage, "--require requires --signatures", hint: "'settings verify --signatures --require'")
        }
        if signatures { return try checkSignatures(context) }
        let (count, checked, findings) = try check(context)
        let unchecked = findings.first(where: \.isUnchecked)
        let wrong = findings.count { $0.kind == .problem || strict && $0.kind == .disagreement }
        try context.output.print(
            json.json, context.reports.document(findings, checked: count),
            Phrases.verified(findings, wrong: wrong, checked, count))
        if wrong > 0 { throw Failure(.badData, Phrases.found(wrong)) }
        guard case .objectsAreUnchecked(let problem)? = unchecked?.fault, let unchecked else { return }
        throw Failure(
            problem.map { ExitStatus($0.kind) } ?? .unavailable, CommandLineHints.explanation(of: unchecked))
    }

    private func checkDeeply(_ context: Context) throws -> (Int, Checked, [Finding]) {
        let folder = try context.storeFolder()
        let session = context.session(in: folder)
        context.warnOfExpired(in: session)
        do throws(Problem) { try session.open() } catch {
            let repair = folder.repairOfRepository
            guard error.kind != .missing || repair != nil, !error.isPassing else { throw error }
            return (0, .versions, [Finding(path: ".git", .problem(error, repair.map { .repair($0) }))])
        }
        let fsck = try Self.fsck(session, context)
        let isDamaged = fsck.contains { $0.kind == .problem }
        let answer = try session.ask(VerifyQuery.everything(isDamaged: isDamaged))
        let isWhole = !fsck.contains(where: \.isUnchecked)
        return (answer.checked, isWhole ? .versionsAndObjects : .versions, fsck + answer.findings)
    }

    /// The findings of `git fsck`, or a note if git is not installed.
    private static func fsck(_ session: Session, _ context: Context) throws(Problem) -> [Finding] {
        guard let git = GitProgram(environment: context.environment) else { return [.uncheckedObjects()] }
        let damage: Finding?
        do throws(Problem) {
            damage = try session.fsck { gitDirectory in
                context.output.progress("git fsck")
                let words = ["fsck", "--full", "--strict", "--name-objects", "--no-dangling", "--no-progress"]
                return git.output(of: words, in: gitDirectory)
            }
        } catch { return error.kind == .badData ? [Finding(error, at: ".git")] : [.uncheckedObjects(error)] }
        // git fsck takes what the remote of a partial clone has for sound.
        let promised = try session.promisedObjects { gitDirectory in
            git.output(of: ["rev-list", "--objects", "--all", "--missing=print"], in: gitDirectory, atMost: 64 << 20)
        }
        return [damage, promised].compactMap { $0 }
    }

    private func check(_ context: Context) throws -> (Int, Checked, [Finding]) {
        if merge { return try checkMerge(context) }
        if deep {
            guard words.isEmpty else { throw Failure(.usage, "--deep checks all versions", hint: "leave the range out") }
            return try checkDeeply(context)
        }
        let session = try context.reader()
        guard let (old, new) = try range(session, context) else {
            let answer = try session.ask(VerifyQuery.files)
            return (answer.checked, .files, answer.findings)
        }
        let answer = try session.ask(VerifyQuery.versions(from: old, to: new))
        return (answer.checked, .versions, answer.findings)
    }

    /// The versions that A..B names.
    func range(_ session: Session, _ context: Context) throws -> (old: VersionID, new: VersionID)? {
        guard words.count < 2 else {
            throw Failure(.usage, "unexpected argument '\(words[1])'", hint: "'settings verify A..B' takes one range")
        }
        guard let range = words.first else { return nil }
        guard let ends = try RangeEnds(range) else {
            throw Failure(.usage, "invalid range '\(range)': expected A..B", hint: "'settings verify \(range.shellWord)..HEAD'")
        }
        return (try context.version(ends.start, in: session).id, try context.version(ends.end, in: session).id)
    }

    private func checkMerge(_ context: Context) throws -> (Int, Checked, [Finding]) {
        guard words.count == 2, !deep else {
            throw Failure(.usage, "--merge takes BASE and HEAD", hint: "for example 'settings verify --merge main feature'")
        }
        let session = try context.reader()
        let (base, head) = (try session.ask(RevisionQuery(words[0])).id, try session.ask(RevisionQuery(words[1])).id)
        let answer = try session.ask(VerifyQuery.merge(head: head, into: base))
        return (answer.checked, .filesOfMerge, answer.findings)
    }
}
