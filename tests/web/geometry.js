// Looks at all pictures that all viewers see. Returns what is wrong with them, and how many there are.
//
// A picture lays layers over one another, and a match has far fewer layers than pictures. So each layer is measured once,
// and two layers are compared once, in however many pictures they lie together. If asked to, the page steps through all
// pictures, and each step must show the layers that were measured.
async (isStepped) => {
  const wrong = new Set();
  const say = (what, where) => wrong.size < 20 && wrong.add(where + ": " + what);
  const recording = await unpacked(document.getElementById("recording"));
  const stock = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${recording.parts.join("")}</svg>`, "image/svg+xml").documentElement;
  for (const title of stock.querySelectorAll("title")) {
    title.parentNode.dataset["card" in title.dataset ? "card" : "hint"] = title.textContent;
    title.remove();
  }

  const board = document.querySelector("svg.board");
  const places = [...board.querySelectorAll("[data-layer]")];
  const [layers, pairs] = [new Map(), new Map()];
  const meet = (known, name, thing) => known.has(name) || known.set(name, thing);
  const pictures = recording.tracks.flatMap(({ frames }, viewer) => frames.map(([, drawn], step) => [recording.viewers[viewer] + " at " + step, drawn]));
  for (const [where, drawn] of pictures) {
    const names = drawn.map((layer, place) => place + " " + layer);
    names.forEach((name, place) => meet(layers, name, { where, place, layer: drawn[place] }));
    names.forEach((name, place) => names.slice(place).forEach((other) => meet(pairs, name + " " + other, { where, both: [name, other] })));
  }
  for (const it of layers.values()) {
    it.mounted = places[it.place].cloneNode(false);
    it.mounted.append(...recording.layers[it.layer].map((part) => document.importNode(stock.children[part], true)));
  }
  board.append(...[...layers.values()].map((it) => it.mounted));

  const frame = board.getBoundingClientRect();
  const scale = frame.width / board.viewBox.baseVal.width;
  for (const it of layers.values()) {
    for (const shape of it.mounted.querySelectorAll("path,rect,circle,ellipse,line,polygon,polyline,text")) {
      const box = shape.getBoundingClientRect();
      if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5) {
        say("outside the picture: " + shape.outerHTML.slice(0, 120), it.where);
      }
    }
    const texts = [...it.mounted.querySelectorAll("text")].filter((text) => text.textContent.trim());
    it.texts = texts.map((text) => ({ words: text.textContent, box: text.getBoundingClientRect() }));
    for (const text of texts) {
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < 11) say("type of " + size.toFixed(1) + " pixels: " + text.textContent, it.where);
    }
  }
  // The boxes of two lines below each other touch, because they have room for accents.
  const air = 2 * scale;
  const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top + air < b.bottom - air && b.top + air < a.bottom - air;
  for (const { where, both } of pairs.values()) {
    const [texts, others] = both.map((name) => layers.get(name).texts);
    texts.forEach((text, index) => {
      for (const other of others.slice(texts === others ? index + 1 : 0)) {
        if (overlap(text.box, other.box)) say("on top of each other: " + text.words + " | " + other.words, where);
      }
    });
  }
  for (const it of layers.values()) it.mounted.remove();

  // All has been measured, and the browser steps faster through what it need not lay out.
  document.body.style.display = isStepped ? "none" : "";
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const viewer = document.getElementById("viewer");
  for (const option of isStepped ? viewer.options : []) {
    viewer.value = option.value;
    viewer.dispatchEvent(new Event("change"));
    press("Home");
    const { frames } = recording.tracks[option.index];
    frames.forEach(([, drawn], step) => {
      if (document.getElementById("count").textContent !== step + " / " + (frames.length - 1)) say("is not step " + step, option.textContent);
      const isShown = (layer, place) => places[place].isEqualNode(layers.get(place + " " + layer).mounted);
      if (!drawn.every(isShown)) say("is not the picture of step " + step, option.textContent);
      press("ArrowRight");
    });
  }
  return { wrong: [...wrong], pictures: pictures.length };
}
