"use strict";
// Charts are made when they come near the view and given up when they are far away: a
// telephone has not the memory for all of them.
(() => {
  const charts = new Map();  // plot -> what Bokeh made, while it is there

  function library() {
    if (!window.Bokeh) {
      const script = document.createElement("script");
      script.textContent = document.getElementById("bokeh").textContent;
      document.head.append(script);
      window.Bokeh.set_log_level("error");
    }
    return window.Bokeh;
  }

  function setVisible(plot) {
    const made = charts.get(plot);
    if (!made || !made.roots) return;
    for (const button of plot.parentElement.querySelectorAll("[data-series]")) {
      const shown = button.getAttribute("aria-pressed") === "true";
      for (const view of made.roots)
        for (const renderer of view.model.renderers ?? [])
          if (renderer.name === button.dataset.series) renderer.visible = shown;
    }
  }

  async function make(plot) {
    if (charts.has(plot)) return;
    charts.set(plot, {});
    try {
      const text = document.getElementById(plot.dataset.chart).textContent;
      const made = await library().embed.embed_item(JSON.parse(text), plot);
      if (!charts.has(plot)) return clear(plot, made);  // passed by in the meantime
      charts.set(plot, made);
      setVisible(plot);
      plot.dataset.state = "made";
    } catch (error) {
      plot.closest("figure").classList.add("still-only");
      console.error(plot.dataset.chart, error);
    }
  }

  function clear(plot, made) {
    charts.delete(plot);
    if (made && made.clear) made.clear();
    plot.replaceChildren();
    delete plot.dataset.state;
  }

  const plots = document.querySelectorAll(".plot");
  const near = new IntersectionObserver(
    entries => entries.filter(e => e.isIntersecting).forEach(e => make(e.target)),
    {rootMargin: "40% 0px"});
  const far = new IntersectionObserver(
    entries => entries.filter(e => !e.isIntersecting && charts.has(e.target))
      .forEach(e => clear(e.target, charts.get(e.target))),
    {rootMargin: "500% 0px"});
  for (const plot of plots) {
    near.observe(plot);
    far.observe(plot);
  }

  async function copy(button) {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);  // for the keyboard
      document.execCommand("copy");
    }
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  }

  document.addEventListener("click", event => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.classList.contains("copy")) copy(button);
    if (button.dataset.series !== undefined) {
      const pressed = button.getAttribute("aria-pressed") === "true";
      button.setAttribute("aria-pressed", String(!pressed));
      setVisible(button.closest(".live").querySelector(".plot"));
    }
  });
})();
