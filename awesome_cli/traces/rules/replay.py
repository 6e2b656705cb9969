"""TR: events that are illegal in the state that the replay has reached."""

from awesome_cli.reports.findings import Level
from awesome_cli.traces.rules._rule import rule

# fmt: off
SPAWNED_WHILE_RUNNING = rule("TR001", Level.ERROR, "An agent is spawned while it runs",
    why="Two agents would share one id, and their events could not be told apart. The replay reads the spawn as one "
        "more task for the running agent.",
    fix="Give the second agent its own id ('worker#2'), or use delegate.")
UNKNOWN_AGENT = rule("TR002", Level.ERROR, "An unknown agent acts",
    why="No event spawned it and 'root_agents' does not name it. The replay reads it as another root.",
    fix="Add the spawn, or name the agent in 'root_agents' (v2). Declare tools, people and environments in 'agents', "
        "with their 'kind'.")
ACTS_AFTER_END = rule("TR003", Level.ERROR, "An agent acts after its end",
    why="It was despawned or stopped before.",
    fix="Remove the despawn or stop, correct the times, or spawn the agent again.")
RESULT_WITHOUT_CALL = rule("TR004", Level.ERROR, "A result without a call",
    why="No open call has this id. (In v1: no call of this tool is open.)",
    fix="Record the call, or correct 'call_id'.")
SECOND_RESULT = rule("TR005", Level.ERROR, "A second result of one call",
    why="The call already has a result.", fix="Give every call its own id.")
RETURN_WITHOUT_TASK = rule("TR006", Level.ERROR, "A return without a task",
    why="The agent has no open task to return.",
    fix="Record the spawn or delegate that gave it the task. A root agent ends a run with stop, not with return.")
WRONG_RETURN = rule("TR007", Level.ERROR, "A return to the wrong agent",
    why="The receiver neither spawned the agent nor delegated anything to it.",
    fix="Correct 'to', or record the delegation.")
UNKNOWN_RECEIVER = rule("TR008", Level.ERROR, "A message or task for an agent that is not there",
    why="The receiver is unknown or was despawned, or was stopped before a message. A task starts a stopped agent "
        "again.",
    fix="Correct 'to', or record the spawn.")
AFTER_STOP = rule("TR009", Level.ERROR, "An event after the run was stopped",
    why="After a stop of scope 'trace' only rewards, safety events, human interventions and despawns are legal. A "
        "second stop is illegal too.",
    fix="Correct the times, or give the stop the scope 'agent'.")
DESPAWNED_AT_WORK = rule("TR010", Level.ERROR, "An agent is despawned before its work is done",
    why="It has open calls, or children that still run.",
    fix="Despawn the children and wait for the calls first, or record how they ended.")
NOTHING_TO_AGGREGATE = rule("TR011", Level.ERROR, "An aggregation without input",
    unrecorded="delivery", why="The agent has read no return, message or listed input since its last aggregation.",
    fix="Record the returns that it used, or list them in 'inputs'.")
UNKNOWN_DELEGATE = rule("TR012", Level.ERROR, "A task for an unknown agent",
    why="No event spawned the agent that receives the task. The replay reads the delegation as its spawn.",
    fix="Record the spawn, or name the agent in 'root_agents'.")
SPAWN_WITHOUT_NAME = rule("TR013", Level.WARNING, "A spawn without an agent",
    why="A spawn can lack 'to', as in v1, but then it is unknown which agent was spawned.", fix="Add 'to'.")
REPEATED_CALL_ID = rule("TR014", Level.ERROR, "A call id is used again",
    why="Two calls share one id, so a result could belong to either of them.", fix="Give every call its own id.")
WRONG_SENDER = rule("TR015", Level.ERROR, "A message has two senders",
    why="'from' and 'agent' differ, so it is unclear who sent the message.",
    fix="Make them equal. Record a forwarded message as a message of the agent that forwards it.")
ACTS_AFTER_RETURN = rule("TR016", Level.ERROR, "An agent acts after its return",
    unrecorded="return",
    why="It returned, or passed control on, and has no open task. A new task (delegate or spawn) lets it act again. "
        "Results of its earlier calls may still arrive.",
    fix="Record the delegation that gave it more work, or correct the time of the return.")
WRONG_SIGNER = rule("TR017", Level.ERROR, "A result is signed by another agent than the caller",
    why="A result reaches the agent that called. It is signed by that agent, by the tool, or by a tool, person or "
        "environment that 'agents' declares.",
    fix="Correct 'agent' or 'call_id', or declare the signer in 'agents' with its 'kind'.")
