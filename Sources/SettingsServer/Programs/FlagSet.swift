import NIOCore
import SettingsKit
import SettingsModel

/// All flags of one version, as the bytes that are sent. Of a new version only what it changed is made anew.
struct FlagSet: Sendable {
    private(set) var snapshot: SettingsSnapshot
    /// The versions that chose the values, as far as the history says; each is held once, however many it chose.
    private var origins: [Key: Origin] = [:]
    /// Whether the history is whole.
    private(set) var isComplete = true
    /// When the version was recorded, in seconds since 1970.
    private(set) var seconds: Int64 = 0
    private(set) var flags: [Key: Flag] = [:]
    private(set) var tag = EntityTag("")
    /// The answer of all of them.
    private(set) var bulk = ByteBuffer()

    private final class Origin: Sendable {
        let version: Version
        init(_ version: Version) { self.version = version }
    }

    private var keys: [Key] = []
    var isMade: Bool { !tag.word.isEmpty }
    private var sum: (UInt64, UInt64) = (0, 0)
    private let end: String

    /// `stream`: the address where changes of flags are told.
    init(_ snapshot: SettingsSnapshot, stream: String) {
        self.snapshot = snapshot
        let streams = JSON.array([.object(["type": "sse", "endpoint": .object(["requestUri": .string(stream)])])])
        end = "],\"eventStreams\":\(streams.compact)}"
    }

    /// Takes a later snapshot, of which `blames` says who chose what may differ; nil for everything.
    mutating func take(
        _ snapshot: SettingsSnapshot, _ changed: Set<Key>?, _ blames: [Key: Version?], isComplete: Bool, at seconds: Int64
    ) {
        self.snapshot = snapshot
        self.isComplete = isComplete
        self.seconds = seconds
        let faults = snapshot.faults
        var all = Set(snapshot.options.keys)
        for case .option(let key) in faults.keys { all.insert(key) }
        let changed = changed ?? all.union(flags.keys)
        var isOther = false
        var versions: [VersionID: Origin] = [:]
        for key in changed {
            let origin = blames[key] ?? nil
            origins[key] = origin.map { version in
                if let known = versions[version.id] { return known }
                let new = Origin(version)
                versions[version.id] = new
                return new
            }
            let flag: Flag? =
                if let fault = faults[.option(key)] { Flag(key, unreadable: fault) } else {
                    snapshot.options[key].map { Flag(key, $0, origin: origin) }
                }
            isOther = isOther || (flags[key] == nil) != (flag == nil)
            if let old = flags[key], old.kind != .forbidden { sum = (sum.0 &- old.digest.0, sum.1 &- old.digest.1) }
            if let flag, flag.kind != .forbidden { sum = (sum.0 &+ flag.digest.0, sum.1 &+ flag.digest.1) }
            flags[key] = flag
        }
        if isOther { keys = flags.keys.sorted() }
        let tag = EntityTag(Self.digits(sum.0) + Self.digits(sum.1))
        if tag == self.tag { return }
        self.tag = tag
        let beginning = "{\"flags\":["
        var bytes = ByteBuffer()
        bytes.reserveCapacity(flags.values.reduce(beginning.utf8.count + end.utf8.count) { $0 + $1.bytes.readableBytes + 1 })
        bytes.writeString(beginning)
        var isFirst = true
        for key in keys {
            guard let flag = flags[key], flag.kind != .forbidden else { continue }
            if !isFirst { bytes.writeInteger(UInt8(ascii: ",")) }
            isFirst = false
            bytes.writeImmutableBuffer(flag.bytes)
        }
        bytes.writeString(end)
        bulk = bytes
    }

    /// The version that chose the value of an option.
    func origin(of key: Key) -> Version? { origins[key]?.version }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
