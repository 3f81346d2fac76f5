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

  // A renewal must not remove text that the reader has selected, or a field that the reader is using.
  function busy(main) {
    const at = document.activeElement;
    return Boolean(document.getSelection()?.toString()) || (main.contains(at) && /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName));
  }

  function where(main, element) {
    const all = [...main.querySelectorAll("a, button, summary, [tabindex]")];
    return all.indexOf(element);
  }

  async function renew() {
    const main = document.getElementById("main");
    if (busy(main)) return false;
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return false;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
    if (!fresh || busy(main)) return false;
    const focused = where(main, document.activeElement);
    const open = [...main.querySelectorAll("details")].map((it) => it.open);
    main.replaceChildren(...fresh.childNodes);
    main.querySelectorAll("details").forEach((it, at) => { it.open = open[at] ?? it.open; });
    tellTimes(main);
    if (focused >= 0) main.querySelectorAll("a, button, summary, [tabindex]")[focused]?.focus({ preventScroll: true });
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
    setInterval(() => { if (!document.hidden && document.querySelector("[data-renews]")) anew(); }, RENEW_MS);
    document.addEventListener("focusout", () => { if (waits) { waits = false; renew().catch(() => {}); } });
  }

  tellTimes(document);
  document.querySelector("header [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  if (document.body.dataset.feed) follow(document.body.dataset.feed);
})();
