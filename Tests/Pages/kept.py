"""What people type is never lost: many tabs, Back, a review that is refused, signed out in the middle, somebody else meanwhile."""
from surroundings import ADA, MARIE, Browser, Server, office, test, until


def turn(page, isAway):
    """As the browser does when another tab is chosen: to one without a window, all of them are visible."""
    page.evaluate("""isAway => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => isAway })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }""", isAway)


@test
def many_tabs():
    """Ten tabs stay usable, though a browser has six connections: one that is hidden has none, and follows at once when it is shown."""
    store = office()
    with Server(store, ADA) as ada, Browser.page(ada, "/o/general.greeting") as first:
        tabs = [first]
        for _ in range(9):
            turn(tabs[-1], True)
            tabs.append(first.context.new_page())
            tabs[-1].goto(ada.base + "/o/general.greeting", timeout=4000)
        store.settings("set", "general.greeting", "Hello", "-m", "Friendlier.", person=MARIE)
        field = tabs[-1].get_by_label("Greeting", exact=True)
        until(lambda: field.input_value() == "Hello")
        assert first.get_by_label("Greeting", exact=True).input_value() == "Welcome", "a hidden tab followed"
        turn(tabs[-1], True)
        turn(first, False)
        until(lambda: first.get_by_label("Greeting", exact=True).input_value() == "Hello")
        store.settings("set", "general.greeting", "Bonjour", "-m", "For Paris.", person=MARIE)
        until(lambda: first.get_by_label("Greeting", exact=True).input_value() == "Bonjour")
