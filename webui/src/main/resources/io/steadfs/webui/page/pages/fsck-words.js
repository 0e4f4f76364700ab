// Words that the pages of the check share.

import { h } from "../part/element.js";
import { Table } from "../part/table.js";
import { counted } from "../part/text.js";

/** What a state of a run means, and how bad it is. */
const STATES = {
  running: { kind: "plain", words: "running" },
  paused: { kind: "degraded", words: "paused" },
  ended: { kind: "well", words: "ended" },
  cancelled: { kind: "degraded", words: "cancelled" },
  failed: { kind: "broken", words: "failed" },
  interrupted: { kind: "degraded", words: "interrupted" },
};

export function RunState({ of }) {
  const state = STATES[of] ?? { kind: "plain", words: of };
  return h("span", { class: `badge ${state.kind}` }, state.words);
}

export function isGoingOn(run) {
  return run.state === "running" || run.state === "paused";
}

/**
 * What an ended run says of the file system; null of another.
 *
 * @param isWrong whether its last pass found something
 */
export function verdictOf(run, isWrong) {
  if (run.state !== "ended") {
    return null;
  }
  if (isWrong) {
    return { kind: "broken", words: "Something is wrong: see the findings of the last pass." };
  }
  if (!run.complete) {
    return { kind: "degraded", words: "Nothing was found in the last pass, but not everything could be checked." };
  }
  return { kind: "well", words: run.repaired > 0 ? "Nothing is wrong any more." : "Nothing was found to be wrong." };
}

export function modeInWords(run) {
  const what = run.repair?.length ? `repairs ${counted(run.repair.length, "kind")}` : "looks only";
  return run.scrub ? `${what}, compares all bytes` : what;
}

export function rateInWords(rate) {
  return rate > 0 ? `at most ${new Intl.NumberFormat("en").format(rate)} rows a second` : "as fast as servers answer";
}

/**
 * A choice of kinds of findings.
 *
 * @param kinds that are offered, of GET /fsck/kinds
 * @param chosen Set of names
 * @param onChoose (Set) => nothing
 */
export function Kinds({ kinds, chosen, onChoose }) {
  const toggle = (kind) => {
    const next = new Set(chosen);
    if (!next.delete(kind)) {
      next.add(kind);
    }
    onChoose(next);
  };
  return h(Table, {
    label: "Kinds of findings",
    items: kinds,
    keyOf: (each) => each.kind,
    columns: [
      {
        name: "Repair",
        head: true,
        show: (each) =>
          h("label", { class: "pick" }, h("input", { type: "checkbox", checked: chosen.has(each.kind), onChange: () => toggle(each.kind) }), each.kind),
      },
      { name: "Meaning", wide: true, show: (each) => each.meaning },
      { name: "What is done", wide: true, show: (each) => each.repair },
    ],
  });
}
