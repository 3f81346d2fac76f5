// Shows one seat of a table. All words become text; the only markup is that of the picture, which the server draws.
(() => {
  const byId = (id) => document.getElementById(id);
  const table = byId("table");
  const at = table.dataset.at;
  const say = {
    waiting: "Waiting for the others.",
    void: "The match does not count.",
    over: "The match is over.",
    yours: "It is your decision.",
    others: "Waiting for the others.",
    lost: "The connection is lost. Trying again.",
    picture: "The picture is that of your last decision; the replay has the end.",
    nothing: "Nothing is asked of you now.",
    own: (words) => "You chose: " + words,
    chose: (words) => "You chose: " + words + ". Waiting for the others.",
    legal: (count, all) => (count === all ? count + (all === 1 ? " action is possible" : " actions are possible") : count + " of " + all + " actions"),
    choose: (words) => (words ? "Choose: " + words : "Choose"),
    invite: (seat) => "Give this address to the person for seat " + seat + ":",
    seat: (name, own) => (own ? name + " (you)" : name === "~" ? "a person is awaited" : name),
    left: (time) => time + " left",
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

  let board = null;
  let now = null; // the last message
  let wanted = null; // the actions that the picked parts leave, or null for all
  let due = 0; // when the time is over

  // The board

  const draw = (shown) => {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const before = board ? whereabouts(board) : new Map();
    if (shown.board) {
      board = drawn(shown.board).firstElementChild;
      const box = board.viewBox.baseVal;
      byId("board").style.setProperty("--shape", String(box.width / box.height));
      byId("board").replaceChildren(board);
    }
    if (!board) return;
    for (const [name, markup] of Object.entries(shown.layers)) {
      board.querySelector('[data-layer="' + name + '"]').replaceChildren(...drawn(markup).children);
    }
    veil(shown.barred);
    if (!calm) glide(board, before);
  };
  const veil = (barred) => {
    board.querySelector(".veils")?.remove();
    const veils = document.createElementNS(SVG, "g");
    veils.setAttribute("class", "veils");
    for (const bar of barred) {
      if (!bar.box) continue;
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
    }
    board.append(veils);
  };

  // Choosing: each click on the board leaves fewer actions; the list shows which

  const REACH = 12;
  const within = (box, x, y) => {
    const wide = Math.max(REACH, box.width / 2);
    const high = Math.max(REACH, box.height / 2);
    return Math.abs(x - box.x - box.width / 2) <= wide && Math.abs(y - box.y - box.height / 2) <= high;
  };
  const actionsOf = (part) => part.dataset.actions.split(" ").map(Number);
  const pick = (event) => {
    if (!now || !now.decision || now.chose || !board) return;
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
    radio.scrollIntoView({ block: "nearest" });
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
    mark();
    ready();
  };
  const ask = (shown) => {
    const open = shown.decision > 0 && !shown.chose;
    if (byId("choice").contains(document.activeElement)) byId("asked-title").focus();
    byId("choice").hidden = !open;
    byId("quiet").hidden = open;
    byId("quiet").textContent = shown.chose ? say.chose(shown.chose) : say.nothing;
    byId("barred-of").hidden = !open || !shown.barred.length;
    byId("barred").replaceChildren(...shown.barred.map((bar) => make("li", capital(bar.words))));
    byId("trouble").hidden = true;
    wanted = null;
    byId("actions").replaceChildren();
    if (open) list();
    else mark();
  };
  const choose = async () => {
    const radio = chosen();
    if (!radio || !now) return;
    const index = Number(radio.value);
    byId("choose").disabled = true;
    try {
      const answer = await fetch(at + "/choices", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ decision: now.decision, index }),
      });
      if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).why); // a proxy answers with a page of its own
    } catch (error) {
      byId("trouble").textContent = error.message || say.refused;
      byId("trouble").hidden = false;
      ready();
    }
  };

  // Messages

  const line = (text, className) => {
    const story = byId("story");
    story.append(make("li", capital(text), className));
    story.scrollTop = story.scrollHeight;
  };
  const told = (shown) => {
    shown.heard.forEach((it) => line(it));
    if (shown.chose) line(say.own(shown.chose), "own");
    if (shown.result) line(shown.result, "result");
  };
  const setting = (it) => {
    byId("seats").replaceChildren(...it.seats.map((name, seat) => make("li", say.seat(name, seat === it.seat), seat === it.seat ? "own" : "")));
    byId("invitations").replaceChildren(
      ...it.invitations.flatMap(([seat, invitation]) => [make("p", say.invite(seat)), make("code", new URL(table.dataset.join + "/" + invitation, location.href).href, "link")]),
    );
    const ended = it.course === "over" || it.course === "void";
    byId("after").hidden = it.course !== "over";
    if (ended) {
      byId("state").textContent = it.why ? capital(it.why) + "." : say[it.course];
      byId("choice").hidden = true;
      byId("quiet").hidden = false;
      byId("quiet").textContent = say.nothing;
      if (it.course === "void") byId("sentence").textContent = say.void;
    } else {
      byId("state").textContent = it.course === "waiting" ? say.waiting : now && now.decision && !now.chose ? say.yours : say.others;
    }
    document.title = byId("state").textContent;
    return ended;
  };
  const tick = () => {
    byId("clock").hidden = !due;
    if (!due) return;
    const left = Math.max(0, Math.ceil((due - performance.now()) / 1000));
    byId("clock").textContent = say.left(Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0"));
  };

  const hear = (news) => {
    if (news.first === 0) {
      byId("story").replaceChildren();
      now = null;
    }
    const own = now && now.decision && news.chose && !now.chose;
    if (own) {
      now.chose = news.chose;
      line(say.own(news.chose), "own");
    }
    for (const shown of news.shown) told(shown);
    const last = news.shown[news.shown.length - 1];
    if (last) {
      now = last;
      draw(last);
      const heard = (last.result && last.result + " " + say.picture) || last.heard.slice(-2).map(capital).join(". ");
      byId("sentence").textContent = heard || (last.decision ? say.yours : say.others);
      if (last.lines.length) byId("lines").textContent = last.lines.join("\n");
      ask(last);
    } else if (own) {
      ask(now);
    }
    due = news.left_ms === null ? 0 : performance.now() + news.left_ms;
    tick();
    return setting(news.setting);
  };
  const follow = () => {
    const source = new EventSource(at + "/news");
    source.addEventListener("news", (event) => {
      if (hear(JSON.parse(event.data))) source.close();
    });
    source.addEventListener("closed", (event) => {
      source.close();
      byId("state").textContent = capital(JSON.parse(event.data).why) + ".";
      byId("choice").hidden = true;
      due = 0;
      tick();
    });
    source.addEventListener("error", () => {
      byId("state").textContent = say.lost;
      // A browser gives up after an answer such as 502, which a proxy sends while the server starts.
      if (source.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
    });
  };

  byId("board").addEventListener("click", pick);
  byId("actions").addEventListener("change", ready);
  byId("all").addEventListener("click", () => {
    wanted = null;
    list();
  });
  byId("choice").addEventListener("submit", (event) => {
    event.preventDefault();
    choose();
  });
  setInterval(tick, 250);
  follow();
})();
