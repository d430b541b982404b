import Files
import Git
import SettingsModel

/// What git said when a repository could not be reached, in kinds that a program can react to.
struct NetworkFailure {
    let answer: NetworkProgram.Answer
    let remote: Remote
    private let limit: Int
    /// Whether it was read from a file, where there is nothing to wait for.
    private let isOfBundle: Bool
    /// Its lines without the names that people chose.
    private let lines: [String]
    private let text: String
    private let places: PlacesOfMessages

    /// `here`: folders of this machine that git wrote to.
    init(
        _ answer: NetworkProgram.Answer, of remote: Remote, at address: RemoteAddress? = nil, limit: Int, here: [String]
    ) {
        (self.answer, self.remote, self.limit) = (answer, remote, limit)
        isOfBundle = address?.kind == .bundle
        let addresses = [remote.url, remote.pushURL, address?.text].compactMap(\.self)
        let there = addresses + addresses.map(Login.shown) + (address?.path.map { [$0] } ?? [])
        // A path may contain line breaks.
        places = PlacesOfMessages(here: here, there: there)
        let text = places.cut(from: answer.errors.joined(separator: "\n"))
        lines = text.split(separator: "\n").map(String.init)
        self.text = text.lowercased()
    }

    private func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }

    /// There is no such branch, which is no failure to a repository that nobody has pushed to.
    var isMissingBranch: Bool { says("couldn't find remote ref", "remote branch", "did not match any") }

    /// What this machine's system said to git: at the end of a line of git's own that names a place here, or none at all.
    private var localFailure: SystemFailure? {
        for line in lines where line.hasPrefix("fatal: ") || line.hasPrefix("error: ") {
            guard line.contains(PlacesOfMessages.here) || !line.contains("/") && !line.contains("<there>") else { continue }
            if let failure = SystemFailure.ending(line) { return failure }
        }
        return nil
    }

    var problem: Problem {
        let name = remote.shown
        if answer.isStalled {
            return .sync(.unreachable(remote: name, reason: "it has not answered for two minutes", waiting: 0))
        }
        if answer.isTalkative { return .sync(.isTalkative(remote: name, limit: NetworkProgram.talkLimit)) }
        if let version = answer.version { return .sync(.gitIsTooOld(version: version)) }
        if says("file too large", "died of signal 25") { return .sync(.tooLarge(remote: name, limit: limit)) }
        guard answer.status != nil else {
            return .sync(.unreachable(remote: name, reason: "git could not be started or was stopped", waiting: 0))
        }
        if says("mismatched algorithms", "hash algorithm") { return .sync(.isOfOtherFormat(remote: name)) }
        if says("lazy fetching disabled", "shallow roots are not allowed") { return .sync(.isIncomplete(remote: name)) }
        if let failure = localFailure {
            if failure.isExhausted { return .repository(.isOutOfResources(reason: "git: \(failure.reason)")) }
            return .sync(.notWritten(remote: name, reason: failure.reason))
        }
        if let transport = refusedTransport {
            return .sync(.transportIsNotAllowed(transport, remote: name, isNamed: remote.name != nil))
        }
        if says("receiving end does not support") {
            return .sync(.rejected(remote: name, reason: "it does not support atomic pushes", words: []))
        }
        if says("repository not exported") { return .sync(remote.noRepository(reason)) }
        if says(
            "authentication failed", "permission denied", "could not read username", "could not read password",
            "terminal prompts disabled", "host key verification failed", "access denied", "not allowed", "returned error: 403",
            "returned error: 401", "dubious ownership", "correct access rights")
            && !says(
                "does not appear to be a git repository", "does not exist", "connection refused", "could not resolve",
                "invalid gitfile format")
        {
            return .sync(.denied(remote: name, reason: reason))
        }
        if says(
            "does not appear to be a git repository", "repository not found", "does not exist", "not found", "no such file",
            "unrecognized header", "invalid gitfile format", "does not look like a v2 or v3 bundle", "remote helper",
            "not valid: is this a git repository")
        {
            return .sync(remote.noRepository(reason))
        }
        if isOfBundle {
            if let missing = missingVersion.flatMap({ VersionID(hex: $0) }) {
                return .sync(.bundleNeeds(name, missing: missing))
            }
            return .sync(.isBroken(remote: name, reason: reason))
        }
        // Before words that a host's name may hold as well.
        if says(
            "could not resolve", "connection refused", "connection timed out", "timed out after", "no route to host",
            "network is unreachable", "connection reset", "couldn't connect", "failed to connect")
        {
            return .sync(.unreachable(remote: name, reason: reason, waiting: 0))
        }
        // What git's own check refuses: such objects would stay in the store.
        if says("fsck error") { return .sync(.isBroken(remote: name, reason: reason)) }
        if says("not our ref") { return .sync(.isBroken(remote: name, reason: reason)) }
        if says("these prerequisite", "index-pack failed", "bad object", "did not send all", "unpack", "invalid", "corrupt") {
            return .sync(.isBroken(remote: name, reason: reason))
        }
        return .sync(.unreachable(remote: name, reason: reason, waiting: 0))
    }

    /// A transport that git itself does not use without the user's word.
    private var refusedTransport: String? {
        for line in answer.errors where line.hasPrefix("fatal: transport '") && line.hasSuffix("' not allowed") {
            return String(line.dropFirst("fatal: transport '".count).dropLast("' not allowed".count)).visible
        }
        return nil
    }

    /// The first version that a bundle builds on and that is not here.
    private var missingVersion: String? {
        guard let place = answer.errors.firstIndex(where: { $0 == "error: Repository lacks these prerequisite commits:" }),
            place + 1 < answer.errors.count
        else { return nil }
        let line = answer.errors[place + 1]
        return (line.hasPrefix("error: ") ? line.dropFirst(7) : line[...]).prefix { $0 != " " }.description
    }

    /// git's own sentence.
    var reason: String {
        let said = places.visible(in: answer.errors.joined(separator: "\n"))
        let lines = said.split(separator: "\n").map { line in
            var line = line[...]
            while let prefix = ["fatal: ", "error: ", "ssh: ", "remote: "].first(where: { line.hasPrefix($0) }) {
                line = line.dropFirst(prefix.count)
            }
            return line.trimmingSpaces
        }
        let isGeneral = [
            "Could not read from remote repository.", "Please make sure you have", "and the repository exists.", "warning: ",
        ]
        let found = lines.firstIndex { line in !line.isEmpty && !isGeneral.contains { line.hasPrefix($0) } }
        var line = found.map { lines[$0] } ?? lines.first ?? "git reported no reason"
        // The reason is on the next line: "127.0.0.1[0: 127.0.0.1]: errno=Connection refused".
        if line.hasSuffix(":"), let found, found + 1 < lines.count {
            let next = lines[found + 1]
            line += " " + (next.firstRange(of: "errno=").map { String(next[$0.upperBound...]) } ?? next)
        }
        return line.visible
    }
}
