/* Opens the search box; on its first focus, loads fold.js and finder.js with style and data. */
(function () {
  "use strict";
  const home = document.currentScript.src;
  const box = document.querySelector("#finder");
  const input = box.querySelector("input");

  function add(name, values) {
    document.head.append(Object.assign(document.createElement(name), values));
  }
  function load() {
    add("link", { rel: "stylesheet", href: new URL("find.css", home) });
    for (const path of ["../data/find.js", "fold.js", "finder.js"]) add("script", { async: false, src: new URL(path, home) });
  }
  function open() {
    box.showModal();
    input.select();
  }
  input.addEventListener("focus", load, { once: true });
  document.querySelector("#find").addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=checkbox], [type=range]), select, textarea")) return;
    event.preventDefault();
    open();
  });
})();
