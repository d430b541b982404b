import SettingsModel

// Problems with other repositories.

extension CommandLineHints {
    static func explanation(of problem: SyncProblem) -> Explanation {
        switch problem {
        case .isDetached:
            Explanation("HEAD is detached, so there is no branch to exchange", hint: "'git switch BRANCH' checks one out")
        case .noRemote:
            Explanation("this repository has no remote", hint: "'settings remote add NAME URL' adds one")
        case .noSuchRemote(let name, let near):
            Explanation(
                "there is no remote '\(name)'", hint: guess(near) ?? "'settings remote' lists them; a URL or a path also works")
        case .severalRemotes(let names):
            Explanation("there are several remotes: \(some(of: names))", hint: "name one of them")
        case .remoteIsThere(let name):
            Explanation(
                "there is a remote '\(name)' already", hint: "'settings remote remove \(name)' removes it; choose another name")
        case .invalidRemoteName(let name):
            Explanation("'\(name)' is not a valid name for a remote", hint: "use letters and digits")
        case .noBranch(let remote, let branch):
            Explanation("\(remote) has no branch '\(branch)' yet", hint: "'settings push' sends this one")
        case .branchIsGone(let remote, let branch, let own):
            Explanation(
                "\(remote) no longer has the branch '\(branch)', which was deleted or renamed there",
                hint: "nothing was changed; 'settings sync --put-back' sends it again; "
                    + "'git config branch.\(own).merge refs/heads/NAME' follows it to another name")
        case .unreachable(let remote, let reason, let waiting):
            Explanation(
                "\(remote) cannot be reached: \(reason)"
                    + (waiting > 0 ? "; \(counted(waiting, "version")) wait\(waiting == 1 ? "s" : "") to be sent" : ""),
                hint: "try again later; everything else works without it")
        case .denied(let remote, let reason):
            Explanation(
                "\(remote) refused access: \(reason)",
                hint: reason.contains("dubious ownership")
                    ? "if you trust its owner: 'git config --global --add safe.directory PATH', with the path in quotes above"
                    : "'git ls-remote' shows whether git itself gets in")
        case .noRepository(let remote, let reason):
            Explanation(
                "there is no repository at \(remote): \(reason)",
                hint: "check the URL; 'settings remote' lists those of the remotes")
        case .isBroken(let remote, let reason):
            Explanation("what \(remote) sent is damaged: \(reason)", hint: "nothing was changed")
        case .tooLarge(let remote, let limit):
            Explanation(
                "\(remote) sent more than \(size(limit)), which was not accepted",
                hint: "nothing was changed; --limit accepts more, such as --limit 4G")
        case .gitIsTooOld(let version):
            Explanation(
                "\(version) is too old: exchanging versions needs git 2.29 or later", hint: "install a newer git; all else works")
        case .bundleNeeds(let path, let missing):
            Explanation(
                "\(path) builds on version \(missing.hex), which is not here",
                hint: "nothing was changed; 'settings pull' the bundles that were written before it first, the oldest first")
        case .bundleIsCut(let path, let missing):
            Explanation(
                "\(path) builds on version \(missing.hex), which no bundle beside it has",
                hint: "nothing was written; put the missing bundle back, or write a whole one without --since-last")
        case .notWritten(let remote, let reason):
            Explanation("what \(remote) sent could not be written: \(reason)", hint: "nothing was changed")
        case .isIncomplete(let remote):
            Explanation(
                "\(remote) is a shallow or partial clone, which does not have the whole history",
                hint: "nothing was changed; use the repository that it was cloned from")
        case .isOfOtherFormat(let remote):
            Explanation(
                "\(remote) is a repository of git's SHA-256 format, which settings does not support", hint: "nothing was changed")
        case .refused(let name, let fault):
            Explanation("\(name) was not accepted: \(words(fault))", hint: "nothing was changed\(more(fault))")
        case .rewound(let remote, let versions, let count): rewound(remote, versions, count)
        case .cannotFollow(let remote):
            Explanation(
                "this branch has versions of its own on top of those that \(remote) has lost",
                hint: "nothing was changed; '--put-back' sends all of them again")
        case .isBehind(let remote, let count):
            Explanation(
                "\(remote) has \(counted(count, "version")) that this branch does not have",
                hint: "nothing was sent; 'settings sync' merges them first")
        case .rejected(let remote, let reason, let words):
            Explanation(
                "\(remote) rejected the push: \(reason)" + (words.isEmpty ? "" : "; it said: \(words.joined(separator: " "))"),
                hint: "nothing was sent, and nothing is lost here")
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
        case .hasNoFolderForTrust:
            Explanation("there is no folder to remember what is trusted in", hint: "set HOME or XDG_CONFIG_HOME")
        case .trustIsUnreadable(let path):
            Explanation(
                "\(path) is damaged or belongs to another user, so nothing is trusted",
                hint: "remove it, and trust the remotes again")
        case .trustIsOfLaterVersion(let path):
            Explanation(
                "\(path) is in a later format than this program knows, so nothing is trusted", hint: "use a newer 'settings'")
        case .beaten(let remote, let tries):
            Explanation("others were faster \(tries) times in pushing to \(remote)", hint: "try again")
        case .folderIsThere(let path):
            Explanation("\(path) exists and is not an empty folder", hint: "name another folder")
        case .noStore(let remote):
            Explanation(
                "\(remote) holds no store", hint: "'git clone' clones any repository; 'settings init' creates a store in it")
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
        }
    }

    private static func rewound(_ remote: String, _ versions: [Version], _ count: Int) -> Explanation {
        let names = versions.map { "\($0.id.short) \($0.message.subject)" }.joined(separator: "; ")
        return Explanation(
            "\(remote) has lost \(counted(count, "version")) that it had: \(names)\(count > versions.count ? "; …" : "")",
            hint: "nothing was changed; '--put-back' sends \(count == 1 ? "it" : "them") again, '--follow' drops "
                + "\(count == 1 ? "it" : "them") here, too")
    }

    private static func more(_ fault: IncomingFault) -> String {
        guard case .isNotSigned = fault.kind else { return "" }
        return "; settings.requireSignatures in git's configuration asks for signatures"
    }

    private static func words(_ fault: IncomingFault) -> String {
        let author = fault.version.author.name.visible
        let version = "\(fault.version.id.short)\(author.isEmpty ? "" : " by \(author)")"
        let what =
            switch fault.kind {
            case .isLink: "\(fault.path.visible) is a symbolic link"
            case .isSubmodule: "\(fault.path.visible) is a submodule"
            case .hasBadName: "\(fault.path.visible) is not a valid file name in a store"
            case .isFolder: "\(fault.path.visible) is a folder, where a store has a file,"
            case .differsByCase(let other): "\(fault.path.visible) and \(other.visible) differ only in case"
            case .isTooDeep: "\(fault.path.isEmpty ? "" : "in \(fault.path.visible), ")folders are nested too deep"
            case .isTooLarge(let limit): "\(fault.path.visible) is larger than \(size(limit))"
            case .unreadable(let problem): reason(problem)
            case .isNoStore: "\(fault.path.visible) was removed"
            case .isNotSigned(let check): Phrases.signature(check).rendered(coloured: false)
            }
        if case .isNotSigned = fault.kind { return "\(version): \(what)" }
        return "\(what) in \(version)"
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
            ? "\(bytes >> 30) GiB" : bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    }
}
