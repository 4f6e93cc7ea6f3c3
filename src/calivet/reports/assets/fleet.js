"use strict";

// Every word that is typed must stand somewhere in the row.
const form = document.querySelector(".filters");
const rows = [...document.querySelectorAll(".fleet tbody tr")];
const filter = document.getElementById("filter");
const cause = document.getElementById("cause");
const now = document.getElementById("now");
const shown = document.getElementById("shown");

const apply = () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    const other = cause.value && row.dataset.cause !== cause.value;
    row.hidden = other || (now.checked && !row.classList.contains("now")) || !words.every((word) => text.includes(word));
  }
  shown.textContent = `${rows.filter((row) => !row.hidden).length} / ${rows.length} ${shown.dataset.word}`;
};
form.hidden = false;
form.addEventListener("input", apply);
form.addEventListener("submit", (event) => event.preventDefault());
apply();
