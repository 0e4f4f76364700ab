// The partitions of a directory as a picture: all hashes from left to right, a segment for each partition, a lane for each shard. The
// same is in a table beside it. In the picture the arrow keys choose a partition, whose facts stand below.

import { code, Component, Fragment, h } from "./element.js";
import { duration, number, rate } from "./text.js";

const LABEL = 90;
const RANGE = 1000;
const EDGE = 10;
const RATES_TOP = 16;
const RATES = 48;
const BAR_TOP = RATES_TOP + RATES + 4;
const BAR = 36;
const LANES_TOP = BAR_TOP + BAR + 10;
const LANE = 12;
const LANE_STEP = 18;
const COLOURS = 8;
/** Segments that are narrower have no number and no gap between them. */
const LABELLED = 26;
const GAP_FROM = 4;

/** What the state of a partition means. */
export const STATES = {
  steady: "steady",
  splits: "splits",
  moves: "moves",
  ends: "merges, and ends",
  gets: "gets names",
};

/** The part of all hashes below this one, from 0 to 1. @param hash 16 hexadecimal digits */
function share(hash) {
  return Number(BigInt(`0x${hash}`) >> 11n) / 2 ** 53;
}

/** Where a partition is in the picture. */
function placed(partition) {
  const x = LABEL + RANGE * share(partition.firstHash);
  return { x, width: RANGE / 2 ** partition.depth };
}

/** In words: what moves, and where. */
export function moves(partition, now = Date.now()) {
  const since = partition.since === null ? "" : `, for ${duration(now - partition.since)}`;
  switch (partition.state) {
    case "splits":
      return `gives the upper half of its range to the new partition ${number(partition.other)}${since}`;
    case "moves":
      return `goes to another shard${since}`;
    case "ends":
      return `gives all names to partition ${number(partition.other)} and ends${since}`;
    case "gets":
      return `gets the names of partition ${number(partition.other)}, which ends${since}`;
    default:
      return "no names move";
  }
}

function spoken(partition) {
  return [
    `Partition ${number(partition.number)}`,
    `shard ${number(partition.shard)}`,
    partition.depth === 0 ? "all hashes" : `1/${number(2 ** partition.depth)} of all hashes`,
    `hashes ${partition.firstHash} to ${partition.lastHash}`,
    `${number(partition.entries)} names`,
    `${rate(partition.namesPerSecond)} names made a second`,
    moves(partition),
  ].join(", ");
}

/** @param partitions of one directory, in the order of their hashes */
export class PartitionMap extends Component {
  constructor(props) {
    super(props);
    this.state = { chosen: null };
  }

  /** The chosen partition; none once it is gone. */
  at() {
    return this.props.partitions.findIndex((each) => each.number === this.state.chosen);
  }

  choose(place) {
    const { partitions } = this.props;
    const partition = partitions[Math.max(0, Math.min(partitions.length - 1, place))];
    this.setState({ chosen: partition.number });
  }

  onKey(event) {
    const last = this.props.partitions.length - 1;
    const steps = { ArrowRight: this.at() + 1, ArrowLeft: this.at() - 1, Home: 0, End: last, PageDown: this.at() + 16, PageUp: this.at() - 16 };
    if (event.key in steps) {
      event.preventDefault();
      this.choose(steps[event.key]);
    }
  }

  render({ partitions }) {
    const shards = [...new Set(partitions.map((each) => each.shard))].sort((a, b) => a - b);
    const lanes = new Map(shards.map((shard, i) => [shard, i]));
    const height = LANES_TOP + LANE_STEP * shards.length + 4;
    const at = this.at();
    return h(
      "div",
      { class: "partition-map" },
      h(
        "div",
        { class: "scroll", role: "region", "aria-label": "Picture of the partitions", tabIndex: 0 },
        h(
          "svg",
          {
            width: LABEL + RANGE + EDGE,
            height,
            viewBox: `0 0 ${LABEL + RANGE + EDGE} ${height}`,
            role: "listbox",
            tabIndex: 0,
            "aria-label": `Map of ${number(partitions.length)} partitions on ${number(shards.length)} shards; arrow keys choose a partition`,
            "aria-activedescendant": at < 0 ? undefined : idOf(partitions[at]),
            onKeyDown: (event) => this.onKey(event),
            onFocus: () => at < 0 && this.choose(0),
          },
          hatching(),
          h(Scale, { partitions }),
          shards.map((shard, i) => h(Lane, { key: shard, shard, top: LANES_TOP + LANE_STEP * i })),
          partitions.map((each, place) =>
            h(Segment, {
              key: each.number,
              partition: each,
              most: mostOf(partitions),
              lane: lanes.get(each.shard),
              isChosen: place === at,
              choose: () => this.choose(place),
            }),
          ),
        ),
      ),
      h("p", { class: "chosen" }, at < 0 ? "Point at a partition, or choose one with the arrow keys." : h(Chosen, { partition: partitions[at] })),
      h(Moving, { partitions: partitions.filter((each) => each.state !== "steady") }),
    );
  }
}

function idOf(partition) {
  return `partition-${partition.number}`;
}

/** The highest rate, which the highest column has. */
function mostOf(partitions) {
  return Math.max(...partitions.map((each) => each.namesPerSecond ?? 0));
}

function hatching() {
  return h(
    "defs",
    null,
    h(
      "pattern",
      { id: "moving", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      h("rect", { class: "hatch", width: 3, height: 6 }),
    ),
  );
}

function Scale({ partitions }) {
  const most = mostOf(partitions);
  return h(
    "g",
    { "aria-hidden": "true" },
    h("text", { class: "tick", x: LABEL, y: 11 }, "hash 0"),
    h("text", { class: "tick", x: LABEL + RANGE, y: 11, "text-anchor": "end" }, "ffff ffff ffff ffff"),
    h("text", { class: "lane", x: 4, y: RATES_TOP + 10 }, `${rate(most)} /s`),
    h("text", { class: "lane", x: 4, y: BAR_TOP - 4 }, "0"),
    h("line", { class: "rule", x1: LABEL, x2: LABEL + RANGE, y1: RATES_TOP, y2: RATES_TOP }),
    h("line", { class: "rule", x1: LABEL, x2: LABEL + RANGE, y1: BAR_TOP - 4, y2: BAR_TOP - 4 }),
    h("text", { class: "lane", x: 4, y: BAR_TOP + BAR / 2 + 4 }, "partitions"),
  );
}

function Lane({ shard, top }) {
  return h(
    "g",
    { "aria-hidden": "true" },
    h("text", { class: "lane", x: 4, y: top + LANE - 2 }, `shard ${number(shard)}`),
    h("rect", { class: "lane-ground", x: LABEL, y: top, width: RANGE, height: LANE }),
  );
}

function Segment({ partition, most, lane, isChosen, choose }) {
  const { x, width } = placed(partition);
  const drawn = width >= GAP_FROM ? width - 1 : width;
  const colour = `shard-${(lane % COLOURS) + 1}`;
  const high = most > 0 ? RATES * ((partition.namesPerSecond ?? 0) / most) : 0;
  const moving = partition.state === "splits" ? { x: x + drawn / 2, width: drawn / 2 } : { x, width: drawn };
  return h(
    "g",
    {
      id: idOf(partition),
      class: `partition ${partition.state}${isChosen ? " is-chosen" : ""}`,
      role: "option",
      "aria-selected": String(isChosen),
      "aria-label": spoken(partition),
      onMouseEnter: choose,
      onClick: choose,
    },
    h("title", null, spoken(partition)),
    h("rect", { class: "rate", x, y: BAR_TOP - 4 - high, width: drawn, height: high }),
    h("rect", { class: colour, x, y: BAR_TOP, width: drawn, height: BAR }),
    h("rect", { class: colour, x, y: LANES_TOP + LANE_STEP * lane, width: drawn, height: LANE }),
    partition.state !== "steady" && h("rect", { fill: "url(#moving)", x: moving.x, y: BAR_TOP, width: moving.width, height: BAR }),
    width >= LABELLED && h("text", { class: "number", x: x + drawn / 2, y: BAR_TOP + BAR / 2 + 4, "text-anchor": "middle" }, number(partition.number)),
    isChosen && h("rect", { class: "frame-of-chosen", x, y: BAR_TOP, width: Math.max(2, drawn), height: BAR }),
  );
}

/** Those whose names move, which people look for first. */
function Moving({ partitions }) {
  return (
    partitions.length > 0 &&
    h(
      "ul",
      { "aria-label": "Splits and merges" },
      partitions.map((each) => h("li", { key: each.number }, h("strong", null, `Partition ${number(each.number)}`), ` ${moves(each)}.`)),
    )
  );
}

function Chosen({ partition }) {
  return h(
    Fragment,
    null,
    h("strong", null, `Partition ${number(partition.number)}`),
    ` on shard ${number(partition.shard)}: depth ${number(partition.depth)}, hashes `,
    code(partition.firstHash),
    " to ",
    code(partition.lastHash),
    `, ${number(partition.entries)} names, ${rate(partition.namesPerSecond)} made a second; ${moves(partition)}.`,
  );
}
