import { get } from "../part/api.js";
import { code, Component, Fragment, h } from "../part/element.js";
import { Heading } from "../part/heading.js";
import { Live } from "../part/live.js";
import { Table } from "../part/table.js";
import { number } from "../part/text.js";

const EVERY_MILLIS = 5000;

/** What the kinds may be sorted by; the largest comes first. */
const ORDERS = [
  ["totalMicros", "Time taken by all"],
  ["count", "Requests"],
  ["p50Micros", "Median"],
  ["p99Micros", "99th percentile"],
];

const COLUMNS = [
  { name: "Kind", head: true, show: (each) => code(each.kind) },
  { name: "Requests", number: true, show: (each) => number(each.count) },
  { name: "Median", number: true, show: (each) => time(each.p50Micros) },
  { name: "99th percentile", number: true, show: (each) => time(each.p99Micros) },
  { name: "Time taken by all", number: true, show: (each) => time(each.totalMicros) },
];

export class Latencies extends Component {
  constructor(props) {
    super(props);
    this.state = { order: ORDERS[0][0] };
  }

  render(props, { order }) {
    return h(
      Fragment,
      null,
      h(Heading, { text: "Latencies" }),
      h("p", null, "From the arrival of a request at a server to its reply, in the last ten minutes."),
      h(
        "label",
        null,
        "Sort by ",
        h(
          "select",
          { class: "small", value: order, onChange: (event) => this.setState({ order: event.currentTarget.value }) },
          ORDERS.map(([key, words]) => h("option", { key, value: key }, words)),
        ),
      ),
      h(Live, {
        what: "latencies",
        everyMillis: () => EVERY_MILLIS,
        load: (signal) => get("/latencies", null, signal),
        show: (answer) =>
          h(Table, {
            label: "Latencies by kind",
            items: [...answer.items].sort((one, other) => other[order] - one[order]),
            keyOf: (each) => each.kind,
            empty: "No request came yet.",
            columns: COLUMNS,
          }),
      }),
    );
  }
}

function time(micros) {
  if (micros < 1000) {
    return `${number(micros)} µs`;
  }
  return micros < 1_000_000 ? `${(micros / 1000).toFixed(1)} ms` : `${(micros / 1_000_000).toFixed(2)} s`;
}
