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

  // Lists that are whole on their page, and stay as they are, are sorted by any column.
  const french = root.lang === "fr";
  const key = (cell) => {
    const time = cell?.querySelector("time");
    if (time) return time.dateTime;
    const text = cell?.textContent.trim() ?? "";
    const digits = french ? text.replace(/\s/g, "").replace(",", ".") : text.replace(/,/g, "");
    return cell?.classList.contains("number") || /^-?\d+(\.\d+)?$/.test(digits) ? parseFloat(digits) || 0 : text;
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), root.lang));
  const sort = (body, column, down) => {
    const groups = [];
    for (const row of body.rows) {
      if (row.classList.contains("inner") && groups.length) groups.at(-1).push(row);
      else groups.push([row]);
    }
    groups.sort((a, b) => compare(key(a[0].cells[column]), key(b[0].cells[column])) * (down ? -1 : 1));
    body.append(...groups.flat());
  };
  for (const table of document.querySelectorAll("table.list")) {
    const part = table.closest("section") ?? table;
    if (table.closest("[data-live]") || part.querySelector("[rel=next], thead a") || table.tBodies[0]?.rows.length < 2) continue;
    for (const head of table.tHead?.querySelectorAll("th") ?? []) {
      if (!head.textContent.trim()) continue;
      const button = document.createElement("button");
      button.className = "sort";
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table.tBodies[0], head.cellIndex, down);
      });
      head.append(button);
    }
  }

  document.addEventListener("change", (event) => {
    if (event.target.closest("[data-submit]")) event.target.form.requestSubmit();
  });
})();
