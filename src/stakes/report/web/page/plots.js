/* The pictures in their places: drawn when they are in view, with one cursor for all that are over the costs. */
"use strict";

const plots = (() => {
  const { all, byId, headed, spanned } = nodes;
  const NOT_KNOWN = "\u2013";

  function make(host) {
    const { page, stated, inMoney, known, inDomain, middle } = host;

    const drawn = new Map(all(".plot").map((node) => [node, { key: node.dataset.figure, model: node.dataset.model, chart: null, scene: null, seen: false, width: Math.floor(node.clientWidth) }]));

    const PRINTED = { pair: 334, facets: 163 };
    let printing = false;

    /** How wide to draw: as wide as there is room, on screen or on paper. */
    function widthOf(node) {
      const kind = Object.keys(PRINTED).find((css) => node.closest(`.${css}`));
      return printing ? PRINTED[kind ?? "pair"] : drawn.get(node).width;
    }

    /** Pictures of the stated belief itself, which the page cannot draw anew where that is about money. */
    const OF_THE_BELIEF = ["prevalence", "capacity"];

    function drawPlot(node) {
      const plot = drawn.get(node), width = widthOf(node);
      if (inMoney && OF_THE_BELIEF.includes(plot.key)) return;
      if (!width || (plot.scene === host.scene && plot.chart?.width === width) || !isDefined(plot.key)) return;
      const model = plot.model === undefined ? undefined : host.scene.models[Number(plot.model)];
      const chart = charts.fitted(figures.makers[plot.key](host.scene, width, model));
      if (chart.same !== undefined && plot.chart?.same === chart.same && plot.chart.width === width) chart.cells = node.querySelector(".polygons");
      node.replaceChildren(charts.draw(chart));
      Object.assign(plot, { chart, scene: host.scene });
      drawTable(node, chart);
      if (overCosts(plot)) showStrip(node, plot);
    }

    function isDefined(key) {
      if (key === "capacity") return host.scene.limits.capacity !== null && host.scene.bothClasses;
      return host.scene.bothClasses || !["roc", "prevalence"].includes(key);
    }

    function drawTable(node, chart) {
      const details = node.parentElement.querySelector(`details[data-table="${chart.key}"]`);
      if (!details || !details.open) return;
      const [headings, lines] = charts.tableOf(chart), table = details.querySelector("table");
      const cell = (tag, text, scope) => Object.assign(document.createElement(tag), { textContent: text, ...(scope && { scope }) });
      const row = (cells) => {
        const made = document.createElement("tr");
        made.append(...cells);
        return made;
      };
      table.tHead.replaceChildren(row(headings.map((text) => cell("th", text, "col"))));
      table.tBodies[0].replaceChildren(...lines.map(([first, ...rest]) => row([cell("th", first, "row"), ...rest.map((text) => cell("td", text))])));
    }

    const seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        drawn.get(target).seen = isIntersecting;
        if (isIntersecting) drawPlot(target);
      }
    }, { rootMargin: "300px" });

    const resized = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        drawn.get(target).width = Math.floor(target.clientWidth);
        if (drawn.get(target).seen) drawPlot(target);
      }
    });

    /** Only a table that is wider than its place needs to be reached by the keyboard, which then scrolls it. */
    const scrolled = new ResizeObserver((entries) => {
      for (const node of new Set(entries.map(({ target }) => target.closest(".scroll")))) {
        if (node.scrollWidth > node.clientWidth + 1) node.tabIndex = 0;
        else node.removeAttribute("tabindex");
      }
    });
    for (const node of all(".scroll")) [node, ...node.children].forEach((one) => scrolled.observe(one));

    const drawSeen = () => drawn.forEach((plot, node) => plot.seen && drawPlot(node));
    const drawAll = () => drawn.forEach((_, node) => drawPlot(node));

    /* -------------------------------------------------------------------------- one cost, looked at closely */

    const middleOf = ({ low, high }) => middle(...[low, high].map((end) => inDomain(end, page.domain.cost)));
    let looked = middleOf(stated.cost), isPlaced = false; // until a reader places it, it is the middle of the costs

    /** The threshold of a way at the cost looked at, and what becomes of 1,000 cases there; under limits as stated, by its policy. */
    function fateOf(way) {
      if (!host.scene.limited || way.reference) {
        const said = way.reference ? NOT_KNOWN : host.thresholdText(looked, true);
        return { said, alarms: 1000 * stakes.shareActedOn(way.there, looked), ...stakes.confusion(way.there, looked) };
      }
      const exact = host.exactSteps(way), step = exact && looked >= exact.low[0] ? exact.high.findIndex((end) => looked <= end) : -1;
      const steps = step < 0 ? stakes.bestThresholds(way.there, stakes.at(looked), host.scene.limits) : exact, k = Math.max(step, 0);
      const positives = 1000 * way.there.prevalence, tp = positives * (steps.recall[k] || 0), fp = (1000 - positives) * (steps.falsePositiveRate[k] || 0);
      return { said: host.thresholdText(steps.threshold[k], step >= 0), alarms: steps.alarmsPerThousand[k], tp, fp, fn: positives - tp, tn: 1000 - positives - fp };
    }

    function showReadout() {
      if (!isPlaced) looked = middleOf(host.decision.cost);
      byId("readout-title").textContent = `${words.fixed(host.scene.unit.per, 0)} cases at a cost of ${words.percent(looked)} (${words.oddsOf(looked)})`;
      const unit = words.unitAt(host.scene.unit, looked);
      unit.digits = Math.max(unit.digits, 1);
      const lines = host.scene.allowed.filter((way) => way.reference || figures.isColoured(way)).map((way) => {
        const { said, alarms, tp, fp, fn, tn } = fateOf(way);
        const regret = (looked * fp + (1 - looked) * fn) / 1000;
        const counts = [alarms, tp, fp, fn, tn].map((count) => words.signed((count * host.scene.unit.per) / 1000, 1));
        return headed(way, said, ...counts, words.costNumber(unit, regret));
      });
      byId("readout").tBodies[0].replaceChildren(...lines);
    }

    /* One cursor for all charts over the cost: where it is, each says its values in a strip of its own. */

    const overCosts = (plot) => ["regret", "difference", "benefit"].includes(plot.key);
    const placeText = () => `At ${words.oddsOf(looked)} (${words.percent(looked)}):`;

    function showStrip(node, plot) {
      const { left, top, right, bottom } = charts.box(plot.chart), at = charts.place(plot.chart.x, looked, left, right);
      node.querySelector(".cursor")?.remove();
      const dots = plot.chart.lines.filter((line) => line.name).map((line) => {
        const height = charts.place(plot.chart.y, charts.heightAt(line, looked), bottom, top);
        return height >= top && height <= bottom ? charts.element("circle", { class: line.css, cx: at, cy: height, r: 4 }) : "";
      });
      if (at >= left - 0.5 && at <= right + 0.5) node.querySelector("svg").append(charts.element("g", { class: "cursor" }, charts.element("line", { x1: at, x2: at, y1: top, y2: bottom }), ...dots));
      const values = charts.valuesAt(plot.chart, looked).map(([css, name, text]) => [css, name, withBand(plot, text)]);
      node.parentElement.querySelector(".strip")?.replaceChildren(placeText(), ...values.flatMap(([css, name, text]) => [" ", valueOf(css, name, text)]));
      sayPlace(node, plot.chart.x, values);
    }

    /** Where the cursor is, for whoever hears the page; before a chart is drawn without its values. */
    function sayPlace(node, { low, high }, values = []) {
      for (const [key, value] of [["valuemin", control.tidy(low)], ["valuemax", control.tidy(high)], ["valuenow", looked]]) node.setAttribute(`aria-${key}`, charts.plain(100 * value));
      node.setAttribute("aria-valuetext", `${placeText()} ${values.map(([, name, text]) => `${name} ${text}`).join(", ")}`.trim());
    }

    /** The difference with the ends of its band, where that is known. */
    function withBand(plot, text) {
      const known = plot.key === "difference" && figures.bandOf(host.scene);
      if (!known) return text;
      const ends = [known.lower, known.upper].map((y) => charts.heightAt({ x: known.x, y, straight: "x" }, looked) * words.costScale(host.scene.unit));
      return ends.some(Number.isNaN) ? text : `${text} (${ends.map((end) => words.signed(end, plot.chart.digits)).join(" to ")})`;
    }

    function valueOf(css, name, text) {
      const whole = spanned("value", ""), swatch = spanned(`swatch ${css}`, ""), called = document.createElement("bdi"), number = document.createElement("b");
      called.textContent = name;
      number.textContent = text;
      whole.append(swatch, called, " ", number);
      return whole;
    }

    function lookAt(cost) {
      isPlaced = true;
      looked = control.tidy(inDomain(cost, page.domain.cost));
      showReadout();
      drawn.forEach((plot, node) => overCosts(plot) && plot.chart && plot.seen && showStrip(node, plot));
    }

    const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    const NAMES = { regret: "cost looked at: expected cost", difference: "cost looked at: difference", benefit: "cost looked at: net benefit" };

    function wireCursor(node, plot) {
      const look = (event) => {
        if (!plot.chart) return;
        const { left, right } = charts.box(plot.chart), at = event.clientX - node.getBoundingClientRect().left;
        lookAt(charts.valueAt(plot.chart.x, Math.min(Math.max(at, left), right), left, right));
      };
      node.tabIndex = 0;
      node.setAttribute("role", "slider");
      node.setAttribute("aria-label", NAMES[plot.key]);
      sayPlace(node, figures.costAxis(host.scene));
      node.addEventListener("pointermove", look);
      node.addEventListener("pointerdown", look);
      node.addEventListener("keydown", (event) => {
        if (!plot.chart) drawPlot(node);
        const { low, high } = plot.chart.x, step = (stakes.logit(high) - stakes.logit(low)) / 100;
        if (event.key in STEPS) lookAt(Math.min(Math.max(stakes.expit(stakes.logit(looked) + STEPS[event.key] * step), low), high));
        else if (event.key === "Home" || event.key === "End") lookAt(event.key === "Home" ? low : high);
        else return;
        event.preventDefault();
      });
    }

    function wirePlots() {
      drawn.forEach((plot, node) => {
        if (overCosts(plot)) wireCursor(node, plot);
        seen.observe(node);
        const details = node.parentElement.querySelector(`details[data-table="${plot.key}"]`);
        details?.addEventListener("toggle", () => plot.chart && drawTable(node, plot.chart));
        resized.observe(node);
        if (plot.key === "cost-map" && !inMoney) wireMap(node, plot);
      });
      for (const button of all("[data-zoom]")) {
        button.addEventListener("click", () => {
          page.zoom = button.dataset.zoom;
          if (page.zoom === "range") isPlaced = false; // where it may have been out of view
          for (const one of all("[data-zoom]")) one.setAttribute("aria-pressed", String(one === button));
          host.schedule();
        });
      }
    }

    /** The map is moved by a click, or where it has the focus by the arrows: to the sides the lower end, up and down the upper one. */
    function wireMap(node, plot) {
      node.tabIndex = 0;
      node.setAttribute("role", "application");
      node.setAttribute("aria-label", "range of costs on the map");
      node.addEventListener("click", (event) => moveOnMap(node, plot.chart, event));
      const moves = { ArrowLeft: ["most", 1], ArrowRight: ["most", -1], ArrowUp: ["least", -1], ArrowDown: ["least", 1] };
      node.addEventListener("keydown", (event) => {
        if (!(event.key in moves)) return;
        event.preventDefault();
        const [slot, step] = moves[event.key];
        host.question.step(known(host.decision.cost).kind === "at" ? "one" : slot, step);
      });
    }

    function moveOnMap(node, chart, event) {
      const { left, top, right, bottom } = charts.box(chart), box = node.getBoundingClientRect();
      const low = charts.valueAt(chart.x, event.clientX - box.left, left, right), high = charts.valueAt(chart.y, event.clientY - box.top, bottom, top);
      if (!(low >= chart.x.low && high <= chart.y.high && low <= high)) return;
      const kind = known(host.decision.cost).kind === "at" ? "uniform" : known(host.decision.cost).kind;
      const [a, b] = [control.tidy(low), control.tidy(high)];
      host.decide({ cost: a < b ? { kind, low: a, high: b } : stakes.at(a) });
    }

    let closed = [];
    function print(now) {
      printing = now;
      if (now) closed = all(".policy, .roc").filter((one) => !one.open);
      for (const one of closed) one.open = now;
      drawAll();
    }

    return { drawSeen, isDefined, print, showReadout, wirePlots, places: () => [...drawn.keys()] };
  }

  return Object.freeze({ make });
})();
