"use strict";
// A button on every block of code copies it, without prompts and outputs.
function commands(text) {
  const lines = text.trimEnd().split("\n");
  const prompts = [/^(>>>|\.\.\.)( |$)/, /^\$ /].filter(prompt => prompt.test(lines[0]));
  if (!prompts.length) return lines.join("\n") + "\n";
  const typed = lines.filter(line => prompts[0].test(line));
  return typed.map(line => line.replace(prompts[0], "")).join("\n") + "\n";
}

document.addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll("div.highlight")) {
    if (block.closest(".output")) continue;
    const code = block.querySelector("pre");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.setAttribute("aria-label", "copy this code");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(commands(code.textContent));
      } catch {
        getSelection().selectAllChildren(code);  // for the keyboard
        document.execCommand("copy");
      }
      button.textContent = "copied";
      setTimeout(() => { button.textContent = "copy"; }, 1500);
    });
    block.append(button);
    // The first line must not run under the button.
    const fit = () => {
      block.classList.remove("wide");
      const text = code.textContent.split("\n")[0].length + 1;
      const letter = parseFloat(getComputedStyle(code).fontSize) * 0.61;
      block.classList.toggle("wide", text * letter > code.clientWidth - button.offsetWidth - 24);
    };
    new ResizeObserver(fit).observe(block);
  }
});
