import { get, post } from "../part/api.js";
import { Confirm } from "../part/confirm.js";
import { Component, Fragment, h, name } from "../part/element.js";
import { Heading } from "../part/heading.js";
import { Live } from "../part/live.js";
import { Failure } from "../part/notice.js";
import { go, link } from "../part/router.js";
import { PagedTable } from "../part/table.js";
import { counted, isKnown, moment, number } from "../part/text.js";
import { isGoingOn, Kinds, modeInWords, rateInWords, RunState } from "./fsck-words.js";

const EVERY_MILLIS = 4000;

const COLUMNS = [
  { name: "Started", head: true, show: (each) => h("a", { href: link(["fsck", each.id]) }, moment(each.startedAt)) },
  { name: "State", show: (each) => h(RunState, { of: each.state }) },
  { name: "By", show: (each) => name(each.startedBy ?? "-") },
  { name: "Mode", show: (each) => (modeInWords(each)) },
  { name: "Findings", number: true, show: (each) => number(each.findings) },
  { name: "Repaired", number: true, show: (each) => number(each.repaired) },
  { name: "Rows", number: true, show: (each) => number(each.rows) },
  { name: "Ended", show: (each) => (isKnown(each.endedAt) ? moment(each.endedAt) : "-") },
];

/** All runs, and the start of another. */
export function FsckRuns({ isOperator }) {
  return h(
    Fragment,
    null,
    h(Heading, { text: "Check of the file system" }),
    h("p", null, "Checks all names, directories, files and datafiles of all servers while clients work. One check runs at a time."),
    isOperator
      ? h(Live, { what: "the kinds of findings", load: (signal) => get("/fsck/kinds", { limit: 1000 }, signal), show: ({ items }) => h(Start, { kinds: items }) })
      : h("p", { class: "small-print" }, "You may look. To start a check, log in as an operator."),
    h("h2", null, "Runs"),
    h(PagedTable, {
      label: "Runs of the check",
      columns: COLUMNS,
      keyOf: (each) => each.id,
      everyMillis: EVERY_MILLIS,
      empty: "No check was run yet.",
      load: (parameters, signal) => get("/fsck/runs", parameters, signal),
      beside: ({ items }) =>
        items.filter(isGoingOn).map((each) => h("p", { key: each.id }, "A check is ", each.state, ": ", h("a", { href: link(["fsck", each.id]) }, "go to it"), ".")),
    }),
  );
}

class Start extends Component {
  constructor(props) {
    super(props);
    this.state = {
      isRepair: false,
      chosen: new Set(props.kinds.filter((each) => each.byDefault).map((each) => each.kind)),
      isScrub: false,
      rate: "0",
      problem: null,
      working: false,
      confirming: false,
    };
    this.submit = this.submit.bind(this);
  }

  async submit(event) {
    event.preventDefault();
    this.setState({ problem: null });
    if (this.state.isRepair) {
      this.setState({ confirming: true });
      return;
    }
    this.setState({ working: true });
    try {
      await this.start([]);
    } catch (problem) {
      this.setState({ problem, working: false });
    }
  }

  async start(repair) {
    const body = { repair, scrub: this.state.isScrub, rate: Number(this.state.rate) };
    const run = await post("/fsck/runs", repair.length ? { ...body, confirm: "repair" } : body);
    go(["fsck", run.id]);
  }

  render({ kinds }, { isRepair, isScrub, chosen, rate, problem, working, confirming }) {
    const mode = (value, text) =>
      h(
        "label",
        { class: "pick" },
        h("input", { type: "radio", name: "mode", checked: isRepair === value, onChange: () => this.setState({ isRepair: value }) }),
        text,
      );
    return h(
      "section",
      { class: "card", "aria-label": "Start a check" },
      h("h2", null, "Start a check"),
      problem && h(Failure, { problem }),
      h(
        "form",
        { onSubmit: this.submit },
        h("fieldset", null, h("legend", null, "Mode"), mode(false, "Look only: nothing is changed"), mode(true, "Look and repair")),
        h(
          "label",
          { class: "pick" },
          h("input", { type: "checkbox", checked: isScrub, onChange: () => this.setState({ isScrub: !isScrub }) }),
          "Compare all bytes of all files with their checksums too",
        ),
        isRepair && h(Kinds, { kinds, chosen, onChoose: (next) => this.setState({ chosen: next }) }),
        h(
          "div",
          { class: "questions" },
          h(
            "label",
            null,
            "Rows a second at most (0: as fast as servers answer)",
            h("input", {
              type: "number",
              min: 0,
              step: 1,
              required: true,
              value: rate,
              onInput: (event) => this.setState({ rate: event.currentTarget.value }),
            }),
          ),
          h("button", { type: "submit", disabled: working || (isRepair && chosen.size === 0) }, isRepair ? "Check and repair" : "Check"),
        ),
      ),
      confirming &&
        h(
          Confirm,
          {
            title: "Check and repair?",
            word: "repair",
            action: "Check and repair",
            onClose: () => this.setState({ confirming: false }),
            onConfirm: () => this.start([...chosen]),
          },
          h("p", null, `${counted(chosen.size, "kind")} of findings will be repaired, ${rateInWords(Number(rate))}. What is taken away is kept with the run.`),
          h("ul", { class: "kinds" }, [...chosen].map((each) => h("li", { key: each }, each))),
        ),
    );
  }
}
