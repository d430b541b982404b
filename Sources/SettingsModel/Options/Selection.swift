/// The two lines of a choice's file that name the chosen label.
///
/// `value` is what the file means. `selected` is written next to it so that a textual merge by git or a host conflicts if
/// two people chose differently. It is derived, so after such a merge, or after an edit of the labels by hand, it may name
/// another label. That is reported, and `value` counts. `selected` is used only in a file without `value`, and to tell
/// a label whose value is null from no choice.
public struct Selection: Hashable, Sendable {
    /// As written: an index or null; nil if the line is missing.
    public let selected: JSON?
    /// As written; nil if the line is missing.
    public let value: JSON?

    init(from reader: inout MemberReader) throws(BadFile) {
        value = reader.take("value")
        selected = reader.take("selected")
        guard let selected, !selected.isNull, index == nil else { return }
        throw reader.wrong("selected", "must be an index or null, not \(selected.compact)")
    }

    /// Reads both lines of a choice's file; nil if the file is too damaged for that.
    public init?(file: [UInt8]) {
        guard var reader = try? MemberReader(file), reader.take("type") == .string("choice"),
            let selection = try? Selection(from: &reader)
        else { return nil }
        self = selection
    }

    /// The index as written; nil if there is none.
    public var index: Int? { if case .number(let number)? = selected { Int(number.text) } else { nil } }

    /// The value of the chosen label; nil if none is chosen.
    func value(in labels: Labels, acceptingAny acceptsAny: Bool, _ reader: MemberReader) throws(BadFile) -> JSON? {
        guard let value else { return try pointed(in: labels, reader) }
        if labels.index(of: value) != nil { return value.isNull && selected?.isNull == true ? nil : value }
        if value.isNull { return nil }
        if acceptsAny, value.isScalar { return value }
        throw reader.wrong(
            "value", "is \(value.compact), which is not one of the option's values",
            hint: labels.isEmpty ? "add a label with this value" : "choose one of its labels, or add one with this value",
            misfit: reader.misfitOfValue)
    }

    private func pointed(in labels: Labels, _ reader: MemberReader) throws(BadFile) -> JSON? {
        guard let index else { return nil }
        guard labels.indices.contains(index) else {
            throw reader.wrong(
                "selected", "is \(index), but there are \(labels.count) labels",
                hint: labels.isEmpty
                    ? "in a choice without labels, \"selected\" must be null" : "expected an index from 0 to \(labels.count - 1)"
            )
        }
        return labels[index].value
    }

    /// A choice whose two lines name different labels.
    public struct Disagreement: Hashable, Sendable {
        /// The option, according to `value`.
        public var option: SettingsOption
        /// The index as written; nil if it is null.
        public var index: Int?

        /// The position of `selected`.
        public var position: BadFile.Position?

        /// The label at that index; nil if there is none.
        public var label: ChoiceLabel? { index.flatMap { option.labels.indices.contains($0) ? option.labels[$0] : nil } }
    }

    /// The disagreement between the two lines of `file`, which was read as `option`. Nil if they agree or one is
    /// missing.
    public static func disagreement(in file: [UInt8], meaning option: SettingsOption) -> Disagreement? {
        guard option.type == .choice, option.file != file, let selection = Selection(file: file), selection.value != nil,
            selection.selected != nil, selection.index != option.selected
        else { return nil }
        return Disagreement(
            option: option, index: selection.index, position: JSON.position(of: [.member("selected")], in: file))
    }
}
