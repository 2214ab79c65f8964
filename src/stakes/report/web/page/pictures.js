/* Charts as files: an SVG that needs no style sheet, with the question and its answer below, and the same as a PNG at twice the size. */
"use strict";

const pictures = (() => {
  const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "paint-order", "font-family", "font-size", "font-weight", "visibility"];
  const LINE = 18, EDGE = 12, TWICE = 2;

  /** Write on a copy how the original looks, element by element. */
  function painted(original, copy) {
    const style = getComputedStyle(original);
    for (const name of PAINT) if (style.getPropertyValue(name)) copy.setAttribute(name, style.getPropertyValue(name));
    copy.removeAttribute("class");
    [...original.children].forEach((child, k) => painted(child, copy.children[k]));
  }

  /** A text in lines that fit, by the width of its letters. */
  function wrapped(text, width) {
    const most = Math.max(Math.floor(width / charts.LETTER), 20), lines = [""];
    for (const word of text.split(/\s+/)) {
      if (lines.at(-1) && lines.at(-1).length + 1 + word.length > most) lines.push(word);
      else lines.push([lines.pop(), word].filter(Boolean).join(" "));
    }
    return lines;
  }

  /** A chart as a picture of its own: a title above, and below for which decision it holds. */
  function alone(svg, title, said) {
    const { element } = charts, copy = svg.cloneNode(true), ink = getComputedStyle(document.body);
    painted(svg, copy);
    copy.querySelector(".cursor")?.remove();
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const above = wrapped(title, width), below = said.flatMap((text) => wrapped(text, width)), top = EDGE + LINE * above.length;
    const whole = { width: width + 2 * EDGE, height: top + height + LINE * (below.length + 0.5) + 2 * EDGE };
    const line = (y, weight) => (text, k) => element("text", { x: EDGE, y: y + LINE * (k + 0.8), fill: ink.color, "font-size": "13px", "font-weight": weight, "font-family": ink.fontFamily }, text);
    for (const [name, value] of [["x", EDGE], ["y", top + EDGE / 2], ["width", width], ["height", height]]) copy.setAttribute(name, value);
    return element(
      "svg", { xmlns: "http://www.w3.org/2000/svg", ...whole, viewBox: `0 0 ${whole.width} ${whole.height}` },
      element("rect", { width: whole.width, height: whole.height, fill: ink.backgroundColor }),
      ...above.map(line(EDGE, "600")), copy, ...below.map(line(top + height + EDGE, "400")),
    );
  }

  const written = (svg) => new XMLSerializer().serializeToString(svg);

  /** The same as pixels. */
  async function pixels(svg) {
    const picture = new Image(), canvas = document.createElement("canvas");
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(written(svg))}`;
    await picture.decode();
    for (const side of ["width", "height"]) canvas[side] = Math.ceil(TWICE * Number(svg.getAttribute(side)));
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  const KINDS = { svg: (svg) => new Blob([written(svg)], { type: "image/svg+xml" }), png: pixels };

  const CALLED = {
    regret: "expected cost", difference: say("difference"), reliability: say("reliability"), benefit: "decision curves", roc: "ROC curves", "cost-map": "best choice by both ends of the range",
    prevalence: "expected cost by prevalence", capacity: "expected cost by capacity",
  };

  /** What a chart is called by a screen reader, and in the name of its file: those of single models are told apart. */
  function calledOf({ dataset: { figure, model } }, caption) {
    return model === undefined ? [CALLED[figure] ?? figure, figure] : [`${CALLED[figure] ?? figure} of ${caption}`, `${figure}-${Number(model) + 1}`];
  }

  const captionOf = (node) => node.closest("figure")?.querySelector("figcaption")?.textContent.trim().replace(/\s+/g, " ") ?? "";

  /** Put two buttons below a chart; `told` says for which decision it holds, and `save` writes a file. */
  function offer(node, told, save) {
    const line = Object.assign(document.createElement("p"), { className: "save only-live" }), [called, name] = calledOf(node, captionOf(node));
    line.append("Save this chart: ", ...Object.keys(KINDS).flatMap((kind) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: kind.toUpperCase() });
      button.setAttribute("aria-label", `${kind.toUpperCase()}: ${called}`);
      button.addEventListener("click", async () => {
        save(name, kind, await KINDS[kind](alone(node.querySelector("svg"), captionOf(node), told())));
      });
      return [button, " "];
    }));
    (node.parentElement.querySelector(".strip") ?? node).after(line);
  }

  return Object.freeze({ offer });
})();
