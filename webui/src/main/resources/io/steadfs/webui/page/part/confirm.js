// A dialog before something that cannot be taken back: it is done only after a word was typed.

import { Component, createRef, h } from "./element.js";
import { Failure } from "./notice.js";

/**
 * @param title the question
 * @param word that must be typed
 * @param action text of the button
 * @param onConfirm () => promise; a failure is shown, and the dialog stays
 * @param onClose after it was done or given up
 */
export class Confirm extends Component {
  constructor(props) {
    super(props);
    this.dialog = createRef();
    this.state = { typed: "", problem: null, working: false };
    this.submit = this.submit.bind(this);
  }

  componentDidMount() {
    this.opener = document.activeElement;
    this.dialog.current.showModal();
  }

  componentWillUnmount() {
    this.dialog.current?.close();
    const target = this.opener?.isConnected ? this.opener : document.querySelector("h1");
    target?.focus();
  }

  async submit(event) {
    event.preventDefault();
    if (this.state.typed !== this.props.word || this.state.working) {
      return;
    }
    this.setState({ working: true, problem: null });
    try {
      await this.props.onConfirm();
      this.props.onClose();
    } catch (problem) {
      this.setState({ working: false, problem });
    }
  }

  render({ title, word, action, onClose, children }, { typed, problem, working }) {
    const giveUp = (event) => {
      event.preventDefault();
      if (!working) {
        onClose();
      }
    };
    return h(
      "dialog",
      { ref: this.dialog, "aria-labelledby": "confirm-title", onCancel: giveUp },
      h(
        "article",
        null,
        h("h2", { id: "confirm-title" }, title),
        children,
        h(
          "form",
          { onSubmit: this.submit },
          h(
            "label",
            null,
            "To go on, type ",
            h("strong", { class: "code" }, word),
            h("input", {
              type: "text",
              value: typed,
              autocomplete: "off",
              autocapitalize: "off",
              spellcheck: false,
              autofocus: true,
              onInput: (event) => this.setState({ typed: event.currentTarget.value }),
            }),
          ),
          problem && h(Failure, { problem }),
          h(
            "div",
            { class: "buttons" },
            h("button", { type: "button", class: "secondary outline", disabled: working, onClick: giveUp }, "Do nothing"),
            h("button", { type: "submit", class: "danger", disabled: typed !== word || working }, working ? "Working ..." : action),
          ),
        ),
      ),
    );
  }
}
