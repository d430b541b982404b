import HTTPTypes
import Hummingbird
import NIOCore
import SettingsModel
import SettingsPages

/// What every page has around its content: the head, where else to go, and who is signed in.
struct Frame {
    let site: Site
    /// First in the title of the window, and the heading.
    let title: String
    /// The store's title.
    var store = "Settings"
    var isSignedIn = true
    /// The version that the page shows, which follows the store.
    var version: String?
    /// Whether it shows a new version in place. The answer to a form only says that there is one.
    var showsNews = true
    /// How many conflicts merges left open.
    var openConflicts = 0
    /// What was searched for.
    var words: String?
    /// The pages that it lies in, the outermost first.
    var above: [(title: String, address: String)] = []
    /// The zone of its times.
    private var zone: String?
    /// The branch, where it is not the usual one.
    private var branch: String?
    /// What became of the form that led here.
    private var result: ResultHTML?
    private var waiting: WaitingHTML?

    init(_ site: Site, _ title: String, _ shown: Shown? = nil) {
        self.site = site
        self.title = title
        if let shown {
            store = shown.content.title(of: .store).string
            version = shown.version
            openConflicts = shown.openConflicts.count
            (zone, branch) = (shown.zone, shown.place)
            waiting = WaitingHTML(site: site, shown: shown)
            if let result = shown.result { self.result = ResultHTML(site: site, shown: shown, result: result) }
        }
    }

    func html(_ content: (inout HTML) -> Void) -> HTML {
        var html = HTML()
        html.mark("<!doctype html>")
        html.tag("html", ["lang": "en"]) { html in
            html.tag("head") { head(&$0) }
            html.tag("body", follows) { html in
                html.tag("a", ["class": "skip", "href": "#main"], "Skip to content")
                html.tag("header") { navigation(&$0) }
                html.mark("<p id=news role=status></p>")
                html.tag("main", ["id": "main", "tabindex": "-1"]) { html in
                    if !above.isEmpty { places(&html) }
                    html.tag("h1", [:], title)
                    result?.html(&html)
                    if showsNews { waiting?.html(&html) }
                    content(&html)
                    // First of all, whoever sent a form reads what became of it.
                    if !showsNews { waiting?.html(&html) }
                }
                html.tag("footer") { html in
                    if let branch { html.tag("p", ["class": "note"], "\(branch).") }
                    if let zone { html.tag("p", ["class": "note"], "Times are in \(zone).") }
                }
            }
        }
        return html
    }

    /// Where a script hears of new versions, and of which the page knows.
    private var follows: Attributes {
        guard let version, isSignedIn else { return [:] }
        return [
            "data-version": version, "data-events": site.address("/events"), "data-news": site.address("/news"),
            "data-shows-news": showsNews ? "" : nil,
        ]
    }

    private func places(_ html: inout HTML) {
        html.tag("nav", ["class": "places", "aria-label": "Breadcrumb"]) { html in
            for place in above { html.tag("a", ["href": place.address], place.title) }
        }
    }

    private func head(_ html: inout HTML) {
        html.mark("<meta charset=utf-8><meta name=viewport content=\"width=device-width, initial-scale=1\">")
        html.mark("<meta name=color-scheme content=\"light dark\">")
        html.tag("title", [:], title == store ? title : "\(title) – \(store)")
        html.tag("link", ["rel": "stylesheet", "href": site.address("/page.css")])
        html.tag("script", ["src": site.address("/page.js"), "defer": ""]) { _ in }
    }

    private func navigation(_ html: inout HTML) {
        html.tag("nav", ["aria-label": "Pages"]) { html in
            html.tag("a", ["class": "store", "href": site.address("/")], "Settings")
            guard isSignedIn else { return }
            html.tag("a", ["href": site.address("/history")], "History")
            if openConflicts > 0 { html.tag("a", ["href": site.address("/conflicts")], "Conflicts") }
        }
        guard isSignedIn else { return }
        html.tag("form", ["role": "search", "action": site.address("/search")]) { html in
            html.tag(
                "input",
                ["type": "search", "name": "q", "aria-label": "Search settings", "placeholder": "Search", "value": words])
        }
        guard let visitor = Who.Visitor.current else { return }
        html.tag("span", ["class": "you", "title": visitor.name], visitor.name)
        if visitor.pass == .proxy { return }
        html.tag("form", ["method": "post", "action": site.address("/logout")]) { html in
            html.tag("button", ["class": "quiet"], "Sign out")
        }
    }
}

/// A page of a sentence, such as that there is nothing here.
struct Plain {
    let site: Site
    let title: String

    init(_ site: Site, _ title: String) { (self.site, self.title) = (site, title) }

    /// `leadingTo`: another page than the first one, to go on with.
    func html(_ words: String, leadingTo back: String? = nil) -> HTML {
        var frame = Frame(site, title)
        frame.isSignedIn = Who.Visitor.current != nil
        return frame.html { html in
            html.tag("p", [:], words)
            if let back { return html.tag("p") { $0.tag("a", ["href": back], "Back") } }
            html.tag("p") { html in
                html.tag(
                    "a", ["href": site.address(frame.isSignedIn ? "/" : "/login")], frame.isSignedIn ? "All settings" : "Sign in")
            }
        }
    }
}

extension HTML {
    mutating func hidden(_ name: String, _ value: String) {
        tag("input", ["type": "hidden", "name": name, "value": value])
    }

    /// A time: in short, in the server's zone, and whole where a person points at it.
    mutating func time(_ time: Time, _ shown: Shown, isByDay: Bool = false) {
        let full = shown.inFull(time)
        let words = isByDay ? String(full.dropFirst(11).prefix(5)) : shown.scene.phrases.time(time)
        tag("time", ["datetime": time.rfc3339, "title": full], words)
    }

    /// Words of several lines, each on one of its own.
    mutating func lines(_ words: String) {
        for (number, line) in words.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if number > 0 { mark("<br>") }
            put(String(line))
        }
    }

    /// What a change did, in a sentence. Of a long text, the words that differ.
    mutating func change(_ line: ChangeLine, _ shown: Shown) {
        let sentence = shown.scene.wording.sentence(line)
        guard let difference = shown.scene.difference(line) else { return self.sentence(sentence) }
        self.sentence(sentence.beginning)
        tag("span", ["class": "difference"]) { html in
            for run in difference.runs {
                switch run.kind {
                case .same: html.lines(run.text)
                case .removed: html.marked("del", "removed: ", run.text)
                case .added: html.marked("ins", "added: ", run.text)
                }
            }
        }
    }

    /// What was removed or added, which a screen reader says in a word.
    private mutating func marked(_ name: StaticString, _ what: String, _ text: String) {
        tag(name) { html in
            html.tag("span", ["class": "unseen"], what)
            html.lines(text)
            html.tag("span", ["class": "unseen"], "; ")
        }
    }

    /// "Language: English → German".
    mutating func sentence(_ sentence: Sentence) {
        for piece in sentence.pieces {
            switch piece.role {
            case .plain: put(piece.text)
            case .name: tag("b", [:], piece.text)
            case .before: tag("span", ["class": "before"], piece.text)
            case .after: tag("span", ["class": "after"], piece.text)
            }
        }
    }

    /// Who recorded a version, when, and the first line of why. With a site, the time leads to the version; beneath a day it is
    /// that of the clock.
    mutating func who(_ version: Version, _ shown: Shown, _ site: Site? = nil, isByDay: Bool = false) {
        put(version.author.name + ", ")
        if let site {
            tag("a", ["href": site.address(of: version.id)]) { $0.time(version.time, shown, isByDay: isByDay) }
        } else {
            time(version.time, shown)
        }
        if let why = version.message.shownWhy?.split(separator: "\n").first { put(", “\(why)”") }
    }

    /// A line of a list of facts; nothing where there is nothing to say.
    mutating func fact(_ name: String, _ words: String?) {
        guard let words, !words.isEmpty else { return }
        tag("dt", [:], name)
        tag("dd") { $0.lines(words) }
    }

    /// Who recorded a version, when, why, at whose request. With a site, the time leads to the version.
    mutating func facts(_ version: Version, _ shown: Shown, _ site: Site? = nil) {
        fact("By", version.author.name)
        tag("dt", [:], "When")
        tag("dd") { html in
            if let site {
                html.tag("a", ["href": site.address(of: version.id)]) { $0.time(version.time, shown) }
            } else {
                html.time(version.time, shown)
            }
        }
        fact("Why", version.message.shownWhy ?? "No reason was given")
        fact("Requested by", version.message.requestedBy.joined(separator: ", "))
        fact("Ticket", version.message.tickets.joined(separator: ", "))
    }

    /// What a form is wrong about, with links to its fields.
    mutating func faults(_ faults: [(id: String, words: String)]) {
        guard !faults.isEmpty else { return }
        tag("div", ["class": "faults", "role": "alert"]) { html in
            html.tag("h2", [:], faults.count == 1 ? "There is a problem" : "There are \(faults.count) problems")
            html.tag("ul") { html in
                for fault in faults {
                    html.tag("li") { $0.tag("a", ["href": "#\(fault.id)"], fault.words) }
                }
            }
        }
    }
}

extension Sentence {
    /// What stands before the values.
    var beginning: Sentence { Sentence(Array(pieces.prefix { $0.role == .name || $0.role == .plain })) }
}

extension HTML {
    /// What a person ought to know that is no fault.
    mutating func notes(_ notes: [String]) {
        for words in notes { tag("p", ["class": "bar", "role": "status"], words) }
    }
}

extension Response {
    static func page(_ status: HTTPResponse.Status, _ html: HTML) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: html.bytes)))
    }

    /// The browser goes on to another page, and asks for it by GET.
    static func leading(to address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address])
    }
}
