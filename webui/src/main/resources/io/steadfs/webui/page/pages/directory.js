import { get } from "../part/api.js";
import { code, Component, Fragment, h, name } from "../part/element.js";
import { Facts, Heading } from "../part/heading.js";
import { moves, PartitionMap, STATES } from "../part/partition-map.js";
import { go, link } from "../part/router.js";
import { PagedTable, Table } from "../part/table.js";
import { bytes, counted, isKnown, moment, number, rate } from "../part/text.js";

const EVERY_MILLIS = 5000;
/** Up to so many partitions are in an open table; of more, the table is opened by hand. */
const OPEN_PARTITIONS = 16;

const COLUMNS = [
  { name: "Type", show: (each) => each.type },
  { name: "Handle", show: (each) => code(each.handle) },
  { name: "Length", number: true, show: (each) => (each.type !== "file" || !isKnown(each.length) ? "-" : bytes(each.length)) },
  { name: "Owner", show: (each) => name(each.owner ?? "-") },
  { name: "Group", show: (each) => name(each.group ?? "-") },
  { name: "Mode", show: (each) => code(mode(each.mode)) },
  { name: "Modified", show: (each) => (isKnown(each.modifiedAt) ? moment(each.modifiedAt) : "-") },
];

const PARTITION_COLUMNS = [
  { name: "Partition", head: true, show: (each) => number(each.number) },
  { name: "Part of all hashes", show: (each) => (each.depth ? `1/${number(2 ** each.depth)}` : "all") },
  { name: "Shard", show: (each) => number(each.shard) },
  { name: "Server", show: (each) => (each.server ? h("a", { href: link(["servers", each.server]) }, each.server) : "no server serves it") },
  { name: "Names", number: true, show: (each) => (each.countedWith === null ? number(each.entries) : `with ${number(each.countedWith)}`) },
  { name: "Made a second", number: true, show: (each) => rate(each.namesPerSecond) },
  { name: "First hash", show: (each) => code(each.firstHash) },
  { name: "Last hash", show: (each) => code(each.lastHash) },
  { name: "State", show: (each) => (each.state === "steady" ? STATES.steady : h("span", { class: "badge degraded", title: moves(each) }, STATES[each.state] ?? each.state)) },
];

/** One directory: its names, and where they are kept. */
export function Directory({ parameters }) {
  const path = parameters.path || "/";
  return h(
    Fragment,
    null,
    h(Heading, { text: "Directory" }),
    h(Way, { path }),
    h(GoTo, { key: `to ${path}`, path }),
    h(PagedTable, {
      key: path,
      label: `Names in ${path}`,
      empty: "The directory is empty.",
      columns: [{ name: "Name", head: true, wide: true, show: (each) => nameIn(path, each) }, ...COLUMNS],
      keyOf: (each) => each.name,
      everyMillis: EVERY_MILLIS,
      load: (page, signal) => get("/directory", { path, ...page }, signal),
      beside: whereItIs,
    }),
  );
}

function isDirectory(item) {
  return item.type === "directory";
}

function below(path, child) {
  return path === "/" ? `/${child}` : `${path}/${child}`;
}

function nameIn(path, item) {
  const to = { href: link(["directory"], { path: below(path, item.name) }) };
  if (item.type === "link") {
    return h(Fragment, null, h("a", to, name(item.name)), " → ", name(item.target));
  }
  return isDirectory(item) ? h("a", to, name(item.name), "/") : name(item.name);
}

function mode(value) {
  if (!isKnown(value)) {
    return "-";
  }
  return typeof value === "number" ? value.toString(8).padStart(4, "0") : String(value);
}

function Way({ path }) {
  const names = path.split("/").filter((each) => each !== "");
  const steps = names.map((each, i) => [each, "/" + names.slice(0, i + 1).join("/")]);
  return h(
    "nav",
    { class: "way", "aria-label": "Way from the root" },
    h(
      "ol",
      null,
      [["/", "/"], ...steps].map(([text, to], i) =>
        h("li", { key: to }, h("a", { href: link(["directory"], { path: to }), "aria-current": i === names.length ? "page" : undefined }, name(text))),
      ),
    ),
  );
}

class GoTo extends Component {
  constructor(props) {
    super(props);
    this.state = { typed: props.path };
  }

  render(props, { typed }) {
    const submit = (event) => {
      event.preventDefault();
      go(["directory"], { path: typed.startsWith("/") ? typed : `/${typed}` });
    };
    return h(
      "form",
      { class: "questions", onSubmit: submit },
      h(
        "label",
        { class: "grow" },
        "Path",
        h("input", { value: typed, autocomplete: "off", spellcheck: false, dir: "ltr", onInput: (event) => this.setState({ typed: event.currentTarget.value }) }),
      ),
      h("button", { type: "submit" }, "Go"),
    );
  }
}

function total(partitions, key) {
  return partitions.reduce((sum, each) => sum + (each[key] ?? 0), 0);
}

function whereItIs(answer) {
  const { partitions } = answer;
  return h(
    "section",
    { class: "card", "aria-label": "Where the directory is kept" },
    h("h2", null, "Where it is kept"),
    h(Facts, {
      rows: [
        ["Handle", code(answer.handle)],
        ["Shard", number(answer.shard)],
        ["Server", answer.server ? h("a", { href: link(["servers", answer.server]) }, answer.server) : "no server serves it"],
        ["Partitions", number(partitions.length)],
        ["Names", number(total(partitions, "entries"))],
        ["Made a second", rate(total(partitions, "namesPerSecond"))],
      ],
    }),
    partitions.length > 0 && h(PartitionMap, { partitions }),
    h(
      "details",
      { open: partitions.length <= OPEN_PARTITIONS },
      h("summary", null, `Table of ${counted(partitions.length, "partition")}`),
      h(Table, { label: "Partition map", items: partitions, keyOf: (each) => each.number, columns: PARTITION_COLUMNS }),
    ),
  );
}
