package import SettingsModel

// What 'tag' prints.

extension Phrases {
    package func tags(_ tags: [(name: String, message: String?, version: Version)]) -> [PrintedLine] {
        if tags.isEmpty { return [.note("there are no tags yet")] }
        return Phrases.table(tags.map(tag)).map { .answer($0) }
    }

    /// A tag with its message, if that says more than its name.
    private func tag(_ name: String, _ message: String?, _ version: Version) -> [StyledText] {
        let message = message?.trimmingSpaces ?? ""
        let why = message.isEmpty || message == name ? "" : "  \(wording.glyphs.quoted(message.split(separator: "\n")[0]))"
        return [StyledText(name, .name), headline(version) + StyledText(why)]
    }

    /// What became of a tag.
    package enum TagChange: String, Sendable {
        case created, moved, deleted
    }

    /// `old`: the version that it named before.
    package static func tag(
        _ name: String, _ change: TagChange, _ version: Version, was old: VersionID?, isPlanned: Bool
    ) -> [PrintedLine] {
        let words =
            switch (change, isPlanned) {
            case (.deleted, true): "would no longer be tagged"
            case (.deleted, false): "is no longer tagged"
            case (_, true): "would be tagged"
            case (_, false): "is tagged"
            }
        let before = old.map { $0 == version.id ? "" : " (before: \($0.short))" } ?? ""
        return [.done(version, "\(words) \(name)\(before)")]
    }
}

extension Reports {
    package func tags(_ tags: [(name: String, message: String?, version: Version)]) -> JSON {
        let rows = tags.map { tag in
            JSON.object([
                "name": .string(tag.name), "message": tag.message.map { .string($0.trimmingSpaces) } ?? .null,
                "version": reference(tag.version),
            ])
        }
        return Reports.document(["tags": .array(rows)])
    }

    package func tag(
        _ name: String, _ change: Phrases.TagChange, _ version: Version, was old: VersionID?, isPlanned: Bool
    ) -> JSON {
        Reports.document([
            "tag": .string(name), "status": .string(isPlanned ? "planned" : change.rawValue), "version": reference(version),
            "before": old.map { .string($0.hex) },
        ])
    }
}
