import { get, pathOf, post } from "../part/api.js";
import { bars } from "../part/bars.js";
import { code, Component, Fragment, h, name } from "../part/element.js";
import { Facts, Heading } from "../part/heading.js";
import { Live } from "../part/live.js";
import { Failure, Problems } from "../part/notice.js";
import { link } from "../part/router.js";
import { PagedTable, Table } from "../part/table.js";
import { bytes, duration, number } from "../part/text.js";

const PROTOCOLS = ["unified", "basecase", "compound", "leased", "precreated", "eager", "delegated", "lazy"];

const RECENT = [
  { name: "Operation", head: true, show: (each) => h("a", { href: link(["timeline", each.trace]) }, code(each.trace)) },
  { name: "Began before", number: true, show: (each) => duration(each.agoNanos / 1e6) },
  { name: "Took", number: true, show: (each) => micros(each.nanos) },
  { name: "Messages", number: true, show: (each) => number(each.messages) },
  { name: "Kinds", wide: true, show: (each) => each.kinds.join(", ") },
  { name: "Servers", show: (each) => each.servers.join(", ") },
];

const MESSAGES = [
  { name: "Message", head: true, show: (each) => each.kind },
  { name: "Step", show: (each) => name(each.step) },
  { name: "From", show: (each) => each.from },
  { name: "To", show: (each) => each.to },
  { name: "Sent at", number: true, show: (each) => micros((each.sent ?? each.served).beginNanos) },
  { name: "Took", number: true, show: (each) => (each.sent ? took(each.sent) : "-") },
  { name: "At the server", number: true, show: (each) => (each.served ? took(each.served) : "-") },
  { name: "Commit", number: true, show: (each) => (each.served?.commit ? took(each.served.commit) : "-") },
  { name: "Bytes", number: true, show: (each) => bytes(each.bytes) },
  { name: "Outcome", show: (each) => each.outcome },
];

function micros(nanos) {
  return `${number(Math.round(nanos / 1000))} µs`;
}

function took(span) {
  return micros(span.endNanos - span.beginNanos);
}

/** What a create is made of: each message a bar on its server's lane. */
export function Timeline({ path, isOperator }) {
  return path[0] ? h(One, { trace: path[0] }) : h(Recent, { isOperator });
}

function One({ trace }) {
  return h(
    Fragment,
    null,
    h(Heading, { text: "Timeline of an operation" }, h("a", { href: link(["timeline"]) }, "All operations")),
    h(Live, {
      what: "the timeline",
      of: trace,
      load: (signal) => get(`/timeline${pathOf(trace)}`, null, signal),
      show: (timeline) =>
        timeline.messages.length > 0 ? h(Drawn, { timeline }) : h("p", { class: "empty" }, "No server keeps a message of it any more."),
    }),
  );
}

class Recent extends Component {
  constructor(props) {
    super(props);
    this.state = { protocol: PROTOCOLS[0], columns: "2", working: false, problem: null, probe: null };
    this.submit = this.submit.bind(this);
  }

  async submit(event) {
    event.preventDefault();
    this.setState({ working: true, problem: null });
    try {
      const { protocol, columns } = this.state;
      const timeline = await post("/timeline/probes", { protocol, columns: Number(columns) });
      this.setState(({ probe }) => ({ probe: { protocol, timeline, number: (probe?.number ?? 0) + 1 }, working: false }));
    } catch (problem) {
      this.setState({ problem, working: false });
    }
  }

  render({ isOperator }, { problem, probe }) {
    return h(
      Fragment,
      null,
      h(Heading, { text: "Timeline of a create" }),
      h("p", null, "Every message of an operation, and what its server did with it: how long it waited there, how long it was worked on, and the durable commit."),
      isOperator ? this.form() : h("p", { class: "small-print" }, "You may look. To run a probe create, log in as an operator."),
      problem && h(Failure, { problem }),
      probe &&
        h(
          "section",
          { class: "probe", "aria-live": "polite", "aria-label": "Probe" },
          h("h2", null, `A create by ${probe.protocol}`),
          h(Drawn, { key: probe.number, timeline: probe.timeline }),
        ),
      h("h2", null, "Recent operations"),
      h(PagedTable, {
        label: "Recent operations",
        search: "Search kind, server",
        columns: RECENT,
        keyOf: (each) => each.trace,
        empty: "No server keeps a message of any operation.",
        version: probe?.number,
        load: (parameters, signal) => get("/timeline", parameters, signal),
      }),
    );
  }

  form() {
    const { protocol, columns, working } = this.state;
    return h(
      "form",
      { class: "questions", onSubmit: this.submit },
      h(
        "label",
        null,
        "Protocol",
        h(
          "select",
          { value: protocol, onChange: (event) => this.setState({ protocol: event.currentTarget.value }) },
          PROTOCOLS.map((each) => h("option", { key: each, value: each }, each)),
        ),
      ),
      h(
        "label",
        null,
        "Columns",
        h("input", { type: "number", min: 1, max: 64, required: true, value: columns, onInput: (event) => this.setState({ columns: event.currentTarget.value }) }),
      ),
      h("button", { type: "submit", disabled: working }, working ? "Creating ..." : "Create a file and draw it"),
    );
  }
}

function Drawn({ timeline }) {
  return h(
    Fragment,
    null,
    h(Problems, { title: "Not everything could be asked", lines: timeline.problems }),
    h(Facts, {
      rows: [
        ["Operation", code(timeline.trace)],
        ["Took", micros(timeline.nanos)],
        ["Messages", number(timeline.messages.length)],
      ],
    }),
    bars(timeline),
    h("p", { class: "small-print" }, timeline.clocks),
    h(Table, { label: "Messages of the operation", items: timeline.messages, columns: MESSAGES }),
  );
}
