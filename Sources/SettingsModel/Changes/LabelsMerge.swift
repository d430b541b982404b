/// A three-way merge of label lists.
///
/// 1. Labels are identified by their value, or else by their text if it is unique on both sides.
/// 2. Text, long label and value merge separately: an edit of one side is taken, equal edits are taken once, different
///    edits are a conflict. A removal wins over a move and conflicts with any other edit of that label. A value that both
///    sides added is one label if the texts are equal, or else a conflict; so are two labels with the same value.
/// 3. On each side, the longest run of remaining labels in base order stays (ties: the earlier base positions); all
///    other labels, including new ones, float. Labels that float on neither side keep base order.
/// 4. A floating label follows the nearest preceding label of its side that floats on neither side. Two different
///    places are a conflict for a label of the base; a label that both sides added goes to the earlier place.
/// 5. Labels in the same gap keep the order of each side, ties by the bytes of their values; a cycle is a conflict.
///
/// All rules are symmetric, and so is the merge.
struct LabelsMerge {
    enum Result: Hashable {
        case merged(Labels)
        case conflict(String)
    }

    private(set) var result: Result = .merged(Labels())

    /// One label in all three lists, by its index in each.
    private struct Thread {
        var base: Int?
        var ours: Int?
        var theirs: Int?
        var merged: ChoiceLabel?
    }

    private let base: Labels
    private let ours: Labels
    private let theirs: Labels
    private var threads: [Thread] = []
    private var ourThread: [Int] = []
    private var theirThread: [Int] = []

    init(base: Labels, ours: Labels, theirs: Labels) {
        self.base = base
        self.ours = ours
        self.theirs = theirs
        buildThreads()
        do {
            for index in threads.indices { threads[index].merged = try merged(threads[index]) }
            try checkValues()
            let order = try order()
            let writesValues = ours.writesValues == base.writesValues ? theirs.writesValues : ours.writesValues
            result = .merged(Labels(order.compactMap { threads[$0].merged }, writesValues: writesValues))
        } catch {
            result = .conflict(error.reason)
        }
    }

    private struct Clash: Error { var reason: String }

    /// The thread of the label that has `value` on our side; nil if our side has no such label.
    func thread(ofOurs value: JSON) -> Int? { ours.index(of: value).map { ourThread[$0] } }
    func thread(ofTheirs value: JSON) -> Int? { theirs.index(of: value).map { theirThread[$0] } }
    /// Threads of the base come first, in base order.
    func thread(ofBase value: JSON) -> Int? { base.index(of: value) }
    /// The label of a thread in the merged list, or nil if it was removed.
    func label(ofThread thread: Int) -> ChoiceLabel? { threads[thread].merged }

    /// The values that the label of a thread has in the three lists.
    func values(ofThread thread: Int) -> [JSON] {
        let thread = threads[thread]
        return [thread.base.map { base[$0] }, thread.ours.map { ours[$0] }, thread.theirs.map { theirs[$0] }].compactMap {
            $0?.value
        }
    }
}

/// Identifies the labels of the three lists (rules 1 and 2).
extension LabelsMerge {
    private mutating func buildThreads() {
        threads = base.indices.map { Thread(base: $0) }
        let index = LabelIndex(base)
        ourThread = LabelsMerge.match(ours, to: index).enumerated().map { position, match in
            if let match {
                threads[match].ours = position
                return match
            }
            threads.append(Thread(ours: position))
            return threads.count - 1
        }
        let added = threads.indices.dropFirst(base.count)
        let newOurs = Labels(added.map { ours[threads[$0].ours ?? 0] }, writesValues: true)
        let matches = LabelsMerge.match(theirs, to: index)
        let newTheirs = Labels(matches.indices.filter { matches[$0] == nil }.map { theirs[$0] }, writesValues: true)
        var newMatches = LabelsMerge.match(newTheirs, to: LabelIndex(newOurs)).makeIterator()
        theirThread = matches.enumerated().map { position, match in
            if let thread = match ?? newMatches.next()?.map({ base.count + $0 }) {
                threads[thread].theirs = position
                return thread
            }
            threads.append(Thread(theirs: position))
            return threads.count - 1
        }
    }

    private static func match(_ side: Labels, to base: LabelIndex) -> [Int?] {
        let own = LabelIndex(side)
        return side.map { base.counterpart(of: $0, in: own) }
    }

    private func merged(_ thread: Thread) throws(Clash) -> ChoiceLabel? {
        let old = thread.base.map { base[$0] }
        let our = thread.ours.map { ours[$0] }
        let their = thread.theirs.map { theirs[$0] }
        guard let our, let their else {
            guard let old else { return our ?? their }
            guard let rest = our ?? their else { return nil }
            if rest == old { return nil }
            throw Clash(reason: "the label \(old.text) was removed on one side and edited on the other")
        }
        func pick<Part: Equatable>(_ part: KeyPath<ChoiceLabel, Part>) throws(Clash) -> Part {
            let (ours, theirs) = (our[keyPath: part], their[keyPath: part])
            if ours == theirs || old?[keyPath: part] == theirs { return ours }
            if old?[keyPath: part] == ours { return theirs }
            throw Clash(
                reason: old.map { "the label \($0.text) became \(our.text) on one side, \(their.text) on the other" }
                    ?? "both sides added the label \(our.value.compact), as \(our.text) and as \(their.text)"
            )
        }
        return ChoiceLabel(value: try pick(\.value), text: try pick(\.text), long: try pick(\.long))
    }

    private func checkValues() throws(Clash) {
        var texts: [JSON: ExactText] = [:]
        for label in threads.compactMap(\.merged) {
            if let other = texts.updateValue(label.text, forKey: label.value) {
                let pair = [other, label.text].sorted()
                throw Clash(reason: "the labels \(pair[0]) and \(pair[1]) both have the value \(label.value.compact)")
            }
        }
    }
}

/// Places the labels (rules 3 to 5).
extension LabelsMerge {
    private func order() throws(Clash) -> [Int] {
        let (floatsOurs, floatsTheirs) = (floating(ourThread), floating(theirThread))
        let anchors = base.indices.filter { threads[$0].merged != nil && !floatsOurs[$0] && !floatsTheirs[$0] }
        var gapAfter: [Int: Int] = [:]
        for (gap, anchor) in anchors.enumerated() { gapAfter[anchor] = gap + 1 }
        let ourGaps = gaps(ourThread, floatsOurs, gapAfter)
        let theirGaps = gaps(theirThread, floatsTheirs, gapAfter)

        var places: [Int?] = Array(repeating: nil, count: threads.count)
        for thread in threads.indices where threads[thread].merged != nil {
            switch (ourGaps[thread], theirGaps[thread]) {
            case (let ours?, let theirs?):
                if ours != theirs, let old = threads[thread].base {
                    throw Clash(reason: "the label \(base[old].text) was moved to two places")
                }
                places[thread] = min(ours, theirs)
            case (let place?, nil), (nil, let place?): places[thread] = place
            case (nil, nil): break
            }
        }
        func inGaps(_ side: [Int], _ gaps: [Int?]) -> [[Int]] {
            var lists: [[Int]] = Array(repeating: [], count: anchors.count + 1)
            for thread in side { if let place = places[thread], gaps[thread] == place { lists[place].append(thread) } }
            return lists
        }
        let (ourLists, theirLists) = (inGaps(ourThread, ourGaps), inGaps(theirThread, theirGaps))
        var order: [Int] = []
        for gap in 0...anchors.count {
            if gap > 0 { order.append(anchors[gap - 1]) }
            order += try zip(ourLists[gap], theirLists[gap])
        }
        return order
    }

    /// Which labels of one side float: those that are new and those outside the base order. Labels that the other side
    /// removed are not considered.
    private func floating(_ side: [Int]) -> [Bool] {
        var floats = Array(repeating: false, count: threads.count)
        for thread in side { floats[thread] = true }
        for thread in LabelsMerge.longestRun(side.filter { $0 < base.count && threads[$0].merged != nil }) {
            floats[thread] = false
        }
        return floats
    }

    /// The gap that each floating label of one side falls into: 0 before all anchors, n after the nth.
    private func gaps(_ side: [Int], _ floats: [Bool], _ gapAfter: [Int: Int]) -> [Int?] {
        var gaps: [Int?] = Array(repeating: nil, count: threads.count)
        var gap = 0
        for thread in side {
            if let next = gapAfter[thread] { gap = next } else if floats[thread] { gaps[thread] = gap }
        }
        return gaps
    }

    /// Merges two sequences into one that keeps the order of both; ties are broken by the bytes of the values.
    private func zip(_ left: [Int], _ right: [Int]) throws(Clash) -> [Int] {
        var (left, right) = (left[...], right[...])
        var (leftRest, rightRest) = (Set(left), Set(right))
        var order: [Int] = []
        while left.first != nil || right.first != nil {
            let free = [left.first, right.first].compactMap { $0 }.filter { thread in
                (left.first == thread || !leftRest.contains(thread)) && (right.first == thread || !rightRest.contains(thread))
            }
            guard let next = free.min(by: { bytes($0) < bytes($1) }) else {
                throw Clash(reason: "the two sides put the same labels in opposite orders")
            }
            order.append(next)
            if left.first == next { left = left.dropFirst() }
            if right.first == next { right = right.dropFirst() }
            leftRest.remove(next)
            rightRest.remove(next)
        }
        return order
    }

    private func bytes(_ thread: Int) -> ExactText { ExactText(threads[thread].merged?.value.compact ?? "") }

    /// The longest increasing subsequence, in n log n; if there are several, the one with the smaller numbers.
    static func longestRun(_ numbers: [Int]) -> [Int] {
        var lengths = Array(repeating: 0, count: numbers.count)
        // tails[k]: the largest number that starts a run of k + 1 among the numbers seen so far, from the right.
        var tails: [Int] = []
        for index in numbers.indices.reversed() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if tails[middle] > numbers[index] { low = middle + 1 } else { high = middle }
            }
            if low == tails.count { tails.append(numbers[index]) } else { tails[low] = numbers[index] }
            lengths[index] = low + 1
        }
        var groups: [[Int]] = Array(repeating: [], count: tails.count + 1)
        for index in numbers.indices { groups[lengths[index]].append(index) }
        var run: [Int] = []
        var last = (index: -1, number: Int.min)
        for length in stride(from: tails.count, to: 0, by: -1) {
            // Within one length, later numbers are smaller: the last number that still follows is the earliest.
            guard let index = groups[length].last(where: { $0 > last.index && numbers[$0] > last.number }) else { break }
            run.append(numbers[index])
            last = (index, numbers[index])
        }
        return run
    }
}
