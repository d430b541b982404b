import Files
import SettingsModel
import SettingsStore
import SettingsText

extension SignatureConfiguration {
    /// What 'doctor' says about signatures, and whether nothing could be recorded with these.
    func report(as committer: Person) -> (text: String, isWrong: Bool) {
        let (text, isWrong) = signingReport(as: committer)
        do { return (try required == nil ? text : text + "; versions from elsewhere have to be signed", isWrong) } catch {
            return (CommandLineHints.reason(error as? Problem ?? .signing(.hasNoKey)), true)
        }
    }

    private func signingReport(as committer: Person) -> (text: String, isWrong: Bool) {
        do throws(SigningProblem) {
            var signed: [String] = []
            if try isAskedFor(by: ["commit.gpgSign"]) { signed.append("versions") }
            if try isAskedFor(by: ["tag.gpgSign", "tag.forceSignAnnotated"]) { signed.append("tags") }
            guard !signed.isEmpty else { return ("versions are not signed; commit.gpgSign is not set", false) }
            let signing = try signing(as: committer)
            let program = try signing.programs.path(for: signing.format)
            let isFile = signing.format == .ssh && Signing.literalKey(signing.key) == nil
            if isFile, (try? FileSystem.isThere(signing.key)) != true {
                return ("\(signed.joined(separator: " and ")) are signed, but the key \(signing.key) is missing", true)
            }
            var text =
                "\(signed.joined(separator: " and ")) are signed with the \(signing.format.rawValue) key \(signing.key) by \(program)"
            if signing.format == .ssh, signing.programs.allowedSigners == nil {
                text += "; to see whose signatures are, set gpg.ssh.allowedSignersFile"
            }
            return (text, false)
        } catch { return (CommandLineHints.reason(.signing(error)), true) }
    }
}
