"use strict";
const $ = (id) => document.getElementById(id);
const NONE = -1;
// The data of the page: events in replay order, and what each of them changed in the state. See views/page.py.
async function unpack(text) {
  const packed = atob(text), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}
if (!("DecompressionStream" in window)) $("where").textContent = "This page needs a newer browser (Chrome 80, Firefox 113, Safari 16.4).";
const D = await unpack($("data").textContent), E = D.events, N = E.type.length;
$("data").remove();
const GROUPS = [
  ["model", "Model call", ["llm_call"]],
  ["tool", "Tool", ["tool_call", "tool_result"]],
  ["coordination", "Spawn, delegate, message, return", ["spawn", "delegate", "message", "return", "despawn"]],
  ["decision", "Decision", ["orchestrator_decision"]],
  ["aggregate", "Aggregate", ["aggregate"]],
  ["stop", "Stop", ["stop"]],
  ["person", "Person", ["human_intervention"]],
  ["safety", "Safety", ["safety_event"]],
  ["reward", "Reward", ["reward"]],
];
const groupOf = D.types.map((name) => GROUPS.findIndex((group) => group[2].includes(name)));
const STATUS = ["not yet there", "running", "returned", "despawned", "stopped"];

// The lane of each agent: its events by start, its waits, and the rows in which events that overlap share it.
const row = new Uint8Array(N), lanes = D.agents.map(() => ({ events: [], waits: [], rows: 1 }));
const byStart = (a, b) => E.start[a] - E.start[b] || a - b;
E.agent.forEach((a, k) => lanes[a].events.push(k));
for (const lane of lanes) {
  const free = [];
  for (const k of lane.events.sort(byStart)) {
    if (E.end[k] === E.start[k]) continue;
    let r = free.findIndex((end) => end <= E.start[k]);
    if (r < 0) r = free.length < 4 ? free.push(0) - 1 : 3;
    free[r] = Math.max(free[r], E.end[k]);
    row[k] = r;
    lane.rows = Math.max(lane.rows, r + 1);
  }
}
const waitAt = new Map();
for (const wait of D.waits) {
  lanes[wait.agent].waits.push(wait);
  waitAt.set(wait.place, wait);
}
// True for an event that is itself a wait, and does not only end one.
const isWait = (k) => waitAt.has(k) && waitAt.get(k).start === E.start[k];

// The lanes from top to bottom: an agent, or a group, whose agents are below it while it is open.
const groups = D.groups.map((group) => ({ ...group, open: false, lane: null }));
const groupAt = new Map(groups.flatMap((group) => group.members.map((a) => [a, group])));
const rowOf = new Int32Array(lanes.length);
let shown = [];
function arrange() {
  shown = [];
  D.agents.forEach(({ depth }, a) => {
    const group = groupAt.get(a);
    if (!group) rowOf[a] = shown.push({ agent: a, depth, lane: lanes[a] }) - 1;
    if (!group || group.members[0] !== a) return;
    group.lane ||= { events: group.members.flatMap((member) => lanes[member].events).sort(byStart), waits: [], rows: 1 };
    shown.push({ group, depth, lane: group.lane });
    for (const member of group.members) {
      if (group.open) shown.push({ agent: member, depth: depth + 1, lane: lanes[member] });
      rowOf[member] = shown.length - 1;
    }
  });
}
arrange();

// The state after `at` events. Every change has the value before it, so the replay runs both ways.
const [AGENT, TASK, CALL, UNREAD, ANSWER, STOPPED] = Array(6).keys();
const state = Array.from({ length: 6 }, () => new Map());
state.at = 0;
for (const a of D.begin) state[AGENT].set(a, 1);
function put(kind, key, value) {
  if (value) state[kind].set(key, value);
  else state[kind].delete(key);
}
function seek(to) {
  while (state.at < Math.min(to, N)) {
    for (const [kind, key, value] of D.changes[state.at++]) put(kind, key, value);
  }
  while (state.at > Math.max(to, 0)) {
    for (const [kind, key, , before] of [...D.changes[--state.at]].reverse()) put(kind, key, before);
  }
}
// The event that an event led to: the end of its task or call, else that of the first arrow from it.
const next = new Int32Array(N).fill(NONE);
for (const [u, v] of D.arrows) if (next[u] === NONE) next[u] = v;
D.changes.forEach((changes, k) => {
  for (const [kind, key, value] of changes) if ((kind === TASK || kind === CALL) && !value) next[key] = k;
});

const number = (x) => Number(Number.isInteger(x) ? x : x.toPrecision(4)).toLocaleString("en-US", { maximumFractionDigits: 6 });
// A length of time in at most two units: 5 h 1 min, 4.2 s.
function timed(x) {
  if (!D.seconds) return number(x) + (D.unit === "step" ? " steps" : "");
  const s = x * D.seconds;
  if (s < 0.9995) return s ? Number((s * 1000).toPrecision(3)) + " ms" : "0 s";
  if (s < 59.95) return Number(s.toPrecision(3)) + " s";
  const [first, second, large, small] = D.units.find(([, , large, , margin]) => s >= large - margin);
  const total = Math.round(s / small), each = large / small, rest = total % each;
  return number((total - rest) / each) + " " + first + (rest ? " " + rest + " " + second : "");
}
const nameOf = (a) => (a === NONE ? "" : D.agents[a].name);
const toolOf = (k) => (E.tool[k] === NONE ? "a tool" : D.tools[E.tool[k]][0]);
const SAYS = {
  llm_call: "calls a model", spawn: "starts", delegate: "gives work to", message: "writes to", return: "returns to", despawn: "ends",
  aggregate: "puts results together", stop: "stops", orchestrator_decision: "decides", human_intervention: "is helped by a person",
  safety_event: "meets a safety event", reward: "gets a reward", tool_call: "calls", tool_result: "has a result of",
};
function sentence(k) {
  const type = D.types[E.type[k]], object = type.startsWith("tool") ? toolOf(k) : nameOf(E.to[k]);
  return (nameOf(E.agent[k]) + " " + SAYS[type] + " " + object).trimEnd();
}
const waited = (wait) => nameOf(wait.agent) + " waited " + timed(wait.end - wait.start) + " for " + wait.whom;
function about(k) {
  const length = E.end[k] > E.start[k] ? ", takes " + timed(E.end[k] - E.start[k]) : "";
  const facts = [D.ids[k] + " at " + timed(E.start[k]) + length, ...D.details[E.detail[k]]];
  if (waitAt.has(k)) facts.push(waited(waitAt.get(k)));
  if (next[k] !== NONE && next[k] !== k) facts.push("led to: " + sentence(next[k]) + ", at " + timed(E.start[next[k]]));
  return facts;
}
