import Testing

@testable import SettingsModel

/// Merges of texts line by line, where git sees more conflicts.
@Suite struct LineMergeTests {
    @Test(arguments: [
        // Lines that touch.
        ("a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n", "A\nB\nc\n"),
        ("a\nb\nc\n", "a\nb # x\nc\n", "a\nb\nc # y\n", "a\nb # x\nc # y\n"),
        // Lines added where the other side changed the line before or after.
        ("a\nb\n", "a\nnew\nb\n", "a\nB\n", "a\nnew\nB\n"), ("a\nb\n", "a\nb\nnew\n", "a\nB\n", "a\nB\nnew\n"),
        // The same on both sides, and nothing on one.
        ("a\nb\n", "a\nx\nb\n", "a\nx\nb\n", "a\nx\nb\n"), ("a\nb\n", "a\nb\n", "b\n", "b\n"), ("", "a\n", "", "a\n"),
        ("a\nb\nc\n", "c\n", "a\nb\nC\n", "C\n"), ("a", "b", "a", "b"), ("a\r\nb\r\n", "A\r\nb\r\n", "a\r\nB\r\n", "A\r\nB\r\n"),
    ])
    func whatTouchesIsMerged(base: String, ours: String, theirs: String, merged: String) {
        for (left, right) in [(ours, theirs), (theirs, ours)] {
            let merge = LineMerge.merge(base: Array(base.utf8), ours: Array(left.utf8), theirs: Array(right.utf8))
            #expect(merge.map { String(decoding: $0, as: UTF8.self) } == merged)
        }
    }

    @Test(arguments: [
        ("a\nb\n", "a\nx\n", "a\ny\n"), ("a\n", "a\nx\n", "a\ny\n"), ("a\nb\nc\n", "a\nc\n", "a\nB\nc\n"),
        ("a\nb\nc\n", "x\n", "a\nb\nnew\nc\n"), ("a", "a\nb", "A"),
    ])
    func oneLineChangedByBothIsAConflict(base: String, ours: String, theirs: String) {
        for (left, right) in [(ours, theirs), (theirs, ours)] {
            #expect(LineMerge.merge(base: Array(base.utf8), ours: Array(left.utf8), theirs: Array(right.utf8)) == nil)
        }
    }
}
