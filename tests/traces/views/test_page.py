"""The HTML page, in a real browser."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
import runs
from browser import Tab, tab

from awesome_cli.traces.views import page, timeline

HOSTILE = "</script><img src=x onerror=alert(1)>${1}$title\u2028<!--"


@pytest.fixture
def opened(chromium: Any) -> Iterator[Tab]:
    with tab(chromium, viewport={"width": 1280, "height": 800}, color_scheme="light") as one:
        yield one


def facts(one: Tab) -> dict[str, str]:
    """What the panel says of the state."""
    names = one.page.locator("#state dt").all_inner_texts()
    return dict(zip(names, one.page.locator("#state dd").all_inner_texts(), strict=True))


def wait_for(one: Tab, selector: str, text: str) -> None:
    """Wait without evaluating text as code, which the page's policy forbids."""
    one.page.locator(selector, has_text=text).wait_for(timeout=20_000)


def inked(one: Tab, selector: str) -> int:
    """How many different colours a canvas shows."""
    return one.page.evaluate(
        """(selector) => {
          const node = document.querySelector(selector), pen = node.getContext("2d");
          const pixels = new Uint32Array(pen.getImageData(0, 0, node.width, node.height).data.buffer);
          return new Set(pixels).size;
        }""",
        selector,
    )


def test_the_same_trace_gives_the_same_bytes():
    assert page.render(timeline.timeline(runs.lunch())) == page.render(timeline.timeline(runs.lunch()))


def test_the_page_draws_asks_for_nothing_and_complains_of_nothing(opened, written):
    path = written(runs.lunch())
    opened.open(path)
    assert opened.requests == [path.as_uri()]
    assert opened.console == []
    assert inked(opened, "#lanes") > 20
    assert inked(opened, "#overview") > 3
    assert opened.text("h1") == "run-1"
    assert "TR009" in opened.text("#findings")
    assert [line.split()[0] for line in opened.page.locator("#tree button").all_inner_texts()] == [
        "boss",
        "baker",
        "cook",
    ]


def test_the_scrubber_replays_the_state_both_ways(opened, written):
    opened.open(written(runs.lunch())).press("Home")
    assert facts(opened)["Agents"] == "1 running"
    seen = [facts(opened)]
    for _ in range(14):
        opened.press("ArrowRight")
        seen.append(facts(opened))
    assert seen[6]["Open calls"] == "2: oven (cook), knife (cook)"
    assert seen[10]["Unread returns"] == "2: baker → boss, cook → boss"
    assert seen[13]["Run"] == "stopped at e13"
    for expected in reversed(seen[:-1]):
        opened.press("ArrowLeft")
        assert facts(opened) == expected


def test_the_keyboard_reaches_findings_zoom_and_play(opened, written):
    opened.open(written(runs.lunch())).press("Home", "n")
    assert "TR009" in opened.text("#event")
    before = opened.page.screenshot()
    assert opened.press("+", "+").page.screenshot() != before
    assert opened.press("0").page.screenshot() == before
    opened.press("ArrowLeft", "ArrowLeft", " ")
    wait_for(opened, "#where", "14 of 14")
    opened.press("Home", "Tab")
    assert opened.page.evaluate("document.activeElement.tagName") == "BUTTON"


def test_a_click_on_an_event_shows_it(opened, written):
    opened.open(written(runs.lunch()))
    box = opened.page.locator("#lanes").bounding_box()
    opened.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 24 + 48 * 2.5)
    assert "oven" in opened.text("#tip") or "knife" in opened.text("#tip")
    opened.page.mouse.down()
    opened.page.mouse.up()
    assert "cook" in opened.settle().text("#event")


def test_dragging_and_the_wheel_move_the_view(opened, written):
    opened.open(written(runs.lunch()))
    box = opened.page.locator("#lanes").bounding_box()
    x, y = box["x"] + box["width"] * 0.6, box["y"] + 200
    opened.page.mouse.move(x, y)
    opened.page.keyboard.down("Control")
    opened.page.mouse.wheel(0, -300)
    opened.page.keyboard.up("Control")
    zoomed = opened.settle().page.screenshot()
    opened.page.mouse.down()
    opened.page.mouse.move(x - 120, y, steps=4)
    opened.page.mouse.up()
    assert opened.settle().page.screenshot() != zoomed


def test_hostile_names_stay_text(opened, written):
    events = [
        {"t": 0, "type": "spawn", "agent": HOSTILE, "to": "<b>child</b>"},
        {"t": 1, "type": "tool_call", "agent": "<b>child</b>", "tool": HOSTILE, "call_id": HOSTILE},
        {"t": 2, "type": "message", "agent": "stranger", "to": HOSTILE, "error_type": HOSTILE},
    ]
    trace = runs.trace(events, trace_id=HOSTILE, task_id=HOSTILE, root_agents=[HOSTILE], system=HOSTILE)
    opened.open(written(trace))
    assert opened.console == []
    assert opened.text("h1").startswith("</script><img")
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("b", has_text="child").count() == 0
    assert len(opened.requests) == 1


def test_no_other_script_or_style_would_run(opened, written):
    path = written(runs.lunch())
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("</body>", "<script>document.title = 'taken'</script></body>"), encoding="utf-8")
    opened.open(path)
    assert opened.page.title() == "run-1"
    assert any("Content Security Policy" in line for line in opened.console)


def test_light_and_dark(opened, written):
    opened.open(written(runs.lunch()))

    def ground() -> str:
        return opened.page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = ground()
    opened.page.click("#theme")
    dark = ground()
    assert light != dark
    opened.page.click("#theme")
    assert ground() == light
    opened.page.emulate_media(color_scheme="dark")
    assert ground() == light  # A choice made by hand stays.


def test_a_narrow_window_needs_no_sideways_scrolling(opened, written):
    opened.page.set_viewport_size({"width": 390, "height": 800})
    opened.open(written(runs.lunch()))
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    # What a stage cuts off does not make the page wider.
    for part in ("#where", "#scrub", "#last", "#arrows"):
        box = opened.page.locator(part).bounding_box()
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= 390 - 12, part


def test_a_hundred_thousand_events_stay_usable(opened, written):
    trace = runs.swarm(40, 25, 33)
    assert len(trace.events) > 100_000
    begin = time.perf_counter()
    opened.open(written(trace))
    wait_for(opened, "#where", "of")
    assert time.perf_counter() - begin < 20
    assert inked(opened, "#lanes") > 20
    frame = """() => new Promise((done) => {
      const begin = performance.now();
      document.dispatchEvent(new KeyboardEvent("keydown", { key: KEY, bubbles: true }));
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
    })"""
    spent = {}
    for key in ("+", "ArrowLeft", "0", "Home", "End"):
        # The event needs an element as its target, as a real one has.
        script = frame.replace("KEY", f'"{key}"').replace("document.dispatch", "document.body.dispatch")
        spent[key] = min(opened.page.evaluate(script) for _ in range(3))
    # Half a second without a graphics card is the bound of what still feels like moving.
    assert max(spent.values()) < 500, spent
    assert opened.page.evaluate("document.getElementsByTagName('*').length") < 2_000
    assert opened.console == []
