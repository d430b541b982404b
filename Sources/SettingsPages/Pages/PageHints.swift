package import SettingsModel
import SettingsText

/// Problems in words for the pages: the remedies of the command line are not those of a page.
package enum PageHints {
    package static func words(_ problem: Problem) -> String {
        switch problem {
        case .editing(.labelIsChosen(_, let text)): "\(text) is chosen; choose another label before you remove it"
        default: CommandLineHints.reason(problem)
        }
    }
}
