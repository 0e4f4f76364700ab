import { get } from "../part/api.js";
import { LineChart } from "../part/chart.js";
import { Fragment, h } from "../part/element.js";
import { Heading } from "../part/heading.js";
import { Live } from "../part/live.js";
import { Problems } from "../part/notice.js";
import { link } from "../part/router.js";
import { Table } from "../part/table.js";
import { bytes, duration, isKnown, number } from "../part/text.js";

const EVERY_MILLIS = 4000;

const COLUMNS = [
  { name: "Class", head: true, show: (each) => each.name },
  { name: "Handles", number: true, show: (each) => number(each.handles) },
  { name: "Oldest", number: true, show: (each) => (isKnown(each.oldestMillis) && each.handles > 0 ? duration(each.oldestMillis) : "-") },
  { name: "Bytes", number: true, show: (each) => (isKnown(each.bytes) ? bytes(each.bytes) : "-") },
  { name: "Meaning", wide: true, show: (each) => each.meaning },
];

/** Handles that no file has: for a time that is how it should be, for ever it is a leak. */
export function Leaks() {
  return h(
    Fragment,
    null,
    h(Heading, { text: "Leaks" }),
    h(Live, { what: "the classes of handles", everyMillis: () => EVERY_MILLIS, load: (signal) => get("/leaks", null, signal), show: leaks }),
    h(
      "p",
      null,
      "Handles become pooled and are used or taken back; a class that only grows is a leak. What nobody counts any more is found by the ",
      h("a", { href: link(["fsck"]) }, "check of the file system"),
      ".",
    ),
  );
}

function leaks({ classes, trend, problems }) {
  return h(
    Fragment,
    null,
    h(Problems, { title: "Not everything could be asked", lines: problems }),
    h(Table, { label: "Classes of handles", items: classes, columns: COLUMNS, keyOf: (each) => each.name }),
    trend.length > 0 &&
      h(LineChart, {
        title: "Handles by class",
        times: trend.map((each) => each.at),
        show: number,
        series: ["pooled", "pending", "suspect", "orphan"].map((label) => ({ label, values: trend.map((each) => each[label]) })),
      }),
  );
}
