/* The page in the words of a user: whatever the scripts write, in the page but not in its method, is said in them before it is seen. */
"use strict";

const wording = (() => {
  const SPOKEN = ["title", "data-label", "aria-label", "aria-valuetext"];
  const WORD = /[\p{L}\p{N}_]/u;

  /** A text in other words: pairs of old and new, longest first. A text that is in them already stays as it is. */
  function say(pairs, text) {
    let said = "", at = 0;
    while (at < text.length) {
      const here = pairs.find(([old]) => isWord(text, at, old));
      said += here ? here[1] : text[at];
      at += here ? here[0].length : 1;
    }
    return said;
  }

  const isWord = (text, at, old) => text.startsWith(old, at) && ![text[at - 1] ?? "", text[at + old.length] ?? ""].some((one) => WORD.test(one));

  /** Say all that is below a node, and whatever changes there from now on. */
  function follow(pairs, root) {
    const isSilent = (node) => Boolean((node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest("#method, code, input, option"));
    const sayText = (node) => {
      const said = isSilent(node) ? node.data : say(pairs, node.data);
      if (said !== node.data) node.data = said;
    };
    const sayLabels = (node) => {
      for (const name of SPOKEN) {
        const text = node.getAttribute(name), said = text && !isSilent(node) ? say(pairs, text) : text;
        if (said !== text) node.setAttribute(name, said);
      }
    };
    const sayBelow = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return sayText(node);
      if (node.nodeType !== Node.ELEMENT_NODE) return undefined;
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      sayLabels(node);
      while (walker.nextNode()) (walker.currentNode.nodeType === Node.TEXT_NODE ? sayText : sayLabels)(walker.currentNode);
      return undefined;
    };
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === "childList") addedNodes.forEach(sayBelow);
        else (type === "attributes" ? sayLabels : sayText)(target);
      }
    }).observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: SPOKEN });
  }

  return Object.freeze({ follow, say });
})();
