"use strict";
/* Parts of a page: names from data enter as text only. */
const elements = (() => {
  const made = (tag, content = [], given = {}) => {
    const node = Object.assign(document.createElement(tag), given);
    node.append(...[content].flat());
    return node;
  };
  const isolated = (name) => made("bdi", name);
  const named = ({ css, name }) => [made("span", [], { className: `swatch ${css}` }), isolated(name)];
  const headed = (content, cells) => made("tr", [made("th", content, { scope: "row" }), ...cells.map((cell) => made("td", cell))]);

  return Object.freeze({ headed, isolated, made, named });
})();
