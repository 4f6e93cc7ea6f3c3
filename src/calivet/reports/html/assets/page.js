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

// Nothing stays folded on paper, in browsers too that cannot do this by style.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const fold of folded) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of folded) fold.open = false;
});
