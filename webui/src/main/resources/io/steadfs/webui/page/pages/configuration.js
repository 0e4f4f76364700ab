import { get } from "../part/api.js";
import { code, Fragment, h } from "../part/element.js";
import { Heading } from "../part/heading.js";
import { PagedTable } from "../part/table.js";

const COLUMNS = [
  { name: "Key", head: true, show: (each) => code(each.key) },
  { name: "Value", show: (each) => code(text(each.value)) },
  { name: "Set", show: (each) => (each.isDefault ? "default" : h("span", { class: "badge plain" }, "set")) },
  { name: "Default", show: (each) => code(text(each.default)) },
  { name: "Meaning", wide: true, show: (each) => each.meaning },
  { name: "Section", show: (each) => each.section },
];

export function Configuration() {
  return h(
    Fragment,
    null,
    h(Heading, { text: "Configuration" }),
    h(PagedTable, {
      label: "Configuration keys",
      search: "Search key, value, meaning",
      columns: COLUMNS,
      keyOf: (each) => `${each.section} ${each.key}`,
      load: (parameters, signal) => get("/configuration", parameters, signal),
      beside: (answer) => answer.of && h("p", null, `Of ${answer.of}.`),
    }),
  );
}

function text(value) {
  if (value === null || value === undefined) {
    return "-";
  }
  return value === "" ? '""' : String(value);
}
