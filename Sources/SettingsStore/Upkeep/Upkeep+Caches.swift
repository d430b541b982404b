import Files
import Git
import SettingsModel

// What is kept only to be fast, compared with what it was made from.

extension Upkeep {
    /// What caches say that isn't so: the index of the history, the conflicts that merges left open, and what git's index notes
    /// of files. One that is this program's own and lies is removed: it is made anew from the objects.
    func wrongCaches(_ root: String) throws(Problem) -> [Finding] {
        var findings = try wrongIndex(root) + wrongNotes()
        if try conflictsAreWrong() {
            let path = merging.conflicts.cache.path
            let isGone = (try? FileSystem.remove(path)) != nil
            findings.append(Finding(path: StoreFolder.shown(path, in: root), .conflictsAreWrong(isRemoved: isGone)))
        }
        let sound = SoundTree(versions, journal)
        if try sound.isWrong() {
            let isGone = (try? FileSystem.remove(sound.path)) != nil
            findings.append(Finding(path: StoreFolder.shown(sound.path, in: root), .soundVersionIsWrong(isRemoved: isGone)))
        }
        return findings
    }

    /// Whether what is known of conflicts, and would still be used, is anything else than what the versions say.
    private func conflictsAreWrong() throws(Problem) -> Bool {
        let cache = merging.conflicts.cache
        guard !versions.isShallow, (try? FileSystem.isThere(cache.path)) == true else { return false }
        guard let (tip, known) = cache.read() else { return true }
        guard try git(versions.repository.objects.exists(tip)) else { return false }
        return try merging.conflicts.walked(to: tip) != known
    }

    private func wrongIndex(_ root: String) throws(Problem) -> [Finding] {
        guard try indexIsWrong() else { return [] }
        history.cache.lastIndex = nil
        let isGone = (try? FileSystem.remove(history.cache.indexPath)) != nil
        let wrong = Finding(path: StoreFolder.shown(history.cache.indexPath, in: root), .historyIndexIsWrong(isRemoved: isGone))
        return [wrong]
    }

    /// Whether the index says anything else of the last version's history, or of the one it was made for, than one that is
    /// made from the versions alone.
    private func indexIsWrong() throws(Problem) -> Bool {
        guard !versions.isShallow, let base = HistoryColumns.read(history.cache.indexPath, prefix: versions.prefix),
            base.count > 0,
            let empty = HistoryColumns.empty(prefix: versions.prefix)
        else { return false }
        let last = base.id(base.count - 1)
        var heads = try versions.head.commit.map { [$0] } ?? []
        if !heads.contains(last), try git(versions.repository.objects.exists(last)) { heads.append(last) }
        for head in heads {
            var (fresh, cached) = (CatchingUp(empty, versions), CatchingUp(base, versions))
            guard let index = try fresh.index(of: head, limit: .max) else { continue }
            do throws(Problem) {
                guard let other = try cached.index(of: head, limit: .max), index.agrees(with: other) else { return true }
            } catch {
                if error.kind == .cannotWrite { throw error }
                return true
            }
        }
        return false
    }

    /// Files that git's index takes for unchanged by their times, and that hold something else.
    private func wrongNotes() throws(Problem) -> [Finding] {
        var findings: [Finding] = []
        let noted = versions.repository.index.notedFiles(under: versions.folderInRepository)
        for number in noted.statuses.indices {
            let path = noted.known.paths.path(number)
            guard let subject = Subject(path: path) else { continue }
            do throws(Problem) {
                guard let file = try versions.folder.reading(of: subject), file.status.isUntouched(since: noted.statuses[number]),
                    !ExpectedContent.content(noted.known.contents[number]).matches(file.bytes)
                else { continue }
                findings.append(Finding(path: path, .isUnseen(path: versions.prefix + path)))
            } catch {
                if error.kind == .cannotWrite { throw error }
            }
        }
        return findings
    }
}

extension HistoryIndex {
    private struct Touch: Hashable {
        var path: [UInt8]
        var before: ObjectID
        var after: ObjectID
    }

    /// Whether both say the same of the same versions in the same order, whatever numbers their paths have.
    func agrees(with other: HistoryIndex) -> Bool {
        guard count == other.count else { return false }
        let (parents, otherParents) = (self.otherParents(), other.otherParents())
        return (0..<count).allSatisfy { number in
            id(number) == other.id(number) && time(number) == other.time(number)
                && firstParent(number) == other.firstParent(number) && parents[number] == otherParents[number]
                && touched(number) == other.touched(number)
        }
    }

    private func touched(_ number: Int) -> Set<Touch> {
        var touched: Set<Touch> = []
        eachTouch(by: number) { path, place in
            let content = content(place)
            touched.insert(Touch(path: path == 0 ? [] : self.path(Int(path)), before: content.before, after: content.after))
        }
        return touched
    }
}
