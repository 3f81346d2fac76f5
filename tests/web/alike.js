// Things of a picture that differ in nothing but colour: the same shapes, outlines and words in colours that are hardly
// lighter or darker than one another (less than 3:1, by WCAG), so that in grey they look alike. Returns pairs of markup.
(parts) => {
  const board = document.querySelector("svg.board");
  const channels = (colour) => [...colour.matchAll(/[\d.]+/g)].map((it) => Number(it[0]));
  const ground = channels(getComputedStyle(board.querySelector(".ground")).fill);
  // The colour that is seen, for a paint may let the ground shine through; null for none.
  const seen = (paint, opacity) => {
    if (paint === "none") return null;
    const [r, g, b, alpha = 1] = channels(paint);
    const share = alpha * opacity;
    return share ? [r, g, b].map((it, at) => share * it + (1 - share) * ground[at]) : null;
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((it) => it / 255).map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const near = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05) < 3;
  };

  const places = ["d", "x", "y", "cx", "cy", "r", "rx", "width", "height", "transform"];
  const described = (part) => {
    const shape = [];
    const colours = [];
    for (const it of [part, ...part.querySelectorAll("*")]) {
      if (it.localName === "title") continue;
      const style = getComputedStyle(it);
      const paints = it.localName !== "g";
      const fill = paints ? seen(style.fill, style.opacity * style.fillOpacity) : null;
      const stroke = paints ? seen(style.stroke, style.opacity * style.strokeOpacity) : null;
      // Where the thing lies does not matter, since many a thing moves.
      const lies = places.filter((name) => it !== part || name !== "transform").map((name) => it.getAttribute(name));
      const words = it.localName === "text" ? [it.textContent, style.fontSize, style.fontWeight] : [];
      shape.push(it.localName, ...lies, ...words, fill !== null, stroke && style.strokeWidth + style.strokeDasharray);
      colours.push(...[fill, stroke].filter(Boolean));
    }
    return [JSON.stringify(shape), colours];
  };

  const stock = `<svg xmlns="http://www.w3.org/2000/svg">${parts.join("")}</svg>`;
  const place = board.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "g"));
  const looks = new Map();
  for (const it of new DOMParser().parseFromString(stock, "image/svg+xml").documentElement.children) {
    const part = document.importNode(it, true);
    place.replaceChildren(part);
    const [shape, colours] = described(part);
    if (!looks.has(shape)) looks.set(shape, new Map());
    looks.get(shape).set(JSON.stringify(colours), [colours, it.outerHTML]);
  }
  place.remove();
  const found = [];
  for (const alike of looks.values()) {
    [...alike.values()].forEach(([colours, markup], number, all) => {
      for (const [others, other] of all.slice(0, number)) {
        if (colours.every((it, at) => near(it, others[at]))) found.push([other, markup]);
      }
    });
  }
  return found;
}
