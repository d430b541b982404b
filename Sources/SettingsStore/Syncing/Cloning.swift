import Files
import Git
package import SettingsModel

/// A copy of another repository to be made.
package struct CloneWish: Sendable {
    package var url: String
    /// The folder of the copy, an absolute path.
    package var path: String
    /// Nil for the branch that the repository has checked out.
    package var branch: String?
    package var isBare: Bool
    /// How to run this program, for git.
    package var program: String
    /// What relative addresses count from.
    package var folder: String
    /// What checks that every version is signed; nil where that is not asked for.
    package var signatures: SignaturePrograms?
    /// In whose zone signatures are checked.
    package var clock: Clock

    package init(url: String, path: String, branch: String?, isBare: Bool, program: String, folder: String, _ clock: Clock) {
        (self.url, self.path, self.branch, self.isBare) = (url, path, branch, isBare)
        (self.program, self.folder, self.clock) = (program, folder, clock)
    }
}

/// What was cloned.
package struct Cloned: Sendable {
    package var branch: String
    package var version: Version
    /// The folders of stores in it, from its root; an empty one for the root itself.
    package var stores: [String]
}

extension Store {
    /// Copies another repository: its objects and references, checked, and nothing else of it. Where this throws, there is no
    /// folder.
    package static func clone(_ wish: CloneWish, by program: NetworkProgram, _ done: Done) throws(Problem) -> Cloned {
        if let kind = FileSystem.kind(of: wish.path) {
            guard kind == .folder, try onDisk(FileSystem.entries(of: wish.path)).isEmpty else {
                throw .sync(.folderIsThere(wish.path))
            }
        }
        let parent = FileSystem.folder(of: wish.path)
        try onDisk(Folder.make(parent))
        let work = try onDisk(WorkFolder.make(in: parent, ".settings-clone-"))
        let clone = work.path + "/clone"
        let made = try Cloning(wish, program, done).clone(in: clone)
        try onDisk(FileSystem.rename(wish.isBare ? clone + "/.git" : clone, to: wish.path))
        try onDisk(FileSystem.sync(parent))
        if !wish.isBare, let first = made.stores.first {
            let folder = StoreFolder(path: first.isEmpty ? wish.path : "\(wish.path)/\(first)")
            try open(folder).configureGit(program: wish.program)
        }
        return made
    }
}

/// Makes a copy in a folder that nobody knows yet.
private struct Cloning {
    let wish: CloneWish
    let program: NetworkProgram
    let done: Done

    init(_ wish: CloneWish, _ program: NetworkProgram, _ done: Done) {
        (self.wish, self.program, self.done) = (wish, program, done)
    }

    private var remote: Remote { Remote(name: nil, url: wish.url, pushURL: nil, branch: wish.branch ?? "") }
    private var shown: String { remote.shown }

    func clone(in path: String) throws(Problem) -> Cloned {
        let repository = try git(Repository.create(at: path, branch: wish.branch ?? "main"))
        let own = OwnFiles(in: repository.git.gitDirectory).folder
        try onDisk(Folder.make(own))
        let contents = Courier.Contents(
            branch: wish.branch ?? "main", references: [],
            settings: [ConfigurationEntry(name: "remote.origin.url", value: wish.url)])
        let courier = try git(Courier.make(for: repository, in: own, contents, program))
        let address = RemoteAddress(wish.url, from: wish.folder, courier.rewriting())
        try BundleHeader.check(address, remote)
        let branch = try fetch(courier, address)
        let (cloned, references) = try check(courier, branch, path)
        try git(courier.adopt(.strict, isCopied: true))
        courier.remove()
        try finish(repository, path, address, cloned, references)
        return cloned
    }

    /// Returns the branch, in short.
    private func fetch(_ courier: Courier, _ address: RemoteAddress) throws(Problem) -> String {
        let branch: String
        if let wanted = wish.branch { branch = wanted } else { branch = try mainBranch(courier, address) }
        let answer = courier.clone(from: address, branch: branch)
        guard answer.status == 0 else {
            let failure = failure(answer, courier, address)
            throw failure.isMissingBranch ? missing(branch) : failure.problem
        }
        return branch
    }

    private func failure(_ answer: NetworkProgram.Answer, _ courier: Courier, _ address: RemoteAddress) -> NetworkFailure {
        NetworkFailure(answer, of: remote, at: address, limit: program.limit, here: [courier.path, wish.path, wish.folder])
    }

    private func missing(_ branch: String) -> Problem { .sync(.noBranch(remote: shown, branch: branch, canBeSent: false)) }

    /// The branch that is checked out there.
    private func mainBranch(_ courier: Courier, _ address: RemoteAddress) throws(Problem) -> String {
        let answer = courier.list(address)
        guard answer.status == 0 else {
            throw failure(answer, courier, address).problem
        }
        var (head, branches): (String?, [(name: String, id: String)]) = (nil, [])
        for line in answer.output.split(separator: "\n") {
            let words = line.split(separator: "\t").map(String.init)
            guard words.count == 2 else { continue }
            if words[1] == "HEAD" {
                if words[0].hasPrefix("ref: refs/heads/") { return String(words[0].dropFirst("ref: refs/heads/".count)) }
                head = words[0]
            } else if words[1].hasPrefix("refs/heads/") {
                branches.append((String(words[1].dropFirst("refs/heads/".count)), words[0]))
            }
        }
        guard let found = branches.first(where: { $0.id == head }) ?? branches.first else {
            throw .sync(.emptyRepository(remote: shown))
        }
        return found.name
    }

    /// Checks every store that the last version has. Returns what was cloned, and all references that it gets.
    private func check(
        _ courier: Courier, _ branch: String, _ path: String
    ) throws(Problem) -> (cloned: Cloned, references: [(name: String, target: ObjectID)]) {
        if courier.copyIsOfOtherFormat { throw .sync(.isOfOtherFormat(remote: shown)) }
        if courier.copyIsShallow { throw .sync(.isIncomplete(remote: shown)) }
        let incoming = try git(courier.openCopy())
        let (references, objects) = (incoming.references, incoming.objects)
        guard let tip = try Syncing.tip(of: branch, below: "refs/heads/", references, objects, remote: remote) else {
            // git takes a tag's name for `--branch`, too.
            throw missing(branch)
        }
        let name = Subject.store.path
        let files = try git(objects.files(in: objects.header(tip).tree))
        let stores = files.filter { $0.pathIsValid && ($0.path == name || $0.path.hasSuffix("/" + name)) }
            .map { String($0.path.dropLast(name.count)) }
        guard !stores.isEmpty else { throw .sync(.noStore(remote: shown)) }
        if let programs = wish.signatures {
            let repository = try git(courier.openCopy())
            let versions = Versions(folder: StoreFolder(path: path), repository: repository, prefix: "")
            try IncomingCheck(name: shown, incoming: versions, known: []).checkSignatures(
                [tip], hiding: [], by: SignatureChecker(programs: programs, clock: wish.clock))
        }
        for prefix in stores {
            let repository = try git(courier.openCopy())
            let versions = Versions(folder: StoreFolder(path: "\(path)/\(prefix)"), repository: repository, prefix: prefix)
            // Each version is looked at as a store in this folder.
            versions.formerPrefixes = []
            versions.progress = { [program] in
                if case .examined(let count) = $0 { program.progress("\(count) versions examined") }
                return true
            }
            try IncomingCheck(name: shown, incoming: versions, known: []).check(tip, tags: [], since: nil)
        }
        var found = [(name: "refs/heads/\(branch)", target: tip)]
        if !wish.isBare { found.append(("refs/remotes/origin/\(branch)", tip)) }
        let tags = try git(references.references(matching: "refs/tags/*"))
        if !tags.isEmpty {
            var history: Set<ObjectID> = []
            var walk = try git(objects.commits(from: [tip]))
            while let id = try git(walk.next()) { history.insert(id) }
            for tag in tags {
                guard let commit = try git(references.commit(peeling: tag.target)), history.contains(commit) else { continue }
                found.append(tag)
            }
        }
        let version = Version(try git(objects.commit(tip)), Mailmap())
        return (Cloned(branch: branch, version: version, stores: stores.map { FileSystem.trimmed($0) }), found)
    }

    /// Writes the references, the configuration and the files.
    private func finish(
        _ repository: borrowing Repository, _ path: String, _ address: RemoteAddress, _ cloned: Cloned,
        _ references: [(name: String, target: ObjectID)]
    ) throws(Problem) {
        let directory = repository.git.gitDirectory
        let branch = cloned.branch
        let isAsGiven = address.kind == .network || address.isRewritten
        var settings = [(key: "remote.origin.url", value: isAsGiven ? address.text : address.path ?? wish.url)]
        if wish.isBare {
            settings.append((key: "core.bare", value: "true"))
        } else {
            settings += [
                (key: "remote.origin.fetch", value: "+refs/heads/*:refs/remotes/origin/*"),
                (key: "branch.\(branch).remote", value: "origin"), (key: "branch.\(branch).merge", value: "refs/heads/\(branch)"),
            ]
        }
        try git(repository.configuration.setConfigured(settings, own: OwnFiles(in: directory).folder))
        // Nobody else knows this repository.
        let sorted = references.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let packed = sorted.map { "\($0.target) \($0.name)\n" }.joined()
        try onDisk(FileSystem.write(Array(packed.utf8), to: directory + "/packed-refs"))
        try onDisk(FileSystem.write(Array("ref: refs/heads/\(branch)\n".utf8), to: directory + "/HEAD"))
        for name in ["packed-refs", "HEAD", ""] { try onDisk(FileSystem.sync("\(directory)/\(name)")) }
        if wish.isBare { return try onDisk(FileSystem.removeAll(OwnFiles(in: directory).folder)) }
        let answer = program.checkOut(directory, into: path)
        guard answer.status == 0 else {
            throw .repository(.failed(reason: answer.errors.last.map { $0.visible } ?? "git could not write the files"))
        }
    }
}
