import ArgumentParser
import Files
import SettingsModel
import SettingsStore
import SettingsText

/// The options of every command that uses the network.
struct NetworkOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Accept no more than this from the remote: 500M, 4G (default: 1G).", valueName: "size"))
    var limit: String?

    func validate() throws {
        if let limit, Self.bytes(limit) == nil {
            throw ValidationError("invalid size '\(limit)': expected a number and K, M or G, such as 500M; at least 64K")
        }
    }

    /// `500M` in bytes.
    private static func bytes(_ text: String) -> Int? {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        guard let unit = text.last.flatMap({ units[Character($0.uppercased())] }), let number = Int(text.dropLast()) else {
            return nil
        }
        let (bytes, overflows) = number.multipliedReportingOverflow(by: unit)
        return overflows || bytes < leastLimit ? nil : bytes
    }

    /// What git itself writes beside what comes in, its configuration for example, has to fit in.
    private static let leastLimit = 64 << 10

    func program(_ context: Context) throws -> NetworkProgram {
        try Self.program(context, limit: limit.flatMap(Self.bytes) ?? 1 << 30)
    }

    static func program(
        _ context: Context, limit: Int, for what: String = "reach other repositories"
    ) throws -> NetworkProgram {
        guard let path = GitProgram.path(context.environment) else {
            throw Failure(.unavailable, "git is not installed, but is needed to \(what)", hint: "install git")
        }
        let environment = context.environment
        return NetworkProgram(
            path: path, environment: ThisProcess.variables,
            isInteractive: environment.isInputTerminal && environment.isErrorTerminal && !context.output.isQuiet,
            limit: limit, progress: { context.output.progress($0) }
        ) { line in
            if environment.isErrorTerminal { context.output.error(StyledText(line.visible, .faint)) }
        }
    }
}
