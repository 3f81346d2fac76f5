"use strict";
// Sorts the lines of a table when a heading is clicked, and leaves lines with the text that is typed, if all lines are on the
// page. On a server links and a form do the same without a script, and the address says what is shown.
(() => {
  const NUMBER = /^[-+<>\u2212]?[\d,]*\.?\d+/;
  const OPPOSITE = { ascending: "descending", descending: "ascending" };
  const WHOLE = "table[data-whole]";

  function valueOf(row, column) {
    const cell = row.cells[column];
    const text = (cell.querySelector("a") ?? cell).textContent.trim();
    const number = NUMBER.exec(text)?.[0].replace(/[,<>]/g, "").replace("\u2212", "-");
    if (text === "" || text === "\u2013") return null;
    return cell.classList.contains("number") && number !== undefined ? Number(number) : text.toLowerCase();
  }

  function sort(heading) {
    const column = heading.cellIndex;
    const usual = heading.classList.contains("number") && column > 0 ? "descending" : "ascending";
    const how = OPPOSITE[heading.getAttribute("aria-sort")] ?? usual;
    const sign = how === "ascending" ? 1 : -1;
    const table = heading.closest("table");
    const lines = [...table.tBodies[0].rows].map((row) => [valueOf(row, column), row]);
    lines.sort(([one], [other]) => {
      if (one === null || other === null) return (one === null) - (other === null);
      return sign * ((one > other) - (one < other));
    });
    table.tBodies[0].append(...lines.map(([, row]) => row));
    table.querySelectorAll("[aria-sort]").forEach((it) => it.removeAttribute("aria-sort"));
    table.classList.add("resorted");
    heading.setAttribute("aria-sort", how);
    return how;
  }

  function note(name, value) {
    if (location.protocol === "file:") return;
    const url = new URL(location.href);
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
    history.replaceState(null, "", url);
  }

  document.addEventListener("click", (event) => {
    const heading = event.target.closest("th[data-sort]");
    const control = event.target.closest(".sort");
    if (!heading || !control || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // The server makes one table of several, and sorts the lines of all parts of a page.
    if (control.href && (!heading.closest(WHOLE) || document.querySelectorAll(WHOLE).length > 1)) return;
    event.preventDefault();
    const how = sort(heading);
    if (control.href) note("sort", (how === "descending" ? "-" : "") + heading.dataset.sort);
  });

  document.addEventListener("input", (event) => {
    const field = event.target;
    const tables = document.querySelectorAll(WHOLE);
    if (field.name !== "find" || field.defaultValue || !tables.length) return;
    const part = field.value.toLowerCase();
    for (const row of [...tables].flatMap((table) => [...table.tBodies[0].rows])) {
      row.hidden = ![...row.querySelectorAll(".name a, td.author")].some((it) => `${it.textContent} ${it.title}`.toLowerCase().includes(part));
    }
    note("find", field.value);
  });

  // Without a server there are no links that sort.
  function addButtons() {
    for (const heading of document.querySelectorAll(`${WHOLE} th[data-sort]`)) {
      if (heading.querySelector(".sort")) continue;
      const button = document.createElement("button");
      button.className = "sort";
      button.append(...heading.childNodes);
      heading.append(button);
    }
  }
  addButtons();
  document.addEventListener("renewed", addButtons);
})();
