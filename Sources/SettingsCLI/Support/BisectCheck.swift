import Files
import SettingsModel
import SettingsStore
import SettingsText

/// The command of 'bisect', run in a copy of the store's files.
struct BisectCheck {
    /// Ctrl-C or the like came.
    struct Interrupted: Error {
        let signal: Int32
    }

    private var copy: ContentCopy
    private let words: [String]
    private let variables: [String: String]
    private let isSilent: Bool
    private(set) var runs = 0
    /// How the command exited last.
    private(set) var status: Int32 = 0

    /// `words`: the command and its arguments; `{}` stands for the path of the copy.
    init(_ words: [String], in copy: ContentCopy, _ environment: Environment, isSilent: Bool) {
        self.copy = copy
        self.isSilent = isSilent
        var words = words.map { $0.replacing("{}", with: copy.path) }
        // The command is looked up from where the person is, though it doesn't run there.
        if let program = words.first, program.contains("/"), !program.hasPrefix("/") {
            words[0] = environment.absolute("./" + program)
        }
        self.words = words
        // What git sets for a hook would lead to the repository of the store itself.
        var variables = ThisProcess.variables.filter { !Self.repositoryVariables.contains($0.key) }
        variables["SETTINGS_STORE"] = copy.path
        variables["PWD"] = copy.path
        variables["GIT_CEILING_DIRECTORIES"] = FileSystem.folder(of: copy.path)
        self.variables = variables
    }

    /// What `git rev-parse --local-env-vars` lists.
    private static let repositoryVariables: Set<String> = [
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_OBJECT_DIRECTORY",
        "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR",
    ]

    /// Runs the command with these settings. Throws where its exit status is no answer, as `git bisect run` does.
    mutating func verdict(on content: SettingsContent) throws -> Bisection.Verdict {
        try copy.write(content)
        try stopIfInterrupted()
        runs += 1
        var command = Command(typed: words, variables)
        command.folder = copy.path
        if isSilent { (command.output, command.errors) = (.nowhere, .nowhere) }
        let ending = command.check()
        try stopIfInterrupted()
        switch ending {
        case .exited(0): return .good
        case .exited(125): return .unknown
        case .exited(let code) where code == 126 || code == 127: throw failure(.exited(code))
        // A shell tells in this way that a signal ended what it ran.
        case .exited(let code) where (129..<160).contains(code): throw failure(.killed(signal: code - 128))
        case .exited(let code):
            status = code
            return .bad
        case .killed(let signal): throw failure(.killed(signal: signal))
        case .notStarted(let reason): throw failure(.notStarted(reason))
        }
    }

    private func stopIfInterrupted() throws {
        if let signal = Interrupts.signal { throw Interrupted(signal: signal) }
    }

    private func failure(_ ending: CommandLineHints.CommandEnding) -> Failure {
        let explanation = CommandLineHints.explanation(of: ending, words.first ?? "")
        return Failure(.unavailable, explanation)
    }
}
