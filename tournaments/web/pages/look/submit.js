"use strict";
// Sends an archive unchanged. A form of another site cannot send this type of body without a preflight request.
(() => {
  const form = document.getElementById("submit");
  const answer = document.getElementById("answer");

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    const label = document.getElementById("label").value.trim();
    button.disabled = true;
    answer.textContent = answer.dataset.sending;
    try {
      const told = await fetch(form.dataset.to + (label ? `?label=${encodeURIComponent(label)}` : ""), {
        method: "POST",
        headers: { "Content-Type": "application/gzip" },
        body: document.getElementById("archive").files[0],
      });
      const said = await told.json();
      if (told.ok) location.assign(`${form.dataset.then}/${said.number}`);
      else answer.textContent = said.detail;
    } catch {
      answer.textContent = answer.dataset.lost;
    }
    button.disabled = false;
  });
})();
