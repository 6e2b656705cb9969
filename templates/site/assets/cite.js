/* Citing: the entries of papers in each format, loaded when they are first asked for, to copy or to save.
   A paper is known by its place among the papers of the survey, `n`. */
(function (awesome) {
  "use strict";
  const { el } = awesome.view;
  const data = new URL("../data/", document.currentScript.src);
  const SIZE = 250; // papers in a shard, as in publish/site/papers.py
  const FORMS = {
    bibtex: { label: "BibTeX", ending: "bib", type: "application/x-bibtex" },
    ris: { label: "RIS", ending: "ris", type: "application/x-research-info-systems" },
    csv: { label: "CSV", ending: "csv", type: "text/csv" },
  };
  const loading = new Map();
  awesome.citations = awesome.citations || {};

  /* A page that is opened from disk may not fetch; a script element works there and on a server. */
  function shard(number) {
    if (!loading.has(number)) {
      loading.set(number, new Promise((done, failed) => {
        const script = el("script", { src: new URL(`cite-${number}.js`, data).href });
        script.addEventListener("load", () => done(awesome.citations[number]));
        script.addEventListener("error", () => {
          loading.delete(number);
          failed(new Error(`data/cite-${number}.js cannot be read`));
        });
        document.head.append(script);
      }));
    }
    return loading.get(number);
  }

  /* The file of some papers in a format. */
  async function text(papers, form) {
    const places = papers.map((paper) => paper.n);
    const shards = new Map();
    for (const number of new Set(places.map((n) => Math.floor(n / SIZE)))) shards.set(number, await shard(number));
    const entries = places.map((n) => shards.get(Math.floor(n / SIZE)).entries[n % SIZE][form]);
    const header = form === "csv" && papers.length ? shards.values().next().value.header : "";
    return header + entries.join(form === "csv" ? "" : "\n");
  }

  /* Saves the papers as a file; the name is that of the only paper, else `name`. */
  async function download(papers, form, name = "papers") {
    const { ending, type } = FORMS[form];
    const address = URL.createObjectURL(new Blob([await text(papers, form)], { type: `${type};charset=utf-8` }));
    const only = papers.length === 1 ? papers[0].key : "";
    const link = el("a", { href: address, download: `${only || name}.${ending}` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  async function copy(button, paper) {
    awesome.view.copyFrom(button, await text([paper], "bibtex"), "Copied", "Not copied");
  }

  /* Buttons of pages: `data-cite` names the format, `data-papers` the places, `data-name` the file. */
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("button[data-cite]");
    if (!pressed) return;
    const papers = pressed.dataset.papers.split(" ").map((n) => ({ n: Number(n) }));
    download(papers, pressed.dataset.cite, pressed.dataset.name);
  });

  awesome.cite = { copy, text, download };
})((window.awesome = window.awesome || {}));
