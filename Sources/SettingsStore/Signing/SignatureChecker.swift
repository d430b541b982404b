import Files
import Git
import SettingsModel

/// Checks signatures as git does: gpg and ssh-keygen say whether they hold and whose they are.
struct SignatureChecker {
    let programs: SignaturePrograms
    /// In whose zone ssh-keygen reads times.
    let clock: Clock

    /// `time`: the committer's, at which an ssh key must have been valid.
    func check(_ object: SignedObject, at time: Int64) -> SignatureCheck {
        guard !object.signature.isEmpty else { return .none }
        let format = SignatureFormat(signature: object.signature)
        guard let format, format != .x509 else {
            let line = String(decoding: object.signature.prefix { $0 != 10 }.prefix(80), as: UTF8.self)
            return SignatureCheck(.unchecked, format, .format(line))
        }
        let program: String
        do throws(SigningProblem) { program = try programs.path(for: format) } catch {
            return SignatureCheck(.unchecked, format, .programIsMissing(programs.name(for: format)))
        }
        return format == .ssh ? checkByKeygen(object, at: time, program) : checkByGPG(object, program)
    }

    private func checkByGPG(_ object: SignedObject, _ program: String) -> SignatureCheck {
        let words = ["--keyid-format=long", "--status-fd=1", "--verify", Command.secondInput, "-"]
        let run = programs.command(program, words)
            .run(giving: object.payload, second: object.signature, keeping: SignaturePrograms.outputLimit)
        return SignatureCheck(
            gpgStatus: String(decoding: run.output, as: UTF8.self), errors: SignaturePrograms.reason(run.errors),
            program: programs.openpgp)
    }

    /// git's `verify_ssh_signed_buffer` (gpg-interface.c): the principals whose key it is, and for each whether it may have
    /// signed this. Where there is none, whether the signature holds at all.
    private func checkByKeygen(_ object: SignedObject, at time: Int64, _ program: String) -> SignatureCheck {
        let moment = "-Overify-time=" + compact(clock.calendar(time))
        func run(_ words: [String], payload: Bool = true) -> (status: Int32?, output: String, errors: String) {
            let run = programs.command(program, ["-Y"] + words + ["-s", Command.secondInput, moment])
                .run(
                    giving: payload ? object.payload : [], second: object.signature, keeping: SignaturePrograms.outputLimit)
            return (run.status, String(decoding: run.output, as: UTF8.self), String(decoding: run.errors, as: UTF8.self))
        }
        if let allowed = programs.allowedSigners {
            let found = run(["find-principals", "-f", allowed], payload: false)
            let principals = found.status == 0 ? found.output.split(whereSeparator: \.isNewline).map(String.init) : []
            var check: SignatureCheck?
            func verified(_ principal: String, _ more: [String]) -> SignatureCheck {
                let verified = run(["verify", "-n", "git", "-f", allowed, "-I", principal] + more)
                let check = SignatureCheck(sshOutput: verified.output, isAllowed: true, otherwise: .isNoAllowedSigner)
                return verified.status != 0 && check.verdict == .good ? SignatureCheck(.bad, .ssh, .doesNotMatch) : check
            }
            for principal in principals {
                var result = verified(principal, programs.revokedKeys.map { ["-r", $0] } ?? [])
                if result.verdict == .good { return result }
                // The program does not say what is wrong.
                if programs.revokedKeys != nil {
                    let key = verified(principal, [])
                    if key.verdict == .good {
                        result = SignatureCheck(.bad, .ssh, signer: principal, key: key.key, .keyIsRevoked)
                    }
                }
                check = result
            }
            if let check { return check }
        }
        let checked = run(["check-novalidate", "-n", "git"])
        guard checked.status != nil else {
            return SignatureCheck(
                .unchecked, .ssh, .programFailed(programs.ssh, output: SignaturePrograms.reason(Array(checked.errors.utf8))))
        }
        return SignatureCheck(
            sshOutput: checked.output, isAllowed: false,
            otherwise: programs.allowedSigners == nil ? .allowedSignersAreNotConfigured : .isNoAllowedSigner)
    }

    /// `20261120180000`, in the zone that the program reads it in.
    private func compact(_ time: CalendarTime) -> String {
        func padded(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return padded(time.year, 4)
            + [time.month, time.day, time.hour, time.minute, time.second].map { padded($0, 2) }.joined()
    }
}
