/// A form whose own page can't be shown: everything that was typed but what is masked, and a button that sends it once more.
struct KeptHTML {
    let site: Site
    let title: String
    let words: String
    /// Where the button leads, from the host on.
    let action: String
    let fields: [(name: String, value: String)]
    var button = "Try again"

    func html() -> HTML {
        var frame = Frame(site, title)
        frame.isSignedIn = Who.Visitor.current != nil
        return frame.html { html in
            html.tag("p", ["role": "alert"], words)
            html.tag("form", ["method": "post", "action": action]) { html in
                for (name, value) in fields { html.hidden(name, value) }
                html.tag("div", ["class": "review shown"]) { $0.tag("button", [:], button) }
            }
        }
    }
}
