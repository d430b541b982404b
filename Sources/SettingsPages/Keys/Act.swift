/// What a person wants done on a page.
package enum Act: Hashable, Sendable, CaseIterable {
    case up, down, pageUp, pageDown, halfUp, halfDown, top, bottom
    case open, back, close, toggle, unset
    case less, more, tenLess, tenMore
    /// In a text that is being typed.
    case lineBreak
    case search, next, previous, changes
    case done, leave, undo, redo, reset
    case info, help, history
    /// To the other pane, with versions: bring back, take back, mark, compare, the pages as they were, the files, branches and
    /// tags.
    case pane, restore, revert, mark, compare, page, raw, names
    /// The modes of the browser.
    case browse, commit
    case add, rename, moveUp, moveDown
    /// Nothing but this: where a row is staged already, it stays so.
    case stage, unstage
    case suspend, redraw
    /// Sets sections apart by empty lines, or not.
    case look
    /// A key that is left unbound on purpose, because other programs destroy something with it.
    case delete
}
