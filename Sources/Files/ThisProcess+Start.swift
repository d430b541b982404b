internal import CFiles
package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension ThisProcess {
    /// The words of the command line, the program's name first, without `folders` and the options before them.
    package static let arguments: [String] = Array(allArguments.prefix(1) + allArguments.dropFirst(1 + 2 * folders.count))

    /// The folders that `-C` names before all other words, as in git: each is counted from the one before it.
    package static let folders: [String] = {
        var rest = allArguments.dropFirst()
        var folders: [String] = []
        while rest.count > 1, rest.first == "-C" {
            folders.append(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
        }
        return folders
    }()

    /// Swift's own list is empty where there is no /proc.
    private static let allArguments: [String] = words.map { $0.map { String(cString: $0) } } ?? CommandLine.arguments

    /// Makes a folder the current one; an empty word changes nothing.
    package static func enter(_ folder: String) throws(SystemFailure) {
        if !folder.isEmpty, chdir(folder) != 0 { throw .last("enter", folder) }
    }

    /// The first argument that is not UTF-8, as far as it can be shown.
    package static var invalidArgument: String? {
        words?.dropFirst().first { String(validatingCString: $0) == nil }.map { String(cString: $0) }
    }

    private static var words: [UnsafePointer<CChar>]? {
        guard var next = settings_arguments() else { return nil }
        var words: [UnsafePointer<CChar>] = []
        while let word = next.pointee {
            words.append(UnsafePointer(word))
            next += 1
        }
        return words
    }

    /// The program's file, whatever it is called and whatever link it was started by; nil where the system doesn't tell.
    package static var program: String? {
        guard let path = settings_program_path() else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Goes on as another program, with these words and this process's variables and open files, and one more variable. Returns only
    /// where that fails.
    package static func become(
        _ program: String, _ words: [String], with variable: (name: String, value: String)
    ) throws(SystemFailure) {
        setenv(variable.name, variable.value, 1)
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        execv(program, &copies)
        throw .last("run", program)
    }

    /// Which start of the system this is; nil where it doesn't tell.
    package static let boot: String? = {
        #if canImport(Darwin)
            var name = [CChar](repeating: 0, count: 64)
            var size = name.count - 1
            guard sysctlbyname("kern.bootsessionuuid", &name, &size, nil, 0) == 0 else { return nil }
            return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
            guard let bytes = try? Folder(path: "/proc/sys/kernel/random").read("boot_id", limit: 64) else { return nil }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
        #endif
    }()

    /// Where programs keep a user's data in that user's home folder.
    package static func dataFolder(inHome home: String) -> String {
        #if canImport(Darwin)
            home + "/Library/Application Support"
        #else
            home + "/.local/share"
        #endif
    }
}
