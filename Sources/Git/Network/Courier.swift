package import Files
package import Base

/// A git directory of ours that fetches and pushes for a repository, so that git reads nothing of that repository but its
/// objects and references: no hook and no program that its configuration names is started.
///
/// It lies inside the repository's git directory and names the branch and the address, so that the user's own `includeIf`
/// applies. It borrows the repository's objects; what is fetched stays in it until `adopt`.
package final class Courier {
    package let path: String
    private var lock: Lock?
    private let git: GitDirectory
    package let program: NetworkProgram
    /// Of the packs that were adopted.
    private var keepFiles: [KeepFile] = []

    private init(_ path: String, _ lock: consuming Lock, _ git: GitDirectory, _ program: NetworkProgram) {
        self.path = path
        self.lock = consume lock
        self.git = git
        self.program = program
    }

    /// What is to be told to it of the repository.
    package struct Contents {
        /// The branch that is checked out, in short.
        package var branch: String
        /// What there is already, by references that are not the repository's: what the other side need not send.
        package var references: [(name: String, target: ObjectID)]
        /// For its configuration.
        package var settings: [ConfigurationEntry]

        package init(branch: String, references: [(name: String, target: ObjectID)], settings: [ConfigurationEntry]) {
            self.branch = branch
            self.references = references
            self.settings = settings
        }
    }

    /// Makes one in `folder`, this program's own inside the repository's common git directory. Those that dead processes left
    /// there are removed.
    package static func make(
        for repository: borrowing Repository, in folder: String, _ contents: Contents, _ program: NetworkProgram
    ) throws(GitError) -> Courier {
        let git = repository.git
        let place = folder + "/couriers"
        let all = try system(Lock.take(place, .exclusive, shared: git.sharedMode), for: "lock \(place)")
        guard let all else { throw GitError(.locked, "\(folder)/couriers is locked", operation: "fetch") }
        defer { withExtendedLifetime(all) {} }
        sweep(folder)
        let path = try system(FileSystem.makeTemporary(in: folder, prefix))
        do throws(GitError) {
            guard let lock = try? Lock.take(path + "/courier-lock", .exclusive, patience: 0) else {
                throw GitError(.denied, "\(path) cannot be locked", operation: "fetch")
            }
            let courier = Courier(path, lock, git, program)
            do throws(GitError) { try fill(path, for: git, contents) } catch {
                courier.remove()
                throw error
            }
            return courier
        } catch {
            try? FileSystem.removeAll(path)
            throw error
        }
    }

    private static let prefix = "courier."

    /// Removes those whose process is dead.
    private static func sweep(_ folder: String) {
        for (name, kind) in (try? FileSystem.entries(of: folder)) ?? [] where name.hasPrefix(prefix) && kind == .folder {
            let path = "\(folder)/\(name)"
            try? Lock.take(path + "/courier-lock", .exclusive, patience: 0)?.remove(folder: path)
        }
    }

    package func remove() {
        keepFiles = []
        try? lock.take()?.remove(folder: path)
    }

    private static func fill(_ path: String, for git: GitDirectory, _ contents: Contents) throws(GitError) {
        func write(_ text: String, to name: String) throws(GitError) {
            try system(FileSystem.write(Array(text.utf8), to: "\(path)/\(name)"))
        }
        for folder in ["refs", "objects", "objects/info", "objects/pack"] { try system(Folder.make("\(path)/\(folder)")) }
        try write("ref: refs/heads/\(contents.branch)\n", to: "HEAD")
        var settings = [
            ConfigurationEntry(name: "core.repositoryformatversion", value: "0"),
            ConfigurationEntry(name: "core.bare", value: "true"),
        ]
        // git gives the objects the mode that they have in the repository.
        if let shared = try? RepositoryConfiguration(git: git).configured("core.sharedRepository") {
            settings.append(ConfigurationEntry(name: "core.sharedrepository", value: shared))
        }
        try write((settings + contents.settings).map(\.text).joined(), to: "config")
        // Not by an absolute path, which could hold a line break.
        try write("../../../objects\n", to: "objects/info/alternates")
        try write(contents.references.map { "\($0.target) \($0.name)\n" }.joined(), to: "packed-refs")
        if let shallow = try system(FileSystem.bytes(of: git.commonDirectory + "/shallow", atMost: 64 << 20)) {
            try system(FileSystem.write(shallow, to: path + "/shallow"))
        }
    }

    /// Its objects, with those that it borrows, and its references. What comes in is named by git for what it contains, so
    /// that comparing objects with their ids again, a third of the work, would find nothing.
    package func open() throws(GitError) -> Repository { try Repository.open(at: path, readsOnly: true) }

    // MARK: Talking to others

    package func fetch(
        from address: RemoteAddress, _ references: [String], program named: String? = nil
    ) -> NetworkProgram.Answer {
        // With -q it would say nothing while a pack comes in, and look dead.
        var words = [
            "fetch", "--progress", "--prune", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
        ]
        if let named {
            words.append("--upload-pack=\(named)")
        } else if address.kind == .folder {
            words.append("--upload-pack=" + Self.other("upload-pack"))
        }
        return checkingPacks(of: address, in: path, run(words + ["--", address.text] + references, address))
    }

    /// Copies a branch of another repository and the tags in its history into a bare repository of the courier's own, which
    /// `openCopy` opens. Unlike after `fetch`, git need not go through all objects again to see whether any is missing: it looks
    /// when it indexes them.
    package func clone(from address: RemoteAddress, branch: String) -> NetworkProgram.Answer {
        var words = [
            "clone", "--progress", "--bare", "--no-local", "--single-branch", "--template=", "--origin=origin",
            "--branch=\(branch)",
        ]
        if address.kind == .folder { words.append("--upload-pack=" + Self.other("upload-pack")) }
        return checkingPacks(of: address, in: copy, run(words + ["--", address.text, copy], address))
    }

    /// git checks what servers send, for `fetch.fsckObjects` (see `NetworkProgram`), but 2.39 not what is in a bundle.
    private func checkingPacks(
        of address: RemoteAddress, in folder: String, _ answer: NetworkProgram.Answer
    ) -> NetworkProgram.Answer {
        guard address.kind == .bundle, answer.status == 0 else { return answer }
        let packs = folder + "/objects/pack"
        let names = (try? FileSystem.entries(of: packs).map(\.name)) ?? []
        for name in names.sorted() where name.hasSuffix(".pack") {
            let checked = program.run(["index-pack", "--verify", "--strict", "\(packs)/\(name)"], in: folder)
            if checked.status != 0 { return checked }
        }
        return answer
    }

    private var copy: String { path + "/copy" }

    /// What `clone` has copied: its branches and tags have the names that they have there.
    package func openCopy() throws(GitError) -> Repository { try Repository.open(at: copy, readsOnly: true) }

    /// Whether what was copied has ids of another kind, which libgit2 does not read.
    package var copyIsOfOtherFormat: Bool {
        let text = (try? FileSystem.bytes(of: copy + "/config", atMost: 1 << 20)).flatMap { $0 } ?? []
        return ConfigurationText(String(decoding: text, as: UTF8.self)).value(of: "objectformat", in: "extensions") != nil
    }

    /// Whether the other side itself has only the end of the history.
    package var copyIsShallow: Bool { (try? FileSystem.isThere(copy + "/shallow")) == true }

    /// Pushes commits and tags to references, all or none. `expected`: what the branch is at there.
    package func push(
        to address: RemoteAddress, _ new: ObjectID, branch: String, expecting expected: ObjectID?,
        tags: [(name: String, target: ObjectID)], startingHooks: Bool = false, program named: String? = nil
    ) -> (answer: NetworkProgram.Answer, report: PushReport) {
        var words = [
            "push", "--porcelain", "--progress", "--atomic", "--no-verify", "--no-signed",
            "--force-with-lease=refs/heads/\(branch):\(expected?.hex ?? "")",
        ]
        if let named {
            words.append("--receive-pack=\(named)")
        } else if address.kind == .folder {
            words.append("--receive-pack=" + Self.other("receive-pack", startingHooks: startingHooks))
        }
        words += ["--", address.text, "\(new):refs/heads/\(branch)"]
        words += tags.map { "\($0.target):\($0.name)" }
        let answer = run(words, address)
        return (answer, PushReport(answer.output))
    }

    /// The branches of another repository, and which of them it has checked out.
    package func list(_ address: RemoteAddress) -> NetworkProgram.Answer {
        let other = address.kind == .folder ? ["--upload-pack=" + Self.other("upload-pack")] : []
        return run(["ls-remote", "--symref"] + other + ["--", address.text, "HEAD", "refs/heads/*"], address)
    }

    /// What references of another repository name, by their full names; nil where that is not known. On this machine, half of
    /// what `fetch` takes where nothing is new.
    package func references(of address: RemoteAddress, _ patterns: [String]) -> [String: ObjectID]? {
        let other = address.kind == .folder ? ["--upload-pack=" + Self.other("upload-pack")] : []
        let answer = run(["ls-remote", "-q", "--refs"] + other + ["--", address.text] + patterns, address)
        // No more is kept of what it prints.
        guard answer.status == 0, answer.output.utf8.count < NetworkProgram.outputLimit else { return nil }
        var found: [String: ObjectID] = [:]
        for line in answer.output.split(separator: "\n") {
            let words = line.split(separator: "\t", maxSplits: 1)
            guard words.count == 2, let id = ObjectID(hex: words[0].utf8) else { return nil }
            found[String(words[1])] = id
        }
        return found
    }

    /// A command that reaches nobody: `bundle`.
    package func read(_ words: [String]) -> NetworkProgram.Answer { run(words, nil) }

    private func run(_ words: [String], _ address: RemoteAddress?) -> NetworkProgram.Answer {
        // git takes paths for the user's own word only where the user typed them.
        let isHere = address.map { $0.kind != .network } ?? false
        let isDecided = (try? RepositoryConfiguration.ofUser("protocol.file.allow")).flatMap { $0 } != nil
        return program.run(words, in: path, at: address, allowing: isHere && !isDecided ? ["protocol.file.allow=always"] : [])
    }

    /// The other side's program where that runs on this machine, as the user: it starts nothing of that repository either,
    /// unless its hooks are trusted.
    private static func other(_ command: String, startingHooks: Bool = false) -> String {
        var switches = ["core.fsmonitor=false", "core.alternateRefsCommand=true"]
        if command == "receive-pack" { switches.append("receive.autogc=false") }
        if !startingHooks {
            switches.append("core.hooksPath=/dev/null")
            if command == "receive-pack" { switches.append("receive.denyCurrentBranch=refuse") }
        }
        return "git \(switches.map { "-c \($0) " }.joined())\(command)"
    }

    /// How git rewrites addresses here, by its own word: it knows more kinds of configuration than libgit2.
    package func rewriting() -> AddressRewriting {
        let answer = read(["config", "-z", "--get-regexp", "^url\\..*\\.(push)?insteadof$"])
        return AddressRewriting(
            answer.output.split(separator: "\0").compactMap { text in
                guard let end = text.firstIndex(of: "\n") else { return nil }
                return ConfigurationEntry(name: String(text[..<end]), value: String(text[text.index(after: end)...]))
            })
    }

    // MARK: Taking over what came in

    /// Moves what was fetched into the repository: packs whole, their index last, and other objects by their names. Until `remove`
    /// the packs are kept from `git repack`, which would take away what no reference leads to. `isCopied`: by `clone`, into a
    /// repository that nobody else knows yet.
    package func adopt(_ durability: Durability, isCopied: Bool = false) throws(GitError) {
        let (from, to) = ((isCopied ? copy : path) + "/objects", git.objectFolder)
        var isNew = false
        for (folder, kind) in try system(FileSystem.entries(of: from))
        where kind == .folder && folder.utf8.count == 2 && UInt8(folder, radix: 16) != nil {
            let names = try system(FileSystem.entries(of: "\(from)/\(folder)")).map(\.name).filter { $0.utf8.count == 38 }
            isNew = isNew || !names.isEmpty
            try adopt(names, from: "\(from)/\(folder)", to: "\(to)/\(folder)", durability)
        }
        let files = try system(FileSystem.entries(of: from + "/pack")).map(\.name)
        let packs = files.filter { $0.hasPrefix("pack-") && $0.hasSuffix(".pack") }.map { String($0.dropLast(5)) }.sorted()
        guard isNew || !packs.isEmpty else { return }
        try system(Folder.make(to + "/pack", shared: git.sharedMode))
        for pack in packs {
            let keepFile = isCopied ? nil : try KeepFile.make(in: to + "/pack", git.sharedMode)
            for ending in [".pack", ".rev", ".promisor", ".idx"] where files.contains(pack + ending) {
                try move("\(from)/pack/\(pack)\(ending)", to: (keepFile?.pack ?? "\(to)/pack/\(pack)") + ending, durability)
            }
            if let keepFile { keepFiles.append(keepFile) }
        }
        if durability != .none { for folder in ["\(to)/pack", to] { try system(FileSystem.sync(folder)) } }
        try git.refreshObjects()
    }

    /// Objects that have files of their own. One that is there already is put in place anew: git takes an old one away to
    /// which no reference leads, and an empty folder as well.
    private func adopt(
        _ names: [String], from: String, to: String, _ durability: Durability, attempts: Int = 5
    ) throws(GitError) {
        try system(Folder.make(to, shared: git.sharedMode))
        do {
            for name in names where try system(FileSystem.isThere("\(from)/\(name)")) {
                try move("\(from)/\(name)", to: "\(to)/\(name)", durability)
            }
            if durability == .strict { try system(FileSystem.sync(to)) }
        } catch {
            guard error.kind == .notFound, attempts > 1 else { throw error }
            try adopt(names, from: from, to: to, durability, attempts: attempts - 1)
        }
    }

    private func move(_ old: String, to new: String, _ durability: Durability) throws(GitError) {
        if durability != .none { try system(FileSystem.sync(old)) }
        try system(FileSystem.rename(old, to: new))
    }
}
