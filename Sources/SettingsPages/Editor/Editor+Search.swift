import SettingsModel

extension Editor {
    /// Searches for these words, as plain mode and scripts ask for it.
    mutating func search(_ words: String) {
        status = Status()
        if offered != nil { return say(RecoverPage.question, isRefusal: true) }
        if visit.page is any BrowserPage { return searchVersions(words) }
        if !(visit.page is SearchPage) { open(SearchPage()) }
        typing = nil
        top.page.typed(words, into: SearchPage.field)
        generation += 1
        refresh()
        found()
    }

    /// What was searched for is accepted: the focus goes to the first match.
    mutating func found() {
        guard let page = visit.page as? SearchPage else { return }
        matches = page.keys(in: scene)
        // What no title, key, label or help has may be in a reason.
        if page.wantsOrigins || matches.isEmpty && !page.words.isEmpty, !scene.facts.hasAllOrigins {
            effects.append(.origins([]))
        }
        if let first = matches.first { focus(on: .option(first)) }
        say(matches.isEmpty ? "nothing matches" : matches.count == 1 ? "1 match" : "\(matches.count) matches")
    }

    /// Goes to the next match on its own page.
    mutating func match(_ direction: Int) {
        if visit.page is SearchPage { return row?.id == SearchPage.field ? found() : perform(direction > 0 ? .down : .up) }
        guard !matches.isEmpty else { return say("search first, with /", isRefusal: true) }
        var place = direction > 0 ? 0 : matches.count - 1
        if case .option(let key)? = row?.id, let index = matches.firstIndex(of: key) {
            place = (index + direction + matches.count) % matches.count
        }
        let key = matches[place]
        if let page = visit.page as? GroupPage, page.key == key.group {
            focus(on: .option(key))
        } else {
            open(GroupPage(key.group, at: .option(key)))
        }
        say("match \(place + 1) of \(matches.count)")
    }
}
