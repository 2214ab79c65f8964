// Shows every model at the position of the two controls; all numbers and texts come from Python.
"use strict";
{
  const find = (id) => document.getElementById(id);
  const held = JSON.parse(find("moves-data").textContent);
  const [times, share] = [find("move-times"), find("move-share")];
  const cell = (text) => Object.assign(document.createElement("td"), { textContent: text });
  const row = ([model, ...texts]) => {
    const made = document.createElement("tr");
    made.append(cell(held.names[model]), ...texts.map(cell));
    return made;
  };
  const show = () => {
    const [some, many] = [Number(share.value), Number(times.value)];
    times.setAttribute("aria-valuetext", held.times[many]);
    share.setAttribute("aria-valuetext", held.shares[some]);
    find("moves-said").textContent = `${held.times[many]} ${held.shares[some]}`;
    find("moves-answer").textContent = held.answers[some][many];
    find("moves-rows").replaceChildren(...held.rows[some][many].map(row));
    for (const end of ["x1", "x2"]) find("moves-at").setAttribute(end, held.across[many]);
    document.querySelectorAll("polyline.moved").forEach((line, k) => line.setAttribute("points", held.lines[some][k]));
  };
  const back = () => {
    [share.value, times.value] = held.start;
    show();
  };
  times.addEventListener("input", show);
  share.addEventListener("input", show);
  find("moves-back").addEventListener("click", back);
  back(); // a browser may keep where the controls were
  find("moves").hidden = false;
}
