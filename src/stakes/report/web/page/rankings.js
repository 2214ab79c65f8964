/* The ranking in full, the short one on the first screen, and the models that a reader gives a colour. */
"use strict";

const rankings = (() => {
  const { all, byId, headed, reorder, spanned } = nodes;
  const NOT_KNOWN = "\u2013", ROUNDING = 1e-12;

  function make(host) {
    const { page } = host;

    const body = byId("ranking-table").tBodies[0];
    const COLUMNS = ["regret", "picture", "difference", "probability", "skill", "acts"];
    const asStated = new Map(all("tr", body).map((row) => [row.dataset.way, { row, cells: COLUMNS.map((css) => [...row.querySelector(`.${css}`).childNodes]) }]));
    const rows = new Map([...asStated].map(([name, { row }]) => [name, row]));

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

    function fill(row, css, ...content) {
      row.querySelector(`.${css}`).replaceChildren(...content);
    }

    /** How much more one costs than the best, or than the baseline where the page has one. */
    function behind(line, ranking) {
      const other = page.baseline === null ? ranking[0] : ranking.find(({ name }) => name === page.baseline);
      const known = other !== undefined && (page.baseline === null ? line.regret > other.regret * (1 + ROUNDING) : line !== other);
      return known ? words.signedCost(host.scene.unit, line.regret - other.regret) : NOT_KNOWN;
    }

    /** The ends of an interval, "about" where they are far from the decision that they were computed for; nothing where they are not known. */
    function endsText(value, lower, upper) {
      if (!Number.isFinite(lower ?? NaN) || page.baseline !== null && value === undefined) return [];
      const texts = [lower, upper].map((end) => words.costNumber(host.scene.unit, end, value));
      return [spanned("ends", `${host.about()}${texts.join(" to ")}`)];
    }

    /** What is not known for the decision that is shown is left out. */
    function showLine(line, ranking, ends) {
      const way = host.wayOf(line), row = rowOf(way), best = ranking[0].regret;
      fill(row, "regret", words.costNumber(host.scene.unit, line.regret));
      fill(row, "picture", figures.intervalCell(line, best, ends, way.css), ...endsText(line.regret, line.lower, line.upper));
      fill(row, "difference", spanned("much", behind(line, ranking)), ...endsText(line.difference, line.difference_lower, line.difference_upper));
      fill(row, "probability", line.probability_best === undefined ? "" : words.chance(line.probability_best));
      fill(row, "skill", Number.isNaN(line.skill) ? NOT_KNOWN : words.signed(line.skill, 2));
      fill(row, "acts", words.fromTo(words.wholePercent(line.acts.high), words.wholePercent(line.acts.low)));
      return row;
    }

    /** What small pictures must have room for: the models, and the better of the ways that need none. */
    function comparedOf(ranking) {
      const best = ranking.find((line) => line.reference);
      return ranking.filter((line) => !line.reference || line === best);
    }

    function showRanking(ranking) {
      const ends = figures.endsOf(comparedOf(ranking).flatMap((line) => [line.regret, line.lower ?? NaN, line.upper ?? NaN]));
      reorder(body, ranking.map((line) => showLine(line, ranking, ends)), host.held);
    }

    function restoreRanking() {
      for (const { row, cells } of asStated.values()) cells.forEach((nodes, k) => fill(row, COLUMNS[k], ...nodes));
      reorder(body, page.ranking.map((name) => asStated.get(name).row), host.held);
    }

    const firstBody = byId("first-ranking").tBodies[0], FIRST = 10;
    const firstRows = new Map([...firstBody.rows].map((row) => [row.dataset.way, row]));
    let broad = 320;
    new ResizeObserver(() => {
      broad = Math.max(firstBody.rows[0].cells[1].clientWidth - 12, 40);
      showFirst(host.currentRanking());
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
        const way = host.wayOf(line), row = firstRow(way);
        row.cells[1].replaceChildren(figures.intervalCell(line, ranking[0].regret, ends, way.css, broad));
        row.cells[2].textContent = words.costNumber(host.scene.unit, line.regret);
        return row;
      }), host.held);
    }

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
      host.schedule();
    }

    function wirePins() {
      page.models.forEach(({ name }, k) => {
        if (page.colours[k] !== "other" || !rows.has(name)) return;
        const button = Object.assign(document.createElement("button"), { type: "button", className: "pin", textContent: say("colour") });
        button.setAttribute("aria-label", `colour ${name} in the charts`);
        button.setAttribute("aria-pressed", "false");
        button.addEventListener("click", () => setPins(pins.includes(k) ? pins.filter((one) => one !== k) : [...pins, k]));
        rows.get(name).querySelector("th").append(" ", button);
        pinButtons.set(k, button);
      });
    }

    return { showFirst, showRanking, restoreRanking, setPins, wirePins, pinned: () => pins };
  }

  return Object.freeze({ make });
})();
