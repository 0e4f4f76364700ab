// Messages as bars: a lane for each server, time from left to right. The same is in a table below, for those who do not see it.

import { Fragment, h } from "./element.js";

const WIDTH = 1110;
const LABEL = 110;
const ROW = 26;
const BAR = 18;
const LANE_GAP = 10;
const AXIS = 24;

/**
 * @param timeline {nanos, lanes, messages: [{kind, from, to, sent, served}]}
 */
export function bars(timeline) {
  const scale = (WIDTH - LABEL - 10) / Math.max(1, timeline.nanos);
  const at = (nanos) => LABEL + nanos * scale;
  let top = AXIS;
  const lanes = timeline.lanes
    .map((lane) => [lane, timeline.messages.filter((each) => each.to === lane)])
    .filter(([, messages]) => messages.length > 0)
    .map(([lane, messages]) => {
      const placed = rows(messages);
      const drawn = { lane, top, placed, height: ROW * Math.max(1, placed.length) };
      top += drawn.height + LANE_GAP;
      return drawn;
    });
  return h(
    "div",
    { class: "scroll timeline", role: "region", "aria-label": "Bars of the messages", tabIndex: 0 },
    h(
      "svg",
      { width: WIDTH, height: top, viewBox: `0 0 ${WIDTH} ${top}`, role: "img", "aria-label": spoken(timeline, lanes) },
      h("text", { class: "tick", x: LABEL, y: 14 }, "0"),
      h("text", { class: "tick", x: WIDTH - 10, y: 14, "text-anchor": "end" }, `${Math.round(timeline.nanos / 1000)} µs`),
      lanes.map((each) => lane(each, at)),
    ),
    h(
      "ul",
      { class: "legend" },
      [
        ["sent", "from sending to the answer"],
        ["served", "at the server, waiting"],
        ["worked", "being worked on"],
        ["commit", "durable commit"],
      ].map(([kind, words]) => h("li", { key: kind }, h("svg", { width: 18, height: 12, "aria-hidden": true }, h("rect", { class: kind, width: 18, height: 12 })), " ", words)),
    ),
  );
}

/** Bars of a lane that overlap in time are below each other. */
function rows(messages) {
  const found = [];
  messages.forEach((each) => {
    const span = each.sent ?? each.served;
    let row = found.find((others) => (others[others.length - 1].sent ?? others[others.length - 1].served).endNanos <= span.beginNanos);
    if (!row) {
      row = [];
      found.push(row);
    }
    row.push(each);
  });
  return found;
}

function lane({ lane: server, top, placed, height }, at) {
  return h(
    "g",
    { key: server },
    h("line", { class: "rule", x1: 0, x2: WIDTH, y1: top - LANE_GAP / 2, y2: top - LANE_GAP / 2 }),
    h("text", { class: "lane", x: 4, y: top + height / 2 + 4 }, server),
    placed.map((row, number) => row.map((each, place) => message(each, at, top + number * ROW + (ROW - BAR) / 2, `${number} ${place}`))),
  );
}

function message(each, at, y, key) {
  const span = each.sent ?? each.served;
  const rect = (kind, from, to, inset) =>
    h("rect", { class: kind, x: at(from), y: y + inset, width: Math.max(1, at(to) - at(from)), height: BAR - 2 * inset });
  const served = each.served;
  return h(
    "g",
    { key, class: "message" },
    h("title", null, `${each.kind} from ${each.from} to ${each.to}: ${Math.round((span.endNanos - span.beginNanos) / 1000)} µs, ${each.outcome}`),
    rect("sent", span.beginNanos, span.endNanos, 0),
    served &&
      h(
        Fragment,
        null,
        rect("served", served.beginNanos, served.endNanos, 4),
        rect("worked", served.startedNanos, served.endNanos, 4),
        served.commit && rect("commit", served.commit.beginNanos, served.commit.endNanos, 4),
      ),
    h("text", { class: "kind", x: at(span.beginNanos) + 3, y: y - 1 }, each.kind),
  );
}

function spoken(timeline, lanes) {
  return `${timeline.messages.length} messages on ${lanes.length} lanes in ${Math.round(timeline.nanos / 1000)} microseconds; the table below has each`;
}
