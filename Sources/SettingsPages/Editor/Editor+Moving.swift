extension Editor {
    /// The rows that fit between the head and the foot of the screen.
    var bodyHeight: Int { max(1, size.rows - 2) }

    /// Whether the act moves the focus.
    mutating func move(_ act: Act) -> Bool {
        switch act {
        case .up: step(-1)
        case .down: step(1)
        case .pageUp: jump(-bodyHeight + 1)
        case .pageDown: jump(bodyHeight - 1)
        case .halfUp: jump(-bodyHeight / 2)
        case .halfDown: jump(bodyHeight / 2)
        case .top: focus(nearest: 0, searching: 1)
        case .bottom: focus(nearest: visit.rows.count - 1, searching: -1)
        default: return false
        }
        return true
    }

    private mutating func step(_ direction: Int) {
        var place = visit.focus + direction
        while visit.rows.indices.contains(place), !visit.rows[place].isFocusable { place += direction }
        guard visit.rows.indices.contains(place) else {
            // What is beyond the last row that can be focused can still be read.
            if direction > 0 {
                showEnd()
            } else {
                visits[visits.count - 1].top = 0
                scroll()
            }
            return say(direction > 0 ? "This is the last row" : "This is the first row")
        }
        visits[visits.count - 1].focus = place
        scroll()
    }

    private mutating func jump(_ distance: Int) {
        focus(nearest: min(max(visit.focus + distance, 0), visit.rows.count - 1), searching: distance > 0 ? 1 : -1)
    }

    private mutating func showEnd() {
        var top = visit.rows.count
        var room = bodyHeight
        while top > 0, top > 0 {
            let height = height(of: visit.rows[top - 1])
            guard room >= height else { break }
            room -= height
            top -= 1
        }
        if top <= visit.focus { visits[visits.count - 1].top = top }
    }

    /// Scrolls as little as is needed to show the focused row, with the heading above it.
    mutating func scroll() {
        let last = visits.count - 1
        guard last >= 0 else { return }
        var first = visits[last].focus
        while first > 0, visits[last].focus - first < 2, !visits[last].rows[first - 1].isFocusable,
            visits[last].rows[first - 1].titleRole == .heading
        {
            first -= 1
        }
        if first == 0 || visits[last].rows[..<min(first, visits[last].rows.count)].allSatisfy({ !$0.isFocusable }) && first < 4 {
            first = 0
        }
        if visits[last].top > first { visits[last].top = first }
        visits[last].top = max(0, min(visits[last].top, max(0, visits[last].rows.count - 1)))
        // The rows from the focused one back that fill the screen.
        var least = visits[last].focus
        var room = bodyHeight
        if visits[last].rows.indices.contains(least) { room -= height(of: visits[last].rows[least]) }
        while least > 0, least > visits[last].top {
            room -= height(of: visits[last].rows[least - 1])
            guard room >= 0 else { break }
            least -= 1
        }
        if visits[last].top < least { visits[last].top = least }
    }

    mutating func click(_ line: Int) {
        guard let place = lines().first(where: { $0.line == line })?.row, visit.rows[place].isFocusable else { return }
        if typing != nil { return }
        status = Status()
        let wasFocused = visit.focus == place
        visits[visits.count - 1].focus = place
        scroll()
        if wasFocused { perform(.open) }
    }
}
