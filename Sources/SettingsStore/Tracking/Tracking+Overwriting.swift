import Git
package import SettingsModel

/// Whether an export overwrites what only a file has, where the file isn't tracked.
package struct OverwritingQuery: Query {
    /// How the history names the file.
    package var name: String
    package var format: FormatName
    package var group: Key
    package var bytes: [UInt8]
    /// What is to be written, with keys relative to the group.
    package var settings: SettingsContent

    package init(name: String, format: FormatName, group: Key, bytes: [UInt8], settings: SettingsContent) {
        (self.name, self.format, self.group, self.bytes, self.settings) = (name, format, group, bytes, settings)
    }

    package struct Answer: Sendable {
        /// The options whose members differ in the file, and that the store did not change itself since the file was imported:
        /// what the export would make of them.
        package var changes: [Change] = []
        /// Options that the file has under the key that they had before they were renamed, which stays there.
        package var renamed: [VersionMessage.Rename] = []
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        guard let formats = session.formats,
            let text = try? TrackedText(bytes, of: TrackedFile(file: name, format: format, group: group), formats)
        else { return Answer() }
        let store = try session.store
        return Answer(changes: try changes(of: text, store), renamed: try renamed(in: text, store))
    }

    private func renamed(in text: TrackedText, _ store: Store) throws(Problem) -> [VersionMessage.Rename] {
        let missing = settings.options.keys.filter { text.option(at: settings.memberPath(of: $0)) == nil }.sorted()
        if missing.isEmpty { return [] }
        let renames = try store.history.renames(from: nil, to: try store.versions.tip().id)
        return missing.compactMap { key in
            let old = key.below(group).before(renames)
            let place = old.moved(from: group, to: .root)
            guard old != key.below(group), old.isWithin(group), settings.options[place] == nil,
                text.settings.options[place] != nil
            else { return nil }
            return VersionMessage.Rename(old: .option(old), new: .option(key.below(group)))
        }
    }

    private func changes(of text: TrackedText, _ store: Store) throws(Problem) -> [Change] {
        var differing: [Key: (option: SettingsOption, member: SettingsOption)] = [:]
        for (key, option) in settings.options {
            guard let member = text.option(at: settings.memberPath(of: key)), !option.isInStep(with: member) else { continue }
            differing[key.below(group)] = (option, member)
        }
        if differing.isEmpty { return [] }
        let tip = try store.versions.tip()
        var wish = ImportWish([VersionMessage.ImportSource(format: format, name: name)])
        wish.group = group
        let earlier = try store.importing.earlierImports(of: Set(differing.keys.map { .option($0) }), wish, before: tip)
        var (file, own) = (SettingsContent(), SettingsContent())
        for (key, (option, member)) in differing {
            if earlier.ofSources.contains(.option(key)), let brought = earlier.settings.options[key],
                brought.isInStep(with: member)
            {
                continue
            }
            let there = option.showing(member)
            (file.options[key], own.options[key]) = (there, option)
        }
        return own.changes(since: file)
    }
}
