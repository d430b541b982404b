import Foundation

/// libFuzzer's entry point; `SETTINGS_FUZZ_TARGET` selects the target. A violated law ends the process like a crash.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(FuzzTarget.Broken) {
        try target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        FileHandle.standardError.write(Data("broken: \(error)\n".utf8))
        abort()
    }
    return 0
}

/// The entry point that the package manager expects.
@_cdecl("fuzz_main")
func fuzzMain(_ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    var (count, words): (CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) = (count, words)
    return runDriver(&count, &words, testOneInput)
}

/// libFuzzer's own `main` under another name.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["SETTINGS_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        FileHandle.standardError.write(Data("no target '\(name)'\n".utf8))
        exit(64)
    }
    return target
}()
