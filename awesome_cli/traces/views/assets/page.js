// What surrounds the canvas: the names of the lanes, the state, the findings, and every way to move.
const MANY = 500, CROWD = 12;

function element(tag, text, attributes = {}) {
  const node = document.createElement(tag);
  node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}
function button(text, attributes, act) {
  const node = element("button", text, { type: "button", ...attributes });
  node.addEventListener("click", act);
  return node;
}
function item(...content) {
  const node = element("li", "");
  node.append(...content);
  return node;
}
function swatch(group) {
  const node = element("i", "");
  node.style.background = "var(--" + group + ")";
  return node;
}
const issuesOf = new Map();
for (const finding of D.findings) issuesOf.set(finding.event, [...(issuesOf.get(finding.event) || []), finding]);
issuesOf.delete(NONE);

function go(to, follow = true) {
  seek(to);
  view.picked = state.at - 1;
  $("scrub").value = state.at;
  $("where").textContent = number(state.at) + " of " + number(N);
  describe();
  if (follow && view.picked !== NONE) reveal(view.picked);
  draw();
}
function reveal(k) {
  const x = x0(k), y = rowOf[E.agent[k]] * view.lane, room = view.height - AXIS - view.lane;
  if (x < view.from || x > view.to) frame.scrollLeft = (x - view.start) * view.scale - view.width / 2;
  frame.scrollTop = Math.max(y - room, Math.min(y, frame.scrollTop));
}
function describe() {
  const k = view.picked, type = element("p", k === NONE ? "Before the first event." : sentence(k), { class: "type" });
  if (k !== NONE) type.prepend(swatch(GROUPS[groupOf[E.type[k]]][0]));
  const issues = (issuesOf.get(k) || []).map((finding) => element("p", finding.code + " " + finding.message, { class: "bad" }));
  $("event").replaceChildren(type, element("p", k === NONE ? "" : about(k).join(" · "), { class: "more" }), ...issues);
  $("scrub").setAttribute("aria-valuetext", $("where").textContent + ": " + type.textContent);
  for (const { agent, button } of shown) {
    if (agent === undefined || D.agents[agent].kind !== "llm") continue;
    const status = state[AGENT].get(agent) || 0;
    button.dataset.s = status;
    button.setAttribute("aria-description", STATUS[status]);
  }
  const statuses = [...state[AGENT].values()], counts = STATUS.map((name, s) => [statuses.filter((status) => status === s).length, name]);
  const event = (kind, words, none) => (state[kind].has(0) ? words + D.ids[state[kind].get(0) - 1] : none);
  const rows = {
    Agents: counts.filter(([n]) => n).map((pair) => pair.join(" ")).join(", ") || "none",
    "Open tasks": some(TASK, (k) => nameOf(E.to[k])),
    "Open calls": some(CALL, (k) => toolOf(k) + " (" + nameOf(E.agent[k]) + ")"),
    "Unread returns": some(UNREAD, (k) => nameOf(E.agent[k]) + (E.to[k] === NONE ? "" : " → " + nameOf(E.to[k]))),
    Answer: event(ANSWER, "", "none recorded"),
    Run: event(STOPPED, "stopped at ", "going on"),
  };
  $("state").replaceChildren(...Object.entries(rows).flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
}
// How many are open, and the oldest three.
function some(kind, words) {
  const keys = [...state[kind].keys()].sort((a, b) => a - b);
  return keys.length ? number(keys.length) + ": " + keys.slice(0, 3).map(words).join(", ") + (keys.length > 3 ? ", …" : "") : "none";
}
function findings() {
  $("found-n").textContent = D.findings.length ? "(" + number(D.findings.length) + ")" : "";
  const items = D.kinds.slice(0, MANY).map(([first, times]) => {
    const { code, level, message, event } = D.findings[first], count = times > 1 ? " × " + number(times) : "";
    const node = button(message, { class: level }, () => { if (event !== NONE) go(event + 1); });
    node.prepend(element("b", code + " " + level + count));
    return item(node);
  });
  if (!items.length) items.push(item("No rule is broken."));
  if (D.kinds.length > MANY) items.push(item("and " + number(D.kinds.length - MANY) + " more kinds: awesome trace check lists all"));
  $("findings").replaceChildren(...items);
}
// The names of the lanes: agents in the order of the spawn tree, and groups, which open and close.
function names() {
  for (const line of shown) {
    const { group, agent } = line, { name, short, about } = group || D.agents[agent];
    const act = group ? () => toggle(group) : () => go((lanes[agent].events[0] ?? state.at - 1) + 1);
    line.button = button("", { title: name + "\n" + about }, act);
    if (group) line.button.setAttribute("aria-expanded", group.open);
    line.button.append(element("span", short), " ", element("small", about));
    line.button.style.setProperty("--depth", Math.min(line.depth, 6));
  }
  $("agents").replaceChildren(...shown.map((line) => item(line.button)));
}
function toggle(group) {
  group.open = !group.open;
  arrange();
  names();
  go(state.at, false);
  shown.find((line) => line.group === group).button.focus();
}
// Zoom so that the time `x` stays where it is.
function zoom(factor, x = (view.from + view.to) / 2) {
  const offset = pixel(x);
  view.zoom *= factor;
  measure();
  frame.scrollLeft = (x - view.start) * view.scale - offset;
  draw();
}
// The lane and the time under the pointer, and the events there, the closest first.
function under({ clientX, clientY }) {
  const box = canvas.getBoundingClientRect(), x = view.from + (clientX - box.left) / view.scale, y = clientY - box.top - AXIS;
  const line = y < 0 ? undefined : shown[Math.floor((y + view.top) / view.lane)];
  if (!line) return { x, events: [] };
  const near = 6 / view.scale, gap = (k) => Math.max(x0(k) - x, x - x1(k), 0);
  const at = Math.floor(((((y + view.top) % view.lane) - 4) / (view.lane - 8)) * line.lane.rows);
  // Instants first, since blocks hide them; of blocks those in the row of the pointer.
  const rank = (k) => gap(k) + (view.byOrder || x1(k) === x0(k) ? 0 : near / 4 + (row[k] === at ? 0 : near));
  const events = line.lane.events.filter((k) => gap(k) <= near).sort((a, b) => rank(a) - rank(b) || b - a);
  return { line, x, events };
}
// What lies under the pointer: a wait, an event, or how many events of each type where they cannot be told apart.
function words({ line, x, events }) {
  const [k] = events, here = events.filter((k) => Math.max(x0(k) - x, x - x1(k)) * view.scale <= 1);
  if (here.length >= CROWD) {
    const counts = D.types.map((name, type) => [here.filter((k) => E.type[k] === type).length, name.replaceAll("_", " ")]);
    const most = counts.filter(([n]) => n).sort((a, b) => b[0] - a[0]).map((pair) => pair.join(" "));
    return number(here.length) + " events here: " + most.join(", ") + "\nzoom in to tell them apart";
  }
  const wait = line && !view.byOrder && line.lane.waits.find((each) => each.start <= x && x <= each.end);
  if (wait && (!here.includes(k) || isWait(k))) return waited(wait);
  return k === undefined ? "" : sentence(k) + "\n" + about(k).join("\n");
}
function tip(event) {
  const place = under(event), node = $("tip"), [k = NONE] = place.events;
  if (k !== view.hover) { view.hover = k; draw(); }
  node.textContent = words(place);
  node.hidden = !node.textContent;
  node.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - node.offsetWidth - 4)) + "px";
  node.style.top = (event.clientY + 18 + node.offsetHeight > innerHeight ? event.clientY - node.offsetHeight - 8 : event.clientY + 18) + "px";
}
function pointer() {
  let dragged = 0;
  canvas.addEventListener("pointerdown", (event) => {
    dragged = 0;
    if (event.pointerType === "mouse") canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!event.buttons || event.pointerType !== "mouse") { tip(event); return; }
    dragged += Math.abs(event.movementX) + Math.abs(event.movementY);
    $("tip").hidden = true;
    frame.scrollBy(-event.movementX, -event.movementY);
  });
  canvas.addEventListener("click", (event) => {
    const { events } = under(event);
    if (dragged < 4 && events.length) go(events[0] + 1, false);
  });
  canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; view.hover = NONE; draw(); });
  canvas.addEventListener("dblclick", (event) => zoom(2.5, under(event).x));
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(Math.max(-400, Math.min(400, -event.deltaY)) / 500), under(event).x);
  }, { passive: false });
  frame.addEventListener("scroll", draw);
}
function nextFinding(by) {
  const places = [...issuesOf.keys()].sort((a, b) => (a - b) * by), place = places.find((k) => (k - view.picked) * by > 0);
  if (place !== undefined) go(place + 1);
}
function setPressed(key, on) {
  document.querySelector("[data-key='" + key + "']").setAttribute("aria-pressed", on);
  draw();
}
function setAxis(byOrder) {
  view.byOrder = byOrder;
  view.zoom = 1;
  setPressed("o", byOrder);
}
const KEYS = {
  ArrowLeft: () => go(state.at - 1), ArrowRight: () => go(state.at + 1),
  PageUp: () => go(state.at - Math.ceil(N / 20)), PageDown: () => go(state.at + Math.ceil(N / 20)),
  Home: () => go(0), End: () => go(N), n: () => nextFinding(1), p: () => nextFinding(-1),
  "+": () => zoom(1.6), "-": () => zoom(1 / 1.6), 0: () => zoom(0), o: () => setAxis(!view.byOrder),
  a: () => frame.scrollBy(-view.width / 5, 0), d: () => frame.scrollBy(view.width / 5, 0),
  r: () => { view.arrows = !view.arrows; setPressed("r", view.arrows); },
};
function restyle() {
  colours();
  draw();
}
function setup() {
  $("scrub").max = N;
  $("scrub").addEventListener("input", (event) => go(Number(event.target.value)));
  for (const node of document.querySelectorAll("[data-key]")) node.addEventListener("click", () => KEYS[node.dataset.key]());
  document.addEventListener("keydown", (event) => {
    const act = KEYS[event.key === "=" ? "+" : event.key];
    // The slider has its own arrows.
    if (!act || event.ctrlKey || event.metaKey || event.altKey || (event.target === $("scrub") && event.key.length > 1)) return;
    event.preventDefault();
    act();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
  new ResizeObserver(draw).observe(frame);
  const used = new Set(E.type.map((type) => groupOf[type]));
  GROUPS.forEach(([group, words], g) => { if (used.has(g)) $("legend").append(item(swatch(group), words)); });
  if (D.waits.length) $("legend").append(item(element("i", "", { class: "hollow" }), "Waits for others"));
  colours();
  findings();
  names();
  pointer();
  setAxis(view.byOrder);
  measure();
  go(N, false);
}
setup();
