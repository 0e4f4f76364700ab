import { get } from "../part/api.js";
import { LineChart } from "../part/chart.js";
import { code, Fragment, h } from "../part/element.js";
import { Facts, Heading } from "../part/heading.js";
import { Live } from "../part/live.js";
import { link } from "../part/router.js";
import { bytes, number, percent, rate, timeOfDay } from "../part/text.js";

const EVERY_MILLIS = 2000;

const VERDICTS = { well: "All is well", degraded: "Degraded", broken: "Broken" };

export function Overview() {
  return h(
    Fragment,
    null,
    h(Heading, { text: "Overview" }),
    h(Live, { what: "the state of the cluster", everyMillis: () => EVERY_MILLIS, load: (signal) => get("/overview", null, signal), show: state }),
    h(Live, {
      what: "the last ten minutes",
      everyMillis: () => EVERY_MILLIS,
      load: (signal) => get("/overview/history", null, signal),
      show: history,
    }),
  );
}

function state(overview) {
  const share = overview.capacityBytes > 0 ? overview.usedBytes / overview.capacityBytes : null;
  return h(
    Fragment,
    null,
    h(Verdict, { overview }),
    h(
      "div",
      { class: "cards" },
      h(
        "section",
        { class: "card", "aria-label": "Cluster" },
        h("h2", null, "Cluster"),
        h(Facts, {
          rows: [
            ["File system", code(overview.fileSystem)],
            ["Epoch of the map", number(overview.epoch)],
            ["Shards", number(overview.shards)],
            [
              "Servers that serve",
              h("a", { href: link(["servers"]) }, `${number(overview.servers.serving)} of ${number(overview.servers.total)}`),
            ],
          ],
        }),
      ),
      h(
        "section",
        { class: "card", "aria-label": "Capacity" },
        h("h2", null, "Capacity of the IO servers"),
        share !== null && h("progress", { value: share, max: 1, "aria-label": `${percent(share)} used` }),
        h(Facts, {
          rows: [
            ["Capacity of the disks", bytes(overview.capacityBytes)],
            ["Used by files", share === null ? "not known" : `${bytes(overview.usedBytes)} (${percent(share)})`],
            ["Free for writers", bytes(overview.freeBytes)],
            ["Other use of the disks", bytes(overview.otherBytes)],
          ],
        }),
        h(AnsweredOf, { what: "IO servers", of: overview.ioServers }),
        overview.away.map((each) => h("p", { key: each.server, class: "small-print" }, lastKnown(each))),
      ),
      h(
        "section",
        { class: "card", "aria-label": "Handles" },
        h("h2", null, h("a", { href: link(["leases"]) }, "Handles")),
        h(Facts, {
          rows: ["inUse", "pooled", "pending", "suspect", "orphan"].map((each) => [
            each === "inUse" ? "In use, about" : each[0].toUpperCase() + each.slice(1),
            number(overview.handles[each]),
          ]),
        }),
        h(AnsweredOf, { what: "IO servers", of: overview.ioServers }),
      ),
      h(
        "section",
        { class: "card", "aria-label": "Work not done yet" },
        h("h2", null, "Work not done yet"),
        Object.keys(overview.pending).length === 0
          ? h("p", null, "Nothing waits.")
          : h(Facts, { rows: Object.entries(overview.pending).map(([what, value]) => [what, number(value)]) }),
        h(AnsweredOf, { what: "servers", of: overview.servers }),
      ),
    ),
  );
}

/** Whose numbers these are, where that is not everybody's. */
function AnsweredOf({ what, of }) {
  return of.serving < of.total && h("p", { class: "small-print" }, `Of ${number(of.total)} ${what} ${number(of.serving)} answered.`);
}

function lastKnown(away) {
  const known =
    away.asOf === null
      ? "what it stores is not known, and not counted."
      : `counted is what was known of it at ${timeOfDay(away.asOf)}: ${bytes(away.usedBytes)} used of ${bytes(away.capacityBytes)}.`;
  return [h("a", { href: link(["servers", away.server]) }, away.server), ` cannot be reached; ${known}`];
}

/** Where a subject is explained; null where nowhere. */
function explained(subject) {
  if (/^(mds|io)-\d+$/.test(subject)) {
    return link(["servers", subject]);
  }
  return subject.startsWith("shard ") || subject === "zookeeper" ? link(["servers"]) : null;
}

function Reason({ reason }) {
  const place = explained(reason.subject);
  return h(
    Fragment,
    null,
    h("span", { class: `badge ${reason.severity}` }, reason.severity),
    " ",
    place ? h("a", { href: place }, reason.subject) : reason.subject,
    ": ",
    reason.text,
    reason.since !== null && h("small", null, ` since ${timeOfDay(reason.since)}`),
  );
}

/** The live region stays the same element, so that only what changed is said. */
function Verdict({ overview }) {
  const reasons = [...overview.reasons].sort((a, b) => (a.severity === b.severity ? 0 : a.severity === "broken" ? -1 : 1));
  return h(
    "section",
    { class: `verdict ${overview.verdict}`, "aria-label": "Verdict" },
    h(
      "div",
      { "aria-live": "polite" },
      h("p", { class: "verdict-word" }, VERDICTS[overview.verdict] ?? overview.verdict),
      reasons.length > 0 &&
        h(
          "ul",
          null,
          reasons.map((each) => h("li", { key: each.text }, h(Reason, { reason: each }))),
        ),
    ),
    h("p", { class: "small-print" }, `As of ${timeOfDay(overview.at)}`),
  );
}

function history({ points }) {
  if (points.length === 0) {
    return h("p", null, "No samples were taken yet; the first comes after some seconds.");
  }
  const times = points.map((each) => each.at);
  const values = (key) => points.map((each) => each[key]);
  const chart = (title, series, show) => h(LineChart, { title, times, series, show });
  return h(
    "div",
    { class: "charts" },
    chart("Requests a second", [{ label: "requests", values: values("requestsPerSecond") }], rate),
    chart("Creates a second", [{ label: "creates", values: values("createsPerSecond") }], rate),
    chart("Bytes a second", [{ label: "read and written", values: values("bytesPerSecond") }], (value) => `${bytes(value)}/s`),
    chart(
      "Handles without a file",
      [
        { label: "pooled", values: values("pooled") },
        { label: "suspect", values: values("suspect") },
        { label: "orphan", values: values("orphan") },
      ],
      number,
    ),
  );
}
