// What the front page and the reference do in the browser. They can be read without it.
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const all = (selector) => document.querySelectorAll(selector);
  const one = (selector) => document.querySelector(selector);
  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // Finding: each word is in what an entry says of itself, or in a name of a field.
  const find = one("#find");
  let index = {};
  const folded = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const filter = () => {
    const words = folded(find.value).split(/\s+/).filter(Boolean);
    const found = new Set();
    for (const entry of all("[data-entry]")) {
      const id = entry.dataset.entry;
      const by = entry.querySelector("[data-by]");
      by?.replaceChildren();
      const { said, fields } = index[id] ?? { said: folded(entry.textContent), fields: null };
      let hit;
      entry.hidden = (words.length === 0 && "inner" in entry.dataset) || !words.every((word) => {
        if (said.includes(word)) return true;
        const field = fields?.find((name) => name.toLowerCase().includes(word));
        hit ??= field;
        return field !== undefined;
      });
      if (!entry.hidden) found.add(id);
      if (hit && !entry.hidden) by?.append("field ", element("b", "", hit));
    }
    for (const group of all("[data-group]")) {
      const shown = group.querySelector("[data-entry]:not([hidden])") !== null;
      group.hidden = !shown;
      if (group.matches("details")) group.open = words.length > 0 ? shown : group.querySelector("[aria-current]") !== null;
    }
    const status = one("[data-found]");
    if (status) status.textContent = words.length > 0 ? `${found.size} found` : status.dataset.total;
  };
  let asked;
  const loadIndex = () => {
    asked ??= fetch(find.dataset.index).then((answer) => answer.json()).then((read) => { index = read; if (find.value) filter(); });
  };
  find?.addEventListener("focus", loadIndex);
  find?.addEventListener("input", () => { loadIndex(); filter(); });
  // Enter opens the first entry that is seen.
  find?.form.addEventListener("submit", (event) => {
    const first = [...all("[data-entry]:not([hidden]) a")].find((link) => link.checkVisibility());
    if (!first || find.value.trim() === "") return;
    event.preventDefault();
    location.assign(first.href);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !find) return;
    const typing = event.target.closest("input:not([type=radio]), select, textarea");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      find.select();
      find.focus();
    }
    if (event.key === "Escape" && typing) typing.blur();
  });
  one(".side [aria-current=page]")?.scrollIntoView({ block: "nearest" });

  // The token is kept as long as the tab is open; the secret is not.
  const kept = "vitrine-token";
  const session = () => {
    const it = JSON.parse(sessionStorage.getItem(kept) ?? "null");
    return it && it.until > Date.now() ? it : null;
  };
  const showSession = () => {
    const it = session();
    for (const part of all("[data-signed-in]")) part.hidden = !it;
    for (const part of all("[data-signed-out]")) part.hidden = Boolean(it);
    for (const part of all("[data-signed]")) {
      part.textContent = it ? `${it.client}, site ${it.site}, until ${new Date(it.until).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}` : "";
    }
  };
  const basic = (user, password) => "Basic " + btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)));
  const problem = (form, text) => { form.querySelector("[data-problem]").textContent = text; };
  const signIn = async (form) => {
    const { client, secret, site } = Object.fromEntries(new FormData(form));
    problem(form, "");
    try {
      const answer = await fetch(form.dataset.path, {
        method: "POST", credentials: "omit", headers: { Authorization: basic(client, secret) }, body: new URLSearchParams({ site_id: site }),
      });
      const said = await answer.json();
      if (!answer.ok) return problem(form, said.error?.message ?? `answered ${answer.status}`);
      sessionStorage.setItem(kept, JSON.stringify({ client, site, token: said.access_token, until: Date.now() + said.expires_in * 1000 }));
    } catch {
      problem(form, "the server did not answer");
    }
    showSession();
  };
  const signInForm = one("[data-sign-in]");
  signInForm?.addEventListener("submit", (event) => {
    event.preventDefault();
    signIn(signInForm);
  });
  one("[data-sign-out]")?.addEventListener("click", () => {
    sessionStorage.removeItem(kept);
    showSession();
  });

  // Trying an operation: what is filled in becomes a request.
  const requestOf = async (form) => {
    const headers = new Headers();
    const query = new URLSearchParams();
    const sent = form.dataset.media === "multipart/form-data" ? new FormData() : new URLSearchParams();
    const options = { method: form.dataset.method, headers, credentials: "omit", cache: "no-store" };
    let path = form.dataset.path;
    const value = (part) => form.querySelector(`[data-in=${part}]`)?.value;
    for (const { dataset, name, value, files } of form.elements) {
      if (dataset.in === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
      if (dataset.in === "file") {
        if (files.length > 0) sent.append(name, files[0]);
        else if (dataset.otherwise) sent.append(name, await (await fetch(dataset.otherwise)).blob(), dataset.otherwise.split("/").pop());
      }
      if (value === "") continue;
      if (dataset.in === "query") query.append(name, value);
      if (dataset.in === "header") headers.set(name, value);
      if (dataset.in === "form") sent.append(name, value);
    }
    if (form.dataset.needs === "token") headers.set("Authorization", `Bearer ${session()?.token}`);
    if (form.dataset.needs === "secret") headers.set("Authorization", basic(value("user"), value("password")));
    if (form.dataset.media === "application/json") {
      headers.set("Content-Type", form.dataset.media);
      options.body = value("body");
    } else if (form.dataset.media) options.body = sent;
    const asked = String(query);
    return [asked ? `${path}?${asked}` : path, options];
  };
  const pretty = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };
  const region = (text, label) => {
    const made = element("pre", "bounded", text);
    made.tabIndex = 0;
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", label);
    return made;
  };
  const showAnswer = (answer, text, took) => {
    const place = one("[data-answer]");
    const tone = answer.ok ? "ok" : answer.status < 500 ? "warn" : "bad";
    const title = element("p", "title");
    title.setAttribute("role", "status");
    title.append(element("span", `state ${tone}`, `${answer.status} ${answer.statusText}`.trim()), element("small", "", `${took} ms, ${text.length} characters`));
    const headers = element("details");
    headers.append(element("summary", "", "Headers"), region([...answer.headers].map((pair) => pair.join(": ")).join("\n"), "Headers of the answer"));
    place.replaceChildren(title, ...(text ? [region(pretty(text), "Body of the answer")] : []), headers);
    place.hidden = false;
  };
  const send = async (form) => {
    problem(form, "");
    if (form.dataset.needs === "token" && !session()) {
      if (signInForm.checkValidity()) await signIn(signInForm);
      if (!session()) {
        problem(form, "sign in first");
        return signInForm.elements.client.focus();
      }
    }
    try {
      const [address, options] = await requestOf(form);
      const started = performance.now();
      const answer = await fetch(address, options);
      const type = answer.headers.get("Content-Type") ?? "";
      const binary = /^(image|audio|video|font)\/|octet-stream|zip/.test(type);
      showAnswer(answer, binary ? `(${type})` : await answer.text(), Math.round(performance.now() - started));
      if (answer.status === 401 && form.dataset.needs === "token") {
        sessionStorage.removeItem(kept);
        showSession();
      }
    } catch {
      problem(form, "the request could not be sent");
    }
  };
  const tried = one("[data-try]");
  tried?.addEventListener("submit", (event) => {
    event.preventDefault();
    send(tried);
  });

  // The language of samples is remembered.
  const language = localStorage.getItem("vitrine-language");
  const chosen = language && document.getElementById(`in-${language}`);
  if (chosen) chosen.checked = true;
  document.addEventListener("change", (event) => {
    if (event.target.name === "language") localStorage.setItem("vitrine-language", event.target.value);
  });

  if (signInForm || tried) showSession();
  // A first call is sent when its page is opened for it.
  const sendFirst = () => {
    if (location.hash === "#send" && tried?.dataset.first !== undefined) send(tried);
  };
  addEventListener("hashchange", sendFirst);
  sendFirst();
})();
