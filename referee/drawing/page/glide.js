"use strict";
// A picture may have two shapes. The one that suits the window is in the page, and the other waits.
const wide = matchMedia("(min-width: 600px)");
const suited = (boards) => (wide.matches && boards.find((it) => it.dataset.shape)) || boards[0];
// Lets things with a name glide from where they were to where they are.
const whereabouts = (board) => new Map([...board.querySelectorAll("[data-piece]")].map((it) => [it.dataset.piece, it.getBoundingClientRect()]));

const glide = (board, before) => {
  for (const piece of board.querySelectorAll("[data-piece]")) {
    const scale = 1 / piece.parentNode.getScreenCTM().a;
    const from = before.get(piece.dataset.piece);
    if (!from) continue;
    const to = piece.getBoundingClientRect();
    const x = (from.x - to.x) * scale;
    const y = (from.y - to.y) * scale;
    if (Math.abs(x) + Math.abs(y) < 1) continue;
    piece.animate([{ translate: x + "px " + y + "px" }, { translate: "0 0" }], { duration: 300, easing: "ease-out" });
  }
};

