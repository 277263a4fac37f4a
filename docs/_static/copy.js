"use strict";
// A button on every block of code copies it, without prompts and outputs.
document.addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll("div.highlight")) {
    if (block.closest(".output")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.setAttribute("aria-label", "copy this code");
    button.addEventListener("click", async () => {
      const code = block.querySelector("pre");
      try {
        await navigator.clipboard.writeText(code.textContent.trimEnd() + "\n");
      } catch {
        getSelection().selectAllChildren(code);  // for the keyboard
        document.execCommand("copy");
      }
      button.textContent = "copied";
      setTimeout(() => { button.textContent = "copy"; }, 1500);
    });
    block.append(button);
  }
});
