/// A handle that libgit2 made for us, freed when it goes out of scope.
struct Owned: ~Copyable {
    typealias Free = @convention(c) (OpaquePointer?) -> Void

    let pointer: OpaquePointer
    private let free: Free

    init(_ pointer: OpaquePointer, _ free: @escaping Free) {
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}
