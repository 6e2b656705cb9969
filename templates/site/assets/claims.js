/* The claims in a reading of contested codings: each line takes its answer and figure from the table in its details. */
(function (awesome) {
  "use strict";
  const { el, one, plural, readView, writeView } = awesome.view;
  const lines = Array.from(document.querySelectorAll(".claim"), (node) => ({
    node,
    id: node.querySelector(".more").id,
    rows: Array.from(node.querySelectorAll("tr[data-reading]")),
  }));
  const standing = lines.filter((line) => line.rows.length);
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
  /* Show a line's answer in a reading; true if it flips. */
  function read(line, reading) {
    const [coded] = line.rows;
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
    const links = turned.flatMap((line, i) => [i ? ", " : "", el("a", { href: `#${line.id}` }, line.id.replaceAll("-", " "))]);
    one("#turns").hidden = !words;
    one("#turns").replaceChildren(`In the ${words}, ${turned.length ? plural(turned.length, "claim") : "no claim"} of ${standing.length} ${turned.length === 1 ? "gets" : "get"} another answer`, turned.length ? ": " : "", ...links, ".");
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
      writeView(chosen, { push: true });
      start();
    });
    if (standing.length && !one("#reading").hidden) show(view);
    open(view.id);
  }
  window.addEventListener("hashchange", start);
  window.addEventListener("popstate", start);
  start();
})((window.awesome = window.awesome || {}));
