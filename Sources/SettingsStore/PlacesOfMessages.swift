import SettingsModel

/// Paths and addresses that stand in what git prints. They are cut out before words are looked for: a folder can be called "No
/// space left on device".
struct PlacesOfMessages {
    private let places: [(text: String, mark: String)]

    /// `here`: what is this machine's own; `there`: what is the other side's. Each may contain the others. A name without a
    /// slash is a word, which git prints with the folder that it is in.
    init(here: [String], there: [String] = []) {
        places = (here.map { ($0, Self.here) } + there.map { ($0, Self.there) })
            .filter { $0.0.utf8.count > 1 && $0.0.contains("/") }
            .sorted { $0.0.utf8.count > $1.0.utf8.count }
    }

    /// What stands for a place of this machine's own.
    static let here = "<here>"
    private static let there = "<there>"

    /// Where a place has line breaks, so that it would end a line.
    func visible(in text: String) -> String {
        var text = text
        for place in places where place.text != place.text.visible {
            text = text.replacing(place.text, with: place.text.visible)
        }
        return text
    }

    func cut(from text: String) -> String {
        var text = text
        for place in places { text = text.replacing(place.text, with: place.mark) }
        return text
    }
}
