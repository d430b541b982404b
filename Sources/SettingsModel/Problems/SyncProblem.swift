/// Why a repository can't be reached, or what it has can't be exchanged. `remote`: its name, or its address without a password.
package enum SyncProblem: Hashable, Sendable {
    case isDetached
    case noRemote
    /// `orAddress`: whether an address would do as well.
    case noSuchRemote(String, near: [String], orAddress: Bool = false)
    case severalRemotes([String])
    case remoteIsThere(String)
    case invalidRemoteName(String)
    /// `canBeSent`: it is the branch here that is not there.
    case noBranch(remote: String, branch: String, canBeSent: Bool)
    /// It had the branch when it was last reached. `own`: what the branch is called here.
    case branchIsGone(remote: String, branch: String, own: String)
    /// The branch that is checked out has no version, and the remote has no such branch.
    case isUnborn(branch: String, remote: String)

    // What git said: `reason`.
    /// `waiting`: so many versions here wait to be sent.
    case unreachable(remote: String, reason: String, waiting: Int)
    case denied(remote: String, reason: String)
    /// The user's git does not use this transport where it is not asked to: `ext`.
    case transportIsNotAllowed(String, remote: String, isNamed: Bool)
    /// `name`: of the remote that has this address.
    case noRepository(address: String, name: String?, reason: String)
    case isBroken(remote: String, reason: String)
    case tooLarge(remote: String, limit: Int)
    /// It sent more words than that.
    case isTalkative(remote: String, limit: Int)
    /// `version`: git's own words.
    case gitIsTooOld(version: String)
    case notWritten(remote: String, reason: String)
    /// A shallow or partial clone, which can't hand on what it doesn't have.
    case isIncomplete(remote: String)
    /// It names objects by SHA-256.
    case isOfOtherFormat(remote: String)

    /// What is to be sent has no signature, and signatures are asked for.
    case isNotSigned(IncomingFault, remote: String)
    /// What came in was not taken in.
    case refused(name: String, IncomingFault)
    /// Versions that were there and are gone. `changes`: what each of them changed.
    case rewound(remote: String, [Version], count: Int, changes: [[Change]] = [])
    /// The branch has versions of its own on those that the remote has lost.
    case cannotFollow(remote: String)
    /// `push` alone, where the remote has more versions.
    case isBehind(remote: String, count: Int)
    case rejected(remote: String, reason: String, words: [String])
    /// What came in has no version in common with the branch. `reference`: what names it here.
    case isUnrelated(remote: String, reference: String?)
    /// A file that is not part of the store, or that is tracked and changed beside its options on both sides, has to be merged with
    /// git. `branch`: of an address, which is no reference here.
    case otherFile(String, tracked: Bool, in: String, branch: String?)
    case isCheckedOut(remote: String)
    /// Nothing can be sent to a bundle.
    case isBundle(remote: String)
    /// A repository on this machine would start this program for a push.
    case hook(String, path: String, remote: String, isNamed: Bool)
    /// Which programs a repository on this machine would start cannot be found out.
    case hooksAreUnknown(path: String)
    /// There is no folder for the user's configuration.
    case hasNoFolderForTrust
    /// The file of what is trusted is damaged, or another user's.
    case trustIsUnreadable(String)
    /// Only a newer version of this program can read it.
    case trustIsOfLaterVersion(String)
    case beaten(remote: String, tries: Int)
    /// Nobody else pushed, but the remote does not move its branch.
    case isNotMoved(remote: String, reason: String)

    case folderIsThere(String)
    case noStore(remote: String)
    case emptyRepository(remote: String)
    case nothingToBundle
    /// A bundle builds on a version that no bundle beside it has.
    case bundleIsCut(String, missing: VersionID)
    /// A bundle that is read builds on a version that is not here.
    case bundleNeeds(String, missing: VersionID)
    /// This clone is shallow, or else partial, so that nobody could clone a bundle of it.
    case cannotBundleAll(isShallow: Bool)
    case bundleFailed(String, reason: String)
    /// Why no bundle can be written to a path.
    case noPlaceForBundle(String, reason: String)

    package var kind: Problem.Kind {
        switch self {
        case .isDetached, .branchIsGone, .rewound, .cannotFollow, .isBehind, .isUnrelated, .otherFile: .conflict
        case .hasNoFolderForTrust: .missing
        case .trustIsUnreadable, .trustIsOfLaterVersion: .badData
        case .noRemote, .noSuchRemote, .noBranch, .isUnborn, .noRepository, .noStore, .emptyRepository, .cannotBundleAll: .missing
        case .severalRemotes, .remoteIsThere, .invalidRemoteName, .folderIsThere: .usage
        case .unreachable, .beaten, .isNotMoved: .busy
        case .denied, .transportIsNotAllowed, .rejected, .isCheckedOut, .isBundle, .isNotSigned, .hook, .hooksAreUnknown: .policy
        case .isBroken, .tooLarge, .isTalkative, .refused, .isIncomplete, .isOfOtherFormat, .bundleIsCut, .bundleNeeds: .badData
        case .gitIsTooOld: .unavailable
        case .nothingToBundle: .no
        case .bundleFailed, .noPlaceForBundle, .notWritten: .cannotWrite
        }
    }
}

/// Why versions of another repository were not taken in.
package struct IncomingFault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case isLink, isSubmodule, hasBadName
        /// Where a file of the store would be.
        case isFolder
        /// Its name and another one in the same version.
        case differsByCase(other: String)
        case isTooDeep
        case isTooLarge(Int)
        case unreadable(Problem)
        case isNoStore
        /// Signatures are asked for.
        case isNotSigned(SignatureCheck)
    }

    package var kind: Kind
    /// In the repository.
    package var path: String
    package var version: Version

    package init(_ kind: Kind, path: String, in version: Version) {
        self.kind = kind
        self.path = path
        self.version = version
    }
}
