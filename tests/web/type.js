// All texts that can be seen: what they say, and where their lines lie, in pixels of the whole page.
() => {
  const unseen = "title,script,style,option,noscript,.unseen";
  // A line that a list scrolls out of sight lies, by its numbers, on something else.
  const overflows = (it, style) => [[it.scrollHeight, it.clientHeight, style.overflowY], [it.scrollWidth, it.clientWidth, style.overflowX]]
    .some(([all, seen, overflow]) => all > seen + 1 && overflow === "auto");
  const scrolls = (it) => it && (overflows(it, getComputedStyle(it)) ? it : scrolls(it.parentElement));
  const inside = (it, frame) => it.top >= frame.top && it.bottom <= frame.bottom && it.left >= frame.left && it.right <= frame.right;
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const holder = walk.currentNode.parentElement;
    const words = walk.currentNode.textContent;
    if (!words.trim() || holder.closest(unseen) || !holder.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const frame = scrolls(holder)?.getBoundingClientRect() ?? { top: -Infinity, bottom: Infinity, left: -Infinity, right: Infinity };
    const lines = [...range.getClientRects()].filter((it) => it.width && inside(it, frame));
    const at = ({ left, top, right, bottom }) => ({ left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY });
    if (lines.length) found.push({ words, lines: lines.map(at) });
  }
  return found;
}
