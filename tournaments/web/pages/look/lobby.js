// Offers the seats that exist with the chosen options, says who plays with whom, and lets the rules be those of the options.
(() => {
  const say = { own: "", with: "with you", against: "against you" };
  const YOU = "you";
  const leaveToOthers = (select) => {
    select.value = [...select.options].find((it) => it.value.includes("@"))?.value ?? "~";
  };

  const arrange = (form) => {
    const { options, tables } = JSON.parse(form.dataset.seating);
    const field = (name) => form.elements.namedItem(name);
    const rows = [...form.querySelectorAll(".row")];
    const select = (row) => row.querySelector("select");
    const key = options.map((name) => field("option." + name).value).join(",");
    const table = tables[key];
    if (!table) return; // the options do not go together, which the server says
    const counts = Object.keys(table).map(Number);
    const fewest = Math.min(...counts);
    const most = Math.max(...counts);
    let isOpen = true; // whether the next seat may be taken: no seat is left free before another
    let seats = 0;
    rows.forEach((row, seat) => {
      const chosen = select(row);
      const nobody = [...chosen.options].find((it) => it.value === "");
      if (nobody) nobody.hidden = nobody.disabled = seat < fewest;
      if (seat < fewest && !chosen.value) leaveToOthers(chosen);
      row.hidden = seat >= most || !isOpen;
      for (const it of row.querySelectorAll("select")) {
        it.disabled = row.hidden || (it !== chosen && !chosen.value);
        it.hidden = it !== chosen && !chosen.value;
      }
      if (seat >= fewest && !chosen.value) isOpen = false;
      else if (!row.hidden) seats += 1;
    });
    const own = rows.findIndex((row) => !row.hidden && select(row).value === YOU);
    const sides = table[seats] ?? [];
    rows.forEach((row, seat) => {
      const isTold = seat < seats && seat !== own && own >= 0 && sides[seat] !== null && new Set(sides).size > 1;
      row.querySelector(".side").textContent = isTold ? (sides[seat] === sides[own] ? say.with : say.against) : say.own;
    });
    const link = form.querySelector(".rules-link");
    const query = new URLSearchParams({ seats });
    for (const it of form.elements) if (it.name.startsWith("option.") && it.value) query.set(it.name, it.value);
    link.search = query;
  };
  const changed = (form, control) => {
    if (control.value === YOU) {
      // A visitor has one seat, and leaves the first one when choosing another.
      for (const other of form.querySelectorAll(".row select")) {
        if (other !== control && other.value === YOU) leaveToOthers(other);
      }
    }
    arrange(form);
  };

  for (const form of document.querySelectorAll("form[data-seating]")) {
    form.addEventListener("change", (event) => changed(form, event.target));
    arrange(form);
    addEventListener("pageshow", () => arrange(form)); // a browser fills a form in again when one comes back to it
  }
})();
