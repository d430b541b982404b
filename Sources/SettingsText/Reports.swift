package import SettingsModel

// The output of `--json`. Its format is DESIGN.md's "Every reading command has --json"; `format_version` is increased if a
// member is removed or changes its meaning, but not if one is added.

/// Builds the JSON of versions, changes and conflicts.
package struct Reports: Sendable {
    /// Whether masked texts are printed instead of dots.
    package var revealsMasked: Bool

    package init(revealsMasked: Bool = false) {
        self.revealsMasked = revealsMasked
    }

    package static let formatVersion = "1.0"

    /// An object of `format_version` and these members.
    package static func document(_ members: KeyValuePairs<ExactText, JSON?>) -> JSON {
        .object(
            [JSON.Member("format_version", .string(formatVersion))]
                + members.compactMap {
                    name,
                    value in value.map { JSON.Member(name, $0) }
                })
    }

    /// The text of a document. Characters that control a terminal are escaped; JSON itself requires this only below U+0020.
    package static func text(of document: JSON, oneLine: Bool = false) -> String {
        let json = oneLine ? document.compact + "\n" : document.pretty
        func commands(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        guard json.unicodeScalars.contains(where: commands) else { return json }
        var text = ""
        for scalar in json.unicodeScalars {
            if commands(scalar) {
                text += scalar.unicodeEscape
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    package static func adding(_ more: [JSON.Member], to document: JSON) -> JSON {
        guard case .object(let members) = document else { return document }
        return .object(members + more)
    }

    package func version(
        _ version: Version, _ changes: VersionChanges, tags: [String] = [], confirmation: Confirmation? = nil,
        signature: SignatureCheck? = nil
    ) -> JSON {
        let message = version.message
        return .object([
            "id": .string(version.id.hex),
            "time": .string(version.time.rfc3339),
            "author": person(version.author),
            "committer": person(version.committer),
            "via": message.via.map { .string($0) } ?? .null,
            "subject": .string(message.subject),
            "why": message.why.map { .string($0) } ?? .null,
            "requestedBy": message.requestedBy.isEmpty ? .null : .string(message.requestedBy.joined(separator: ", ")),
            "tickets": strings(message.tickets),
            "parents": ids(version.parents),
            "reverts": ids(version.named.reverts),
            "undoes": version.named.undoes.isEmpty ? nil : ids(version.named.undoes),
            "redoes": version.named.redoes.isEmpty ? nil : ids(version.named.redoes),
            "importedFrom": message.importedFrom.first.map(source),
            "sources": message.importedFrom.count > 1 ? .array(message.importedFrom.map(source)) : nil,
            "importedInto": message.importedInto.isRoot ? nil : .string(message.importedInto.description),
            "importedDocument": message.importedDocument.map { .number($0) },
            "restoredFrom": version.named.restoredFrom.map { .string($0.hex) } ?? .null,
            "confirmBy": message.confirmBy.map { .string($0.rfc3339) },
            "confirmation": confirmation.map { state(of: $0) },
            "confirms": unconfirmed(version.named.confirms),
            "extends": unconfirmed(version.named.extends),
            "unconfirmed": unconfirmed(version.named.unconfirmed),
            "unknown": version.named.unknown.isEmpty ? nil : strings(version.named.unknown.map(\.text)),
            "refused": version.named.refused.isEmpty ? nil : strings(version.named.refused.map(\.text)),
            "changeIds": message.changeIDs.isEmpty ? nil : strings(message.changeIDs.map(\.text)),
            "tags": tags.isEmpty ? nil : strings(tags),
            "changes": self.changes(changes.changes),
            "decisions": changes.decisions.isEmpty ? nil : .array(changes.decisions.map(decision)),
            "unreadable": changes.unreadable.isEmpty ? nil : .array(changes.unreadable.map(unreadable)),
            "signature": signature.map { self.signature($0) },
        ])
    }

    /// A version as 'show' prints it.
    package func document(_ version: JSON, isComplete: Bool) -> JSON {
        Reports.document(["version": version, "complete": .bool(isComplete)])
    }

    /// Versions as 'history' prints them.
    package func document(_ versions: [JSON], isComplete: Bool) -> JSON {
        Reports.document(["versions": .array(versions), "complete": .bool(isComplete)])
    }

    private func unconfirmed(_ named: [NamedVersions.Unconfirmed]) -> JSON? {
        let known = named.compactMap(\.id)
        return known.isEmpty ? nil : ids(known)
    }

    private func source(_ source: VersionMessage.ImportSource) -> JSON {
        .object(["format": .string(source.format.rawValue), "name": .string(source.name)])
    }

    /// A short form of a version, where it is only referred to.
    package func reference(_ version: Version?) -> JSON {
        guard let version else { return .null }
        return .object([
            "id": .string(version.id.hex),
            "time": .string(version.time.rfc3339),
            "author": person(version.author),
            "why": version.message.why.map { .string($0) } ?? .null,
            "requestedBy": version.message.requestedBy.isEmpty
                ? .null : .string(version.message.requestedBy.joined(separator: ", ")),
            "tickets": strings(version.message.tickets),
            "unknown": version.named.unknown.isEmpty ? nil : strings(version.named.unknown.map(\.text)),
            "refused": version.named.refused.isEmpty ? nil : strings(version.named.refused.map(\.text)),
        ])
    }

    /// Who is behind a change: the last version, and all of them.
    package func origins(_ origins: [Origin]) -> KeyValuePairs<ExactText, JSON?> {
        ["version": reference(origins.last?.version), "versions": .array(origins.map { reference($0.version) })]
    }

    package func person(_ person: Person) -> JSON {
        .object(["name": .string(person.name), "email": .string(person.email)])
    }

    package func changes(_ changes: [Change]) -> JSON { .array(changes.flatMap(\.lines).map { change($0) }) }

    package func change(_ line: ChangeLine, _ more: KeyValuePairs<ExactText, JSON?> = [:]) -> JSON {
        func shown(_ value: JSON?) -> JSON? {
            line.isMasked && !revealsMasked ? value.map { _ in .string(Wording.dots) } : value
        }
        var members: [JSON.Member] = [
            JSON.Member("key", .string(line.subject.key.description)),
            JSON.Member("title", .string(line.title)),
            JSON.Member("facet", .string(line.facet.rawValue)),
            JSON.Member("before", shown(line.before) ?? .null),
            JSON.Member("after", shown(line.after) ?? .null),
            JSON.Member("beforeLabel", line.beforeLabel.map { .string($0) } ?? .null),
            JSON.Member("afterLabel", line.afterLabel.map { .string($0) } ?? .null),
        ]
        if line.isMasked { members.append(JSON.Member("masked", .bool(true))) }
        if let member = line.member { members.append(JSON.Member("member", .string(member))) }
        if case .group = line.subject { members.append(JSON.Member("isGroup", .bool(true))) }
        for (name, value) in more { if let value { members.append(JSON.Member(name, value)) } }
        return .object(members)
    }

    private func decision(_ decision: Decision) -> JSON {
        .object([
            "key": .string(decision.subject.key.description), "title": .string(decision.title),
            "facet": .string(decision.facet.token), "chosen": decision.isTakenBack ? nil : content(decision.chosen),
            "over": .array(decision.others.map(content)), "isTakenBack": decision.isTakenBack ? .bool(true) : nil,
        ])
    }

    package func conflict(_ conflict: Conflict, _ more: KeyValuePairs<ExactText, JSON?> = [:]) -> JSON {
        var members: [JSON.Member] = [
            JSON.Member("key", .string(conflict.subject.key.description)),
            JSON.Member("title", .string(conflict.title)),
            JSON.Member("facet", .string(conflict.facet.token)),
            JSON.Member("base", content(conflict.base)),
            JSON.Member("ours", content(conflict.ours)),
            JSON.Member("theirs", content(conflict.theirs)),
        ]
        if let reason = conflict.reason { members.append(JSON.Member("reason", .string(reason))) }
        for (name, value) in more { if let value { members.append(JSON.Member(name, value)) } }
        return .object(members)
    }

    private func content(_ content: Change.Content?) -> JSON {
        switch content {
        case nil: .null
        case .item(let item)?: (try? JSON(parsing: shown(item).file)) ?? .null
        case .key(let key)?: .string(key.description)
        case .value(let json, _, let isMasked)?: isMasked && !revealsMasked ? .string(Wording.dots) : json
        case .labels(let labels)?: .array(labels.map { .object(["value": $0.value, "label": .string($0.text)]) })
        case .json(let json)?: json
        }
    }

    private func shown(_ item: SettingsContent.Item) -> SettingsContent.Item {
        guard case .option(var option) = item, option.isMasked, !revealsMasked else { return item }
        option.value = option.value.map { _ in .string(Wording.dots) }
        option.defaultValue = option.defaultValue.map { _ in .string(Wording.dots) }
        for name in option.other.keys where option.masks(name) { option.other[name] = .string(Wording.dots) }
        return .option(option)
    }

    package func unreadable(_ file: VersionChanges.Unreadable) -> JSON {
        .object(["path": .string(file.path), "reason": .string(CommandLineHints.reason(file.problem))])
    }

    /// A choice whose two lines name different labels.
    package func disagreement(_ file: Disagreement) -> JSON {
        .object([
            "path": .string(file.subject.path),
            "key": .string(file.subject.key.description),
            "selected": file.selection.index.map { .number($0) } ?? .null,
            "value": file.selection.option.value ?? .null,
            "reason": .string(file.reason),
            "recorded": .bool(file.isRecorded),
            "edited": .bool(file.isIndexEdited),
        ])
    }

    /// Options as 'list' and 'get' print them.
    package func options(_ options: [(key: Key, option: SettingsOption)], takesDefault: Bool = true) -> JSON {
        Reports.document(["options": .array(options.map { option($0.key, $0.option, takesDefault: takesDefault) })])
    }

    /// What 'is' answers.
    package static func answer(_ isSo: Bool) -> JSON { document(["is": .bool(isSo)]) }

    /// A command that failed. `conflicts` have their `origins` in the same places, if known.
    package func failure(
        status: Int, kind: String, _ explanation: Explanation, path: String?, at position: BadFile.Position?,
        _ conflicts: [Conflict], _ origins: [ConflictOrigin]
    ) -> JSON {
        let rows = conflicts.enumerated().map { index, conflict in
            guard origins.indices.contains(index) else { return self.conflict(conflict) }
            return self.conflict(
                conflict, ["oursBy": reference(origins[index].ours), "theirsBy": reference(origins[index].theirs)])
        }
        return Reports.document([
            "error": .object([
                "exitStatus": .number(status), "kind": .string(kind), "reason": .string(explanation.reason),
                "hint": explanation.hint.map { .string($0) }, "path": path.map { .string($0) },
                "line": position.map { .number($0.line) }, "column": position.map { .number($0.column) },
                "details": explanation.details.isEmpty ? nil : .array(explanation.details.map { .string(ExactText($0)) }),
            ]),
            "conflicts": rows.isEmpty ? nil : .array(rows),
        ])
    }

    /// A version was recorded, but then something failed.
    package static func recorded(butThen reason: String) -> JSON {
        document(["status": "recorded", "version": .null, "notes": .array([.string(reason)])])
    }

    /// An option in the output of `show`, `list` and `get --json`. `takesDefault`: it is in force where no value is set.
    package func option(
        _ key: Key, _ option: SettingsOption, takesDefault: Bool = true, _ more: KeyValuePairs<ExactText, JSON?> = [:]
    ) -> JSON {
        func shown(_ value: JSON?) -> JSON? {
            option.isMasked && !revealsMasked ? value.map { _ in .string(Wording.dots) } : value
        }
        let members: KeyValuePairs<ExactText, JSON?> = [
            "key": .string(key.description),
            "title": .string(option.title),
            "type": .string(option.type.rawValue),
            "value": shown(option.value) ?? .null,
            "label": option.value.flatMap { option.label(of: $0) }.map { .string($0) } ?? .null,
            "selected": option.type == .choice ? option.selected.map { .number($0) } ?? .null : nil,
            "default": shown(option.defaultValue),
            "effective": shown(takesDefault ? option.effectiveValue : option.value) ?? .null,
            "for": option.other["for"].map { option.masks("for") && !revealsMasked ? .string(Wording.dots) : $0 },
            "masked": option.isMasked ? .bool(true) : nil,
            "help": option.help.map { .string($0) },
            "labels": option.type == .choice
                ? .array(
                    option.labels.map {
                        .object([
                            "value": $0.value, "label": .string($0.text),
                            "longLabel": $0.long.map { .string($0) },
                        ])
                    }) : nil,
            "minimum": option.range.minimum.map { .number($0) },
            "maximum": option.range.maximum.map { .number($0) },
            "step": option.range.step.map { .number($0) },
            "pattern": option.pattern.map { .string($0) },
            "readOnly": option.isReadOnly ? .bool(true) : nil,
        ]
        return .object((Array(members) + Array(more)).compactMap { name, value in value.map { JSON.Member(name, $0) } })
    }

    private func ids(_ ids: [VersionID]) -> JSON { strings(ids.map(\.hex)) }
    func strings(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
}
