/* Opens the search box by its button or "/"; finder.js, its style and its data are loaded on the first focus. */
(function () {
  "use strict";
  const home = document.currentScript.src;
  const box = document.querySelector("#finder");
  const input = box.querySelector("input");
  const TEXT = "input:not([type=checkbox], [type=range]), select, textarea, [contenteditable]";

  function add(name, values) {
    document.head.append(Object.assign(document.createElement(name), values));
  }
  function load() {
    add("link", { rel: "stylesheet", href: new URL("find.css", home) });
    for (const path of ["../data/find.js", "finder.js"]) add("script", { async: false, src: new URL(path, home) });
  }
  function open() {
    box.showModal();
    input.select();
  }
  input.addEventListener("focus", load, { once: true });
  document.querySelector("#find").addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(TEXT)) return;
    event.preventDefault();
    open();
  });
})();
