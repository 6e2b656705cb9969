// Drawing: one canvas with a lane per agent, one overview. Blocks that fall on the same pixels are drawn once.
const canvas = document.getElementById("lanes"), over = document.getElementById("overview");
const view = { byOrder: D.unit === "step" || !D.unit, arrows: true, from: 0, to: 1, top: 0, hover: NONE, picked: NONE };
const AXIS = 24;
let LANE = 26, ink = {}, queued = false, label = 150;

// Finding levels and their colours.
const LEVELS = { error: "error", warning: "alert", note: "soft" };
const DENSE = 4;
const CLOCK = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400];
const x0 = (k) => (view.byOrder ? k : E.start[k]);
const x1 = (k) => (view.byOrder ? k + 0.92 : E.end[k]);
function extent() {
  if (view.byOrder) return [0, Math.max(N, 1)];
  return D.range[1] > D.range[0] ? D.range : [D.range[0], D.range[0] + 1];
}
function fit() {
  const [a, b] = extent(), pad = (b - a) * 0.015;
  view.from = a - pad;
  view.to = b + pad;
}
function colours() {
  const css = getComputedStyle(document.documentElement);
  const keys = ["paper", "raised", "ink", "soft", "line", "link", "alert", "error", "run", "returned", "gone", "stopped"];
  ink = Object.fromEntries(keys.map((key) => [key, css.getPropertyValue("--" + key).trim()]));
  ink.group = GROUPS.map((g) => css.getPropertyValue("--" + g[0]).trim());
  ink.status = [ink.gone, ink.run, ink.returned, ink.gone, ink.stopped];
}
function sized(target) {
  const box = target.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
  const w = Math.max(1, Math.round(box.width * ratio)), h = Math.max(1, Math.round(box.height * ratio));
  if (target.width !== w || target.height !== h) { target.width = w; target.height = h; }
  const pen = target.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, box.width, box.height);
  return [pen, box.width, box.height];
}
function draw() {
  if (queued) return;
  queued = true;
  requestAnimationFrame(() => { queued = false; drawLanes(); drawOverview(); });
}
const scaleOf = (width) => (width - label) / (view.to - view.from);
const pixel = (x, width) => label + (x - view.from) * scaleOf(width);
const laneTop = (i) => AXIS + i * LANE - view.top;
function clampTop(height) {
  view.top = Math.max(0, Math.min(view.top, shown.length * LANE + AXIS + 8 - height));
}
// The first event of a lane that may still reach to x: none is longer than the lane's longest.
function firstAt(lane, x) {
  let low = 0, high = lane.events.length;
  const bound = view.byOrder ? x - 1 : x - lane.longest;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (x0(lane.events[mid]) < bound) low = mid + 1; else high = mid;
  }
  return low;
}
function step(width) {
  const raw = ((view.to - view.from) / Math.max(width - label, 1)) * 90, power = 10 ** Math.floor(Math.log10(raw));
  const clock = D.seconds && !view.byOrder ? CLOCK.find((s) => s >= raw * D.seconds && s > 59) : undefined;
  const nice = clock && raw * D.seconds > 20 ? clock / D.seconds : [1, 2, 5, 10].find((m) => m * power >= raw) * power;
  return view.byOrder ? Math.max(1, Math.round(nice)) : nice;
}
function drawLanes() {
  const [pen, w, h] = sized(canvas);
  label = Math.max(90, Math.min(230, w * 0.2));
  LANE = Math.max(26, Math.min(48, Math.floor((h - AXIS - 8) / shown.length)));
  clampTop(h);
  const a = Math.max(0, Math.floor(view.top / LANE)), b = Math.min(shown.length, Math.ceil((view.top + h) / LANE));
  pen.textBaseline = "middle";
  for (let i = a; i < b; i++) {
    pen.fillStyle = i % 2 ? ink.raised : ink.paper;
    pen.fillRect(0, laneTop(i), w, LANE);
  }
  grid(pen, w, h);
  pen.save();
  pen.beginPath();
  pen.rect(label, AXIS, w - label, h - AXIS);
  pen.clip();
  for (let i = a; i < b; i++) blocks(pen, i, w);
  if (view.arrows) arrows(pen, w, h);
  marks(pen, w, a, b);
  cursor(pen, w, h);
  pen.restore();
  names(pen, a, b, h);
}
function grid(pen, w, h) {
  pen.font = "11px system-ui, sans-serif";
  const every = step(w);
  let free = label;
  for (let x = Math.ceil(view.from / every) * every; x <= view.to; x += every) {
    const p = Math.round(pixel(x, w)) + 0.5;
    if (p < label) continue;
    pen.strokeStyle = ink.line;
    pen.beginPath(); pen.moveTo(p, AXIS); pen.lineTo(p, h); pen.stroke();
    pen.fillStyle = ink.soft;
    // The last one moves in from the edge, unless it would run into the one before.
    const text = view.byOrder ? "#" + number(x + 0) : timed(Math.abs(x) < every / 1e6 ? 0 : x), wide = pen.measureText(text).width;
    const at = Math.min(p + 4, w - wide - 4);
    if (at < free) continue;
    pen.fillText(text, at, AXIS / 2);
    free = at + wide + 6;
  }
}
// How many events of a lane the view shows.
function within(lane) {
  const from = firstAt(lane, view.from);
  let low = from, high = lane.events.length;
  while (low < high) { const mid = (low + high) >> 1; if (x0(lane.events[mid]) <= view.to) low = mid + 1; else high = mid; }
  return [from, low];
}
function blocks(pen, i, w) {
  const lane = shown[i].lane, top = laneTop(i) + 4, tall = LANE - 8, [from, to] = within(lane);
  if (!view.byOrder) waiting(pen, lane, top, tall, w);
  if (to - from > DENSE * w || shown[i].group) { strip(pen, lane, from, to, top, tall, w); return; }
  const rows = view.byOrder ? 1 : lane.rows;
  const high = Math.max(3, (tall - (rows - 1)) / rows), done = new Float64Array(8).fill(-1), tick = new Float64Array(16).fill(-9);
  for (let n = from; n < to; n++) {
    const k = lane.events[n], g = groupOf[E.type[k]], p = pixel(x0(k), w);
    if (isWait(k) && !view.byOrder) continue;
    if (x1(k) > x0(k)) {
      const r = view.byOrder ? 0 : row[k], q = Math.max(pixel(x1(k), w), p + 1);
      if (q <= done[r] + 0.5) continue;
      paint(pen, k, g);
      const from = Math.max(p, done[r]);
      done[r] = q;
      box(pen, from, top + r * (high + 1), q - from, high);
      if (E.flags[k] & 3 && q - from > 2) { pen.fillStyle = ink.error; pen.fillRect(from, top + r * (high + 1) + high - 2, q - from, 2); }
      if (q - p > 54) caption(pen, k, p, q, top + r * (high + 1), high);
    } else if (p - tick[g] >= 2) {
      tick[g] = p;
      paint(pen, k, g);
      glyph(pen, g, p, top, tall);
    }
  }
  pen.globalAlpha = 1;
}
// Hollow bars where the agent does nothing until others answer.
function waiting(pen, lane, top, tall, w) {
  const middle = top + tall / 2;
  let done = -1;
  pen.font = "11px system-ui, sans-serif";
  for (const i of lane.waits) {
    if (E.waitEnd[i] < view.from || E.waitStart[i] > view.to) continue;
    const p = pixel(E.waitStart[i], w), q = pixel(E.waitEnd[i], w);
    if (q < done + 2) continue;
    // Waits that overlap would be captioned one over the other.
    const text = p < done ? "" : fitting(pen, q - Math.max(p, label) - 10, waited(i), timed(E.waitEnd[i] - E.waitStart[i]));
    done = q;
    pen.globalAlpha = E.waitPlace[i] < state.at ? 1 : 0.34;
    pen.strokeStyle = pen.fillStyle = ink.soft;
    pen.strokeRect(p + 0.5, middle - 6.5, Math.max(q - p - 1, 1), 13);
    pen.fillText(text, Math.max(p, label) + 5, middle + 0.5);
  }
  pen.globalAlpha = 1;
}
// Where more events than pixels are in view, or a group is closed: each column once, as high as the mean number of events at once.
function strip(pen, lane, from, to, top, tall, w) {
  const key = [view.from, view.to, w, label, view.byOrder].join();
  if (!lane.strip || lane.strip.key !== key) lane.strip = { key, ...stripOf(lane, from, to, w) };
  const { cells, sums, peak } = lane.strip, edge = pixel(here(), w) - label;
  for (let c = 0; c < cells.length; ) {
    const first = c;
    while (c < cells.length && cells[c] === cells[first] && sums[c] === sums[first] && c <= edge === first <= edge) c++;
    if (!cells[first]) continue;
    pen.globalAlpha = first <= edge ? 1 : 0.34;
    pen.fillStyle = ink.group[cells[first] - 1];
    const high = Math.max(3, (tall * sums[first]) / peak);
    pen.fillRect(label + first, top + tall - high, c - first, high);
  }
  pen.globalAlpha = 1;
}
function stripOf(lane, from, to, w) {
  const columns = Math.max(1, Math.ceil(w - label)), cells = new Uint8Array(columns), whole = new Int32Array(columns + 1), sums = new Float64Array(columns);
  for (let n = from; n < to; n++) {
    const k = lane.events[n], g = groupOf[E.type[k]] + 1;
    const a = Math.max(0, pixel(x0(k), w) - label), b = Math.min(columns, pixel(x1(k), w) - label), p = Math.floor(a), q = Math.min(columns - 1, Math.floor(b));
    if (b < 0 || p >= columns) continue;
    if (x1(k) === x0(k)) { if (!cells[p]) cells[p] = g; continue; }
    cells.fill(g, p, q + 1);
    if (p === q) { sums[p] += b - a; continue; }
    sums[p] += p + 1 - a;
    sums[q] += b - q;
    whole[p + 1]++; whole[q]--;
  }
  let peak = 1;
  for (let c = 0, open = 0; c < columns; c++) { open += whole[c]; sums[c] += open; peak = Math.max(peak, sums[c]); }
  return { cells, sums, peak };
}
function paint(pen, k, g) {
  pen.globalAlpha = k < state.at ? 1 : 0.34;
  pen.fillStyle = ink.group[g];
}
function box(pen, x, y, w, h) {
  if (w < 5) { pen.fillRect(x, y, Math.max(w, 1), h); return; }
  pen.beginPath(); pen.roundRect(x, y, w - 0.5, h, 3); pen.fill();
}
function caption(pen, k, p, q, y, high) {
  if (high < 11) return;
  const texts = E.tool[k] !== NONE ? D.tools[E.tool[k]] : [D.types[E.type[k]].replaceAll("_", " ")];
  pen.fillStyle = ink.paper;
  pen.font = "11px system-ui, sans-serif";
  pen.fillText(fitting(pen, q - Math.max(p, label) - 8, ...texts), Math.max(p, label) + 5, y + high / 2 + 0.5);
}
// The first text that fits; none if none does. A text is never cut here, since two names could begin alike.
const fitting = (pen, room, ...texts) => texts.find((text) => pen.measureText(text).width <= room) || "";
// Instants: a diamond for what passes between agents, a bar for the rest.
function glyph(pen, g, p, top, tall) {
  const middle = top + tall / 2;
  pen.beginPath();
  if (GROUPS[g][0] === "coordination" || GROUPS[g][0] === "aggregate") {
    pen.moveTo(p, middle - 6); pen.lineTo(p + 5, middle); pen.lineTo(p, middle + 6); pen.lineTo(p - 5, middle);
  } else if (GROUPS[g][0] === "stop") pen.rect(p - 4, middle - 5, 9, 10);
  else pen.rect(p - 1, top, 2.5, tall);
  pen.fill();
}
function arrows(pen, w, h) {
  const seen = [];
  for (let i = 0; i < E.from.length; i++) {
    const u = E.from[i], v = E.into[i];
    if (rowOf[E.agent[u]] === rowOf[E.agent[v]]) continue;
    if (Math.max(x1(u), x0(v)) >= view.from && Math.min(x1(u), x0(v)) <= view.to) seen.push(u, v);
  }
  // More than a few hundred hide everything: then only every n-th is drawn, and those of the chosen event.
  const every = Math.ceil(seen.length / 2 / 400);
  pen.lineWidth = 1.1;
  for (let i = 0; i < seen.length; i += 2) {
    const u = seen[i], v = seen[i + 1], hot = u === view.picked || v === view.picked || u === view.hover || v === view.hover;
    if (!hot && (i / 2) % every) continue;
    const p = pixel(view.byOrder ? u + 0.5 : E.end[u], w), q = pixel(view.byOrder ? v + 0.1 : E.start[v], w);
    if (Math.max(p, q) < label || Math.min(p, q) > w) continue;
    const y = laneTop(rowOf[E.agent[u]]) + LANE / 2, z = laneTop(rowOf[E.agent[v]]) + LANE / 2;
    if ((y < AXIS && z < AXIS) || (y > h && z > h)) continue;
    pen.strokeStyle = pen.fillStyle = hot ? ink.link : ink.group[2];
    pen.globalAlpha = hot ? 1 : u >= state.at ? 0.16 : every > 1 ? 0.3 : 0.55;
    const bend = Math.min(40, Math.max(10, Math.abs(q - p) / 2));
    pen.beginPath(); pen.moveTo(p, y); pen.bezierCurveTo(p + bend, y, q - bend, z, q - 3, z); pen.stroke();
    pen.beginPath(); pen.moveTo(q, z); pen.lineTo(q - 6, z - 3); pen.lineTo(q - 6, z + 3); pen.fill();
  }
  pen.globalAlpha = 1;
}
function marks(pen, w, a, b) {
  for (const finding of D.findings) {
    if (finding.event === NONE) continue;
    const at = rowOf[E.agent[finding.event]], p = pixel(x0(finding.event), w);
    if (at < a || at >= b || p < label || p > w) continue;
    pen.fillStyle = ink[LEVELS[finding.level]];
    const y = laneTop(at) + 1;
    pen.beginPath(); pen.moveTo(p - 4, y); pen.lineTo(p + 4, y); pen.lineTo(p, y + 7); pen.fill();
  }
  const k = view.picked, i = k === NONE ? NONE : rowOf[E.agent[k]];
  if (k !== NONE && i >= a && i < b) {
    pen.strokeStyle = ink.ink;
    pen.lineWidth = 1.5;
    const p = pixel(x0(k), w), q = Math.max(pixel(x1(k), w), p + 3);
    pen.strokeRect(p - 2, laneTop(i) + 2, q - p + 4, LANE - 4);
  }
}
function here() {
  if (view.byOrder) return state.at;
  if (!state.at) return D.range[0];
  return E.start[state.at - 1];
}
function cursor(pen, w, h) {
  const p = Math.round(pixel(here(), w)) + 0.5;
  pen.strokeStyle = ink.link;
  pen.lineWidth = 1.5;
  pen.beginPath(); pen.moveTo(p, AXIS); pen.lineTo(p, h); pen.stroke();
  pen.lineWidth = 1;
}
// The label column is the spawn tree: children are indented below their parent.
function names(pen, a, b, h) {
  pen.fillStyle = ink.paper;
  pen.fillRect(0, 0, label - 1, h);
  pen.fillStyle = ink.line;
  pen.fillRect(label - 1, 0, 1, h);
  pen.save();
  pen.beginPath(); pen.rect(0, AXIS, label - 2, h - AXIS); pen.clip();
  pen.font = "12.5px system-ui, sans-serif";
  for (let i = a; i < b; i++) {
    const { group, depth } = shown[i], y = laneTop(i) + LANE / 2, indent = 10 + Math.min(depth, 6, (label - 90) / 13) * 13, room = label - indent - 22;
    if (group) {
      pen.fillStyle = ink.link;
      pen.fillText((group.open ? "▾ " : "▸ ") + (fitting(pen, room, group.label) || group.short), indent, y, room + 20);
      continue;
    }
    const agent = D.agents[shown[i].agent];
    if (depth > 0 && agent.parent !== NONE) {
      const above = inGroup[shown[i].agent] === NONE ? laneTop(rowOf[agent.parent]) + LANE / 2 + 7 : y;
      pen.strokeStyle = ink.line;
      pen.beginPath(); pen.moveTo(indent - 7, above); pen.lineTo(indent - 7, y); pen.lineTo(indent - 1, y); pen.stroke();
    }
    const status = state.agent.get(shown[i].agent) || 0;
    pen.beginPath(); pen.arc(indent + 5, y, 4, 0, 7);
    if (status) { pen.fillStyle = ink.status[status]; pen.fill(); } else { pen.strokeStyle = ink.gone; pen.stroke(); }
    pen.fillStyle = status || agent.kind !== "llm" ? ink.ink : ink.soft;
    const name = fitting(pen, room, agent.name) || agent.short, left = room - pen.measureText(name).width - 6;
    pen.fillText(name, indent + 15, y, room);
    pen.fillStyle = ink.soft;
    if (agent.role !== agent.name) pen.fillText(fitting(pen, left, agent.role), indent + 15 + room - left, y);
  }
  pen.restore();
}
// The overview: how many timed events run at once, findings, and the part that the lanes show.
let crowd = null;
function peakOf() {
  const starts = E.start.filter((x, k) => E.end[k] > x).sort(), ends = E.end.filter((x, k) => x > E.start[k]).sort();
  let peak = 0;
  for (let i = 0, j = 0; i < starts.length; i++) {
    while (ends[j] <= starts[i]) j++;
    peak = Math.max(peak, i - j + 1);
  }
  return peak;
}
function crowdOf(columns) {
  const [a, b] = extent(), sums = new Float64Array(columns + 1), per = columns / (b - a);
  for (let k = 0; k < N; k++) {
    if (x1(k) === x0(k)) continue;
    const p = Math.max(0, Math.min(columns - 1, Math.floor((x0(k) - a) * per)));
    const q = Math.max(p, Math.min(columns - 1, Math.ceil((x1(k) - a) * per) - 1));
    sums[p]++; sums[q + 1]--;
  }
  for (let i = 1; i < columns; i++) sums[i] += sums[i - 1];
  return sums;
}
function drawOverview() {
  const [pen, w, h] = sized(over), [a, b] = extent(), width = w - label - 8, per = width / (b - a);
  const columns = Math.max(1, Math.floor(width)), key = columns + "/" + view.byOrder;
  if (!crowd || crowd.key !== key) crowd = { key, sums: crowdOf(columns), peak: peakOf() };
  pen.fillStyle = ink.soft;
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.fillText(view.byOrder ? "all events" : crowd.peak ? (label < 120 ? "up to " : "at once: up to ") + crowd.peak : "instants only", 10, h / 2);
  pen.fillStyle = ink.group[0];
  pen.globalAlpha = 0.55;
  for (let i = 0; i < columns; i++) {
    const k = Math.floor(a + (i + 0.5) / per);
    if (view.byOrder && k < N) pen.fillStyle = ink.group[groupOf[E.type[k]]];
    const tall = Math.min(1, crowd.sums[i] / crowd.peak) * (h - 16);
    if (tall > 0) pen.fillRect(label + i, h - 5 - tall, 1, Math.max(tall, 1));
  }
  pen.globalAlpha = 1;
  for (const finding of D.findings) {
    if (finding.event === NONE) continue;
    pen.fillStyle = ink[LEVELS[finding.level]];
    pen.fillRect(label + (x0(finding.event) - a) * per - 1, 2, 2, 6);
  }
  const p = label + (Math.max(view.from, a) - a) * per, q = label + (Math.min(view.to, b) - a) * per;
  pen.fillStyle = ink.link;
  pen.globalAlpha = 0.1;
  pen.fillRect(p, 0, Math.max(q - p, 3), h);
  pen.globalAlpha = 1;
  pen.fillRect(p, 0, 2, h);
  pen.fillRect(Math.max(q - 2, p + 2), 0, 2, h);
  pen.fillRect(label + (here() - a) * per, 0, 1.5, h);
}
