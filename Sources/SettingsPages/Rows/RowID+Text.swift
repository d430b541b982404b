package import SettingsModel

/// A row in an address or a form: `option:sound.volume`, `conflict:sound/volume.json:value`. It stays what it is from one release to
/// the next.
extension RowID {
    package var text: String {
        switch self {
        case .option(let key): "option:\(key)"
        case .group(let key): "group:\(key)"
        case .label(let value): "label:\(value.compact)"
        case .change(let subject, let facet): "change:\(subject.path):\(facet.token)"
        case .conflict(let subject, let facet): "conflict:\(subject.path):\(facet.token)"
        case .version(let id): "version:\(id.hex)"
        case .fileChange(let subject, let facet, let isStaged):
            "\(isStaged ? "staged" : "edited"):\(subject.path):\(facet.token)"
        case .named(let name): "named:\(name)"
        }
    }

    /// The row of an option or a group; nil for the store's own definition, which has none.
    package init?(_ subject: Subject) {
        switch subject {
        case .option(let key): self = .option(key)
        case .group(let key): self = .group(key)
        case .store: return nil
        }
    }

    /// Nil for what is no row's.
    package init?(text: some StringProtocol) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = String(text[text.index(after: colon)...])
        var facet: (subject: Subject, facet: Facet)? {
            guard let colon = rest.firstIndex(of: ":"), let subject = Subject(path: String(rest[..<colon])),
                let facet = Facet(token: String(rest[rest.index(after: colon)...]))
            else { return nil }
            return (subject, facet)
        }
        let id: RowID? =
            switch text[..<colon] {
            case "option": (try? Key(rest)).map { .option($0) }
            case "group": (try? Key(rest)).map { .group($0) }
            case "label": (try? JSON(parsing: rest)).map { .label($0) }
            case "change": facet.map { .change($0.subject, $0.facet) }
            case "conflict": facet.map { .conflict($0.subject, $0.facet) }
            case "version": VersionID(hex: rest).map { .version($0) }
            case "staged": facet.map { .fileChange($0.subject, $0.facet, isStaged: true) }
            case "edited": facet.map { .fileChange($0.subject, $0.facet, isStaged: false) }
            case "named": .named(rest)
            default: nil
            }
        guard let id else { return nil }
        self = id
    }
}
