/* The candidates: filter, order, and some at a time. */
(function (awesome) {
  "use strict";
  const { dated, el, one, readView, writeView, plural } = awesome.view;
  const PAGE = document.querySelectorAll("#rows > li").length;
  const form = one("#search");
  const all = awesome.candidates;
  const texts = new Map();
  const ORDERS = {
    title: (a, b) => (a.title < b.title ? -1 : 1),
    first: (a, b) => (b.first < a.first ? -1 : 1),
  };
  let shown = PAGE;

  function link(url, text) {
    return url ? el("a", { href: url, rel: "noopener" }, text) : text;
  }
  function item(record) {
    return el("li", { id: record.key },
      el("h2", null, link(record.url, record.title)),
      el("p", { class: "meta" }, dated(record.by ? `${record.by} · ` : ""), record.key, record.ids.map((id) => [" · ", link(id.url, id.id)]).flat()),
      record.why.map((line) => el("p", null, dated(line))),
      record.claims.length ? el("ul", { class: "touched" }, record.claims.map((claim) => el("li", null, el("strong", null, `Would ${claim.effect === "end" ? "overturn" : claim.effect}`), " ",
        el("a", { href: `claims.html#${claim.id}`, title: claim.claim }, el("code", null, claim.id)), " ", el("span", { class: "meta" }, dated(claim.change))))) : "",
      record.codings.length ? el("details", null, el("summary", null, "Provisional codings"), el("ul", { class: "plain" },
        record.codings.map((coding) => el("li", null, `${coding.axis}: ${coding.term} `, el("span", { class: "meta" }, dated(coding.evidence)))))) : "");
  }
  /* The searched text of a candidate, in lower case. */
  function text(record) {
    if (!texts.has(record)) texts.set(record, item(record).textContent.toLowerCase());
    return texts.get(record);
  }
  function found(view) {
    const words = view.q.toLowerCase().split(/\s+/u).filter((word) => word);
    const records = all.filter((record) => words.every((word) => text(record).includes(word)) &&
      (!view.proposal || record.proposal === view.proposal) &&
      (!view.touches || record.claims.some((claim) => claim.effect === view.touches)));
    return ORDERS[view.sort] ? records.sort(ORDERS[view.sort]) : records;
  }
  function draw() {
    const list = found(Object.fromEntries(new FormData(form)));
    one("#rows").replaceChildren(...list.slice(0, shown).map(item));
    one("#more").hidden = list.length <= shown;
    one("#count").textContent = list.length === all.length ? plural(all.length, "candidate") : `${list.length} of ${plural(all.length, "candidate")}`;
  }
  /* The view of the address, or the candidate that it names. */
  function load() {
    const view = readView();
    const at = all.findIndex((record) => `#${record.key}` === decodeURIComponent(location.hash));
    for (const field of form.elements) field.value = view.get(field.name) || "";
    shown = Math.max(PAGE, at + 1);
    draw();
    if (at >= 0) document.getElementById(all[at].key).scrollIntoView();
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    shown = PAGE;
    writeView(Object.fromEntries(new FormData(form)));
    draw();
  });
  one("#more").addEventListener("click", () => { shown += PAGE; draw(); });
  window.addEventListener("hashchange", load);
  if (location.hash) load();
  else one("#more").hidden = all.length <= PAGE;
  document.documentElement.dataset.ready = "candidates";
})((window.awesome = window.awesome || {}));
