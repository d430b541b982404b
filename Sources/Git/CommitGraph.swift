package import SettingsModel
internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Git's commit-graph: parents, trees and times of commits, and which paths each may have changed, without reading an
/// object. A cache that git and `settings maintain` write; own code, because libgit2 1.5 knows neither layers nor filters,
/// and reads none that git writes by default.
///
/// Commits have numbers from 0 on, which stay the same as long as this is there.
package final class CommitGraph {
    /// The lowest first. Git makes few: each holds half of what the next lower one does.
    private let layers: UnsafeMutablePointer<CommitGraphLayer>
    private let layerCount: Int
    package let count: Int
    private static let layerLimit = 64
    private static let sizeLimit = 4 << 30

    deinit {
        for index in 0..<layerCount {
            munmap(UnsafeMutableRawPointer(mutating: layers[index].memory.baseAddress), layers[index].memory.count)
        }
        layers.deallocate()
    }

    /// That of a folder of objects; nil where there is none, or none that is whole.
    init?(in folder: String) {
        var layers: [CommitGraphLayer] = []
        if let layer = Self.layer(folder + "/info/commit-graph", on: []) {
            layers = [layer]
        } else {
            let chain = folder + "/info/commit-graphs"
            guard let (names, _) = try? FileSystem.read(chain + "/commit-graph-chain", atMost: 41 * Self.layerLimit) else {
                return nil
            }
            for name in names.split(separator: UInt8(ascii: "\n")) {
                // What is below is whole without it.
                guard let hash = ObjectID(hex: name), let layer = Self.layer("\(chain)/graph-\(hash).graph", on: layers, hash)
                else { break }
                layers.append(layer)
            }
        }
        guard let last = layers.last else { return nil }
        count = last.first + last.count
        layerCount = layers.count
        self.layers = .allocate(capacity: layers.count)
        for (index, layer) in layers.enumerated() { (self.layers + index).initialize(to: layer) }
    }

    private static func layer(_ path: String, on layers: [CommitGraphLayer], _ hash: ObjectID? = nil) -> CommitGraphLayer? {
        guard let memory = FileSystem.mapped(path, sizes: 1..<sizeLimit) else { return nil }
        let layer = CommitGraphLayer(UnsafeRawBufferPointer(memory), on: layers)
        if let layer, hash == nil || hash == layer.hash { return layer }
        munmap(memory.baseAddress, memory.count)
        return nil
    }

    @inline(__always) private func layer(of number: Int) -> UnsafePointer<CommitGraphLayer> {
        var index = layerCount - 1
        while index > 0, layers[index].first > number { index -= 1 }
        return UnsafePointer(layers + index)
    }

    /// Nil for a commit that it doesn't have.
    package func number(of id: ObjectID) -> Int? {
        for index in (0..<layerCount).reversed() {
            if let row = layers[index].row(of: id) { return layers[index].first + row }
        }
        return nil
    }

    package func id(_ number: Int) -> ObjectID {
        let layer = layer(of: number)
        return layer.pointee.id(number - layer.pointee.first)
    }

    package func tree(_ number: Int) -> ObjectID {
        let layer = layer(of: number)
        return layer.pointee.tree(number - layer.pointee.first)
    }

    /// The committer's, in seconds since 1970.
    package func time(_ number: Int) -> Int64 {
        let layer = layer(of: number)
        return layer.pointee.time(number - layer.pointee.first)
    }

    /// How many commits the longest way back to a first one has, itself included.
    package func level(_ number: Int) -> Int {
        let layer = layer(of: number)
        return layer.pointee.level(number - layer.pointee.first)
    }

    package func firstParent(_ number: Int) -> Int? {
        let layer = layer(of: number)
        return layer.pointee.firstParent(number - layer.pointee.first)
    }

    package func otherParents(_ number: Int) -> [Int] {
        let layer = layer(of: number)
        return layer.pointee.otherParents(number - layer.pointee.first)
    }

    /// False where a commit surely has this path as its first parent has it.
    package func mayTouch(_ number: Int, _ path: ChangedPath) -> Bool {
        let layer = layer(of: number)
        return layer.pointee.mayTouch(number - layer.pointee.first, path)
    }

    /// Whether two versions that are to come together surely have these paths alike, and what lies between them and where
    /// they parted, too. False where that would take more than a look at a few.
    package func haveParted(_ one: Int, _ other: Int, without paths: (_ number: Int) -> Bool) -> Bool {
        var (left, right) = (one, other)
        for _ in 0..<64 {
            if left == right { return true }
            // Of two that differ the one of the higher level is not in the history of the other.
            if level(left) < level(right) { swap(&left, &right) }
            guard level(left) > 0, otherParents(left).isEmpty, let parent = firstParent(left), paths(left) else { return false }
            left = parent
        }
        return false
    }

    /// What the commit says, but for its message.
    package func header(_ number: Int) -> CommitHeader {
        let parents = (firstParent(number).map { [$0] } ?? []) + otherParents(number)
        return CommitHeader(id: id(number), tree: tree(number), parents: parents.map(id), time: time(number))
    }
}

extension Repository {
    /// Git's commit-graph, where there is one that holds. As git has it, none does where commits are given other parents
    /// (`replace`, grafts, a shallow clone), nor where the configuration wants none.
    package func commitGraph() -> CommitGraph? {
        if case true? = try? isOff("core.commitGraph") { return nil }
        guard !isShallow, access(commonDirectory + "/info/grafts", F_OK) != 0, let graph = CommitGraph(in: objectFolder) else {
            return nil
        }
        var iterator: OpaquePointer?
        guard git_reference_iterator_glob_new(&iterator, pointer, "refs/replace/*") == 0 else { return nil }
        defer { git_reference_iterator_free(iterator) }
        var name: UnsafePointer<CChar>?
        return git_reference_next_name(&name, iterator) == GIT_ITEROVER.rawValue ? graph : nil
    }
}
