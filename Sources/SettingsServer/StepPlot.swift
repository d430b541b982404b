import SettingsModel
import SettingsPages

/// The values of a number over time, each from its version until the next one.
struct StepPlot {
    private let title: String
    private let range: SettingsOption.Range
    private let end: Int64
    /// The oldest first; nil where the option was not set.
    private let steps: [(time: Time, value: Number?)]

    /// More versions than this make a page slow.
    static let most = 100
    private static let (width, height) = (1_000.0, 200.0)

    /// `versions` of the option, the newest first. Nil where there is nothing to see: fewer than two values, or any that is not to be
    /// shown.
    init?(_ title: String, _ option: SettingsOption, _ versions: [VersionsHTML.Found], _ shown: Shown) {
        guard option.type == .number else { return nil }
        var steps: [(time: Time, value: Number?)] = []
        for found in versions.reversed() {
            for line in shown.lines(found.changes.changes) {
                if line.isMasked { return nil }
                switch line.facet {
                case .value, .added:
                    if case .number(let number)? = line.after {
                        steps.append((found.version.time, number))
                    } else {
                        steps.append((found.version.time, nil))
                    }
                case .removed: steps.append((found.version.time, nil))
                default: break
                }
            }
        }
        guard steps.count(where: { $0.value != nil }) > 1 else { return nil }
        (self.title, range) = (title, option.range)
        // Where clocks were wrong, a version may be older than the one before.
        steps = steps.enumerated().sorted { ($0.element.time.seconds, $0.offset) < ($1.element.time.seconds, $1.offset) }
            .map(\.element)
        let clock = shown.scene.phrases.clock
        end = max(clock.now, steps.last?.time.seconds ?? clock.now)
        // A merge that left a conflict open may have put another value in force than the last that somebody chose.
        if case .number(let number)? = option.value, number != steps.last?.value { steps.append((clock.time(end), number)) }
        self.steps = steps
    }

    private var values: [Number] { steps.compactMap(\.value) }
    private var lowest: Number { values.min { $0.double < $1.double } ?? Number(0) }
    private var highest: Number { values.max { $0.double < $1.double } ?? Number(0) }
    /// The scale: that of a slider, or else what there was.
    private var bottom: Number { range.maximum == nil ? lowest : range.minimum ?? lowest }
    private var top: Number { range.minimum == nil ? highest : range.maximum ?? highest }

    /// As a path: each value is a line, and each change a step.
    var path: String {
        let start = steps[0].time.seconds
        let span = Double(max(1, end - start))
        let (low, high) = (min(bottom.double, lowest.double), max(top.double, highest.double))
        func x(_ seconds: Int64) -> Int { Int((Double(seconds - start) / span * Self.width).rounded()) }
        func y(_ number: Number) -> Int {
            high > low ? Int(((high - number.double) / (high - low) * Self.height).rounded()) : Int(Self.height / 2)
        }
        var path = ""
        var isSet = false
        for (index, step) in steps.enumerated() {
            if let value = step.value {
                path += isSet ? "V\(y(value))" : "M\(x(step.time.seconds)) \(y(value))"
                path += "H\(x(index + 1 < steps.count ? steps[index + 1].time.seconds : end))"
            }
            isSet = step.value != nil
        }
        return path
    }

    /// What it shows, for whoever doesn't see it. The list of versions says more.
    func words(_ shown: Shown) -> String {
        let now = steps[steps.count - 1].value?.text ?? "not set"
        let first = steps[0].value?.text ?? "not set"
        return "\(title) since \(shown.scene.phrases.day(steps[0].time)): \(first) at first, \(now) now, "
            + "between \(lowest.text) and \(highest.text)"
    }

    func html(_ shown: Shown, _ html: inout HTML) {
        html.tag("figure", ["class": "card plot"]) { html in
            html.tag("div", ["class": "scale", "aria-hidden": "true"]) { html in
                html.tag("span", [:], top.text)
                html.tag("span", [:], bottom.text)
            }
            html.tag(
                "svg", ["viewBox": "0 0 1000 200", "preserveAspectRatio": "none", "role": "img", "aria-label": words(shown)]
            ) { html in
                html.tag("path", ["d": path]) { _ in }
            }
            html.tag("figcaption", ["aria-hidden": "true"]) { html in
                html.tag("span", [:], shown.scene.phrases.day(steps[0].time))
                html.tag("span", [:], "now")
            }
        }
    }
}
