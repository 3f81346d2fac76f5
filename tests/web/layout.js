// What is wrong with the layout of a page at its present width, as sentences.
() => {
  const wrong = new Set();
  const ruler = document.createElement("canvas").getContext("2d");
  const box = (it) => it.getBoundingClientRect();
  const seen = (it) => box(it).width > 1 && box(it).height > 1;
  const name = (it) => it.tagName.toLowerCase() + (it.className ? "." + it.className : "");

  // The words that are seen; a hidden part has a width of a pixel.
  const words = (it) => {
    const copy = it.cloneNode(true);
    copy.querySelectorAll(".unseen, svg, option").forEach((part) => part.remove());
    return copy.textContent.split(/\s+/).map((word) => [...word].slice(0, 16).join(""));
  };
  const widest = (it, style) => {
    ruler.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return Math.max(...words(it).map((word) => ruler.measureText(word).width));
  };

  if (document.documentElement.scrollWidth > innerWidth) wrong.add("the page scrolls sideways");
  for (const it of document.querySelectorAll("td, th, dd, dt, h1, h2, h3, p, li, label, .mark, .name a")) {
    if (!seen(it) || it.closest("svg, .unseen, .chart")) continue;
    const style = getComputedStyle(it);
    const room = it.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (style.display !== "inline" && widest(it, style) > room + 1.5) wrong.add(name(it) + " is narrower than its longest word");
    const isCut = style.overflowX === "hidden" && it.scrollWidth > it.clientWidth + 1;
    if (isCut && !it.title && !it.querySelector("[title]")) wrong.add(name(it) + " is cut and has no title");
  }
  for (const number of document.querySelectorAll(".wide td.number")) {
    const frame = number.closest(".wide");
    if (seen(number) && box(number).right > box(frame).right + 1) wrong.add("a number stands beyond the edge of " + name(frame));
  }
  for (const field of document.querySelectorAll(".card :is(input, select, button), .panel :is(input, select, button)")) {
    const frame = field.closest(".card, .panel");
    if (seen(field) && !field.closest(".wide") && box(field).right > box(frame).right) wrong.add(name(field) + " stands out of " + name(frame));
  }
  for (const cell of document.querySelectorAll("td, th")) {
    if (!seen(cell) || cell.closest(".chart") || getComputedStyle(cell).overflowX === "hidden") continue;
    for (const part of cell.childNodes) {
      const range = document.createRange();
      range.selectNode(part);
      const rects = part.nodeType === Node.ELEMENT_NODE ? [box(part)] : [...range.getClientRects()];
      if (part.nodeName !== "svg" && rects.some((rect) => rect.width > 1 && rect.right > box(cell).right + 1.5)) {
        wrong.add(name(cell) + " lies over the next column");
      }
    }
  }
  return [...wrong];
}
