"""Record manager_and_managed.otlp.json beside this file: the real smolagents with a scripted model.

pip install smolagents==1.26.0 openinference-instrumentation-smolagents==0.1.43 opentelemetry-sdk==1.45.2
    opentelemetry-exporter-otlp-proto-common==1.45.2
"""

# ruff: noqa: ARG002 (the signatures of the packages)

import json
import time
from pathlib import Path

import smolagents
from google.protobuf.json_format import MessageToDict
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from smolagents import ChatMessage, Model, TokenUsage, ToolCallingAgent, tool
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction


class ScriptedModel(Model):
    """Answer with the tool calls of a script, each with its number of tokens."""

    def __init__(self, name, *answers):
        super().__init__(model_id=name)
        self.answers = list(answers)

    def generate(self, messages, **options):
        time.sleep(0.01)
        tokens, *calls = self.answers.pop(0)
        return ChatMessage(
            role="assistant",
            content="",
            tool_calls=[
                ChatMessageToolCall(ChatMessageToolCallFunction(arguments, name), f"{self.model_id}-{i}", "function")
                for i, (name, arguments) in enumerate(calls)
            ],
            token_usage=TokenUsage(*tokens),
        )


@tool
def look_up(word: str) -> str:
    """Look a word up.

    Args:
        word: the word
    """
    return f"{word}: bread"


def answer(words):
    return ("final_answer", {"answer": words})


smolagents.ScriptedModel = ScriptedModel  # the instrumentor wraps the models of the package
spans = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
SmolagentsInstrumentor().instrument(tracer_provider=provider)

quiet = {"verbosity_level": 0}
finder = ToolCallingAgent(
    [look_up],
    ScriptedModel("model-f", ((20, 4), ("look_up", {"word": "rye"})), ((30, 5), answer("bread"))),
    name="finder",
    description="finds words",
    **quiet,
)
critic = ToolCallingAgent(
    [], ScriptedModel("model-c", ((10, 2), answer("fine"))), name="critic", description="reads texts", **quiet
)
manager = ToolCallingAgent(
    [],
    ScriptedModel(
        "model-m",
        ((100, 7), ("finder", {"task": "what is rye?"}), ("critic", {"task": "is it right?"})),
        ((200, 9), answer("rye is bread")),
    ),
    managed_agents=[finder, critic],
    **quiet,
)
manager.run("Say what rye is.")

document = MessageToDict(encode_spans(spans.get_finished_spans()))
for resource in document["resourceSpans"]:
    for group in resource["scopeSpans"]:
        for span in group["spans"]:
            # The prompts are those of the package.
            span["attributes"] = [
                each for each in span["attributes"] if not each["key"].startswith("llm.input_messages")
            ]
            for each in span["attributes"]:
                if len(each["value"].get("stringValue", "")) > 200:
                    each["value"]["stringValue"] = each["value"]["stringValue"][:200] + "…"
Path(__file__).with_name("manager_and_managed.otlp.json").write_text(json.dumps(document, ensure_ascii=False) + "\n")
