import SettingsText

/// The keys, as `KeyTable` has them.
package struct HelpPage: Page {
    package init() {}

    package func title(in scene: Scene) -> String { "Keys" }

    package func rows(in scene: Scene) -> [any Row] {
        KeyTable.all.flatMap { heading, bindings -> [any Row] in
            let lines = bindings.compactMap { binding in
                let keys = binding.keys.map(\.name).joined(separator: " ")
                return binding.words.map { FactRow(keys, StyledText($0), id: "\(heading) \(keys)") }
            }
            return [HeadingRow(heading, .named("heading \(heading)"))] + lines
        }
    }

    package func act(_ act: Act, in scene: Scene) -> Response? { act == .help ? .back : nil }
}
