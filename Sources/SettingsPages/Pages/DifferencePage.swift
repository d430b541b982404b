package import SettingsModel
import SettingsText

/// What changes do, line by line: one line where the value is short, and as many as differ of a text or JSON.
package struct DifferencePage: Page {
    let changes: [Change]

    package init(_ changes: [Change]) { self.changes = changes }

    package func title(in scene: Scene) -> String { "Difference" }

    package var isWide: Bool { true }

    package func rows(in scene: Scene) -> [any Row] {
        changes.flatMap { scene.lines(of: $0) }.enumerated().map { LineRow($0, $1) }
    }

    package func act(_ act: Act, in scene: Scene) -> Response? { act == .changes ? .back : nil }
}

extension Scene {
    /// What a change does, as lines of the values before and after it.
    func lines(of change: Change) -> [FileLine] {
        let place = change.subject.key.isRoot ? change.subject.path : change.subject.key.description
        return [FileLine(.file, "\(change.title.string.inWords)  \(place)")] + change.lines.flatMap { lines(of: $0) }
    }

    private func lines(of line: ChangeLine) -> [FileLine] {
        guard !line.isMasked || wording.revealsMasked, let texts = texts(of: line) else {
            return [FileLine(.note, " " + wording.step(line))]
        }
        let what = line.facet == .value ? [] : [FileLine(.note, " \(line.member?.string ?? line.facet.rawValue)")]
        return what + FileLine.difference(from: texts.before, to: texts.after)
    }
}
