/* The fragment `#dispute&key=KEY&coding=AXIS=TERM` fills the paper and the coding into the text that disputes one. */
(function (awesome) {
  "use strict";
  const { one, readView } = awesome.view;
  const text = one("#dispute-text");
  const message = one("#dispute a[href*='&body=']");
  const blank = text && text.textContent;
  const [head, body] = message ? message.href.split("&body=") : [];

  function fill() {
    const view = readView();
    if (!view.has("dispute")) return;
    const put = (form) => form.replace(/^KEY$/mu, () => view.get("key") || "KEY").replace(/^AXIS=TERM$/mu, () => view.get("coding") || "AXIS=TERM");
    if (text) text.textContent = put(blank);
    if (message) message.href = `${head}&body=${encodeURIComponent(put(decodeURIComponent(body)))}`;
    if (text) text.parentElement.open = true;
    one("#dispute").scrollIntoView();
  }
  window.addEventListener("hashchange", fill);
  fill();
})((window.awesome = window.awesome || {}));
