import Files

/// A pager, fed through a pipe.
struct Pager {
    let input: Int32
    private let child: Child

    /// Nil where it can't be started.
    init?(_ command: String) {
        var variables = ThisProcess.variables
        // As git has it: leave when it fits on the screen, show colours, keep what was shown.
        if variables["LESS"] == nil { variables["LESS"] = "FRX" }
        if variables["LV"] == nil { variables["LV"] = "-c" }
        guard let started = Child.fed(by: command, variables) else { return nil }
        (child, input) = started
    }

    func finish() {
        ThisProcess.close(input)
        _ = child.wait()
    }
}
