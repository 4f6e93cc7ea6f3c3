"use strict";

// Copying: the buttons appear only where this script runs.
const status = document.getElementById("status");

const selected = (code) => {
  const selection = getSelection();
  selection.selectAllChildren(code);
  const done = document.execCommand("copy");
  if (done) selection.removeAllRanges();
  return done;
};

const copied = async (code) => {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    return selected(code); // a browser that does not trust pages from disk
  }
};

for (const button of document.querySelectorAll(".copy")) {
  const name = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copied(button.parentElement.querySelector("code"));
    button.textContent = status.textContent = done ? button.dataset.done : button.dataset.failed;
    setTimeout(() => { button.textContent = name; status.textContent = ""; }, 2000);
  });
}

// A line that was jumped to must not stay folded.
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target?.scrollIntoView();
};
addEventListener("hashchange", unfold);
if (location.hash) unfold();

// What pointing at a mark shows in a small box, touch and keyboard show below the drawing.
const MOST_STOPS = 60;
for (const figure of document.querySelectorAll(".drawing-figure")) {
  const marks = [...figure.querySelectorAll(".drawing title")].map((title) => title.parentElement);
  const told = marks.filter((mark) => mark.localName !== "svg");
  if (!told.length) continue;
  const says = document.createElement("p");
  says.className = "drawing-says";
  says.setAttribute("role", "status");
  const table = figure.querySelector(":scope > .drawing-alternative");
  if (table) table.before(says);
  else figure.append(says);
  const show = (event) => {
    let mark = event.target;
    while (mark && mark !== figure && !told.includes(mark)) mark = mark.parentElement;
    if (told.includes(mark)) says.textContent = mark.querySelector(":scope > title").textContent;
  };
  for (const kind of ["focusin", "click", "pointerover"]) figure.addEventListener(kind, show);
  if (told.length <= MOST_STOPS * 2) {
    for (const mark of told) {
      if (mark.localName === "a" || mark.closest("a")) continue;
      mark.setAttribute("tabindex", "0");
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", mark.querySelector(":scope > title").textContent);
    }
  }
}
