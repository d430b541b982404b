import Hummingbird
import SettingsModel

/// What a browser sends of a form: `application/x-www-form-urlencoded`, as the URL standard has it. One level, each name once.
struct Form: Sendable {
    private var fields: [String: String] = [:]
    /// In the order of the form.
    private(set) var names: [String] = []

    /// More fields than this are no form of ours.
    static let limit = 1_000

    enum Fault: Error { case malformed, tooMany }

    init() {}

    /// Throws where it is malformed, a name stands twice, or there are too many.
    init(_ bytes: some Collection<UInt8>) throws(Fault) {
        for field in bytes.split(separator: UInt8(ascii: "&")) {
            let halves = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(halves[0])
            let value = halves.count > 1 ? try Self.decoded(halves[1]) : ""
            guard fields.updateValue(value, forKey: name) == nil else { throw .malformed }
            names.append(name)
            if names.count > Self.limit { throw .tooMany }
        }
    }

    /// Browsers send line breaks as CR LF.
    subscript(name: String) -> String? { fields[name]?.replacing("\r\n", with: "\n") }

    /// Nil where it is empty but for white space.
    func filled(_ name: String) -> String? { self[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }

    /// The id of a version.
    func version(_ name: String) throws(Wanted.Fault) -> VersionID {
        guard let id = self[name].flatMap({ VersionID(hex: $0) }) else { throw .malformed }
        return id
    }

    /// The masked option that is to have no value.
    var unset: Key? { self[Wanted.unset].flatMap { try? Key($0) } }

    /// The masked option whose own page was sent without a new value.
    var maskedWithoutValue: Key? {
        if unset != nil { return nil }
        for name in names {
            guard let (kind, key) = Wanted.kind(of: name), kind == .masked, self[name]?.isEmpty ?? true else { continue }
            return try? Key(key)
        }
        return nil
    }

    /// What another page hands on of it: everything but what is masked, or was.
    func kept(_ shown: Shown) -> [(name: String, value: String)] {
        names.compactMap { name in
            if name == "token" { return nil }
            if let (kind, key) = Wanted.kind(of: name) {
                // That it was asked for is kept, so that its page is shown once more.
                if kind == .masked { return (name, "") }
                guard let key = try? Key(key), !shown.masked.contains(key) else { return nil }
            }
            return (name, self[name] ?? "")
        }
    }

    /// Where a form leads that is sent to `path`, so that nothing is recorded before it was seen once more; nil where nothing is typed
    /// in it.
    func review(of path: String) -> String? {
        switch path {
        case "/review", "/revert", "/restore", "/conflicts": return path
        case "/edit": return "/review"
        case "/done":
            guard let act = self["act"] else { return "/review" }
            return ["revert": "/revert", "restore": "/restore", "settle": "/conflicts"][act]
        default: return nil
        }
    }

    /// What the page to sign in hands on.
    static let handedOn = "kept:"

    var handedOn: [(name: String, value: String)] {
        names.filter { $0.hasPrefix(Self.handedOn) }.map { (String($0.dropFirst(Self.handedOn.count)), self[$0] ?? "") }
    }

    /// The field with the name of the person who fills in the form.
    static let person = "person"

    /// Without what another person typed before somebody signs in, and without the way to what it was for.
    func handedOn(to name: String?) -> Form {
        guard let name, let other = self[Self.handedOn + Self.person], other != name else { return self }
        var form = Form()
        form.names = names.filter { !$0.hasPrefix(Self.handedOn) }
        form.fields = fields.filter { form.names.contains($0.key) }
        form.fields["next"] = "/"
        return form
    }

    private static func decoded(_ text: some Collection<UInt8>) throws(Fault) -> String {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    throw .malformed
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard let string = String(validating: bytes, as: UTF8.self) else { throw .malformed }
        return string
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Request {
    /// The fields of the address, as a form sends them. The library's own reading knows nothing of `+`, and is not to be decoded
    /// again.
    var fields: Form { (try? Form((uri.query ?? "").utf8)) ?? Form() }
}
