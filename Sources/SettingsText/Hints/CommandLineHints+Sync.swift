import SettingsModel

// Problems with other repositories.

extension CommandLineHints {
    static func explanation(of problem: SyncProblem) -> Explanation {
        switch problem {
        case .isDetached:
            Explanation("HEAD is detached, so there is no branch to exchange", hint: "'git switch BRANCH' checks one out")
        case .noRemote:
            Explanation("this repository has no remote", hint: "'settings remote add NAME URL' adds one")
        case .noSuchRemote(let name, let near, let orAddress):
            Explanation(
                "there is no remote '\(name)'",
                hint: Nearest.question(near) ?? "'settings remote' lists them\(orAddress ? "; a URL or a path also works" : "")")
        case .severalRemotes(let names):
            Explanation("there are several remotes: \(some(of: names))", hint: "name one of them")
        case .remoteIsThere(let name):
            Explanation(
                "the remote '\(name)' already exists",
                hint: "choose another name, or remove it with 'settings remote remove \(name.shellWord)'")
        case .invalidRemoteName(let name):
            Explanation("'\(name)' is not a valid name for a remote", hint: "use letters and digits")
        case .noBranch(let remote, let branch, let canBeSent):
            canBeSent
                ? Explanation("\(remote) has no branch '\(branch)' yet", hint: "'settings push' sends this one")
                : Explanation(
                    "\(remote) has no branch '\(branch)'", hint: "'git ls-remote --heads \(remote)' lists those that it has")
        case .branchIsGone(let remote, let branch, let own):
            Explanation(
                "\(remote) no longer has the branch '\(branch)', which was deleted or renamed there",
                hint: "nothing was changed; 'settings sync --put-back' sends it again; "
                    + "'git config branch.\(own).merge refs/heads/NAME' follows it to another name")
        case .isUnborn(let branch, let remote):
            Explanation(
                "nothing is recorded on the branch '\(branch)' yet, and \(remote) has no branch of that name",
                hint: "record a version first, or check out another branch with 'git switch BRANCH'")
        case .unreachable(let remote, let reason, let waiting):
            Explanation(
                "\(remote) cannot be reached: \(reason)"
                    + (waiting > 0 ? "; \(counted(waiting, "version")) \(waiting == 1 ? "has" : "have") not been sent yet" : ""),
                hint: "check the network and the spelling of the address, or try again later")
        case .denied(let remote, let reason):
            Explanation(
                "\(remote) refused access: \(reason)",
                hint: reason.contains("dubious ownership")
                    ? "if you trust its owner: 'git config --global --add safe.directory PATH', with the path in quotes above"
                    : "'git ls-remote' shows whether git itself has access")
        case .transportIsNotAllowed(let transport, let remote, let isNamed): refused(transport, remote, isNamed)
        case .noRepository(let address, let name, let reason):
            Explanation(
                noRepository(address, of: name, reason),
                hint: name == nil
                    ? "check the URL or the path" : "check the URL; 'settings remote' lists those of the remotes")
        case .isBroken(let remote, let reason):
            Explanation("\(remote) sent damaged data: \(reason); nothing was changed")
        case .tooLarge(let remote, let limit):
            Explanation(
                "\(remote) sent more than \(size(limit)), which was not accepted; nothing was changed",
                hint: "raise the limit, for example with --limit 4G")
        case .isTalkative(let remote, let limit):
            Explanation("\(remote) sent more than \(size(limit)) of messages, which was not accepted; nothing was changed")
        case .gitIsTooOld(let version):
            Explanation(
                "\(version) is too old: exchanging versions needs git 2.29 or later",
                hint: "install a newer git; everything else works")
        case .bundleNeeds(let path, let missing):
            Explanation(
                "\(path) builds on version \(missing.hex), which is not in this repository; nothing was changed",
                hint: "'settings pull' the bundles that were written before it first, the oldest first")
        case .bundleIsCut(let path, let missing):
            Explanation(
                "\(path) builds on version \(missing.hex), which is in no bundle in that folder; nothing was written",
                hint: "restore the missing bundle, or write a complete one without --since-last")
        case .notWritten(let remote, let reason):
            Explanation("the data from \(remote) could not be written: \(reason); nothing was changed")
        case .isIncomplete(let remote):
            Explanation(
                "\(remote) is a shallow or partial clone, which does not have the whole history; nothing was changed",
                hint: "use the repository that it was cloned from")
        case .isOfOtherFormat(let remote):
            Explanation(
                "\(remote) is a repository of git's SHA-256 format, which settings does not support; nothing was changed")
        case .isNotSigned(let fault, let remote):
            Explanation(
                "nothing was sent to \(remote): \(words(fault)), and settings.requireSignatures requires signatures",
                hint:
                    "'git commit --amend --no-edit -S' signs the latest version, and 'git rebase --exec' with that command signs "
                    + "earlier ones; 'git config commit.gpgSign true' signs all later versions")
        case .refused(let name, let fault):
            Explanation("\(name) was not accepted: \(words(fault)); nothing was changed", hint: hint(for: fault))
        case .rewound(let remote, let versions, let count, let changes): rewound(remote, versions, count, changes)
        case .cannotFollow(let remote):
            Explanation(
                "this branch has local versions on top of those that \(remote) no longer has; nothing was changed",
                hint: "'settings sync --put-back' sends all of them again")
        case .isBehind(let remote, let count):
            Explanation(
                "\(remote) has \(counted(count, "version")) that this branch does not have; nothing was sent",
                hint: "'settings sync' merges \(count == 1 ? "it" : "them") first")
        case .rejected(let remote, let reason, let words):
            Explanation(
                "\(remote) rejected the push: \(reason)" + (words.isEmpty ? "" : "; it said: \(words.joined(separator: " "))"),
                hint: "nothing was sent, and nothing is lost here")
        case .isUnrelated(let remote, let reference):
            Explanation(
                "\(remote) and this branch have no common history",
                hint: reference.map { "'settings merge \($0) --allow-unrelated-histories' merges them anyway" }
                    ?? "check the address: only a copy of this store has the same history; to merge it anyway, add it with "
                    + "'settings remote add NAME URL' and pull from NAME")
        case .otherFile(let path, let isTracked, let name, let branch):
            Explanation(
                mustBeMergedWithGit(path, isTracked),
                hint: "'git \(branch.map { "pull \(name) \($0)" } ?? "merge \(name)")' merges everything, and the settings by "
                    + "meaning once 'settings setup' has been run here")
        case .isBundle(let remote):
            Explanation(
                "\(remote) is a bundle, which can only be read",
                hint: "'settings remote add NAME URL' adds a repository to send to; 'settings bundle FILE' writes a bundle")
        case .isCheckedOut(let remote):
            Explanation(
                "\(remote) has this branch checked out, so git does not push to it",
                hint: "pull from there, or make a bare repository: 'settings clone --bare'")
        case .hook(let hook, let path, let remote, let isNamed):
            Explanation(
                "\(path) has \(hook.hasPrefix("u") ? "an" : "a") \(hook) hook, which settings does not run",
                hint: isNamed
                    ? "'settings remote trust \(remote)' allows it; or reach the repository by ssh"
                    : "reach the repository by ssh, or push with 'git push', which runs it")
        case .hooksAreUnknown(let path):
            Explanation(
                "\(path) keeps its git directory where settings does not find it, and may have hooks, which settings does not run",
                hint: "reach the repository by ssh, or push with 'git push', which runs them")
        case .hasNoFolderForTrust:
            Explanation("cannot save which remotes are trusted: HOME is not set", hint: "set HOME or XDG_CONFIG_HOME")
        case .trustIsUnreadable(let path):
            Explanation(
                "\(path) is damaged or belongs to another user, so no remote is trusted",
                hint: "remove it, and trust the remotes again")
        case .trustIsOfLaterVersion(let path):
            Explanation(
                "\(path) has a newer format than this program supports, so no remote is trusted", hint: "use a newer 'settings'")
        case .beaten(let remote, let tries):
            Explanation("other pushes to \(remote) came first \(tries) times", hint: "try again")
        case .isNotMoved(let remote, let reason):
            Explanation(
                "\(remote) could not update its branch: \(reason)",
                hint: reason.contains(".lock'")
                    ? "if no git process is running there, one has died: remove that file, then try again"
                    : reason.contains("stale info")
                        ? "'git remote -v' shows whether you push to another repository than you pull from"
                        : "try again; if it fails again, contact the owner of that repository")
        case .folderIsThere(let path):
            Explanation("\(path) exists and is not an empty folder", hint: "name another folder")
        case .noStore(let remote):
            Explanation(
                "\(remote) does not contain a store",
                hint: "'git clone' clones any repository; 'settings init' creates a store in it")
        case .emptyRepository(let remote):
            Explanation(
                "\(remote) has no versions yet",
                hint: "'settings init' creates a store; 'settings remote add origin URL' and 'settings push' send it")
        case .nothingToBundle: Explanation("there is nothing new to bundle")
        case .cannotBundleAll(let isShallow):
            Explanation(
                "this \(isShallow ? "shallow" : "partial") clone does not have the whole history, so a bundle of it could not be cloned",
                hint: isShallow ? "'git fetch --unshallow' fetches the rest" : "use a full clone")
        case .bundleFailed(let path, let reason): Explanation("cannot write \(path): \(reason)")
        case .noPlaceForBundle(let path, let reason):
            Explanation("cannot write \(path): \(reason)", hint: "name a new file in an existing folder, or an earlier bundle")
        }
    }

    private static func refused(_ transport: String, _ remote: String, _ isNamed: Bool) -> Explanation {
        let (small, what) = (transport.lowercased(), "git refuses the transport '\(transport)' for \(remote)")
        if small != transport, ["file", "git", "http", "https", "ssh"].contains(small) {
            return Explanation(what, hint: "write '\(small)' in the address")
        }
        return Explanation(
            what,
            hint: "an address of this kind may name a program to run"
                + (isNamed ? "; 'git remote get-url \(remote)' shows what this repository's configuration says" : ""))
    }

    private static func noRepository(_ address: String, of name: String?, _ reason: String) -> String {
        let start = "there is no repository at "
        // That says no more, and names the address again.
        if reason.hasSuffix("does not appear to be a git repository") { return start + place(address, of: name, namedIn: "") }
        return start + "\(place(address, of: name, namedIn: reason)): \(reason)"
    }

    /// A remote's address, unless the reason names it.
    private static func place(_ address: String, of name: String?, namedIn reason: String) -> String {
        guard let name else { return address }
        return (reason.contains(address) ? "" : address + ", ") + "the address of \(name)"
    }

    private static func rewound(
        _ remote: String, _ versions: [Version], _ count: Int, _ changes: [[Change]]
    ) -> Explanation {
        let names = versions.enumerated().map { place, version in
            let lines = changes.indices.contains(place) ? changes[place].told.flatMap(\.lines) : []
            guard let first = lines.first else { return "\(version.id.short) \(version.message.subject)" }
            let sentence = Wording().sentence(first, name: Phrases.name(first.title, first.subject)).plain
            return "\(version.id.short) \(sentence)\(lines.count > 1 ? ", and \(lines.count - 1) more" : "")"
        }.joined(separator: "; ")
        let them = count == 1 ? "it" : "them"
        return Explanation(
            "\(remote) no longer has \(counted(count, "version")) that it had: \(names)\(count > versions.count ? "; …" : "")",
            hint:
                "nothing was changed; 'settings sync --put-back' sends \(them) again, and 'settings sync --follow' drops \(them) here"
        )
    }

    private static func hint(for fault: IncomingFault) -> String? {
        switch fault.kind {
        case .isNotSigned: "settings.requireSignatures in git's configuration requires signatures"
        // A later format, which the sender's program knows.
        case .unreadable(.file(.unreadable(let bad, _, _))) where fault.path.hasSuffix(Subject.store.path): bad.hint
        case .unreadable where !fault.path.hasSuffix("_store.json"): "it is accepted once a later version there corrects the file"
        default: nil
        }
    }

    private static func words(_ fault: IncomingFault) -> String {
        let author = fault.version.author.name.visible
        let version = "\(fault.version.id.short)\(author.isEmpty ? "" : " by \(author)")"
        let path = fault.path.visible
        return switch fault.kind {
        case .isLink: "\(path) is a symbolic link in \(version)"
        case .isSubmodule: "\(path) is a submodule in \(version)"
        case .hasBadName: "\(path) is not a valid file name in a store in \(version)"
        case .isFolder: "\(path) is a folder instead of a file in \(version)"
        case .differsByCase(let other): "\(path) and \(other.visible) differ only in case in \(version)"
        case .isTooDeep: "\(path.isEmpty ? "" : "in \(path), ")folders are nested too deeply in \(version)"
        case .isTooLarge(let limit): "\(path) is larger than \(size(limit)) in \(version)"
        case .unreadable(.file(.unreadable(let bad, _, _))):
            "\(path)\(bad.position.map { ":\($0.line):\($0.column)" } ?? "") in \(version): \(bad.reason)"
        case .unreadable(let problem): "\(version): \(reason(problem))"
        case .isNoStore: "\(path) was removed in \(version)"
        case .isNotSigned(let check): "\(version): \(Phrases.signature(check).rendered(coloured: false))"
        }
    }

    /// A key of git's configuration, which git's own files have in small letters, as its documentation writes it.
    package static func configurationKey(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return name }
        let words = [
            "sshCommand", "gitProxy", "askPass", "insteadOf", "pushInsteadOf", "sslVerify", "sslCAInfo", "sslCAPath", "sslCert",
            "sslKey", "cookieFile", "saveCookies", "proxyAuthMethod", "followRedirects", "useHttpPath",
        ]
        let key = name[name.index(after: dot)...]
        return name[...dot] + (words.first { $0.lowercased() == key } ?? String(key))
    }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private static func size(_ bytes: Int) -> String {
        bytes >= 1 << 30 && bytes % (1 << 30) == 0
            ? "\(bytes >> 30) GiB" : bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}
