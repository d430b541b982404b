package import SettingsModel

// What 'import' prints.

extension Phrases {
    /// What was repaired in the files, and the parts that have no meaning here.
    package static func repairs(_ repairs: [Repair]) -> [PrintedLine] {
        var lines = repairs.filter { $0.kind == .repaired }.map { repair in
            PrintedLine.warning(
                StyledText("\(repair.place): \(repair.found); \(CommandLineHints.done(repair))"), label: "repaired")
        }
        lines += repairs.filter { $0.kind == .noted }.map { .note("\($0.place): \($0.found); \($0.done)") }
        let others = repairs.filter { $0.kind == .leftOut }.map(\.file)
        if !others.isEmpty { lines.append(.note("skipped, unknown format: \(list(others))")) }
        let kept = repairs.count { $0.kind == .kept }
        if kept > 0 {
            lines.append(
                .note(
                    "kept only for exporting: \(CommandLineHints.counted(kept, "detail")); "
                        + "--json lists \(kept == 1 ? "it" : "them")"))
        }
        return lines
    }

    /// Why an import records nothing.
    package static func nothingImported(_ result: ImportResult) -> String {
        if !result.kept.isEmpty { return "nothing to import: only kept values differ" }
        return result.differs ? "nothing new since the last import" : "nothing to import: everything is up to date"
    }

    /// What is beside the version that an import recorded.
    package func imported(_ imported: Imported, _ result: ImportResult) -> [PrintedLine] {
        var lines = Phrases.left(imported.parts.left)
        let changed = Set(result.changes.map(\.subject.key))
        let masked = imported.parts.masked.filter(changed.contains)
        if !masked.isEmpty {
            let names = Phrases.list(masked.map(\.description))
            lines.append(.note("masked, but not encrypted: \(names); --no-mask imports them unmasked"))
        }
        let open = imported.parts.unmaskable.filter(changed.contains)
        if !open.isEmpty {
            let names = Phrases.list(open.map(\.description))
            lines.append(.warning(StyledText("\(names): only text options can be masked"), label: "not masked"))
        }
        lines += result.kept.map { .warning(kept($0), label: "kept") }
        if !result.kept.isEmpty { lines.append(.hint("--overwrite takes the values of the files")) }
        let single = result.gone.filter { key in !result.goneGroups.contains { key.isWithin($0) && key != $0 } }
        let names = result.goneGroups.map { "\($0) (group)" } + single.map(\.description)
        if names.isEmpty { return lines }
        let them = names.count == 1 ? "it" : "them"
        return lines + [.note("no longer in these files, but kept: \(Phrases.list(names)); --prune removes \(them)")]
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }
}

extension Reports {
    /// The outcome of an import, except for the version.
    package func imported(_ imported: Imported, _ result: ImportResult) -> [JSON.Member] {
        func repair(_ repair: Repair) -> JSON {
            .object([
                "kind": .string(repair.kind.rawValue), "file": .string(repair.file),
                "line": repair.line.map { .number($0) } ?? .null, "page": repair.page.map { .string($0) } ?? .null,
                "key": repair.key.map { .string($0) } ?? .null, "found": .string(repair.found),
                "done": .string(CommandLineHints.done(repair)),
            ])
        }
        return [
            JSON.Member("format", .string(imported.format.rawValue)),
            JSON.Member(
                "sources",
                .array(
                    imported.parts.sources.map {
                        .object(["format": .string($0.format.rawValue), "path": .string($0.path)])
                    })),
            JSON.Member("options", .number(imported.settings.options.count)),
            JSON.Member("groups", .number(imported.settings.groups.count)),
            JSON.Member("labels", .number(imported.settings.options.values.reduce(0) { $0 + $1.labels.count })),
            JSON.Member("repairs", .array(imported.repairs.map(repair))),
            JSON.Member("kept", .array(result.kept.map { conflict($0) })),
            JSON.Member("gone", .array(result.gone.map { .string($0.description) })),
            JSON.Member("masked", strings(imported.parts.masked.map(\.description))),
            JSON.Member("notMasked", strings(imported.parts.unmaskable.map(\.description))),
            JSON.Member("left", strings(imported.parts.left.map(\.description))),
            JSON.Member("goneGroups", .array(result.goneGroups.map { .string($0.description) })),
        ]
    }
}

extension CommandLineHints {
    /// An import with --strict, where something in the files would be repaired.
    package static func refusal(_ repairs: [Repair]) -> Explanation? {
        let repairs = repairs.filter { $0.kind == .repaired }
        return repairs.first.map { first in
            Explanation(
                "\(first.place): \(first.found)" + (repairs.count > 1 ? " (and \(repairs.count - 1) more)" : ""),
                hint: "without --strict it is imported with this repair: \(done(first))")
        }
    }
}

extension Repair {
    /// The affected file, page and key.
    fileprivate var place: String {
        var place = line.map { "\(file):\($0)" } ?? file
        for part in [page, key].compactMap({ $0 }) { place += " \(part)" }
        return place
    }
}
