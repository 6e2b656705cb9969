// Drawing: a lane per agent below an axis. The browser scrolls; the canvas stays in sight and shows the part in view.
const canvas = $("lanes"), frame = $("frame"), pen = canvas.getContext("2d");
const AXIS = 24, FAINT = 0.34, DENSE = 4;
// Browsers lay nothing out that is much wider.
const LONGEST = 1.6e7;
const CLOCK = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400];
const LEVELS = { error: "error", warning: "alert", note: "soft" };
const view = { byOrder: D.unit === "step" || !D.unit, arrows: true, zoom: 1, hover: NONE, picked: NONE };
let ink = {}, queued = false;

const x0 = (k) => (view.byOrder ? k : E.start[k]);
const x1 = (k) => (view.byOrder ? k + 0.92 : E.end[k]);
const pixel = (x) => (x - view.start) * view.scale - view.left;
const laneTop = (i) => AXIS + i * view.lane - view.top;
const middleOf = (k) => laneTop(rowOf[E.agent[k]]) + view.lane / 2;
const reached = (k) => k < state.at;
function colours() {
  const css = getComputedStyle(document.documentElement);
  const keys = ["paper", "raised", "ink", "soft", "line", "link", "alert", "error", ...GROUPS.map((group) => group[0])];
  ink = Object.fromEntries(keys.map((key) => [key, css.getPropertyValue("--" + key).trim()]));
}
function draw() {
  if (!queued) requestAnimationFrame(() => { queued = false; drawLanes(); });
  queued = true;
}
// The scale and the part in view, in the units of the axis and in pixels.
function measure() {
  const [a, b] = view.byOrder ? [0, N] : D.range, span = b - a || 1, ratio = window.devicePixelRatio || 1;
  view.width = Math.max(1, frame.clientWidth - $("agents").offsetWidth);
  view.height = frame.clientHeight;
  view.lane = shown.length * 48 + AXIS <= view.height ? 48 : 26;
  view.zoom = Math.max(1, Math.min(view.zoom, LONGEST / view.width));
  view.start = a - span * 0.015;
  view.scale = (view.width * view.zoom) / (span * 1.03);
  frame.style.setProperty("--lane", view.lane + "px");
  $("space").style.width = view.width * view.zoom + "px";
  for (const side of ["width", "height"]) {
    canvas.style[side] = view[side] + "px";
    if (canvas[side] !== Math.round(view[side] * ratio)) canvas[side] = Math.round(view[side] * ratio);
  }
  view.left = frame.scrollLeft;
  view.top = frame.scrollTop;
  view.from = view.start + view.left / view.scale;
  view.to = view.from + view.width / view.scale;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
}
function drawLanes() {
  measure();
  pen.globalAlpha = 1;
  pen.textBaseline = "middle";
  pen.font = "11px system-ui, sans-serif";
  const a = Math.floor(view.top / view.lane), b = Math.min(shown.length, Math.ceil((view.top + view.height) / view.lane));
  pen.clearRect(0, 0, view.width, view.height);
  pen.fillStyle = ink.raised;
  for (let i = a; i < b; i++) if (i % 2) pen.fillRect(0, laneTop(i), view.width, view.lane);
  pen.clearRect(0, 0, view.width, AXIS);
  axis();
  pen.save();
  pen.beginPath(); pen.rect(0, AXIS, view.width, view.height); pen.clip();
  for (let i = a; i < b; i++) {
    const { group, lane } = shown[i], dense = lane.events.length > DENSE * view.width * view.zoom;
    (group || dense ? crowd : blocks)(lane, laneTop(i) + 4, view.lane - 8);
  }
  if (view.arrows) arrows();
  marks(a, b);
  line(Math.round(pixel(here())) + 0.5, ink.link, 1.5);
  pen.restore();
}
function line(p, colour, width) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath(); pen.moveTo(p, AXIS); pen.lineTo(p, view.height); pen.stroke();
}
function stepOf() {
  const least = 90 / view.scale, power = 10 ** Math.floor(Math.log10(least));
  const clock = D.seconds && !view.byOrder && least * D.seconds > 20 ? CLOCK.find((s) => s >= least * D.seconds) : undefined;
  const nice = clock ? clock / D.seconds : [1, 2, 5, 10].find((m) => m * power >= least) * power;
  return view.byOrder ? Math.max(1, Math.round(nice)) : nice;
}
function axis() {
  const every = stepOf();
  for (let n = Math.ceil(view.from / every) + 0, free = 0; n * every <= view.to; n++) {
    const p = Math.round(pixel(n * every)) + 0.5, text = view.byOrder ? "#" + number(n * every) : timed(n * every);
    // The last text moves in from the edge, unless it would run into the one before.
    const wide = pen.measureText(text).width, at = Math.min(p + 4, view.width - wide - 4);
    line(p, ink.line, 1);
    pen.fillStyle = ink.soft;
    if (at >= free) { pen.fillText(text, at, AXIS / 2); free = at + wide + 6; }
  }
}
// Blocks that fall on the same pixels are drawn once.
function blocks(lane, top, tall) {
  if (!view.byOrder) waiting(lane, top + tall / 2);
  const rows = view.byOrder ? 1 : lane.rows, high = Math.max(3, (tall - rows + 1) / rows);
  const done = [-1, -1, -1, -1], tick = GROUPS.map(() => -9);
  for (const k of lane.events) {
    if (x1(k) < view.from || x0(k) > view.to || (isWait(k) && !view.byOrder)) continue;
    const g = groupOf[E.type[k]], p = pixel(x0(k));
    pen.globalAlpha = reached(k) ? 1 : FAINT;
    pen.fillStyle = ink[GROUPS[g][0]];
    if (x1(k) > x0(k)) {
      const r = view.byOrder ? 0 : row[k], q = Math.max(pixel(x1(k)), p + 1);
      if (q > done[r] + 0.5) block(k, Math.max(p, done[r]), q, top + r * (high + 1), high);
      done[r] = Math.max(q, done[r]);
    } else if (p - tick[g] >= 2) {
      tick[g] = p;
      glyph(GROUPS[g][0], p, top, tall);
    }
  }
  pen.globalAlpha = 1;
}
function block(k, p, q, y, high) {
  pen.beginPath(); pen.roundRect(p, y, q - p < 5 ? Math.max(q - p, 1) : q - p - 0.5, high, q - p < 5 ? 0 : 3); pen.fill();
  if (E.failed[k] && q - p > 2) { pen.fillStyle = ink.error; pen.fillRect(p, y + high - 2, q - p, 2); }
  if (q - p < 54 || high < 11) return;
  pen.fillStyle = ink.paper;
  caption(p, q, y + high / 2, E.tool[k] === NONE ? [D.types[E.type[k]].replaceAll("_", " ")] : D.tools[E.tool[k]]);
}
// The first text that fits, else none: a text that is cut could begin like another.
function caption(p, q, y, texts) {
  const from = Math.max(p, 0) + 5, text = texts.find((each) => pen.measureText(each).width <= q - from - 3);
  if (text) pen.fillText(text, from, y + 0.5);
}
// Hollow bars where the agent does nothing until others answer.
function waiting(lane, middle) {
  let done = -1;
  pen.lineWidth = 1;
  for (const wait of lane.waits) {
    const p = pixel(wait.start), q = pixel(wait.end);
    if (q < Math.max(done + 2, 0) || p > view.width) continue;
    pen.globalAlpha = reached(wait.place) ? 1 : FAINT;
    pen.strokeStyle = pen.fillStyle = ink.soft;
    pen.strokeRect(p + 0.5, middle - 6.5, Math.max(q - p - 1, 1), 13);
    // The captions of waits that overlap would, too.
    if (p >= done) caption(p, q, middle, [waited(wait), timed(wait.end - wait.start)]);
    done = q;
  }
}
// A group, or a lane with more events than pixels: each column as high as the number of events at once, in the colour of the last one.
function crowd(lane, top, tall) {
  const columns = Math.ceil(view.width), edge = pixel(here());
  const colour = new Uint8Array(columns + 1), sums = new Int32Array(columns + 2);
  for (const k of lane.events) {
    const p = Math.max(0, pixel(x0(k))), q = Math.min(columns, pixel(x1(k)));
    if (q < 0 || p > columns) continue;
    if (q > p) colour.fill(groupOf[E.type[k]] + 1, p, q + 1);
    else colour[Math.floor(p)] ||= groupOf[E.type[k]] + 1;
    sums[Math.round(p)]++; sums[Math.round(q)]--;
  }
  for (let c = 1; c <= columns; c++) sums[c] += sums[c - 1];
  const peak = sums.reduce((most, n) => Math.max(most, n), 1);
  for (let c = 0; c < columns; c++) {
    if (!colour[c]) continue;
    const high = Math.max(3, (tall * sums[c]) / peak);
    pen.globalAlpha = c <= edge ? 1 : FAINT;
    pen.fillStyle = ink[GROUPS[colour[c] - 1][0]];
    pen.fillRect(c, top + tall - high, 1, high);
  }
  pen.globalAlpha = 1;
}
// Instants: a diamond for what passes between agents, a square for a stop, a bar for the rest.
function glyph(group, p, top, tall) {
  const middle = top + tall / 2;
  pen.beginPath();
  if (group === "coordination" || group === "aggregate") {
    pen.moveTo(p, middle - 6); pen.lineTo(p + 5, middle); pen.lineTo(p, middle + 6); pen.lineTo(p - 5, middle);
  } else if (group === "stop") pen.rect(p - 4, middle - 5, 9, 10);
  else pen.rect(p - 1, top, 2.5, tall);
  pen.fill();
}
function arrows() {
  const seen = D.arrows.filter(([u, v]) => rowOf[E.agent[u]] !== rowOf[E.agent[v]]
    && Math.max(x1(u), x0(v)) >= view.from && Math.min(x1(u), x0(v)) <= view.to);
  // More than a few hundred hide everything: then only every n-th is drawn, and those of the chosen event.
  const every = Math.ceil(seen.length / 400);
  pen.lineWidth = 1.1;
  seen.forEach(([u, v], i) => {
    const hot = [u, v].some((k) => k === view.picked || k === view.hover), y = middleOf(u), z = middleOf(v);
    if ((!hot && i % every) || Math.max(y, z) < AXIS || Math.min(y, z) > view.height) return;
    const p = pixel(view.byOrder ? u + 0.5 : E.end[u]), q = pixel(view.byOrder ? v + 0.1 : E.start[v]);
    const bend = Math.min(40, Math.max(10, Math.abs(q - p) / 2));
    pen.strokeStyle = pen.fillStyle = hot ? ink.link : ink.coordination;
    pen.globalAlpha = hot ? 1 : !reached(u) ? 0.16 : every > 1 ? 0.3 : 0.55;
    pen.beginPath(); pen.moveTo(p, y); pen.bezierCurveTo(p + bend, y, q - bend, z, q - 3, z); pen.stroke();
    pen.beginPath(); pen.moveTo(q, z); pen.lineTo(q - 6, z - 3); pen.lineTo(q - 6, z + 3); pen.fill();
  });
  pen.globalAlpha = 1;
}
function marks(a, b) {
  for (const { event, level } of D.findings) {
    const i = event === NONE ? NONE : rowOf[E.agent[event]];
    if (i < a || i >= b) continue;
    const p = pixel(x0(event)), y = laneTop(i) + 1;
    pen.fillStyle = ink[LEVELS[level]];
    pen.beginPath(); pen.moveTo(p - 4, y); pen.lineTo(p + 4, y); pen.lineTo(p, y + 7); pen.fill();
  }
  if (view.picked === NONE) return;
  const p = pixel(x0(view.picked)), q = Math.max(pixel(x1(view.picked)), p + 3);
  pen.strokeStyle = ink.ink;
  pen.lineWidth = 1.5;
  pen.strokeRect(p - 2, middleOf(view.picked) - view.lane / 2 + 2, q - p + 4, view.lane - 4);
}
function here() {
  if (view.byOrder) return state.at;
  return state.at ? E.start[state.at - 1] : D.range[0];
}
