/* The page begins with the data that it holds. */
"use strict";

report.start(JSON.parse(document.getElementById("data").textContent), { source: `<!doctype html>\n${document.documentElement.outerHTML}\n` });
