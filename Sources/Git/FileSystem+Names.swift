package import Files

extension FileSystem {
    /// Whether a path from elsewhere may be written: no part of it leads out of its folder, or is git's own. Other systems
    /// take more names for `.git` than this one: without regard to case, to what can't be seen (HFS+), to dots and spaces
    /// at the end, to what stands behind a colon, and as `git~1` (NTFS). `.gitmodules` tells git where to clone from.
    package static func isPlain(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            let name = String(Substring(part))
            return isPlainName(name) && name.lowercased() != ".gitmodules"
        }
    }

    /// Whether a part of a path can't be taken for `.git`, this folder or the one above by any system.
    package static func isPlainName(_ name: String) -> Bool {
        guard name.utf8.count <= 255 else { return false }
        if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            return false
        }
        return !isReserved(name.utf8)
    }

    /// Whether a name is none, or some system takes it for `.git`, this folder or the one above.
    static func isReserved(_ name: some Collection<UInt8>) -> Bool {
        guard let first = name.first else { return true }
        // Most names.
        if first >= UInt8(ascii: "0"), first < 0x7F, ![":", "G", "g", "\\"].contains(UnicodeScalar(first)) { return false }
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
            if scalar == ":" { break }
            if !isIgnoredInNames(scalar) { scalars.append(scalar) }
        }
        while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
        let seen = String(scalars).lowercased()
        return seen.isEmpty || seen == ".git" || seen == "git~1"
    }

    /// What HFS+ leaves out where it compares names.
    private static func isIgnoredInNames(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C...0x200F, 0x202A...0x202E, 0x206A...0x206F, 0xFEFF: true
        default: false
        }
    }
}
