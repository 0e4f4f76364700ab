// The frame of all pages: who is logged in, where we are, the list of pages.

import { logOut, session, whenLoggedOut } from "./part/api.js";
import { Component, Fragment, h, name, render } from "./part/element.js";
import { Guard } from "./part/guard.js";
import { Heading } from "./part/heading.js";
import { Failure } from "./part/notice.js";
import { link, onPlace, place } from "./part/router.js";
import { printable } from "./part/text.js";
import { setTheme, theme } from "./part/theme.js";
import { Audit } from "./pages/audit.js";
import { Configuration } from "./pages/configuration.js";
import { Directory } from "./pages/directory.js";
import { Fsck } from "./pages/fsck.js";
import { Latencies } from "./pages/latencies.js";
import { Leaks } from "./pages/leaks.js";
import { Leases } from "./pages/leases.js";
import { Login } from "./pages/login.js";
import { Overview } from "./pages/overview.js";
import { Partitions } from "./pages/partitions.js";
import { Servers } from "./pages/servers.js";
import { Timeline } from "./pages/timeline.js";
import { Users } from "./pages/users.js";

/** @param path first segment of the address */
const PAGES = [
  { path: "", title: "Overview", page: Overview },
  { path: "servers", title: "Servers", page: Servers },
  { path: "latencies", title: "Latencies", page: Latencies },
  { path: "leases", title: "Leases", page: Leases },
  { path: "leaks", title: "Leaks", page: Leaks },
  { path: "fsck", title: "Check (fsck)", page: Fsck },
  { path: "timeline", title: "Timeline", page: Timeline },
  { path: "directory", title: "Directory", page: Directory },
  { path: "partitions", title: "Partitions", page: Partitions },
  { path: "configuration", title: "Configuration", page: Configuration },
  { path: "audit", title: "Audit", page: Audit },
  { path: "users", title: "Users", page: Users, operatorOnly: true },
];

class App extends Component {
  constructor(props) {
    super(props);
    this.state = { who: undefined, problem: null, ended: false, at: place(), menu: false };
  }

  componentDidMount() {
    onPlace(() => this.setState({ at: place(), menu: false }));
    whenLoggedOut(() => this.setState(({ who }) => ({ who: null, ended: Boolean(who) })));
    this.begin();
  }

  /** A new place, also the same page with other parameters, begins at its heading. */
  componentDidUpdate(props, before) {
    if (before.at !== this.state.at || before.who !== this.state.who) {
      const heading = document.querySelector("h1");
      document.title = heading ? `${heading.textContent} - SteadFS` : "SteadFS";
      if (before.who !== undefined) {
        heading?.focus();
        window.scrollTo(0, 0);
      }
    }
  }

  async begin() {
    this.setState({ problem: null });
    try {
      this.setState({ who: await session() });
    } catch (problem) {
      this.setState({ problem });
    }
  }

  async leave() {
    try {
      await logOut();
      this.setState({ who: null, ended: false, problem: null });
    } catch (problem) {
      this.setState(problem.status === 401 ? { who: null } : { problem });
    }
  }

  render(props, { who, problem, ended }) {
    if (who === undefined) {
      return h(
        "main",
        { class: "alone", id: "main" },
        h("h1", { tabIndex: -1 }, "SteadFS"),
        problem ? h(Failure, { problem, again: () => this.begin() }) : h("p", { role: "status" }, "Asking who is logged in ..."),
      );
    }
    if (who === null) {
      return h(
        Fragment,
        null,
        h("header", { class: "bar" }, h("span", { class: "brand" }, "SteadFS"), h(ThemeSwitch)),
        h("main", { class: "alone", id: "main" }, h(Login, { ended, onLogin: (next) => this.setState({ who: next, ended: false }) })),
      );
    }
    return this.frame();
  }

  frame() {
    const { who, at, menu, problem } = this.state;
    const page = PAGES.find((each) => each.path === (at.path[0] ?? ""));
    const isOperator = who.role === "operator";
    return h(
      Fragment,
      null,
      h("a", { class: "skip", href: "#main", onClick: toMain }, "To the content"),
      h(
        "header",
        { class: "bar" },
        h("a", { class: "brand", href: link([]) }, "SteadFS"),
        h(
          "button",
          {
            type: "button",
            class: "menu small outline",
            "aria-expanded": String(menu),
            "aria-controls": "pages",
            onClick: () => this.setState({ menu: !menu }),
          },
          "Menu",
        ),
        h(ThemeSwitch),
        h("span", { class: "who" }, name(who.user), ` (${who.role})`),
        h("button", { type: "button", class: "small outline", onClick: () => this.leave() }, "Log out"),
      ),
      h(
        "div",
        { class: "frame" },
        h(
          "nav",
          { id: "pages", class: menu ? "pages open" : "pages", "aria-label": "Pages" },
          h(
            "ul",
            null,
            PAGES.filter((each) => isOperator || !each.operatorOnly).map((each) =>
              h(
                "li",
                { key: each.path },
                h("a", { href: link(each.path ? [each.path] : []), "aria-current": each === page ? "page" : undefined }, each.title),
              ),
            ),
            h("li", { class: "apart" }, h("a", { href: "/api/v1/openapi.json" }, "REST interface")),
          ),
        ),
        h(
          "main",
          { id: "main", tabIndex: -1 },
          problem && h(Failure, { problem }),
          h(
            Guard,
            { key: link(at.path, at.parameters) },
            page ? h(page.page, { path: at.path.slice(1), parameters: at.parameters, isOperator }) : h(Unknown, { path: at.path }),
          ),
        ),
      ),
    );
  }
}

/** Goes to the content and leaves the address as it is. */
function toMain(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function Unknown({ path }) {
  return h(
    Fragment,
    null,
    h(Heading, { text: "No such page" }),
    h("p", null, `There is no page "${path.join("/")}". `, h("a", { href: link([]) }, "Go to the overview"), "."),
  );
}

function ThemeSwitch() {
  return h(
    "label",
    { class: "theme" },
    h("span", { class: "theme-label" }, "Colours"),
    h(
      "select",
      { class: "small", value: theme(), onChange: (event) => setTheme(event.currentTarget.value) },
      h("option", { value: "system" }, "as the system"),
      h("option", { value: "light" }, "light"),
      h("option", { value: "dark" }, "dark"),
    ),
  );
}

window.addEventListener("unhandledrejection", (event) => console.error(printable(String(event.reason))));
render(h(App), document.getElementById("app"));
