import SettingsKit
import SettingsModel
import SettingsStore
import Testing

@testable import SettingsServer

/// The values of a number over time.
struct StepPlotTests {
    private static let script = """
        at() { GIT_COMMITTER_DATE="@$1 +0000" GIT_AUTHOR_DATE="@$1 +0000" settings "$2" -q "$3" $4 $5 $6 $7 $8; }
        at 1700000000 add sound.volume --title Volume --number 40 --range=0..100
        at 1700001000 set sound.volume 60
        at 1700002000 unset sound.volume
        at 1700003000 set sound.volume 100
        at 1700003000 define sound.volume --title Loudness
        at 1700004000 set sound.volume 0
        at 1700000000 add once --title Once --number 1
        at 1700000000 add net.key --title Key --text a
        """

    private func plot(_ word: String, at now: Int64) async throws -> StepPlot? {
        let server = try RunningServer(Self.script)
        let settings = try await Settings.open(server.store)
        var shown = await Site(settings).shown()
        shown.scene.phrases.clock = Clock(now: now)
        var query = HistoryQuery()
        query.keys = [word]
        let versions = try await settings.versions(query).versions
        await settings.close()
        return StepPlot("Volume", try #require(shown.content.options[try Key(word)]), versions, shown)
    }

    /// Half of the time has passed at the last change; the gap is where it was not set.
    @Test func eachValueLastsUntilTheNextOne() async throws {
        let plot = try #require(try await plot("sound.volume", at: 1_700_008_000))
        #expect(plot.path == "M0 120H125V80H250M375 0H500V200H1000")
    }

    @Test func nothingIsShownOfFewOrHiddenValues() async throws {
        #expect(try await plot("once", at: 1_700_008_000) == nil)
        #expect(try await plot("net.key", at: 1_700_008_000) == nil)
    }

    @Test func itIsSaidInWords() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let body = try server.curl("/o/sound.volume").body
        #expect(body.contains(#" since 14 Nov 2023: 40 at first, 0 now, between 0 and 100"><path d="M0 120H"#))
        #expect(body.contains("<figcaption aria-hidden=\"true\"><span>14 Nov 2023</span><span>now</span>"))
        #expect(try !server.curl("/o/once").body.contains("<svg"))
    }
}
