import { get } from "../part/api.js";
import { code, Fragment, h, name } from "../part/element.js";
import { Heading } from "../part/heading.js";
import { Live } from "../part/live.js";
import { Problems } from "../part/notice.js";
import { link } from "../part/router.js";
import { Table } from "../part/table.js";
import { duration, number, rate } from "../part/text.js";

const EVERY_MILLIS = 2000;

const HOT_COLUMNS = [
  { name: "Directory", head: true, wide: true, show: directory },
  { name: "Names made a second", number: true, show: (each) => rate(each.namesPerSecond) },
  { name: "In the busiest partition", number: true, show: (each) => rate(each.most) },
  { name: "Partitions in use", number: true, show: (each) => number(each.partitions) },
  { name: "Names in them", number: true, show: (each) => number(each.entries) },
  { name: "Shards", show: (each) => each.shards.map((shard) => number(shard)).join(", ") },
];

const MOVE_COLUMNS = [
  { name: "Directory", head: true, wide: true, show: directory },
  { name: "Kind", show: (each) => each.kind },
  { name: "From", show: (each) => place(each.source, each.sourceShard) },
  { name: "To", show: (each) => place(each.target, each.targetShard) },
  { name: "Hashes", show: (each) => h(Fragment, null, code(each.firstHash), " to ", code(each.lastHash)) },
  { name: "Names of the source", number: true, show: (each) => number(each.entries) },
  { name: "For", number: true, show: (each) => (each.since === null ? "since before the shard's start" : duration(Date.now() - each.since)) },
];

/** In which directories names are made, and which partitions split and merge now. */
export function Partitions() {
  return h(
    Fragment,
    null,
    h(Heading, { text: "Partitions" }),
    h(Live, {
      what: "the partitions",
      everyMillis: () => EVERY_MILLIS,
      load: (signal) => get("/partitions", null, signal),
      show: activity,
    }),
  );
}

function directory(each) {
  return each.path === null ? h(Fragment, null, "handle ", code(each.handle)) : h("a", { href: link(["directory"], { path: each.path }) }, name(each.path));
}

function place(partition, shard) {
  return `partition ${number(partition)}${shard === null ? "" : ` on shard ${number(shard)}`}`;
}

function activity({ directories, handOvers, problems }) {
  return h(
    Fragment,
    null,
    h(Problems, { title: "Not everything could be asked", lines: problems }),
    h(
      "section",
      null,
      h("h2", null, "Hot directories", h("small", null, " by names made in the last 10 seconds, about")),
      h(Table, {
        label: "Hot directories",
        items: directories,
        keyOf: (each) => each.handle,
        empty: "Names were made nowhere lately.",
        columns: HOT_COLUMNS,
      }),
    ),
    h(
      "section",
      null,
      h("h2", null, "Splits and merges", h("small", null, " that are under way")),
      h(Table, {
        label: "Splits and merges",
        items: handOvers,
        keyOf: (each) => `${each.handle} ${each.source}`,
        empty: "No partition splits or merges now.",
        columns: MOVE_COLUMNS,
      }),
    ),
  );
}
