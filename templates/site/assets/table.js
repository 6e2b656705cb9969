/* A searchable, sortable table of records, a page at a time; the page's script says what its columns are. */
(function (awesome) {
  "use strict";
  const { el, one, plural } = awesome.view;
  const PAGE = 100;
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return collator.compare(String(a), String(b));
  }

  /* `records()` promises the records; `columns` are `{id, value(record) or null, cells}`; `row(record)` makes a tr. */
  function table(options) {
    const { columns, row, word, sort } = options;
    const box = one("#q");
    const body = one("#rows");
    const pager = one("#pager");
    let view = {};
    let records = [];

    function found() {
      const understood = awesome.query.understand(view.q || "");
      one("#note").textContent = understood.error || understood.note || "";
      one("#note").classList.toggle("error", Boolean(understood.error));
      box.setAttribute("aria-invalid", String(Boolean(understood.error)));
      return understood.error ? null : records.filter(understood.test);
    }
    function sorted(list) {
      const descending = (view.sort || sort).startsWith("-");
      const column = columns.find((entry) => entry.id === (view.sort || sort).replace(/^-/u, "")) || columns[0];
      const keyed = list.map((record, at) => ({ record, at, value: column.value(record) }));
      keyed.sort((a, b) => {
        const emptyA = a.value === undefined || a.value === "";
        const emptyB = b.value === undefined || b.value === "";
        if (emptyA !== emptyB) return emptyA ? 1 : -1;
        return (emptyA ? 0 : compare(a.value, b.value) * (descending ? -1 : 1)) || a.at - b.at;
      });
      return keyed.map((entry) => entry.record);
    }
    async function draw() {
      records = await options.records();
      const { test } = awesome.query.understand(view.q || "");
      if (test) await awesome.data.need(test.needs);
      const list = found();
      if (list !== null) {
        const pages = Math.max(1, Math.ceil(list.length / PAGE));
        const page = Math.min(Math.max(1, Number(view.page) || 1), pages);
        body.replaceChildren(...sorted(list).slice((page - 1) * PAGE, page * PAGE).map(row));
        one("#count").textContent = list.length === records.length ? plural(list.length, word) : `${list.length} of ${plural(records.length, word)}`;
        pager.hidden = pages === 1;
        one("#page").textContent = `page ${page} of ${pages}`;
        one("#previous").disabled = page === 1;
        one("#next").disabled = page === pages;
        view.page = page === 1 ? "" : String(page);
      }
      for (const button of document.querySelectorAll("th button[data-sort]")) {
        const current = (view.sort || sort).replace(/^-/u, "") === button.dataset.sort;
        const order = (view.sort || sort).startsWith("-") ? "descending" : "ascending";
        button.closest("th").setAttribute("aria-sort", current ? order : "none");
      }
      awesome.view.writeView(view);
    }
    function load() {
      view = Object.fromEntries(awesome.view.readView());
      box.value = view.q || "";
    }

    let timer = 0;
    function search() {
      clearTimeout(timer);
      view = { ...view, q: box.value, page: "" };
      draw();
    }
    box.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(search, 120);
    });
    one("#search").addEventListener("submit", (event) => {
      event.preventDefault();
      search();
    });
    one("thead").addEventListener("click", (event) => {
      const button = event.target.closest("button[data-sort]");
      if (!button) return;
      const id = button.dataset.sort;
      view = { ...view, sort: (view.sort || sort) === id ? `-${id}` : id, page: "" };
      draw();
    });
    function turn(by) {
      view = { ...view, page: String((Number(view.page) || 1) + by) };
      draw();
      one("#search").scrollIntoView({ block: "start" });
    }
    one("#previous").addEventListener("click", () => turn(-1));
    one("#next").addEventListener("click", () => turn(1));
    for (const example of document.querySelectorAll("button[data-query]")) {
      example.addEventListener("click", () => {
        box.value = example.dataset.query;
        search();
        box.focus();
      });
    }
    window.addEventListener("hashchange", () => { load(); draw(); });
    load();
    if (location.hash) draw();
    document.documentElement.dataset.ready = "table";
  }

  awesome.table = table;
  awesome.cell = (label, ...children) => el("td", { "data-label": label }, ...children);
})((window.awesome = window.awesome || {}));
