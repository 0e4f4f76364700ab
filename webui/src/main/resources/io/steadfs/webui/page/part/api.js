// The REST interface. Every failure is a Problem that says in words what happened and what can be done.

const BASE = "/api/v1";
const DEADLINE_MILLIS = 20_000;

const ADVICE = {
  400: "Change what you entered and try again.",
  403: "Log in as an operator; if you are one, load this page again.",
  404: "It may be gone by now. Go back to the list.",
  409: "Wait until the other one has ended, or end it.",
  429: "Wait before you try again.",
  500: "Look into the log of the web server, and try again.",
  503: "A server may be down; the overview says which. Try again.",
};

/** A request that failed. */
export class Problem extends Error {
  /** @param status of HTTP; 0 where the web server did not answer */
  constructor(status, title, detail, advice) {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.advice = advice;
  }
}

/** A request is not made by the user's hand when nobody touched the page for so long. */
const UNATTENDED_MILLIS = 60_000;

let touchedAt = Date.now();
["pointerdown", "keydown", "wheel"].forEach((each) =>
  window.addEventListener(each, () => (touchedAt = Date.now()), { capture: true, passive: true }),
);

let csrf = "";
let onLoggedOut = () => {};

/** Calls the listener when the server knows no session of ours any more. */
export function whenLoggedOut(listener) {
  onLoggedOut = listener;
}

/** Path segments, each encoded; halves of characters become U+FFFD. */
export function pathOf(...segments) {
  return segments.map((each) => "/" + encodeURIComponent(wellFormed(String(each)))).join("");
}

function wellFormed(text) {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

/** "?a=1", without what is empty. */
export function queryOf(parameters) {
  const query = new URLSearchParams();
  Object.entries(parameters || {}).forEach(([key, value]) => {
    if (value !== undefined && value !== null && value !== "") {
      query.set(key, value);
    }
  });
  const text = query.toString();
  return text ? `?${text}` : "";
}

export function get(path, parameters, signal) {
  return ask("GET", path + queryOf(parameters), undefined, signal);
}

export function post(path, body) {
  return ask("POST", path, body ?? {});
}

export function remove(path) {
  return ask("DELETE", path);
}

/** Who is logged in, or null. */
export async function session() {
  try {
    return known(await ask("GET", "/session"));
  } catch (problem) {
    if (problem.status === 401) {
      return null;
    }
    throw problem;
  }
}

export async function logIn(user, password) {
  return known(await ask("POST", "/session", { user, password }));
}

export async function logOut() {
  await ask("DELETE", "/session");
  csrf = "";
}

function known(answer) {
  csrf = answer.csrf;
  return answer;
}

/** @throws Problem, or the signal's AbortError when nobody waits any more */
async function ask(method, path, body, signal) {
  const deadline = AbortSignal.timeout(DEADLINE_MILLIS);
  const headers = { Accept: "application/json, application/problem+json" };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  if (method !== "GET") {
    headers["X-CSRF-Token"] = csrf;
  }
  if (Date.now() - touchedAt > UNATTENDED_MILLIS) {
    headers["X-Stead-Unattended"] = "true"; // so that a page left open does not keep its session for ever
  }
  let response;
  let text;
  try {
    response = await fetch(BASE + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) {
      throw error;
    }
    throw silent(deadline.aborted);
  }
  if (response.ok) {
    return text === "" ? null : parsed(text);
  }
  const problem = problemOf(response, text);
  if (response.status === 401 && path !== "/session") {
    onLoggedOut();
  }
  throw problem;
}

function silent(late) {
  return new Problem(
    0,
    "The web server does not answer",
    late ? `It did not answer within ${DEADLINE_MILLIS / 1000} s.` : "No connection to it could be made, or it broke.",
    "See whether its process (bin/stead webui) runs; then try again.",
  );
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(0, "The answer is not JSON", text.slice(0, 200), "Something else than SteadFS may answer at this address.");
  }
}

function problemOf(response, text) {
  let fields = {};
  try {
    fields = JSON.parse(text) ?? {};
  } catch {
    // an answer that is none of ours, as a proxy gives it
  }
  const title = fields.title || `Refused with HTTP status ${response.status}`;
  return new Problem(response.status, String(title), fields.detail ? String(fields.detail) : "", advice(response));
}

function advice(response) {
  const seconds = response.headers.get("Retry-After");
  if (/^\d+$/.test(seconds ?? "")) {
    return `Try again in ${seconds} s.`;
  }
  return ADVICE[response.status] || (response.status >= 500 ? ADVICE[500] : "Try again.");
}
