import Foundation

/// A Markdown page whose code blocks contain commands and their exact output:
///
///     ```console
///     # as Bob, 2026-11-20 18:04
///     $ settings set display.dark on -m 'Late shift'
///     3f2a91c  Dark mode: off → on
///     ```
///
/// `# as WHO, WHEN` sets the user and the time; each command takes a minute. A command continues in lines that
/// begin with `> `. In a block with `draft` after `console`, the work tree may have unrecorded changes.
struct Transcript {
    struct Command {
        /// The lines in the file, with `$ ` and `> `.
        var written: [String]
        /// The text that the shell runs.
        var text: String
        var mayLeaveDraft: Bool
        var line: Int
    }

    enum Piece {
        /// Lines that are not commands.
        case prose([String])
        case person(name: String, time: String?, line: String)
        case command(Command, output: [String])
    }

    var pieces: [Piece] = []

    init(_ text: String) {
        var words: [Substring] = []
        var isInside = false
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                words = line.dropFirst(3).split(separator: " ")
                isInside = !isInside && words.first == "console"
                pieces.append(.prose([line]))
            } else if !isInside {
                pieces.append(.prose([line]))
            } else if line.hasPrefix("# as ") {
                let parts = line.dropFirst(5).split(separator: ",", maxSplits: 1)
                pieces.append(
                    .person(name: String(parts[0]), time: parts.count == 2 ? String(parts[1].dropFirst()) : nil, line: line))
            } else if line.hasPrefix("$ ") {
                let command = Command(
                    written: [line], text: String(line.dropFirst(2)), mayLeaveDraft: words.contains("draft"), line: index + 1)
                pieces.append(.command(command, output: []))
            } else {
                extend(with: line)
            }
        }
    }

    private mutating func extend(with line: String) {
        guard case .command(var command, var output)? = pieces.popLast() else { return pieces.append(.prose([line])) }
        if output.isEmpty, line.hasPrefix("> ") {
            command.written.append(line)
            command.text += "\n" + line.dropFirst(2)
        } else {
            output.append(line)
        }
        pieces.append(.command(command, output: output))
    }

    /// The text of the file.
    var text: String {
        let lines = pieces.flatMap { piece in
            switch piece {
            case .prose(let lines): lines
            case .person(_, _, let line): [line]
            case .command(let command, let output): command.written + output
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The same page with the current output of the commands; `complain` is called if a store is in an invalid state.
    func run(in home: Home, complain: (String, Command) -> Void) throws -> Transcript {
        var result = self
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .prose: break
            case .person(let name, let time, _): try home.become(name, at: time)
            case .command(let command, _):
                result.pieces[index] = .command(command, output: try home.run(command.text))
                if !command.mayLeaveDraft, let untidy = try home.untidy() {
                    complain("git status is not clean:\n\(untidy)", command)
                }
            }
        }
        return result
    }
}
