// The one h1 of a page. It takes the focus when the page is come to.

import { h } from "./element.js";

export function Heading({ text, children }) {
  return h("header", { class: "heading" }, h("h1", { tabIndex: -1 }, text), children);
}

/** Links to the parts of a page. @param parts [[name, address, whether it is shown]] */
export function Parts({ label, parts }) {
  return h(
    "nav",
    { class: "parts", "aria-label": label },
    h(
      "ul",
      null,
      parts.map(([text, href, isHere]) => h("li", { key: href }, h("a", { href, "aria-current": isHere ? "page" : undefined }, text))),
    ),
  );
}

/** Names and values. @param rows [[name, value]] */
export function Facts({ rows }) {
  return h("dl", { class: "facts" }, rows.map(([label, value]) => h("div", { key: label }, h("dt", null, label), h("dd", null, value))));
}
