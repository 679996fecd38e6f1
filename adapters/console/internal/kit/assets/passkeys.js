// Passkeys: a button asks the device for one, and sends its form with the answer.
(() => {
  const said = (english, french) => (document.documentElement.lang === "fr" ? french : english);
  const answerOf = async (button) => {
    const { PublicKeyCredential, navigator } = window;
    if (!PublicKeyCredential?.parseRequestOptionsFromJSON) throw new Error(said("This browser cannot show passkeys.", "Ce navigateur ne sait pas montrer de clé d'accès."));
    let question = button.dataset.question && JSON.parse(button.dataset.question);
    let challenge;
    if (!question) {
      const response = await fetch(button.dataset.ask, { method: "POST", headers: { Accept: "application/json" } });
      const asked = await response.json();
      if (!response.ok) throw new Error(asked.message);
      ({ question, challenge } = asked);
    }
    const credential = button.dataset.passkey === "create"
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(question) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(question) });
    return { challenge, answer: JSON.stringify(credential.toJSON()) };
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-passkey]");
    if (!button) return;
    event.preventDefault();
    const form = button.form;
    const problem = form.querySelector("[data-problem]");
    if (!button.formNoValidate && !form.reportValidity()) return;
    problem.hidden = true;
    try {
      const { challenge, answer } = await answerOf(button);
      if (challenge) form.querySelector("[data-challenge]").value = challenge;
      form.querySelector("[data-answer]").value = answer;
    } catch (error) {
      problem.textContent = error.name === "NotAllowedError" ? said("No passkey was shown.", "Aucune clé d'accès n'a été montrée.") : error.message;
      problem.hidden = false;
      return;
    }
    form.requestSubmit(button);
  });
})();
