"use strict";
const $ = (id) => document.getElementById(id);
// The page's data: columns of events in replay order, and the changes that the replay computed. See views/packing.py.
async function unpack(text) {
  const packed = atob(text), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(data.buffer).getUint32(0, true), found = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  const columns = {};
  let at = 4 + length;
  for (const [name, kind, n, differs] of found.columns) {
    const size = { b: 1, h: 2, i: 4, q: 8, d: 8 }[kind], raw = new Uint8Array(n * size);
    for (let part = 0; part < size; part++) for (let i = 0; i < n; i++) raw[i * size + part] = data[at++];
    const values = columns[name] = kind === "q" ? whole(raw.buffer, n) : new { b: Int8Array, h: Int16Array, i: Int32Array, d: Float64Array }[kind](raw.buffer);
    if (differs && kind !== "d") {
      const sums = columns[name] = new Float64Array(n);
      for (let i = 0, sum = 0; i < n; i++) sums[i] = sum += values[i];
    }
  }
  for (const [start, end] of [["start", "end"], ["waitStart", "waitEnd"]]) columns[end] = timesOf(columns, start, end, found.scale);
  found.columns = columns;
  return found;
}
// Whole numbers of 8 bytes, all below 2^53.
function whole(buffer, n) {
  const low = new Uint32Array(buffer), high = new Int32Array(buffer), values = new Float64Array(n);
  for (let i = 0; i < n; i++) values[i] = low[2 * i] + high[2 * i + 1] * 4294967296;
  return values;
}
function timesOf(columns, start, end, scale) {
  if (!scale) return columns[end];
  const ends = Float64Array.from(columns[end], (length, i) => (columns[start][i] + length) / scale);
  columns[start] = Float64Array.from(columns[start], (time) => time / scale);
  return ends;
}
if (!("DecompressionStream" in window)) $("where").textContent = "This page needs a newer browser (Chrome 80, Firefox 113, Safari 16.4).";
const D = await unpack($("data").textContent);
$("data").remove();
const E = D.columns, N = E.type.length;
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
const row = new Uint8Array(N);
function laneOf(events) {
  let sorted = true;
  for (let i = 1; i < events.length && sorted; i++) sorted = E.start[events[i - 1]] <= E.start[events[i]];
  if (!sorted) events.sort((a, b) => E.start[a] - E.start[b] || a - b);
  let longest = 0;
  for (const k of events) longest = Math.max(longest, E.end[k] - E.start[k]);
  return { events, rows: 1, longest, waits: [] };
}
const counts = new Uint32Array(D.agents.length);
for (let k = 0; k < N; k++) counts[E.agent[k]]++;
const own = Array.from(counts, (n) => new Uint32Array(n));
counts.fill(0);
for (let k = 0; k < N; k++) own[E.agent[k]][counts[E.agent[k]]++] = k;
const lanes = own.map(laneOf);
const spent = new Float64Array(lanes.length), tokensOf = (k) => E.fresh[k] + E.cached[k] + E.written[k] + E.output[k];
for (let k = 0; k < N; k++) spent[E.agent[k]] += tokensOf(k);
for (const lane of lanes) {
  const free = [];
  for (const k of lane.events) {
    if (E.end[k] === E.start[k]) continue;
    let r = free.findIndex((end) => end <= E.start[k]);
    if (r < 0) r = free.length < 4 ? free.push(0) - 1 : 3;
    free[r] = Math.max(free[r], E.end[k]);
    row[k] = r;
    lane.rows = Math.max(lane.rows, r + 1);
  }
}
const waitAt = new Map();
for (let i = 0; i < E.waitAgent.length; i++) {
  lanes[E.waitAgent[i]].waits.push(i);
  waitAt.set(E.waitPlace[i], i);
}
// Whether an event is itself a wait, and not only what ended one.
const isWait = (k) => waitAt.has(k) && E.waitStart[waitAt.get(k)] === E.start[k];

// What the lanes show from top to bottom: an agent, or a group, whose agents are shown below it while it is open.
const groups = D.groups.map((group) => ({ ...group, open: false, lane: null }));
const groupAt = new Map(groups.map((group) => [group.members[0], group])), inGroup = new Int32Array(lanes.length).fill(NONE);
groups.forEach((group, g) => group.members.forEach((a) => { inGroup[a] = g; }));
const rowOf = new Int32Array(lanes.length);
let shown = [];
function arrange() {
  shown = [];
  for (let a = 0; a < lanes.length; a++) {
    const group = groupAt.get(a);
    if (group) {
      const depth = D.agents[a].depth;
      shown.push({ group, depth, lane: merged(group) });
      for (const member of group.members) {
        if (group.open) shown.push({ agent: member, depth: depth + 1, lane: lanes[member] });
        rowOf[member] = shown.length - 1;
      }
    } else if (inGroup[a] === NONE) {
      rowOf[a] = shown.length;
      shown.push({ agent: a, depth: D.agents[a].depth, lane: lanes[a] });
    }
  }
}
function merged(group) {
  if (group.lane) return group.lane;
  const all = new Uint32Array(group.members.reduce((n, a) => n + lanes[a].events.length, 0));
  let n = 0;
  for (const a of group.members) { all.set(lanes[a].events, n); n += lanes[a].events.length; }
  group.lane = laneOf(all.sort());
  return group.lane;
}
arrange();

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
  const touched = new Set();
  while (state.at < to) {
    for (let i = E.offsets[state.at]; i < E.offsets[state.at + 1]; i++) {
      put(E.kind[i], E.key[i], E.value[i]);
      if (E.kind[i] === 0) touched.add(E.key[i]);
    }
    state.at++;
  }
  while (state.at > to) {
    state.at--;
    for (let i = E.offsets[state.at + 1] - 1; i >= E.offsets[state.at]; i--) {
      put(E.kind[i], E.key[i], E.before[i]);
      if (E.kind[i] === 0) touched.add(E.key[i]);
    }
  }
  return touched;
}
// The event that closed what an event had opened: a task or a call. The tool of a result is that of its call.
const closedBy = new Int32Array(N).fill(NONE);
for (let k = 0; k < N; k++) {
  for (let i = E.offsets[k]; i < E.offsets[k + 1]; i++) {
    if ((E.kind[i] === 1 || E.kind[i] === 2) && E.value[i] === 0) {
      closedBy[E.key[i]] = k;
      if (E.kind[i] === 2 && E.tool[k] === NONE) E.tool[k] = E.tool[E.key[i]];
    }
  }
}

const number = (x) => (Number.isInteger(x) ? x.toLocaleString("en-US") : Number(x.toPrecision(4)).toLocaleString("en-US", { maximumFractionDigits: 6 }));
// A length of time in at most two units: 5 h 1 min, 4.2 s.
function timed(x) {
  if (!D.seconds) return number(x) + (D.unit === "step" ? " steps" : "");
  const s = x * D.seconds;
  if (s < 0) return "-" + timed(-x);
  if (s < 0.9995) return s ? Number((s * 1000).toPrecision(3)) + " ms" : "0 s";
  if (s < 59.95) return Number(s.toPrecision(3)) + " s";
  const [first, second, large, small] = [["d", "h", 86400, 3600, 30], ["h", "min", 3600, 60, 0.5], ["min", "s", 60, 1, 0.05]].find((unit) => s >= unit[2] - unit[4]);
  const total = Math.round(s / small), each = large / small, rest = total % each;
  return number((total - rest) / each) + " " + first + (rest ? " " + rest + " " + second : "");
}
const nameOf = (a) => (a === NONE ? "" : D.agents[a].name);
const toolOf = (k) => (E.tool[k] === NONE ? "a tool" : D.tools[E.tool[k]][0]);
const SAYS = {
  llm_call: "calls a model", spawn: "starts", delegate: "gives work to", message: "writes to", return: "returns to", despawn: "ends",
  aggregate: "puts results together", stop: "stops", orchestrator_decision: "decides", human_intervention: "is helped by a person",
  safety_event: "meets a safety event", reward: "gets a reward",
};
function sentence(k) {
  const type = D.types[E.type[k]], who = nameOf(E.agent[k]);
  if (type === "tool_call") return who + " calls " + toolOf(k);
  if (type === "tool_result") return who + " has a result of " + toolOf(k);
  return who + " " + (SAYS[type] || type) + (E.to[k] === NONE ? "" : " " + nameOf(E.to[k]));
}
function waited(i) {
  return nameOf(E.waitAgent[i]) + " waited " + timed(E.waitEnd[i] - E.waitStart[i]) + " for " + D.whom[E.waitFor[i]];
}
function tokenWords(k) {
  const parts = [["fresh", E.fresh[k]], ["cached", E.cached[k]], ["cache-writing", E.written[k]], ["output", E.output[k]]].filter((part) => part[1]);
  return parts.length ? "tokens: " + parts.map(([name, n]) => number(n) + " " + name).join(", ") : "";
}
// What came of an event: the end of its task or call, else what the first arrow from it leads to.
function ledTo(k) {
  let low = 0, high = E.from.length;
  while (low < high) { const mid = (low + high) >> 1; if (E.from[mid] < k) low = mid + 1; else high = mid; }
  const next = closedBy[k] !== NONE ? closedBy[k] : E.from[low] === k ? E.into[low] : NONE;
  return next === NONE || next === k ? "" : "led to: " + sentence(next) + ", at " + timed(E.start[next]);
}
function about(k) {
  const length = E.end[k] > E.start[k] ? ", takes " + timed(E.end[k] - E.start[k]) : "";
  return [
    D.ids[k] + " at " + timed(E.start[k]) + length, ...D.details[E.detail[k]], tokenWords(k), waitAt.has(k) ? waited(waitAt.get(k)) : "",
    ledTo(k), E.flags[k] & 4 ? "inferred by the importer" : "",
  ].filter(Boolean);
}
const issuesOf = new Map();
D.findings.forEach((finding) => {
  if (finding.event !== NONE) issuesOf.set(finding.event, [...(issuesOf.get(finding.event) || []), finding]);
});
