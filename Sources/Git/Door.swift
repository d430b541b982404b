import Files
import Base
internal import CGit2

// The one door to libgit2: every call that can fail goes through a function of this file, which copies the message
// (it is the thread's, and the next call overwrites it) and clears it.

/// Calls libgit2 and throws what it fails with; the result is its return value, 0 or more. `git`: whose objects the call reads.
@discardableResult
func check(
    _ operation: @autoclosure () -> String, in git: GitDirectory? = nil, _ call: () -> Int32
) throws(GitError) -> Int32 {
    let code = findingObjects(in: git, call)
    guard code < 0 else { return code }
    throw lastError(code, operation(), in: git)
}

/// `git repack` puts packs in the place of others at any time. libgit2 looks for new ones where it misses an object, but only
/// once: in its look it may meet one that is gone before it is opened. And where a multi-pack-index names a pack that is gone,
/// it does not look at all. So it looks, and is called again.
private func findingObjects(in git: GitDirectory?, _ call: () -> Int32) -> Int32 {
    for attempt in UInt32(1)...3 {
        let code = call()
        guard code < 0, let error = git_error_last()?.pointee else { return code }
        if let message = error.message, GitError.unopenedPack(error.klass, String(cString: message)) != nil {
            git.map { _ = git_odb_refresh($0.database) }
        } else if !isMissingObject(code) {
            return code
        }
        ThisProcess.pause(500 * attempt)
    }
    return call()
}

private func isMissingObject(_ code: Int32) -> Bool {
    code == GIT_ENOTFOUND.rawValue && git_error_last()?.pointee.klass == GitError.objects
}

/// As `check`; false where libgit2 finds nothing.
func finds(
    _ operation: @autoclosure () -> String, in git: GitDirectory? = nil, _ call: () -> Int32
) throws(GitError) -> Bool {
    let code = findingObjects(in: git, call)
    if code == GIT_ENOTFOUND.rawValue {
        if isMissingObject(code) { try git?.checkPacks() }
        git_error_clear()
        return false
    }
    guard code < 0 else { return true }
    throw lastError(code, operation(), in: git)
}

/// Calls libgit2 for a handle that is ours to free: what comes back through a pointer to a pointer.
func own(
    _ operation: @autoclosure () -> String, _ free: @escaping Owned.Free, in git: GitDirectory? = nil,
    _ call: (inout OpaquePointer?) -> Int32
) throws(GitError) -> Owned {
    var pointer: OpaquePointer?
    try check(operation(), in: git) { call(&pointer) }
    return Owned(pointer!, free)
}

/// As `own`; nil where libgit2 finds nothing.
func ownIfFound(
    _ operation: @autoclosure () -> String, _ free: @escaping Owned.Free, in git: GitDirectory? = nil,
    _ call: (inout OpaquePointer?) -> Int32
) throws(GitError) -> Owned? {
    var pointer: OpaquePointer?
    guard try finds(operation(), in: git, { call(&pointer) }) else { return nil }
    return Owned(pointer!, free)
}

/// Calls libgit2 for an id.
func id(
    _ operation: @autoclosure () -> String, in git: GitDirectory? = nil, _ call: (inout git_oid) -> Int32
) throws(GitError) -> ObjectID {
    var raw = git_oid()
    try check(operation(), in: git) { call(&raw) }
    return ObjectID(raw)
}

/// Calls libgit2 for a text, nil where it finds none.
func text(_ operation: @autoclosure () -> String, _ call: (inout git_buf) -> Int32) throws(GitError) -> String? {
    var buffer = git_buf()
    defer { git_buf_dispose(&buffer) }
    guard try finds(operation(), { call(&buffer) }) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: buffer.ptr, count: buffer.size)
    return String(decoding: bytes, as: UTF8.self)
}

/// Refuses what a C string would cut off.
func refuseZeroByte(in text: String, _ operation: @autoclosure () -> String) throws(GitError) {
    guard text.utf8.contains(0) else { return }
    throw GitError(.invalid, "a zero byte in '\(text)'", operation: operation())
}

private func lastError(_ code: Int32, _ operation: String, in git: GitDirectory?) -> GitError {
    defer { git_error_clear() }
    var message = "error \(code)"
    var category: Int32 = 0
    if let last = git_error_last()?.pointee {
        category = last.klass
        if let words = last.message { message = String(cString: words) }
    }
    if let pack = GitError.unopenedPack(category, message) { return .unopened(pack, operation) }
    let kind = GitError.Kind(code: code, category: category, message: message)
    if kind == .notFound, category == GitError.objects, let git {
        do throws(GitError) { try git.checkPacks() } catch { return error }
    }
    if kind == .denied, let lock = message.firstRange(of: "' is locked: ") { message.replaceSubrange(lock, with: "': ") }
    return GitError(kind, message, operation: operation, code: code, category: category)
}
