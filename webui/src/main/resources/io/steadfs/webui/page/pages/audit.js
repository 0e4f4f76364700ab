import { get } from "../part/api.js";
import { code, Fragment, h, name } from "../part/element.js";
import { Heading } from "../part/heading.js";
import { PagedTable } from "../part/table.js";
import { moment } from "../part/text.js";

const COLUMNS = [
  { name: "Time", head: true, show: (each) => moment(each.at) },
  { name: "User", show: (each) => name(each.user ?? "-") },
  { name: "Role", show: (each) => each.role ?? "-" },
  { name: "Address", show: (each) => code(each.address ?? "-") },
  { name: "Action", show: (each) => each.action },
  { name: "Target", wide: true, show: (each) => name(each.target || "-") },
  { name: "Outcome", wide: true, show: (each) => each.outcome },
];

export function Audit() {
  return h(
    Fragment,
    null,
    h(Heading, { text: "Audit" }),
    h("p", null, "Who changed what by this web server, newest first."),
    h(PagedTable, {
      label: "Audit log",
      search: "Search user, action, target",
      columns: COLUMNS,
      empty: "Nothing was changed yet.",
      load: (parameters, signal) => get("/audit", parameters, signal),
    }),
  );
}
