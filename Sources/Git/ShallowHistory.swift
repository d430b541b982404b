import Files
package import Base
/// The part of a history that a shallow clone has. libgit2 before 1.7 fails at its edge, where the parents of a commit are
/// missing (issues 3058 and 6096); here such a commit has none. Read whole: a clone is shallow because it is small.
struct ShallowHistory {
    private let edge: Set<ObjectID>
    private var commits: [ObjectID: (parents: [ObjectID], time: Int64)] = [:]

    init(of objects: Objects) throws(GitError) { edge = try objects.shallowEdge() }

    /// A commit and everything before it.
    mutating func reach(
        _ starts: [ObjectID], firstParentOnly: Bool = false, in objects: Objects
    ) throws(GitError) -> Set<ObjectID> {
        var reached: Set<ObjectID> = []
        var open = starts
        while let id = open.popLast() {
            guard reached.insert(id).inserted else { continue }
            if commits[id] == nil {
                let commit = try objects.commit(id)
                commits[id] = (edge.contains(id) ? [] : commit.parents, commit.committer.time)
            }
            let parents = commits[id]?.parents ?? []
            open += firstParentOnly ? Array(parents.prefix(1)) : parents
        }
        return reached
    }

    /// These commits, children before parents, else the newest first.
    func sorted(_ ids: Set<ObjectID>) -> [ObjectID] {
        var children: [ObjectID: Int] = [:]
        for id in ids { for parent in commits[id]?.parents ?? [] { children[parent, default: 0] += 1 } }
        var ready = ids.filter { children[$0] == nil }
        var sorted: [ObjectID] = []
        while let next = ready.max(by: { (commits[$0]?.time ?? 0, $0) < (commits[$1]?.time ?? 0, $1) }) {
            ready.remove(next)
            sorted.append(next)
            for parent in commits[next]?.parents ?? [] {
                children[parent, default: 0] -= 1
                if children[parent] == 0 && ids.contains(parent) { ready.insert(parent) }
            }
        }
        return sorted
    }

    /// The commits of both histories that are before no other such commit.
    mutating func mergeBases(
        of one: ObjectID, and other: ObjectID, in objects: Objects
    ) throws(GitError) -> [ObjectID] {
        let common = try reach([one], in: objects).intersection(try reach([other], in: objects))
        let earlier = try reach(common.flatMap { commits[$0]?.parents ?? [] }, in: objects)
        return sorted(common.subtracting(earlier))
    }
}

extension Objects {
    /// The commits whose parents a shallow clone lacks; empty in a whole objects.
    package func shallowEdge() throws(GitError) -> Set<ObjectID> {
        guard git.isShallow else { return [] }
        let path = git.commonDirectory + "/shallow"
        guard let bytes = try system(FileSystem.bytes(of: path, atMost: 64 << 20)) else {
            throw GitError(.other, "it cannot be read", operation: "read \(path)")
        }
        return Set(bytes.split(separator: UInt8(ascii: "\n")).compactMap { ObjectID(hex: $0) })
    }
}
