package import SettingsModel

// Other programs' files.

extension CommandLineHints {
    /// `rewriting`: the command that rewrites the file, where the one that is refused can't.
    package static func explanation(of refusal: Refusal, rewriting command: String? = nil) -> Explanation {
        let hints = refusal.all.flatMap { [$0.hint, $0.remedy.map { words($0, command) }] }.compactMap { $0 }
        let fallback = refusal.all.contains { $0.position != nil } ? "correct the file; nothing was changed" : nil
        let hint = hints.isEmpty ? fallback : unique(hints).joined(separator: "; ")
        let reasons = unique(refusal.all.map(reason))
        guard reasons.count > 1 else { return Explanation(reasons[0], hint: hint) }
        let files = Set(refusal.all.map(\.file))
        let place = files.count == 1 ? refusal.file.map { "\($0): " } ?? "" : ""
        return Explanation("\(place)found \(reasons.count) problems", hint: hint, details: reasons)
    }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }

    private static func reason(_ refusal: Refusal) -> String {
        var reason = refusal.asked.map { "\(flag($0)) \(refusal.reason)" } ?? refusal.reason
        if let file = refusal.file {
            if let position = refusal.position {
                reason = "\(file):\(position.line):\(position.column): \(reason)"
            } else {
                // Some reasons go on as a sentence about the file.
                let verbs = ["is ", "has ", "holds ", "contains "]
                reason = verbs.contains(where: reason.hasPrefix) ? "\(file) \(reason)" : "\(file): \(reason)"
            }
        }
        return reason
    }

    /// What an import did about a part of a file.
    package static func done(_ repair: Repair) -> String {
        repair.needsLanguage ? "\(repair.done); --language picks one" : repair.done
    }

    private static func words(_ remedy: Refusal.Remedy, _ command: String?) -> String {
        switch remedy {
        case .namingFormat: "give it with --format \(FormatName.allCases.map(\.rawValue).joined(separator: "|"))"
        case .choosingFormat(let first, let second):
            "say which one it is: --format \(first.rawValue) or --format \(second.rawValue)"
        case .renamingOption: "change it with 'settings rename'"
        case .rewriting:
            "\(command.map { "'\($0)'" } ?? "--rewrite") rewrites the whole file, without its comments and layout"
        case .exporting(let format, let given):
            "'settings export \(format.rawValue)' edits it; --rewrite rewrites it as \(given.rawValue)"
        }
    }

    private static func flag(_ asked: Refusal.Asked) -> String {
        switch asked {
        case .values: "--values"
        case .document: "--document"
        }
    }
}
