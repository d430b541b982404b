import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check every file, or what a range of versions did to chosen values.",
        discussion: """
            Exit status 65 where something is wrong.

              settings verify
              settings verify main..feature
            """)

    @Argument(help: ArgumentHelp("A..B: the versions in B that are not in A.", valueName: "range")) var range: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let (checked, what, findings) = try check(context)
        if json.json {
            let rows = findings.map { finding in
                JSON.object([
                    "path": .string(finding.path), "reason": .string(finding.reason), "hint": finding.hint.map { .string($0) },
                    "version": finding.version.map { context.reports.reference($0) }, "candidates": .array(finding.candidates),
                ])
            }
            try context.output.json(Reports.document(["checked": .number(checked), "findings": .array(rows)]))
        } else {
            for finding in findings {
                var line = StyledText(finding.reason.hasPrefix(finding.path) ? "" : "\(finding.path): ", .name).adding(
                    finding.reason)
                if let version = finding.version {
                    line = line.adding("  in ").adding(version.id.short, .id).adding(" by \(version.author.name)")
                }
                try context.output.line(line)
                if let hint = finding.hint { try context.output.line(StyledText("    \(hint)", .faint)) }
            }
            if findings.isEmpty, !context.output.isQuiet {
                try context.output.line("\(checked) \(what)\(checked == 1 ? "" : "s") checked, nothing is wrong")
            }
        }
        if !findings.isEmpty { throw Failure(.badData, "\(findings.count) thing\(findings.count == 1 ? " is" : "s are") wrong") }
    }

    private func check(_ context: Context) throws -> (Int, String, [Finding]) {
        let store = try context.store()
        guard let range else {
            let (files, findings) = try store.verify()
            return (files, "file", findings)
        }
        guard let dots = range.firstRange(of: "..") else {
            throw Failure(.usage, "'\(range)' is no range", hint: "write it as A..B")
        }
        let (from, to) = (String(range[..<dots.lowerBound]), String(range[dots.upperBound...]))
        let old = try store.version(named: from.isEmpty ? "HEAD" : from).id
        let new = try store.version(named: to.isEmpty ? "HEAD" : to).id
        let (versions, findings) = try store.verify(from: old, to: new)
        return (versions, "version", findings)
    }
}
