"""OpenTelemetry layouts and dialects."""

import base64
import json

import foreign_files as files
from event_lines import event_lines, events_of

CREW = [
    files.agent_span("boss", "a", "", 0, 9),
    files.model_span("b", "a", 0, 1),
    files.agent_span("baker", "c", "a", 1, 5, gen_ai__agent__id="id-1"),
    files.model_span("d", "c", 1, 3),
    files.tool_span("oven", "e", "c", 3, 4),
    files.model_span("f", "a", 6, 8),
]
EVENTS = [
    "llm_call boss",
    "spawn boss to baker",
    "llm_call baker",
    "tool_call baker oven",
    "tool_result baker oven",
    "return baker to boss",
    "llm_call boss",
    "aggregate? boss",
    "stop? boss answered",
]


def test_nested_agents_are_spawned_and_return(tmp_path, imported):
    trace = imported(files.document(tmp_path / "t.json", files.batch(*CREW)), "otlp")
    assert event_lines(trace) == EVENTS
    assert trace["provenance"]["format"] == "otlp/genai"
    assert trace["costs"]["tokens"] == 18


def test_every_layout_is_the_same_trace(tmp_path, imported):
    whole = imported(files.document(tmp_path / "a.json", files.batch(*CREW)), "otlp")
    batches = [files.batch(span) for span in reversed(CREW)]
    texts = [json.dumps(batches), "".join(json.dumps(one) + "\n" for one in batches)]

    def in_base64(value: str) -> str:
        return base64.b64encode(bytes.fromhex(value)).decode() if value else ""

    respelt = json.loads(json.dumps(files.batch(*CREW)))
    for span in respelt["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for key in ("traceId", "spanId", "parentSpanId"):
            span[key] = in_base64(span[key])
        span["startTimeUnixNano"] = int(span["startTimeUnixNano"])
    texts.append(json.dumps(respelt))
    for n, text in enumerate(texts):
        path = tmp_path / f"{n}.json"
        path.write_text(text, encoding="utf-8")
        assert imported(path, "otlp")["events"] == whole["events"]


def test_two_traces_in_one_file_stay_apart(tmp_path, run):
    other = [span | {"traceId": "f" * 32} for span in CREW]
    path = files.document(tmp_path / "t.json", files.batch(*CREW, *other))
    assert len(run("trace", "import", path).out.splitlines()) == 2


def test_one_call_seen_by_two_instrumentations_counts_once(tmp_path, imported):
    twin = files.batch(files.model_span("x", "c", 1.01, 2.99), scope="another")
    both = {"resourceSpans": files.batch(*CREW)["resourceSpans"] + twin["resourceSpans"]}
    assert event_lines(imported(files.document(tmp_path / "t.json", both), "otlp")) == EVENTS


def test_parallel_calls_of_one_instrumentation_are_two(tmp_path, imported):
    spans = [*CREW, files.model_span("x", "c", 1, 3)]
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    assert len(events_of(trace, "llm_call")) == 4


def test_client_and_server_span_of_one_invocation_are_one(tmp_path, imported):
    spans = [*CREW[:2], files.agent_span("baker", "9", "a", 0.9, 5.1), *CREW[2:]]
    spans[3] = spans[3] | {"parentSpanId": "9".rjust(16, "0")}
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    assert event_lines(trace) == EVENTS


def test_openinference_agents_need_a_name_and_handoffs_pass_control(tmp_path, imported):
    def node(name, own, parent, start, end, kind, **more):
        return files.span(name, own, parent, start, end, openinference__span__kind=kind, **more)

    used = {"llm__model_name": "m-1", "llm__token_count__prompt": 4, "llm__token_count__completion": 1}
    spans = [
        node("my agent runner", "0", "", 0, 9, "AGENT"),
        node("boss", "a", "0", 0, 4, "AGENT", agent__name="boss"),
        node("call", "b", "a", 0, 3, "LLM", **used),
        node("handoff to writer", "c", "a", 3, 3.1, "TOOL", input__value="boss", output__value="writer"),
        node("writer", "d", "0", 4, 8, "AGENT", agent__name="writer"),
        node("call", "e", "d", 5, 7, "LLM", **used),
    ]
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    handed = ["llm_call boss", "delegate boss to writer", "llm_call writer", "stop? writer answered"]
    assert event_lines(trace) == handed
    assert trace["root_agents"] == ["boss", "writer"]


def test_a_crew_without_a_leader_is_started_by_its_workflow(tmp_path, imported):
    def step(name, own, parent, start, end, kind, **more):
        more = {"traceloop__span__kind": kind, "traceloop__entity__name": name, **more}
        return files.span(f"{name}.{kind}", own, parent, start, end, **more)

    used = {"gen_ai__request__model": "m-1", "gen_ai__usage__prompt_tokens": 4, "gen_ai__usage__completion_tokens": 1}
    spans = [
        step("kitchen", "0", "", 0, 9, "workflow"),
        step("baker", "a", "0", 0, 4, "agent"),
        step("call", "b", "a", 1, 3, "llm", **used),
        step("cook", "c", "0", 4.5, 8, "agent"),
        step("call", "d", "c", 5, 7, "llm", **used),
    ]
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    assert events_of(trace, "spawn") == [
        e for e in events_of(trace, "spawn") if e["inferred"] and e["agent"] == "kitchen"
    ]
    assert trace["agents"]["kitchen"]["kind"] == "environment"
    assert trace["costs"]["tokens"] == 10
