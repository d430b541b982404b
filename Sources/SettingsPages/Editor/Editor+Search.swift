import SettingsModel

extension Editor {
    /// Searches for these words, as plain mode and scripts ask for it.
    mutating func search(_ words: String) {
        status = Status()
        if scene.offered != nil { return refuse(RecoverPage.question(in: scene), .conflict) }
        if visit.page is any BrowserPage { return searchVersions(words) }
        if !(visit.page is SearchPage) { open(SearchPage()) }
        pages.typing = nil
        pages.typed(words, into: SearchPage.field, layout)
        found()
    }

    /// The focus goes to the first match.
    mutating func found() {
        refresh()
        if let page = visit.page as? SearchPage { answer(page.found(in: scene)) }
    }
}
