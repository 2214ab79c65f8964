"use strict";
/* Files that a reader takes away: the answer as a page of its own, which runs no script, and the numbers as JSON. */
const keeping = (() => {
  const LEFT_BEHIND = "script, noscript, button, #open, #leaves-out, [role=status]";

  function download(content, type, name) {
    const address = URL.createObjectURL(new Blob([content], { type }));
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000); // a busy machine begins late
  }

  /* The answer as it is shown, without the file, its first rows and all that computes. */
  function still(origin) {
    const page = document.documentElement.cloneNode(true), policy = page.querySelector("meta[http-equiv]");
    for (const node of page.querySelectorAll(LEFT_BEHIND)) node.remove();
    policy.content = ["default-src 'none'", policy.content.split("; ").find((part) => part.startsWith("style-src")), "base-uri 'none'", "form-action 'none'"].join("; ");
    page.querySelector("title").textContent = document.getElementById("headline").textContent;
    const line = page.querySelector("#origin");
    line.textContent = origin;
    line.hidden = false;
    return `<!doctype html>\n${page.outerHTML}\n`;
  }

  const stem = (name) => name.replace(/\.[^.]*$/, "") || "stakes";
  const saveAnswer = (fileName, origin) => download(still(origin), "text/html", `${stem(fileName)}-answer.html`);

  function saveNumbers(result) {
    const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value === Infinity ? null : value);
    download(JSON.stringify(result, plain, 1), "application/json", "stakes.json");
  }

  return Object.freeze({ saveAnswer, saveNumbers });
})();
