// Tables in a region of their own that scrolls sideways, and lists of any length that are asked page by page.

import { Component, Fragment, h } from "./element.js";
import { Failure, Problems } from "./notice.js";
import { keepParameters, place } from "./router.js";
import { number } from "./text.js";

const PAGE_ROWS = 100;
const TYPING_MILLIS = 300;

/**
 * @param columns [{name, show: (item) => content, number: right aligned, head: names the row}]
 * @param label says what the table has
 * @param keyOf (item) => what it is known by
 */
export function Table({ columns, items, label, keyOf, empty = "There are none." }) {
  if (items.length === 0) {
    return h("p", { class: "empty" }, empty);
  }
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": label, tabIndex: 0 },
    h(
      "table",
      null,
      h("thead", null, h("tr", null, columns.map((each) => h("th", { key: each.name, scope: "col", class: classOf(each) }, each.name)))),
      h("tbody", null, items.map((item, row) => h("tr", { key: keyOf ? keyOf(item) : row }, columns.map((each) => cell(each, item))))),
    ),
  );
}

function cell(column, item) {
  const content = column.show(item);
  return column.head
    ? h("th", { key: column.name, scope: "row", class: classOf(column) }, content)
    : h("td", { key: column.name, class: classOf(column) }, content);
}

function classOf(column) {
  return [column.number && "number", column.wide && "wide"].filter(Boolean).join(" ");
}

let lists = 0;

/**
 * A list that is asked page by page, with search and filters, which are kept in the address.
 *
 * @param load (parameters, signal) => promise of {items, next, total, problems}
 * @param search label of the search, none if absent
 * @param filters [{key, label, options: [[value, text]]}]; without options a text is typed
 * @param everyMillis how often the page shown is asked again
 * @param beside (answer, reload) => what is shown between search and table
 * @param version the list is asked anew when it changes
 */
export class PagedTable extends Component {
  constructor(props) {
    super(props);
    this.id = `list-${++lists}`;
    const parameters = place().parameters;
    const wanted = {};
    this.keys().forEach((key) => (wanted[key] = parameters[key] ?? ""));
    this.state = { wanted, cursors: [""], answer: null, problem: null, asking: true };
    this.reload = () => this.ask();
    this.onVisible = () => document.hidden || this.ask();
  }

  keys() {
    return [...(this.props.search ? ["q"] : []), ...(this.props.filters || []).map((each) => each.key)];
  }

  componentDidMount() {
    document.addEventListener("visibilitychange", this.onVisible);
    this.ask();
  }

  componentDidUpdate(before) {
    if (before.version !== this.props.version) {
      this.ask();
    }
  }

  componentWillUnmount() {
    document.removeEventListener("visibilitychange", this.onVisible);
    clearTimeout(this.timer);
    clearTimeout(this.typing);
    this.asking?.abort();
  }

  async ask() {
    clearTimeout(this.timer);
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    this.setState({ asking: true });
    const { wanted, cursors } = this.state;
    try {
      const answer = await this.props.load({ ...wanted, limit: PAGE_ROWS, cursor: cursors[cursors.length - 1] }, asking.signal);
      if (!asking.signal.aborted) {
        this.setState({ answer, problem: null, asking: false });
      }
    } catch (problem) {
      if (!asking.signal.aborted) {
        this.setState({ problem, asking: false });
      }
    }
    if (!asking.signal.aborted && this.props.everyMillis && !document.hidden) {
      this.timer = setTimeout(this.reload, this.props.everyMillis);
    }
  }

  want(key, value, afterMillis) {
    const wanted = { ...this.state.wanted, [key]: value };
    this.setState({ wanted, cursors: [""] });
    clearTimeout(this.typing);
    this.typing = setTimeout(() => {
      keepParameters({ ...place().parameters, ...wanted });
      this.ask();
    }, afterMillis);
  }

  turn(cursors) {
    this.setState({ cursors }, this.reload);
  }

  render(props, { answer, problem, asking, wanted, cursors }) {
    return h(
      Fragment,
      null,
      this.keys().length > 0 && this.questions(props, wanted),
      problem && h(Failure, { problem, again: this.reload }),
      answer && h(Problems, { title: "Not everything could be asked", lines: answer.problems }),
      answer && props.beside?.(answer, this.reload),
      answer &&
        h(Table, { key: cursors.length, columns: props.columns, items: answer.items, label: props.label, keyOf: props.keyOf, empty: this.emptyText(answer) }),
      this.position(answer, asking, cursors, problem),
    );
  }

  emptyText(answer) {
    if (answer.next !== null) {
      return "This part has none; the next one may have some.";
    }
    const isNarrowed = this.keys().some((key) => this.state.wanted[key] !== "");
    return isNarrowed ? "Nothing matches what you look for." : this.props.empty;
  }

  questions({ search, filters = [] }, wanted) {
    return h(
      "form",
      { class: "questions", role: "search", onSubmit: (event) => event.preventDefault() },
      search && this.typed("q", search, wanted.q, "search"),
      filters.map((each) =>
        each.options
          ? h(
              "label",
              { key: each.key },
              each.label,
              h(
                "select",
                { value: wanted[each.key], onChange: (event) => this.want(each.key, event.currentTarget.value, 0) },
                h("option", { value: "" }, "all"),
                each.options.map(([value, text]) => h("option", { key: value, value }, text)),
              ),
            )
          : this.typed(each.key, each.label, wanted[each.key], "text"),
      ),
    );
  }

  typed(key, label, value, type) {
    return h(
      "label",
      { key },
      label,
      h("input", {
        type,
        value,
        autocomplete: "off",
        spellcheck: false,
        onInput: (event) => this.want(key, event.currentTarget.value, TYPING_MILLIS),
      }),
    );
  }

  position(answer, asking, cursors, problem) {
    const page = cursors.length;
    return h(
      "nav",
      { class: "paging", "aria-label": `Pages of ${this.props.label}` },
      h("span", { role: "status", class: "position" }, positionText(answer, page, asking, problem)),
      h(
        "button",
        { type: "button", class: "small outline", disabled: page === 1, onClick: () => this.turn(cursors.slice(0, -1)) },
        "Previous",
      ),
      h(
        "button",
        { type: "button", class: "small outline", disabled: !answer?.next, onClick: () => this.turn([...cursors, answer.next]) },
        "Next",
      ),
      h("button", { type: "button", class: "small outline", onClick: this.reload }, "Refresh"),
    );
  }
}

function positionText(answer, page, asking, problem) {
  if (!answer) {
    return asking ? "Asking ..." : problem ? "Not asked" : "";
  }
  const first = (page - 1) * PAGE_ROWS + 1;
  const last = (page - 1) * PAGE_ROWS + answer.items.length;
  if (last < first) {
    return "0 rows";
  }
  const all = answer.total === null || answer.total === undefined ? "" : ` of ${number(answer.total)}`;
  return `Rows ${number(first)} to ${number(last)}${all}`;
}
