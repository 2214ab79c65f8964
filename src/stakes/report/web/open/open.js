"use strict";
/* The page that opens a file: a worker reads it and computes; this shows what it finds. Names from data enter as text only. */
const opener = (() => {
  const byId = (id) => document.getElementById(id);
  const text = (id) => byId(id).textContent;
  const said = JSON.parse(text("said")), MOST_BYTES = said.most_bytes;
  const ROLES = ["ignore", "outcome", "model", "group", "weight"], ALONE = ["outcome", "group", "weight"]; // of which there is one
  const SAID = { ignore: say("ignore"), outcome: say("outcome"), model: say("model"), group: say("group"), weight: say("weight") };
  const state = { file: null, read: null, result: null, error: "" };

  /* ------------------------------------------------------------------------------------------- the worker */

  /** A text that the page holds packed. */
  async function unpacked(id) {
    const bytes = Uint8Array.from(atob(text(id)), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }

  const source = unpacked("reading").then((reading) => [text("script-numbers"), text("script-sentences"), reading].join("\n"));
  let worker = null, number = 0, waiting = null;

  /** Start anew: what was under way ends, and its answer is not waited for. */
  function start() {
    worker?.then((last) => last.terminate());
    worker = source.then((script) => {
      const made = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
      made.onmessage = ({ data }) => (data.progress ? showProgress(data.progress) : finish(data));
      made.onerror = (event) => {
        event.preventDefault();
        unread(number)({ message: event.message || "this browser ran out of memory" });
      };
      return made;
    });
  }

  /** Ask the worker. A file is read here: in WebKit a worker cannot read one that the page has made. */
  function ask(task, { file, ...given }, done, roles = null) {
    const asked = worker, own = ++number;
    waiting = { number: own, done, roles, next: null };
    Promise.all([asked, file?.arrayBuffer()]).then(([one, bytes]) => asked === worker && one.postMessage({ task, number: own, ...given, bytes }, bytes ? [bytes] : []), unread(own));
  }

  const unread = (own) => ({ message }) => finish({ number: own, refused: `could not be read: ${message.replace(/\.$/, "")}.` });

  function finish({ number: answered, result, refused }) {
    if (waiting?.number !== answered) return;
    const { done, next } = waiting;
    waiting = null;
    showProgress("");
    if (refused) complain(`${state.file?.name ?? "The file"} ${refused}`);
    else done(result, { next });
  }

  const showProgress = (what) => {
    byId("progress").hidden = !what;
    byId("progress-said").textContent = what && `${what} …`;
  };

  function complain(what) {
    state.error = what;
    byId("refused").textContent = what;
    if (what) hide();
  }

  /* --------------------------------------------------------------------------------------------- the file */

  /** Open a file; of one that is known, `roles` says what its columns are, and `stated` what mistakes cost. */
  function open(file, { roles = null, stated = START, isFolded = false } = {}) {
    start();
    fold(isFolded);
    Object.assign(state, { file, read: null, result: null, guessing: { ...said.guessing, roles } });
    complain("");
    byId("about-file").hidden = true;
    cost = example = stated;
    hide();
    if (file.size > MOST_BYTES) {
      complain(`${file.name} must have at most ${words.fixed(MOST_BYTES / 1e6, 0)} MB for this page, got ${words.fixed(Math.ceil(file.size / 1e6), 0)} MB; the command reads files of any size: stakes columns ${quoted(file.name)}`);
      return;
    }
    showProgress("Reading the file");
    ask("read", { file, guessing: state.guessing }, showFile);
  }

  /** Fold what a reader who only looks at the example can do without: its columns, and what can be taken away. */
  function fold(isFolded) {
    byId("open").classList.toggle("is-folded", isFolded);
    byId("unfold").hidden = !isFolded;
  }

  function showFile(read) {
    state.read = read;
    sayFile(read.notes, 0);
    byId("columns").tHead.rows[0].replaceChildren(...read.columns.map(columnHead));
    byId("columns").tBodies[0].replaceChildren(...read.preview.map((fields) => {
      const row = document.createElement("tr");
      for (const field of fields) row.insertCell().textContent = field;
      return row;
    }));
    sayUnused();
    byId("about-file").hidden = false;
    showPositive();
    compute();
  }

  /** What was found out about the file, and how many of its rows are left out. */
  function sayFile(notes, dropped) {
    const { rows } = state.read, [held, gone] = [rows, dropped].map((count) => words.fixed(count, 0));
    const left = dropped === 1 ? "1 row without a prediction of at least one model is left out." : `${gone} rows without a prediction of at least one model are left out.`;
    byId("file-said").textContent = [`${state.file.name}: ${rows === 1 ? "1 row" : `${held} rows`}.`, ...notes, ...(dropped ? [left] : [])].join(" ");
  }

  function columnHead(column) {
    const head = document.createElement("th"), menu = document.createElement("select"), name = document.createElement("bdi");
    head.scope = "col";
    name.textContent = column.name || "(no name)";
    menu.append(...ROLES.map((role) => new Option(SAID[role], role, false, role === column.role)));
    menu.setAttribute("aria-label", column.name ? `what ${column.name} is` : "what the column without a name is");
    menu.addEventListener("change", () => choose(column, menu.value));
    head.append(name, menu);
    return head;
  }

  /** Of some roles there is one column: the one before gives way. */
  function choose(column, role) {
    if (ALONE.includes(role)) for (const other of state.read.columns) if (other.role === role) other.role = "ignore";
    column.role = role;
    [...byId("columns").tHead.querySelectorAll("select")].forEach((menu, k) => (menu.value = state.read.columns[k].role));
    sayUnused();
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

  const START = { kind: "uniform", low: 1 / 11, high: 1 / 2 }; // until the sentence says others
  let cost = START, example = START; // the example is what an answer is begun with

  /** What must be chosen before anything is computed; which column is the outcome is asked wherever it is in doubt. */
  function whatIsMissing(outcome, models) {
    const possible = state.read.columns.filter(({ labels }) => labels?.length === 2).length;
    const why = possible > 1 ? "more than one could be it" : possible ? "neither its name nor its values say which it is" : "none has two values";
    if (!outcome) return `Choose the column of the outcome below: ${why}.`;
    if (!models.length) return ["Choose the column of a model below.", ...inPercent()].join(" ");
    return outcome.labels?.length === 2 && !byId("positive").value ? "Choose which outcome is the positive one." : "";
  }

  /** Columns that may be probabilities in percent, which is asked, never guessed. */
  function inPercent() {
    const found = state.read.columns.filter(({ role, low, high, is_fine: isFine }) => role === "ignore" && low >= 0 && high > 1 && high <= 100 && isFine);
    return found.slice(0, 1).map(({ name }) => `If \`${name}\` is in percent, write percent signs in the file, or divide it by 100.`);
  }

  /** Columns whose names suggest weights that are not used, or a question that this page does not answer, and the command that says how to ask it. */
  function elsewhere() {
    const isCalled = (some) => ({ name, role, low, high, distinct }) => role === "ignore" && low >= 0 && high > 1 && distinct > 2 && name.toLowerCase().replace("follow_up", "followup").split(/[^\p{L}]+/u).some((word) => some.includes(word));
    const [time, amount] = [said.guessing.times, said.guessing.amounts].map((some) => state.read.columns.find(isCalled(some)));
    const found = [
      ...(time ? [`\`${time.name}\` may say how long each case was followed.`] : []), ...(amount ? [`\`${amount.name}\` may be the amount at stake in each case.`] : []),
    ];
    const weight = withRole("weight").length ? null : state.read.columns.find(({ name, role, low }) => role === "ignore" && low >= 0 && said.guessing.weights.includes(name.trim().toLowerCase()));
    const weighs = weight ? [`\`${weight.name}\` may be how often each case counts; if it is, choose weight in its menu.`] : [];
    return found.length ? [...weighs, ...found, `This page leaves that out; this command says what to type: stakes columns ${quoted(state.file.name)}`] : weighs;
  }

  const sayUnused = () => (byId("elsewhere").textContent = elsewhere().join(" "));

  const rolesNow = () => {
    const [outcome] = withRole("outcome"), [weight] = withRole("weight"), [group] = withRole("group");
    return { outcome: outcome.number, positive: byId("positive").value, models: withRole("model").map((one) => one.number), weight: weight?.number ?? null, group: group?.number ?? null };
  };

  /** Answer with the roles that are chosen, at the costs of the sentence. */
  function compute() {
    const missing = whatIsMissing(withRole("outcome")[0], withRole("model"));
    complain("");
    hide(); // no number is shown that belongs to another question
    return missing ? complain(missing) : askFor(cost);
  }

  /** Ask for an answer. One that is under way for the same columns is waited for: it costs less than to read the file again. */
  function askFor(wanted) {
    const roles = rolesNow(), given = { roles, cost: wanted, said, facts: { notes: state.read.notes, call: command(plainly(wanted)) } };
    showProgress("Computing");
    if (waiting && same(waiting.roles, roles)) {
      waiting.next = wanted;
      return undefined;
    }
    const answer = () => ask("answer", given, (page, { next }) => (next ? askFor(next) : showAnswer(page, wanted)), roles);
    if (!waiting) return answer();
    start(); // the columns asked for before are no longer wanted
    return ask("read", { file: state.file, guessing: state.guessing }, answer);
  }

  /* ------------------------------------------------------------------------------------------- the report */

  const place = byId("report"), blank = byId("blank").content, plainly = (belief) => ({ cost: belief, prevalence: null, capacity: null, min_precision: null });
  let live = null;

  function hide() {
    live?.stop();
    live = null;
    place.hidden = true;
    byId("open").setAttribute("role", "main"); // a report has its own
    byId("taking").hidden = true;
    state.result = null;
  }

  /** Show the report of an answer. What is open and where the reader is stay as they are. */
  function showAnswer(page, wanted) {
    if (isHeld()) return setTimeout(() => same(moved?.cost, wanted) && showAnswer(page, wanted), 200);
    const kept = keepPlace();
    live?.stop();
    cost = wanted;
    state.result = { ...page, is_blank: true, is_example: wanted === example || undefined };
    place.replaceChildren(shown.report(blank, state.result, howNow()));
    place.hidden = false;
    byId("open").removeAttribute("role");
    byId("taking").hidden = false;
    document.title = shown.question(page);
    sayFile(page.evaluation.sample.reading_notes, page.evaluation.sample.dropped);
    begin();
    return kept();
  }

  const howNow = () => ({ said, source: state.file.name, date: new Date().toLocaleDateString("sv") });

  function begin() {
    moved = null;
    live = report.start(JSON.parse(byId("data").textContent), { rest: follow });
    byId("command").textContent = command(plainly(cost));
  }

  /** Whether the worker answers for a decision: the tables in the report do for another prevalence and for limits. */
  const isExact = (decision) => same(decision, plainly(decision.cost));
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const isHeld = () => document.documentElement.classList.contains("is-held") || place.querySelector(".typed") !== null;

  /** Remember what is open, where the focus is and how far the page is scrolled, until the report is there again. */
  function keepPlace() {
    const open = [...place.querySelectorAll("details")].map((one) => one.open), top = scrollY, { activeElement: focused } = document;
    const name = place.contains(focused) ? focused.getAttribute("aria-label") ?? focused.id : "";
    const find = () => [...place.querySelectorAll("[aria-label], [id]")].find((node) => (node.getAttribute("aria-label") ?? node.id) === name && node.tabIndex >= 0);
    const stops = () => [...place.querySelectorAll("a,button,summary")], stop = name ? -1 : stops().indexOf(focused); // without a name, by their place
    place.style.minHeight = `${place.offsetHeight}px`;
    return () => requestAnimationFrame(() => {
      const now = place.querySelectorAll("details");
      if (now.length === open.length) now.forEach((one, k) => (one.open = open[k]));
      (name ? find() : stops()[stop])?.focus({ preventScroll: true });
      scrollTo({ top, behavior: "instant" });
      place.style.minHeight = "";
    });
  }

  /** A decision at rest: where only the costs have moved, the worker answers for them from the cases. */
  let moved = null;
  function follow(decision) {
    if (same(moved, decision)) return;
    moved = structuredClone(decision);
    byId("command").textContent = command(decision);
    byId("copied-command").textContent = "";
    if (isExact(moved) && !same(moved.cost, cost)) askFor(moved.cost);
  }

  /** The report as a file: as it was stated, opened where the reader has moved to, who stays there. */
  function save() {
    const decision = moved && !same(moved, plainly(cost)) ? moved : null, page = state.result, { hash } = location;
    live.stop();
    history.replaceState(null, "", location.pathname + location.search);
    place.replaceChildren(shown.report(blank, page, howNow()));
    begin();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      for (const details of place.querySelectorAll("details")) details.open = true; // so that the tables behind charts are written
      live.print(true);
      keeping.saveReport(state.file.name, page, { decision, said, title: shown.question(page) });
      live.print(false);
      for (const details of place.querySelectorAll("details")) details.open = false;
      if (hash) location.hash = hash;
    }));
  }

  /* ------------------------------------------------------------------------------------------ the command */

  /** A word as a shell reads it. */
  const quoted = (word) => (/^[\w.,:%/=+-]+$/.test(word) && !word.startsWith("-") ? word : `'${word.replaceAll("'", "'\\''")}'`);

  function command({ cost: believed, prevalence, capacity, min_precision: precision }) {
    const [outcome] = withRole("outcome"), [weight] = withRole("weight"), [group] = withRole("group"), positive = byId("positive").value;
    const odds = (share) => `1:${words.plainNumber(Number((1 / share - 1).toPrecision(12)))}`, percent = (share) => `${words.plainNumber(Number((100 * share).toPrecision(10)))}%`;
    const range = ({ kind, low, high }, written) => `${kind === "log_odds_uniform" ? "logodds " : ""}${[...new Set([low, high])].map(written).join("..")}`;
    const isPlain = outcome.labels.every(({ name }) => ["0", "1"].includes(name)) && positive === "1";
    return [
      "stakes evaluate", quoted(state.file.name), "--outcome", quoted(outcome.name), ...(isPlain ? [] : ["--pos-label", quoted(positive)]),
      "--predictions", ...withRole("model").map(({ name }) => quoted(name)), ...(weight ? ["--weight", quoted(weight.name)] : []), ...(group ? ["--group", quoted(group.name)] : []),
      "--costs", quoted(range(believed, odds)), ...(prevalence ? ["--prevalence", quoted(range(prevalence, percent))] : []),
      ...(capacity === null ? [] : ["--capacity", percent(capacity)]), ...(precision === null ? [] : ["--min-precision", percent(precision)]), ...(said.lang === "en" ? [] : ["--lang", said.lang]), "--html report.html",
    ].join(" ");
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
  const openExample = async (isFolded) => open(new File([await unpacked("cohort")], said.example.name), { roles: said.example.roles, stated: said.example.cost, isFolded });
  byId("example").addEventListener("click", () => openExample(false));
  byId("unfold").addEventListener("click", () => {
    fold(false);
    byId("columns").querySelector("select")?.focus();
  });
  byId("cancel").addEventListener("click", () => {
    waiting = null;
    start();
    showProgress("");
    byId("about-file").hidden = true;
    complain("Cancelled.");
  });
  byId("positive").addEventListener("change", () => state.read && compute());
  byId("save").addEventListener("click", save);
  byId("copy").addEventListener("click", async () => {
    const done = await navigator.clipboard.writeText(text("command")).then(() => true, () => false);
    byId("copied-command").textContent = done ? "Copied." : "Select it to copy it.";
  });
  if (location.hash === "#example") openExample(true);
  return Object.freeze({ ask, askFor, open, rolesNow, state, busy: () => waiting !== null });
})();
