import Files
import Git
import SettingsModel

/// Tracked files beside options that git left in conflict.
extension Merging {
    /// What becomes of tracked files once the options `result` are as somebody decided; `subjects` are those that it tells of.
    /// `isLast`: nothing else is in conflict, so that files that git could not merge follow what is staged. Where more than options
    /// is in conflict in one, it stays as it is.
    func trackedUpdates(
        _ result: SettingsContent, of subjects: Set<Subject>, isLast: Bool
    ) throws(Problem) -> [FileUpdate] {
        let tracking = recorder.tracking
        guard let formats = tracking.formats else { return [] }
        let tip = try versions.tip()
        let entries = try tracking.entries(at: tip)
        if entries.isEmpty { return [] }
        let conflicts = try git(versions.repository.index.conflicts())
        var updates: [FileUpdate] = []
        for entry in entries {
            let group = entry.file.group
            if let conflict = conflicts.first(where: { $0.path == entry.path }) {
                // Where no marker is left, somebody has merged it by hand.
                guard isLast, let mode = conflict.ours?.mode, let there = try tracking.bytes(of: entry),
                    there.firstRange(of: Array("<<<<<<< ".utf8)) != nil,
                    let texts = try self.texts(of: conflict, entry.file, formats)
                else {
                    continue
                }
                var answers: [Key: SettingsOption?] = [:]
                for key in texts.contested {
                    let subject = Subject.option(key.below(group))
                    answers[key] = .some(
                        subjects.contains(subject) ? result[subject]?.option : try staged(subject)?.option)
                }
                guard let merge = texts.mergedByMembers(formats, answers), merge.isClean else { continue }
                updates.append(FileUpdate(path: entry.path, file: merge.text, mode: mode))
                continue
            }
            guard let content = try tracking.staged(entry), content.mode.isRegular,
                let bytes = try? versions.repository.objects.blob(content.id, atMost: TrackedFile.sizeLimit),
                let text = try? tracking.text(bytes, of: entry)
            else { continue }
            let own = try tracking.relative(result, to: group, with: tip)
            let keys = own.options.keys.filter { text.members[own.memberPath(of: $0)] != nil }
            guard let new = try? text.writing(keys, of: own, removing: [], formats), new != bytes else { continue }
            updates.append(FileUpdate(path: entry.path, file: new, mode: content.mode, old: .content(content)))
        }
        return updates
    }

    private func texts(
        of conflict: PathConflict, _ file: TrackedFile, _ formats: any FileFormats
    ) throws(Problem) -> TrackedTexts? {
        func bytes(_ content: Content?) throws(Problem) -> [UInt8]? {
            guard let content, content.mode.isRegular else { return nil }
            return try recorder.tracking.blob(content, of: file)
        }
        guard let base = try bytes(conflict.base), let ours = try bytes(conflict.ours), let theirs = try bytes(conflict.theirs)
        else { return nil }
        return TrackedTexts(base: base, ours: ours, theirs: theirs, of: file, formats)
    }
}
