/* The live page: controls change the decision, and everything below follows, computed from the tables in the page.
   As stated, the numbers are Python's own. Names from data enter as text nodes only. */
"use strict";

const report = {};

/** Let the page that is in the document follow its controls, from the data it is given. `rest` is told of a decision that has moved, once the
    hand rests. Returns what ends it, so that another page can take its place. */
report.start = (page, { rest = () => {} } = {}) => {
  const ended = new AbortController(), { signal } = ended;
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const NOT_KNOWN = "\u2013", NARROW = 480, ROUNDING = 1e-12;
  if (page.words.length) wording.follow(page.words, document.body);

  /* ------------------------------------------------------------------------------------------- models */

  page.zoom = "range";
  page.models = page.models.map((model, k) => ({ ...model, css: page.colours[k], table: stakes.table(stakes.columns(model)) }));
  const sample = page.models[0].table;
  page.references = page.references.map((name, k) => ({
    name, css: `r${k}`, reference: true, score: 1 - k,
    table: stakes.table({ score: [1 - k], positive: [sample.positiveTotal], negative: [sample.negativeTotal] }),
  }));

  /* ------------------------------------------------------------------------------------------ decision */

  const stated = page.stated;
  let decision = structuredClone(stated);
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const isMoved = () => !same(decision, stated);
  const inDomain = (value, [low, high]) => Math.min(Math.max(value, low), high);

  /** Costs that the page can compute with: of another kind of belief, the range it spans, evenly. */
  function known(belief) {
    if (belief.kind !== "other") return belief;
    const [low, high] = [belief.low, belief.high].map((end) => control.tidy(inDomain(end, page.domain.cost)));
    return low < high ? stakes.uniform(low, high) : stakes.at(low);
  }

  /** Costs in money have a sum, which no control of their proportion states: the page shows the decision as stated. */
  const inMoney = Boolean(stated.cost.money);

  /** A prevalence that the page can compute with: of another kind of belief, its mean. */
  const knownPrevalence = (belief) => (belief?.kind === "other" ? stakes.at(belief.mean) : belief);

  /** Change the decision, and let everything follow. */
  function decide(change) {
    const next = { ...decision, ...change };
    if (!same(next, stated)) Object.assign(next, { cost: known(next.cost), prevalence: knownPrevalence(next.prevalence) });
    const limited = next.capacity !== null || next.min_precision !== null;
    if (limited && next.prevalence && next.prevalence.kind !== "at") next.prevalence = stakes.at(control.tidy(stakes.mean(next.prevalence)));
    decision = next;
    schedule();
  }

  /* ------------------------------------------------------------------------------------------ controls */

  const { share } = asked;
  function middle(low, high) {
    if (low === high) return low;
    const [first, last] = [low, high].map((end) => inDomain(end, page.domain.cost));
    const exact = stakes.expit((stakes.logit(first) + stakes.logit(last)) / 2), round = control.tidy(exact, 2);
    return first <= round && round <= last ? round : control.tidy(exact);
  }
  const around = (value, reach, [low, high]) => [-reach, reach].map((step) => control.tidy(inDomain(stakes.expit(stakes.logit(value) + step), [low, high])));

  let lastRange = stated.cost.low < stated.cost.high ? known(stated.cost) : null;

  function chooseCost(kind) {
    if (kind === "other") return decide({ cost: stated.cost });
    const { low, high } = known(decision.cost);
    if (kind === "at") return decide({ cost: stated.cost.kind === "at" ? stated.cost : stakes.at(middle(low, high)) });
    const old = low < high ? [low, high] : lastRange ? [lastRange.low, lastRange.high] : around(low, Math.log(2), page.domain.cost);
    const [from, to] = kind === "log_odds_uniform" ? old.map((end) => inDomain(end, page.domain.cost)) : old;
    return decide({ cost: { kind, low: from, high: to } });
  }

  function choosePrevalence(kind) {
    if (kind === "observed") return decide({ prevalence: null });
    if (kind === "other") return decide({ prevalence: stated.prevalence });
    const now = knownPrevalence(decision.prevalence ?? stated.prevalence) ?? stakes.at(control.tidy(sample.prevalence));
    if (kind === "at") return decide({ prevalence: stakes.at(now.kind === "at" ? now.low : control.tidy(stakes.mean(now))) });
    if (["uniform", "log_odds_uniform"].includes(stated.prevalence?.kind)) return decide({ prevalence: stated.prevalence });
    const [low, high] = around(now.low, Math.log(2), page.domain.prevalence);
    return decide({ prevalence: stakes.logOddsUniform(low, high) });
  }

  /** While a hand drags a number nothing above it may move, and rows keep their places. */
  let held = false;
  function hold(on) {
    held = on;
    const kept = [byId("sentence"), byId("headline"), byId("much")].filter(Boolean);
    for (const node of kept) node.style.minHeight = on ? `${node.offsetHeight}px` : "";
    document.documentElement.classList.toggle("is-held", on);
    if (!on) schedule();
  }

  const question = asked.make({ page, stated, sample, now: () => decision, decide, known, knownPrevalence, hold, frozen: inMoney });

  function wireControls() {
    byId("cost-kind").addEventListener("change", (event) => chooseCost(event.target.value));
    byId("prevalence-kind").addEventListener("change", (event) => choosePrevalence(event.target.value));
    byId("capacity-on").addEventListener("change", (event) => decide({ capacity: event.target.checked ? stated.capacity ?? 0.1 : null }));
    byId("precision-on").addEventListener("change", (event) => decide({ min_precision: event.target.checked ? stated.min_precision ?? 0.3 : null }));
    byId("reset").addEventListener("click", () => {
      decide(structuredClone(stated));
      byId("sentence").querySelector("[tabindex]")?.focus({ preventScroll: true });
    });
    addEventListener("hashchange", () => takeAddress(), { signal });
  }

  /** The address holds what differs from what was stated; what of it cannot be read is named. */
  let taken = location.hash;
  function takeAddress() {
    taken = location.hash;
    if (inMoney || !/=/.test(location.hash)) return;
    const { decision: next, ignored } = state.read(location.hash, stated);
    setPins(state.pinned(location.hash));
    question.complain(ignored.length ? `This address says ${ignored.join(" and ")}, which this page cannot read; the rest is shown.` : "");
    decide(next);
  }

  let addressed = 0;
  function writeAddress() {
    clearTimeout(addressed);
    addressed = setTimeout(() => {
      if (signal.aborted) return;
      if (isMoved() && !held) rest(decision);
      const said = [state.written(decision, stated), pins.length ? `pin=${pins.join(",")}` : ""].filter(Boolean).join("&"), now = location.hash.replace(/^#/, "");
      if (location.hash !== taken || said === now || (!said && !now.includes("="))) return; // a new address is read first
      history.replaceState(null, "", said ? `#${said}` : location.pathname + location.search);
      taken = location.hash;
    }, 150);
  }

  /* ------------------------------------------------------------------------------------------- ranking */

  const body = byId("ranking-table").tBodies[0];
  const COLUMNS = ["regret", "picture", "difference", "probability", "skill", "acts"];
  const asStated = new Map(all("tr", body).map((row) => [row.dataset.way, { row, cells: COLUMNS.map((css) => [...row.querySelector(`.${css}`).childNodes]) }]));
  const rows = new Map([...asStated].map(([name, { row }]) => [name, row]));
  const statedLines = new Map(page.evaluation.ranking.map((line, k) => [page.ranking[k], line]));

  /** The row of a way to decide; one that limits forbade as stated gets its row when they are lifted. */
  function rowOf(way) {
    if (!rows.has(way.name)) {
      const row = body.rows[0].cloneNode(true);
      row.dataset.way = way.name;
      row.className = way.reference ? "reference" : "";
      row.querySelector(".swatch").className = `swatch ${way.css}`;
      row.querySelector("bdi").textContent = way.name;
      rows.set(way.name, row);
    }
    return rows.get(way.name);
  }

  const wayOf = (scene, line) => scene.ways.find((way) => Boolean(way.reference) === line.reference && way.name === line.name);

  function fill(row, css, ...content) {
    row.querySelector(`.${css}`).replaceChildren(...content);
  }

  /** How much more one costs than the best, or than the baseline where the page has one. */
  function behind(scene, line, ranking) {
    const other = page.baseline === null ? ranking[0] : ranking.find(({ name }) => name === page.baseline);
    const known = other !== undefined && (page.baseline === null ? line.regret > other.regret * (1 + ROUNDING) : line !== other);
    return known ? words.signedCost(scene.unit, line.regret - other.regret) : NOT_KNOWN;
  }

  const spanned = (css, text) => Object.assign(document.createElement("span"), { className: css, textContent: text });

  /** The ends of an interval, "about" where they are far from the decision that they were computed for; nothing where they are not known. */
  function endsText(value, lower, upper) {
    if (!Number.isFinite(lower ?? NaN) || page.baseline !== null && value === undefined) return [];
    const texts = [lower, upper].map((end) => words.costNumber(scene.unit, end, value));
    return [spanned("ends", `${about()}${texts.join(" to ")}`)];
  }

  /** What is not known for the decision that is shown is left out. */
  function showLine(scene, line, ranking, ends) {
    const way = wayOf(scene, line), row = rowOf(way), best = ranking[0].regret;
    fill(row, "regret", words.costNumber(scene.unit, line.regret));
    fill(row, "picture", figures.intervalCell(line, best, ends, way.css), ...endsText(line.regret, line.lower, line.upper));
    fill(row, "difference", spanned("much", behind(scene, line, ranking)), ...endsText(line.difference, line.difference_lower, line.difference_upper));
    fill(row, "probability", line.probability_best === undefined ? "" : words.chance(line.probability_best));
    fill(row, "skill", Number.isNaN(line.skill) ? NOT_KNOWN : words.signed(line.skill, 2));
    fill(row, "acts", fromTo(words.wholePercent(line.acts.high), words.wholePercent(line.acts.low)));
    return row;
  }

  /** Two ends: as one where they read alike, and with one sign for both. */
  const fromTo = (first, last) => (first === last ? last : `${first.replace(/%$/, "")} to ${last}`);

  /** What small pictures must have room for: the models, and the better of the ways that need none. */
  function comparedOf(ranking) {
    const best = ranking.find((line) => line.reference);
    return ranking.filter((line) => !line.reference || line === best);
  }

  function showRanking(scene, ranking) {
    const ends = figures.endsOf(comparedOf(ranking).flatMap((line) => [line.regret, line.lower ?? NaN, line.upper ?? NaN]));
    reorder(body, ranking.map((line) => showLine(scene, line, ranking, ends)));
  }

  function restoreRanking() {
    for (const { row, cells } of asStated.values()) cells.forEach((nodes, k) => fill(row, COLUMNS[k], ...nodes));
    reorder(body, page.ranking.map((name) => asStated.get(name).row));
  }

  /** Put rows in order, each moving gently from where it was, unless the reader prefers no motion. */
  function reorder(body, wanted) {
    const now = [...body.rows];
    if (held && now.length === wanted.length && wanted.every((row) => now.includes(row))) return;
    if (now.length === wanted.length && wanted.every((row, k) => row === now[k])) return;
    const before = new Map(now.map((row) => [row, row.getBoundingClientRect().top]));
    body.replaceChildren(...wanted);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const row of wanted) {
      const moved = before.has(row) ? before.get(row) - row.getBoundingClientRect().top : 0;
      if (moved) row.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], { duration: 280, easing: "cubic-bezier(.2,.7,.2,1)" });
    }
  }

  /* A reader may pin up to three of the models without a colour: then they have one, and a name in the charts. */

  const PIN_COLOURS = ["m4", "m5", "m6"], pinButtons = new Map();
  let pins = [];

  function setPins(numbers) {
    pins = [...new Set(numbers)].filter((k) => page.colours[k] === "other").slice(-PIN_COLOURS.length);
    const free = PIN_COLOURS.filter((css) => !pins.some((k) => page.models[k].css === css));
    page.models.forEach((model, k) => {
      if (page.colours[k] !== "other") return;
      model.css = !pins.includes(k) ? "other" : model.css === "other" ? free.shift() : model.css;
      for (const row of [rows.get(model.name), firstRows.get(model.name)]) if (row) row.querySelector(".swatch").className = `swatch ${model.css}`;
      pinButtons.get(k)?.setAttribute("aria-pressed", String(pins.includes(k)));
    });
    schedule();
  }

  function wirePins() {
    page.models.forEach(({ name }, k) => {
      if (page.colours[k] !== "other" || !rows.has(name)) return;
      const button = Object.assign(document.createElement("button"), { type: "button", className: "pin", textContent: "colour" });
      button.setAttribute("aria-label", `colour ${name} in the charts`);
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => setPins(pins.includes(k) ? pins.filter((one) => one !== k) : [...pins, k]));
      rows.get(name).querySelector("th").append(" ", button);
      pinButtons.set(k, button);
    });
  }

  let announced = "", waiting = 0;
  function announce() {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (signal.aborted) return;
      const said = [byId("headline"), byId("much")].map((node) => node?.textContent ?? "").join(" ");
      if (announced && said !== announced) byId("announcement").textContent = said;
      announced = said;
    }, 500);
  }

  /* -------------------------------------------------------------------------------------- the first screen */

  const firstBody = byId("first-ranking").tBodies[0], FIRST = 10;
  const firstRows = new Map([...firstBody.rows].map((row) => [row.dataset.way, row]));
  let broad = 320;
  new ResizeObserver(() => {
    broad = Math.max(firstBody.rows[0].cells[1].clientWidth - 12, 40);
    showFirst(currentRanking());
  }).observe(byId("first-ranking"));

  function firstRow(way) {
    if (!firstRows.has(way.name)) {
      const row = headed(way, "", "");
      row.dataset.way = way.name;
      row.className = way.reference ? "reference" : "";
      row.cells[1].className = "picture";
      row.cells[2].className = "cost";
      firstRows.set(way.name, row);
    }
    return firstRows.get(way.name);
  }

  function showFirst(ranking) {
    const shown = ranking.filter((line, place) => place < FIRST || line.reference);
    const ends = [0, 1.03 * Math.max(...shown.flatMap((line) => [line.regret, line.upper ?? 0]).filter(Number.isFinite)) || 1];
    reorder(firstBody, shown.map((line) => {
      const way = wayOf(scene, line), row = firstRow(way);
      row.cells[1].replaceChildren(figures.intervalCell(line, ranking[0].regret, ends, way.css, broad));
      row.cells[2].textContent = words.costNumber(scene.unit, line.regret);
      return row;
    }));
  }

  const KEPT = ["headline", "people-title", "people-picture", "people-counts", "people-said"];
  const keptAsStated = KEPT.map((id) => [byId(id), [...byId(id).childNodes].map((node) => node.cloneNode(true))]), hadPeople = !byId("people").hidden;

  /** The one threshold of the best, as the page can compute it now; none where no model is best. */
  function recommended(ranking) {
    const first = ranking[0];
    return first.reference ? null : stakes.recommendedThreshold(wayOf(scene, first).table, scene.decision, scene.unit);
  }

  function showAnswer(ranking, found) {
    byId("headline").replaceChildren(...sentences.answer(page.answers, ranking, found).map(strongly));
    const acts = found !== null && found.threshold < Infinity;
    byId("people").hidden = !acts;
    if (!acts) return;
    const name = ranking[0].name, { unit } = scene;
    const counts = people.whole([found.found, found.misses, found.false_alarms, found.left_alone], found.per);
    byId("people-title").textContent = `${words.fixed(found.per, 0)} cases, ${name} from ${sentences.threshold(found.threshold)}`;
    byId("people-picture").replaceChildren(people.picture(counts, found.per));
    [...byId("people-counts").querySelectorAll("b")].forEach((node, k) => (node.textContent = words.fixed(counts[k], 0)));
    byId("people-said").textContent = sentences.sums(page.answers, unit, found, ranking[0].regret);
  }

  function restoreAnswer() {
    for (const [node, children] of keptAsStated) node.replaceChildren(...children.map((child) => child.cloneNode(true)));
    byId("people").hidden = !hadPeople;
  }

  function showBar(ranking) {
    const first = ranking[0], strong = Object.assign(document.createElement("strong"), { textContent: first.name });
    byId("bar-answer").replaceChildren(" \u00b7 ", strong, ` ${words.costNumber(scene.unit, first.regret)}`);
  }

  /* ------------------------------------------------------------------------------------------ findings */

  const much = byId("much"), statedLists = all("#answer .findings, #answer .more-findings");
  const liveList = document.createElement("ol");
  liveList.className = "findings";
  byId("findings").before(liveList);
  const statedMuch = much?.textContent;
  const strongly = ([text, strong]) => (strong ? Object.assign(document.createElement("strong"), { textContent: text }) : text);

  /** Show what can be said now in place of what was found as stated; without it, that again. */
  function showFindings(found) {
    for (const list of statedLists) list.hidden = found !== null;
    byId("else").hidden = found !== null && found.length < 2;
    if (much) much.textContent = found === null ? statedMuch : found[0].text;
    liveList.replaceChildren(...(found ?? []).slice(1).map((finding) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = `#${finding.evidence}`;
      link.textContent = page.evidence[finding.evidence];
      item.append(finding.text, " ", link);
      return item;
    }));
  }

  /* ------------------------------------------------------------------------------------------- pictures */

  const plots = new Map(all(".plot").map((node) => [node, { key: node.dataset.figure, model: node.dataset.model, chart: null, scene: null, seen: false, width: Math.floor(node.clientWidth) }]));
  let scene = null;

  const PRINTED = { pair: 334, facets: 163 };
  let printing = false;

  /** How wide to draw: as wide as there is room, on screen or on paper. */
  function widthOf(node) {
    const kind = Object.keys(PRINTED).find((css) => node.closest(`.${css}`));
    return printing ? PRINTED[kind ?? "pair"] : plots.get(node).width;
  }

  /** Pictures of the stated belief itself, which the page cannot draw anew where that is about money. */
  const OF_THE_BELIEF = ["prevalence", "capacity"];

  function drawPlot(node) {
    const plot = plots.get(node), width = widthOf(node);
    if (inMoney && OF_THE_BELIEF.includes(plot.key)) return;
    if (!width || (plot.scene === scene && plot.chart?.width === width) || !isDefined(plot.key)) return;
    const model = plot.model === undefined ? undefined : scene.models[Number(plot.model)];
    const chart = figures.makers[plot.key](scene, width, model);
    if (width < NARROW) chart.longest = 12;
    for (const axis of ["x", "y"]) chart[axis] = { ...chart[axis], title: fitting(chart[axis].title, width) };
    if (chart.same !== undefined && plot.chart?.same === chart.same && plot.chart.width === width) chart.cells = node.querySelector(".polygons");
    node.replaceChildren(charts.draw(chart));
    Object.assign(plot, { chart, scene });
    drawTable(node, chart);
    if (overCosts(plot)) showStrip(node, plot);
  }

  /** A title without what it can spare, as long as it does not fit. */
  function fitting(title, width) {
    const spared = [/ \([^)]*\)$/, /; below, the threshold probability$/];
    return spared.reduce((text, part) => (text.length * charts.LETTER > width ? text.replace(part, "") : text), title);
  }

  function isDefined(key) {
    if (key === "capacity") return scene.limits.capacity !== null && scene.bothClasses;
    return scene.bothClasses || !["roc", "prevalence"].includes(key);
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
      plots.get(target).seen = isIntersecting;
      if (isIntersecting) drawPlot(target);
    }
  }, { rootMargin: "300px" });

  const resized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      plots.get(target).width = Math.floor(target.clientWidth);
      if (plots.get(target).seen) drawPlot(target);
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

  const drawSeen = () => plots.forEach((plot, node) => plot.seen && drawPlot(node));
  const drawAll = () => plots.forEach((_, node) => drawPlot(node));

  /* -------------------------------------------------------------------------- one cost, looked at closely */

  const middleOfStated = () => middle(...[stated.cost.low, stated.cost.high].map((end) => inDomain(end, page.domain.cost)));
  let looked = middleOfStated();

  const thresholdAt = (way, cost) => {
    if (!scene.limited || way.reference) return cost;
    return stakes.bestThresholds(way.there, stakes.at(cost), scene.limits).threshold[0];
  };

  function showReadout() {
    byId("readout-title").textContent = `${words.fixed(scene.unit.per, 0)} cases at a cost of ${words.percent(looked)} (${words.oddsOf(looked)})`;
    const unit = words.unitAt(scene.unit, looked);
    unit.digits = Math.max(unit.digits, 1);
    const lines = scene.allowed.filter((way) => way.reference || figures.isColoured(way)).map((way) => {
      const threshold = thresholdAt(way, looked), { tp, fp, fn, tn } = stakes.confusion(way.there, threshold);
      const regret = (looked * fp + (1 - looked) * fn) / 1000;
      const counts = [1000 * stakes.shareActedOn(way.there, threshold), tp, fp, fn, tn].map((count) => words.signed((count * scene.unit.per) / 1000, 1));
      return headed(way, way.reference ? NOT_KNOWN : words.threshold(stakes.asGiven(threshold, scene.decision, sample.prevalence)), ...counts, words.costNumber(unit, regret));
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
    const [low, high] = [plot.chart.x.low, plot.chart.x.high].map((end) => control.tidy(end));
    for (const [key, value] of [["valuemin", low], ["valuemax", high], ["valuenow", looked]]) node.setAttribute(`aria-${key}`, charts.plain(100 * value));
    node.setAttribute("aria-valuetext", `${placeText()} ${values.map(([, name, text]) => `${name} ${text}`).join(", ")}`);
  }

  /** The difference with the ends of its band, where that is known. */
  function withBand(plot, text) {
    const known = plot.key === "difference" && figures.bandOf(scene);
    if (!known) return text;
    const ends = [known.lower, known.upper].map((y) => charts.heightAt({ x: known.x, y, straight: "x" }, looked) * words.costScale(scene.unit));
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
    looked = control.tidy(inDomain(cost, page.domain.cost));
    showReadout();
    plots.forEach((plot, node) => overCosts(plot) && plot.chart && plot.seen && showStrip(node, plot));
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
    plots.forEach((plot, node) => {
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
        if (page.zoom === "range") looked = middleOfStated(); // where that is always in view
        for (const one of all("[data-zoom]")) one.setAttribute("aria-pressed", String(one === button));
        schedule();
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
      question.step(known(decision.cost).kind === "at" ? "one" : slot, step);
    });
  }

  function moveOnMap(node, chart, event) {
    const { left, top, right, bottom } = charts.box(chart), box = node.getBoundingClientRect();
    const low = charts.valueAt(chart.x, event.clientX - box.left, left, right), high = charts.valueAt(chart.y, event.clientY - box.top, bottom, top);
    if (!(low >= chart.x.low && high <= chart.y.high && low <= high)) return;
    const kind = known(decision.cost).kind === "at" ? "uniform" : known(decision.cost).kind;
    const [a, b] = [control.tidy(low), control.tidy(high)];
    decide({ cost: a < b ? { kind, low: a, high: b } : stakes.at(a) });
  }

  /* -------------------------------------------------------------------------- calibration, policy, downloads */

  const partsTable = byId("parts"), partsRows = partsTable ? [...partsTable.tBodies[0].rows].map((row) => row.cloneNode(true)) : [];
  const partsLead = byId("parts-lead").textContent;

  function headed(way, ...cells) {
    const row = document.createElement("tr"), head = document.createElement("th"), swatch = document.createElement("span"), name = document.createElement("bdi");
    head.scope = "row";
    swatch.className = `swatch ${way.css}`;
    name.textContent = way.name;
    head.append(swatch, name);
    row.append(head);
    for (const content of cells) {
      const cell = row.insertCell();
      cell.append(content);
      if (content instanceof SVGElement) cell.className = "picture";
    }
    return row;
  }

  /** What recalibration would save: of a line as stated the exact numbers, else from the tables in the page. */
  const partsOf = (line) => (line.miscalibration === undefined ? stakes.parts(wayOf(scene, line).table, decision) : { ...line, total: line.regret });

  function showParts(ranking) {
    byId("parts-block").hidden = scene.limited;
    if (scene.limited) {
      byId("parts-lead").textContent = "Under limits, each threshold is chosen regardless of calibration, so recalibration would save nothing.";
      return;
    }
    const lines = ranking.filter((line) => !line.reference).map((line) => ({ way: wayOf(scene, line), ...partsOf(line) }));
    const top = 1.04 * Math.max(...lines.map(({ total, uncertainty }) => Math.max(total, uncertainty))) || 1;
    partsTable.tBodies[0].replaceChildren(...lines.map(({ way, total, miscalibration, uncertainty, discrimination }) => headed(
      way, figures.partsCell(total - miscalibration, miscalibration, uncertainty, top, way.css),
      ...[total - miscalibration, miscalibration, discrimination].map((regret) => words.costNumber(scene.unit, regret)),
    )));
    byId("parts-constant").textContent = words.costNumber(scene.unit, lines[0].uncertainty);
    const saved = lines[0].miscalibration, name = lines[0].way.name;
    byId("parts-lead").textContent = words.inUnit(scene.unit, saved) === 0
      ? `Recalibration alone would not lower the expected cost of ${name}.`
      : `Recalibration alone would lower the expected cost of ${name} by up to ${words.costText(scene.unit, saved)}.`;
  }

  const policyTable = byId("policy-table"), MOST_STEPS = 15, SHOWN_STEPS = 12;
  let policyModel = null;

  /** The steps of a policy, as Python writes them: exact as stated, from the table in the page otherwise. */
  function stepsOf(way, index) {
    const exact = page.evaluation.policies, key = page.models[index].key;
    if (!isMoved() && Object.hasOwn(exact, key)) {
      const { from_cost: low, to_cost: high, threshold, recall, precision, alarms_per_thousand: alarmsPerThousand, false_positive_rate: falsePositiveRate } = exact[key];
      return { low, high, threshold: threshold.map((value) => value ?? Infinity), recall, precision, alarmsPerThousand, falsePositiveRate };
    }
    return stakes.bestThresholds(way.there, decision.cost, scene.limits);
  }

  function showPolicy(ranking) {
    if (!policyTable) return;
    const bestName = ranking.find((line) => !line.reference).name;
    const index = policyModel ?? page.models.findIndex((model) => model.name === bestName);
    const way = scene.models[index], steps = stepsOf(way, index), count = steps.threshold.length;
    byId("policy-model").value = String(index);
    const costs = count > MOST_STEPS ? figures.even(inDomain(steps.low[0], page.domain.cost), inDomain(steps.high[count - 1], page.domain.cost), SHOWN_STEPS) : [];
    const chosen = costs.length ? [...new Set(costs.map((cost) => Math.max([...steps.high].findIndex((end) => cost <= end), 0)))] : [...Array(count).keys()];
    const { per } = scene.unit, positives = per * way.there.prevalence;
    policyTable.tBodies[0].replaceChildren(...chosen.map((k) => {
      const low = steps.low[k], high = steps.high[k], alarms = (steps.alarmsPerThousand[k] * per) / 1000, found = positives * (steps.recall[k] || 0), needless = (per - positives) * (steps.falsePositiveRate[k] || 0);
      const row = document.createElement("tr"), head = document.createElement("th");
      head.scope = "row";
      head.textContent = fromTo(words.percent(low), words.percent(high));
      row.append(head);
      const odds = fromTo(words.oddsOf(low), words.oddsOf(high));
      const precision = Number.isFinite(steps.precision[k] ?? NaN) ? words.wholePercent(steps.precision[k]) : NOT_KNOWN;
      const texts = [odds, words.threshold(stakes.asGiven(steps.threshold[k], scene.decision, sample.prevalence)), words.fixed(alarms, 0), ...[found, needless, positives - found].map((value) => words.signed(value, 1)), precision];
      for (const text of texts) row.insertCell().textContent = text;
      row.cells[2].className = "threshold";
      return row;
    }));
    policyTable.caption.querySelector(".swatch").className = `swatch ${way.css}`;
    policyTable.caption.querySelector("bdi").textContent = way.name;
    byId("policy-said").textContent = policySaid(way);
    byId("policy-steps").textContent = chosen.length === count ? "" : `${chosen.length} of ${count} steps are shown${isMoved() ? "" : "; --json writes them all"}.`;
  }

  /** The one threshold as a rule to follow. */
  function showRule(ranking, found) {
    const line = byId("rule-line");
    if (!line) return;
    line.hidden = found === null || !(found.threshold < Infinity);
    if (!line.hidden) byId("rule").textContent = sentences.rule(page.answers, ranking[0].name, found.threshold);
  }

  const copied = async (text, node) => {
    const done = await navigator.clipboard.writeText(text).then(() => true, () => false);
    node.textContent = done ? "Copied." : "Select it to copy it.";
  };

  function policySaid(way) {
    if (scene.limited) return "The thresholds below meet your limits.";
    const exact = isMoved() ? null : statedLines.get(way.name)?.miscalibration;
    const saved = exact ?? stakes.parts(way.table, scene.decision).miscalibration;
    const bestHere = "The thresholds below, which a policy file holds, are the best in this sample";
    return words.inUnit(scene.unit, saved) === 0
      ? `${bestHere}; using the cost itself as the threshold is as good in it.`
      : `${bestHere}: using the cost itself as the threshold would cost ${words.costText(scene.unit, saved)} more in it.`;
  }

  function wirePolicy() {
    if (!policyTable) return;
    document.querySelector(".pick").hidden = false;
    byId("policy-model").addEventListener("change", (event) => {
      policyModel = Number(event.target.value);
      showPolicy(currentRanking());
    });
    byId("copy-policy").addEventListener("click", () => copied([...policyTable.rows].map((row) => [...row.cells].map((cell) => cell.textContent).join("\t")).join("\n"), byId("copied")));
    byId("copy-rule").addEventListener("click", () => copied(byId("rule").textContent, byId("copy-rule")));
  }

  /** A cell of a CSV file; what a spreadsheet would take for a formula is marked as text. */
  function csvCell(value) {
    if (value === null || value === undefined) return "";
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  const csv = (headings, lines) => [headings, ...lines].map((line) => line.map(csvCell).join(",")).join("\r\n") + "\r\n";

  /** What is shown, for a file: as stated, Python's own numbers. */
  function shownNow() {
    const ranking = currentRanking(), moved = isMoved(), found = moved ? recommended(ranking) : page.evaluation.recommended_threshold;
    const line = ({ name, reference, regret, lower = null, upper = null, skill, difference, difference_lower = null, difference_upper = null, probability_best = null, acts }) => ({
      model: name, reference, regret, lower, upper, skill, difference, difference_lower, difference_upper, probability_best, acts_at_lowest_cost: acts.low, acts_mean: acts.mean, acts_at_highest_cost: acts.high,
    });
    return {
      decision, as_stated: !moved, answer: [byId("headline"), byId("much")].map((node) => node?.textContent ?? "").join(" ").trim(),
      unit: scene.unit, recommended_threshold: found, ranking: moved ? ranking.map(line) : page.evaluation.ranking,
    };
  }

  /** The state as a part of the name of a file. */
  const stateName = () => state.written(decision, stated).replace(/[^\w.=]+/g, "-").replaceAll("=", "-").replaceAll("..", "-");
  const fileName = (name, kind) => [name, stateName()].filter(Boolean).join("-") + `.${kind}`;

  /** What the page holds, with its tables as lists. */
  function statedPlainly() {
    const held = JSON.parse(byId("data").textContent), { live: _, ...others } = held;
    const models = held.models.map(({ key, name, ...packed }) => ({ key, name, ...stakes.plainColumns(packed) }));
    return { ...others, models };
  }

  const DOWNLOADS = {
    json: () => [fileName("stakes-report", "json"), "application/json", JSON.stringify({ stated: statedPlainly(), shown: shownNow() }, null, 1)],
    ranking: () => {
      const lines = shownNow().ranking, headings = Object.keys(lines[0]);
      return [fileName("stakes-ranking", "csv"), "text/csv", csv(headings, lines.map((line) => headings.map((name) => line[name])))];
    },
    tables: () => {
      const counted = page.models.some(({ table }) => table.heads), columns = ["score", "positive", "negative", ...(counted ? ["everyone"] : [])];
      const lines = page.models.flatMap(({ key, table }) => stakes.rowsOf(table).map((row) => [key, ...columns.map((column) => row[column])]));
      return ["stakes-tables.csv", "text/csv", csv(["model", ...columns], lines)];
    },
  };

  function saveFile(name, blob) {
    const address = URL.createObjectURL(blob);
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000); // a busy machine begins late
  }

  /** For which decision the page holds, as lines below a picture of it. */
  const toldNow = () => {
    const plain = (id) => (byId(id)?.textContent ?? "").trim().replace(/\s+/g, " ");
    return [`${plain("sentence")} ${plain("headline")}`.trim(), isMoved() ? `Stated: ${page.stated_said}.` : "As stated."];
  };

  function wireDownloads() {
    document.querySelector(".downloads").hidden = false;
    for (const button of all("[data-download]")) {
      button.addEventListener("click", () => {
        const [name, type, text] = DOWNLOADS[button.dataset.download]();
        saveFile(name, new Blob([text], { type }));
      });
    }
    for (const node of plots.keys()) pictures.offer(node, toldNow, (name, kind, blob) => saveFile(fileName(`stakes-${name}`, kind), blob));
  }

  /* -------------------------------------------------------------------------------------------- follow */

  /** How far what follows a control can be from the cases themselves, at any single cost: a regret, 0 where unknown. */
  function boundNow() {
    const { regret, false_alarms, misses, capacity, precision } = page.bound, p = decision.prevalence, own = sample.prevalence;
    if (scene.limited) return decision.min_precision === null ? capacity : Math.max(capacity, precision);
    if (!regret) return 0;
    return p ? Math.max(...[p.low, p.high].map((there) => Math.max((false_alarms * (1 - there)) / (1 - own), (misses * there) / own))) : regret;
  }

  function boundText() {
    const worst = boundNow() * words.costScale(scene.unit);
    if (!worst) return "";
    if (scene.limited) return ` Scores are pooled here: under limits, costs are about right, at several limits to ${words.fixed(Math.ceil(10 * worst - 1e-9) / 10, 1)} ${words.unitHeading(scene.unit).replace(/^in /, "")} for the first models.`;
    return ` Scores are pooled here, which changes no cost at any one weight of a false alarm by more than ${words.fixed(Math.ceil(10 * worst - 1e-9) / 10, 1)} ${words.unitHeading(scene.unit).replace(/^in /, "")}.`;
  }

  /** The unit of what is shown: with no more digits than the tables of the page know, and those that the first two need. */
  function unitNow(ranking) {
    const stated = page.evaluation.unit;
    if (!isMoved()) return stated;
    const { unit } = scene, known = 2 * boundNow() * words.costScale(unit);
    const isKnown = (digits) => digits === 0 || 10 ** -digits >= known;
    let { digits } = words.apart(unit, ranking[0].regret, ranking[1].regret);
    while (!isKnown(digits)) digits -= 1;
    return { ...unit, digits };
  }

  const { sample: facts } = page.evaluation;
  const FAR = 0.5;

  /** How far costs and prevalence are from those stated, in log-odds; limits that have moved are far. */
  function farness() {
    if (decision.capacity !== stated.capacity) return Infinity;
    const [here, there] = [decision, stated].map(({ prevalence }) => knownPrevalence(prevalence) ?? stakes.at(sample.prevalence));
    const pairs = [[decision.cost, known(stated.cost)], [here, there]];
    return Math.max(...pairs.flatMap(([a, b]) => ["low", "high"].map((end) => Math.abs(stakes.logit(a[end]) - stakes.logit(b[end])))));
  }

  /** Said before ends of an interval that was computed far from the decision as stated. */
  const about = () => (farness() > FAR ? "about " : "");

  /** The ranking with the intervals that the page can tell at this decision; others are not known here. */
  const embedded = stakes.live(page.live, [...page.models, ...page.references], facts.cases);
  const withEnds = (ranking) => stakes.withEnds(embedded, ranking, decision);

  const currentRanking = () => (isMoved() ? withEnds(stakes.rank(page.models, decision)) : page.ranking.map((name, k) => statedLine(name, page.evaluation.ranking[k])));

  /** A line of the ranking as stated, without what is not known. */
  function statedLine(name, line) {
    const known = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null));
    return { ...known, name, skill: line.skill ?? NaN, acts: { low: line.acts_at_lowest_cost, mean: line.acts_mean, high: line.acts_at_highest_cost } };
  }

  /** Write everything for the decision that is shown: as stated, what Python wrote; else what the tables in the page tell. */
  function follow() {
    const moved = isMoved();
    if (decision.cost.low < decision.cost.high) lastRange = known(decision.cost);
    scene = figures.sceneOf(page, { ...decision, cost: known(decision.cost), prevalence: knownPrevalence(decision.prevalence) });
    const ranking = currentRanking();
    scene.unit = unitNow(ranking);
    scene.pair = pairOf(ranking);
    const said = words.unitSaid(scene.unit, known(decision.cost).kind === "at");
    for (const id of ["unit-said", "exchanged"]) byId(id).textContent = moved ? said : page.unit_said;
    question.show();
    question.asStated(moved);
    const states = { "is-moved": moved, "is-limited": scene.limited, "is-shifted": decision.prevalence !== null };
    for (const [css, on] of Object.entries(states)) document.body.classList.toggle(css, on);
    showFirst(ranking);
    if (moved) showMoved(ranking);
    else showStated(ranking);
    byId("about").textContent = moved ? boundText() : "";
    byId("capacity-figure").hidden = !isDefined("capacity");
    showPair();
    showBar(ranking);
    showPolicy(ranking);
    showReadout();
    drawSeen();
    announce();
    writeAddress();
  }

  const inGroups = groups.make({ page, stated });

  function showMoved(ranking) {
    const found = recommended(ranking);
    inGroups.show(scene, ranking, held);
    showAnswer(ranking, found);
    showRule(ranking, found);
    showRanking(scene, ranking);
    showFindings(sentences.find({ ...scene, about: about(), apart: apartNow() }, ranking, page.templates));
    showParts(ranking);
  }

  /** The ends of how much more one costs than another at this decision; null where the page cannot tell. */
  function apartNow() {
    let errors = null;
    const number = ({ name, reference }) => embedded.ways.findIndex((way) => way.name === name && Boolean(way.reference) === reference);
    return (dearer, cheaper) => {
      if (!embedded?.pairs || scene.limited) return null;
      const [a, b] = [dearer, cheaper].map(number);
      if (![a, b].every((k) => stakes.errsEnough(embedded.ways[k], decision))) return null;
      errors ??= stakes.covariance(embedded, decision);
      return stakes.movedEnds(dearer.regret - cheaper.regret, stakes.pairShape(embedded, a, b), errors[a][a] + errors[b][b] - 2 * errors[a][b]);
    };
  }

  /** The two that the chart of the difference compares: the best, and the next or, where no model is best, the best model. */
  function pairOf(ranking) {
    const [first, next] = ranking;
    return [first, first.reference ? ranking.find((line) => !line.reference) : next].map((line) => wayOf(scene, line));
  }

  const isolated = (name) => Object.assign(document.createElement("bdi"), { textContent: name });

  function showPair() {
    const [first, second] = scene.pair.map(({ name }) => name), level = words.percent(page.evaluation.level);
    byId("difference-title").replaceChildren("How much more ", isolated(second), " costs than ", isolated(first), ".");
    byId("difference-said").replaceChildren("Above 0, ", isolated(first), ` is the better choice.${figures.bandOf(scene) ? ` The band holds at all costs together, with ${level} confidence.` : ""}`);
  }

  /** What is stated: as the document says it, or where it says nothing yet, written from the exact numbers. */
  function showStated(ranking) {
    const one = page.evaluation.recommended_threshold, found = one && { ...one, threshold: one.threshold ?? Infinity };
    showRule(ranking, found);
    showFindings(null);
    inGroups.restore();
    if (page.is_blank) {
      showAnswer(ranking, found);
      showRanking(scene, ranking);
      showParts(ranking);
    } else {
      restoreAnswer();
      restoreRanking();
      restoreParts();
    }
  }

  function restoreParts() {
    byId("parts-lead").textContent = partsLead;
    byId("parts-block").hidden = !partsRows.length;
    if (!partsRows.length) return;
    partsTable.tBodies[0].replaceChildren(...partsRows.map((row) => row.cloneNode(true)));
    byId("parts-constant").textContent = statedConstant;
  }
  const statedConstant = byId("parts-constant").textContent;

  let due = 0;
  function schedule() {
    if (!due) due = requestAnimationFrame(() => {
      due = 0;
      if (!signal.aborted) follow();
    });
  }

  document.documentElement.classList.add("is-live");
  wireControls();
  wirePolicy();
  wireDownloads();
  wirePins();
  follow();
  takeAddress();
  wirePlots();
  let closed = [];
  const print = (now) => {
    printing = now;
    if (now) closed = all(".policy, .roc").filter((one) => !one.open);
    for (const one of closed) one.open = now;
    drawAll();
  };
  addEventListener("beforeprint", () => print(true), { signal });
  addEventListener("afterprint", () => print(false), { signal });
  return () => ended.abort();
};
