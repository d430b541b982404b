import SettingsModel

/// A node of a YAML file as it is written there: an alias is a node of its own.
struct YAMLNode {
    var content: Content
    /// Written out, without the shorthand `!!`; empty where the file has none.
    var tag = ""
    /// In bytes, from its anchor or its tag on. The end of a collection in block style isn't known.
    var range: Range<Int>
    var position: BadFile.Position

    enum Content {
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
        /// With the index in `YAMLDocument.anchored` of what it stands for.
        case alias(String, Int)
    }

    /// Whether there is nothing but perhaps an anchor and a tag.
    var isEmpty: Bool { if case .scalar("", isPlain: true) = content { true } else { false } }

    /// The tag with `!!` for those of YAML itself.
    var shortTag: String {
        let prefix = "tag:yaml.org,2002:"
        return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
    }

    /// Whether it is the name `<<`, which brings in the members of other mappings.
    var isMerge: Bool {
        guard case .scalar("<<", let isPlain) = content else { return false }
        return isPlain || shortTag == "!!merge"
    }
}

struct YAMLDocument {
    var root: YAMLNode
    /// The nodes with anchors, in the order of the file.
    var anchored: [YAMLNode]
}
