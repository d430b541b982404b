import Files
import SettingsModel
import SettingsText

extension Environment {
    /// Has the program say what it does, where SETTINGS_TRACE asks for it. As with GIT_TRACE, one that can't be obeyed is a
    /// warning.
    func startTrace(_ output: Output) {
        guard let word = self["SETTINGS_TRACE"], !Self.isNo(word) else { return }
        do throws(SystemFailure) {
            if word.hasPrefix("/") {
                try Trace.start(word)
            } else if ["1", "true", "yes", "on"].contains(word.lowercased()) {
                try Trace.start(nil)
            } else {
                let fault = "SETTINGS_TRACE is '\(word)': expected 1 or the absolute path of a file"
                return output.error(StyledText("warning: \(fault.visible)"))
            }
        } catch {
            return output.error(StyledText("warning: cannot write the trace to '\(word.visible)': \(error.reason)"))
        }
        // Which one it is; what follows may be a value.
        let command = ThisProcess.arguments.dropFirst().first { SettingsCommand.named($0) != nil }
        Trace.note("\(SettingsCommand.build)\(command.map { ", command '\($0)'" } ?? "")")
    }
}
