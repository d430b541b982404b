import SettingsModel
import SettingsText

/// A version in a list: its place in the graph, when, who, and what it did.
///
/// It holds no more than its id, in the place that a row has without memory of its own: there may be 100,000.
struct VersionRow: Row {
    let version: VersionID
    /// The list that it stands in.
    let list: UInt32

    init(_ version: VersionID, list: UInt32) { (self.version, self.list) = (version, list) }

    var id: RowID { .version(version) }

    private func entry(in scene: Scene) -> Browsing.Entry? { scene.browsing.entries[version] }

    private func places(in scene: Scene) -> [Key] {
        scene.browsing.lists.indices.contains(Int(list)) ? scene.browsing.lists[Int(list)].filter.places : []
    }

    func title(in scene: Scene) -> String {
        guard let entry = entry(in: scene) else { return version.short }
        guard let version = entry.version else { return "\(version.short) cannot be read" }
        return "\(scene.phrases.time(version.time))  \(version.author.name)"
    }

    /// A dot: it is marked.
    func mark(in scene: Scene) -> String { scene.browsing.mark == version ? scene.glyphs.bullet : "" }

    private func names(in scene: Scene) -> StyledText {
        guard let names = scene.browsing.names?[version] else { return StyledText() }
        return names.all.isEmpty ? StyledText() : StyledText("[\(names.all.joined(separator: ", "))]", .name)
    }

    /// What it changed: of the list's places, if it has any.
    func changed(in scene: Scene) -> StyledText {
        guard let entry = entry(in: scene), let version = entry.version else { return StyledText() }
        guard let changes = entry.changes else { return StyledText(version.message.subject) }
        let places = places(in: scene)
        let made = changes.changes.filter { change in places.isEmpty || places.contains { change.subject.key.isWithin($0) } }
        let lines = made.told.flatMap(\.lines)
        // What a merge brings in is told of where it was made.
        let isMerge = places.isEmpty && version.isMerge && changes.decisions.isEmpty
        guard let first = lines.first, !isMerge else {
            return StyledText(version.message.subject)
        }
        var text = StyledText(scene.sentence(first))
        // On the history of one option its title is above.
        if places.count == 1, places[0] == first.subject.key, !first.subject.isGroup {
            text = StyledText(Sentence(Array(scene.wording.sentence(first).pieces.dropFirst(2))))
        }
        return lines.count > 1 ? text.adding(", and \(lines.count - 1) more", .faint) : text
    }

    func accessory(in scene: Scene) -> Accessory {
        let names = names(in: scene)
        let changed = changed(in: scene)
        return Accessory(names.spans.isEmpty ? changed : names.adding(" ") + changed)
    }

    func line(width: Int, in scene: Scene) -> StyledText? {
        let columns = scene.browsing.columns
        func cut(_ text: String, _ limit: Int) -> StyledText { StyledText(text, .faint).cut(to: limit, scene.glyphs) }
        var line = StyledText()
        if columns.graph > 0 {
            line = graph(columns.graph, in: scene).padded(to: columns.graph).adding(" ")
        }
        guard let entry = entry(in: scene) else { return line.adding(version.short, .id) }
        guard let version = entry.version else { return line.adding(title(in: scene), .warning) }
        if columns.time > 0 {
            line = line + cut(scene.phrases.time(version.time), columns.time).padded(to: columns.time).adding("  ")
        }
        if columns.person > 0 { line = line + person(version, columns.person).padded(to: columns.person).adding("  ") }
        return line + accessory(in: scene).text
    }

    /// The lines of the graph. Where there is no room for all of them, the version's own place is shown at the end.
    private func graph(_ limit: Int, in scene: Scene) -> StyledText {
        let text = scene.browsing.graphs[version] ?? ""
        let node = text.firstIndex { $0 == "○" || $0 == "*" }
        guard let node, text.distance(from: text.startIndex, to: node) + 1 >= limit, text.displayWidth > limit else {
            return StyledText(text, .faint).cut(to: limit, scene.glyphs)
        }
        return StyledText(String(text[..<node]), .faint).cut(to: limit - 1, scene.glyphs).padded(to: limit - 1)
            .adding(String(text[node]), .faint)
    }

    private func person(_ version: Version, _ limit: Int) -> StyledText {
        let name = version.author.name
        if !name.isEmpty, name.displayWidth <= limit { return StyledText(name, .person) }
        return StyledText(String(Self.shortName(version).prefix(columns: limit)), .person)
    }

    /// The name by which there is little room for more.
    static func shortName(_ version: Version) -> String {
        version.author.name.split(separator: " ").first.map(String.init) ?? "(nobody)"
    }

    func open(in scene: Scene) -> Response { .open(DetailPage(version)) }

    func act(_ act: Act, in scene: Scene) -> Response? {
        let places = places(in: scene)
        switch act {
        case .pane: return open(in: scene)
        case .info: return .all([open(in: scene), .say("settings show \(version.short)")])
        case .restore where !places.isEmpty: return .browse(.restore(places, version))
        case .history: return .refuse("H shows the history of an option; open the version and select a change")
        default: return VersionActs.response(to: act, on: version)
        }
    }

    func hint(in scene: Scene) -> String {
        let why = entry(in: scene)?.version?.message.why.map { scene.glyphs.quoted($0.split(separator: "\n").first ?? "") }
        return [version.short, why, "r Restore  R Revert  m Mark"].compactMap(\.self)
            .joined(separator: " \(scene.glyphs.separator) ")
    }

    func sentence(in scene: Scene) -> String {
        let text = accessory(in: scene).text.spans.map(\.text).joined()
        let sentence = "\(title(in: scene)): \(text)"
        return scene.browsing.mark == version ? sentence + " (marked)" : sentence
    }
}
