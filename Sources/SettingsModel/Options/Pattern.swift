import CPCRE2

/// The `pattern` of a text: a regular expression in Perl's syntax (PCRE2), matched anywhere in the text as in JSON Schema.
/// Matching stops after a limited number of steps, so that no pattern can block a command.
public enum Pattern {
    /// The number of matching steps before it gives up, about 0.1 s.
    static let stepLimit: UInt32 = 1_000_000
    /// The memory that one match may take, in KiB.
    static let memoryLimit: UInt32 = 20_000

    /// Why `pattern` is invalid; nil if it is valid.
    public static func fault(in pattern: ExactText) -> String? {
        switch compile(pattern) {
        case .success(let code):
            pcre2_code_free_8(code)
            return nil
        case .failure(let fault): return fault.reason
        }
    }

    /// Why `text` doesn't match; nil if it does.
    public static func fault(of text: ExactText, against pattern: ExactText) -> String? {
        let code: OpaquePointer
        switch compile(pattern) {
        case .success(let compiled): code = compiled
        case .failure(let fault): return fault.reason
        }
        defer { pcre2_code_free_8(code) }
        guard let context = pcre2_match_context_create_8(nil), let match = pcre2_match_data_create_8(1, nil) else {
            return "not enough memory to match the pattern \(pattern)"
        }
        defer {
            pcre2_match_data_free_8(match)
            pcre2_match_context_free_8(context)
        }
        pcre2_set_match_limit_8(context, stepLimit)
        pcre2_set_heap_limit_8(context, memoryLimit)
        let bytes = Array(text.string.utf8)
        let result = bytes.withUnsafeBufferPointer { pcre2_match_8(code, $0.baseAddress, $0.count, 0, 0, match, context) }
        if result >= 0 { return nil }
        let shown = pattern.string.count > 80 ? pattern.string.prefix(77) + "..." : pattern.string[...]
        return result == PCRE2_ERROR_NOMATCH
            ? "the text does not match the pattern \(shown)" : "the pattern \(shown) takes too long to match"
    }

    private struct Fault: Error { var reason: String }

    private static func compile(_ pattern: ExactText) -> Result<OpaquePointer, Fault> {
        var code: Int32 = 0
        var offset = 0
        let bytes = Array(pattern.string.utf8)
        let compiled = bytes.withUnsafeBufferPointer {
            pcre2_compile_8($0.baseAddress, $0.count, PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &offset, nil)
        }
        if let compiled { return .success(compiled) }
        var message = [UInt8](repeating: 0, count: 256)
        let length = pcre2_get_error_message_8(code, &message, message.count)
        let words = String(decoding: message.prefix(Int(max(length, 0))), as: UTF8.self)
        return .failure(Fault(reason: "invalid pattern '\(pattern)': \(words), at character \(offset + 1)"))
    }
}
