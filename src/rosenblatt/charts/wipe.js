// Bokeh paints from the middle of the first pixel on: at the edge, old colours would stay.
function wipe(root) {
  for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) wipe(element.shadowRoot);
    if (element.tagName !== "CANVAS") continue;
    const context = element.getContext("2d");
    context.save();
    context.resetTransform();
    context.clearRect(0, 0, element.width, element.height);
    context.restore();
  }
}
