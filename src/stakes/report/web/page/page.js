/* The live page: controls change the decision, and everything below follows, computed from the tables in the page.
   As stated, the numbers are Python's own. Names from data enter as text nodes only. */
"use strict";

const report = {};

/** Let the page that is in the document follow its controls, from the data it is given. `rest` is told of a decision that has moved, once the
    hand rests; `source` is the document as it was written. Returns what ends it, so that another page can take its place, and what draws every picture as on paper, or again as on the screen. */
report.start = (page, { rest = () => {}, source = "" } = {}) => {
  const ended = new AbortController(), { signal } = ended;
  const { byId, isolated } = nodes;
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
  let decision = structuredClone(stated), scene = null;
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

  /** Limits need one prevalence: where a range is shown, a reader is asked before it gives way. */
  function limitTo(name, value) {
    const isRange = () => decision.prevalence && knownPrevalence(decision.prevalence).kind !== "at";
    if (value === null || !isRange()) return decide({ [name]: value });
    const mean = control.tidy(stakes.mean(decision.prevalence));
    return question.offer("Limits need one prevalence: a policy belongs to one.", `Use ${share(mean)}`, () => decide({ [name]: value, prevalence: stakes.at(mean) }), isRange);
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
    for (const [id, name, usual] of [["capacity-on", "capacity", 0.1], ["precision-on", "min_precision", 0.3]]) {
      byId(id).addEventListener("change", ({ target }) => limitTo(name, target.checked ? stated[name] ?? usual : null));
    }
    addEventListener("pointerdown", ({ target }) => nodes.all(".menu[open]").forEach((menu) => (menu.open = menu.contains(target))), { signal });
    addEventListener("keydown", ({ key }) => key === "Escape" && nodes.all(".menu[open]").forEach((menu) => (menu.open = false)), { signal });
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
    ranked.setPins(state.pinned(location.hash));
    question.complain(ignored.length ? `This address says ${ignored.join(" and ")}, which this page cannot read; the rest is shown.` : "");
    decide(next);
  }

  const addressNow = () => [state.written(decision, stated), ranked.pinned().length ? `pin=${ranked.pinned().join(",")}` : ""].filter(Boolean).join("&");

  let addressed = 0;
  function writeAddress() {
    clearTimeout(addressed);
    addressed = setTimeout(() => {
      if (signal.aborted) return;
      if (!held) rest(decision);
      const said = addressNow(), now = location.hash.replace(/^#/, "");
      if (location.hash !== taken || said === now || (!said && !now.includes("="))) return; // a new address is read first
      history.replaceState(null, "", said ? `#${said}` : location.pathname + location.search);
      taken = location.hash;
    }, 150);
  }

  const statedLines = new Map(page.evaluation.ranking.map((line, k) => [page.ranking[k], line]));

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
    const most = words.fixed(Math.ceil(10 * worst - 1e-9) / 10, 1), unit = words.unitNamed(scene.unit);
    if (scene.limited) return ` Scores are pooled here: under limits, costs are about right, at several limits to ${most} ${unit} for the first models.`;
    if (decision.cost.kind === "at") return ` Scores are pooled here, which changes no cost at any one weight of a false alarm by more than ${most} ${unit}.`;
    return ` Scores are pooled here: costs over a range are about right; at no single weight of a false alarm are they off by more than ${most} ${unit}.`;
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

  const wayOf = (line) => scene.ways.find((way) => Boolean(way.reference) === line.reference && way.name === line.name);

  /** The steps of a policy as Python found them in the sample; null where the decision has moved, or the page does not hold them. */
  function exactSteps({ key }) {
    if (isMoved() || !Object.hasOwn(page.evaluation.policies, key)) return null;
    const found = page.evaluation.policies[key], threshold = found.threshold.map((value) => value ?? Infinity);
    return { ...found, threshold, low: found.from_cost, high: found.to_cost, alarmsPerThousand: found.alarms_per_thousand, falsePositiveRate: found.false_positive_rate };
  }

  /** A threshold on scores as given; of a row that pools several scores only their mean is known here. */
  function thresholdText(threshold, isExact) {
    const mark = isExact || !page.bound.regret || threshold === Infinity ? "" : "about ";
    return `${mark}${words.threshold(stakes.asGiven(threshold, scene.decision, sample.prevalence))}`;
  }

  /** What the parts of the page may ask and do. */
  const host = {
    page, source, stated, sample, statedLines, inMoney, addressNow, known, inDomain, middle, question, isMoved, about, exactSteps, thresholdText, signal, currentRanking, wayOf, decide, schedule,
    get decision() { return decision; },
    get scene() { return scene; },
    get held() { return held; },
    recommended: (ranking) => headline.recommended(ranking),
    places: () => drawn.places(),
  };
  const ranked = rankings.make(host), headline = headlines.make(host), drawn = plots.make(host), recalibration = parts.make(host);
  const policy = policies.make(host), saved = downloads.make(host), inGroups = groups.make({ page, stated });

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
    ranked.showFirst(ranking);
    if (moved) showMoved(ranking);
    else showStated(ranking);
    byId("about").textContent = moved ? boundText() : "";
    byId("capacity-figure").hidden = !drawn.isDefined("capacity");
    showPair();
    headline.showBar(ranking);
    policy.showPolicy(ranking);
    drawn.showReadout();
    drawn.drawSeen();
    headline.announce();
    writeAddress();
  }

  function showMoved(ranking) {
    const found = headline.recommended(ranking);
    inGroups.show(scene, ranking, held);
    headline.showAnswer(ranking, found);
    policy.showRule(ranking, found);
    ranked.showRanking(ranking);
    headline.showFindings(sentences.find({ ...scene, about: about(), apart: apartNow() }, ranking, page.templates));
    recalibration.showParts(ranking);
  }

  /** The ends of how much more one costs than another at this decision; null where the page cannot tell. */
  function apartNow() {
    let errors = null;
    const number = ({ name, reference }) => embedded.ways.findIndex((way) => way.name === name && Boolean(way.reference) === reference);
    return (dearer, cheaper) => {
      if (!embedded?.pairs || scene.limited) return null;
      const [a, b] = [dearer, cheaper].map(number);
      if (![a, b].every((k) => stakes.errsEnough(embedded.ways[k], decision, embedded.heaviness))) return null;
      errors ??= stakes.covariance(embedded, decision);
      return stakes.movedEnds(dearer.regret - cheaper.regret, stakes.pairShape(embedded, a, b), errors[a][a] + errors[b][b] - 2 * errors[a][b]);
    };
  }

  /** The two that the chart of the difference compares: the best, and the next or, where no model is best, the best model. */
  function pairOf(ranking) {
    const [first, next] = ranking;
    return [first, first.reference ? ranking.find((line) => !line.reference) : next].map((line) => wayOf(line));
  }

  function showPair() {
    const [first, second] = scene.pair.map(({ name }) => name), level = words.percent(page.evaluation.level);
    byId("difference-title").replaceChildren("How much more ", isolated(second), " costs than ", isolated(first), ".");
    byId("difference-said").replaceChildren("Above 0, ", isolated(first), " is the better choice.", figures.bandOf(scene) ? ` The band holds at all costs together, with ${level} confidence.` : "");
  }

  /** What is stated: as the document says it, or where it says nothing yet, written from the exact numbers. */
  function showStated(ranking) {
    const one = page.evaluation.recommended_threshold, found = one && { ...one, threshold: one.threshold ?? Infinity };
    policy.showRule(ranking, found);
    headline.showFindings(null);
    inGroups.restore();
    if (page.is_blank) {
      headline.showAnswer(ranking, found);
      ranked.showRanking(ranking);
      recalibration.showParts(ranking);
    } else {
      headline.restoreAnswer();
      ranked.restoreRanking();
      recalibration.restoreParts();
    }
  }

  let due = 0;
  function schedule() {
    if (!due) due = requestAnimationFrame(() => {
      due = 0;
      if (!signal.aborted) follow();
    });
  }

  document.documentElement.classList.add("is-live");
  wireControls();
  policy.wirePolicy();
  study.wire();
  saved.wireDownloads();
  follow();
  ranked.wirePins();
  if (page.shown) decide(page.shown);
  takeAddress();
  drawn.wirePlots();
  addEventListener("beforeprint", () => drawn.print(true), { signal });
  addEventListener("afterprint", () => drawn.print(false), { signal });
  return { stop: () => ended.abort(), print: drawn.print };
};
