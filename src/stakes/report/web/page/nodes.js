/* Elements of the page: found, made, put in order. Names from data enter as text nodes only. */
"use strict";

const nodes = (() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  const spanned = (css, text) => Object.assign(document.createElement("span"), { className: css, textContent: text });
  const isolated = (name) => Object.assign(document.createElement("bdi"), { textContent: name });
  const strongly = ([text, strong]) => (strong ? Object.assign(document.createElement("strong"), { textContent: text }) : text);

  /** A row of a table, headed by a way to decide. */
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

  /** Put rows in order, each moving gently from where it was, unless the reader prefers no motion. */
  function reorder(body, wanted, held) {
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

  return Object.freeze({ all, byId, headed, isolated, reorder, spanned, strongly });
})();
