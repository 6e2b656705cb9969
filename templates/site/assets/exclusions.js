/* The screening log. */
(function (awesome) {
  "use strict";
  const { el, labelOf, one } = awesome.view;
  const { survey, cell } = awesome;

  function near(miss) {
    const axis = awesome.gaps.axisOf(miss.axis);
    const label = axis ? awesome.view.termLabel(axis, miss.term) : miss.term;
    return el("p", { class: "evidence" }, el("strong", null, `Near-miss: ${label}${miss.strength ? `, ${awesome.view.said(axis, miss.strength)}` : ""}.`), awesome.view.dated(miss.because ? ` ${miss.because}` : ""));
  }
  function title(record) {
    const address = (record.urls || [])[0];
    return address && /^https?:\/\//iu.test(address) ? el("a", { href: address, rel: "noopener" }, record.title) : record.title;
  }
  function row(record) {
    return el("tr", { id: record.key },
      el("th", { scope: "row" }, title(record), el("span", { class: "meta" }, record.key),
        record.note ? el("p", { class: "evidence" }, awesome.view.dated(record.note)) : "", (record.near || []).map(near)),
      cell("Stage", labelOf(survey.stages, record.stage)),
      cell("Reason", labelOf(survey.reasons, record.reason)),
      cell("Found by", [record.source, record.query_family].filter((part) => part).join(", ")),
      cell("Screened", el("time", null, record.screened)));
  }
  function order(entries, id) {
    return entries.findIndex((entry) => entry.id === id);
  }

  const fields = one("#fields");
  const TESTS = {
    stage: (value) => (record) => record.stage === value,
    reason: (value) => (record) => record.reason === value,
    near_miss: () => (record) => Boolean(record.near),
  };
  /* The filters of a view; the form shows them. */
  function parts(view) {
    return Object.entries(TESTS).flatMap(([name, test]) => {
      const field = fields.elements.namedItem(name);
      field.value = view[name] || "";
      const option = field.selectedOptions[0];
      return option && field.value ? [{ name, label: option.textContent, test: test(field.value), query: `${name}=${field.value}`, without: { [name]: "" }, needs: [] }] : [];
    });
  }

  const table = awesome.table({
    kind: "exclusions",
    needs: ["exclusions"],
    records: () => awesome.exclusions,
    word: "record",
    sort: "key",
    row,
    parts,
    command: () => "awesome list --kind exclusion",
    columns: [
      { id: "key", value: (record) => record.key },
      { id: "title", value: (record) => record.title },
      { id: "stage", value: (record) => order(survey.stages, record.stage) },
      { id: "reason", value: (record) => order(survey.reasons, record.reason) },
      { id: "source", value: (record) => record.source },
      { id: "screened", value: (record) => record.screened },
    ],
  });
  fields.addEventListener("change", (event) => table.change({ [event.target.name]: event.target.value }));
})((window.awesome = window.awesome || {}));
