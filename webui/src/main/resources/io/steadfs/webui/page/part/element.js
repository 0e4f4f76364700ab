// Elements of the page. Every text and every spoken attribute goes through printable(), so no page can forget it; nothing is
// ever set as HTML.

import { Component, createRef, Fragment, h as create, render } from "/webjars/preact/dist/preact.module.js";
import { printable } from "./text.js";

export { Component, createRef, Fragment, render };

const SPOKEN = ["aria-label", "title", "placeholder", "alt", "label"];

/** An element, or a component, with its children. */
export function h(type, attributes, ...children) {
  if (typeof type !== "string") {
    return create(type, attributes, ...children);
  }
  let clean = attributes;
  if (attributes) {
    clean = { ...attributes };
    SPOKEN.filter((each) => typeof clean[each] === "string").forEach((each) => (clean[each] = printable(clean[each])));
  }
  return create(type, clean, ...children.map(shown));
}

function shown(child) {
  if (Array.isArray(child)) {
    return child.map(shown);
  }
  return typeof child === "string" ? printable(child) : child;
}

/** A name that somebody else chose; the direction of its writing does not reach beyond it. */
export function name(text) {
  return h("bdi", { class: "name" }, text);
}

/** A handle, an id, a path. */
export function code(text) {
  return h("bdi", { class: "code" }, text);
}
