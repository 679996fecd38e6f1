package console_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/descope/virtualwebauthn"
	"golang.org/x/net/html"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// device is an authenticator with a passkey, as the script of the console uses it.
type device struct {
	*browser
	party virtualwebauthn.RelyingParty
	auth  virtualwebauthn.Authenticator
	key   virtualwebauthn.Credential
}

func (b *browser) device() *device {
	return &device{
		b, virtualwebauthn.RelyingParty{ID: "crm.example.org", Origin: origin}, virtualwebauthn.NewAuthenticator(),
		newKey(),
	}
}

// newKey is the key of a device. virtualwebauthn leaves out the zeros that a coordinate
// begins with, which no device does and no server takes: such a key, one in 128, is
// drawn again.
func newKey() virtualwebauthn.Credential {
	const whole = 77 // bytes of a COSE key with both coordinates of 32
	for {
		if key := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2); len(key.Key.AttestationData()) == whole {
			return key
		}
	}
}

// asked is what the script is told to ask the device.
type asked struct {
	Challenge string
	Question  json.RawMessage
	Message   string
}

func (d *device) ask(path string, status int) (a asked) {
	d.Helper()
	d.must(json.Unmarshal([]byte(d.post(path).is(status).text), &a))
	return a
}

func (d *device) makes(question string) string {
	d.Helper()
	options, err := virtualwebauthn.ParseAttestationOptions(question)
	d.must(err)
	d.auth.Options.UserHandle = []byte(options.UserID)
	return virtualwebauthn.CreateAttestationResponse(d.party, d.auth, d.key, *options)
}

func (d *device) shows(question string) string {
	d.Helper()
	options, err := virtualwebauthn.ParseAssertionOptions(question)
	d.must(err)
	d.key.Counter++
	return virtualwebauthn.CreateAssertionResponse(d.party, d.auth, d.key, *options)
}

// add adds the passkey of the device on the page of its operator.
func (d *device) add(name string) shown {
	d.Helper()
	a := d.ask("/me/passkeys/ask", 200)
	return d.post("/me/passkeys?site=1", "name", name, "passkey_challenge", a.Challenge, "passkey_answer", d.makes(string(a.Question)))
}

var (
	asksIn       = regexp.MustCompile(`data-question="([^"]*)"`)
	challengesIn = regexp.MustCompile(`name="passkey_challenge" value="([^"]*)"`)
)

// second shows the passkey on the page behind the password.
func (d *device) second(page shown, to string) shown {
	d.Helper()
	page.is(200).says("Your passkey")
	question, challenge := asksIn.FindStringSubmatch(page.text), challengesIn.FindStringSubmatch(page.text)
	if question == nil || challenge == nil {
		d.Fatalf("nothing is asked:\n%s", page.text)
	}
	return d.post("/sign-in/passkey", "to", to, "passkey_challenge", challenge[1], "passkey_answer", d.shows(html.UnescapeString(question[1])))
}

func TestAPasskeyAfterThePassword(t *testing.T) {
	w := newWorld(t)
	d := w.signedIn("claire@example.org").device()
	d.add("My telephone").is(200).isAt("/me").says("The passkey is added", "My telephone", "never")
	d.post("/sign-out").is(200)
	page := d.post("/sign-in", "email", "claire@example.org", "password", goodPassword, "to", "/console/webhooks")
	d.get("/me").is(200).says("Sign in") // not in yet
	d.second(page, "/console/webhooks").is(200).isAt("/webhooks").says("Claire Morel")
	if page := d.get("/me").is(200).says("My telephone"); strings.Contains(page.text, "never") {
		t.Error("the passkey was never used")
	}
	d.second(d.post("/sign-in", "email", "claire@example.org", "password", goodPassword), "https://evil.example/").is(200).isAt("/")
}

func TestAPasskeyAlone(t *testing.T) {
	w := newWorld(t)
	d := w.signedIn("claire@example.org").device()
	d.add("My telephone").is(200)
	d.post("/sign-out").is(200)
	a := d.ask("/sign-in/passkey/ask", 200)
	answer := d.shows(string(a.Question))
	d.post("/sign-in/passkey", "passkey_challenge", a.Challenge, "passkey_answer", answer, "password", "").is(200).isAt("/").says("Claire Morel")
	d.post("/sign-out").is(200)
	d.post("/sign-in/passkey", "passkey_challenge", a.Challenge, "passkey_answer", answer).is(401).says("that took too long", "Sign in")
	d.get("/").is(200).isAt("/sign-in")
}

func TestPasskeysAreRemoved(t *testing.T) {
	w := newWorld(t)
	d := w.signedIn("claire@example.org").device()
	d.add("Lost").is(200)
	id := regexp.MustCompile(`name="passkey" value="([^"]+)"`).FindStringSubmatch(d.get("/me").text)
	if id == nil {
		t.Fatal("no passkey can be removed")
	}
	d.post("/me/passkeys/remove?site=1", "passkey", id[1]).is(200).isAt("/me").says("The passkey is removed")
	w.signedIn("claire@example.org").get("/").is(200).isAt("/").says("Claire Morel")
}

func TestPasskeysThatAreNotAdded(t *testing.T) {
	w := newWorld(t)
	d := w.signedIn("claire@example.org").device()
	d.post("/me/passkeys?site=1", "name", "", "passkey_answer", "x").is(422).says("a passkey needs a name")
	d.post("/me/passkeys?site=1", "name", "Mine", "passkey_answer", "x").is(422).says("that took too long", "Mine")
	elsewhere := *d
	elsewhere.party.Origin = "https://evil.example"
	elsewhere.add("Mine").is(422).says("the passkey was not accepted")
	d.add("Mine").is(200).says("The passkey is added")
	d.add("Again").is(422).says("there is such a passkey")
}

// What needs a proof that is fresh takes a passkey in place of the password, and then
// does what was to be done.
func TestAPasskeyInPlaceOfThePassword(t *testing.T) {
	w := newWorld(t)
	d := w.signedIn("claire@example.org").device()
	w.clock.Advance(operator.Recent)
	fresh := d.ask("/me/passkeys/ask", 200)
	name, answer := "Kept meanwhile", d.makes(string(fresh.Question))
	page := d.post("/me/passkeys?site=1", "name", name, "passkey_challenge", fresh.Challenge, "passkey_answer", answer).is(401).says("Your password again", name)
	if strings.Contains(page.text, "Use a passkey") {
		t.Error("a passkey is asked for that nobody has")
	}
	d.post("/me/passkeys?site=1", "name", name, "passkey_challenge", fresh.Challenge, "passkey_answer", answer, "password_again", goodPassword).is(200).says(name)
	w.clock.Advance(operator.Recent)
	invite := []string{"name", "Paul", "email", "paul@example.org", "role", string(operator.Reader), "sites", "1"}
	d.post("/operators/invite?site=1", invite...).is(401).says("Use a passkey", "/console/me/passkeys/confirm", "paul@example.org")
	again := d.ask("/me/passkeys/confirm", 200)
	shown := d.post("/operators/invite?site=1", append(invite, "again_challenge", again.Challenge, "again_answer", "{}", "password_again", "")...)
	shown.is(401).says("the passkey was not accepted", "paul@example.org")
	again = d.ask("/me/passkeys/confirm", 200)
	d.post("/operators/invite?site=1", append(invite, "again_challenge", again.Challenge, "again_answer", d.shows(string(again.Question)), "password_again", "")...).
		is(200).isAt("/operators").says("/console/invitations/")
}

func TestWhatPasskeysAreAskedFor(t *testing.T) {
	w := newWorld(t)
	d := w.signedIn("claire@example.org").device()
	if a := d.ask("/me/passkeys/confirm", 409); a.Message != "you have no passkey" {
		t.Errorf("%+v", a)
	}
	stranger := w.browser().device()
	for range operator.MaxFailures {
		stranger.ask("/sign-in/passkey/ask", 200)
	}
	if a := stranger.ask("/sign-in/passkey/ask", 429); a.Message != "too many attempts; wait a minute" {
		t.Errorf("%+v", a)
	}
	stranger.post("/me/passkeys/ask").is(200).isAt("/sign-in")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/sign-in/passkey/ask", nil)
	w.must(err)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	d.do(r).is(403)
}
