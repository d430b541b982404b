package import SettingsModel

// What 'tag' prints.

extension Phrases {
    /// A tag with its message, if that says more than its name.
    package func tag(_ name: String, _ message: String?, _ version: Version) -> [StyledText] {
        let message = message?.trimmingSpaces ?? ""
        let why = message.isEmpty || message == name ? "" : "  \(wording.glyphs.quoted(message.split(separator: "\n")[0]))"
        return [StyledText(name, .name), headline(version) + StyledText(why)]
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

    /// What became of a tag. `old`: the version that it named before.
    package func tag(_ name: String, _ status: String, _ version: Version, was old: VersionID?) -> JSON {
        Reports.document([
            "tag": .string(name), "status": .string(status), "version": reference(version),
            "before": old.map { .string($0.hex) },
        ])
    }
}
