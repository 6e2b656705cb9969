"""Record boss_and_baker.otlp.json and boss_and_baker.langsmith.json beside this file.

One run of the real LangChain with a scripted model, as OpenInference's instrumentor and as LangSmith's tracer see it.

pip install langchain==1.4.7 langchain-core==1.7.2 langsmith==0.15.0 openinference-instrumentation-langchain==0.1.80
    opentelemetry-sdk==1.45.2 opentelemetry-exporter-otlp-proto-common==1.45.2
"""

# ruff: noqa: ARG002 (the signatures of the packages)

import json
import time
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langchain_core.tracers import LangChainTracer
from langsmith import Client
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

KEPT = ("id", "trace_id", "parent_run_id", "dotted_order", "name", "run_type", "start_time", "end_time", "outputs")


class ScriptedModel(BaseChatModel):
    """Answer with the messages of a script."""

    answers: list[Any]
    model_name: str = "model-1"

    def _generate(self, messages, stop=None, run_manager=None, **options):
        time.sleep(0.01)
        return ChatResult(generations=[ChatGeneration(message=self.answers.pop(0))])

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **options):
        return self


class Runs(Client):
    """A client that keeps the runs and sends nothing."""

    def __init__(self):
        super().__init__(api_url="http://localhost:1", api_key="none", auto_batch_tracing=False)
        self.recorded = {}

    def create_run(self, name, inputs, run_type, **about):
        self.recorded[about["id"]] = {**about, "name": name, "run_type": run_type}

    def update_run(self, run_id, **about):
        self.recorded[run_id] |= {key: value for key, value in about.items() if value is not None}


def say(words, tokens, *calls):
    used = {
        "input_tokens": tokens,
        "output_tokens": 7,
        "total_tokens": tokens + 7,
        "input_token_details": {"cache_read": 4},
        "output_token_details": {"reasoning": 2},
    }
    asked = [{"name": name, "args": arguments, "id": f"{name}-{tokens}"} for name, arguments in calls]
    return AIMessage(words, tool_calls=asked, usage_metadata=used)


def plain(value):
    return value.to_json() if hasattr(value, "to_json") else str(value)


@tool
def oven(minutes: int) -> str:
    """Bake for some minutes."""
    return f"baked for {minutes} minutes"


baker = create_agent(
    ScriptedModel(answers=[say("", 10, ("oven", {"minutes": 40})), say("bread", 20)]), [oven], name="baker_agent"
)


@tool
def ask_baker(task: str) -> str:
    """Ask the baker."""
    return baker.invoke({"messages": [("user", task)]})["messages"][-1].content


boss = create_agent(
    ScriptedModel(answers=[say("", 100, ("ask_baker", {"task": "bread"})), say("Here.", 200)]), [ask_baker], name="boss"
)

spans = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
LangChainInstrumentor().instrument(tracer_provider=provider)
client = Runs()
boss.invoke({"messages": [("user", "Bring bread.")]}, config={"callbacks": [LangChainTracer(client=client)]})

runs = []
for run in client.recorded.values():
    about = {key: value for key, value in run["extra"]["metadata"].items() if key != "usage_metadata"}
    runs.append({key: run[key] for key in KEPT if key in run} | {"status": "success", "extra": {"metadata": about}})
    if run["run_type"] != "llm":
        runs[-1].pop("outputs", None)
folder = Path(__file__).parent
folder.joinpath("boss_and_baker.langsmith.json").write_text(json.dumps(runs, default=plain) + "\n")
document = MessageToDict(encode_spans(spans.get_finished_spans()))
for resource in document["resourceSpans"]:
    for group in resource["scopeSpans"]:
        for span in group["spans"]:
            kind = next(
                each["value"]["stringValue"] for each in span["attributes"] if each["key"] == "openinference.span.kind"
            )
            left_out = ("llm.input_messages", "llm.output_messages", "input.") + (() if kind == "LLM" else ("output.",))
            span["attributes"] = [each for each in span["attributes"] if not each["key"].startswith(left_out)]
folder.joinpath("boss_and_baker.otlp.json").write_text(json.dumps(document) + "\n")
