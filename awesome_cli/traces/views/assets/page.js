// What surrounds the canvases: the scrubber, the state, findings, the tree, and every way to move.
const MANY = 500;
let playing = 0;

function element(tag, text, attributes) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  return node;
}
function go(to, follow) {
  const touched = seek(to);
  view.picked = state.at ? state.at - 1 : NONE;
  $("scrub").value = String(state.at);
  $("where").textContent = number(state.at) + " of " + number(N);
  for (const a of touched) {
    const dot = dots[a];
    if (dot) dot.dataset.s = String(state.agent.get(a) || 0);
  }
  describe();
  if (follow) reveal(view.picked);
  draw();
}
function reveal(k) {
  if (k === NONE) return;
  const span = view.to - view.from, x = x0(k);
  if (x < view.from || x > view.to) { view.from = x - span / 2; view.to = x + span / 2; }
  const y = rowOf[E.agent[k]] * LANE, room = canvas.getBoundingClientRect().height - AXIS - LANE;
  if (y < view.top) view.top = y;
  else if (y > view.top + room) view.top = y - room;
  hold();
}
function describe() {
  const box = $("event"), k = view.picked;
  box.replaceChildren();
  if (k === NONE) {
    box.append(element("p", "Before the first event.", { class: "more" }));
  } else {
    const type = element("p", undefined, { class: "type" }), swatch = element("i");
    swatch.style.background = ink.group[groupOf[E.type[k]]];
    type.append(swatch, sentence(k));
    box.append(type, element("p", about(k).join(" · "), { class: "more" }));
    for (const finding of issuesOf.get(k) || []) box.append(element("p", finding.code + " " + finding.message, { class: "bad" }));
  }
  $("scrub").setAttribute("aria-valuetext", k === NONE ? "start" : number(state.at) + " of " + number(N) + ": " + sentence(k));
  const counts = [0, 0, 0, 0, 0];
  for (const status of state.agent.values()) counts[status]++;
  const answer = state.answer.has(0) ? state.answer.get(0) - 1 : NONE;
  const rows = [
    ["Agents", [1, 2, 3, 4].filter((s) => counts[s]).map((s) => counts[s] + " " + STATUS[s]).join(", ") || "none"],
    ["Open tasks", some(state.task, (t) => nameOf(E.to[t]))],
    ["Open calls", some(state.call, (c) => toolOf(c) + " (" + nameOf(E.agent[c]) + ")")],
    ["Unread returns", some(state.unread, (u) => nameOf(E.agent[u]) + (E.to[u] === NONE ? "" : " → " + nameOf(E.to[u])))],
    ["Answer", answer === NONE ? "none recorded" : D.ids[answer]],
    ["Run", state.stopped.has(0) ? "stopped at " + D.ids[state.stopped.get(0) - 1] : "going on"],
  ];
  $("state").replaceChildren(...rows.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
}
function some(map, show) {
  if (!map.size) return "none";
  // The oldest three, whichever way the replay came here.
  const first = [];
  for (const key of map.keys()) {
    if (first.length < 3 || key < first[2]) first.push(key);
    first.sort((a, b) => a - b).splice(3);
  }
  return number(map.size) + ": " + first.map(show).join(", ") + (map.size > 3 ? ", …" : "");
}
function findings() {
  const list = $("findings");
  $("found-n").textContent = D.findings.length ? "(" + number(D.findings.length) + ")" : "";
  if (!D.findings.length) list.append(element("li", "No rule is broken.", { class: "ok" }));
  for (const [first, times] of D.kinds.slice(0, MANY)) {
    const finding = D.findings[first], item = element("li", undefined, { class: finding.level }), button = element("button", undefined, { type: "button" });
    button.append(element("b", finding.code + " " + finding.level + (times > 1 ? " × " + number(times) : "")), finding.message);
    button.addEventListener("click", () => { if (finding.event !== NONE) go(finding.event + 1, true); });
    item.append(button);
    list.append(item);
  }
  if (D.kinds.length > MANY) list.append(element("li", "and " + number(D.kinds.length - MANY) + " more kinds: awesome trace check lists all"));
}
const dots = [];
// The same lines as the lanes: agents by the spawn tree, groups with a button that opens them.
function tree() {
  const lists = [$("tree")], most = Math.min(shown.length, 3 * MANY);
  $("tree").replaceChildren();
  dots.length = 0;
  for (let i = 0; i < most; i++) {
    const depth = Math.min(shown[i].depth, lists.length - 1), item = element("li");
    lists.length = depth + 1;
    item.append(shown[i].group ? groupButton(shown[i]) : agentButton(shown[i].agent, i));
    lists[depth].append(item);
    if (i + 1 < most && shown[i + 1].depth > depth) { const list = element("ul"); item.append(list); lists.push(list); }
  }
  if (most < shown.length) $("tree").append(element("li", "and " + number(shown.length - most) + " more"));
}
function agentButton(a, i) {
  const agent = D.agents[a], button = element("button", undefined, { type: "button", title: agent.about });
  dots[a] = element("i");
  dots[a].dataset.s = String(state.agent.get(a) || 0);
  button.append(dots[a], agent.name + " ", element("small", (agent.role && agent.role !== agent.name ? agent.role + " · " : "") + number(lanes[a].events.length) + (spent[a] ? " · " + number(spent[a]) + " tokens" : "")));
  button.addEventListener("click", () => {
    if (lanes[a].events.length) go(lanes[a].events[0] + 1, true);
    else { view.top = i * LANE; draw(); }
  });
  return button;
}
function groupButton({ group, lane }) {
  const button = element("button", (group.open ? "▾ " : "▸ ") + group.label + " ", { type: "button", "aria-expanded": String(group.open) });
  button.append(element("small", number(lane.events.length)));
  button.addEventListener("click", () => {
    toggle(group);
    [...$("tree").querySelectorAll("[aria-expanded]")].find((other) => other.textContent.includes(group.label)).focus();
  });
  return button;
}
function toggle(group) {
  group.open = !group.open;
  arrange();
  tree();
  draw();
}
function zoom(factor, x) {
  const [a, b] = extent(), span = view.to - view.from, full = (b - a) * 1.03, least = view.byOrder ? 4 : full / 1e7;
  const next = Math.min(full, Math.max(least, span * factor)), at = x === undefined ? (view.from + view.to) / 2 : x;
  view.from = at - ((at - view.from) / span) * next;
  view.to = view.from + next;
  hold();
}
function hold() {
  const [a, b] = extent(), pad = (b - a) * 0.015, span = view.to - view.from;
  if (view.from < a - pad) { view.from = a - pad; view.to = view.from + span; }
  if (view.to > b + pad) { view.to = b + pad; view.from = view.to - span; }
  draw();
}
function pan(share) {
  const by = (view.to - view.from) * share;
  view.from += by; view.to += by;
  hold();
}
const valueAt = (clientX) => {
  const box = canvas.getBoundingClientRect();
  return view.from + (clientX - box.left - label) / scaleOf(box.width);
};
function rowAt(clientY) {
  const y = clientY - canvas.getBoundingClientRect().top, i = Math.floor((y - AXIS + view.top) / LANE);
  return y < AXIS || i < 0 || i >= shown.length ? NONE : i;
}
function hit(clientX, clientY) {
  const box = canvas.getBoundingClientRect(), y = clientY - box.top, i = rowAt(clientY);
  if (i === NONE || clientX - box.left < label) return NONE;
  const lane = shown[i].lane, x = valueAt(clientX), near = 6 / scaleOf(box.width);
  let best = NONE, close = Infinity;
  for (let n = firstAt(lane, x - near), tries = 0; n < lane.events.length && tries < 4000; n++, tries++) {
    const k = lane.events[n];
    if (x0(k) > x + near) break;
    const off = x < x0(k) ? x0(k) - x : x > x1(k) ? x - x1(k) : 0, timedOne = x1(k) > x0(k);
    if (off > near) continue;
    const mine = row[k] === Math.floor(((y - AXIS + view.top - i * LANE - 4) / (LANE - 8)) * lane.rows) ? 0 : near;
    const rank = off + (timedOne && !view.byOrder ? mine + near / 4 : 0);
    if (rank <= close) { close = rank; best = k; }
  }
  return best;
}
// What lies under the pointer, in words: a wait, one event, or how many of each type where they cannot be told apart.
function said(event, k) {
  const i = rowAt(event.clientY);
  if (i === NONE) return "";
  if (event.clientX - canvas.getBoundingClientRect().left < label) return shown[i].group ? shown[i].group.label + "\na click opens or closes it" : nameOf(shown[i].agent) + "\n" + D.agents[shown[i].agent].about;
  const lane = shown[i].lane, x = valueAt(event.clientX), near = 1 / scaleOf(canvas.getBoundingClientRect().width);
  const here = crowdAt(lane, x, near);
  if (here) return here;
  const wait = view.byOrder ? undefined : lane.waits.find((n) => E.waitStart[n] <= x && E.waitEnd[n] >= x);
  if (wait !== undefined && (k === NONE || E.start[k] > x || E.end[k] < x || isWait(k))) return waited(wait);
  return k === NONE ? "" : sentence(k) + "\n" + about(k).join("\n");
}
function crowdAt(lane, x, near) {
  const types = new Map();
  let all = 0;
  for (let n = firstAt(lane, x - near), tries = 0; n < lane.events.length && tries < 100000; n++, tries++) {
    const k = lane.events[n];
    if (x0(k) > x + near) break;
    if (Math.max(x1(k), x0(k)) < x - near) continue;
    all++;
    types.set(E.type[k], (types.get(E.type[k]) || 0) + 1);
  }
  if (all < 12) return "";
  const words = [...types].sort((a, b) => b[1] - a[1]).map(([type, n]) => number(n) + " " + D.types[type].replaceAll("_", " "));
  return number(all) + " events here: " + words.join(", ") + "\nzoom in to tell them apart";
}
function tip(event) {
  const k = hit(event.clientX, event.clientY), node = $("tip"), words = said(event, k);
  if (k !== view.hover) { view.hover = k; draw(); }
  node.hidden = !words;
  if (!words) return;
  node.textContent = words;
  const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  node.style.left = Math.max(0, Math.min(x + 14, box.width - node.offsetWidth - 4)) + "px";
  node.style.top = Math.max(0, y + 18 + node.offsetHeight > box.height ? y - node.offsetHeight - 8 : y + 18) + "px";
}
function pointer() {
  let drag = null;
  canvas.addEventListener("pointerdown", (e) => {
    drag = { x: e.clientX, y: e.clientY, from: view.from, to: view.to, top: view.top, moved: false };
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", (e) => {
    if (!drag) { tip(e); return; }
    const dx = e.clientX - drag.x, dy = e.clientY - drag.y;
    if (!drag.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
    drag.moved = true;
    canvas.classList.add("drag");
    $("tip").hidden = true;
    const by = dx / scaleOf(canvas.getBoundingClientRect().width);
    view.from = drag.from - by; view.to = drag.to - by; view.top = drag.top - dy;
    hold();
  });
  const up = (e) => {
    if (drag && !drag.moved && e.type === "pointerup") {
      const k = hit(e.clientX, e.clientY), i = rowAt(e.clientY);
      if (k !== NONE) go(k + 1, false);
      else if (i !== NONE && shown[i].group && e.clientX - canvas.getBoundingClientRect().left < label) toggle(shown[i].group);
    }
    drag = null;
    canvas.classList.remove("drag");
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; if (view.hover !== NONE) { view.hover = NONE; draw(); } });
  canvas.addEventListener("dblclick", (e) => zoom(0.4, valueAt(e.clientX)));
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    const tall = shown.length * LANE + AXIS > canvas.getBoundingClientRect().height;
    if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan(e.deltaX / 900);
    else if (e.shiftKey) pan(e.deltaY / 900);
    else if (e.ctrlKey || e.metaKey || !tall) zoom(Math.exp(Math.max(-400, Math.min(400, e.deltaY)) / 500), valueAt(e.clientX));
    else { view.top += e.deltaY; draw(); }
  }, { passive: false });
  const jump = (e) => {
    const [a, b] = extent(), box = over.getBoundingClientRect(), span = view.to - view.from;
    const x = a + ((e.clientX - box.left - label) / (box.width - label - 8)) * (b - a);
    view.from = x - span / 2; view.to = x + span / 2;
    hold();
  };
  over.addEventListener("pointerdown", (e) => { over.setPointerCapture(e.pointerId); jump(e); });
  over.addEventListener("pointermove", (e) => { if (e.buttons) jump(e); });
}
function play(on) {
  cancelAnimationFrame(playing);
  playing = 0;
  $("play").textContent = on ? "⏸" : "▶";
  $("play").setAttribute("aria-label", on ? "Pause" : "Play");
  if (!on) return;
  if (state.at >= N) go(0, true);
  const rate = Math.max(4, N / 20);
  let before = performance.now(), owed = 0;
  const tick = (now) => {
    owed += ((now - before) / 1000) * rate;
    before = now;
    if (owed >= 1) { go(state.at + Math.floor(owed), true); owed %= 1; }
    if (state.at >= N) play(false); else playing = requestAnimationFrame(tick);
  };
  playing = requestAnimationFrame(tick);
}
function nextFinding(by) {
  const places = [...issuesOf.keys()].sort((a, b) => a - b);
  const next = by > 0 ? places.find((k) => k >= state.at) : places.reverse().find((k) => k < state.at - 1);
  if (next !== undefined) go(next + 1, true);
}
const KEYS = {
  ArrowLeft: () => go(state.at - 1, true), ArrowRight: () => go(state.at + 1, true),
  PageUp: () => go(state.at - Math.ceil(N / 20), true), PageDown: () => go(state.at + Math.ceil(N / 20), true),
  Home: () => go(0, true), End: () => go(N, true), " ": () => play(!playing),
  ArrowUp: () => { view.top -= LANE; draw(); }, ArrowDown: () => { view.top += LANE; draw(); },
  "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6), 0: () => { fit(); draw(); },
  a: () => pan(-0.2), d: () => pan(0.2), w: () => zoom(0.6), s: () => zoom(1 / 0.6),
  n: () => nextFinding(1), p: () => nextFinding(-1),
};
function setAxis(byOrder) {
  view.byOrder = byOrder;
  $("axis").setAttribute("aria-pressed", String(byOrder));
  fit();
  draw();
}
function setup() {
  colours();
  $("scrub").max = String(N);
  $("scrub").addEventListener("input", (e) => { play(false); go(Number(e.target.value), true); });
  const clicks = {
    first: () => go(0, true), back: () => go(state.at - 1, true), play: () => play(!playing), next: () => go(state.at + 1, true),
    last: () => go(N, true), in: () => zoom(0.6), out: () => zoom(1 / 0.6), fit: () => { fit(); draw(); },
    axis: () => setAxis(!view.byOrder),
    arrows: () => { view.arrows = !view.arrows; $("arrows").setAttribute("aria-pressed", String(view.arrows)); draw(); },
  };
  for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", act);
  document.addEventListener("keydown", (e) => {
    const act = KEYS[e.key], inside = e.target.closest("button, input");
    if (!act || e.ctrlKey || e.metaKey || e.altKey || (inside && (e.key === " " || e.target.id === "scrub"))) return;
    e.preventDefault();
    act();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
  new ResizeObserver(draw).observe(canvas);
  const used = new Set(E.type.map((t) => groupOf[t]));
  for (const g of [...used].sort((a, b) => a - b)) {
    const item = element("li"), swatch = element("i");
    swatch.dataset.g = String(g);
    item.append(swatch, GROUPS[g][1]);
    $("legend").append(item);
  }
  if (E.waitAgent.length) {
    const item = element("li");
    item.append(element("i", undefined, { class: "hollow" }), "Waits for others");
    $("legend").append(item);
  }
  findings();
  tree();
  setAxis(view.byOrder);
  pointer();
  restyle();
  go(N, false);
}
function restyle() {
  colours();
  for (const swatch of document.querySelectorAll("#legend i[data-g]")) swatch.style.background = ink.group[Number(swatch.dataset.g)];
  describe();
  draw();
}
setup();
