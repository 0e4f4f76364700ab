// Holds up what cannot be drawn, so that the rest of the page stays.

import { Component, h } from "./element.js";
import { Failure } from "./notice.js";
import { Problem } from "./api.js";

export class Guard extends Component {
  constructor(props) {
    super(props);
    this.state = { problem: null };
  }

  componentDidCatch(error) {
    console.error(error);
    const problem = new Problem(
      0,
      "This page could not be drawn",
      `The server's answer was not as expected: ${error.message}`,
      "Load it again; if that does not help, page and server may be of different versions.",
    );
    this.setState({ problem });
  }

  render({ children }, { problem }) {
    return problem ? h("div", null, h("h1", { tabIndex: -1 }, "SteadFS"), h(Failure, { problem })) : children;
  }
}
