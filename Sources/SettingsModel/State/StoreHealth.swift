/// How a store is set up, how safe it is and what is due.
package struct StoreHealth: Sendable {
    /// The store's folder, and git's.
    package var path: String
    package var gitDirectory: String?
    /// These are nil where a file can't be read.
    package var definition: StoreDefinition?
    package var draft: Draft?
    package var mergeDriver: MergeDriverSetup?
    /// Why they are.
    package var problems: [Problem]
    /// Nil where HEAD is detached.
    package var branch: String?
    /// What git is in the middle of, in a word.
    package var operation: String?
    package var isShallow: Bool
    /// Whether objects were left with a remote.
    package var isPartial: Bool
    package var durability: StoreDefinition.Durability
    package var durabilitySource: DurabilitySource
    package var fsync: Fsync
    package var storage: Storage
    /// How many files were checked.
    package var checked: Int
    package var findings: [Finding]
    /// Files that git merges as text although the store names the merge driver.
    package var withoutDriver: [String]

    package enum DurabilitySource: Sendable {
        /// `--durability`, which beats the store.
        case command
        /// `_store.json`.
        case store
        /// Nobody said anything.
        case `default`
    }

    /// What git waits for: core.fsync as it is configured, what versions stand on and it leaves out, and core.fsyncMethod.
    package struct Fsync: Sendable {
        package var text: String?
        package var missing: [String]
        package var method: String?

        package init(text: String?, missing: [String], method: String?) {
            self.text = text
            self.missing = missing
            self.method = method
        }
    }

    package init(
        path: String, gitDirectory: String?, definition: StoreDefinition?, draft: Draft?, mergeDriver: MergeDriverSetup?,
        problems: [Problem], branch: String?, operation: String?, isShallow: Bool, isPartial: Bool,
        durability: StoreDefinition.Durability, durabilitySource: DurabilitySource, fsync: Fsync, storage: Storage,
        checked: Int, findings: [Finding], withoutDriver: [String]
    ) {
        self.path = path
        self.gitDirectory = gitDirectory
        self.definition = definition
        self.draft = draft
        self.mergeDriver = mergeDriver
        self.problems = problems
        self.branch = branch
        self.operation = operation
        self.isShallow = isShallow
        self.isPartial = isPartial
        self.durability = durability
        self.durabilitySource = durabilitySource
        self.fsync = fsync
        self.storage = storage
        self.checked = checked
        self.findings = findings
        self.withoutDriver = withoutDriver
    }
}
