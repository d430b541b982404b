import Git
import SettingsModel

/// What a hosting service would make of tracked files.
extension Upkeep {
    /// What is wrong with tracked files after a merge of texts. `sides`: what is merged.
    func findings(
        inTrackedFilesAfter texts: TextMerge, _ sides: [Snapshot], since bases: [Snapshot]
    ) throws(Problem) -> [Finding] {
        let tracking = merging.recorder.tracking
        guard let formats = tracking.formats, let ours = sides.first else { return [] }
        var findings: [Finding] = []
        for entry in try tracking.entries(at: ours) {
            func report(_ fault: Finding.HostFault, _ kind: Finding.Kind = .problem) {
                findings.append(Finding(path: entry.path, .host(fault), kind: kind))
            }
            if texts.conflicts.contains(entry.path) {
                let all = try (bases.prefix(1) + sides).map { side throws(Problem) in
                    try tracking.readableText(entry, at: side)?.text
                }
                guard all.count == 3, let base = all[0], let our = all[1], let their = all[2],
                    TrackedTexts(base: base, ours: our, theirs: their).mergedByMembers(formats)?.isClean == true
                else {
                    report(.asksAboutOtherFile, .note)
                    continue
                }
                report(.asksNeedlessly, .note)
            } else if let content = texts.files[entry.path], content.mode.isRegular {
                do throws(Problem) {
                    let bytes = try git(versions.repository.objects.blob(content.id, atMost: TrackedFile.sizeLimit))
                    let keys = try keys(apartFrom: try tracking.text(bytes, of: entry), entry, texts, sides)
                    if !keys.isEmpty { report(.leavesApart(keys)) }
                } catch {
                    if error.isPassing { throw error }
                    report(.leavesUnreadable(error))
                }
            }
        }
        return findings
    }

    /// The options that have another value after the merge than their members.
    private func keys(
        apartFrom text: TrackedText, _ entry: Tracking.Entry, _ texts: TextMerge, _ sides: [Snapshot]
    ) throws(Problem) -> [Key] {
        var apart: Set<Key> = []
        for side in sides {
            let known = try merging.recorder.tracking.options(of: [text], in: entry.file.group, at: side)
            for key in known.options.keys {
                let full = key.below(entry.file.group)
                guard let member = text.option(at: known.memberPath(of: key)),
                    let content = texts.files[versions.repositoryPath(.option(full))],
                    let option = (try? versions.read(content.id, content.mode, .option(full), in: nil))?.option
                else { continue }
                if !option.isInStep(with: member) { apart.insert(full) }
            }
        }
        return apart.sorted()
    }
}
