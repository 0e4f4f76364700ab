import { get, post } from "../part/api.js";
import { Confirm } from "../part/confirm.js";
import { code, Component, Fragment, h, name } from "../part/element.js";
import { Heading, Parts } from "../part/heading.js";
import { Notice, Problems } from "../part/notice.js";
import { link } from "../part/router.js";
import { PagedTable } from "../part/table.js";
import { counted, duration, isKnown, moment, number } from "../part/text.js";

const EVERY_MILLIS = 4000;

const STATES = [
  ["open", "open"],
  ["over", "over"],
  ["revoking", "revoking"],
];

const SERVER_FILTER = { key: "server", label: "IO server" };

/** Handles by class, as accounts of servers and of holders have them. */
const CLASSES = [
  { name: "Leases", number: true, show: (each) => number(each.leases) },
  { name: "In use, leased", number: true, show: (each) => number(each.leasedInUse) },
  { name: "Pooled", number: true, show: (each) => number(each.pooled) },
  { name: "Suspect", number: true, show: (each) => number(each.suspect) },
  { name: "Orphan", number: true, show: (each) => number(each.orphan) },
  { name: "Oldest lease", number: true, show: (each) => (each.leases > 0 ? duration(each.oldestMillis) : "-") },
];

/** Handles of datafiles that are leased: by IO server, by holder, and lease by lease. */
export class Leases extends Component {
  constructor(props) {
    super(props);
    this.state = { revoking: null, validating: false, done: null, version: 0 };
    this.revoke = (holder) => this.setState({ revoking: holder, done: null });
  }

  finished(done) {
    this.setState(({ version }) => ({ done, version: version + 1 }));
  }

  render({ path, isOperator }, { revoking, validating, done, version }) {
    const part = path[0] ?? "";
    return h(
      Fragment,
      null,
      h(
        Heading,
        { text: HEADINGS[part] ?? "Leases" },
        isOperator && h("button", { type: "button", class: "small", onClick: () => this.setState({ validating: true, done: null }) }, "Validate now"),
      ),
      h(Parts, {
        label: "Parts of leases",
        parts: [
          ["By IO server", link(["leases"]), part === ""],
          ["By holder", link(["leases", "holders"]), part === "holders"],
          ["All leases", link(["leases", "all"]), part === "all"],
          ["Open files", link(["leases", "open-files"]), part === "open-files"],
        ],
      }),
      done && h(Done, { done, onClose: () => this.setState({ done: null }) }),
      part === "holders"
        ? h(Holders, { isOperator, version, onRevoke: this.revoke })
        : part === "all"
          ? h(All, { isOperator, version, onRevoke: this.revoke })
          : part === "open-files"
            ? h(OpenFiles)
            : h(Accounts, { version }),
      !isOperator && h("p", { class: "small-print" }, "You may look. To revoke or validate, log in as an operator."),
      revoking && this.revocation(revoking),
      validating && this.validation(),
    );
  }

  revocation({ holder, name: called }) {
    return h(
      Confirm,
      {
        title: "Revoke all leases of this holder?",
        word: holder,
        action: "Revoke",
        onClose: () => this.setState({ revoking: null }),
        onConfirm: async () => {
          const answer = await post("/leases/revocations", { holder, confirm: holder });
          this.finished({ title: `${counted(answer.ended, "lease")} of ${answer.holder} made over`, problems: answer.problems, waitsFor: [] });
        },
      },
      h("p", null, "Holder ", code(holder), called ? [", which calls itself ", name(called)] : ", which gave itself no name", "."),
      h("p", null, "Its leases are made over at once on all IO servers. Files keep their datafiles. A holder that is alive leases others."),
    );
  }

  validation() {
    return h(
      Confirm,
      {
        title: "Have the IO servers sort out suspect handles now?",
        word: "validate",
        action: "Validate",
        onClose: () => this.setState({ validating: false }),
        onConfirm: async () => {
          const answer = await post("/leases/validations", { confirm: "validate" });
          this.finished({
            title: `Validated; left are ${number(answer.suspect)} suspect and ${number(answer.orphan)} orphan handles`,
            problems: answer.problems,
            waitsFor: answer.waitsFor,
          });
        },
      },
      h("p", null, "Every handle whose lease is over is looked up at its shard: is it in a file? What is in none is taken back. Servers do this by themselves as well."),
    );
  }
}

const HEADINGS = { "": "Leases by IO server", holders: "Leases by holder", all: "All leases", "open-files": "Files open for writing" };

function Done({ done, onClose }) {
  return h(
    Fragment,
    null,
    h(Notice, { kind: "well", title: done.title, onClose }),
    h(Problems, { title: "These servers did not do it", lines: done.problems }),
    h(Problems, { title: "What is waited for", lines: done.waitsFor }),
  );
}

function Accounts({ version }) {
  return h(
    Fragment,
    null,
    h(PagedTable, {
      label: "Handles by IO server",
      keyOf: (each) => each.server,
      version,
      everyMillis: EVERY_MILLIS,
      empty: "No IO server answered.",
      columns: ACCOUNT_COLUMNS,
      load: (parameters, signal) => get("/leases/accounts", parameters, signal),
      beside: ({ items }) =>
        h(Problems, {
          title: "Leases that are over and wait",
          lines: items.flatMap((each) => (each.waitsFor ?? []).map((why) => `${each.server}: ${why}`)),
        }),
    }),
    h(Words),
  );
}

const ACCOUNT_COLUMNS = [
  { name: "IO server", head: true, show: (each) => h("a", { href: link(["leases", "all"], { server: each.server }) }, each.server) },
  { name: "In use, about", number: true, show: (each) => number(each.inUseAbout) },
  { name: "Pending", number: true, show: (each) => number(each.pending) },
  ...CLASSES,
  { name: "Holders", number: true, show: (each) => number(each.holders) },
  { name: "Most without a file", number: true, show: (each) => number(each.bound) },
];

function Words() {
  return h(
    "details",
    null,
    h("summary", null, "What the columns mean"),
    h("dl", { class: "words" }, [
      ["In use, about", "datafiles that files have, by the store's estimate"],
      ["In use, leased", "handles of leases that are known to be in files, exactly"],
      ["Pooled", "leased, and no file is known to have it"],
      ["Pending", "its file was deleted, its datafile is still to be removed"],
      ["Suspect", "its lease is over, and it is being found out whether a file has it"],
      ["Orphan", "no file has it; it is being taken back"],
      ["Most without a file", "handles without a file that the holders there can have at most: their number times stead.io.lease.handles.holder"],
    ].map(([word, meaning]) => h("div", { key: word }, h("dt", null, word), h("dd", null, meaning)))),
  );
}

function holderLink(each) {
  return h("a", { href: link(["leases", "all"], { holder: each.holder }) }, code(each.holder));
}

function revokeColumn(isOperator, onRevoke) {
  return isOperator
    ? [
        {
          name: "Change",
          show: (each) =>
            h(
              "button",
              { type: "button", class: "small outline danger", "aria-label": `Revoke the leases of ${each.holder}`, onClick: () => onRevoke(each) },
              "Revoke",
            ),
        },
      ]
    : [];
}

function Holders({ isOperator, version, onRevoke }) {
  return h(PagedTable, {
    label: "Handles by IO server and holder",
    search: "Search holder, name",
    filters: [SERVER_FILTER],
    keyOf: (each) => `${each.server} ${each.holder}`,
    version,
    everyMillis: EVERY_MILLIS,
    empty: "Nobody holds a lease.",
    load: (parameters, signal) => get("/leases/holders", parameters, signal),
    columns: [
      { name: "Holder", head: true, show: holderLink },
      { name: "Name", wide: true, show: (each) => (each.name ? name(each.name) : "-") },
      { name: "IO server", show: (each) => each.server },
      ...CLASSES,
      ...revokeColumn(isOperator, onRevoke),
    ],
  });
}

function All({ isOperator, version, onRevoke }) {
  return h(PagedTable, {
    label: "Leases",
    search: "Search lease, holder, name",
    filters: [SERVER_FILTER, { key: "holder", label: "Holder" }, { key: "state", label: "State", options: STATES }],
    keyOf: (each) => `${each.server} ${each.lease}`,
    version,
    empty: "No handle is leased.",
    load: (parameters, signal) => get("/leases", parameters, signal),
    columns: [
      { name: "First handle", head: true, show: (each) => code(each.lease) },
      { name: "IO server", show: (each) => each.server },
      { name: "Handles", number: true, show: (each) => number(each.handles) },
      { name: "In no file", number: true, show: (each) => number(each.unused) },
      { name: "Holder", show: holderLink },
      { name: "Name", wide: true, show: (each) => (each.name ? name(each.name) : "-") },
      { name: "State", show: (each) => h("span", { class: `badge ${each.state === "open" ? "well" : "degraded"}` }, each.state) },
      { name: "Granted", show: (each) => moment(each.grantedAt) },
      { name: "Left", number: true, show: (each) => duration(Math.max(0, each.leftMillis ?? 0)) },
      ...revokeColumn(isOperator, onRevoke),
    ],
  });
}

function OpenFiles() {
  return h(
    Fragment,
    null,
    h(PagedTable, {
      label: "Files open for writing",
      search: "Search path, file, user, client, session",
      keyOf: (each) => `${each.file} ${each.session}`,
      empty: "No file is open for writing.",
      load: (parameters, signal) => get("/open-files", parameters, signal),
      columns: [
        { name: "Opened as", head: true, wide: true, show: (each) => (each.path ? name(each.path) : "-") },
        { name: "File", show: (each) => code(each.file) },
        { name: "User", show: (each) => name(each.user || "-") },
        { name: "Client", wide: true, show: (each) => (each.client ? name(each.client) : "-") },
        { name: "Session", show: (each) => code(each.session) },
        { name: "Since", show: (each) => (isKnown(each.openedAt) ? moment(each.openedAt) : "not known") },
        { name: "Bytes", number: true, show: (each) => number(each.length) },
        { name: "Shard", number: true, show: (each) => number(each.shard) },
      ],
    }),
    h("p", { class: "small-print" }, "The path is the one under which the file was opened; it or a directory above may have been renamed since. Bytes are those that readers see."),
  );
}
