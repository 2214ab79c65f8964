/* What is shown, as files: numbers, tables, and every chart as a picture. */
"use strict";

const downloads = (() => {
  const { all, byId } = nodes;

  function make(host) {
    const { page, stated } = host;

    /** A cell of a CSV file; what a spreadsheet would take for a formula is marked as text. */
    function csvCell(value) {
      if (value === null || value === undefined) return "";
      const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
      return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    }

    const csv = (headings, lines) => [headings, ...lines].map((line) => line.map(csvCell).join(",")).join("\r\n") + "\r\n";

    /** What is shown, for a file: as stated, Python's own numbers. */
    function shownNow() {
      const ranking = host.currentRanking(), moved = host.isMoved(), found = moved ? host.recommended(ranking) : page.evaluation.recommended_threshold;
      const line = ({ name, reference, regret, lower = null, upper = null, skill, difference, difference_lower = null, difference_upper = null, probability_best = null, acts }) => ({
        model: name, reference, regret, lower, upper, skill, difference, difference_lower, difference_upper, probability_best, acts_at_lowest_cost: acts.low, acts_mean: acts.mean, acts_at_highest_cost: acts.high,
      });
      return {
        decision: host.decision, as_stated: !moved, answer: [byId("headline"), byId("much")].map((node) => node?.textContent ?? "").join(" ").trim(),
        unit: host.scene.unit, recommended_threshold: found, ranking: moved ? ranking.map(line) : page.evaluation.ranking,
      };
    }

    /** The state as a part of the name of a file. */
    const stateName = () => state.written(host.decision, stated).replace(/[^\w.=]+/g, "-").replaceAll("=", "-").replaceAll("..", "-");
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

    const plain = (node) => (node?.textContent ?? "").trim().replace(/\s+/g, " ");
    const answerNow = () => `${plain(byId("sentence"))} ${plain(byId("headline"))}`.trim();

    /** For which decision the page holds, as lines below a picture of it. */
    const toldNow = () => [answerNow(), plain(byId("state-said"))];

    /* ---------------------------------------------------------------------------------------------- to share */

    /** The ranking as it is written, cell by cell; what stands below each other in a cell becomes one line. */
    function rankingNow() {
      const [head, ...rows] = [...byId("ranking-table").rows].map((row) => [...row.cells]);
      const inLine = (cell) => [...cell.childNodes].filter((node) => !(node instanceof SVGElement)).map(plain).filter(Boolean).join(" ");
      return [head.map(inLine), ...rows.map(([name, ...cells]) => [plain(name.querySelector("bdi")), ...cells.map(inLine)])];
    }

    function asTable(rows) {
      const table = document.createElement("table");
      for (const cells of rows) {
        const row = table.insertRow();
        for (const text of cells) row.insertCell().textContent = text;
      }
      return table.outerHTML;
    }

    /** Put a text where it can be pasted, and a table with it for programs that take one. */
    function copy(text, html) {
      const kinds = { "text/plain": text, ...(html && { "text/html": html }) };
      const blobs = Object.entries(kinds).map(([type, content]) => [type, new Blob([content], { type })]);
      return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    }

    /** The document as it was written, which begins with the decision that is shown. */
    function reportNow() {
      const held = JSON.parse(byId("data").textContent), now = { ...held, shown: host.isMoved() ? host.decision : undefined };
      const data = JSON.stringify(now).replaceAll("<", "\\u003c");
      return host.source.replace(/(<script type="application\/json" id="data">)[^]*?(<\/script>)/, (_, before, after) => before + data + after);
    }

    const SHARED = {
      link: () => copy([location.href.split("#")[0], host.addressNow()].filter(Boolean).join("#")),
      sentence: () => copy([answerNow(), plain(byId("much"))].join(" ")),
      ranking: () => copy(rankingNow().map((cells) => cells.join("\t")).join("\n"), asTable(rankingNow())),
      report: () => saveFile(fileName("stakes-report", "html"), new Blob([reportNow()], { type: "text/html" })),
    };

    async function share(kind) {
      const done = await Promise.resolve(SHARED[kind]()).then(() => true, () => false);
      byId("shared").textContent = kind === "report" ? "" : done ? "Copied." : "This browser does not let the page copy.";
    }

    function wireDownloads() {
      document.querySelector(".downloads").hidden = false;
      for (const button of all("[data-download]")) {
        button.addEventListener("click", () => {
          const [name, type, text] = DOWNLOADS[button.dataset.download]();
          saveFile(name, new Blob([text], { type }));
        });
      }
      for (const button of all("[data-share]")) button.addEventListener("click", () => share(button.dataset.share));
      for (const node of host.places()) pictures.offer(node, toldNow, (name, kind, blob) => saveFile(fileName(`stakes-${name}`, kind), blob));
    }

    return { wireDownloads };
  }

  return Object.freeze({ make });
})();
