import SettingsModel
internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Repository {
    /// Reads every object, whether something refers to it or not, and goes through all that is referred to. Returns how
    /// many there are, too. Files larger than `largest` are looked up, not read.
    package func damageInObjects(
        largest: Int = 64 << 20, progress: (Int) -> Void
    ) throws(GitError) -> (objects: Int, damages: [Damage]) {
        var search = DamageSearch(largest: largest, edge: try shallowEdge())
        for (name, id) in starts() { search.begin(at: id, named: name) }
        while let step = search.next() {
            look(at: step, &search)
            progress(search.seen.count)
        }
        let loose = looseObjects()
        search.loose = Set(loose)
        // An index of a pack that is none stops libgit2 here; it is named where the files are looked at.
        for id in loose + ((try? packedObjects()) ?? []) where !search.seen.contains(id) {
            look(at: DamageSearch.Step(id: id, wanted: nil, named: "", version: nil, path: ""), &search)
            progress(search.seen.count)
        }
        return (search.seen.count, search.damages.map { placed($0, search) })
    }

    /// Where everything that counts begins: HEAD, branches, tags. Those that lead nowhere are told elsewhere.
    private func starts() -> [(name: String, id: ObjectID)] {
        var starts: [(name: String, id: ObjectID)] = []
        if let head = (try? head()).flatMap({ $0.commit }) { starts.append(("HEAD", head)) }
        for (name, id) in (try? references(matching: "refs/*")) ?? [] { starts.append((name, id)) }
        return starts
    }

    private func packedObjects() throws(GitError) -> [ObjectID] {
        final class List { var ids: [ObjectID] = [] }
        let list = List()
        // Of the whole database libgit2 would ask our own readers, which can't list.
        let packs = try packs("list the objects")
        try withExtendedLifetime(list) { () throws(GitError) in
            _ = try check("list the objects") {
                git_odb_foreach(
                    packs.pointer,
                    { id, list in
                        guard let id, let list else { return 0 }
                        Unmanaged<List>.fromOpaque(list).takeUnretainedValue().ids.append(ObjectID(id.pointee))
                        return 0
                    }, Unmanaged.passUnretained(list).toOpaque())
            }
        }
        return list.ids
    }

    private func look(at step: DamageSearch.Step, _ search: inout DamageSearch) {
        search.seen.insert(step.id)
        if step.id == .emptyTree { return }
        var (raw, size, type) = (step.id.raw, 0, GIT_OBJECT_ANY)
        guard (try? exists(step.id)) ?? false else {
            // Named by the index of a pack alone, which is told of where packs are looked at.
            if step.named.isEmpty { return }
            return search.add(.missing(step.id), step, "it is missing, and \(step.named) refers to it")
        }
        do throws(GitError) {
            try check("read object \(step.id)") { git_odb_read_header(&size, &type, objects, &raw) }
            if type == GIT_OBJECT_BLOB, size > search.largest { return }
            let object = try own("read object \(step.id)", git_odb_object_free) { git_odb_read(&$0, objects, &raw) }
            let bytes = UnsafeRawBufferPointer(
                start: git_odb_object_data(object.pointer), count: git_odb_object_size(object.pointer))
            type = git_odb_object_type(object.pointer)
            if let wanted = step.wanted, wanted != type {
                return search.add(.missing(step.id), step, "\(step.named) refers to it as something else than it is")
            }
            switch type {
            case GIT_OBJECT_COMMIT: search.look(atCommit: bytes, step)
            case GIT_OBJECT_TREE: search.look(atTree: bytes, step)
            case GIT_OBJECT_TAG: search.look(atTag: bytes, step)
            default: break
            }
        } catch {
            search.add(.object(step.id), step, "it is damaged: \(error.message)")
        }
    }

    /// Names the file where an object lies in one of its own.
    private func placed(_ damage: Damage, _ search: DamageSearch) -> Damage {
        guard case .object(let id) = damage.kind, search.loose.contains(id) else { return damage }
        var damage = damage
        damage.kind = .loose(id)
        damage.place = "\(objectFolder)/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))"
        return damage
    }
}

/// What was seen on the way through all objects, and what is still to be looked at.
private struct DamageSearch {
    struct Step {
        var id: ObjectID
        /// What it must be, where that is known.
        var wanted: git_object_t?
        /// What refers to it, in words.
        var named: String
        var version: ObjectID?
        /// In the version.
        var path: String
        var depth = 0
    }

    let largest: Int
    let edge: Set<ObjectID>
    var seen: Set<ObjectID> = []
    var loose: Set<ObjectID> = []
    var damages: [Damage] = []
    private var commits: [Step] = []
    private var entries: [Step] = []

    init(largest: Int, edge: Set<ObjectID>) {
        self.largest = largest
        self.edge = edge
    }

    mutating func begin(at id: ObjectID, named name: String) {
        commits.append(Step(id: id, wanted: nil, named: name, version: nil, path: ""))
    }

    /// A version's files before the versions that came before it.
    mutating func next() -> Step? {
        while let step = entries.popLast() ?? commits.popLast() { if !seen.contains(step.id) { return step } }
        return nil
    }

    mutating func add(_ kind: Damage.Kind, _ step: Step, _ reason: String) {
        var damage = Damage(kind, step.path.isEmpty ? "object \(step.id)" : "object \(step.id) (\(step.path))", reason)
        damage.version = step.version
        damage.isUnused = step.named.isEmpty
        damage.path = step.path.isEmpty ? nil : step.path
        if step.named.hasPrefix("refs/") || step.named == "HEAD" { damage.reference = step.named }
        damages.append(damage)
    }

    mutating func look(atCommit bytes: UnsafeRawBufferPointer, _ step: Step) {
        guard let commit = Commit(id: step.id, bytes: bytes) else {
            return add(.commit(step.id), step, "the version names no tree")
        }
        let header = Set(
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).prefix { !$0.isEmpty }
                .compactMap { $0.split(separator: UInt8(ascii: " ")).first.map { String(decoding: $0, as: UTF8.self) } })
        for name in ["author", "committer"] where !header.contains(name) {
            add(.commit(step.id), step, "the version names no \(name)")
        }
        let name = "version \(step.id.short)"
        for parent in commit.parents where !edge.contains(step.id) {
            commits.append(Step(id: parent, wanted: GIT_OBJECT_COMMIT, named: name, version: nil, path: ""))
        }
        entries.append(Step(id: commit.tree, wanted: GIT_OBJECT_TREE, named: name, version: step.id, path: ""))
    }

    mutating func look(atTag bytes: UnsafeRawBufferPointer, _ step: Step) {
        let lines = String(decoding: bytes.prefix(4096), as: UTF8.self).split(separator: "\n")
        guard let line = lines.first, line.hasPrefix("object "), let id = ObjectID(hex: String(line.dropFirst(7))) else {
            return add(.object(step.id), step, "it is damaged: a tag that names nothing")
        }
        commits.append(Step(id: id, wanted: nil, named: step.named, version: nil, path: ""))
    }

    mutating func look(atTree bytes: UnsafeRawBufferPointer, _ step: Step) {
        func wrong(_ reason: String) { add(.tree(step.id), step, "the folder \(reason)") }
        guard step.depth < Tree.depthLimit else { return wrong("lies more than \(Tree.depthLimit) deep") }
        var reader = Tree.Entries(id: step.id, bytes: bytes)
        var last: Tree.Entry?
        do throws(GitError) {
            while let entry = try reader.next() {
                let name = decoded(entry.name)
                let path = step.path.isEmpty ? name.text : "\(step.path)/\(name.text)"
                if !FileSystem.isPlainName(name.text) {
                    wrong("has an entry named '\(name.text)', which leads elsewhere, is git's own or can't be seen")
                } else if !name.isValid {
                    wrong("has an entry named '\(name.text)', whose name is no UTF-8")
                }
                if let last, last.order(entry) >= 0 { wrong("has its entries out of order at '\(name.text)'") }
                last = entry
                let wanted: git_object_t? =
                    switch entry.mode {
                    case .tree: GIT_OBJECT_TREE
                    case .commit: nil
                    default: GIT_OBJECT_BLOB
                    }
                // Another repository's commit is there, not here.
                guard let wanted else { continue }
                let place = step.version.map { "version \($0.short)" } ?? "tree \(step.id.short)"
                entries.append(
                    Step(
                        id: entry.id, wanted: wanted, named: place, version: step.version, path: path, depth: step.depth + 1))
            }
        } catch { wrong("is cut short or malformed") }
    }
}
