import { get, pathOf, post, remove } from "../part/api.js";
import { Confirm } from "../part/confirm.js";
import { code, Component, Fragment, h, name } from "../part/element.js";
import { Heading } from "../part/heading.js";
import { Failure, Notice } from "../part/notice.js";
import { PagedTable } from "../part/table.js";

const ROLES = {
  viewer: "viewer: looks only",
  operator: "operator: changes",
};

/** Users of this web interface. For operators only. */
export class Users extends Component {
  constructor(props) {
    super(props);
    this.state = { name: "", role: "viewer", made: null, problem: null, working: false, removing: null, removed: null, version: 0 };
    this.make = this.make.bind(this);
  }

  async make(event) {
    event.preventDefault();
    this.setState({ working: true, problem: null, made: null, removed: null });
    try {
      const made = await post("/users", { name: this.state.name, role: this.state.role });
      this.setState(({ version }) => ({ made, name: "", working: false, version: version + 1 }));
    } catch (problem) {
      this.setState({ problem, working: false });
    }
  }

  render({ isOperator }, { made, removing, removed, version, problem }) {
    if (!isOperator) {
      return h(Fragment, null, h(Heading, { text: "Users" }), h("p", null, "Only an operator sees and changes users."));
    }
    return h(
      Fragment,
      null,
      h(Heading, { text: "Users" }),
      made && h(Made, { made, onClose: () => this.setState({ made: null }) }),
      removed && h(Notice, { kind: "well", title: `${removed} was removed`, onClose: () => this.setState({ removed: null }) }),
      problem && h(Failure, { problem }),
      this.form(),
      h(PagedTable, {
        label: "Users",
        version,
        keyOf: (each) => each.name,
        load: (parameters, signal) => get("/users", parameters, signal),
        columns: [
          { name: "Name", head: true, show: (each) => name(each.name) },
          { name: "Role", show: (each) => each.role },
          {
            name: "Change",
            show: (each) =>
              h(
                "button",
                {
                  type: "button",
                  class: "small outline danger",
                  "aria-label": `Remove the user ${each.name}`,
                  onClick: () => this.setState({ removing: each.name, removed: null, made: null }),
                },
                "Remove",
              ),
          },
        ],
      }),
      removing !== null && this.removal(removing),
    );
  }

  form() {
    const { name: typed, role, working } = this.state;
    return h(
      "form",
      { class: "questions", "aria-label": "New user", onSubmit: this.make },
      h(
        "label",
        null,
        "Name of a new user",
        h("input", {
          value: typed,
          required: true,
          autocomplete: "off",
          autocapitalize: "off",
          spellcheck: false,
          onInput: (event) => this.setState({ name: event.currentTarget.value }),
        }),
      ),
      h(
        "label",
        null,
        "Role",
        h(
          "select",
          { value: role, onChange: (event) => this.setState({ role: event.currentTarget.value }) },
          Object.entries(ROLES).map(([value, text]) => h("option", { key: value, value }, text)),
        ),
      ),
      h("button", { type: "submit", disabled: working }, working ? "Adding ..." : "Add user"),
    );
  }

  removal(user) {
    return h(
      Confirm,
      {
        title: "Remove this user?",
        word: user,
        action: "Remove",
        onClose: () => this.setState({ removing: null }),
        onConfirm: async () => {
          await remove(`/users${pathOf(user)}`);
          this.setState(({ version }) => ({ removed: user, version: version + 1 }));
        },
      },
      h("p", null, name(user), " cannot log in any more, and its sessions end."),
    );
  }
}

class Made extends Component {
  constructor(props) {
    super(props);
    this.state = { copied: "" };
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.props.made.password);
      this.setState({ copied: "Copied." });
    } catch {
      this.setState({ copied: "The browser did not allow to copy; select the password and copy it by hand." });
    }
  }

  render({ made, onClose }, { copied }) {
    return h(
      Notice,
      { kind: "well", title: `The ${made.role} ${made.name} was added`, onClose },
      h("p", null, "Password, told only now: ", h("strong", { class: "code select-all" }, made.password)),
      h("p", null, h("button", { type: "button", class: "small outline", onClick: () => this.copy() }, "Copy the password"), " ", h("span", { role: "status" }, copied)),
    );
  }
}
