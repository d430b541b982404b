package import Files
import Base

/// What stands at each path of a folder and below, by paths from that folder. Only names of ASCII: Swift takes some other
/// strings for equal that are different names.
package struct FolderContents: Sendable {
    package private(set) var paths: PathTable
    /// By the numbers of the paths.
    package private(set) var contents: [Content] = []

    init(capacity: Int = 0) {
        paths = PathTable(capacity: capacity)
        contents.reserveCapacity(capacity)
    }

    package static var nothing: FolderContents { FolderContents() }

    package subscript(path: String) -> Content? { paths.number(of: path).map { contents[$0] } }

    @discardableResult
    mutating func put(_ content: Content, at path: UnsafeRawBufferPointer) -> Int {
        let number = paths.add(path)
        if number == contents.count { contents.append(content) } else { contents[number] = content }
        return number
    }
}

/// Files that git's index knows by their times; see `Index.notedFiles`.
package struct NotedFiles: Sendable {
    package private(set) var known: FolderContents
    /// By the numbers of the paths.
    package private(set) var statuses: [FileStatus] = []

    init(capacity: Int = 0) {
        known = FolderContents(capacity: capacity)
        statuses.reserveCapacity(capacity)
    }

    package subscript(path: String) -> (content: Content, status: FileStatus)? {
        known.paths.number(of: path).map { (known.contents[$0], statuses[$0]) }
    }

    mutating func put(_ content: Content, _ status: FileStatus, at path: UnsafeRawBufferPointer) {
        let number = known.put(content, at: path)
        if number == statuses.count { statuses.append(status) } else { statuses[number] = status }
    }
}
