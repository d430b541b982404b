/// Which release this is.
package enum Release {
    /// Scripts/package reads it from here, and what is new in it from the article on releases.
    package static let version = "0.2.0"

    /// The variable in which a program tells another one of the same release, which it goes on as, its version.
    package static let variable = "SETTINGS_RELEASE"

    /// Why a program that another release started doesn't serve; nil where it does. `asked`: the version in the variable.
    package static func mismatch(asked: String?, _ program: String) -> String? {
        guard let asked, asked != version else { return nil }
        return "\(program) is version \(version), but settings is version \(asked); install the same version of both"
    }
}
