import HTTPTypes
import Hummingbird
import SettingsModel

/// Who reads what an address answers, and so in which form it says what is wrong.
enum Audience {
    case people, programs
    /// OpenFeature's providers.
    case flags

    /// `path`: what follows the prefix of the server.
    init(_ path: String) {
        self =
            if path.hasPrefix("/ofrep/") { .flags } else if path.hasPrefix("/api/") || path == "/health" { .programs } else {
                .people
            }
    }

    func refusal(_ status: HTTPResponse.Status, _ title: String, _ words: String, _ site: Site) -> Response {
        switch self {
        case .people: .page(status, Plain(site, title).html(words))
        case .programs, .flags: ProblemDocument(status, words).response(to: self)
        }
    }
}
