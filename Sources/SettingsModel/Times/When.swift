/// What a WHEN means: a moment, or a version by its name.
package enum When: Hashable, Sendable {
    /// Seconds since 1970.
    case moment(Int64)
    /// A moment that is still to come; seconds since 1970.
    case future(Int64)
    /// An id or its prefix, a tag, `HEAD~2`.
    case revision(String)
    /// It has the form of a time but is none, as `25:00`, unless there is a version of that name.
    case malformed(String)

    /// Which end of a day a bare date stands for.
    package enum Edge: Hashable, Sendable {
        case beginning, end
    }

    /// Reads what `WhenReader` describes; anything else is a revision.
    package init(_ text: String, _ clock: Clock, bareDate edge: Edge = .end) {
        var reader = WhenReader(text, clock, edge)
        switch reader.read() {
        case .moment(let moment, let beginning): self = beginning > clock.now ? .future(moment) : .moment(moment)
        case .malformed: self = .malformed(text)
        case .otherwise: self = .revision(text)
        }
    }

    /// A moment as it was written, with the zone that it names, also one to come; nil for what isn't a time.
    package static func time(_ text: String, _ clock: Clock) -> Time? {
        var reader = WhenReader(text, clock, .end)
        guard case .moment(let moment, _) = reader.read() else { return nil }
        return reader.clock.time(moment)
    }

    /// Seconds since 1970, also of a moment to come; nil for what isn't a time.
    package var seconds: Int64? {
        switch self {
        case .moment(let seconds), .future(let seconds): seconds
        case .revision, .malformed: nil
        }
    }
}
