"use strict";
// A formula inside a sentence cannot break: one that is wider than the column shrinks.
// So does a line of its own that is a little too wide; on a phone such lines scroll.
window.addEventListener("load", async () => {
  if (!window.MathJax?.startup) return;
  await MathJax.startup.promise;
  const fit = () => {
    for (const formula of document.querySelectorAll(".math > mjx-container")) {
      if (formula.closest("table")) continue;  // it scrolls
      const alone = formula.closest("div.math");
      const column = alone ?? formula.closest("p, li, dd, dt, h1, h2, h3");
      if (!column || (alone && innerWidth < 740)) continue;
      formula.dataset.size ??= formula.style.fontSize;
      formula.style.fontSize = formula.dataset.size;
      const wide = alone ? alone.scrollWidth : formula.getBoundingClientRect().width;
      const room = column.clientWidth / wide;
      if (room >= 1) continue;
      const size = parseFloat(getComputedStyle(formula).fontSize);
      formula.style.fontSize = `${0.98 * room * size}px`;
    }
  };
  fit();
  window.addEventListener("resize", fit);
});
