import Files
import SettingsModel
import SettingsStore
import SettingsText

/// 'watch' while it runs: looks, reports, runs the command, and waits for something to happen.
final class WatchLoop {
    private typealias Instant = ContinuousClock.Instant

    /// What has kept the store from being read since when.
    private struct Trouble {
        var problem: Problem
        var since: Instant
        /// The one that was reported.
        var reported: Problem?
    }

    private let wish: WatchRequest
    private let watcher: Watcher
    private let drafts: DraftWatcher?
    private let reporter: WatchReporter
    private var command: WatchedCommand?

    /// The last version that was looked at.
    private var last: VersionID?
    private var draft: Draft?
    private var changes = 0
    private var trouble: Trouble?
    /// When something is to be done next; nil for never.
    private var nextLook: Instant?
    private var nextDraft: Instant?
    private var nextBookmark: Instant?
    private var hasReportedPolling = false

    init(
        _ wish: WatchRequest, _ watcher: Watcher, _ drafts: DraftWatcher?, _ reporter: WatchReporter, _ command: WatchedCommand?
    ) {
        self.wish = wish
        self.watcher = watcher
        self.drafts = drafts
        self.reporter = reporter
        self.command = command
    }

    /// Ends where the person wants it, or throws.
    func run(since start: VersionID?) throws {
        Interrupts.note()
        do {
            try begin(since: start)
            while !isDone {
                Interrupts.takeHints()
                if let signal = Interrupts.signal { return end(by: signal) }
                try step()
            }
            command?.end()
        } catch is Output.Closed {
            if let signal = Interrupts.signal { return end(by: signal) }
            command?.end()
            guard Program.output.failed == nil else { throw Output.Closed() }
            // As a program that the signal of a closed pipe ends.
            ThisProcess.end(bySignal: Self.closedPipe)
        } catch {
            command?.end()
            throw error
        }
    }

    private static let closedPipe: Int32 = 13
    /// What is reported only if it stays.
    private static let patience = Duration.seconds(1)
    private static let retry = Duration.milliseconds(100)

    private var isDone: Bool {
        guard wish.once else { return false }
        if let command { return command.runs > 0 && !command.isRunning }
        return changes > 0
    }

    private func end(by signal: Int32) {
        command?.end()
        // A hang-up and Ctrl-\ are no orderly ends.
        if !Interrupts.isOrderly(signal) { ThisProcess.end(bySignal: signal) }
    }

    private func begin(since start: VersionID?) throws {
        let tip = try watcher.tip()
        last = start ?? tip
        command?.begin(at: last)
        reporter.begin(try watcher.branch, at: last)
        let now = ContinuousClock.now
        if wish.initial, let tip {
            let state = try watcher.state(at: tip)
            try reporter.state(state, at: tip)
            if command != nil { try startCommand { try command?.run(with: state, at: tip, reporter.now) } }
        }
        try reporter.flush()
        nextLook = now
        if drafts != nil { nextDraft = now }
        if reporter.isJSON, wish.bookmark > .zero { nextBookmark = now + wish.bookmark }
    }

    private func step() throws {
        let now = ContinuousClock.now
        if let due = nextLook, due <= now { try look(now) }
        if isDone { return }
        if let due = nextDraft, due <= now { try lookAtDraft(now) }
        if let due = nextBookmark, due <= now {
            try reporter.bookmark(last)
            nextBookmark = now + wish.bookmark
        }
        try stepCommand(now)
        try reporter.flush()
        if !isDone { try wait() }
    }

    private func wait() throws {
        var due = [nextLook, nextDraft, nextBookmark].compactMap { $0 }
        if let command, !command.isRunning, let next = command.due { due.append(next) }
        let inputs = [Interrupts.descriptor, watcher.descriptor, drafts?.descriptor].compactMap { $0 }
        let ready = Readiness.wait(
            reading: inputs, writing: ThisProcess.standardOutput, atMost: due.min().map { max($0 - .now, .zero) })
        if ready.isClosed { throw Output.Closed() }
        let now = ContinuousClock.now
        if let descriptor = watcher.descriptor, ready.readable.contains(descriptor), watcher.takeHint() { nextLook = now }
        if let drafts, let descriptor = drafts.descriptor, ready.readable.contains(descriptor), drafts.takeHint() {
            nextDraft = min(nextDraft ?? now + wish.debounce, now + wish.debounce)
        }
    }

    private func look(_ now: Instant) throws {
        nextLook = wish.poll > .zero ? now + wish.poll : nil
        do {
            var hasMore = true
            while hasMore && Interrupts.signal == nil && !isDone {
                let news = try watcher.changes(since: last)
                for event in news.events where !isDone { try report(event, now) }
                last = news.id
                hasMore = news.hasMore
                try reporter.flush()
            }
            trouble = nil
        } catch let problem as Problem {
            try meet(problem, now)
        }
        try reportPolling()
    }

    private func report(_ event: StoreEvent, _ now: Instant) throws {
        try reporter.event(event)
        changes += 1
        if case .rewritten(let rewriting) = event, rewriting.changes?.isEmpty == true { return }
        command?.gather(reporter.reports.event(event, at: reporter.now), at: now)
    }

    /// What can't be read now may be in a moment: somebody is writing it, or removing all of it.
    private func meet(_ problem: Problem, _ now: Instant) throws {
        var trouble = trouble ?? Trouble(problem: problem, since: now)
        if case .repository(.isGone) = problem, trouble.problem == problem, trouble.since < now { throw problem }
        trouble.problem = problem
        let isLasting = now - trouble.since >= Self.patience
        if isLasting, trouble.reported != problem {
            try reporter.trouble(problem, in: last)
            trouble.reported = problem
        }
        self.trouble = trouble
        nextLook = now + (isLasting ? max(wish.poll, Self.patience) : Self.retry)
    }

    private func reportPolling() throws {
        guard let failure = watcher.failure, !hasReportedPolling else { return }
        hasReportedPolling = true
        guard wish.poll > .zero else {
            throw Failure(.busy, "cannot watch folders: \(failure.reason)", hint: "poll instead, with --poll 5s")
        }
        let interval = TimeSpan(milliseconds: Int64(wish.poll / .milliseconds(1))).words
        reporter.warn("cannot watch folders (\(failure.reason)); polling every \(interval) instead")
    }

    private func lookAtDraft(_ now: Instant) throws {
        guard let drafts else { return }
        nextDraft = wish.poll > .zero ? now + wish.poll : nil
        do {
            let found = try drafts.draft()
            let isSame = found.changes == draft?.changes && found.unreadable == draft?.unreadable
            let isNone = draft == nil && found.changes.isEmpty && found.unreadable.isEmpty
            draft = found
            if isSame || isNone { return }
            try reporter.draft(found, since: last)
            changes += 1
        } catch let problem as Problem {
            // Reading the versions meets the same, and reports it.
            nextDraft = now + Self.patience
            if case .repository = problem { return }
            try reporter.trouble(problem, in: last)
        }
    }

    private func stepCommand(_ now: Instant) throws {
        if let ending = command?.takeEnding(), ending != .exited(0) { try fail(ending) }
        guard let command, !command.isRunning, !isDone, let due = command.due, due <= now, let last else { return }
        do {
            try startCommand { try self.command?.run(upTo: last, watcher, reporter.now) }
        } catch let problem as Problem {
            self.command?.postpone(to: now + Self.patience)
            try reporter.trouble(problem, in: last)
        }
    }

    private func startCommand(_ run: () throws -> Void) throws {
        do { try run() } catch let failure as SystemFailure { try fail(.notStarted(failure)) }
    }

    private func fail(_ ending: CommandLineHints.CommandEnding) throws {
        let reason = CommandLineHints.failure(of: ending, command?.name ?? "")
        guard wish.exitOnError else { return reporter.warn(reason) }
        switch ending {
        case .notStarted, .exited(126), .exited(127): throw Failure(.unavailable, reason)
        case .exited, .killed: throw Failure(.no, reason)
        }
    }
}
