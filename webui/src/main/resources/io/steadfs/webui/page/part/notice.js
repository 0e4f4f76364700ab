// Something said to the user: done, a warning, a failure with what can be done.

import { h } from "./element.js";

/** @param kind "well", "degraded", "broken" or "plain" */
export function Notice({ kind = "plain", title, children, onClose }) {
  return h(
    "div",
    { class: `notice ${kind}`, role: kind === "broken" ? "alert" : "status" },
    h("div", { class: "notice-text" }, title && h("strong", null, title), children),
    onClose && h("button", { type: "button", class: "small outline", onClick: onClose }, "Close"),
  );
}

/** A failed request. */
export function Failure({ problem, again, since }) {
  return h(
    Notice,
    { kind: "broken", title: problem.title || "Something went wrong" },
    problem.detail && h("p", null, problem.detail),
    !problem.title && h("p", null, String(problem.message)),
    since && h("p", null, since),
    h(
      "p",
      null,
      problem.advice || "Load this page again.",
      again && " ",
      again && h("button", { type: "button", class: "small outline", onClick: again }, "Try again"),
    ),
  );
}

/** Lines that servers said, if any. */
export function Problems({ title, lines }) {
  if (!lines || lines.length === 0) {
    return null;
  }
  return h(Notice, { kind: "degraded", title }, h("ul", null, lines.map((line) => h("li", { key: line }, line))));
}
