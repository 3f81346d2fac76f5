"use strict";
// Shows times in the reader's time zone, and renews pages of a running league. All content is readable without it.
(() => {
  const REST_MS = 2000;
  const RENEW_MS = 5000;
  const zone = new Intl.DateTimeFormat(undefined, {
    year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
  });

  function tellTimes(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
      time.title = time.textContent;
      time.textContent = zone.format(new Date(time.dateTime));
    }
  }

  // A part with text that the reader has selected stays as it is, until nothing is selected any more.
  const selects = (part) => {
    const selection = document.getSelection();
    return Boolean(selection?.toString()) && selection.containsNode(part, true);
  };
  const stops = (part) => [...part.querySelectorAll("a, button, summary, [tabindex]")];

  function exchange(part, fresh) {
    const focused = stops(part).indexOf(document.activeElement);
    const open = [...part.querySelectorAll("details")].map((it) => it.open);
    const scrolled = [...part.querySelectorAll(".wide")].map((it) => it.scrollLeft);
    part.replaceChildren(...fresh.childNodes);
    part.querySelectorAll("details").forEach((it, at) => { it.open = open[at] ?? it.open; });
    part.querySelectorAll(".wide").forEach((it, at) => { it.scrollLeft = scrolled[at] ?? 0; });
    tellTimes(part);
    if (focused >= 0) stops(part)[focused]?.focus({ preventScroll: true });
  }

  // A renewal exchanges the parts that the page names, and no other: forms and replays are in none.
  async function renew() {
    const parts = [...document.querySelectorAll("[data-renews]")];
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || parts.some(selects)) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of parts) {
      const fresh = page.querySelector(`[data-renews="${part.dataset.renews}"]`);
      if (fresh) exchange(part, fresh);
    }
    document.dispatchEvent(new CustomEvent("renewed"));
    return true;
  }

  function follow(feed) {
    let waits = false;
    const events = new EventSource(feed);
    events.addEventListener("counts", (event) => {
      const { stored } = JSON.parse(event.data);
      document.querySelectorAll('[data-live="stored"]').forEach((it) => { it.textContent = stored.toLocaleString("en"); });
      document.querySelectorAll("rect[data-planned]").forEach((it) => {
        const done = Math.max(stored, it.dataset.settled);
        it.setAttribute("width", `${Math.min(100, 100 * done / Math.max(1, it.dataset.planned))}%`);
      });
    });
    // Short rounds change much every second; the script renews a page less often, so that many readers cost little.
    let last = -REST_MS;
    let timer = 0;
    const anew = () => {
      timer ||= setTimeout(async () => {
        timer = 0;
        last = performance.now();
        waits = !(await renew().catch(() => false));
      }, Math.max(0, last + REST_MS - performance.now()));
    };
    events.addEventListener("changed", anew);
    events.addEventListener("step", (event) => {
      if (JSON.parse(event.data).is_over) events.close();
      anew();
    });
    // Changes without a new stored match have no event.
    setInterval(() => { if (!document.hidden && document.querySelector("[data-polled]")) anew(); }, RENEW_MS);
    document.addEventListener("selectionchange", () => { if (waits && document.getSelection().isCollapsed) { waits = false; anew(); } });
  }

  tellTimes(document);
  document.querySelector("header [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  if (document.body.dataset.feed) follow(document.body.dataset.feed);
})();
