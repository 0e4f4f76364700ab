// Lines over time. The canvas is for the eye; the newest values stand beside it as text.

import { Component, createRef, h } from "./element.js";
import { onTheme } from "./theme.js";
import { timeOfDay } from "./text.js";

const LIBRARY = "/webjars/chart.js/dist/chart.umd.min.js";
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

let library = null;

/** Chart.js; asked for when the first chart is shown. */
function loaded() {
  library ??= import(LIBRARY).then(() => globalThis.Chart);
  return library;
}

function colour(property) {
  return getComputedStyle(document.documentElement).getPropertyValue(property).trim();
}

/**
 * @param title of the chart
 * @param times of the points
 * @param series [{label, values}], at most four
 * @param show (value) => text
 */
export class LineChart extends Component {
  constructor(props) {
    super(props);
    this.canvas = createRef();
    this.state = { failed: false };
  }

  async componentDidMount() {
    this.endTheme = onTheme(() => this.draw());
    try {
      this.Chart = await loaded();
    } catch {
      library = null;
      this.setState({ failed: true });
      return;
    }
    this.draw();
  }

  componentDidUpdate() {
    if (!this.chart || this.chart.data.datasets.length !== this.props.series.length) {
      this.draw();
      return;
    }
    this.chart.data.labels = this.labels();
    this.chart.data.datasets.forEach((each, i) => (each.data = this.props.series[i].values));
    this.chart.update("none");
  }

  componentWillUnmount() {
    this.endTheme();
    this.chart?.destroy();
    this.gone = true;
  }

  labels() {
    return this.props.times.map(timeOfDay);
  }

  draw() {
    if (!this.Chart || this.gone) {
      return;
    }
    this.chart?.destroy();
    this.chart = new this.Chart(this.canvas.current, {
      type: "line",
      data: {
        labels: this.labels(),
        datasets: this.props.series.map((each, i) => ({
          label: each.label,
          data: each.values,
          borderColor: colour(`--stead-line-${i + 1}`),
          backgroundColor: colour(`--stead-line-${i + 1}`),
          borderDash: DASHES[i],
          borderWidth: 2,
          pointRadius: 0,
          pointHitRadius: 8,
          spanGaps: false,
        })),
      },
      options: this.options(),
    });
  }

  options() {
    const ink = colour("--stead-ink-soft");
    const grid = { color: colour("--stead-rule") };
    const show = this.props.show;
    return {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      plugins: {
        legend: { display: false },
        tooltip: { callbacks: { label: (point) => `${point.dataset.label}: ${show(point.parsed.y)}` } },
      },
      scales: {
        x: { ticks: { color: ink, maxTicksLimit: 5, maxRotation: 0, autoSkip: true, autoSkipPadding: 16 }, grid },
        y: { beginAtZero: true, ticks: { color: ink, maxTicksLimit: 5, callback: (value) => show(value) }, grid },
      },
    };
  }

  render({ title, series, show, times }, { failed }) {
    return h(
      "section",
      { class: "card chart", "aria-label": title },
      h("h2", null, title),
      h(
        "ul",
        { class: "legend" },
        series.map((each, i) =>
          h(
            "li",
            { key: each.label },
            h("span", { class: `line line-${i + 1}`, "aria-hidden": "true" }),
            `${each.label} `,
            h("strong", null, show(each.values[each.values.length - 1])),
          ),
        ),
      ),
      failed
        ? h("p", null, "The chart could not be drawn: Chart.js could not be loaded. Load this page again.")
        : h(
            "div",
            { class: "canvas" },
            h("canvas", { ref: this.canvas, role: "img", "aria-label": `${title} from ${timeOfDay(times[0])} to ${timeOfDay(times[times.length - 1])}` }),
          ),
    );
  }
}
