/* The candidates: filter, order, and some at a time. */
(function (awesome) {
  "use strict";
  const { dated, el, one, readView, writeView, plural } = awesome.view;
  const LIST = "awesome list --kind candidate";
  const PAGE = document.querySelectorAll("#rows > li").length;
  const total = awesome.survey.beside.candidates;
  const form = one("#search");
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
  /* The filters of a view; those by claims are none of the command line. */
  function parts(view) {
    const found = awesome.words.parts(view.q, "candidates");
    if (view.proposal) found.push({ query: `proposal=${view.proposal}`, test: (record) => record.proposal === view.proposal, needs: [] });
    if (view.touches) found.push({ test: (record) => record.claims.some((claim) => claim.effect === view.touches), needs: [] });
    return found;
  }
  async function draw() {
    const view = Object.fromEntries(new FormData(form));
    const asked = parts(view);
    const command = awesome.words.command(LIST, asked.map((part) => part.query));
    one("#command").textContent = command;
    one("#command").closest("details").hidden = !command;
    one("#note").replaceChildren(...awesome.words.remark(view.q, LIST));
    await awesome.data.need(["candidates", ...asked.flatMap((part) => part.needs)]);
    const list = awesome.candidates.filter((record) => asked.every((part) => part.test(record)));
    if (ORDERS[view.sort]) list.sort(ORDERS[view.sort]);
    one("#rows").replaceChildren(...list.slice(0, shown).map(item));
    one("#more").hidden = list.length <= shown;
    one("#count").textContent = list.length === total ? plural(total, "candidate") : `${list.length} of ${plural(total, "candidate")}`;
  }
  /* The view of the address, or the candidate that it names. */
  async function load() {
    const view = readView();
    await awesome.data.need(["candidates"]);
    const at = awesome.candidates.findIndex((record) => `#${record.key}` === decodeURIComponent(location.hash));
    for (const field of form.elements) field.value = view.get(field.name) || "";
    shown = Math.max(PAGE, at + 1);
    await draw();
    if (at >= 0) document.getElementById(awesome.candidates[at].key).scrollIntoView();
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
  document.documentElement.dataset.ready = "candidates";
})((window.awesome = window.awesome || {}));
