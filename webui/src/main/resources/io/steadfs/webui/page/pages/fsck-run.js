import { get, pathOf, post } from "../part/api.js";
import { Confirm } from "../part/confirm.js";
import { code, Component, createRef, Fragment, h, name } from "../part/element.js";
import { Facts, Heading } from "../part/heading.js";
import { Live } from "../part/live.js";
import { Failure, Notice, Problems } from "../part/notice.js";
import { link } from "../part/router.js";
import { PagedTable, Table } from "../part/table.js";
import { counted, duration, isKnown, moment, number, percent, rate } from "../part/text.js";
import { isGoingOn, Kinds, modeInWords, rateInWords, RunState, verdictOf } from "./fsck-words.js";

const RUNNING_MILLIS = 1000;
const RESTING_MILLIS = 5000;

/** One run: how far it is, what may be done with it, what it found. */
export class FsckRun extends Component {
  constructor(props) {
    super(props);
    this.state = { problem: null, working: "", repairing: false };
  }

  async act(action, reload) {
    this.setState({ problem: null, working: action });
    try {
      await post(`/fsck/runs${pathOf(this.props.id)}/${action}`);
    } catch (problem) {
      this.setState({ problem });
    }
    this.setState({ working: "" });
    reload();
  }

  render({ id, isOperator }, { problem }) {
    return h(
      Fragment,
      null,
      h(Heading, { text: "Run of the check" }, h("a", { href: link(["fsck"]) }, "All runs")),
      problem && h(Failure, { problem }),
      h(Live, {
        what: "the run",
        of: id,
        everyMillis: (run) => (run?.state === "running" ? RUNNING_MILLIS : RESTING_MILLIS),
        load: (signal) => runOf(id, signal),
        show: (run, reload) =>
          h(
            Fragment,
            null,
            h(Progress, { run }),
            isOperator && this.buttons(run, reload),
            this.state.repairing && h(RepairFindings, { run, onClose: () => this.setState({ repairing: false }), onDone: reload }),
            h(Outcome, { run }),
            h(Findings, { run }),
          ),
      }),
    );
  }

  buttons(run, reload) {
    const button = (action, text, look = "outline") =>
      h(
        "button",
        { type: "button", class: `small ${look}`, disabled: this.state.working !== "", onClick: () => this.act(action, reload) },
        this.state.working === action ? "Working ..." : text,
      );
    return h(
      "div",
      { class: "buttons" },
      run.state === "running" && button("pause", "Pause"),
      run.state === "paused" && button("resume", "Resume", ""),
      isGoingOn(run) && button("cancel", "Cancel"),
      ["interrupted", "cancelled", "failed"].includes(run.state) && button("resume", "Go on where it ended", ""),
      run.isWrong &&
        !this.state.repairing &&
        h("button", { type: "button", class: "small", onClick: () => this.setState({ repairing: true }) }, "Repair findings"),
    );
  }
}

/** The run, with whether something is wrong: whether the last pass of an ended run found anything. */
async function runOf(id, signal) {
  const run = await get(`/fsck/runs${pathOf(id)}`, null, signal);
  if (run.state !== "ended") {
    return { ...run, isWrong: false };
  }
  const last = await get(`/fsck/runs${pathOf(id)}/findings`, { pass: run.pass, limit: 1 }, signal);
  return { ...run, isWrong: last.items.length > 0 };
}

function Progress({ run }) {
  const verdict = verdictOf(run, run.isWrong);
  const isRunning = isGoingOn(run);
  return h(
    "section",
    { class: "card", "aria-label": "Progress" },
    h("p", null, h(RunState, { of: run.state }), `, started ${moment(run.startedAt)} by `, name(run.startedBy ?? UNKNOWN_USER)),
    h("div", { "aria-live": "polite" }, verdict ? h("p", { class: `verdict-line ${verdict.kind}` }, verdict.words) : h("p", null, spoken(run))),
    isRunning &&
      h("progress", { max: 1, value: isKnown(run.share) ? run.share : undefined, "aria-label": `Stage ${run.stage}` }),
    h(Facts, {
      rows: [
        ["Mode", modeInWords(run)],
        ["Rate", rateInWords(run.rate)],
        ["Pass", number(run.pass)],
        ...(isRunning
          ? [
              ["Stage", run.stage || "-"],
              ["Of the stage", isKnown(run.share) ? percent(run.share) : "not known"],
              ["Rows a second", rate(run.rowsPerSecond)],
              ["Left in the stage", isKnown(run.secondsLeft) && run.secondsLeft >= 0 ? duration(1000 * run.secondsLeft) : "not known"],
            ]
          : [["Ended", isKnown(run.endedAt) ? moment(run.endedAt) : "-"]]),
        ["Rows", number(run.rows)],
        ["Findings", number(run.findings)],
        ["Repaired", number(run.repaired)],
      ],
    }),
  );
}

const UNKNOWN_USER = "somebody";

/** Changes with the stage and with every tenth of it, so that a screen reader is not flooded. */
function spoken(run) {
  if (run.state === "running") {
    const tenths = isKnown(run.share) ? `, ${10 * Math.floor(10 * run.share)} % of the stage` : "";
    return `Pass ${number(run.pass)}, ${run.stage || "beginning"}${tenths}.`;
  }
  const words = {
    paused: "Held; it keeps what it came to.",
    cancelled: "Cancelled; it can go on where it ended.",
    interrupted: "The web server ended while it ran; it can go on where it ended.",
    failed: "It failed; it can go on where it ended.",
  };
  return words[run.state] ?? "";
}

function Outcome({ run }) {
  const counts = Object.entries(run.counts ?? {}).filter(([, count]) => count > 0);
  return h(
    Fragment,
    null,
    run.error && h(Notice, { kind: "broken", title: "The run failed" }, h("p", null, run.error)),
    h(Problems, {
      title: "Could not be checked to the end",
      lines: Object.entries(run.problems ?? {}).map(([stage, why]) => `${stage}: ${why}`),
    }),
    h(Settled, { lines: run.settled ?? [] }),
    run.undecided > 0 &&
      h(Notice, { kind: "degraded", title: `${counted(run.undecided, "object")} changed whenever they were looked at` }, h("p", null, "Check again when less is written.")),
    counts.length > 0 &&
      h(
        "section",
        null,
        h("h2", null, "Findings by kind"),
        h(Table, {
          label: "Findings by kind",
          items: counts,
          keyOf: ([kind]) => kind,
          columns: [
            { name: "Kind", head: true, show: ([kind]) => h("a", { href: link(["fsck", run.id], { kind }) }, kind) },
            { name: "Findings", number: true, show: ([, count]) => number(count) },
          ],
        }),
      ),
  );
}

/** What a check that found nothing did about servers that hold back, since they were salvaged or are an older state. */
function Settled({ lines }) {
  const done = lines.filter((each) => each.endsWith(" is settled"));
  return h(
    Fragment,
    null,
    done.length > 0 && h(Notice, { kind: "well", title: "Settled by this check" }, h("ul", null, done.map((each) => h("li", { key: each }, each)))),
    h(Problems, { title: "Not settled by this check", lines: lines.filter((each) => !done.includes(each)) }),
  );
}

function Findings({ run }) {
  const passes = Array.from({ length: Math.max(run.pass ?? 1, 1) }, (unused, i) => [String(i + 1), String(i + 1)]);
  const kinds = Object.keys(run.counts ?? {}).map((kind) => [kind, kind]);
  const download = (format, text) =>
    h("a", { role: "button", class: "small outline", href: `/api/v1/fsck/runs${pathOf(run.id)}/findings.${format}`, download: true }, text);
  return h(
    "section",
    null,
    h("header", { class: "heading" }, h("h2", null, "Findings"), h("div", { class: "buttons" }, download("csv", "Download CSV"), download("json", "Download JSON"))),
    h(PagedTable, {
      label: "Findings",
      search: "Search object, path, text",
      filters: [
        { key: "kind", label: "Kind", options: kinds },
        { key: "pass", label: "Pass", options: passes },
      ],
      version: `${run.state} ${run.pass} ${run.findings} ${run.repaired}`,
      empty: isGoingOn(run) ? "Nothing was found yet." : "Nothing was found.",
      load: (parameters, signal) => get(`/fsck/runs${pathOf(run.id)}/findings`, parameters, signal),
      columns: FINDING_COLUMNS,
    }),
  );
}

const FINDING_COLUMNS = [
  { name: "Kind", head: true, show: (each) => each.kind },
  { name: "Pass", number: true, show: (each) => number(each.pass) },
  { name: "Server", show: (each) => each.server },
  { name: "Object", show: (each) => (each.object ? code(each.object) : "-") },
  { name: "Other", show: (each) => (each.other ? code(each.other) : "-") },
  { name: "Path", wide: true, show: (each) => (each.path ? name(each.path) : "-") },
  { name: "Before: what was found", wide: true, show: (each) => name(each.what) },
  { name: "After: what was done", wide: true, show: (each) => h(Done, { repair: each.repair }) },
];

function Done({ repair }) {
  if (!repair) {
    return "nothing";
  }
  return h(
    Fragment,
    null,
    h("span", { class: `badge ${repair.repaired ? "well" : "broken"}` }, repair.repaired ? "repaired" : "not repaired"),
    " ",
    name(repair.done ?? ""),
    repair.removed && h("details", null, h("summary", null, `Bytes taken away (${repair.removed.length / 2})`), h("div", { class: "hex" }, code(repair.removed))),
  );
}

class RepairFindings extends Component {
  constructor(props) {
    super(props);
    this.heading = createRef();
    this.state = { chosen: null, isSure: false };
  }

  componentDidMount() {
    this.heading.current.focus();
  }

  render({ run, onClose, onDone }, { chosen, isSure }) {
    const load = async (signal) => (await get("/fsck/kinds", { limit: 1000 }, signal)).items.filter((each) => run.counts?.[each.kind] > 0);
    if (isSure) {
      return h(
        Confirm,
        {
          title: "Repair these findings?",
          word: "repair",
          action: "Repair",
          onClose,
          onConfirm: async () => {
            await post(`/fsck/runs${pathOf(run.id)}/repair`, { kinds: [...chosen], confirm: "repair" });
            onDone();
          },
        },
        h("p", null, "Each is looked at again first; what changed since is left alone. Then everything is checked again. What is taken away is kept with the run."),
        h("ul", { class: "kinds" }, [...chosen].map((each) => h("li", { key: each }, `${each}: ${counted(run.counts[each], "finding")}`))),
      );
    }
    return h(
      "section",
      { class: "card", "aria-label": "Repair findings" },
      h("h2", { ref: this.heading, tabIndex: -1 }, "Repair findings"),
      h(Live, {
        what: "the kinds of findings",
        load,
        show: (kinds) => {
          const picked = chosen ?? new Set(kinds.filter((each) => each.byDefault).map((each) => each.kind));
          return h(
            Fragment,
            null,
            h(Kinds, { kinds, chosen: picked, onChoose: (next) => this.setState({ chosen: next }) }),
            h(
              "div",
              { class: "buttons" },
              h("button", { type: "button", class: "secondary outline small", onClick: onClose }, "Do nothing"),
              h("button", { type: "button", class: "small", disabled: picked.size === 0, onClick: () => this.setState({ chosen: picked, isSure: true }) }, "Repair ..."),
            ),
          );
        },
      }),
    );
  }
}
