// Steps through a recording. All words come out of the recording as text; the only markup is that of the parts of pictures.
const unpacked = async () => {
  const letters = atob(document.getElementById("recording").textContent);
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};

const show = (recording) => {
  const decision = ([seat, number, legal, chosen, us, left_ms, note]) => ({ seat, number, legal, chosen, us, left_ms, note });
  const frame = ([match, layers, events, lines, asked]) => ({ match, layers, events, lines, asked: asked.map(decision) });
  for (const track of recording.tracks) track.frames = track.frames.map(frame);
  const byId = (id) => document.getElementById(id);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${recording.parts.join("")}</svg>`;
  const stock = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement.children;
  const board = byId("board").querySelector("svg");
  const places = [...board.querySelectorAll("[data-layer]")];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let track = recording.tracks[0];
  let at = 0;
  let timer = 0;
  let addressing = 0;
  let drawn = [];

  const words = (list) => recording.lists[list].map((word) => recording.words[word]);
  const make = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const marked = (seat) => {
    const shape = byId("mark-" + seat).cloneNode(true);
    shape.removeAttribute("id");
    return shape;
  };

  // The board

  const draw = (frame) => {
    const before = whereabouts(board);
    frame.layers.forEach((layer, place) => {
      if (drawn[place] !== layer) places[place].replaceChildren(...recording.layers[layer].map((part) => document.importNode(stock[part], true)));
    });
    drawn = frame.layers;
    if (!calm.matches) glide(board, before);
  };

  // What is said beside it

  const seconds = (us) => (us < 1000 ? us + " µs" : us < 1e6 ? (us / 1000).toFixed(1) + " ms" : (us / 1e6).toFixed(2) + " s");
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const tell = (frame) => {
    const events = words(frame.events);
    const shown = events.length ? events : [at ? "Nothing more is heard" : "Before the match"];
    const end = at === track.frames.length - 1 ? " " + recording.result + "." : "";
    byId("sentence").textContent = capital(shown.slice(0, 2).join("; ")) + "." + end;
    byId("more").replaceChildren(...shown.slice(2).map((it) => make("li", capital(it))));
    byId("more").hidden = shown.length < 3;
    byId("lines").textContent = words(frame.lines).join("\n");
    byId("count").textContent = at + " / " + (track.frames.length - 1);
    byId("slider").value = at;
    byId("slider").setAttribute("aria-valuetext", "Step " + at + " of " + (track.frames.length - 1));
    byId("asked").replaceChildren(...(frame.asked.length ? frame.asked.map(asked) : [make("p", "Nothing is to be decided here.", "soft")]));
  };
  const asked = (it) => {
    const block = make("div");
    const legal = words(it.legal);
    const head = make("p");
    const answer = it.chosen < 0 ? "fails" : "chooses: " + legal[it.chosen];
    head.append(marked(it.seat), "Seat " + it.seat + " " + answer);
    const time = make("p", seconds(it.us) + " of " + seconds(it.left_ms * 1000), "soft");
    const all = make("details");
    all.open = legal.length <= 12;
    const list = make("ol");
    list.append(...legal.map((action, index) => make("li", action, index === it.chosen ? "pick" : "")));
    all.append(make("summary", legal.length === 1 ? "1 action was legal" : legal.length + " actions were legal"), list);
    block.append(head, time, ...it.note.map((line) => make("p", line, "soft")), all);
    return block;
  };

  // The list of decisions

  const story = byId("story");
  const entry = (frame, label, seat) => {
    const line = make("button");
    const words = make("span");
    if (seat !== null) words.append(make("span", "Seat " + seat + " ", "unseen"));
    words.append(label);
    line.type = "button";
    line.dataset.frame = frame;
    line.append(make("span", String(frame), "at"), seat === null ? make("span") : marked(seat), words);
    line.addEventListener("click", () => go(frame));
    const item = make("li");
    item.append(line);
    return item;
  };
  const list = () => {
    const items = [];
    track.frames.forEach((frame, number) => {
      for (const it of frame.asked) {
        items.push(entry(number, it.chosen < 0 ? "fails" : words(it.legal)[it.chosen], it.seat));
      }
    });
    items.push(entry(track.frames.length - 1, recording.result, null));
    story.replaceChildren(...items);
  };
  const point = () => {
    let last = null;
    for (const line of story.querySelectorAll("button")) {
      line.removeAttribute("aria-current");
      if (Number(line.dataset.frame) <= at) last = line;
    }
    if (!last) return;
    last.setAttribute("aria-current", "step");
    const box = last.parentNode;
    if (box.offsetTop < story.scrollTop || box.offsetTop + box.offsetHeight > story.scrollTop + story.clientHeight) {
      story.scrollTop = box.offsetTop - story.clientHeight / 2;
    }
  };

  // Where one is

  const address = () => "#" + (track.viewer === null || recording.tracks.length === 1 ? "" : "seat-" + track.viewer + "-") + at;
  const showStep = () => {
    const frame = track.frames[at];
    draw(frame);
    tell(frame);
    point();
    // Some browsers refuse addresses that change too often.
    clearTimeout(addressing);
    addressing = setTimeout(() => history.replaceState(null, "", address()), 200);
  };
  const go = (to) => {
    at = Math.max(0, Math.min(track.frames.length - 1, to));
    if (at === track.frames.length - 1) stop();
    showStep();
  };
  const see = (number) => {
    const match = track.frames[at].match;
    track = recording.tracks[number];
    at = Math.max(0, track.frames.findLastIndex((frame) => frame.match <= match));
    byId("slider").max = track.frames.length - 1;
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
    while (to > 0 && to < track.frames.length - 1 && !track.frames[to].asked.length) to += way;
    go(to);
  };

  // Playing

  const stop = () => {
    clearInterval(timer);
    timer = 0;
    byId("play").setAttribute("aria-pressed", "false");
  };
  const start = () => {
    if (at === track.frames.length - 1) at = 0;
    clearInterval(timer);
    timer = setInterval(() => go(at + 1), Number(byId("speed").value));
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
    End: () => go(track.frames.length - 1),
    " ": toggle,
  };
  document.addEventListener("keydown", (event) => {
    const act = keys[(event.shiftKey ? "Shift+" : "") + event.key];
    const own = event.key === " " ? "button,summary,select,input" : "select,input";
    if (!act || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(own)) return;
    event.preventDefault();
    act();
  });
  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(at - 1));
  byId("play").addEventListener("click", toggle);
  byId("on").addEventListener("click", () => go(at + 1));
  byId("last").addEventListener("click", () => go(track.frames.length - 1));
  byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("speed").addEventListener("change", () => timer && start());
  byId("viewer").addEventListener("change", (event) => see(Number(event.target.value)));
  addEventListener("hashchange", fromAddress);

  recording.tracks.forEach((it, number) => {
    const option = make("option", it.name);
    option.value = number;
    byId("viewer").append(option);
  });
  byId("viewers").hidden = recording.tracks.length === 1;
  byId("slider").max = track.frames.length - 1;
  list();
  fromAddress();
};

unpacked().then(show, () => {
  document.getElementById("sentence").textContent = "This browser cannot unpack the match. A newer one can.";
});
