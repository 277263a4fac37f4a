"use strict";
// A formula inside a sentence cannot break: one that is wider than the column shrinks.
window.addEventListener("load", async () => {
  if (!window.MathJax?.startup) return;
  await MathJax.startup.promise;
  const fit = () => {
    for (const formula of document.querySelectorAll("span.math > mjx-container")) {
      if (formula.closest("table")) continue;  // it scrolls
      const column = formula.closest("p, li, dd, dt, h1, h2, h3");
      if (!column) continue;
      formula.dataset.size ??= formula.style.fontSize;
      formula.style.fontSize = formula.dataset.size;
      const room = column.clientWidth / formula.getBoundingClientRect().width;
      if (room >= 1) continue;
      const size = parseFloat(getComputedStyle(formula).fontSize);
      formula.style.fontSize = `${0.98 * room * size}px`;
    }
  };
  fit();
  window.addEventListener("resize", fit);
});
