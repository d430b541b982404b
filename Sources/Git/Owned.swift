/// A handle that libgit2 made for us, freed when it goes out of scope.
struct Owned: ~Copyable {
    typealias Free = @convention(c) (OpaquePointer?) -> Void

    let pointer: OpaquePointer
    private let free: Free

    init(_ pointer: OpaquePointer, _ free: @escaping Free) {
        self.pointer = pointer
        self.free = free
    }

    /// Gives the handle away, not freed.
    consuming func release() -> OpaquePointer {
        let pointer = pointer
        discard self
        return pointer
    }

    deinit { free(pointer) }
}

/// Handles of one kind, for a call that wants an array of them.
struct OwnedList: ~Copyable {
    private(set) var pointers: [OpaquePointer?] = []
    private let free: Owned.Free

    init(_ free: @escaping Owned.Free) { self.free = free }

    mutating func append(_ handle: consuming Owned) { pointers.append(handle.release()) }

    deinit {
        for pointer in pointers { free(pointer) }
    }
}
