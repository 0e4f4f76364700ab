// Something that is asked once or again and again, and shown. While the page is hidden nothing is asked.

import { Component, Fragment, h } from "./element.js";
import { Failure } from "./notice.js";
import { timeOfDay } from "./text.js";

/**
 * @param load (signal) => promise of the value
 * @param of what load depends on: it is asked anew when this changes
 * @param everyMillis (value) => after how long it is asked again; not at all if absent
 * @param show (value, reload) => elements
 * @param what it is, for "Asking for ..."
 */
export class Live extends Component {
  constructor(props) {
    super(props);
    this.state = { value: undefined, problem: null, at: null };
    this.reload = () => this.ask();
    this.onVisible = () => document.hidden || this.ask();
  }

  componentDidMount() {
    document.addEventListener("visibilitychange", this.onVisible);
    this.ask();
  }

  componentDidUpdate(before) {
    if (before.of !== this.props.of) {
      this.setState({ value: undefined, problem: null });
      this.ask();
    }
  }

  componentWillUnmount() {
    document.removeEventListener("visibilitychange", this.onVisible);
    clearTimeout(this.timer);
    this.asking?.abort();
  }

  async ask() {
    clearTimeout(this.timer);
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    try {
      const value = await this.props.load(asking.signal);
      if (!asking.signal.aborted) {
        this.setState({ value, problem: null, at: Date.now() });
      }
    } catch (problem) {
      if (!asking.signal.aborted) {
        this.setState({ problem });
      }
    }
    if (!asking.signal.aborted && this.props.everyMillis && !document.hidden) {
      this.timer = setTimeout(this.reload, this.props.everyMillis(this.state.value));
    }
  }

  render({ show, what }, { value, problem, at }) {
    return h(
      Fragment,
      null,
      problem &&
        h(Failure, {
          problem,
          again: this.reload,
          since: value === undefined ? null : `What is shown below is of ${timeOfDay(at)}.`,
        }),
      value !== undefined && show(value, this.reload),
      value === undefined && !problem && h("p", { class: "waiting", role: "status" }, `Asking for ${what} ...`),
    );
  }
}
