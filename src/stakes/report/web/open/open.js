"use strict";
/* The page that opens a file: a worker reads it and computes; this shows what it finds. Names from data enter as text only. */
const opener = (() => {
  const byId = (id) => document.getElementById(id);
  const text = (id) => byId(id).textContent;
  const said = JSON.parse(text("said")), MOST_BYTES = said.most_bytes, COLOURED = 4, NARROW = 480;
  const ROLES = ["ignore", "outcome", "model", "weight"], KINDS = { outcome: "outcome", model: "model", weight: "weight", ignore: "ignore" };
  const state = { file: null, read: null, result: null, error: "" };

  /* ------------------------------------------------------------------------------------------- the worker */

  const source = ["numbers", "sentences", "reading", "worker"].map(text).join("\n");
  let worker = null, number = 0, waiting = null;

  /** Start anew: what was under way ends, and its answer is not waited for. */
  function start() {
    worker?.terminate();
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => (data.progress ? showProgress(data.progress) : finish(data));
    worker.onerror = (event) => {
      event.preventDefault();
      finish({ number, refused: `could not be read: ${event.message || "this browser ran out of memory"}.` });
    };
  }

  function ask(task, given, done) {
    number += 1;
    waiting = { number, done };
    worker.postMessage({ task, number, ...given });
  }

  function finish({ number: answered, result, refused }) {
    if (waiting?.number !== answered) return;
    const { done } = waiting;
    waiting = null;
    showProgress("");
    if (refused) complain(`${state.file?.name ?? "The file"} ${refused}`);
    else done(result);
  }

  const showProgress = (what) => {
    byId("progress").hidden = !what;
    byId("progress-said").textContent = what && `${what} …`;
  };

  function complain(what) {
    state.error = what;
    byId("refused").textContent = what;
    if (what) {
      byId("answer").hidden = true;
      state.result = null;
    }
  }

  /* --------------------------------------------------------------------------------------------- the file */

  function open(file, outcome) {
    start();
    Object.assign(state, { file, read: null, result: null, guessing: { ...said.guessing, outcome } });
    complain("");
    byId("about-file").hidden = true;
    byId("answer").hidden = true;
    if (file.size > MOST_BYTES) {
      complain(`${file.name} must have at most ${words.fixed(MOST_BYTES / 1e6, 0)} MB for this page, got ${words.fixed(Math.ceil(file.size / 1e6), 0)} MB; the command reads files of any size.`);
      return;
    }
    showProgress("Reading the file");
    ask("read", { file, guessing: state.guessing }, showFile);
  }

  function showFile(read) {
    state.read = read;
    byId("file-said").textContent = [`${state.file.name}: ${words.fixed(read.rows, 0)} ${read.rows === 1 ? "row" : "rows"}.`, ...read.notes].join(" ");
    byId("columns").tHead.rows[0].replaceChildren(...read.columns.map(columnHead));
    byId("columns").tBodies[0].replaceChildren(...read.preview.map((fields) => {
      const row = document.createElement("tr");
      for (const field of fields) row.insertCell().textContent = field;
      return row;
    }));
    byId("about-file").hidden = false;
    showPositive();
    compute();
  }

  function columnHead(column) {
    const head = document.createElement("th"), menu = document.createElement("select"), name = document.createElement("bdi");
    head.scope = "col";
    name.textContent = column.name || "(no name)";
    menu.append(...ROLES.map((role) => new Option(KINDS[role], role, false, role === column.role)));
    menu.setAttribute("aria-label", `what ${column.name || "the column without a name"} is`);
    menu.addEventListener("change", () => choose(column, menu.value));
    head.append(name, menu);
    return head;
  }

  /** Only one column is the outcome, and one the weight: the one before gives way. */
  function choose(column, role) {
    if (["outcome", "weight"].includes(role)) for (const other of state.read.columns) if (other.role === role) other.role = "ignore";
    column.role = role;
    [...byId("columns").tHead.querySelectorAll("select")].forEach((menu, k) => (menu.value = state.read.columns[k].role));
    showPositive();
    compute();
  }

  const withRole = (role) => state.read.columns.filter((column) => column.role === role);

  function showPositive() {
    const [outcome] = withRole("outcome"), labels = outcome?.labels?.length === 2 ? outcome.labels : [];
    byId("positive-line").hidden = !labels.length;
    const options = labels.map(({ name, count }) => new Option(`${name} (${words.fixed(count, 0)} rows)`, name, false, name === outcome.positive));
    byId("positive").replaceChildren(...(outcome?.positive === null ? [new Option("choose …", "")] : []), ...options);
  }

  /* -------------------------------------------------------------------------------------------- the costs */

  /** How many false alarms a miss is worth, from and to; nothing where that cannot be. */
  function exchange() {
    const [least, most] = ["least", "most"].map((id) => byId(id).valueAsNumber);
    return least >= 0.01 && most <= 9999 && least <= most ? [least, most] : null;
  }

  function costOf([least, most]) {
    const [low, high] = [1 / (1 + most), 1 / (1 + least)];
    return low === high ? stakes.at(low) : { kind: byId("law").value, low, high };
  }

  /** What must be chosen before anything is computed; which column is the outcome is asked wherever it is in doubt. */
  function whatIsMissing(outcome, models) {
    const possible = state.read.columns.filter(({ labels }) => labels?.length === 2).length;
    const why = possible > 1 ? "more than one could be it" : possible ? "neither its name nor its values say which it is" : "none has two values";
    if (!outcome) return `Choose the column of the outcome above: ${why}.`;
    if (!models.length) return "Choose the column of a model above.";
    return outcome.labels?.length === 2 && !byId("positive").value ? "Choose which outcome is the positive one." : "";
  }

  function compute() {
    const [outcome] = withRole("outcome"), models = withRole("model"), [weight] = withRole("weight"), range = exchange();
    complain("");
    byId("answer").hidden = true; // no number is shown that belongs to another question
    state.result = null;
    const missing = whatIsMissing(outcome, models);
    if (missing) return complain(missing);
    if (!range) return complain("A miss must be worth 0.01 to 9,999 false alarms, the smaller number first.");
    byId("share").textContent = words.belief({ ...costOf(range), kind: range[0] === range[1] ? "at" : "uniform" });
    showProgress("Computing");
    const roles = { outcome: outcome.number, positive: byId("positive").value, models: models.map((one) => one.number), weight: weight?.number ?? null };
    if (waiting) {
      start(); // the numbers asked for before are no longer wanted
      ask("read", { file: state.file, guessing: state.guessing }, () => ask("answer", { roles, cost: costOf(range), said }, showAnswer));
      return undefined;
    }
    return ask("answer", { roles, cost: costOf(range), said }, showAnswer);
  }

  /* ------------------------------------------------------------------------------------------- the answer */

  function pageOf(result) {
    const order = result.ranking.filter((line) => !line.reference).map(({ name }) => name);
    const models = result.drawn.map(({ name, ...columns }) => {
      const place = order.indexOf(name);
      return { name, css: place < COLOURED ? `m${place}` : "other", table: stakes.table(columns) };
    });
    const { positiveTotal, negativeTotal } = models[0].table;
    const references = result.references.map((name, k) => ({
      name, css: `r${k}`, reference: true, score: 1 - k, table: stakes.table({ score: [1 - k], positive: [positiveTotal], negative: [negativeTotal] }),
    }));
    return {
      models, references, stated: result.decision, domain: result.domain, zoom: "range", baseline: null, difference: null,
      evaluation: { unit: result.unit, level: result.level, findings: result.findings },
    };
  }

  let scene = null;
  function showAnswer(result) {
    const page = pageOf(result), { ranking, unit, recommended_threshold: found } = result;
    scene = { ...figures.sceneOf(page, result.decision), unit };
    scene.pair = [ranking[0], ranking[1]].map((line) => wayOf(line));
    const { drawn, ...numbers } = result;
    state.result = { ...numbers, notes: state.read.notes };
    byId("sample").textContent = `${words.fixed(result.sample.cases, 0)} cases, ${words.count(result.sample.positives)} positive (${withRole("outcome")[0].name.trim()}: ${byId("positive").value})`;
    byId("sentence").textContent = sentence(result);
    byId("headline").replaceChildren(...sentences.answer(said.answers, ranking, found).map(strongly));
    byId("much").textContent = result.findings[0].text;
    byId("findings").replaceChildren(...result.findings.slice(1).map((one) => Object.assign(document.createElement("li"), { textContent: one.text })));
    byId("short-title").textContent = `Cost of all mistakes, ${words.unitHeading(unit)}`;
    byId("unit-said").textContent = words.unitSaid(unit, result.decision.cost.kind === "at");
    showRanking(ranking, unit);
    showPeople(ranking, unit, found);
    byId("command").textContent = command();
    byId("copied").textContent = "";
    byId("answer").hidden = false;
    draw();
  }

  const wayOf = (line) => scene.ways.find((way) => Boolean(way.reference) === line.reference && way.name === line.name);
  const strongly = ([part, strong]) => (strong ? Object.assign(document.createElement("strong"), { textContent: part }) : part);

  function sentence({ decision: { cost }, sample }) {
    const [most, least] = [cost.low, cost.high].map((end) => words.exchangeNumber((1 - end) / end)), many = cost.kind === "at" ? most : `${least} to ${most}`;
    const law = cost.kind === "log_odds_uniform" ? " (uniform in log-odds)" : "";
    return `If a miss is as bad as ${many} false alarm${most === "1" ? "" : "s"}${law}, and ${words.percent(sample.prevalence)} of cases are positive,`;
  }

  function showRanking(ranking, unit) {
    const ends = [0, 1.03 * Math.max(...ranking.flatMap((line) => [line.regret, line.upper]).filter(Number.isFinite)) || 1], best = ranking[0].regret;
    const range = (value, low, high) => (Number.isFinite(low ?? NaN) ? [low, high].map((end) => words.costNumber(unit, end, value)).join(" to ") : "–");
    byId("ranking").tBodies[0].replaceChildren(...ranking.map((line) => {
      const way = wayOf(line), row = document.createElement("tr"), head = document.createElement("th"), name = document.createElement("bdi");
      head.scope = "row";
      name.textContent = line.name;
      head.append(Object.assign(document.createElement("span"), { className: `swatch ${way.css}` }), name);
      row.append(head);
      row.className = line.reference ? "reference" : "";
      const more = line.difference > 0 ? words.signedCost(unit, line.difference) : "–";
      const cells = [
        figures.intervalCell(line, best, ends, way.css), words.costNumber(unit, line.regret), range(line.regret, line.lower, line.upper),
        more, range(line.difference, line.difference_lower, line.difference_upper), line.probability_best === undefined ? "" : words.chance(line.probability_best),
      ];
      for (const cell of cells) row.insertCell().append(cell);
      row.cells[1].className = "picture";
      return row;
    }));
  }

  function showPeople(ranking, unit, found) {
    const acts = found !== null && found.threshold < Infinity;
    byId("people").hidden = !acts;
    if (!acts) return;
    const counts = people.whole([found.found, found.misses, found.false_alarms, found.left_alone], found.per);
    byId("people-title").textContent = `${words.fixed(found.per, 0)} cases, ${ranking[0].name} from ${sentences.threshold(found.threshold)}`;
    byId("people-picture").replaceChildren(people.picture(counts, found.per));
    [...byId("people-counts").querySelectorAll("b")].forEach((node, k) => (node.textContent = words.fixed(counts[k], 0)));
    byId("people-said").textContent = sentences.sums(said.answers, unit, found, ranking[0].regret);
  }

  function draw() {
    if (!scene || byId("answer").hidden) return;
    for (const node of document.querySelectorAll(".plot")) {
      const width = Math.floor(node.clientWidth);
      if (!width) continue;
      const chart = figures.makers[node.dataset.figure](scene, width);
      if (width < NARROW) chart.longest = 12;
      node.replaceChildren(charts.draw(chart));
    }
  }

  /* ------------------------------------------------------------------------------------------ the command */

  /** A word as a shell reads it. */
  const quoted = (word) => (/^[\w.,:%/=+-]+$/.test(word) && !word.startsWith("-") ? word : `'${word.replaceAll("'", "'\\''")}'`);

  function command() {
    const [outcome] = withRole("outcome"), [weight] = withRole("weight"), { cost } = state.result.decision;
    const digits = (share) => words.plainNumber(Number((1 / share - 1).toPrecision(12))), positive = byId("positive").value;
    const costs = cost.kind === "at" ? `1:${digits(cost.low)}` : `1:${digits(cost.low)}..1:${digits(cost.high)}`;
    return [
      "stakes evaluate", quoted(state.file.name), "--outcome", quoted(outcome.name), ...(outcome.labels.every(({ name }) => ["0", "1"].includes(name)) && positive === "1" ? [] : ["--pos-label", quoted(positive)]),
      "--predictions", ...withRole("model").map(({ name }) => quoted(name)), ...(weight ? ["--weight", quoted(weight.name)] : []),
      "--costs", quoted(cost.kind === "log_odds_uniform" ? `logodds ${costs}` : costs), "--html report.html",
    ].join(" ");
  }

  /** Where the answer comes from, for whoever gets it without the file. */
  function origin() {
    const [outcome] = withRole("outcome"), [weight] = withRole("weight"), { notes, rows } = state.read, dropped = state.result.sample.dropped;
    const left = dropped ? [`${words.fixed(dropped, 0)} ${dropped === 1 ? "row" : "rows"} without a prediction left out.`] : [];
    const weighed = weight ? [`Weights: ${weight.name}.`] : [];
    return [`From ${state.file.name}: ${words.fixed(rows, 0)} ${rows === 1 ? "row" : "rows"}. Outcome: ${outcome.name}, positive: ${byId("positive").value}.`, ...weighed, ...left, ...notes, "This page holds no rows of the file."].join(" ");
  }

  /* ------------------------------------------------------------------------------------------------- wiring */

  const drop = byId("drop");
  for (const kind of ["dragenter", "dragover"]) {
    addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  addEventListener("dragleave", (event) => event.relatedTarget ?? drop.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length) open(event.dataTransfer.files[0]);
  });
  byId("file").addEventListener("change", (event) => {
    if (event.target.files.length) open(event.target.files[0]);
    event.target.value = ""; // so that the same file can be opened again after a change
  });
  byId("example").addEventListener("click", () => open(new File([text("cohort")], said.example), "cancer"));
  byId("cancel").addEventListener("click", () => {
    waiting = null;
    start();
    showProgress("");
    byId("about-file").hidden = true;
    complain("Cancelled.");
  });
  for (const id of ["least", "most", "law", "positive"]) byId(id).addEventListener("change", () => state.read && compute());
  byId("save").addEventListener("click", () => keeping.saveNumbers(state.result));
  byId("save-answer").addEventListener("click", () => keeping.saveAnswer(state.file.name, origin()));
  byId("copy").addEventListener("click", async () => {
    const done = await navigator.clipboard.writeText(text("command")).then(() => true, () => false);
    byId("copied").textContent = done ? "Copied." : "Select it to copy it.";
  });
  new ResizeObserver(draw).observe(byId("answer"));
  return Object.freeze({ state, open, busy: () => waiting !== null });
})();
