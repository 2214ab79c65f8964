"use strict";
/* Files that a reader takes away: the report as an ordinary report file, with the scripts and the policy that any report has. */
const keeping = (() => {
  const LEFT_BEHIND = ".cursor, .pin, .save, .following, script";
  const byId = (id) => document.getElementById(id);

  function download(content, type, name) {
    const address = URL.createObjectURL(new Blob([content], { type }));
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000); // a busy machine begins late
  }

  /* What is written in the document, as a reader without scripts finds it. */
  function asWritten(live) {
    const root = live.cloneNode(true);
    for (const node of root.querySelectorAll(LEFT_BEHIND)) node.remove();
    for (const details of root.querySelectorAll("details[open]")) details.open = false;
    for (const node of root.querySelectorAll(".plot")) for (const name of ["role", "tabindex", ...[...node.attributes].map(({ name: one }) => one).filter((one) => one.startsWith("aria-"))]) node.removeAttribute(name);
    for (const node of root.querySelectorAll("#bar > span, #complaint, #announcement, #copied, #track")) node.textContent = "";
    for (const node of root.querySelectorAll(".downloads, .pick, #reset, #track")) node.hidden = true;
    const sentence = root.querySelector("#sentence");
    sentence.textContent = sentence.textContent;
    sentence.removeAttribute("style");
    return root;
  }

  /* A report file of the page that is shown as stated; `decision` is what a reader had moved to, if anything. */
  function reportFile(page, { decision, said, title }) {
    const root = asWritten(byId("report")), text = (id) => byId(id).textContent, data = shown.dataOf(page, { is_blank: undefined, ...(decision && { shown: decision }) });
    const charset = elements.made("meta"), policy = elements.made("meta"), view = elements.made("meta"), scheme = elements.made("meta"), generator = elements.made("meta");
    charset.setAttribute("charset", "utf-8");
    for (const [node, name, content] of [[view, "viewport", "width=device-width, initial-scale=1"], [scheme, "color-scheme", "light dark"], [generator, "generator", `stakes ${said.version}`]]) Object.assign(node, { name, content });
    Object.assign(policy, { httpEquiv: "Content-Security-Policy", content: said.policy });
    const head = [charset, policy, view, scheme, generator, elements.made("title", title)].map((node) => node.outerHTML).join("\n");
    const scripts = said.scripts.map((name) => `<script>${text(`script-${name}`)}<\/script>`).join("\n");
    return `<!doctype html>\n<html lang="${said.lang}">\n<head>\n${head}\n<style>${text("page-style")}<\/style>\n</head>\n<body>\n${root.innerHTML}\n<script type="application/json" id="data">${data}<\/script>\n${scripts}\n</body>\n</html>\n`;
  }

  const stem = (name) => name.replace(/\.[^.]*$/, "") || "stakes";
  const saveReport = (fileName, page, how) => download(reportFile(page, how), "text/html", `${stem(fileName)}-report.html`);

  return Object.freeze({ reportFile, saveReport });
})();
