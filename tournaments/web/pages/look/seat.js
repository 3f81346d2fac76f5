// Shows one seat of a table. All words become text; the only markup is that of the picture, which the server draws.
(() => {
  const byId = (id) => document.getElementById(id);
  const table = byId("table");
  const at = table.dataset.at;
  const PACE_MS = 900; // how long each event of several is shown
  const AGAIN_MS = 3000; // how long to wait before another try to connect
  const SILENCE_MS = 40000; // the server gives a sign of life every 15 seconds
  const say = {
    waiting: "Waiting for the others to take their seats.",
    void: "The match does not count.",
    over: "The match is over.",
    yours: "It is your decision.",
    happens: "See what has happened.",
    others: "Waiting for the others.",
    ended: "Your time is up.",
    lost: (asked) => "The connection is lost. This page tries again by itself; " + (asked ? "your clock goes on." : "the match goes on."),
    unsent: "Your choice has not arrived: there is no connection. The page sends it as soon as there is one.",
    nothing: "Nothing is asked of you now.",
    title: (isOut) => (isOut ? "The result" : "Your decision"),
    own: (words) => "You chose: " + words,
    chose: (words) => "You chose: " + words + ". Waiting for the others.",
    legal: (count, all) => (count === all ? count + (all === 1 ? " action is possible" : " actions are possible") : count + " of " + all + " actions"),
    choose: (words) => (words ? "Choose: " + words : "Choose"),
    invite: (seat) => "Give this address to the person for seat " + (seat + 1) + ":",
    seat: (name, own) => (own ? name + " (you)" : name === "~" ? "a person is awaited" : name),
    left: (time) => time + " left",
    hurry: (seconds) => "Only " + seconds + (seconds === 1 ? " second" : " seconds") + " left to choose. When the time is over, you lose.",
    soon: (seconds) => "Only " + seconds + " s left",
    refused: "That could not be chosen.",
  };
  const make = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const drawn = (markup) => document.importNode(new DOMParser().parseFromString('<svg xmlns="http://www.w3.org/2000/svg">' + markup + "</svg>", "image/svg+xml").documentElement, true);
  const SVG = "http://www.w3.org/2000/svg";

  let boards = []; // the picture in each of its shapes
  let board = null;
  let now = null; // the last message
  let wanted = null; // the actions that the picked parts leave, or null for all
  let unsent = null; // a choice that has not reached the server
  let playing = null; // the events that are still to be shown, and what to do after them

  // The board

  const redraw = (layers) => {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const before = whereabouts(board);
    for (const [name, markup] of Object.entries(layers)) {
      board.querySelector('[data-layer="' + name + '"]').replaceChildren(...drawn(markup).children);
    }
    if (!calm) glide(board, before);
  };
  const replace = (markup) => {
    boards = [...drawn(markup).children];
    board = null;
    fit();
  };
  const fit = () => {
    const fresh = suited(boards);
    if (!fresh || fresh === board) return;
    for (const layer of board?.querySelectorAll("[data-layer]") ?? []) {
      fresh.querySelector('[data-layer="' + layer.dataset.layer + '"]').replaceChildren(...layer.childNodes);
    }
    board = fresh;
    byId("board").replaceChildren(board);
  };
  const veil = (barred) => {
    for (const it of board?.querySelectorAll(".veils") ?? []) it.remove();
    if (!board) return;
    for (const bar of barred) {
      if (!bar.box) continue;
      const veils = document.createElementNS(SVG, "g");
      veils.setAttribute("class", "veils");
      const group = document.createElementNS(SVG, "g");
      const title = document.createElementNS(SVG, "title");
      title.textContent = "Not possible: " + bar.words;
      group.append(title);
      for (const look of ["veil", "edge"]) {
        const rect = document.createElementNS(SVG, "rect");
        ["x", "y", "width", "height"].forEach((name, place) => rect.setAttribute(name, bar.box[place]));
        rect.setAttribute("rx", 5);
        rect.setAttribute("class", look);
        group.append(rect);
      }
      veils.append(group);
      (board.querySelector('[data-layer="' + bar.layer + '"]') ?? board).append(veils);
    }
  };

  // Events one after the other. Nobody has to wait for them: choosing is possible at once, and a click skips them.

  const play = (frames, after) => {
    playing = { frames, after, timer: 0 };
    byId("skip").hidden = frames.length < 2;
    step();
  };
  const step = () => {
    const frame = playing.frames.shift();
    if (!frame) return finish();
    showFrame(frame);
    playing.timer = setTimeout(step, playing.frames.length ? PACE_MS : 0);
  };
  const showFrame = (frame) => {
    redraw(frame.layers);
    if (!frame.words) return;
    line(frame.words);
    byId("sentence").textContent = frame.words + ".";
  };
  const skip = () => {
    if (!playing) return;
    clearTimeout(playing.timer);
    playing.frames.forEach(showFrame);
    finish();
  };
  const finish = () => {
    const { after } = playing;
    playing = null;
    byId("skip").hidden = true;
    after();
  };

  // Choosing: each click on the board leaves fewer actions; the list shows which

  const REACH = 12;
  const within = (box, x, y) => {
    const wide = Math.max(REACH, box.width / 2);
    const high = Math.max(REACH, box.height / 2);
    return Math.abs(x - box.x - box.width / 2) <= wide && Math.abs(y - box.y - box.height / 2) <= high;
  };
  const isAsked = () => now !== null && now.decision > 0 && !now.chose;
  const actionsOf = (part) => part.dataset.actions.split(" ").map(Number);
  const pick = (event) => {
    if (playing) return skip();
    if (!isAsked() || !board || byId("choice").hidden) return;
    const hit = [...board.querySelectorAll("[data-actions]")].filter((part) => within(part.getBoundingClientRect(), event.clientX, event.clientY));
    if (!hit.length) return;
    const here = new Set(hit.flatMap(actionsOf));
    const both = (wanted ?? [...here]).filter((index) => here.has(index));
    wanted = both.length ? both : [...here].sort((a, b) => a - b);
    list();
    if (wanted.length === 1) select(wanted[0]);
  };
  const mark = () => {
    if (!board) return;
    for (const part of board.querySelectorAll("[data-actions]")) {
      const left = wanted !== null && actionsOf(part).some((index) => wanted.includes(index));
      part.classList.toggle("picked", left);
    }
  };
  const select = (index) => {
    const radio = byId("actions").querySelector('input[value="' + index + '"]');
    if (!radio) return;
    radio.checked = true;
    byId("actions").scrollTop = radio.parentElement.offsetTop - byId("actions").offsetTop;
    ready();
  };
  const chosen = () => byId("actions").querySelector("input:checked");
  const ready = () => {
    const radio = chosen();
    byId("choose").disabled = !radio;
    byId("choose").textContent = say.choose(radio ? now.legal[Number(radio.value)] : "");
  };
  const list = () => {
    const before = chosen()?.value;
    const shown = wanted ?? now.legal.map((_, index) => index);
    byId("count").textContent = say.legal(shown.length, now.legal.length);
    byId("actions").replaceChildren(
      ...shown.map((index) => {
        const label = make("label");
        const radio = make("input");
        radio.type = "radio";
        radio.name = "action";
        radio.value = index;
        radio.checked = String(index) === before;
        label.append(radio, make("span", capital(now.legal[index])));
        return label;
      }),
    );
    byId("all").hidden = wanted === null;
    byId("choice").classList.toggle("narrowed", wanted !== null);
    mark();
    ready();
  };
  const trouble = (words) => {
    byId("trouble").textContent = words;
    byId("trouble").hidden = !words;
  };
  const ask = (shown) => {
    const open = shown.decision > 0 && !shown.chose;
    if (byId("choice").contains(document.activeElement)) byId("asked-title").focus();
    byId("choice").hidden = !open;
    byId("quiet").hidden = open;
    byId("quiet").textContent = shown.chose ? say.chose(shown.chose) : say.nothing;
    byId("barred-of").hidden = !open || !shown.barred.length;
    byId("barred").replaceChildren(...shown.barred.map((bar) => make("li", capital(bar.words))));
    trouble("");
    wanted = null;
    byId("actions").replaceChildren();
    if (open) list();
    else mark();
  };
  const send = async (choice) => {
    byId("choose").disabled = true;
    try {
      const answer = await fetch(at + "/choices", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(choice),
      });
      unsent = null;
      if (answer.ok) return;
      trouble((await answer.json().catch(() => ({}))).detail || say.refused); // a proxy answers with a page of its own
    } catch {
      unsent = choice;
      trouble(say.unsent);
    }
    if (isAsked()) ready();
  };
  const choose = () => {
    const radio = chosen();
    if (radio && isAsked()) send({ decision: now.decision, index: Number(radio.value) });
  };

  // The clock

  let due = 0; // when the time is over
  let limits = []; // when to warn: each once for a decision
  let isOut = false; // whether the match is over, or the table closed
  const tick = () => {
    byId("clock").hidden = !due;
    if (!due) return;
    const left = Math.max(0, due - performance.now());
    const seconds = Math.ceil(left / 1000);
    byId("clock").textContent = say.left(Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0"));
    while (limits.length && left <= limits[0]) {
      limits.shift();
      byId("hurry").textContent = say.hurry(seconds);
      byId("hurry").hidden = false;
      byId("clock").classList.add("short");
      document.title = say.soon(seconds);
    }
    if (!left) state(say.ended);
  };
  const wind = (left_ms, move_ms, isSame) => {
    due = left_ms === null ? 0 : performance.now() + left_ms;
    if (!isSame || !due) {
      // Also a short clock has time before the first warning.
      limits = [Math.min(60000, move_ms / 2), Math.min(10000, move_ms / 6)];
      byId("hurry").hidden = true;
      byId("clock").classList.remove("short");
    }
    tick();
  };

  // Messages

  const line = (text, className) => {
    const story = byId("story");
    story.append(make("li", text, className));
    story.scrollTop = story.scrollHeight;
  };
  const state = (words) => {
    if (byId("state").textContent === words) return;
    byId("state").textContent = words;
    document.title = words;
  };
  const setting = (it) => {
    byId("seats").replaceChildren(...it.seats.map((name, seat) => make("li", say.seat(name, seat === it.seat), seat === it.seat ? "own" : "")));
    byId("invitations").replaceChildren(
      ...it.invitations.flatMap(([seat, invitation]) => [make("p", say.invite(seat)), make("code", new URL(table.dataset.join + "/" + invitation, location.href).href, "link")]),
    );
    const isVoid = it.phase === "void";
    isOut = it.phase === "over" || isVoid;
    byId("asked-title").textContent = say.title(isOut);
    if (!isOut) {
      state(it.phase === "waiting" ? say.waiting : playing ? say.happens : isAsked() ? say.yours : say.others);
    } else {
      byId("choice").hidden = true;
      byId("quiet").hidden = false;
      if (isVoid || !now?.result) tellEnd(it.why ? capital(it.why) + "." : say[it.phase]);
      if (isVoid) byId("sentence").textContent = say.void;
    }
    if (!isOut || isVoid) byId("after").hidden = !isVoid;
    byId("replay").hidden = byId("transcript").hidden = isVoid;
    byId("share").hidden = !it.match;
    byId("share").href = byId("share").getAttribute("href").replace(/[^/]*$/, it.match ?? "");
  };
  const tellEnd = (words) => {
    state(words);
    byId("quiet").textContent = words;
  };
  const settled = (shown) => {
    // What is true once all events of a message have been seen.
    veil(shown.barred);
    mark();
    if (!isOut && byId("state").textContent === say.happens) state(isAsked() ? say.yours : say.others);
    if (shown.result) {
      line(shown.result, "result");
      tellEnd(shown.result);
      byId("state").classList.add("result");
      byId("sentence").textContent = shown.result;
      byId("after").hidden = false;
    } else if (!shown.heard.length) {
      byId("sentence").textContent = shown.decision ? say.yours : say.others;
    }
  };
  const show = (shown) => {
    const { heard, steps, layers } = shown;
    const words = steps.length ? heard : [];
    if (!steps.length) heard.forEach((it) => line(it));
    if (shown.chose) line(say.own(shown.chose), "own");
    if (shown.board) replace(shown.board);
    if (!board) return settled(shown);
    veil([]);
    if (!steps.length && heard.length) byId("sentence").textContent = heard.at(-1) + ".";
    const pictures = [...steps, layers];
    play(
      pictures.map((it, number) => ({ layers: it, words: words[number] })),
      () => settled(shown),
    );
  };
  const hear = (news) => {
    skip();
    const kept = { decision: now?.decision, index: chosen()?.value, wanted };
    const asked = isAsked() ? now.decision : 0;
    if (news.first === 0) {
      byId("story").replaceChildren();
      now = null;
    }
    const own = isAsked() && news.chose;
    if (own) {
      now.chose = news.chose;
      line(say.own(news.chose), "own");
    }
    const last = news.shown[news.shown.length - 1];
    for (const shown of news.shown.slice(0, -1)) {
      shown.heard.forEach((it) => line(it));
      if (shown.chose) line(say.own(shown.chose), "own");
    }
    if (last) {
      now = last;
      if (last.lines.length) byId("lines").textContent = last.lines.join("\n");
      ask(last);
      if (isAsked() && last.decision === kept.decision && !byId("choice").hidden) {
        wanted = kept.wanted;
        list();
        if (kept.index !== undefined) select(Number(kept.index));
      }
      show(last);
    } else if (own) {
      ask(now);
    }
    wind(news.left_ms, news.setting.move_ms, isAsked() && now.decision === asked);
    setting(news.setting);
    if (unsent && isAsked() && unsent.decision === now.decision) send(unsent);
    else unsent = null;
    return isOut && (now?.result || news.setting.phase === "void");
  };

  // The connection

  let source = null;
  let heardAt = 0;
  let again = 0; // the timer of the next try
  const lost = () => {
    if (isOut) return;
    state(say.lost(isAsked()));
  };
  const retry = () => {
    source?.close();
    source = null;
    lost();
    clearTimeout(again);
    again = setTimeout(follow, AGAIN_MS);
  };
  const follow = () => {
    clearTimeout(again);
    source?.close();
    const mine = (source = new EventSource(at + "/news"));
    heardAt = performance.now();
    const alive = () => (heardAt = performance.now());
    mine.addEventListener("open", alive);
    mine.addEventListener("beat", alive);
    mine.addEventListener("news", (event) => {
      alive();
      if (hear(JSON.parse(event.data))) close();
    });
    mine.addEventListener("closed", (event) => {
      close();
      state(capital(JSON.parse(event.data).why) + ".");
      isOut = true;
      byId("choice").hidden = true;
      due = 0;
      tick();
    });
    // A browser gives up after an answer such as 502, which a proxy sends while the server starts.
    mine.addEventListener("error", () => (mine.readyState === EventSource.CLOSED ? retry() : lost()));
  };
  const close = () => {
    source?.close();
    source = null;
  };

  byId("board").addEventListener("click", pick);
  byId("skip").addEventListener("click", skip);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") skip();
  });
  byId("actions").addEventListener("change", ready);
  byId("all").addEventListener("click", () => {
    wanted = null;
    list();
  });
  byId("choice").addEventListener("submit", (event) => {
    event.preventDefault();
    choose();
  });
  addEventListener("resize", fit);
  addEventListener("offline", lost);
  addEventListener("online", () => isOut || follow());
  setInterval(tick, 250);
  setInterval(() => source && performance.now() - heardAt > SILENCE_MS && retry(), 1000);
  follow();
})();
