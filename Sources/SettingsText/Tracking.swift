package import SettingsModel

// What 'track' prints, and 'status' of tracked files.

extension Phrases {
    /// The files that a store tracks.
    package func tracked(_ states: [TrackedState]) -> [PrintedLine] {
        if states.isEmpty { return [.note("no file is tracked; 'settings track FILE' keeps a file in step with its options")] }
        let rows = states.map { state in
            [
                StyledText(state.path, .name), StyledText(state.group.isRoot ? "-" : state.group.description),
                StyledText(state.format?.rawValue ?? "-"),
                StyledText(state.standing.words, state.standing == .inStep ? .faint : .warning),
            ]
        }
        return Phrases.table(rows).map { .answer($0) }
    }

    /// Tracked files that are not in step, with what can be done about it.
    package func differences(of states: [TrackedState]) -> [PrintedLine] { states.flatMap(lines) }

    private func lines(_ state: TrackedState) -> [PrintedLine] {
        let path = state.path
        if let problem = state.problem {
            let explanation = CommandLineHints.explanation(of: problem)
            return explanation.reasons.map { .answer(StyledText($0, .warning)) } + (explanation.hint.map { [.hint($0)] } ?? [])
        }
        switch state.absence {
        case .missing: return explained(.isRemoved(path))
        case .notInHistory(let isThere): return explained(.isNotInHistory(path, isThere: isThere))
        case .withoutOptions: return explained(.hasNoOptions(path, state.group))
        case .notWritten:
            return [.answer("\(path) could not be written"), .hint("'settings export' tries again")]
        case nil: break
        }
        var lines: [PrintedLine] = sentences(state.edits).map { .answer(StyledText("edited in \(path): ") + $0) }
        if state.hasOtherEdits {
            lines.append(.answer(state.edits.isEmpty ? "edited in \(path): other lines" : "    and other lines of \(path)"))
        }
        if !state.gone.isEmpty {
            lines.append(.hint("'settings done' unsets the removed options, and 'settings import --prune' removes them"))
        }
        if !state.contested.isEmpty { lines += explained(.bothChanged(path, state.contested)) }
        if !state.ahead.isEmpty { lines += explained(.isAhead(state.ahead, path)) }
        if !state.behind.isEmpty { lines += explained(.isBehind(state.behind, path)) }
        return lines
    }

    private func explained(_ problem: TrackingProblem) -> [PrintedLine] {
        let explanation = CommandLineHints.explanation(of: problem)
        return [.answer(StyledText(explanation.reason, .warning))] + (explanation.hint.map { [.hint($0)] } ?? [])
    }

    /// What is beside the version that 'track' recorded.
    package static func left(_ left: [Key], masked: [Key]) -> [PrintedLine] {
        var lines = self.left(left)
        if !masked.isEmpty {
            lines.append(
                .note(
                    "masked, but not encrypted: \(CommandLineHints.some(of: masked.map(\.description))); every clone gets "
                        + (masked.count == 1 ? "it" : "them")))
        }
        return lines
    }

    /// What stays in a file that git ignores, or that only its owner may read.
    static func left(_ keys: [Key]) -> [PrintedLine] {
        if keys.isEmpty { return [] }
        let (are, them) =
            keys.count == 1 ? ("it looks like a secret", "it an option") : ("they look like secrets", "them options")
        let names = CommandLineHints.some(of: keys.map(\.description))
        return [.note("left in the file, because \(are): \(names); --with-secrets makes \(them)")]
    }

    /// Why tracked files and the store need not be brought together.
    package static func nothingExchanged(_ states: [TrackedState], _ isAll: Bool) -> String {
        if states.contains(where: { $0.absence != nil || $0.problem != nil }) { return "nothing to do" }
        let files = states.count == 1 ? "the tracked file is" : "all tracked files are"
        return "nothing to do: \(files) \(isAll ? "in step" : "in step, except for the kept values")"
    }

    /// Where an export wrote files alone.
    package static let nothingRecorded = "nothing to record"

    /// What was written into files that no version has.
    package func written(_ written: [TrackedWriting], isPlanned: Bool) -> [PrintedLine] {
        written.map { file in
            let did = StyledText(isPlanned ? "would write " : "wrote ") + StyledText(file.path, .name)
            if file.isNew { return .done(did + StyledText(", readable only by you")) }
            let changes = sentences(file.changes).map { $0.spans.map(\.text).joined() }
            return .done(changes.isEmpty ? did : did + StyledText(": \(CommandLineHints.some(of: changes))"))
        }
    }

    /// Why a file is not written over.
    package func overwrites(_ path: String, _ changes: [Change]) -> Explanation {
        let sentences = CommandLineHints.some(of: sentences(changes).map { $0.spans.map(\.text).joined() })
        return Explanation(
            "\(path) has values that were not imported from there and would be overwritten: \(sentences)",
            hint: "'settings track \(path.shellWord)' keeps it in step, 'settings import \(path.shellWord)' takes its values, "
                + "--overwrite writes the store's")
    }

    /// An option was renamed, and a file that is not tracked has it under its former key as well.
    package static func keepsFormerNames(_ path: String, _ renames: [VersionMessage.Rename]) -> [PrintedLine] {
        renames.map { rename in
            .note(
                "\(path) still has \(rename.old.key), which was renamed to \(rename.new.key): --prune removes it, and in a tracked "
                    + "file 'settings rename' does")
        }
    }

    /// What only files have, and an export left there.
    package func kept(_ kept: [(path: String, changes: [Change])]) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        for (path, changes) in kept {
            lines += sentences(changes).map {
                .warning(StyledText("\(path): ") + $0 + StyledText(", which nobody recorded"), label: "kept")
            }
        }
        return lines.isEmpty ? [] : lines + [.hint("'settings import' takes them, --overwrite writes the store's values")]
    }
}

extension TrackedState.Standing {
    fileprivate var words: String { self == .behind ? "behind the store" : rawValue }
}

extension Reports {
    package func tracked(_ states: [TrackedState]) -> JSON {
        Reports.document(["files": .array(states.map(tracked))])
    }

    func tracked(_ state: TrackedState) -> JSON {
        func differences(_ all: [TrackedState.Difference]) -> JSON {
            .array(
                all.flatMap { difference in
                    difference.change.lines.map {
                        change($0, ["version": .string(difference.version.hex), "author": person(difference.author)])
                    }
                })
        }
        var members = [
            JSON.Member("file", .string(state.path)),
            JSON.Member("format", state.format.map { .string($0.rawValue) } ?? .null),
            JSON.Member("group", .string(state.group.description)),
            JSON.Member("state", .string(state.standing.rawValue)), JSON.Member("changes", changes(state.edits)),
            JSON.Member("otherLines", .bool(state.hasOtherEdits)), JSON.Member("ahead", differences(state.ahead)),
            JSON.Member("behind", differences(state.behind)),
            JSON.Member("contested", .array(state.contested.map { .string($0.description) })),
            JSON.Member("gone", .array(state.gone.map { .string($0.description) })),
        ]
        if let problem = state.problem { members.append(JSON.Member("problem", .string(CommandLineHints.reason(problem)))) }
        return .object(members)
    }
}
