/// The content of `_store.json`.
public struct StoreDefinition: Hashable, Sendable {
    public var title: ExactText?
    public var policy: Policy
    /// All other members of the file.
    public var other: [ExactText: JSON]

    /// The format that this program reads and writes.
    public static let format = 1

    /// The metadata that a version must have.
    public struct Policy: Hashable, Sendable {
        public var why: Demand
        public var requestedBy: Demand
        public var ticket: Demand
        public var other: [ExactText: JSON]

        public init(
            why: Demand = .optional, requestedBy: Demand = .optional, ticket: Demand = .optional, other: [ExactText: JSON] = [:]
        ) {
            self.why = why
            self.requestedBy = requestedBy
            self.ticket = ticket
            self.other = other
        }
    }

    public enum Demand: String, Hashable, Sendable, CaseIterable {
        /// A version without it is rejected.
        case required
        /// A person at a terminal is asked for it, and may leave it out.
        case asked
        case optional
    }

    public init(title: ExactText? = nil, policy: Policy = Policy(), other: [ExactText: JSON] = [:]) {
        self.title = title
        self.policy = policy
        self.other = other
    }

    // The file: `format`, `title`, `policy`, then all other members sorted by their bytes.

    public var json: JSON {
        var members = [JSON.Member("format", .number(StoreDefinition.format))]
        if let title { members.append(JSON.Member("title", .string(title))) }
        members.append(JSON.Member("policy", policy.json))
        for name in other.keys.sorted() { members.append(JSON.Member(name, other[name] ?? .null)) }
        return .object(members)
    }

    public var file: [UInt8] { Array(json.pretty.utf8) }

    private static let formatHint = "fix the file by hand, or restore it with 'git restore _store.json'"

    /// The error for a file of a later format; nil if it has this format or can't be read for another reason.
    public static func laterFormat(file bytes: [UInt8]) -> BadFile? {
        guard var reader = try? MemberReader(bytes), let format = try? reader.number("format"), Number(self.format) < format
        else { return nil }
        do throws(BadFile) { _ = try StoreDefinition(file: bytes) } catch { return error }
        return nil
    }

    public init(file bytes: [UInt8]) throws(BadFile) {
        var reader = try MemberReader(bytes)
        let number: Number?
        do throws(BadFile) { number = try reader.number("format") } catch {
            throw BadFile(error.reason, at: error.position, hint: Self.formatHint)
        }
        guard let format = number else {
            throw BadFile("\"format\" is missing; this program writes 1", hint: Self.formatHint)
        }
        guard format.isEqual(to: Number(StoreDefinition.format)) else {
            guard Number(StoreDefinition.format) < format, format.isOnStep(Number(1), from: Number(0)) else {
                throw reader.wrong(
                    "format", "is \(format.text), which is not a valid format; this program writes \(StoreDefinition.format)",
                    hint: Self.formatHint)
            }
            throw reader.wrong(
                "format", "is \(format.text), a later format than this program supports (\(StoreDefinition.format))",
                hint: "use a newer 'settings'"
            )
        }
        self.init(title: try reader.text("title"))
        if let policy = reader.take("policy") {
            guard case .object(let members) = policy else {
                throw reader.wrong("policy", "must be an object, not \(policy.kind)")
            }
            for member in members { try read(member, from: reader) }
        }
        other = reader.rest
        if let durability = other["durability"], self.durability == nil {
            throw reader.wrong("durability", "is \(durability.compact), not one of strict, fast and none")
        }
    }

    /// How safely versions are written to disk: `strict`, `fast` or `none`; nil if the store doesn't set it.
    public var durability: String? {
        other["durability"]?.text.flatMap { Durability(rawValue: $0.string)?.rawValue }
    }

    package enum Durability: String, CaseIterable, Sendable {
        case strict, fast, none
    }

    private mutating func read(_ member: JSON.Member, from reader: MemberReader) throws(BadFile) {
        guard let keyPath = Policy.demands[member.name] else {
            policy.other[member.name] = member.value
            return
        }
        guard let demand = member.value.text.flatMap({ Demand(rawValue: $0.string) }) else {
            throw reader.wrong("policy", "has \"\(member.name)\": \(member.value.compact), not required, asked or optional")
        }
        policy[keyPath: keyPath] = demand
    }
}

extension StoreDefinition.Policy {
    static var demands: [ExactText: WritableKeyPath<Self, StoreDefinition.Demand>] {
        ["why": \.why, "requestedBy": \.requestedBy, "ticket": \.ticket]
    }

    var json: JSON {
        let known: [JSON.Member] = [
            JSON.Member("why", .string(why.rawValue)),
            JSON.Member("requestedBy", .string(requestedBy.rawValue)),
            JSON.Member("ticket", .string(ticket.rawValue)),
        ]
        return .object(known + other.keys.sorted().map { JSON.Member($0, other[$0] ?? .null) })
    }
}
