// Steps through all that every viewer sees. Returns what is wrong with a picture, and how many pictures there were.
() => {
  const wrong = new Set();
  let pictures = 0;
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const say = (what, where) => wrong.size < 20 && wrong.add(where + ": " + what);

  const look = (where) => {
    const board = document.querySelector("svg.board");
    const frame = board.getBoundingClientRect();
    const scale = frame.width / board.viewBox.baseVal.width;
    pictures += 1;
    for (const shape of board.querySelectorAll("path,rect,circle,ellipse,line,polygon,polyline,text")) {
      const box = shape.getBoundingClientRect();
      if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5) {
        say("outside the picture: " + shape.outerHTML.slice(0, 120), where);
      }
    }
    const texts = [...board.querySelectorAll("text")].filter((it) => it.textContent.trim());
    const boxes = texts.map((it) => it.getBoundingClientRect());
    texts.forEach((text, index) => {
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < 11) say("type of " + size.toFixed(1) + " pixels: " + text.textContent, where);
      // The boxes of two lines below each other touch, because they have room for accents.
      const air = 2 * scale;
      for (let other = index + 1; other < texts.length; other += 1) {
        const [a, b] = [boxes[index], boxes[other]];
        if (a.left < b.right && b.left < a.right && a.top + air < b.bottom - air && b.top + air < a.bottom - air) {
          say("on top of each other: " + text.textContent + " | " + texts[other].textContent, where);
        }
      }
    });
  };

  const viewer = document.getElementById("viewer");
  for (const option of viewer.options) {
    viewer.value = option.value;
    viewer.dispatchEvent(new Event("change"));
    press("Home");
    const last = Number(document.getElementById("slider").max);
    for (let step = 0; step <= last; step += 1) {
      look(option.textContent + " at " + step);
      if (document.getElementById("count").textContent !== step + " / " + last) say("is not step " + step, option.textContent);
      press("ArrowRight");
    }
  }
  return { wrong: [...wrong], pictures };
}
