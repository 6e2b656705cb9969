"""OpenTelemetry layouts and dialects."""

import base64
import json
from collections import Counter

import foreign_files as files
import pytest
from builders import DATA
from event_lines import event_lines, events_of
from hypothesis import given, settings
from hypothesis import strategies as st
from trace_runs import import_path

from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.metrics import measure
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.replay import replay

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


def test_the_second_run_of_a_name_is_another_agent_unless_both_have_one_id(tmp_path, imported):
    spans = [files.agent_span("boss", "a", "", 0, 20)]
    for n, name in enumerate(["baker", "baker", "cook", "cook", "cook"], 1):
        more = {"gen_ai__agent__id": "id-1"} if name == "baker" else {}
        spans += [files.agent_span(name, f"c{n}", "a", n, n + 0.9, **more), files.model_span(f"d{n}", f"c{n}", n, n)]
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    calls = [event["agent"] for event in events_of(trace, "llm_call")]
    assert calls == ["baker", "baker", "cook", "cook#2", "cook#3"]


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
    rows = [json.loads(line) for line in run("trace", "import", path).out.splitlines()]
    assert len({row["trace_id"] for row in rows}) == len(rows) == 2


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


def measured(trace):
    found = read_document(trace).trace
    graph = graph_of(found)
    return measure(found, graph, replay(found, graph)).values


REAL = DATA / "traces"


SMOLAGENTS = REAL / "smolagents" / "manager_and_managed.otlp.json"
LANGCHAIN = REAL / "langchain" / "boss_and_baker.otlp.json"


def test_the_known_run_of_smolagents(imported):
    """Its agents have no name but that of their spans: a manager, and two managed agents side by side."""
    trace = imported(SMOLAGENTS, "otlp")
    tokens = Counter()
    for event in events_of(trace, "llm_call"):
        tokens[event["agent"]] += event["tokens_in"] + event["tokens_out"]
    assert tokens == {"ToolCallingAgent": 316, "finder": 59, "critic": 12}
    starts = [line for line in event_lines(trace) if line.startswith(("spawn", "return"))]
    assert starts == [
        "spawn ToolCallingAgent to finder",
        "spawn ToolCallingAgent to critic",
        "return critic to ToolCallingAgent",
        "return finder to ToolCallingAgent",
    ]
    assert [event["agent"] for event in events_of(trace, "tool_call") if event["tool"] == "look_up"] == ["finder"]


def test_the_known_run_of_langchain_reads_the_same_from_both_exports(imported):
    otlp, langsmith = (
        imported(LANGCHAIN, "otlp"),
        imported(LANGCHAIN.with_name("boss_and_baker.langsmith.json"), "langsmith"),
    )
    assert event_lines(otlp) == event_lines(langsmith) == [
        "llm_call boss",
        "spawn boss to baker_agent",
        "llm_call baker_agent",
        "tool_call baker_agent oven",
        "tool_result baker_agent oven",
        "llm_call baker_agent",
        "return baker_agent to boss",
        "llm_call boss",
        "aggregate? boss",
        "stop? boss answered",
    ]  # fmt: skip
    names = ("tokens_in", "tokens_cached", "tokens_out", "tokens_reasoning")
    for trace in (otlp, langsmith):
        used = [tuple(event[name] for name in names) for event in events_of(trace, "llm_call")]
        assert used == [(100, 4, 7, 2), (10, 4, 7, 2), (20, 4, 7, 2), (200, 4, 7, 2)]


def changed(path, change):
    """The document of a file, its spans changed in place by `change(scope, span)`."""
    document = json.loads(path.read_text(encoding="utf-8"))
    for batch in document if isinstance(document, list) else [document]:
        for group in (group for resource in batch["resourceSpans"] for group in resource["scopeSpans"]):
            for span in group["spans"]:
                change(group["scope"], span)
    return document


def without_scope(scope, span):
    scope.clear()


def without_counts(scope, span):
    span["attributes"] = [pair for pair in span["attributes"] if not pair["key"].startswith("llm.token_count")]


def a_tool_with_agent_in_its_name(scope, span):
    """LangChain's instrumentor then marks it as an AGENT."""
    for pair in span["attributes"]:
        if pair["key"] == "openinference.span.kind" and span["name"] == "ask_baker":
            pair["value"] = {"stringValue": "AGENT"}


@pytest.mark.parametrize(
    ("path", "change"),
    [
        (SMOLAGENTS, without_scope),
        (LANGCHAIN, without_scope),
        (LANGCHAIN, without_counts),
        (LANGCHAIN, a_tool_with_agent_in_its_name),
    ],
)
def test_what_an_export_leaves_out_changes_no_agent(path, change, tmp_path, imported):
    less = imported(files.document(tmp_path / "t.json", changed(path, change)), "otlp")
    whole = imported(path, "otlp")
    assert event_lines(less) == event_lines(whole)
    assert less["costs"] == whole["costs"]


def test_runs_of_langchain_with_agent_in_their_names_are_no_agents(tmp_path, imported):
    """Ten of its spans are marked so, and one is an agent. Without scopes, calls seen twice are also the workflow's."""
    path = REAL / "otlp-openinference" / "quo_tav_agent.json"
    less = imported(files.document(tmp_path / "t.json", changed(path, without_scope)), "otlp")
    assert set(imported(path, "otlp")["agents"]) == {"AgentExecutor"}
    assert set(less["agents"]) == {"AgentExecutor", "main"}


SERVER = files.span("GET /bread", "a", "", 0, 1, http__method="GET")


@pytest.mark.parametrize("spans", [[SERVER], [files.agent_span("boss", "a", "", 0, 9)]])
def test_spans_in_which_no_agent_acts_are_refused(spans, tmp_path, run):
    done = run("trace", "import", files.document(tmp_path / "t.json", files.batch(*spans)), code=3)
    assert "t.json: spans without a model call, a tool call, or an agent that another agent started: 1" in done.err
    assert "gen_ai.operation.name, openinference.span.kind, agentops.span.kind, traceloop.span.kind" in done.err


def test_a_trace_in_which_no_agent_acts_is_named_beside_others(tmp_path, imported):
    other = SERVER | {"traceId": "f" * 32}
    trace = imported(files.document(tmp_path / "t.json", files.batch(*CREW, other)), "otlp")
    assert event_lines(trace) == EVENTS
    assert "traces of the file in which no agent acts: 1" in trace["provenance"]["lossy"]


@pytest.mark.parametrize("path", sorted((REAL / "otel-genai").glob("*.json")), ids=lambda path: path.stem)
def test_every_framework_is_one_agent_with_known_cost(path, imported):
    """Also the one whose model calls and tools have parents that were not exported."""
    trace = imported(path, "otlp")
    assert len(trace["agents"]) == 1
    assert sum(event.get("cost_usd", 0) for event in events_of(trace, "llm_call")) > 0
    assert {"delivery", "stop"} <= set(trace["provenance"]["unrecorded"])


def test_lost_parents_are_named(imported):
    trace = imported(REAL / "otel-genai" / "GOOGLE_trace.json", "otlp")
    assert "spans whose parents are not in the file: 6" in trace["provenance"]["lossy"]


NAMED = [
    files.model_span("b", "a", 0, 1, gen_ai__agent__name="boss"),
    files.model_span("d", "c", 1, 3, gen_ai__agent__name="baker"),
    files.tool_span("oven", "e", "c", 3, 4, gen_ai__agent__name="baker"),
]


def test_spans_without_their_parents_belong_to_the_agents_that_they_name(tmp_path, imported):
    """Parents are exported last, so a crash loses them: nothing shows that the agents returned and the run ended."""
    trace = imported(files.document(tmp_path / "t.json", files.batch(*NAMED)), "otlp")
    assert event_lines(trace) == [
        "spawn? workflow to boss",
        "llm_call boss",
        "spawn? workflow to baker",
        "llm_call baker",
        "tool_call baker oven",
        "tool_result baker oven",
    ]
    assert trace["agents"]["workflow"]["kind"] == "environment"
    assert trace["task_id"] == "boss"
    assert {"return", "stop"} <= set(trace["provenance"]["unrecorded"])
    assert "spans whose parents are not in the file: 3" in trace["provenance"]["lossy"]


def test_a_missing_root_is_the_agent_that_its_spans_name(tmp_path, imported):
    spans = [*NAMED, files.agent_span("baker", "c", "a", 1, 5)]
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    assert trace["root_agents"] == ["boss"]
    assert event_lines(trace) == [
        "llm_call boss",
        "spawn boss to baker",
        "llm_call baker",
        "tool_call baker oven",
        "tool_result baker oven",
        "return baker to boss",
    ]


@pytest.mark.parametrize(("status", "outcome"), [({}, "ok"), ({"code": 2}, "error"), ({"code": 1}, "ok")])
def test_a_span_that_ended_without_an_error_succeeded(status, outcome, tmp_path, imported):
    span = files.model_span("b", "a", 0, 1) | {"status": status}
    path = files.document(tmp_path / "t.json", files.batch(files.agent_span("boss", "a", "", 0, 9), span))
    (call,) = events_of(imported(path, "otlp"), "llm_call")
    assert call["status"] == outcome


def test_agents_without_model_calls_are_named_with_their_tokens(tmp_path, imported):
    boss = files.agent_span("boss", "a", "", 0, 9, gen_ai__usage__input_tokens=300, gen_ai__usage__output_tokens=30)
    trace = imported(
        files.document(tmp_path / "t.json", files.batch(boss, files.tool_span("oven", "e", "a", 3, 4))), "otlp"
    )
    lost = ["model calls: the log has none", "tokens of agents without model calls: 330"]
    assert trace["provenance"]["lossy"] == lost
    assert "usage" in trace["provenance"]["unrecorded"]


def test_the_wall_clock_runs_from_the_first_span_to_the_last(tmp_path, imported):
    trace = imported(
        files.document(tmp_path / "t.json", files.batch(*CREW[:1], files.model_span("b", "a", 2, 3))), "otlp"
    )
    assert trace["events"][-1]["t"] == 7
    assert trace["costs"]["wall_clock_s"] == 9


def test_a_span_that_has_not_ended_has_no_status(tmp_path, imported):
    span = files.model_span("b", "a", 0, 1)
    del span["endTimeUnixNano"]
    path = files.document(tmp_path / "t.json", files.batch(files.agent_span("boss", "a", "", 0, 9), span))
    (call,) = events_of(imported(path, "otlp"), "llm_call")
    assert "status" not in call


def test_two_instrumentations_whose_models_differ_by_a_date_are_one_call(imported):
    trace = imported(REAL / "otlp-openinference" / "quo_tav_agent.json", "otlp")
    assert len(trace["agents"]) == 1
    assert len(events_of(trace, "llm_call")) == 3
    found = measured(trace)
    assert (found["max_concurrency"], found["achieved_speedup"]) == (1, 1)
    assert "usage" in trace["provenance"]["unrecorded"]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("lead_two_researchers_handoff.spans.jsonl", "openai-agents-sdk"),
        ("lead_two_researchers_handoff.openinference.otlp.json", "otlp"),
    ],
)
def test_the_known_run_of_the_agents_sdk(name, form, imported):
    trace = imported(REAL / "openai-agents-sdk" / name, form)
    found = measured(trace)
    assert (found["agents"], found["tokens"], found["model_calls"], found["critical_steps"]) == (4, 840, 7, 5)
    assert found["max_concurrency"] == 3
    working = [e for e in trace["events"] if e["type"] in {"llm_call", "tool_call"} and e.get("t_end", 0) > e["t"]]
    at_once = [[o["agent"] for o in working if o["t"] <= e["t"] < o["t_end"]] for e in working]
    fullest = max(at_once, key=len)
    assert (len(fullest), len(set(fullest))) == (3, 2)


def test_both_files_of_the_known_run_read_the_same(imported):
    folder = REAL / "openai-agents-sdk"
    native = imported(folder / "lead_two_researchers_handoff.spans.jsonl", "openai-agents-sdk")
    otlp = imported(folder / "lead_two_researchers_handoff.openinference.otlp.json", "otlp")
    assert event_lines(native) == event_lines(otlp)
    shapes = [replay(found, graph_of(found)).shape_digest for t in (native, otlp) if (found := read_document(t).trace)]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(
    ("used", "parts"),
    [
        (
            {"gen_ai__usage__input_tokens": 100, "gen_ai__usage__cache_read__input_tokens": 60,
             "gen_ai__usage__cache_creation__input_tokens": 30, "gen_ai__usage__output_tokens": 20,
             "gen_ai__usage__reasoning__output_tokens": 15},
            (100, 60, 30, 20, 15),
        ),
        (
            {"gen_ai__usage__input_tokens": 9, "gen_ai__usage__output_tokens": 5,
             "gen_ai__usage__details__reasoning_tokens": 3},
            (9, 0, 0, 5, 3),
        ),
        (
            {"llm__token_count__prompt": 100, "llm__token_count__prompt_details__cache_read": 60,
             "llm__token_count__prompt_details__cache_write": 30, "llm__token_count__completion": 20,
             "llm__token_count__completion_details__reasoning": 15},
            (100, 60, 30, 20, 15),
        ),
        # A prompt below its parts cannot include them.
        ({"gen_ai__usage__input_tokens": 10, "gen_ai__usage__cache_read__input_tokens": 60}, (70, 60, 0, 0, 0)),
    ],
)  # fmt: skip
def test_tokens_apart(used, parts, tmp_path, imported):
    call = files.span("chat m", "b", "a", 0, 1, gen_ai__operation__name="chat", gen_ai__request__model="m", **used)
    trace = imported(
        files.document(tmp_path / "t.json", files.batch(files.agent_span("boss", "a", "", 0, 9), call)), "otlp"
    )
    (event,) = events_of(trace, "llm_call")
    names = ("tokens_in", "tokens_cached", "tokens_cache_write", "tokens_out", "tokens_reasoning")
    assert tuple(event.get(name, 0) for name in names) == parts


def test_an_orphan_that_two_agents_cover_belongs_to_what_is_above_them(tmp_path, imported):
    spans = [
        files.agent_span("boss", "a", "", 0, 9),
        files.agent_span("baker", "c", "a", 1, 5),
        files.agent_span("cook", "d", "a", 1, 5),
        files.model_span("e", "ff", 2, 3),
        files.model_span("f", "ff", 6, 7),
    ]
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    assert [event["agent"] for event in events_of(trace, "llm_call")] == ["boss", "boss"]


def test_a_merged_call_stays_with_its_agent(tmp_path, imported):
    """The instrumentation with the tokens can be the one that knows no agent."""
    bare = files.model_span("x", "9", 1.01, 2.99, tokens=50)
    twin = files.batch(bare, files.span("main", "9", "", 0, 9), scope="another")
    plain = [*CREW[:3], CREW[3] | {"attributes": CREW[3]["attributes"][:2]}, *CREW[4:]]
    both = {"resourceSpans": files.batch(*plain)["resourceSpans"] + twin["resourceSpans"]}
    trace = imported(files.document(tmp_path / "t.json", both), "otlp")
    assert event_lines(trace) == EVENTS
    assert events_of(trace, "llm_call")[1]["tokens_in"] == 50


def test_a_child_with_the_times_of_its_parent_is_its_child(tmp_path, imported):
    spans = [
        files.agent_span("boss", "f", "", 0, 9),
        files.agent_span("baker", "a", "f", 0, 9),
        files.model_span("b", "a", 0, 1),
    ]
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    assert [(event["agent"], event["to"]) for event in events_of(trace, "spawn")] == [("boss", "baker")]


def test_no_agent_hands_its_task_to_one_that_waits_for_it(tmp_path, imported):
    spans = [
        files.agent_span("boss", "a", "", 1, 9),
        files.agent_span("baker", "c", "a", 1, 5),
        files.span("handoff to boss", "d", "c", 0.5, 0.6, openinference__span__kind="TOOL"),
        files.model_span("e", "c", 2, 3),
    ]
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    assert [line for line in event_lines(trace) if "to" in line.split()] == [
        "spawn boss to baker",
        "return baker to boss",
    ]
    assert "hand-offs to agents that never ran: 1" in trace["provenance"]["lossy"]


def test_an_orphan_does_not_belong_to_an_agent_below_it(tmp_path, imported):
    spans = [
        files.agent_span("boss", "a", "ff", 2, 4),
        files.agent_span("baker", "c", "a", 1, 5),
        files.model_span("e", "c", 2, 3),
    ]
    trace = imported(files.document(tmp_path / "t.json", files.batch(*spans)), "otlp")
    assert [(event["agent"], event["to"]) for event in events_of(trace, "spawn")] == [("boss", "baker")]
    assert trace["provenance"]["lossy"] == ["spans whose parents are not in the file: 1"]


@settings(max_examples=3 * settings.default.max_examples, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("amth"), st.integers(0, 8), st.integers(0, 9), st.integers(0, 9)), max_size=8)
)
def test_any_parents_give_a_readable_trace_or_a_refusal(tmp_path_factory, shapes):
    """Also spans that are their own ancestors, end before their parents begin, or hand over to whom they work for."""
    spans = []
    for n, (kind, parent, start, length) in enumerate(shapes):
        place = (f"{n:x}", f"{parent:x}", start, start + length)
        spans += [
            files.agent_span("xy"[n % 2], *place) if kind == "a"
            else files.model_span(*place) if kind == "m"
            else files.tool_span("oven", *place) if kind == "t"
            else files.span(f"handoff to {'yx'[n % 2]}", *place, openinference__span__kind="TOOL")
        ]  # fmt: skip
    path = files.document(tmp_path_factory.mktemp("spans") / "t.json", files.batch(*spans))
    (result,) = import_path(path)
    assert (result.error is None) == bool(result.traces)
    assert all(read_document(trace).trace is not None for trace in result.traces)
