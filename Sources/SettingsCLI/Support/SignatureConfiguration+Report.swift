import Files
import SettingsModel
import SettingsStore
import SettingsText

extension SignatureConfiguration {
    /// What 'doctor' says about signatures.
    func check(as committer: Person) -> HealthCheck {
        var isRequired = false
        do throws(SigningProblem) {
            isRequired = try self.isRequired
            var signed: [String] = []
            if try isAskedFor(by: ["commit.gpgSign"]) { signed.append("versions") }
            if try isAskedFor(by: ["tag.gpgSign", "tag.forceSignAnnotated"]) { signed.append("tags") }
            guard !signed.isEmpty else { return .unsigned(isRequired: isRequired) }
            let signing = try signing(as: committer)
            let program = try signing.programs.path(for: signing.format)
            let isFile = signing.format == .ssh && Signing.literalKey(signing.key) == nil
            return .signing(
                signed, signing.format, key: signing.key,
                isMissing: isFile && (try? FileSystem.isThere(signing.key)) != true, by: program,
                knowsSigners: signing.programs.allowedSigners != nil, isRequired: isRequired)
        } catch { return .cannotSign(error, isRequired: isRequired) }
    }
}
