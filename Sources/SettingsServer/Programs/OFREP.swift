import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsText

/// OpenFeature's Remote Evaluation Protocol 0.3.0: an option is a flag, whose value is the same for everybody.
struct OFREP: Sendable {
    let latest: LatestFlags
    let streams: Streams

    func add(to router: some RouterMethods<WebContext>) {
        router.post("/ofrep/v1/evaluate/flags") { request, context in try await all(request, context) }
        router.post("/ofrep/v1/evaluate/flags/{key}") { request, context in try await one(request, context) }
        router.get("/ofrep/v1/stream") { request, context in try await streams.flags(latest, request, context.visitor) }
        refuseOthers("/ofrep/v1/evaluate/flags", than: .post, router)
        refuseOthers("/ofrep/v1/evaluate/flags/{key}", than: .post, router)
        refuseOthers("/ofrep/v1/stream", than: .get, isStream: true, router)
    }

    private func one(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try context.parameters.require("key").removingPercents
        try await readContext(request, context, of: word)
        let flags = await latest.flags()
        guard let key = try? Key(word), let flag = flags.flags[key] else {
            var document = ProblemDocument(.notFound, "There is no option '\(word.visible)'.")
            (document.code, document.flag) = ("FLAG_NOT_FOUND", word)
            throw document
        }
        switch flag.kind {
        case .value: return .json(.ok, flag.bytes)
        case .failure: return .json(.badRequest, flag.bytes)
        case .forbidden: return .json(.forbidden, flag.bytes)
        }
    }

    private func all(_ request: Request, _ context: WebContext) async throws -> Response {
        try await readContext(request, context)
        let flags = await latest.flags()
        // Whoever was told of a version that this server doesn't have yet must not be told that it has the newest.
        let told = request.fields["flagConfigEtag"].flatMap { EntityTag.words(in: $0).first }
        let isKnown = (told == nil || told == flags.tag.word) && flags.tag.isNamed(in: request.headers[.ifNoneMatch])
        return .json(flags.bulk, flags.tag, isKnown: isKnown)
    }

    /// Nothing of a context has a say in a value: any is taken, and none. What is no JSON is a fault of whoever sent it.
    private func readContext(_ request: Request, _ context: WebContext, of key: String? = nil) async throws {
        var request = request
        let body = try await request.collectBody(upTo: context.maxUploadSize)
        if body.readableBytes == 0 { return }
        do throws(BadFile) { _ = try JSON(parsing: Array(body.readableBytesView)) } catch {
            var document = ProblemDocument(.badRequest, "The body is not valid JSON: \(error.inBody).")
            (document.code, document.flag) = ("PARSE_ERROR", key)
            throw document
        }
    }
}

extension BadFile {
    /// Why a body can't be read: "line 1: expected ':', found 'x'".
    var inBody: String {
        (position.map { "line \($0.line), column \($0.column): " } ?? "") + reason.replacing("the file", with: "it")
    }
}
