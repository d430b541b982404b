import SettingsText

extension Editor {
    /// Whether the key belongs to what is being typed. A key that doesn't is refused rather than taken for a command.
    mutating func type(_ key: Keystroke) -> Bool {
        guard var typing else { return false }
        switch key {
        case .enter:
            commit()
            return true
        case .tab, .down:
            commit()
            // Down a form, where Enter may go to its button.
            if self.typing == nil, visit.page.field(at: typing.row, in: scene) != nil {
                focus(on: typing.row)
                _ = pages.move(.down, layout)
            }
            return true
        case .escape:
            pages.typing = nil
            if !keepsText(typing) { pages.typed("", into: typing.row, layout) }
            say("Nothing was changed")
            pages.expire()
            return true
        case .control("c"), .control("z"), .control("l"): return false
        case .control("s"), .function(10):
            commit()
            // A text that is not accepted comes first.
            return self.typing != nil
        default: break
        }
        if typing.field.edit(key) {
            pages.typing = typing
            // A reason that is half typed outlasts a crash, too.
            if typedSheet != scene.sheet { effects.append(.keep) }
            pages.typed(typing.field.text, into: typing.row, layout)
        } else {
            say("\(key.name) does nothing while you type; Enter accepts, Esc cancels", isRefusal: true)
        }
        return true
    }

    /// Fields of the page keep what was typed: a reason is never dropped.
    private mutating func keepsText(_ typing: Typing) -> Bool {
        guard visit.page is DonePage || visit.page is CommitPage, !typing.field.text.isEmpty else { return false }
        let status = status
        answer(row?.commit(typing.field.text, in: scene) ?? .nothing)
        focus(on: typing.row)
        self.status = status
        return true
    }

    /// What is on the sheet, with what is being typed there.
    package var typedSheet: Sheet {
        guard let typing, visit.page.field(at: typing.row, in: scene) != nil,
            let row = visit.rows.first(where: { $0.id == typing.row }),
            case .all(let responses) = row.commit(typing.field.text, in: scene), case .sheet(let sheet)? = responses.first
        else { return scene.sheet }
        return sheet
    }

    private mutating func commit() {
        guard let typing else { return }
        let row = visit.rows.first { $0.id == typing.row }
        pages.typing = nil
        guard let row else { return }
        answer(row.commit(typing.field.text, in: scene))
        // What isn't accepted can be mended.
        if status.isRefusal, self.typing == nil, visit.rows.contains(where: { $0.id == typing.row }) {
            pages.typing = typing
            focus(on: typing.row)
        }
    }

    /// A paste is text: it never does anything else.
    mutating func paste(_ text: String) {
        guard var typing else {
            return say("Press Enter on a text first, then paste", isRefusal: true)
        }
        typing.field.insert(text)
        pages.typing = typing
        pages.typed(typing.field.text, into: typing.row, layout)
    }
}
