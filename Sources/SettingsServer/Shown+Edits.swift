import SettingsModel
import SettingsPages
import SettingsText

// What keeps an option from being changed on a page.

extension Shown {
    /// Nil if it can be.
    func refusal(for key: Key) -> String? {
        if let words = unreadable(key) { return words }
        return scene.obstacle(to: key).map { obstacle in
            switch obstacle {
            case .isRemoved: "The option was removed."
            case .isReadOnly: "Read-only."
            case .isEdited: edit(of: key)
            }
        }
    }

    /// What is wrong with the file of an option as it was recorded.
    func unreadable(_ key: Key) -> String? {
        let path = Subject.option(key).path
        for problem in scene.facts.unreadable {
            guard case .file(.unreadable(_, path, _)) = problem else { continue }
            return
                "\(words(problem, key)) The last value that could be read is shown, and cannot be changed until the file is fixed."
        }
        return nil
    }

    /// What the file of an option has that nobody recorded.
    private func edit(of key: Key) -> String {
        let subject = Subject.option(key)
        if let fault = draft.unreadable.first(where: { $0.path == subject.path }) {
            return "\(words(fault.problem, key)) The recorded value is shown, and cannot be changed until the file is fixed."
        }
        guard let option = draft.sides.after.options[key] else {
            if !draft.edited.contains(subject) { return Self.edited() }
            return
                "Its file was removed, but the removal is not recorded. The recorded value is shown, and cannot be changed until the "
                + "removal is recorded or discarded."
        }
        if option.value == content.options[key]?.value || option.isMasked || masked.contains(key) { return Self.edited() }
        return Self.edited(": \(scene.glyphs.quoted(scene.words(option.value, of: option)))")
    }

    private static func edited(_ what: String = "") -> String {
        "Its file has an edit that is not recorded\(what). Until it is recorded or discarded, the option cannot be changed here."
    }

    /// Why a file can't be read. The reason may repeat what is in it.
    private func words(_ problem: Problem, _ key: Key) -> String {
        if masked.contains(key) || draft.sides.after.options[key]?.isMasked ?? false {
            guard case .file(.unreadable(let fault, _, _)) = problem, let line = fault.position?.line else {
                return "Its file cannot be read."
            }
            return "Its file cannot be read: line \(line)."
        }
        return PageHints.statement("Its file cannot be read: \(PageHints.words(problem))")
    }
}
