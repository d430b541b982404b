import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report the store's setup, its safety and what maintenance is due.",
        discussion: """
            --systemd prints a service and a timer for systemd that revert versions
            which were not confirmed in time, also after a restart of the machine.

              settings doctor
              settings doctor --systemd
            """)

    @Flag(name: .long, help: "Print a systemd unit and timer that run 'settings confirm --expire'.")
    var systemd = false

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if systemd, json.json { throw ValidationError("--systemd and --json cannot be combined") }
    }

    private enum State: String {
        case fine, note, wrong
    }

    func run() throws {
        let context = Context(global)
        let session = try systemd ? context.session() : context.reader()
        if systemd {
            let timer = SystemdTimer(session.folder.path, context.environment)
            return try context.output.lines(timer.units.map { StyledText($0) })
        }
        let health = try session.ask(HealthQuery())
        let identity = Identity(environment: context.environment) { session.configured($0) }
        var rows: [(name: String, state: State, text: String)] = []
        func add(_ name: String, _ text: String, _ state: State = .fine) { rows.append((name, state, text)) }

        add("store", session.folder.path)
        if let definition = health.definition {
            add("title", definition.title?.string ?? "none")
            let policy = definition.policy
            add(
                "policy",
                "why \(policy.why.rawValue), requested by \(policy.requestedBy.rawValue), ticket \(policy.ticket.rawValue)")
        }
        for problem in health.problems { add("not checked", CommandLineHints.reason(problem), .wrong) }
        add("git", session.folder.gitDirectory ?? "none")
        if let branch = health.branch {
            add("branch", branch)
        } else {
            add("branch", "HEAD is detached; new versions will be on no branch", .note)
        }
        if let operation = health.operation { add("git is busy", "a \(operation) is in progress", .wrong) }
        if health.isShallow {
            add("history", "incomplete: this is a shallow clone; 'git fetch --unshallow' fetches the rest", .note)
        }
        if health.isPartial {
            add(
                "objects",
                "this is a partial clone, so the remote alone may have some; 'git fetch --refetch --no-filter' fetches all",
                .note)
        }
        do { add("you", try identity.author.description) } catch let failure as Failure {
            add("you", failure.reason ?? "unknown", .wrong)
        }
        if let committer = try? identity.committer {
            let (text, isWrong) = SignatureConfiguration(session, context.environment).report(as: committer)
            add("signing", text, isWrong ? .wrong : .fine)
        }
        if session.configured("user.email") == nil, context.environment["GIT_AUTHOR_EMAIL"] == nil {
            add("name", "taken from your account; set it with 'git config --global user.name' and user.email", .note)
        }
        if let driver = health.mergeDriver {
            let (text, isFine) = Self.words(driver, withoutDriver: health.withoutDriver)
            add("merging", text, isFine ? .fine : .note)
        }
        if GitProgram.path(context.environment) == nil {
            add(
                "git program",
                "git is not in PATH; exchanging versions needs it, and so does checking objects with 'settings verify --deep'",
                .note)
        }
        let safety = health.safety
        let whose = safety.source == .store ? ", set in _store.json" : ""
        switch safety.durability {
        case .strict: add("durability", "strict\(whose): every file and folder is synced before a command reports success")
        case .fast: add("durability", "fast\(whose): all is on the disk before a command reports success, in two flushes")
        case .none where safety.source == .default:
            add("durability", "none: the store is in memory, and is lost with the power", .note)
        case .none:
            add("durability", "none\(whose): a loss of power may take versions that were reported as recorded", .note)
        }
        let fsync = health.fsync
        if safety.durability == .none, safety.source != .default {
            // Without a promise of durability, git's settings don't matter.
        } else if !fsync.missing.isEmpty {
            add(
                "core.fsync",
                "git does not wait for \(fsync.missing.joined(separator: ", ")) to reach the disk, so a loss of power during"
                    + " 'git gc' can lose versions; 'settings setup' sets core.fsync", .note)
        } else if session.configured("core.fsyncMethod")?.lowercased() == "writeout-only" {
            add("core.fsync", "core.fsyncMethod is writeout-only, which does not wait for the disk", .note)
        } else {
            add("core.fsync", "\(fsync.text ?? ""): git waits until what it writes is on the disk")
        }
        let upkeep = health.storage
        add(
            "upkeep", upkeep.words + (upkeep.isDue ? ": packing is due: run 'settings maintain'" : "; nothing is due"),
            upkeep.isDue ? .note : .fine)
        let (files, all) = (health.verified.checked, health.verified.findings)
        let findings = all.filter { $0.kind == .problem }
        add(
            "files",
            findings.isEmpty
                ? "\(files), all readable" : "\(findings.count) of \(files) cannot be read; 'settings verify' lists them",
            findings.isEmpty ? .fine : .wrong)
        let disagreements = all.count { $0.kind == .disagreement }
        if disagreements > 0 {
            let count = disagreements == 1 ? "1 file" : "\(disagreements) files"
            add("index", "\"selected\" and \"value\" disagree in \(count); 'settings verify' shows what is selected there", .note)
        }
        if let draft = health.draft {
            let edits = draft.edited.count + draft.rewritten.count
            add(
                "draft",
                edits == 0
                    ? "no unrecorded edits"
                    : "\(edits) file\(edits == 1 ? "" : "s") edited by hand; 'settings status' lists them",
                edits == 0 ? .fine : .note)
        }

        for found in try session.ask(RemotesQuery(context.environment.trust)) {
            let state = context.phrases.state(ahead: found.ahead, behind: found.behind, reached: found.reached)
            let waits = (found.ahead ?? 0) > 0 || (found.behind ?? 0) > 0
            let signing = session.userConfigured("push.gpgSign").map {
                "; push.gpgSign is \($0), but settings does not sign pushes"
            }
            add(
                "remote \(found.remote.shown)", "\(state), \(found.remote.shownURL)\(signing ?? "")",
                waits || found.behind == nil ? .note : .fine)
        }

        let (open, problem) = try session.openConfirmations()
        if let problem { add("to confirm", "not known: \(CommandLineHints.reason(problem))", .note) }
        for (confirmation, _) in open {
            let (id, subject) = (confirmation.version.id.short, confirmation.version.message.subject)
            let state = context.phrases.state(of: confirmation).rendered(coloured: false)
            add("to confirm", "\(id), \(subject): \(state)", .note)
        }
        if open.contains(where: { [.waiting, .expired].contains($0.confirmation.state) }) {
            let timer = SystemdTimer(session.folder.path, context.environment)
            add("restart", timer.afterRestart, timer.isEnabled ? .fine : .note)
        }

        if json.json {
            let checks = rows.map {
                JSON.object(["name": .string($0.name), "state": .string($0.state.rawValue), "text": .string($0.text)])
            }
            try context.output.json(Reports.document(["checks": .array(checks)]))
        } else {
            let table = rows.map { row in
                [StyledText(row.name, .faint), StyledText(row.state == .fine ? "" : "! ", .warning).adding(row.text)]
            }
            try context.output.lines(Phrases.table(table))
        }
        if rows.contains(where: { $0.state == .wrong }) { throw Failure(.badData) }
    }
}
