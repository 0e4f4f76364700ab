import { logIn } from "../part/api.js";
import { Component, h } from "../part/element.js";
import { Failure, Notice } from "../part/notice.js";

export class Login extends Component {
  constructor(props) {
    super(props);
    this.state = { user: "", password: "", problem: null, working: false };
    this.submit = this.submit.bind(this);
  }

  async submit(event) {
    event.preventDefault();
    this.setState({ working: true, problem: null });
    try {
      this.props.onLogin(await logIn(this.state.user, this.state.password));
    } catch (problem) {
      if (problem.status === 401) {
        problem.advice = "Look at the name and the password. The first start of the web server printed those of the user admin.";
      }
      this.setState({ problem, working: false, password: "" });
    }
  }

  render({ ended }, { user, password, problem, working }) {
    return h(
      "article",
      { class: "login" },
      h("h1", { tabIndex: -1 }, "Log in"),
      ended && !problem && h(Notice, { kind: "degraded", title: "Your session has ended" }, h("p", null, "Log in again to go on.")),
      problem && h(Failure, { problem }),
      h(
        "form",
        { onSubmit: this.submit },
        h(
          "label",
          null,
          "User",
          h("input", {
            name: "user",
            value: user,
            autocomplete: "username",
            autocapitalize: "off",
            spellcheck: false,
            required: true,
            onInput: (event) => this.setState({ user: event.currentTarget.value }),
          }),
        ),
        h(
          "label",
          null,
          "Password",
          h("input", {
            name: "password",
            type: "password",
            value: password,
            autocomplete: "current-password",
            required: true,
            onInput: (event) => this.setState({ password: event.currentTarget.value }),
          }),
        ),
        h("button", { type: "submit", disabled: working }, working ? "Logging in ..." : "Log in"),
      ),
    );
  }
}
