import Files
import Git
import SettingsModel

extension Drafts {
    /// Hand edits that were put aside, so that other versions can take their place.
    struct Aside {
        /// Under which what the files held is kept.
        var reference: String
        var subjects: [Subject]
    }

    /// Puts hand edits of these subjects aside. Returns what is to be laid on the versions that take their place; nil where
    /// there are none. `note` is given the same before any file changes.
    func putAside(
        whatIsEditedOf subjects: Set<Subject>, _ done: Done, note: (Aside) throws(Problem) -> Void
    ) throws(Problem) -> Aside? {
        if subjects.isEmpty { return nil }
        return try recorder.underLock { () throws(Problem) in
            let draft = try workTree.draft()
            let edited = (draft.edited + draft.rewritten + draft.broken).filter(subjects.contains)
            if edited.isEmpty { return nil }
            let reference = try putAside(edited, done) { reference throws(Problem) in
                try note(Aside(reference: reference, subjects: edited))
            }
            return Aside(reference: reference, subjects: edited)
        }
    }

    /// Lays hand edits on the last version. What both have changed stays as the hand edit has it. The files' former bytes are
    /// kept for 30 days. `isLate`: for a process that died; files that hold an edit again stay as they are.
    func lay(_ aside: Aside, isLate: Bool = false) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            guard
                let id = try git({ () throws(GitError) in try versions.repository.references.reference(named: aside.reference) })
            else { return }
            let (kept, tip) = (try versions.snapshot(id), try versions.tip())
            let base = try versions.snapshot(try versions.version(id).parents.first)
            var files: [Replacement] = []
            for subject in aside.subjects {
                let before = try workTree.committedFile(subject, in: tip)
                let old: ExpectedContent
                do throws(Problem) { old = try workTree.checkUntouched(subject, since: tip) } catch {
                    if isLate, case .recording = error { continue }
                    throw error
                }
                // What can't be read can't be merged either.
                var isReadable = try kept.readable(subject) != nil
                if try !kept.has(subject) { isReadable = true }
                let bytes =
                    isReadable
                    ? try file(of: subject, in: kept, from: base, onto: tip, isInForce: true)
                    : try workTree.committedFile(subject, in: kept)
                files.append(Replacement(subject: subject, bytes: bytes, old: old, before: before))
            }
            try replaceFiles(files) { () throws(Problem) in }
        }
    }
}
