"use strict";
// The page's data: columns of events in replay order, and the changes that the replay computed. See views/timeline.py.
const D = JSON.parse(document.getElementById("data").textContent);
const E = D.events, N = E.type.length;
const NONE = -1;
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
const groupOf = D.types.map((name) => GROUPS.findIndex((g) => g[2].includes(name)));
const STATUS = ["not yet there", "running", "returned", "despawned", "stopped"];

// Lanes: the events of each agent by start; overlapping ones share the lane's height in rows.
const lanes = D.agents.map(() => ({ events: [], rows: 1, longest: 0 }));
const row = new Uint8Array(N);
for (let k = 0; k < N; k++) lanes[E.agent[k]].events.push(k);
for (const lane of lanes) {
  lane.events.sort((a, b) => E.start[a] - E.start[b] || a - b);
  const free = [];
  for (const k of lane.events) {
    lane.longest = Math.max(lane.longest, E.end[k] - E.start[k]);
    if (E.end[k] === E.start[k]) continue;
    let r = free.findIndex((end) => end <= E.start[k]);
    if (r < 0) r = free.length < 4 ? free.push(0) - 1 : 3;
    free[r] = Math.max(free[r], E.end[k]);
    row[k] = r;
    lane.rows = Math.max(lane.rows, r + 1);
  }
}

// The replayed state: what is open now. Every change is data, with the value before it, so time runs both ways.
const KINDS = ["agent", "task", "call", "unread", "answer", "stopped"];
const state = { at: 0, agent: new Map(), task: new Map(), call: new Map(), unread: new Map(), answer: new Map(), stopped: new Map() };
for (let i = 0; i < D.begin.length; i++) state.agent.set(D.begin[i], 1);
function put(kind, key, value) {
  if (value === 0) state[KINDS[kind]].delete(key);
  else state[KINDS[kind]].set(key, value);
}
function seek(to) {
  to = Math.max(0, Math.min(N, to));
  const C = D.changes, touched = new Set();
  while (state.at < to) {
    for (let i = D.offsets[state.at]; i < D.offsets[state.at + 1]; i += 4) {
      put(C[i], C[i + 1], C[i + 2]);
      if (C[i] === 0) touched.add(C[i + 1]);
    }
    state.at++;
  }
  while (state.at > to) {
    state.at--;
    for (let i = D.offsets[state.at + 1] - 4; i >= D.offsets[state.at]; i -= 4) {
      put(C[i], C[i + 1], C[i + 3]);
      if (C[i] === 0) touched.add(C[i + 1]);
    }
  }
  return touched;
}

const number = (x) => (Number.isInteger(x) ? x.toLocaleString("en-US") : Number(x.toPrecision(4)).toLocaleString("en-US", { maximumFractionDigits: 6 }));
const timed = (x) => (D.unit === "step" || !D.unit ? number(x) : number(x) + " " + D.unit);
const nameOf = (a) => (a === NONE ? "" : D.agents[a].name);
function brief(k) {
  const to = E.to[k] === NONE ? "" : " → " + nameOf(E.to[k]);
  const tool = E.tool[k] === NONE ? "" : " " + D.tools[E.tool[k]];
  return D.types[E.type[k]].replaceAll("_", " ") + tool + " · " + nameOf(E.agent[k]) + to;
}
const issuesOf = new Map();
D.findings.forEach((finding) => {
  if (finding.event !== NONE) issuesOf.set(finding.event, [...(issuesOf.get(finding.event) || []), finding]);
});
