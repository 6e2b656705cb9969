"""TS: what the JSON Schema of a trace requires."""

from awesome_cli.reports.findings import Level
from awesome_cli.traces.rules._rule import rule

# fmt: off
NOT_AN_OBJECT = rule("TS001", Level.ERROR, "A trace is not an object", v1=Level.ERROR,
    why="A trace is one JSON object per file or line.", fix="See 'awesome schema trace'.")
MISSING_FIELD = rule("TS002", Level.ERROR, "A required field is missing", v1=Level.ERROR,
    why="The run cannot be understood without it.", fix="Add the field.")
UNKNOWN_FIELD = rule("TS003", Level.ERROR, "A field is not known here", v1=Level.ERROR,
    why="The top level and the edges accept known fields only, so that a misspelt field is not lost silently. Events "
        "accept any field.",
    fix="Correct the spelling, move the field into an event or into 'annotations', or in v2 start its name with 'x-'.")
WRONG_TYPE = rule("TS004", Level.ERROR, "A value has the wrong type", v1=Level.ERROR,
    why="For example a number written as text or a boolean written as a number: programs read such values differently.",
    fix="Write the type that 'awesome schema trace' asks for.")
UNKNOWN_WORD = rule("TS005", Level.ERROR, "A word is not in the vocabulary", v1=Level.ERROR,
    why="Event types, edge types, topologies, statuses and reasons are closed lists. Events of type 'delegate', "
        "'stop', 'llm_call' and 'reward' exist in v2 only.",
    fix='Use a word of the list. To use the words of v2, add "schema_version": "2.0".')
BELOW_MINIMUM = rule("TS006", Level.ERROR, "A number is below its minimum", v1=Level.ERROR,
    why="Times, counts, tokens and costs are at least 0.", fix="Correct the number.")
EMPTY = rule("TS007", Level.ERROR, "A required text or list is empty", v1=Level.ERROR,
    why="Ids and names need at least one character. A trace needs at least one event.", fix="Fill it in.")
WRONG_FORM = rule("TS008", Level.ERROR, "A text has the wrong form", v1=Level.ERROR,
    why="Versions look like 2.0 and content hashes like sha256:0123abcd, so that programs can compare them.",
    fix="Write it in that form.")
REPEATED_NAME = rule("TS009", Level.ERROR, "A list contains the same name twice", v1=Level.ERROR,
    why="Inputs and root agents are sets.", fix="Delete one of the two.")
MISSING_FOR_TYPE = rule("TS010", Level.ERROR, "An event lacks a field that its type requires", v1=Level.ERROR,
    why="A delegate needs 'to', a stop 'reason', and a reward 'reward'. Without the field, the replay could only "
        "guess. The types of v1 need no more than in v1.",
    fix="Add the field.")
MISSPELT = rule("TS011", Level.WARNING, "A member has nearly the name of a known one",
    why="Events, agents, tools and the other objects of v2 accept any member, so a misspelt one ('token_in') is read "
        "as one of the producer's own, and no metric counts it.",
    fix="Correct the spelling. Start the name of a member of your own with 'x-'.")
UNNAMED = rule("TS012", Level.NOTE, "A tool event says less than v2 can say", v1=Level.NOTE,
    why="A tool_result without 'call_id' is read as the result of the oldest open call of its tool, as in v1. That "
        "can be the wrong one if calls of a tool overlap. Calls without 'tool' cannot be compared.",
    fix="Give the call and its result the same 'call_id', and the call its 'tool'.")
