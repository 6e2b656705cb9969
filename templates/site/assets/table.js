/* A searchable, sortable table of records, a page at a time; the page's script says what its columns are.

   The rows that stand in the page are shown until a reader asks for others. */
(function (awesome) {
  "use strict";
  const { el, one, plural } = awesome.view;
  const PAGE = 100;
  // So many rows are drawn at once, the others when the first are on the screen.
  const FIRST = 25;
  const SLOW = 60;
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function compare(a, b) {
    return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
  }
  function isEmpty(value) {
    return value === undefined || value === "";
  }
  /* Records in the order of a column, those without a value last. */
  function ordered(records, column, descending) {
    const keyed = records.map((record, at) => ({ record, at, value: column.value(record) }));
    keyed.sort((a, b) => {
      if (isEmpty(a.value) || isEmpty(b.value)) return isEmpty(a.value) - isEmpty(b.value) || a.at - b.at;
      return compare(a.value, b.value) * (descending ? -1 : 1) || a.at - b.at;
    });
    return keyed.map((entry) => entry.record);
  }

  /* Records that fit all parts, and for each part those that fit all others. */
  function sift(records, parts) {
    const found = [];
    const others = parts.map(() => []);
    for (const record of records) {
      let failed = -1;
      for (let i = 0; i < parts.length && failed > -2; i += 1) if (!parts[i].test(record)) failed = failed === -1 ? i : -2;
      if (failed === -1) found.push(record);
      else if (failed >= 0) others[failed].push(record);
    }
    return { found, others, leaving: (name) => parts.reduce((all, part, i) => (part.name === name ? all.concat(others[i]) : all), found) };
  }

  /* `records(view)` are all records, once `needs` are loaded; `columns` are `{id, value(record)}`; `row(record)` makes a tr;
     `kind` names the index of words, and `reading(view)` the reading in it; `parts(view)` are the filters besides the box,
     `ignored(view)` messages on unknown names in a link; `command(view)` lists the records on the command line;
     `drawn(result)` is called after drawing. */
  function table({ kind, needs, records, columns, row, word, sort, command, parts, reading = () => "", ignored = () => [], drawn = () => {} }) {
    const box = one("#q");
    const body = one("#rows");
    let view = {};
    let turn = 0;
    let lasted = 0;
    let order = {};

    function column() {
      const id = (view.sort || sort).replace(/^-/u, "");
      return columns.find((entry) => entry.id === id) || columns[0];
    }
    function inOrder(all) {
      const by = view.sort || sort;
      if (order.all !== all || order.by !== by) order = { all, by, list: ordered(all, column(), by.startsWith("-")) };
      return order.list;
    }
    function say(all) {
      one("#note").replaceChildren(...awesome.words.remark(view.q, command(view)), ignored(view).join(" "));
      one("#command").textContent = awesome.words.command(command(view), all.map((part) => part.query));
    }

    /* Load what the view needs, and draw it, unless a later one was asked for meanwhile. */
    async function draw(options) {
      const start = performance.now();
      const mine = (turn += 1);
      const all = [...awesome.words.parts(view.q, kind, reading(view)), ...parts(view)];
      say(all);
      showSort();
      awesome.view.writeView(view, options);
      await awesome.data.need([...needs, ...all.flatMap((part) => part.needs)]);
      if (mine !== turn) return;
      const pool = records(view);
      const result = sift(inOrder(pool), all);
      showRows(result.found, pool.length, mine);
      showChips(all, result);
      drawn({ ...result, view });
      lasted = performance.now() - start;
    }
    function showRows(list, total, mine) {
      const pages = Math.max(1, Math.ceil(list.length / PAGE));
      const page = Math.min(Math.max(1, Number(view.page) || 1), pages);
      view.page = page === 1 ? "" : String(page);
      const shown = list.slice((page - 1) * PAGE, page * PAGE);
      body.replaceChildren(...shown.slice(0, FIRST).map(row));
      if (shown.length > FIRST) {
        const more = () => { if (mine === turn) body.append(...shown.slice(FIRST).map(row)); };
        requestAnimationFrame(() => setTimeout(more));
      }
      one("#count").textContent = list.length === total ? plural(total, word) : `${list.length} of ${plural(total, word)}`;
      body.closest("table").hidden = list.length === 0;
      one("#pager").hidden = pages === 1;
      one("#page").textContent = `page ${page} of ${pages}`;
      one("#previous").disabled = page === 1;
      one("#next").disabled = page === pages;
    }
    function showSort() {
      const by = view.sort || sort;
      for (const button of document.querySelectorAll("th button[data-sort]")) {
        const current = by.replace(/^-/u, "") === button.dataset.sort;
        button.closest("th").setAttribute("aria-sort", current ? (by.startsWith("-") ? "descending" : "ascending") : "none");
      }
    }

    /* A button for each filter of the view, which removes it; with an empty table, the number of records without it. */
    function showChips(all, { found, others }) {
      const drop = (part, label, text) => {
        const button = el("button", { type: "button", class: "drop", "aria-label": label }, text);
        button.addEventListener("click", () => change(part.without));
        return button;
      };
      const narrowing = all.filter((part) => part.name !== "q");
      one("#chips").replaceChildren(...(found.length ? narrowing.map((part) => drop(part, `Remove filter: ${part.label}`, `${part.label} ×`)) : nothing(all, others, drop)));
    }
    function nothing(all, others, drop) {
      const back = all.map((part, i) => ({ part, n: others[i].length })).filter(({ n }) => n > 0);
      const clear = el("button", { type: "button", class: "drop" }, "Clear all filters");
      clear.addEventListener("click", () => change(Object.assign({}, ...all.map((part) => part.without), { q: "" })));
      return [el("p", null, `No ${word} matches all of these.`),
        ...back.map(({ part, n }) => drop(part, null, `Without “${part.label}”: ${plural(n, word)}`)), ...(all.length > 1 ? [clear] : [])];
    }

    /* A change by the reader, which "back" undoes. */
    function change(set) {
      view = { ...view, page: "", ...set };
      if (set.q !== undefined) box.value = set.q;
      return draw({ push: true });
    }
    function load() {
      view = Object.fromEntries(awesome.view.readView());
      box.value = view.q || "";
    }
    /* A fragment that is not a view is the key of a record: show its page of the table. */
    async function point() {
      const key = decodeURIComponent(location.hash.slice(1));
      await awesome.data.need(needs);
      const at = inOrder(records({})).findIndex((record) => record.key === key);
      if (at < 0) return;
      view = { page: String(Math.floor(at / PAGE) + 1) };
      showRows(inOrder(records({})), records({}).length, (turn += 1));
      setTimeout(() => { location.replace(`#${encodeURIComponent(key)}`); });
    }
    function arrive() {
      const isKey = location.hash.length > 1 && !location.hash.includes("=");
      if (!isKey) {
        load();
        return location.hash || turn ? draw() : undefined;
      }
      return document.getElementById(decodeURIComponent(location.hash.slice(1))) ? undefined : point();
    }

    let timer = 0;
    function search() {
      clearTimeout(timer);
      view = { ...view, q: box.value, page: "" };
      return draw();
    }
    box.addEventListener("focus", () => awesome.data.need([...needs, `words-${kind}`]), { once: true });
    box.addEventListener("input", () => {
      clearTimeout(timer);
      if (lasted < SLOW) search();
      else timer = setTimeout(search, lasted);
    });
    one("#search").addEventListener("submit", (event) => {
      event.preventDefault();
      search();
    });
    one("thead").addEventListener("click", (event) => {
      const button = event.target.closest("button[data-sort]");
      if (!button) return;
      const id = button.dataset.sort;
      change({ sort: (view.sort || sort) === id ? `-${id}` : id });
    });
    function go(by) {
      change({ page: String((Number(view.page) || 1) + by) });
      one("#search").scrollIntoView({ block: "start" });
    }
    one("#previous").addEventListener("click", () => go(-1));
    one("#next").addEventListener("click", () => go(1));
    window.addEventListener("hashchange", arrive);
    arrive();
    document.documentElement.dataset.ready = "table";
    return { change, view: () => view };
  }

  awesome.table = table;
  awesome.cell = (label, ...children) => el("td", { "data-label": label }, ...children);
})((window.awesome = window.awesome || {}));
