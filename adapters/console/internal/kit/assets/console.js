// What the console does in the browser beyond htmx. Every page works without it.
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  // On a narrow screen the menu is a row that scrolls.
  document.querySelector(".menu [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // Live parts ask for themselves anew while somebody can see them.
  setInterval(() => {
    if (document.hidden) return;
    for (const part of document.querySelectorAll("[data-live]")) htmx.trigger(part, "refresh");
  }, 5000);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      document.getElementById("jump")?.select();
      document.getElementById("jump")?.focus();
    }
    if (event.key === "Escape") {
      if (typing) typing.blur();
      else document.querySelector("a[aria-expanded=true]")?.click();
    }
  });

  document.addEventListener("change", (event) => {
    if (event.target.closest("[data-submit]")) event.target.form.requestSubmit();
  });
})();
