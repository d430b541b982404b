import Files
import Git
package import SettingsModel

/// Makes one file of a store's history, which `clone` and `pull` read.
package struct BundleAction: Action {
    package enum Since: Hashable, Sendable {
        case beginning
        case version(VersionID)
        /// What the bundles in the file's folder have.
        case last
    }

    /// An absolute path.
    package var path: String
    package var since: Since
    package var program: NetworkProgram

    package init(_ path: String, since: Since, by program: NetworkProgram) {
        (self.path, self.since, self.program) = (path, since, program)
    }

    package struct Outcome: Sendable {
        package var version: Version
        package var bytes: Int
        /// How many versions it has, other files' included.
        package var count: Int
    }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Outcome {
        try session.store.syncing.bundle(path, since, by: program)
    }
}

extension Syncing {
    func bundle(
        _ path: String, _ since: BundleAction.Since, by program: NetworkProgram
    ) throws(Problem) -> BundleAction.Outcome {
        guard let branch = try versions.branch else { throw .sync(.isDetached) }
        guard let tip = try versions.head.commit else { throw .history(.hasNoVersion) }
        let target = try place(path)
        var left: [ObjectID] = []
        switch since {
        case .beginning: break
        case .version(let id): left = [id]
        case .last: left = try bundled(in: FileSystem.folder(of: path), of: branch)
        }
        if left.contains(tip) { throw .sync(.nothingToBundle) }
        if try git(objects.areCutOff([tip], before: left)) { throw .sync(.cannotBundleAll(isShallow: true)) }
        var count = 0
        var walk = try git(objects.commits(from: [tip], hiding: left))
        while try versions.next(&walk) != nil { count += 1 }
        if count == 0 { throw .sync(.nothingToBundle) }
        let courier = try bundler(branch, tip, program)
        defer { courier.remove() }
        let folder: WorkFolder
        do { folder = try WorkFolder.make(in: FileSystem.folder(of: target), ".settings-bundle-") } catch {
            throw .file(.failed(error))
        }
        let work = folder.path + "/bundle"
        let words = ["bundle", "create", "-q", work, "HEAD", "refs/heads/\(branch)", "--tags"] + left.map { "^\($0)" }
        for words in [words, ["bundle", "verify", "-q", work]] {
            let answer = courier.read(words)
            guard answer.status == 0 else {
                if versions.repository.git.isPartial { throw .sync(.cannotBundleAll(isShallow: false)) }
                throw .sync(.bundleFailed(path, reason: answer.errors.last.map { $0.visible } ?? "git reported no reason"))
            }
        }
        let size = try onDisk(FileSystem.existing(work)).size
        try onDisk(FileSystem.sync(work))
        try onDisk(FileSystem.rename(work, to: target))
        try onDisk(FileSystem.sync(FileSystem.folder(of: target)))
        return BundleAction.Outcome(version: try versions.version(tip), bytes: size, count: count)
    }

    /// Where a bundle goes that is to be at a path: to what links lead to. Nothing but a bundle is replaced.
    private func place(_ path: String) throws(Problem) -> String {
        guard let kind = FileSystem.kind(of: path, following: true) else {
            guard FileSystem.kind(of: FileSystem.folder(of: path), following: true) == .folder else {
                throw .sync(.noPlaceForBundle(path, reason: "its folder does not exist"))
            }
            return path
        }
        guard kind == .file else { throw .sync(.noPlaceForBundle(path, reason: "it is not a regular file")) }
        let target = try onDisk(FileSystem.resolved(path))
        if try onDisk(FileSystem.existing(target)).size > 0, try onDisk(BundleHeader(file: target)) == nil {
            throw .sync(.noPlaceForBundle(path, reason: "the file exists and is not a bundle"))
        }
        return target
    }

    private func bundler(_ branch: String, _ tip: VersionID, _ program: NetworkProgram) throws(Problem) -> Courier {
        var contained = [(name: "refs/heads/\(branch)", target: tip)]
        for tag in try git(references.tags()) {
            let name = "refs/tags/" + tag.name
            guard try git(objects.isAncestor(tag.commit, of: tip)) else { continue }
            if let target = try git(references.reference(named: name)) { contained.append((name, target)) }
        }
        let (own, contents) = (try commonFolder(), Courier.Contents(branch: branch, references: contained, settings: []))
        return try git(Courier.make(for: versions.repository, in: own, contents, program))
    }

    /// The versions that the bundles in a folder end with. Together they have to have everything before those.
    private func bundled(in folder: String, of branch: String) throws(Problem) -> [ObjectID] {
        var found: [(path: String, header: BundleHeader, tip: ObjectID)] = []
        let entries = try onDisk(FileSystem.entries(of: folder))
        for (name, kind) in entries.sorted(by: { $0.name < $1.name }) where kind == .file {
            let path = "\(folder)/\(name)"
            guard let header = try onDisk(BundleHeader(file: path)), let tip = header.tips["refs/heads/\(branch)"],
                (try? objects.exists(tip)) == true
            else { continue }
            found.append((path, header, tip))
        }
        var whole: [ObjectID] = []
        while !found.isEmpty {
            var left: [(path: String, header: BundleHeader, tip: ObjectID)] = []
            for bundle in found {
                if try missing(bundle.header, whole) == nil { whole.append(bundle.tip) } else { left.append(bundle) }
            }
            if left.count == found.count, let first = left.first, let missing = try missing(first.header, whole) {
                throw .sync(.bundleIsCut(first.path, missing: missing))
            }
            found = left
        }
        return whole
    }

    /// What a bundle builds on that these versions don't have.
    private func missing(_ header: BundleHeader, _ whole: [ObjectID]) throws(Problem) -> ObjectID? {
        prerequisites: for id in header.prerequisites {
            guard try git(objects.exists(id)) else { return id }
            for tip in whole where try git(objects.isAncestor(id, of: tip)) { continue prerequisites }
            return id
        }
        return nil
    }
}

/// The beginning of a bundle: https://git-scm.com/docs/gitformat-bundle
struct BundleHeader {
    /// The references that it has.
    private(set) var tips: [String: ObjectID] = [:]
    /// What it builds on.
    private(set) var prerequisites: [ObjectID] = []

    /// Nil for another kind of file.
    init?(file path: String) throws(SystemFailure) {
        self.init(try FileSystem.contents(of: path, following: false, limit: Self.sizeLimit) ?? [])
    }

    private static let sizeLimit = 1 << 20

    private init?(_ bytes: [UInt8]) {
        guard Self.isBeginning(bytes) else { return nil }
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst() {
            if line.isEmpty { return }
            if line.first == UInt8(ascii: "-") {
                if let id = ObjectID(hex: line.dropFirst().prefix(40)) { prerequisites.append(id) }
                continue
            }
            guard let id = ObjectID(hex: line.prefix(40)), line.count > 41 else { continue }
            tips[String(decoding: line.dropFirst(41), as: UTF8.self)] = id
        }
        return nil
    }

    private static func isBeginning(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("# v2 git bundle\n".utf8)) || bytes.starts(with: beginningOfVersion3)
    }

    private static let beginningOfVersion3 = Array("# v3 git bundle\n".utf8)

    /// Whether a file is a bundle with ids of SHA-256.
    static func usesSHA256(_ address: RemoteAddress) -> Bool {
        guard let bytes = beginning(of: address) else { return false }
        return bytes.starts(with: beginningOfVersion3 + Array("@object-format=sha256\n".utf8))
    }

    /// Whether an address is that of a bundle, and not of another file that git reads.
    static func isBundle(_ address: RemoteAddress) -> Bool { beginning(of: address).map(isBeginning) ?? false }

    /// Throws for a file that is nothing git can fetch from: git would call it a damaged gitfile.
    static func check(_ address: RemoteAddress, _ remote: Remote) throws(Problem) {
        guard let bytes = beginning(of: address) else { return }
        if usesSHA256(address) { throw .sync(.isOfOtherFormat(remote: remote.shown)) }
        if isBeginning(bytes) {
            // git lists nothing in a bundle that ends there.
            if bytes.count < sizeLimit, BundleHeader(bytes) == nil {
                throw .sync(.isBroken(remote: remote.shown, reason: "the bundle is truncated in its header"))
            }
            return
        }
        if bytes.starts(with: Array("gitdir: ".utf8)) { return }
        throw .sync(remote.noRepository("the file is \(bytes.isEmpty ? "empty" : "not a bundle")"))
    }

    private static func beginning(of address: RemoteAddress) -> [UInt8]? {
        guard address.kind == .bundle, let path = address.path else { return nil }
        return (try? FileSystem.contents(of: path, following: true, limit: sizeLimit)).flatMap { $0 }
    }
}
