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
  const board = byId("board").querySelector("svg");
  const places = [...board.querySelectorAll("[data-layer]")];
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
    const before = calm.matches ? null : whereabouts(board);
    frame.layers.forEach((layer, place) => {
      if (drawn[place] !== layer) places[place].replaceChildren(...recording.layers[layer].map((part) => document.importNode(parts[part], true)));
    });
    drawn = frame.layers;
    if (before) glide(board, before);
  };
  const fit = () => {
    const { width, height } = board.viewBox.baseVal;
    const stage = byId("board").parentNode;
    const deck = document.querySelector(".deck").offsetHeight;
    const above = Math.min(stage.getBoundingClientRect().top + scrollY, innerHeight / 4);
    const style = document.body.style;
    style.setProperty("--shape", width / height);
    style.setProperty("--deck", deck + 16 + "px");
    style.setProperty("--around", above + deck + 32 + "px");
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
    byId("sentence").textContent = (recording.names.some((name) => event.startsWith(name)) ? event : capital(event)) + "." + (at === last() ? " " + recording.result + "." : "");
    byId("lines").textContent = words(frame.lines).join("\n");
    byId("count").textContent = at + " / " + last();
    byId("slider").value = at;
    byId("slider").setAttribute("aria-valuetext", "Step " + at + " of " + last());
    byId("asked").replaceChildren(...(frame.asked.length ? frame.asked.map(asked) : [make("p", "Nothing is to be decided here.", "soft")]));
  };
  const asked = (it) => {
    const block = make("div");
    const legal = words(it.legal);
    const head = make("p");
    const answer = it.chosen < 0 ? "fails" : "chooses: " + legal[it.chosen];
    head.append(marked(it.seat), recording.names[it.seat] + " " + answer);
    const time = make("p", seconds(it.us) + " of " + seconds(it.left_ms * 1000), "soft");
    const all = make("details");
    all.open = legal.length <= 12;
    const list = make("ol");
    list.append(...legal.map((action, index) => make("li", action, index === it.chosen ? "pick" : "")));
    all.append(make("summary", legal.length === 1 ? "1 action was legal" : legal.length + " actions were legal"), list);
    block.append(head, time, ...it.note.map((line) => make("p", line, "soft")), all);
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
        part.append(make("h3", recording.words[group]), items);
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
    byId("result").open = true;
    course.hidden = !recording.course;
    const focused = lines().indexOf(document.activeElement);
    list();
    if (focused >= 0) lines()[focused].focus();
  };

  // The course of the match

  const course = byId("course");
  course.lastElementChild.replaceChildren(...new DOMParser().parseFromString(recording.course, "text/html").body.childNodes);
  const moves = course.querySelector("input");
  const stand = () => {
    const { match } = track.frames[at];
    moves.value = match;
    moves.setAttribute("aria-valuetext", recording.stand[match]);
    byId("stand").textContent = "At this step: " + recording.stand[match];
  };
  const goToPassage = (passage) => go(track.frames.findLastIndex((frame) => frame.match <= passage));

  // Where one is

  const address = () => "#" + (track.viewer === null || recording.tracks.length === 1 ? "" : "seat-" + track.viewer + "-") + at;
  const showStep = () => {
    const frame = track.frames[at];
    if (at === last()) reveal();
    hide();
    draw(frame);
    tell(frame);
    mark();
    listCards();
    if (moves) stand();
    byId("link").hidden = true;
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
    showStep();
  };
  const fromAddress = () => {
    const found = /^#(?:seat-(\d+)-)?(\d+)$/.exec(location.hash) ?? ["", undefined, "0"];
    const wanted = recording.tracks.findIndex((it) => String(it.viewer ?? "") === (found[1] ?? ""));
    if (wanted >= 0 && recording.tracks[wanted] !== track) see(wanted);
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
      setTimeout(() => { byId("copy").textContent = "Copy a link to this step"; }, 2000);
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
  byId("result").addEventListener("toggle", () => byId("result").open && reveal());
  moves?.addEventListener("input", () => goToPassage(Number(moves.value)));
  for (const line of course.querySelectorAll("button")) line.addEventListener("click", () => goToPassage(Number(line.dataset.passage)));
  story.addEventListener("keydown", walk);
  board.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(event));
  board.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  document.addEventListener("click", point);
  addEventListener("hashchange", fromAddress);
  addEventListener("resize", fit);

  recording.viewers.forEach((name, number) => byId("viewer").append(new Option(name, number)));
  byId("viewers").hidden = recording.tracks.length === 1;
  byId("slider").max = last();
  byId("cards").hidden = !stock.querySelector("[data-card]");
  fit();
  list();
  const asksToPlay = location.hash === "#play";
  fromAddress();
  if (asksToPlay) start();
};

document.body.classList.add("replaying");
unpacked(document.getElementById("recording")).then(show, (error) => {
  document.getElementById("sentence").textContent = error.message.startsWith("Too many") ? error.message : "The replay cannot be shown. Load this page again, or use a newer browser.";
});
