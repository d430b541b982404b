import Files

extension FileStatus {
    /// What git takes for "look at the file".
    static let unknown = FileStatus(entry: [UInt8](repeating: 0, count: 40), at: 0)

    /// As an entry of the index has it.
    init(entry bytes: [UInt8], at offset: Int) {
        func number(_ place: Int) -> UInt32 { IndexFile.number(bytes, offset + place) }
        func moment(_ place: Int) -> Moment { Moment(seconds: Int64(number(place)), nanoseconds: number(place + 4)) }
        self.init(
            changed: moment(0), modified: moment(8), device: number(16), inode: number(20), user: number(28),
            group: number(32), size: number(36))
    }
}
