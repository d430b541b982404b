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
            let sheet = scene.sheet
            if !keepsText(typing) { pages.typed("", into: typing.row, layout) }
            say(scene.sheet == sheet ? "Nothing was changed" : "The text is kept; Enter, then Ctrl-U clears it")
            pages.expire()
            return true
        case .control("c"): return !commitToLeave()
        case .control("z"), .control("l"): return false
        case .control("s"), .function(10):
            commit()
            // A text that is not accepted comes first.
            return self.typing != nil
        default: break
        }
        let isBreak = KeyTable.act(for: key) == .lineBreak
        if isBreak, !typing.takesBreaks {
            say("Only one line is allowed here; \(typingHint)", isRefusal: true)
            return true
        }
        if isBreak { typing.field.insert("\n") }
        if isBreak || typing.field.edit(key) {
            pages.typing = typing
            // A reason that is half typed outlasts a crash, too.
            if typedSheet != scene.sheet { effects.append(.keep) }
            pages.typed(typing.field.text, into: typing.row, layout)
        } else {
            say("\(key.name) does nothing while you type; \(typingHint)", isRefusal: true)
        }
        return true
    }

    /// What ends typing.
    var typingHint: String {
        let breaks = typing?.takesBreaks == true ? ["Ctrl-J breaks the line"] : []
        guard let page = visit.page as? DonePage, let row = typing?.row else {
            return (["Enter accepts", "Esc cancels"] + breaks).joined(separator: ", ")
        }
        let next = page.fields(after: row)
        let tab = next.isEmpty ? [] : ["Tab: \(next.joined(separator: ", "))"]
        return (tab + ["Enter accepts", "Esc keeps the text"] + breaks).joined(separator: " \(scene.glyphs.separator) ")
    }

    /// Fields of the page keep what was typed: a reason is never dropped.
    private mutating func keepsText(_ typing: Typing) -> Bool {
        guard visit.page is DonePage, !typing.field.text.isEmpty else { return false }
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

    /// What becomes of a text whose row is gone, or is that of an option without texts now; nil where the row takes it.
    private func untaken(_ typing: Typing, _ row: any Row) -> String? {
        guard case .nothing = row.commit(typing.field.text, in: scene) else { return nil }
        let text = typing.isMasked || typing.field.text.isEmpty ? "" : ": \(scene.glyphs.quoted(typing.field.text))"
        return "\(row.title(in: scene)) no longer accepts text, so yours was not saved\(text)"
    }

    /// Whether Enter will say that the text is not saved.
    var typesInVain: String? {
        guard let typing, let row = visit.rows.first(where: { $0.id == typing.row }), untaken(typing, row) != nil else {
            return nil
        }
        return row.title(in: scene)
    }

    /// What is being typed becomes part of the draft before the pages are left, like a reason. False where it can't.
    private mutating func commitToLeave() -> Bool {
        guard let typing else { return true }
        if visit.page is SearchPage || typedSheet != scene.sheet { return true }
        commit()
        if self.typing == nil { return !status.isRefusal }
        pages.typing = nil
        pages.expire()
        let text = typing.isMasked ? "" : ": \(scene.glyphs.quoted(typing.field.text))"
        refuse("\(status.text); the text was not saved\(text)", status.refusal ?? .no)
        return false
    }

    /// What the row answers to the text. Where somebody changed its option meanwhile, it is the row of what was found.
    private func response(to typing: Typing, _ row: any Row) -> Response {
        let text = typing.field.text
        guard let found = typing.found, scene.draft.isOther(than: found) else { return row.commit(text, in: scene) }
        var then = scene
        then.draft = scene.draft.when(found)
        let old = visit.page.rows(in: then).first { $0.id == typing.row } ?? row
        return old.commit(text, in: then).since(found)
    }

    private mutating func commit() {
        guard let typing else { return }
        let row = visit.rows.first { $0.id == typing.row }
        pages.typing = nil
        guard let row else { return }
        if let words = untaken(typing, row) {
            pages.expire()
            refresh()
            return refuse(words, .missing)
        }
        answer(response(to: typing, row))
        // What isn't accepted can be mended.
        if status.isRefusal, self.typing == nil, visit.rows.contains(where: { $0.id == typing.row }) {
            pages.typing = typing
            focus(on: typing.row)
        }
    }

    /// Why a key that came together with others does nothing.
    static func again(_ key: Keystroke) -> String {
        "\(key.name) arrived together with other keys, like pasted text; press it again"
    }

    /// Keys that came together are a text. What is typed into a field and ends in its only line break is accepted, as Enter
    /// does, which records nothing; whatever else moves or removes something in a field does so there, and nowhere else.
    mutating func take(_ burst: [Keystroke]) {
        status = Status()
        let isLine = typing != nil && burst.last?.text == "\n" && burst.count { $0.text == "\n" } == 1
        var text = ""
        var dropped: Keystroke?
        for key in isLine ? burst.dropLast() : burst[...] {
            if let piece = key.text {
                text += piece
            } else if key == .backspace, !text.isEmpty {
                text.removeLast()
            } else {
                if !text.isEmpty { paste(text) }
                text = ""
                if var field = typing?.field, field.edit(key) { _ = type(key) } else { dropped = key }
            }
        }
        if !text.isEmpty || typing == nil { paste(text) }
        if isLine { _ = type(.enter) }
        if let dropped, !status.isRefusal { refuse(Self.again(dropped)) }
    }

    /// A paste is text: it never does anything else. Where letters go to a field, it does as well.
    mutating func paste(_ text: String) {
        if typing == nil, let row, let field = visit.page.field(at: row.id, in: scene),
            let target = visit.rows.first(where: { $0.id == field }) as? FieldRow
        {
            answer(target.typing)
        }
        guard var typing else {
            return say("Press Enter on a text option first, then paste", isRefusal: true)
        }
        typing.insert(text)
        pages.typing = typing
        pages.typed(typing.field.text, into: typing.row, layout)
    }
}
