import SettingsModel

/// A node of a YAML file as written: an alias is a separate node.
struct YAMLNode {
    var content: Content
    /// The full tag, without the shorthand `!!`; empty if the file has none.
    var tag = ""
    /// The range in bytes, beginning at its anchor or tag. The end of a block collection isn't known.
    var range: Range<Int>
    var position: BadFile.Position

    enum Content {
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
        /// The alias and the index of its target in `YAMLDocument.anchored`.
        case alias(String, Int)
    }

    /// Whether it consists of an anchor and a tag at most.
    var isEmpty: Bool { if case .scalar("", isPlain: true) = content { true } else { false } }

    /// The tag, with `!!` for YAML's own tags.
    var shortTag: String {
        let prefix = "tag:yaml.org,2002:"
        return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
    }

    /// Whether it is the key `<<`, which merges the members of other mappings.
    var isMerge: Bool {
        guard case .scalar("<<", let isPlain) = content else { return false }
        return isPlain || shortTag == "!!merge"
    }
}

struct YAMLDocument {
    var root: YAMLNode
    /// The nodes with anchors, in file order.
    var anchored: [YAMLNode]
    /// The rules that its `%YAML` line asks for; nil without one.
    var dialect: YAMLScalar.Dialect?
    /// Where it begins: at its `%YAML` line or its `---`, or at its first value.
    var start: Int
}
