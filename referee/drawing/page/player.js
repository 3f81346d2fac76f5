// Steps through a recording. All words come out of the recording as text; the only markup is that of the parts of pictures
// and of the course.
const unpacked = async (holder) => {
  let letters = holder.textContent;
  if (holder.dataset.from) {
    const answer = await fetch(holder.dataset.from);
    if (!answer.ok) throw new Error(answer.status === 503 ? "Too many replays are being drawn. Load this page again in a minute." : "");
    [, letters] = /id="recording">([^<]*)/.exec(await answer.text());
  }
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};

const show = (recording) => {
  const decision = ([seat, number, legal, chosen, us, left_ms, note]) => ({ seat, number, legal, chosen, us, left_ms, note });
  const frame = ([match, layers, event, lines, asked, group]) => ({ match, layers, event, lines, asked: asked.map(decision), group });
  for (const track of recording.tracks) track.frames = track.frames.map(frame);
  const byId = (id) => document.getElementById(id);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${recording.parts.join("")}</svg>`;
  const stock = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
  // The page itself shows what a title says: also to a finger, and at once.
  for (const title of stock.querySelectorAll("title")) {
    title.parentNode.dataset["card" in title.dataset ? "card" : "hint"] = title.textContent;
    title.remove();
  }
  const parts = stock.children;
  const boards = [...byId("board").children];
  let board = suited(boards);
  byId("board").replaceChildren(board);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let track = recording.tracks[0];
  let at = 0;
  let timer = 0;
  let addressing = 0;
  let drawn = [];
  let revealed = false;

  const last = () => track.frames.length - 1;
  const words = (list) => recording.lists[list].map((word) => recording.words[word]);
  const make = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const marked = (seat) => {
    const shape = byId("mark-" + seat)?.cloneNode(true) ?? make("span");
    shape.removeAttribute("id");
    return shape;
  };

  // The board

  const draw = (frame) => {
    const places = [...board.querySelectorAll("[data-layer]")];
    const before = calm.matches ? null : whereabouts(board);
    frame.layers.forEach((layer, place) => {
      if (drawn[place] !== layer) places[place].replaceChildren(...recording.layers[layer].map((part) => document.importNode(parts[part], true)));
    });
    drawn = frame.layers;
    if (before) glide(board, before);
  };
  const fit = () => {
    if (suited(boards) === board) return;
    board = suited(boards);
    byId("board").replaceChildren(board);
    drawn = [];
    draw(track.frames[at]);
  };

  // What is drawn there, in words

  const hint = byId("hint");
  const hide = () => { hint.hidden = true; };
  const point = (event) => {
    const under = document.elementsFromPoint(event.clientX, event.clientY).map((it) => board.contains(it) && it.closest("[data-card],[data-hint]"));
    const found = under.find((it) => it);
    if (!found) return hide();
    const stage = hint.parentNode.getBoundingClientRect();
    hint.textContent = found.dataset.card ?? found.dataset.hint;
    hint.hidden = false;
    const below = found.getBoundingClientRect().bottom + 6 - stage.top;
    hint.style.left = Math.max(8, Math.min(event.clientX - stage.left - hint.offsetWidth / 2, stage.width - hint.offsetWidth - 8)) + "px";
    hint.style.top = Math.min(below, stage.height - hint.offsetHeight - 8) + "px";
  };
  const listCards = () => {
    const texts = [...new Set([...board.querySelectorAll("[data-card]")].map((it) => it.dataset.card))].sort();
    const lines = texts.flatMap((text) => [make("dt", text.split(": ", 1)[0]), make("dd", text.slice(text.indexOf(": ") + 2))]);
    byId("cards").querySelector("dl").replaceChildren(...lines);
  };

  // What is said beside it

  const seconds = (us) => (us < 1000 ? us + " µs" : us < 1e6 ? (us / 1000).toFixed(1) + " ms" : (us / 1e6).toFixed(2) + " s");
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const tell = (frame) => {
    const event = frame.event >= 0 ? recording.words[frame.event] : at ? "Nothing more is heard" : "Before the match";
    const sentence = (recording.names.some((name) => event.startsWith(name)) ? event : capital(event)) + ".";
    const isTold = event.endsWith(recording.result.slice(recording.result.indexOf(": ")));
    const said = at === last() && !isTold ? sentence + " " + recording.result + "." : sentence;
    byId("sentence").textContent = byId("sentence").title = said;
    byId("lines").textContent = words(frame.lines).join("\n");
    byId("count").textContent = at + " / " + last();
    byId("slider").value = at;
    byId("slider").setAttribute("aria-valuetext", "Step " + at + " of " + last() + (revealed && outlook.length ? ": " + stand(frame.match) : ""));
    byId("asked").replaceChildren(...(frame.asked.length ? frame.asked.map(asked) : [make("p", "Nothing is to be decided here.", "soft")]));
  };
  const asked = (it) => {
    const block = make("div");
    const legal = words(it.legal);
    const head = make("p");
    head.append(marked(it.seat), make("b", recording.names[it.seat] + (it.chosen < 0 ? " fails" : " to decide")), make("span", seconds(it.us) + " of " + seconds(it.left_ms * 1000), "soft"));
    const list = make("ol");
    list.append(...legal.map((action, index) => make("li", action, index === it.chosen ? "pick" : "")));
    block.append(head, ...it.note.map((line) => make("p", line, "soft")), list);
    return block;
  };

  // The list of decisions, in groups if the game has some

  const story = byId("story");
  const entry = (frame, label, seat) => {
    const line = make("button");
    const words = make("span");
    if (seat !== null) words.append(make("span", recording.names[seat] + ": ", "unseen"));
    words.append(label);
    line.type = "button";
    line.tabIndex = -1;
    line.dataset.frame = frame;
    line.append(make("span", String(frame), "at"), seat === null ? make("span") : marked(seat), words);
    const turn = revealed && seat !== null && turns.find((it) => it.seat === seat && it.frame() === frame);
    if (turn) line.append(make("span", (turn.change > 0 ? "+" : "\u2212") + Math.abs(turn.change).toFixed(2), "change"));
    line.addEventListener("click", () => go(frame));
    const item = make("li");
    item.append(line);
    return item;
  };
  const label = (it) => (it.chosen < 0 ? "fails" : words(it.legal)[it.chosen]);
  const list = () => {
    const headings = [];
    let [items, group] = [story, -1];
    story.replaceChildren();
    track.frames.forEach((frame, number) => {
      if (frame.group !== group && frame.group >= 0) {
        group = frame.group;
        headings.push([recording.words[group], number]);
        const part = make("li");
        items = make("ol");
        part.append(make("h2", recording.words[group]), items);
        story.append(part);
      }
      // A decision in which a player fails tells the end.
      const shown = frame.asked.filter((it) => it.chosen >= 0 || revealed);
      items.append(...shown.map((it) => entry(number, label(it), it.seat)));
    });
    for (const part of story.querySelectorAll("ol:empty")) part.parentNode.remove();
    story.append(entry(last(), revealed ? recording.result : "The end", null));
    byId("groups").hidden = headings.length < 2;
    byId("group").replaceChildren(...headings.map(([heading, number]) => new Option(heading, number)));
  };
  const lines = () => [...story.querySelectorAll("button")];
  const mark = () => {
    let current = null;
    for (const line of lines()) {
      line.removeAttribute("aria-current");
      line.tabIndex = -1;
      if (Number(line.dataset.frame) <= at) current = line;
    }
    (current ?? lines()[0]).tabIndex = 0;
    const group = [...byId("group").options].findLastIndex((it) => Number(it.value) <= at);
    byId("group").selectedIndex = Math.max(0, group);
    if (!current) return;
    current.setAttribute("aria-current", "step");
    const top = current.getBoundingClientRect().top - story.getBoundingClientRect().top;
    if (top < 40 || top + current.offsetHeight > story.clientHeight) story.scrollTop += top - story.clientHeight / 2;
  };
  const walk = (event) => {
    const all = lines();
    const here = all.indexOf(document.activeElement);
    const groups = [...story.querySelectorAll("li>ol")].map((it) => all.indexOf(it.querySelector("button")));
    const to = {
      ArrowUp: here - 1,
      ArrowDown: here + 1,
      PageUp: groups.findLast((it) => it < here) ?? 0,
      PageDown: groups.find((it) => it > here) ?? all.length - 1,
    }[event.key];
    if (to === undefined || here < 0) return;
    event.preventDefault();
    all[here].tabIndex = -1;
    const line = all[Math.max(0, Math.min(all.length - 1, to))];
    line.tabIndex = 0;
    line.focus();
  };
  const reveal = () => {
    if (revealed) return;
    revealed = true;
    document.body.classList.add("revealed");
    for (const it of document.querySelectorAll("details.told")) it.open = true;
    for (const seat of recording.won) document.querySelectorAll(".seated li")[seat]?.append(make("em", "won"));
    byId("reveal").hidden = true;
    const focused = lines().indexOf(document.activeElement);
    list();
    strip();
    mark();
    if (focused >= 0) lines()[focused].focus();
  };

  // The course of the match, and the strip, which is the slider: both have an axis of steps

  const goToPassage = (passage) => go(frameOf(passage));
  const frameOf = (passage) => track.frames.findLastIndex((frame) => frame.match <= passage);
  const outlook = recording.course.lines;
  const stand = (match) => outlook.map(([seats, values]) => (outlook.length === 1 ? "all" : seats.map((seat) => recording.names[seat]).join(", ")) + ": " + values[match].toFixed(2)).join(" · ");
  const filled = (holder, markup) => {
    holder.replaceChildren(...new DOMParser().parseFromString(markup, "text/html").body.childNodes);
    for (const line of holder.querySelectorAll("button")) line.addEventListener("click", () => goToPassage(Number(line.dataset.passage)));
  };
  filled(byId("turns"), recording.course.turning_points);
  const turns = [...byId("turns").querySelectorAll("button")].map(({ dataset }) => ({ seat: Number(dataset.seat), change: Number(dataset.change), frame: () => frameOf(Number(dataset.passage)) }));
  filled(byId("knew").querySelector("div"), recording.course.knew);
  const knew = [...byId("knew").querySelectorAll("[data-passage]")];
  const follow = ({ match }) => {
    if (byId("stand")) byId("stand").textContent = "At this step: " + stand(match);
    const now = knew.find((it) => Number(it.dataset.passage) >= match) ?? knew.at(-1);
    for (const it of knew) it.hidden = it !== now;
  };
  const drawnLine = (d, className) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("d", d);
    line.setAttribute("class", className);
    return line;
  };
  const strip = () => {
    const curve = byId("curve");
    curve.setAttribute("viewBox", "0 0 " + last() + " 100");
    const height = (value) => 100 - 100 * value;
    const curves = outlook.map(([seats, values]) => drawnLine("M" + track.frames.map((frame, x) => x + " " + height(values[frame.match])).join("L"), "outlook s" + (seats[0] % 6)));
    const points = turns.map((it) => drawnLine("M" + it.frame() + " 50h0", it.seat < 0 ? "turn luck" : "turn s" + (it.seat % 6)));
    curve.replaceChildren(drawnLine("M0 50H" + last(), "level"), ...(revealed ? [...curves, ...points] : []));
    const ticks = [...byId("group").options].map((option) => {
      const tick = make("span", /\d+$/.exec(option.text)?.[0] ?? "");
      tick.style.left = (100 * option.value) / last() + "%";
      return tick;
    });
    byId("ticks").replaceChildren(...ticks);
    let edge = -Infinity;
    for (const tick of ticks) {
      if (tick.offsetLeft < edge || tick.offsetLeft + tick.offsetWidth > byId("curve").clientWidth) tick.textContent = "";
      else if (tick.textContent) edge = tick.offsetLeft + tick.offsetWidth + 4;
    }
  };

  // The tabs, each with an address of its own

  const tabs = [...document.querySelectorAll("[role=tab]")];
  const nameOf = (tab) => tab.getAttribute("aria-controls");
  let open = tabs[0];
  const turnTo = (tab) => {
    open = tab;
    for (const it of tabs) {
      it.setAttribute("aria-selected", String(it === tab));
      it.tabIndex = it === tab ? 0 : -1;
      byId(nameOf(it)).hidden = it !== tab;
    }
  };
  byId("tab-knew").hidden = !recording.course.knew;
  byId("tab-deal").hidden = byId("deal").querySelector("details").children.length < 2;

  // Where one is

  const address = () => "#" + (track.viewer === null || recording.tracks.length === 1 ? "" : "seat-" + track.viewer + "-") + at + (open === tabs[0] ? "" : "-" + nameOf(open));
  const showStep = () => {
    const frame = track.frames[at];
    if (at === last()) reveal();
    hide();
    draw(frame);
    tell(frame);
    mark();
    listCards();
    follow(frame);
    byId("link").hidden = true;
    note();
  };
  const note = () => {
    // Some browsers refuse addresses that change too often. Meanwhile a link may have changed it, and is heard of later.
    const before = location.hash;
    clearTimeout(addressing);
    addressing = setTimeout(() => location.hash === before && history.replaceState(null, "", address()), 200);
  };
  const go = (to) => {
    at = Math.max(0, Math.min(last(), to));
    if (at === last()) stop();
    else if (timer) wait();
    showStep();
  };
  const see = (number) => {
    const match = track.frames[at].match;
    track = recording.tracks[number];
    at = Math.max(0, track.frames.findLastIndex((frame) => frame.match <= match));
    byId("slider").max = last();
    byId("viewer").value = number;
    list();
    strip();
    showStep();
  };
  const fromAddress = () => {
    const found = /^#(?:seat-(\d+)-)?(\d+)(?:-([a-z]+))?$/.exec(location.hash) ?? ["", undefined, "0"];
    const wanted = recording.tracks.findIndex((it) => String(it.viewer ?? "") === (found[1] ?? ""));
    if (wanted >= 0 && recording.tracks[wanted] !== track) see(wanted);
    turnTo(tabs.find((tab) => nameOf(tab) === found[3] && !tab.hidden) ?? tabs[0]);
    go(Number(found[2]));
  };
  const nextDecision = (way) => {
    let to = at + way;
    while (to > 0 && to < last() && !track.frames[to].asked.length) to += way;
    go(to);
  };
  const copy = async () => {
    const link = byId("link");
    link.value = location.href.split("#")[0] + address();
    try {
      await navigator.clipboard.writeText(link.value);
      byId("copy").textContent = "Copied";
      setTimeout(() => { byId("copy").textContent = "Share"; }, 2000);
    } catch {
      // Without the right to copy, the page shows the link.
      link.hidden = false;
      link.select();
    }
  };

  // Playing: what happens passes at half the time of a decision, and a long sentence takes longer to read.

  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    byId("play").setAttribute("aria-pressed", "false");
  };
  const wait = () => {
    const { asked, event } = track.frames[at];
    const length = event < 0 ? 0 : recording.words[event].length;
    clearTimeout(timer);
    timer = setTimeout(() => go(at + 1), Number(byId("speed").value) * ((asked.length ? 1 : 0.5) + Math.max(0, length - 60) / 120));
  };
  const start = () => {
    if (at === last()) at = 0;
    wait();
    byId("play").setAttribute("aria-pressed", "true");
    showStep();
  };
  const toggle = () => (timer ? stop() : start());

  const keys = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    "Shift+ArrowLeft": () => nextDecision(-1),
    "Shift+ArrowRight": () => nextDecision(1),
    Home: () => go(0),
    End: () => go(last()),
    " ": toggle,
    Escape: hide,
  };
  document.addEventListener("keydown", (event) => {
    const act = keys[(event.shiftKey ? "Shift+" : "") + event.key];
    const own = event.key === " " ? "button,summary,select,input,a" : "select,input";
    if (!act || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(own)) return;
    event.preventDefault();
    act();
  });
  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(at - 1));
  byId("play").addEventListener("click", toggle);
  byId("on").addEventListener("click", () => go(at + 1));
  byId("last").addEventListener("click", () => go(last()));
  byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("speed").addEventListener("change", () => timer && wait());
  byId("viewer").addEventListener("change", (event) => see(Number(event.target.value)));
  byId("group").addEventListener("change", (event) => go(Number(event.target.value)));
  byId("copy").addEventListener("click", copy);
  byId("reveal").addEventListener("click", reveal);
  for (const it of document.querySelectorAll("details.told")) it.addEventListener("toggle", () => it.open && reveal());
  for (const tab of tabs) tab.addEventListener("click", () => { turnTo(tab); note(); });
  tabs[0].parentNode.addEventListener("keydown", (event) => {
    const there = tabs.filter((tab) => !tab.hidden);
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const to = there[(there.indexOf(open) + way + there.length) % there.length];
    to.click();
    to.focus();
  });
  story.addEventListener("keydown", walk);
  byId("board").addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(event));
  byId("board").addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  document.addEventListener("click", point);
  addEventListener("hashchange", fromAddress);
  addEventListener("resize", () => { fit(); strip(); });

  recording.viewers.forEach((name, number) => byId("viewer").append(new Option(name, number)));
  byId("viewers").hidden = recording.tracks.length === 1;
  byId("slider").max = last();
  byId("cards").hidden = !stock.querySelector("[data-card]");
  list();
  strip();
  const asksToPlay = location.hash === "#play";
  fromAddress();
  if (asksToPlay) start();
};

document.body.classList.add("replaying");
unpacked(document.getElementById("recording")).then(show, (error) => {
  document.getElementById("sentence").textContent = error.message.startsWith("Too many") ? error.message : "The replay cannot be shown. Load this page again, or use a newer browser.";
});
