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

  const dark = matchMedia("(prefers-color-scheme: dark)");

  // Charts have the colours of the page; black curves are white in the dark.
  function paint(plot) {
    const made = charts.get(plot);
    if (!made || !made.roots) return;
    const style = getComputedStyle(document.documentElement);
    const [ink, line, paper] = ["--ink", "--line", "--paper"].map(name => style.getPropertyValue(name).trim());
    for (const {model} of made.roots) {
      if (!model.renderers) continue;
      model.background_fill_color = model.border_fill_color = paper;
      for (const side of ["left", "right", "above", "below", "center"])
        for (const part of model[side] ?? []) {
          if (part.grid_line_color !== undefined) part.grid_line_color = line;
          if (part.major_label_text_color !== undefined) part.major_label_text_color = ink;
        }
      for (const {glyph} of model.renderers ?? []) {
        if (glyph.text_color !== undefined) glyph.text_color = ink;
        for (const name of ["line_color", "fill_color", "hatch_color"]) {
          const colour = glyph[name]?.value ?? glyph[name];
          if (colour === "#000000" || colour === "#f5f5f5")
            glyph[name] = {value: dark.matches ? "#f5f5f5" : "#000000"};
        }
      }
    }
  }
  dark.addEventListener("change", () => {
    for (const plot of charts.keys()) {
      wipe(plot);
      paint(plot);
    }
  });

  async function make(plot) {
    if (charts.has(plot)) return;
    charts.set(plot, {});
    try {
      const text = document.getElementById(plot.dataset.chart).textContent;
      const made = await library().embed.embed_item(JSON.parse(text), plot);
      if (!charts.has(plot)) return clear(plot, made);  // passed by in the meantime
      charts.set(plot, made);
      setVisible(plot);
      paint(plot);
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

  // Search and filters hide the items that do not match, and headings without items.
  const form = document.querySelector(".filters");
  const items = [...document.querySelectorAll("[data-verdict]")];
  const words = new Map(items.map(item => [item, item.textContent.toLowerCase()]));

  function filter() {
    const wanted = new FormData(form);
    const search = wanted.get("words").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      const {verdict, section} = item.dataset;
      const fits = (!wanted.get("verdict") || verdict === wanted.get("verdict"))
        && (!wanted.get("section") || section === wanted.get("section"))
        && search.every(word => words.get(item).includes(word) || item.id.includes(word));
      item.hidden = !fits;
      shown += fits;
    }
    for (const head of document.querySelectorAll("tr.place")) {
      let next = head.nextElementSibling;
      while (next && !next.classList.contains("place") && next.hidden) next = next.nextElementSibling;
      head.hidden = !next || next.classList.contains("place");
    }
    for (const part of document.querySelectorAll(".part"))
      part.hidden = !part.querySelector("[data-verdict]:not([hidden])");
    const list = document.getElementById("items");  // folded until something is looked for
    if (list && shown < items.length) list.open = true;
    form.querySelector("output").value = shown < items.length ? `${shown} of ${items.length}` : "";
  }

  if (form) {
    form.addEventListener("input", filter);
    form.addEventListener("submit", event => event.preventDefault());
    const height = () => document.documentElement.style.setProperty("--filters", `${form.offsetHeight}px`);
    new ResizeObserver(height).observe(form);
    filter();  // a browser may remember what was chosen
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
