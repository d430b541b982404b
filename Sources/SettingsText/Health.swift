package import SettingsModel

// What 'doctor' prints.

/// One thing that 'doctor' looked at, and what it found.
package struct HealthCheck: Sendable {
    package enum State: String, Sendable {
        case fine, note, wrong
    }

    package var name: String
    package var text: String
    package var state: State

    init(_ name: String, _ text: String, _ state: State = .fine) {
        self.name = name
        self.text = text
        self.state = state
    }
}

extension HealthCheck {
    /// The store, its repository, and what git is doing there.
    package static func store(_ health: StoreHealth) -> [HealthCheck] {
        var checks = [HealthCheck("store", health.path)]
        if let definition = health.definition {
            checks.append(HealthCheck("title", definition.title?.string ?? "none"))
            let policy = definition.policy
            checks.append(
                HealthCheck(
                    "policy",
                    "why \(policy.why.rawValue), requested by \(policy.requestedBy.rawValue), ticket \(policy.ticket.rawValue)"))
        }
        checks += health.problems.map { HealthCheck("not checked", CommandLineHints.reason($0), .wrong) }
        checks.append(HealthCheck("git", health.gitDirectory ?? "none"))
        checks.append(
            health.branch.map { HealthCheck("branch", $0) }
                ?? HealthCheck("branch", "HEAD is detached; new versions will be on no branch", .note))
        if let operation = health.operation {
            checks.append(HealthCheck("git is busy", "a \(operation) is in progress", .wrong))
        }
        if health.isShallow {
            checks.append(
                HealthCheck(
                    "history", "incomplete: this is a shallow clone; \(CommandLineHints.unshallow)", .note))
        }
        if health.isPartial {
            checks.append(
                HealthCheck(
                    "objects",
                    "this is a partial clone, so some may be only on the remote; 'git fetch --refetch --no-filter' fetches all",
                    .note))
        }
        return checks
    }

    /// Who would record a version; or why nobody could.
    package static func author(_ author: Person?, unknown reason: String? = nil) -> HealthCheck {
        author.map { HealthCheck("you", $0.description) } ?? HealthCheck("you", reason ?? "unknown", .wrong)
    }

    /// Where git's configuration does not say who somebody is.
    package static let unnamed = HealthCheck(
        "name", "taken from your account; set it with 'git config --global user.name' and user.email", .note)

    /// What signs versions, tags or both. `isMissing`: the file of the key.
    package static func signing(
        _ signed: [String], _ format: SignatureFormat, key: String, isMissing: Bool, by program: String, knowsSigners: Bool,
        isRequired: Bool
    ) -> HealthCheck {
        let what = signed.joined(separator: " and ")
        if isMissing {
            return HealthCheck("signing", "\(what) are signed, but the key \(key) is missing" + required(isRequired), .wrong)
        }
        let signers = "; to see who signed, set gpg.ssh.allowedSignersFile"
        return HealthCheck(
            "signing",
            "\(what) are signed with the \(format.rawValue) key \(key) by \(program)"
                + (format == .ssh && !knowsSigners ? signers : "") + required(isRequired))
    }

    package static func unsigned(isRequired: Bool) -> HealthCheck {
        HealthCheck("signing", "versions are not signed; commit.gpgSign is not set" + required(isRequired))
    }

    package static func cannotSign(_ problem: SigningProblem, isRequired: Bool) -> HealthCheck {
        HealthCheck("signing", CommandLineHints.reason(.signing(problem)) + required(isRequired), .wrong)
    }

    private static func required(_ isRequired: Bool) -> String {
        isRequired ? "; versions from elsewhere have to be signed" : ""
    }

    package static let noGit = HealthCheck(
        "git program",
        "git is not in PATH; exchanging versions needs it, and so does checking objects with 'settings verify --deep'", .note)

    /// How git merges the store's files, and whether that is by meaning.
    package static func merging(_ health: StoreHealth) -> [HealthCheck] {
        guard let driver = health.mergeDriver else { return [] }
        let files = health.withoutDriver
        func note(_ text: String) -> [HealthCheck] { [HealthCheck("merging", text, .note)] }
        switch driver.state {
        case _ where !driver.isNamed:
            return note(
                "git merges the store's files as text, because .gitattributes does not name the merge driver; run 'settings setup' "
                    + "to merge by meaning")
        case .foreign:
            return note("git merges the store's files with another program; run 'settings setup' to replace it")
        case .outdated:
            return note(
                "git merges the store's files by meaning, but only where it finds 'settings'; run 'settings setup' to update it")
        case .lost(let program):
            return note(
                "git merges the store's files as text, because its merge driver runs \(program.visible), which does not exist; run "
                    + "'settings setup\(driver.isOfUser ? " --global" : "")' to replace it")
        case .current where !files.isEmpty:
            return note(
                "git merges \(CommandLineHints.some(of: files)) as text, because its attributes do not name the merge "
                    + "driver for \(files.count > 1 ? "them" : "it"); 'git check-attr merge FILE' shows the value")
        case .current:
            let words =
                "git merges the store's files by meaning\(driver.isOfUser ? ", in all your clones" : ""); 'git am', "
                + "'rebase --apply' and merges of several branches at once merge them as text"
            return [HealthCheck("merging", words)]
        case .missing:
            return note(
                "git merges the store's files as text in this clone; run 'settings setup' to merge by meaning, or 'settings setup "
                    + "--global' for all your clones")
        }
    }

    /// What outlasts a loss of power.
    package static func durability(_ health: StoreHealth) -> [HealthCheck] {
        let whose = health.durabilitySource == .store ? ", set in _store.json" : ""
        switch health.durability {
        case .strict:
            return [
                HealthCheck("durability", "strict\(whose): every file and folder is synced before a command reports success"),
                waiting(of: health.fsync),
            ]
        case .fast:
            return [
                HealthCheck("durability", "fast\(whose): everything is on disk before a command reports success, in two flushes"),
                waiting(of: health.fsync),
            ]
        case .none where health.durabilitySource == .default:
            return [
                HealthCheck("durability", "none: the store is in memory, and is lost with the power", .note),
                waiting(of: health.fsync),
            ]
        case .none:
            // Without a promise of durability, git's settings don't matter.
            let words = "none\(whose): after a loss of power, versions that were reported as recorded may be lost"
            return [HealthCheck("durability", words, .note)]
        }
    }

    private static func waiting(of fsync: StoreHealth.Fsync) -> HealthCheck {
        if !fsync.missing.isEmpty {
            return HealthCheck(
                "core.fsync",
                "git does not wait for \(fsync.missing.joined(separator: ", ")) to reach the disk, so a loss of power during"
                    + " 'git gc' can lose versions; 'settings setup' sets core.fsync", .note)
        }
        if fsync.method?.lowercased() == "writeout-only" {
            return HealthCheck("core.fsync", "core.fsyncMethod is writeout-only, which does not wait for the disk", .note)
        }
        return HealthCheck("core.fsync", "\(fsync.text ?? ""): git waits until what it writes is on the disk")
    }

    /// What is due, and which files are not as they should be.
    package static func upkeep(_ health: StoreHealth) -> [HealthCheck] {
        let storage = health.storage
        let due = storage.isDue ? ": packing is due: run 'settings maintain'" : "; nothing is due"
        var checks = [HealthCheck("upkeep", Phrases.words(storage) + due, storage.isDue ? .note : .fine)]
        let problems = health.findings.count { $0.kind == .problem }
        checks.append(
            problems == 0
                ? HealthCheck("files", "\(health.checked), all readable")
                : HealthCheck(
                    "files", "\(problems) of \(health.checked) cannot be read; 'settings verify' lists them", .wrong))
        let disagreements = health.findings.count { $0.kind == .disagreement }
        if disagreements > 0 {
            let files = CommandLineHints.counted(disagreements, "file")
            let words = "\"selected\" and \"value\" disagree in \(files); 'settings verify' shows what is selected there"
            checks.append(HealthCheck("index", words, .note))
        }
        guard let draft = health.draft else { return checks }
        let edits = draft.edited.count + draft.rewritten.count
        let words = "\(CommandLineHints.counted(edits, "file")) edited by hand; 'settings status' lists them"
        checks.append(edits == 0 ? HealthCheck("draft", "no unrecorded edits") : HealthCheck("draft", words, .note))
        return checks
    }
}

extension Phrases {
    /// The versions that have to be confirmed, or why they aren't known. `restart`: what reverts them after one, in a sentence,
    /// and whether a timer does.
    package func checks(
        _ open: [(confirmation: Confirmation, changes: VersionChanges)], _ problem: Problem?,
        restart: () -> (words: String, isByTimer: Bool)
    ) -> [HealthCheck] {
        var checks: [HealthCheck] = []
        if let problem { checks.append(HealthCheck("to confirm", "not known: \(CommandLineHints.reason(problem))", .note)) }
        for (confirmation, _) in open {
            let (id, subject) = (confirmation.version.id.short, confirmation.version.message.subject)
            let state = state(of: confirmation).rendered(coloured: false)
            checks.append(HealthCheck("to confirm", "\(id), \(subject): \(state)", .note))
        }
        if open.contains(where: { [.waiting, .expired].contains($0.confirmation.state) }) {
            let (words, isByTimer) = restart()
            checks.append(HealthCheck("restart", words, isByTimer ? .fine : .note))
        }
        return checks
    }

    /// How a store is kept.
    package static func words(_ storage: Storage) -> String {
        let bytes = storage.packedBytes
        let size = bytes < 1 << 20 ? "\(bytes >> 10) KB" : "\(bytes >> 20) MB"
        let packs =
            storage.packs == 0 ? "no packs" : storage.packs == 1 ? "1 pack of \(size)" : "\(storage.packs) packs of \(size)"
        let loose = storage.loose == 0 ? "few" : "about \(storage.loose)"
        return "\(packs), \(loose) loose objects, \(storage.hasCommitGraph ? "a" : "no") commit-graph"
    }

    package static func maintained(_ work: Storage.Work, to after: Storage) -> PrintedLine {
        .done("\(words(work)): \(words(after))")
    }

    static func words(_ work: Storage.Work) -> String {
        switch work {
        case .nothingIsDue: "nothing is due"
        case .onlyIndex: "the index is up to date"
        case .packedByGit: "packed by git"
        case .packed(let count):
            "\(count) objects packed by libgit2; git, which is not installed, would make smaller packs"
        }
    }

    package static func lines(_ checks: [HealthCheck]) -> [StyledText] {
        table(
            checks.map { check in
                [StyledText(check.name, .faint), StyledText(check.state == .fine ? "" : "! ", .warning).adding(check.text)]
            })
    }
}

extension Reports {
    package func storage(_ storage: Storage) -> JSON {
        .object([
            "looseObjects": .number(storage.loose), "packs": .number(storage.packs),
            "packedBytes": .number(storage.packedBytes), "commitGraph": .bool(storage.hasCommitGraph),
        ])
    }

    package func maintained(_ work: Storage.Work, from before: Storage, to after: Storage) -> JSON {
        Reports.document(["done": .string(Phrases.words(work)), "before": storage(before), "after": storage(after)])
    }

    package static func document(_ checks: [HealthCheck]) -> JSON {
        document([
            "checks": .array(
                checks.map {
                    .object(["name": .string($0.name), "state": .string($0.state.rawValue), "text": .string($0.text)])
                })
        ])
    }
}
