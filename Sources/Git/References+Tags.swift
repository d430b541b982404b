package import Base
internal import CGit2

/// A name for a commit.
package struct Tag: Hashable, Sendable {
    /// Without `refs/tags/`.
    package let name: String
    package let commit: ObjectID
    /// Nil for a tag without an object of its own, as is the tagger.
    package let message: String?
    package let tagger: Signature?
}

extension References {
    /// All tags that name commits, by name. Those whose objects are missing are refused where they may not be left out.
    package func tags(leavingOutMissing: Bool = true) throws(GitError) -> [Tag] {
        var tags: [Tag] = []
        for (name, target) in try references(matching: "refs/tags/*") {
            let short = String(name.dropFirst("refs/tags/".count))
            do throws(GitError) {
                if let tag = try tag(short, at: target) { tags.append(tag) }
            } catch {
                guard leavingOutMissing, error.kind == .notFound else { throw error }
            }
        }
        return tags
    }

    /// The commit that an object is or names; nil where it names something else, or isn't there.
    package func commit(peeling id: ObjectID) throws(GitError) -> ObjectID? {
        var raw = id.raw
        guard
            let object = try ownIfFound(
                "read \(id)", git_object_free, in: git, { git_object_lookup(&$0, git.pointer, &raw, GIT_OBJECT_ANY) })
        else { return nil }
        var commit: OpaquePointer?
        defer { git_object_free(commit) }
        guard git_object_peel(&commit, object.pointer, GIT_OBJECT_COMMIT) == 0 else {
            git_error_clear()
            return nil
        }
        return git_object_id(commit).map { ObjectID($0.pointee) }
    }

    private func tag(_ name: String, at target: ObjectID) throws(GitError) -> Tag? {
        let operation = "read tag \(name)"
        var raw = target.raw
        let object = try own(operation, git_object_free, in: git) { git_object_lookup(&$0, git.pointer, &raw, GIT_OBJECT_ANY) }
        var commit: OpaquePointer?
        defer { git_object_free(commit) }
        // Tags of trees and files are not versions.
        let code = git_object_peel(&commit, object.pointer, GIT_OBJECT_COMMIT)
        if code == GIT_EPEEL.rawValue || code == GIT_EINVALIDSPEC.rawValue {
            git_error_clear()
            return nil
        }
        try check(operation) { code }
        guard let id = git_object_id(commit) else { return nil }
        guard git_object_type(object.pointer) == GIT_OBJECT_TAG else {
            return Tag(name: name, commit: ObjectID(id.pointee), message: nil, tagger: nil)
        }
        return Tag(
            name: name, commit: ObjectID(id.pointee),
            message: git_tag_message(object.pointer).map { String(cString: $0) } ?? "",
            tagger: git_tag_tagger(object.pointer).map { Signature($0.pointee) })
    }

    /// The bytes of a tag's object, without a signature, which git puts at its end. `.exists`: the name is taken, unless
    /// `moving` a tag is meant. `.invalid`: git allows no such name.
    package func tagObject(
        name: String, target: ObjectID, message: String, tagger: Signature, moving: Bool = false
    ) throws(GitError) -> [UInt8] {
        let operation = "make tag \(name)"
        for text in [name, message] { try refuseZeroByte(in: text, operation) }
        var valid: Int32 = 0
        try check(operation) { git_tag_name_is_valid(&valid, name) }
        guard valid == 1 else { throw GitError(.invalid, "git allows no such name", operation: operation) }
        if !moving, try self.reference(named: "refs/tags/" + name) != nil { throw taken(operation) }
        var raw = target.raw
        let object = try own(operation, git_object_free, in: git) { git_object_lookup(&$0, git.pointer, &raw, GIT_OBJECT_ANY) }
        let type = git_object_type2string(git_object_type(object.pointer)).map { String(cString: $0) } ?? "commit"
        let line = try OwnedSignature.make(tagger).line
        return Array("object \(target)\ntype \(type)\ntag \(name)\ntagger \(line)\n\n\(message)".utf8)
    }

    private func taken(_ operation: String) -> GitError { GitError(.exists, "there is such a tag", operation: operation) }

    /// Makes a tag with an object of its own, as `tagObject` has it. `signature`: what signs it, if anything does.
    package func createTag(
        name: String, target: ObjectID, message: String, tagger: Signature, signature: [UInt8] = [], moving: Bool = false,
        own folder: String? = nil
    ) throws(GitError) {
        let object = try tagObject(name: name, target: target, message: message, tagger: tagger, moving: moving)
        let operation = "make tag \(name)"
        let reference = "refs/tags/" + name
        let taken = taken(operation)
        let old = try self.reference(named: reference)
        guard old == nil || moving else { throw taken }
        objects.collectObjects()
        let tag = try objects.write(object + signature, GIT_OBJECT_TAG, operation)
        try objects.object(tag, GIT_OBJECT_TAG, "read back tag \(name)") { _ in }
        do {
            try setReference(reference, to: tag, from: old, by: tagger, note: "tag: \(name)", own: folder)
        } catch  where error.kind == .modified {
            throw taken
        }
    }
}
