/* The claims in a reading of contested codings: each line takes its answer and figure from the table in its details. */
(function (awesome) {
  "use strict";
  const { el, one, plural, readView } = awesome.view;
  const lines = Array.from(document.querySelectorAll(".claim"), (node) => ({
    node,
    id: node.querySelector(".more").id,
    rows: Array.from(node.querySelectorAll("tr[data-reading]")),
  }));
  const standing = lines.filter((line) => line.node.dataset.status);
  const counts = Array.from(document.querySelectorAll("#tally strong"));
  const published = counts.map((count) => Number(count.textContent));

  /* The fragment is the id of a claim, a view, or `ID&reading=…`. */
  function viewOf() {
    const view = Object.fromEntries(readView());
    const id = Object.keys(view).find((name) => view[name] === "" && lines.some((line) => line.id === name));
    return { id, reading: view.reading, grade: view.grade };
  }
  function put(node, cell) {
    node.replaceChildren(...Array.from(cell.childNodes, (child) => child.cloneNode(true)));
  }
  function fails(row) {
    return row.dataset.status === "fails";
  }
  /* Show a line's answer in a reading; true if it flips. A line without rows has the same answer in all. */
  function read(line, reading) {
    const [coded] = line.rows;
    line.status = line.node.dataset.status;
    if (!coded) return false;
    const row = line.rows.find((other) => other.dataset.reading.split(",").includes(reading)) || coded;
    put(line.node.querySelector(".answer"), row.cells[1]);
    put(line.node.querySelector("summary .figure"), row.cells[2]);
    line.status = row.dataset.status;
    const flips = fails(row) !== fails(coded);
    line.node.classList.toggle("changed", flips);
    return flips;
  }
  function show(view) {
    const words = awesome.readings.words(view);
    const side = one("#reading select[name=reading]");
    const grade = one("#reading select[name=grade]");
    const turned = standing.filter((line) => read(line, words ? `${side.value} ${grade.value}` : ""));
    counts.forEach((count, i) => {
      const living = ["holds", "contested", "fails"].includes(count.dataset.status);
      count.textContent = words && living ? standing.filter((line) => line.status === count.dataset.status).length : published[i];
    });
    const links = turned.flatMap((line, i) => [i ? ", " : "", el("a", { href: `#${line.id}`, title: line.node.querySelector(".statement").textContent }, el("code", null, line.id))]);
    one("#turns").hidden = !words;
    one("#turns").replaceChildren(`In the ${words}, ${turned.length ? plural(turned.length, "claim") : "no claim"} of ${standing.length} ${turned.length === 1 ? "changes" : "change"} status`, turned.length ? ": " : "", ...links, ".");
  }
  /* Put a claim and a reading in the address, as a step that "back" undoes, or in place of the last one. */
  function go(id, { reading, grade }, step = "pushState") {
    const named = new URLSearchParams(Object.entries({ reading, grade }).filter(([, value]) => value)).toString();
    const fragment = [id, named].filter((part) => part).join("&");
    history[step](null, "", fragment ? `#${fragment}` : location.pathname + location.search);
  }
  function open(id) {
    const found = lines.find((line) => line.id === id);
    if (!found) return;
    found.node.querySelector("details").open = true;
    found.node.scrollIntoView({ block: "start" });
  }

  function start() {
    const view = viewOf();
    awesome.readings.control(one("#reading"), view, (chosen) => {
      go(viewOf().id, chosen);
      start();
    });
    if (standing.length && !one("#reading").hidden) show(view);
    open(view.id);
  }
  /* A row that opens is what the address names; a link to a row keeps the reading. */
  document.addEventListener("click", (event) => {
    const row = event.target.closest(".claim > details > summary");
    const link = event.target.closest("a[href^='#']");
    const id = link && link.getAttribute("href").slice(1);
    if (row) go(row.parentElement.open ? "" : row.nextElementSibling.id, viewOf(), "replaceState");
    else if (lines.some((line) => line.id === id)) {
      event.preventDefault();
      go(id, viewOf());
      open(id);
    }
  });
  window.addEventListener("hashchange", start);
  window.addEventListener("popstate", start);
  // After loading, the browser itself scrolls to the fragment, below the claim's own line.
  window.addEventListener("load", () => requestAnimationFrame(() => open(viewOf().id)));
  start();
})((window.awesome = window.awesome || {}));
