// Where we are: "#/leases/all?holder=5f0c" is the path ["leases", "all"] and the parameters {holder: "5f0c"}.

import { pathOf, queryOf } from "./api.js";

export function place() {
  const hash = window.location.hash.replace(/^#/, "");
  const [path, query] = hash.split(/\?(.*)/s);
  return {
    path: path.split("/").filter((each) => each !== "").map(decoded),
    parameters: Object.fromEntries(new URLSearchParams(query ?? "")),
  };
}

function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Address of a page, for links. */
export function link(path, parameters) {
  return "#" + (path.length ? pathOf(...path) : "/") + queryOf(parameters);
}

export function go(path, parameters) {
  window.location.hash = link(path, parameters);
}

/** Changes the parameters of the page we are at, without a step in the browser's history. */
export function keepParameters(parameters) {
  const at = place();
  window.history.replaceState(null, "", link(at.path, parameters));
}

export function onPlace(listener) {
  window.addEventListener("hashchange", listener);
}
