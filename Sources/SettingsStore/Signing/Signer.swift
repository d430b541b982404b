import Files
import SettingsModel

/// Signs what is about to be recorded, as git does: by gpg or ssh-keygen, which may ask the person for a passphrase.
final class Signer {
    private let wanted: Result<Signing, SigningProblem>
    private var signed: (payload: [UInt8], signature: [UInt8])?
    private(set) var count = 0

    init(_ signing: Result<Signing, SigningProblem>) { wanted = signing }

    /// The signature of a text; nil where it was not the last one to be signed.
    func signature(of payload: [UInt8]) -> [UInt8]? { signed?.payload == payload ? signed?.signature : nil }

    /// Signs a text. Leaves nothing behind, even if it is interrupted: signals wait until what it wrote is removed.
    func sign(_ payload: [UInt8]) throws(Problem) {
        count += 1
        do throws(SigningProblem) {
            let signing = try wanted.get()
            let program = try signing.programs.path(for: signing.format)
            let signals = BlockedSignals(endingOnly: true)
            defer { withExtendedLifetime(signals) {} }
            let signature =
                try signing.format == .ssh ? signing.signByKeygen(payload, program) : signing.signByGPG(payload, program)
            signed = (payload, signature.filter { $0 != UInt8(ascii: "\r") })
        } catch { throw .signing(error) }
    }
}

extension Signing {
    /// `gpg --status-fd=2 -bsau KEY`, which reports that it has signed: its exit status alone says too little.
    fileprivate func signByGPG(_ payload: [UInt8], _ program: String) throws(SigningProblem) -> [UInt8] {
        let words = ["--status-fd=2"] + (isUnattended ? ["--batch", "--pinentry-mode=error"] : []) + ["-bsau", key]
        let run = programs.command(program, words).run(giving: payload, keeping: SignaturePrograms.outputLimit)
        let lines = run.errors.split(separator: 10)
        guard run.status == 0, !run.output.isEmpty,
            lines.contains(where: { $0.starts(with: "[GNUPG:] SIG_CREATED ".utf8) })
        else { throw failure(run.status, run.errors) }
        return run.output
    }

    /// `ssh-keygen -Y sign -n git -f KEY FILE` writes to FILE.sig, and asks for a passphrase at the terminal: with the text
    /// at its standard input it could not.
    fileprivate func signByKeygen(_ payload: [UInt8], _ program: String) throws(SigningProblem) -> [UInt8] {
        do {
            let folder = try PrivateFolder(in: programs.temporaryFolder)
            defer { withExtendedLifetime(folder) {} }
            let text = folder.path + "/version"
            try FileSystem.write(payload, to: text)
            var file = key
            if let literal = Self.literalKey(key) {
                file = folder.path + "/key"
                try FileSystem.write(Array((literal + "\n").utf8), to: file)
                // ssh-keygen looks first whether it holds the private key.
                try FileSystem.forbidOthers(file)
            }
            var programs = programs
            if isUnattended { programs.variables["SSH_ASKPASS_REQUIRE"] = "never" }
            let run = programs.command(program, ["-Y", "sign", "-n", "git", "-f", file, text])
                .run(keeping: SignaturePrograms.outputLimit)
            guard run.status == 0,
                let signature = try FileSystem.bytes(of: text + ".sig", atMost: SignaturePrograms.outputLimit)
            else { throw failure(run.status, run.errors) }
            return signature
        } catch let error as SystemFailure {
            throw .failed(key: key, program: programs.ssh, reason: "cannot write to \(error.path): \(error.reason)")
        } catch let error as SigningProblem {
            throw error
        } catch {
            throw failure(nil, [])
        }
    }

    /// A public key that stands in the configuration itself.
    package static func literalKey(_ key: String) -> String? {
        if key.hasPrefix("key::") { return String(key.dropFirst(5)) }
        return key.hasPrefix("ssh-") ? key : nil
    }

    private func failure(_ status: Int32?, _ errors: [UInt8]) -> SigningProblem {
        let reason = SignaturePrograms.reason(errors)
        let words = reason.isEmpty ? status.map { "it exited with status \($0)" } ?? "it was terminated" : reason
        return .failed(key: key, program: programs.name(for: format), reason: words)
    }
}
