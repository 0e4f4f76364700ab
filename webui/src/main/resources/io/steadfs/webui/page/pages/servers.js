import { get, pathOf } from "../part/api.js";
import { code, Fragment, h } from "../part/element.js";
import { Facts, Heading } from "../part/heading.js";
import { Live } from "../part/live.js";
import { Notice, Problems } from "../part/notice.js";
import { link } from "../part/router.js";
import { PagedTable, Table } from "../part/table.js";
import { bytes, duration, number, percent, timeOfDay } from "../part/text.js";

const EVERY_MILLIS = 5000;

const ROLES = [
  ["mds", "metadata server"],
  ["io", "IO server"],
];

/** What a state means, and how bad it is. */
const STATES = {
  serves: { kind: "well", words: "serves" },
  silent: { kind: "broken", words: "does not answer" },
  down: { kind: "broken", words: "does not run" },
  "not announced": { kind: "degraded", words: "never served" },
};

const FILTERS = [
  { key: "role", label: "Role", options: ROLES },
  { key: "state", label: "State", options: Object.entries(STATES).map(([state, { words }]) => [state, words]) },
];

const COLUMNS = [
  { name: "Server", head: true, show: (each) => h("a", { href: link(["servers", each.server]) }, each.server) },
  { name: "Role", show: (each) => Object.fromEntries(ROLES)[each.role] ?? each.role },
  { name: "State", show: (each) => h(State, { of: each.state }) },
  { name: "Address", show: (each) => code(each.address) },
  { name: "Up for", number: true, show: (each) => (answers(each) ? duration(each.uptimeMillis) : "-") },
  { name: "Fill", show: (each) => h(Fill, { of: each }) },
  { name: "Used", number: true, show: (each) => space(each, each.usedBytes) },
  { name: "Free", number: true, show: (each) => space(each, each.freeBytes) },
  { name: "Capacity", number: true, show: (each) => space(each, each.capacityBytes) },
  { name: "Problems", wide: true, show: (each) => (each.problems?.length ? h("ul", null, each.problems.map((line) => h("li", { key: line }, line))) : "none") },
];

export function Servers({ path }) {
  return path.length > 0 ? h(Server, { server: path[0] }) : h(List);
}

function List() {
  return h(
    Fragment,
    null,
    h(Heading, { text: "Servers" }),
    h(PagedTable, {
      label: "Servers",
      search: "Search name, address, problem",
      filters: FILTERS,
      columns: COLUMNS,
      keyOf: (each) => each.server,
      everyMillis: EVERY_MILLIS,
      empty: "The cluster map names no server.",
      load: (parameters, signal) => get("/servers", parameters, signal),
    }),
  );
}

function answers(server) {
  return server.state === "serves";
}

/** How much of the disk is used by SteadFS, and by what else; as of when, where that is not now. */
function Fill({ of }) {
  if (of.capacityBytes === 0) {
    return "-";
  }
  const used = of.usedBytes / of.capacityBytes;
  const other = Math.max(0, 1 - used - of.freeBytes / of.capacityBytes);
  const words = `${percent(used)} used by SteadFS, ${percent(other)} other use of the disk`;
  return h(
    Fragment,
    null,
    h(
      "svg",
      { class: "fill", viewBox: "0 0 100 8", preserveAspectRatio: "none", role: "img", "aria-label": words },
      h("title", null, words),
      h("rect", { class: "fill-other", x: 0, y: 0, width: 100 * (used + other), height: 8 }),
      h("rect", { class: "fill-used", x: 0, y: 0, width: 100 * used, height: 8 }),
    ),
    !answers(of) && of.asOf !== null && h("small", null, ` as of ${timeOfDay(of.asOf)}`),
  );
}

function space(server, value) {
  return server.capacityBytes > 0 ? bytes(value) : "-";
}

function State({ of }) {
  const state = STATES[of] ?? { kind: "degraded", words: of };
  return h("span", { class: `badge ${state.kind}` }, state.words);
}

function Server({ server }) {
  return h(
    Fragment,
    null,
    h(Heading, { text: `Server ${server}` }, h("a", { href: link(["servers"]) }, "All servers")),
    h(Live, {
      what: server,
      of: server,
      everyMillis: () => EVERY_MILLIS,
      load: (signal) => get(`/servers${pathOf(server)}`, null, signal),
      show: details,
    }),
  );
}

function details(server) {
  const facts = [
    ["Role", Object.fromEntries(ROLES)[server.role] ?? server.role],
    ["State", h(State, { of: server.state })],
    ["Address", code(server.address)],
    ["Up for", answers(server) ? duration(server.uptimeMillis) : "-"],
  ];
  if (server.capacityBytes > 0) {
    facts.push(
      ["Capacity of the disk", bytes(server.capacityBytes)],
      [server.role === "io" ? "Used by files" : "Used by tables", bytes(server.usedBytes)],
      ["Free", bytes(server.freeBytes)],
      ["Fill", h(Fill, { of: server })],
    );
    if (!answers(server)) {
      facts.push(["Figures as of", server.asOf === null ? "not known" : timeOfDay(server.asOf)]);
    }
  }
  return h(
    Fragment,
    null,
    !answers(server) &&
      h(
        Notice,
        { kind: "broken", title: `${server.server} ${STATES[server.state]?.words ?? server.state}` },
        h("p", null, `It was asked at ${server.address} and gave no counters. See whether its process runs, and its log.`),
      ),
    h(Problems, { title: "What is wrong", lines: server.problems }),
    h("section", { class: "card", "aria-label": "Server" }, h(Facts, { rows: facts })),
    answers(server) && server.role === "mds" && h(Copies, { server }),
    answers(server) && values("Gauges", "as they are now", server.gauges),
    answers(server) && values("Counters", "since the server started", server.counters),
  );
}

const COPIES = [
  { name: "Shard", head: true, show: (each) => each.shard },
  { name: "Held of others", number: true, show: (each) => number(each.gauge("held")) },
  { name: "Given to others", number: true, show: (each) => number(each.gauge("given")) },
  { name: "Asked for", number: true, show: (each) => number(each.counter("asked")) },
  { name: "Dropped when recalled", number: true, show: (each) => number(each.counter("dropped")) },
  { name: "Recalls sent", number: true, show: (each) => number(each.counter("recalls")) },
  { name: "Changes that waited", number: true, show: (each) => number(each.counter("waits")) },
  { name: "Average wait", number: true, show: (each) => averageWait(each) },
  { name: "Terms that ran out", number: true, show: (each) => number(each.counter("overdue")) },
  { name: "Waiting now", number: true, show: (each) => number(each.gauge("waiting")) },
  { name: "Waiting for", show: (each) => each.awaited },
];

function averageWait(shard) {
  // Those that wait still are not in the time.
  const waits = shard.counter("waits") - shard.gauge("waiting");
  return waits <= 0 ? "-" : `${number(Math.round(shard.counter("waits.micros") / waits))} us`;
}

/** What one shard tells of its copies. */
function copiesOf(server, shard) {
  const prefix = `shard.${shard}.copies.`;
  const awaited = Object.entries(server.gauges).filter(([name]) => name.startsWith(`${prefix}awaited-`));
  return {
    shard,
    gauge: (name) => server.gauges[prefix + name] ?? 0,
    counter: (name) => server.counters[prefix + name] ?? 0,
    awaited: awaited.map(([name, copies]) => `${number(copies)} of shard ${name.slice(`${prefix}awaited-`.length)}`).join(", ") || "nothing",
  };
}

function Copies({ server }) {
  const shards = Object.keys(server.gauges)
    .map((name) => /^shard\.(\d+)\.copies\.held$/.exec(name))
    .filter((found) => found !== null)
    .map((found) => Number(found[1]))
    .sort((a, b) => a - b);
  return h(
    "section",
    null,
    h("h2", null, "Copies of directories", h("small", null, " that shards hold of one another; each is good for ", code("stead.mds.copies.term"), " at most")),
    h(Table, {
      label: "Copies of directories",
      items: shards.map((shard) => copiesOf(server, shard)),
      keyOf: (each) => each.shard,
      empty: "The server has no shard.",
      columns: COPIES,
    }),
  );
}

function values(title, since, all) {
  const items = Object.entries(all ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return h(
    "section",
    null,
    h("h2", null, title, h("small", null, ` ${since}`)),
    h(Table, {
      label: title,
      items,
      keyOf: ([key]) => key,
      empty: "The server told none.",
      columns: [
        { name: "Name", head: true, show: ([key]) => code(key) },
        { name: "Value", number: true, show: ([, value]) => number(value) },
      ],
    }),
  );
}
