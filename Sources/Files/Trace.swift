package import Base
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What the program does and how long each part takes, for whoever finds out why it is slow or hangs: a line for what is opened,
/// locked, read, written and started.
///
/// An interface turns it on, once; what lies below only calls `note` and `begin`, which cost one load where it is off. A line
/// is written whole, as `2026-11-20T18:00:00.000123Z 4711 locked /home/ada/office/.git/settings/lock (0.000012 s)`, so that
/// several processes may append to one file. Values of options never belong into a line, and addresses lose who logs in.
package struct Trace {
    private let begun = ContinuousClock.now
    private let before: [Int]

    /// What is counted, because a line for each would hide the others.
    package enum Count: Int, CaseIterable {
        case objectsRead, filesRead, syncs

        fileprivate var words: String {
            switch self {
            case .objectsRead: "objects read"
            case .filesRead: "files read"
            case .syncs: "syncs"
            }
        }
    }

    /// Where lines go; -1 where nothing is traced.
    private static let descriptor = Atomic<Int32>(-1)
    private static let counts = Mutex([Int](repeating: 0, count: Count.allCases.count))

    package static var isOn: Bool { descriptor.load(ordering: .relaxed) >= 0 }

    /// Begins to trace, to a file that lines are appended to, or to standard error.
    package static func start(_ path: String?) throws(SystemFailure) {
        guard let path else { return descriptor.store(STDERR_FILENO, ordering: .relaxed) }
        // Not to wait for whoever reads a pipe.
        guard let file = FileDescriptor(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK) else { throw .last("write", path) }
        descriptor.store(file.released(), ordering: .relaxed)
    }

    /// A piece of work that begins; nil where nothing is traced.
    package static func begin() -> Trace? { isOn ? Trace() : nil }

    private init() { before = Self.counts.withLock { $0 } }

    /// Says what has been done since it began, how long it took, and what was counted meanwhile.
    package func end(_ work: String) {
        let duration = begun.duration(to: .now).components
        let seconds = Self.padded(duration.seconds, 1) + "." + Self.padded(duration.attoseconds / 1_000_000_000_000, 6)
        let counted = Self.counts.withLock { $0 }
        var parts = ["\(seconds) s"]
        for count in Count.allCases where counted[count.rawValue] > before[count.rawValue] {
            parts.append("\(count.words): \(counted[count.rawValue] - before[count.rawValue])")
        }
        Self.write("\(work) (\(parts.joined(separator: ", ")))")
    }

    /// Says what happens.
    package static func note(_ words: @autoclosure () -> String) { if isOn { write(words()) } }

    package static func count(_ count: Count) { if isOn { counts.withLock { $0[count.rawValue] += 1 } } }

    /// The type of a value and its case, without what that holds.
    package static func name<Value>(of value: Value) -> String {
        let mirror = Mirror(reflecting: value)
        let type = "\(Value.self)"
        guard mirror.displayStyle == .enum else { return type }
        return "\(type).\(mirror.children.first?.label ?? "\(value)")"
    }

    /// The words that a program is started with, quoted where that is needed to tell them apart, and without logins.
    package static func shown(_ words: [String]) -> String {
        words.map { word in
            var word = word
            if let login = Login.range(in: word) { word.replaceSubrange(login, with: "…@") }
            return word.isEmpty || word.contains(where: { $0.isWhitespace || "'\"".contains($0) }) ? "'\(word)'" : word
        }.joined(separator: " ")
    }

    private static func write(_ words: String) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let moment = Time(seconds: Int64(time.tv_sec), offset: 0).rfc3339.dropLast()
        var line = "\(moment).\(padded(Int64(time.tv_nsec) / 1000, 6))Z \(ThisProcess.id) "
        // A path may have anything in it.
        for scalar in Login.hidden(in: words, by: "…@").unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            line += isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        let bytes = Array((line + "\n").utf8)
        _ = systemWrite(descriptor.load(ordering: .relaxed), bytes, bytes.count)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

/// The system's call, which a method of that name hides.
private func systemWrite(_ file: Int32, _ bytes: [UInt8], _ count: Int) -> Int { write(file, bytes, count) }
