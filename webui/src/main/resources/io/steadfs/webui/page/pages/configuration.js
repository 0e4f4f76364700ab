import { get } from "../part/api.js";
import { code, Component, Fragment, h } from "../part/element.js";
import { Heading } from "../part/heading.js";
import { Live } from "../part/live.js";
import { PagedTable } from "../part/table.js";

const COLUMNS = [
  { name: "Key", head: true, show: (each) => code(each.key) },
  { name: "Value", show: (each) => code(text(each.value)) },
  { name: "From", show: (each) => (each.origin === "" ? "default" : h("span", { class: "badge plain" }, each.origin)) },
  { name: "Default", show: (each) => code(text(each.default)) },
  { name: "Meaning", wide: true, show: (each) => each.meaning },
  { name: "Section", show: (each) => each.section },
];

/** Of the interface's own process, or of the server that is chosen. */
export class Configuration extends Component {
  constructor(props) {
    super(props);
    this.state = { server: "" };
  }

  render(props, { server }) {
    return h(
      Fragment,
      null,
      h(Heading, { text: "Configuration" }),
      h(Live, {
        what: "the servers",
        load: (signal) => get("/servers", { limit: 1000 }, signal),
        show: ({ items }) =>
          h(
            "label",
            null,
            "Of ",
            h(
              "select",
              { class: "small", value: server, onChange: (event) => this.setState({ server: event.currentTarget.value }) },
              h("option", { value: "" }, "the web interface"),
              items.map((each) => h("option", { key: each.server, value: each.server }, each.server)),
            ),
          ),
      }),
      h(PagedTable, {
        key: server,
        label: "Configuration keys",
        search: "Search key, value, meaning",
        columns: COLUMNS,
        keyOf: (each) => `${each.section} ${each.key}`,
        load: (parameters, signal) => get("/configuration", server === "" ? parameters : { ...parameters, server }, signal),
        beside: (answer) => answer.of && h("p", null, `Of ${answer.of}.`),
      }),
    );
  }
}

function text(value) {
  if (value === null || value === undefined) {
    return "-";
  }
  return value === "" ? '""' : String(value);
}
