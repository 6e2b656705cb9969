/* Helpers of all pages: making elements (texts are always text), the view in the address, copying, cards of papers. */
(function (awesome) {
  "use strict";

  /* Make an element; a string child becomes a text node, so nothing in a record is ever markup. */
  function el(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === true) node.setAttribute(key, "");
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, String(value));
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return node;
  }
  /* A text in parts, of which each day is marked as such, so that none is broken at the end of a line. */
  function dated(text) {
    return text.split(/\b(\d{4}-\d\d-\d\d)\b/u).map((part, i) => (i % 2 ? el("time", null, part) : part));
  }
  function one(selector) {
    return document.querySelector(selector);
  }

  /* The view is the fragment of the address: it survives copying, and works for a page opened from disk. */
  function readView() {
    return new URLSearchParams(location.hash.slice(1));
  }
  function written(view) {
    const kept = new URLSearchParams();
    for (const [key, value] of Object.entries(view)) if (value) kept.set(key, value);
    return kept.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%3D", "=");
  }
  /* A deliberate change is pushed, so that "back" undoes it; typing replaces the view. */
  function writeView(view, { push = false } = {}) {
    const text = written(view);
    // Dropping the fragment needs the path: "" would leave it as it is.
    const address = text ? `#${text}` : location.pathname + location.search;
    if (push && location.hash !== (text && `#${text}`)) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }
  const LOCAL = /^(?:localhost|127\..*|\[::1\])$/u;
  /* The address of the view for others: on the site, where that is known; empty for a copy on the reader's own machine. */
  function address() {
    const { base } = awesome.survey;
    if (base) return base + (location.pathname.split("/").pop() || "index.html") + location.hash;
    return location.protocol === "file:" || LOCAL.test(location.hostname) ? "" : location.href;
  }
  function copyLink(button) {
    copyFrom(button, address() || location.href, address() ? undefined : "Copied; the link works on this machine only");
  }

  /* `12,345`; starting the browser's own formatter would take a tenth of a second on a phone. */
  function grouped(n) {
    return String(n).replace(/\B(?=(?:\d{3})+$)/gu, ",");
  }
  function plural(n, word) {
    return `${grouped(n)} ${word}${n === 1 ? "" : "s"}`;
  }
  function labelOf(entries, id) {
    const found = entries.find((entry) => entry.id === id);
    return found ? found.label : id;
  }
  function termLabel(axis, id) {
    const term = axis.terms.find((entry) => entry.id === id);
    return term ? (term.code ? `${term.code} ${term.label}` : term.label) : id;
  }
  /* A strength as people read it; of a retired one, that the paper was not read again since. */
  function said(axis, strength) {
    return axis && axis.retired[strength] ? `${strength}, not yet re-read` : strength;
  }
  function byline(paper) {
    const names = (paper.authors || []).map((author) => author.split(",")[0].trim());
    const known = names.filter((name) => name !== "others");
    if (known.length === 0) return "";
    if (names.length === 1) return known[0];
    return known.length === 2 && names.length === 2 ? `${known[0]} and ${known[1]}` : `${known[0]} et al.`;
  }
  function meta(paper) {
    return [byline(paper), paper.year, paper.venue].filter((part) => part).join(" · ");
  }
  function paperLink(paper) {
    return el("a", { href: `papers/${encodeURIComponent(paper.key)}.html` }, paper.title);
  }

  function copyText(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const area = el("textarea", { class: "offscreen", "aria-hidden": "true", tabindex: "-1" });
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied ? Promise.resolve() : Promise.reject(new Error("copying was refused"));
  }
  /* Copy, and say so on the button and to a screen reader. */
  function copyFrom(button, text, done = "Copied", refused = "Select the text and copy it") {
    button.dataset.before = button.dataset.before || button.textContent;
    const say = (words) => {
      button.textContent = words;
      const status = one("#status");
      if (status) status.textContent = words;
      setTimeout(() => {
        button.textContent = button.dataset.before;
      }, 3000);
    };
    copyText(text).then(() => say(done), () => say(refused));
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy]");
    if (button) copyFrom(button, one(`#${button.dataset.copy}`).textContent);
  });

  awesome.view = { dated, el, one, readView, writeView, grouped, plural, labelOf, termLabel, said, meta, paperLink, address, copyText, copyFrom, copyLink };
})((window.awesome = window.awesome || {}));
