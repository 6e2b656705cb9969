"""The HTML page, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trace_runs
from browser import Tab, tab

from awesome_cli.traces.views import page, timeline

HOSTILE = "</script><img src=x onerror=alert(1)>${1}$title\u2028<!--"


class TracePage(Tab):
    """A tab with the page of a trace, which unpacks its data before it draws."""

    def open(self, path: Path) -> "TracePage":
        self.page.goto(path.as_uri())
        self.page.locator("#state dd").first.wait_for(timeout=60_000)
        self.settle()
        return self


@pytest.fixture
def opened(chromium: Any) -> Iterator[TracePage]:
    with tab(chromium, viewport={"width": 1280, "height": 800}, color_scheme="light") as one:
        one.__class__ = TracePage
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
    one, two = (page.render(timeline.timeline(trace_runs.lunch()), sheet="") for _ in range(2))
    assert one == two


def test_the_page_draws_asks_for_nothing_and_complains_of_nothing(opened, written):
    path = written(trace_runs.lunch())
    opened.open(path)
    assert opened.requests == [path.as_uri()]
    assert opened.console == []
    assert inked(opened, "#lanes") > 20
    assert opened.text("h1") == "run-1"
    assert "TR009" in opened.text("#findings")
    assert [line.split()[0] for line in opened.page.locator("#agents button").all_inner_texts()] == [
        "boss",
        "baker",
        "cook",
    ]


def test_without_scripts_the_events_are_a_table(chromium, written):
    trace = trace_runs.lunch()
    with tab(chromium, java_script_enabled=False) as plain:
        plain.page.goto(written(trace).as_uri())
        rows = plain.page.locator("noscript tbody tr")
        assert rows.count() == len(trace.events)
        assert rows.first.is_visible()
        assert plain.page.locator("#lanes").is_hidden()
        assert "TR009" in plain.text("noscript ul")


def test_the_scrubber_replays_the_state_both_ways(opened, written):
    opened.open(written(trace_runs.lunch())).press("Home")
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


def test_the_keyboard_reaches_findings_and_zoom(opened, written):
    opened.open(written(trace_runs.lunch())).press("Home", "n")
    assert "TR009" in opened.text("#event")
    before = opened.page.screenshot()
    assert opened.press("+", "+").page.screenshot() != before
    assert opened.press("0").page.screenshot() == before
    opened.press("Home", "Tab")
    assert opened.page.evaluate("document.activeElement.tagName") == "BUTTON"


def test_a_click_on_an_event_shows_it(opened, written):
    opened.open(written(trace_runs.lunch()))
    box = opened.page.locator("#lanes").bounding_box()
    opened.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 24 + 48 * 2.5)
    assert "oven" in opened.text("#tip") or "knife" in opened.text("#tip")
    opened.page.mouse.down()
    opened.page.mouse.up()
    assert "cook" in opened.settle().text("#event")


def test_dragging_and_the_wheel_move_the_view(opened, written):
    opened.open(written(trace_runs.lunch()))
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
    trace = trace_runs.trace(events, trace_id=HOSTILE, task_id=HOSTILE, root_agents=[HOSTILE], system=HOSTILE)
    opened.open(written(trace))
    assert opened.console == []
    assert opened.text("h1").startswith("</script><img")
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("b", has_text="child").count() == 0
    assert len(opened.requests) == 1


def test_no_other_script_or_style_would_run(opened, written):
    path = written(trace_runs.lunch())
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("</body>", "<script>document.title = 'taken'</script></body>"), encoding="utf-8")
    opened.open(path)
    assert opened.page.title() == "run-1"
    assert any("Content Security Policy" in line for line in opened.console)


def test_light_and_dark(opened, written):
    opened.open(written(trace_runs.lunch()))

    def ground() -> str:
        return opened.page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = ground()
    opened.page.emulate_media(color_scheme="dark")
    assert ground() != light


def test_a_narrow_window_needs_no_sideways_scrolling(opened, written):
    opened.page.set_viewport_size({"width": 390, "height": 800})
    opened.open(written(trace_runs.lunch()))
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    # What a stage cuts off does not make the page wider.
    for part in ("#where", "#scrub", "#lanes", "[data-key=r]"):
        box = opened.page.locator(part).bounding_box()
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= 390 - 12, part


def test_a_wait_and_an_event_are_said_in_words(opened, written):
    opened.open(written(trace_runs.lunch()))
    box = opened.page.locator("#lanes").bounding_box()
    x = box["x"] + box["width"] * 0.6
    opened.page.mouse.move(x, box["y"] + 48)
    assert opened.settle().text("#tip") == "boss waited 6 s for baker and cook"
    opened.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 24 + 48 * 2.2)
    assert "cook calls oven" in opened.settle().text("#tip")
    assert "led to: cook has a result of oven, at 7 s" in opened.text("#tip")
    # The same without a pointer: the event that ends the wait says so.
    opened.press("Home", *["ArrowRight"] * 11)
    assert "boss waited 6 s for baker and cook" in opened.text("#event")
    assert "tokens: 30 input, 3 output" in opened.text("#event")
    assert "boss calls a model" in opened.page.get_attribute("#scrub", "aria-valuetext")


def test_only_a_recorded_answer_is_one(opened, written):
    opened.open(written(trace_runs.lunch()))
    assert facts(opened)["Answer"] == "e13"
    events = [dict(e.data) for e in trace_runs.lunch().events]
    events[12]["reason"] = "error"
    opened.open(written(trace_runs.trace(events)))
    assert facts(opened)["Answer"] == "none recorded"
    events[11].pop("inferred")
    opened.open(written(trace_runs.trace(events)))
    assert facts(opened)["Answer"] == "e12"


def test_many_agents_are_groups_that_a_click_opens(opened, written):
    opened.open(written(trace_runs.swarm(1, 60, 1)))
    group = opened.page.locator("#agents [aria-expanded]")
    assert "60 agents of boss" in group.inner_text()
    assert opened.page.locator("#agents button").count() == 2
    group.press("Enter")
    assert opened.page.locator("#agents button").count() == 62
    assert opened.page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    group.click()
    assert opened.settle().page.locator("#agents button").count() == 2
    assert opened.console == []


def test_the_page_unpacks_the_times_that_were_packed(opened, written):
    times = [0.1, 0.30000000000000004, 1e9 + 0.1]
    events = [{"t": t, "type": "llm_call", "agent": "boss"} for t in times]
    opened.open(written(trace_runs.trace(events, time_unit="step"))).press("Home")
    for shown in ("0.1", "0.3", "1,000,000,000"):
        assert f"at {shown} steps" in opened.press("ArrowRight").text("#event")


@pytest.mark.parametrize("width", [390, 700, 1280])
def test_no_two_agents_have_the_same_text(opened, written, width):
    names = [f"researcher-for-the-{what}-of-the-harbour-in-the-evening" for what in ("price", "prime", "pride", "tide")]
    events = [{"t": n, "type": "spawn", "agent": "boss", "to": name} for n, name in enumerate(names)]
    opened.page.set_viewport_size({"width": width, "height": 800})
    opened.open(written(trace_runs.trace(events)))
    assert len(set(opened.page.locator("#agents span").all_inner_texts())) == len(names) + 1
    right = opened.page.locator("#agents").bounding_box()["width"] + opened.page.locator("#agents").bounding_box()["x"]
    for box in (span.bounding_box() for span in opened.page.locator("#agents span").all()):
        assert box["x"] + box["width"] <= right


def test_findings_are_those_of_check(opened, written):
    from awesome_cli.traces.checking import check_trace
    from awesome_cli.traces.rules import collapse

    trace = trace_runs.swarm(2, 60, 1)
    trace = trace_runs.trace([dict(e.data) for e in trace.events if e.type != "return"])
    expected = sorted((f.code, n) for f, n in collapse(check_trace(trace)))
    opened.open(written(trace))
    heads = [text.split() for text in opened.page.locator("#findings b").all_inner_texts()]
    assert sorted((words[0], int(words[-1]) if "\u00d7" in words else 1) for words in heads) == expected
    assert any(n > 1 for _, n in expected)


def test_a_hundred_thousand_events_stay_usable(opened, written):
    trace = trace_runs.swarm(40, 25, 33)
    assert len(trace.events) > 100_000
    opened.open(written(trace))
    wait_for(opened, "#where", "of")
    assert inked(opened, "#lanes") > 20
    assert opened.page.evaluate("document.getElementsByTagName('*').length") < 2_000
    frame = opened.page.locator("#frame")
    opened.press("+", "+")
    frame.evaluate("(node) => node.scrollBy(300, 200)")
    assert frame.evaluate("(node) => [node.scrollLeft > 300, node.scrollTop]") == [True, 200]
    assert opened.settle().page.locator("#lanes").bounding_box()["y"] == frame.bounding_box()["y"]
    assert opened.console == []
