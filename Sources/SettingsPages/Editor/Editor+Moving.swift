extension Editor {
    /// Whether the act moves the focus.
    mutating func move(_ act: Act) -> Bool {
        let height = layout.bodyHeight
        switch act {
        case .up: step(-1)
        case .down: step(1)
        case .pageUp: jump(-height + 1)
        case .pageDown: jump(height - 1)
        case .halfUp: jump(-height / 2)
        case .halfDown: jump(height / 2)
        case .top: top.focus(nearest: 0, searching: 1, layout)
        case .bottom: top.focus(nearest: visit.rows.count - 1, searching: -1, layout)
        default: return false
        }
        return true
    }

    private mutating func step(_ direction: Int) {
        if top.step(direction, layout) { return }
        say(direction > 0 ? "This is the last row" : "This is the first row")
    }

    private mutating func jump(_ distance: Int) {
        let place = min(max(visit.focus + distance, 0), visit.rows.count - 1)
        top.focus(nearest: place, searching: distance > 0 ? 1 : -1, layout)
    }

    /// The first click focuses a row, the next one opens it.
    mutating func click(_ line: Int) {
        guard typing == nil, let place = layout.lines(of: visit).first(where: { $0.line == line })?.row,
            visit.rows[place].isFocusable
        else { return }
        status = Status()
        if visit.focus == place { return perform(.open) }
        top.focus(nearest: place, searching: 1, layout)
    }
}
