/* The table of papers. */
(function (awesome) {
  "use strict";
  const { el, meta, paperLink, termLabel } = awesome.view;
  const { survey, cell } = awesome;
  const axes = survey.badges.map((id) => awesome.gaps.axisOf(id));

  function tags(paper, axis) {
    return (paper.tags || {})[axis.id] || [];
  }
  function badge(axis, tag) {
    const strength = tag.strength ? `, ${tag.strength}` : "";
    const contested = tag.grade ? ", contested" : "";
    return el("li", null, el("a", { href: `terms/${axis.id}.${tag.term}.html` }, termLabel(axis, tag.term)), `${strength}${contested}`);
  }
  function row(paper) {
    const about = meta({ ...paper, year: "", venue: "" });
    return el("tr", null,
      el("th", { scope: "row" }, paperLink(paper), about ? el("span", { class: "meta" }, about) : ""),
      cell("Year", String(paper.year || "")),
      cell("Venue", paper.venue || ""),
      axes.map((axis) => cell(axis.label, tags(paper, axis).length ? el("ul", { class: "tags" }, tags(paper, axis).map((tag) => badge(axis, tag))) : "")));
  }
  /* Terms sort in the order of the taxonomy. */
  function place(paper, axis) {
    const first = tags(paper, axis)[0];
    return first ? axis.terms.findIndex((term) => term.id === first.term) : undefined;
  }

  awesome.table({
    records: () => awesome.data.load("names").then(() => awesome.papers),
    word: "paper",
    sort: "-year",
    row,
    columns: [
      { id: "title", value: (paper) => paper.title },
      { id: "year", value: (paper) => paper.year },
      { id: "venue", value: (paper) => paper.venue },
      ...axes.map((axis) => ({ id: axis.id, value: (paper) => place(paper, axis) })),
    ],
  });
})((window.awesome = window.awesome || {}));
