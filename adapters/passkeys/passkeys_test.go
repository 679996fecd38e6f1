package passkeys_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/descope/virtualwebauthn"

	"github.com/vitrine-crm/vitrine/adapters/passkeys"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

const here = "https://crm.example.org:8443"

// device is an authenticator with one passkey, in a browser at a place.
type device struct {
	t     *testing.T
	party virtualwebauthn.RelyingParty
	auth  virtualwebauthn.Authenticator
	key   virtualwebauthn.Credential
}

func newDevice(t *testing.T) *device {
	return &device{
		t, virtualwebauthn.RelyingParty{ID: "crm.example.org", Origin: here}, virtualwebauthn.NewAuthenticator(),
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

func (d *device) makes(question string) string {
	d.t.Helper()
	asked, err := virtualwebauthn.ParseAttestationOptions(question)
	if err != nil {
		d.t.Fatal(err)
	}
	d.auth.Options.UserHandle = []byte(asked.UserID)
	return virtualwebauthn.CreateAttestationResponse(d.party, d.auth, d.key, *asked)
}

func (d *device) shows(question string) string {
	d.t.Helper()
	asked, err := virtualwebauthn.ParseAssertionOptions(question)
	if err != nil {
		d.t.Fatal(err)
	}
	return virtualwebauthn.CreateAssertionResponse(d.party, d.auth, d.key, *asked)
}

func claire() port.PasskeyHolder {
	return port.PasskeyHolder{Operator: operator.Operator{ID: 7, Email: "claire@example.org", Name: "Claire"}}
}

// registered is somebody with the passkey of a device.
func (d *device) registered(w passkeys.WebAuthn, of port.PasskeyHolder) port.PasskeyHolder {
	d.t.Helper()
	question, state, err := w.AskNew(here, of)
	if err != nil {
		d.t.Fatal(err)
	}
	made, err := w.New(here, of, state, d.makes(question))
	if err != nil {
		d.t.Fatal(err)
	}
	of.Passkeys = append(of.Passkeys, made)
	return of
}

func TestAPasskeyIsMadeAndShown(t *testing.T) {
	w, d := passkeys.New("Vitrine"), newDevice(t)
	of := d.registered(w, claire())
	if made := of.Passkeys[0]; made.Operator != 7 || made.ID == "" || made.Copied || strings.Contains(made.Record, "clientDataJSON\":\"") {
		t.Errorf("made %+v", made)
	}
	for name, asked := range map[string]port.PasskeyHolder{"after the password": of, "alone": {}} {
		question, state, err := w.Ask(here, asked)
		if err != nil {
			t.Fatal(err)
		}
		if alone := strings.Contains(question, `"userVerification":"required"`); alone != (name == "alone") {
			t.Errorf("%s: %s", name, question)
		}
		d.key.Counter++
		answer := d.shows(question)
		if id, err := w.Named(answer); err != nil || id != of.Passkeys[0].ID {
			t.Errorf("%s: the answer is by %q, %v", name, id, err)
		}
		shown, err := w.Check(here, of, state, answer)
		if err != nil || shown.Copied || shown.Record == of.Passkeys[0].Record {
			t.Fatalf("%s: %+v, %v", name, shown, err)
		}
		of.Passkeys[0] = shown
	}
}

func TestACounterThatGoesBackTellsOfACopy(t *testing.T) {
	w, d := passkeys.New("Vitrine"), newDevice(t)
	d.key.Counter = 5
	of := d.registered(w, claire())
	show := func(counter uint32) operator.Passkey {
		t.Helper()
		question, state, err := w.Ask(here, of)
		if err != nil {
			t.Fatal(err)
		}
		d.key.Counter = counter
		shown, err := w.Check(here, of, state, d.shows(question))
		if err != nil {
			t.Fatal(err)
		}
		return shown
	}
	if shown := show(6); shown.Copied {
		t.Error("a counter that goes on tells of a copy")
	}
	if shown := show(5); !shown.Copied {
		t.Error("a counter that stands still tells of no copy")
	}
	of.Passkeys[0] = show(4)
	if shown := show(9); !shown.Copied {
		t.Error("what is copied is forgotten")
	}
}

func TestAnswersThatAreNotAccepted(t *testing.T) {
	w, d := passkeys.New("Vitrine"), newDevice(t)
	of := d.registered(w, claire())
	other := claire()
	other.Operator.ID = 8
	stranger := newDevice(t)
	theirs := stranger.registered(w, other)
	question, state, err := w.Ask(here, of)
	if err != nil {
		t.Fatal(err)
	}
	alone, aloneState, err := w.Ask(here, port.PasskeyHolder{})
	if err != nil {
		t.Fatal(err)
	}
	_, otherState, err := w.Ask(here, of)
	if err != nil {
		t.Fatal(err)
	}
	good := d.shows(question)
	if _, err := w.Check(here, of, state, good); err != nil {
		t.Fatal(err)
	}
	elsewhere, unseen := *d, *d
	elsewhere.party.Origin = "https://crm.example.org.evil.example"
	unseen.auth.Options.UserNotVerified = true
	d.key.Key, stranger.key.Key = stranger.key.Key, d.key.Key
	forged := d.shows(question)
	for name, c := range map[string]struct {
		at            string
		of            port.PasskeyHolder
		state, answer string
	}{
		"nothing":              {here, of, state, ""},
		"garbage":              {here, of, state, "{}"},
		"another question":     {here, of, otherState, good},
		"another key":          {here, of, state, forged},
		"another origin":       {here, of, state, elsewhere.shows(question)},
		"another port":         {"https://crm.example.org", of, state, good},
		"another host":         {"https://www.example.org", of, state, good},
		"another operator":     {here, theirs, state, good},
		"alone, by another":    {here, theirs, aloneState, unseen.shows(alone)},
		"alone, unverified":    {here, of, aloneState, unseen.shows(alone)},
		"a passkey taken away": {here, claire(), state, good},
	} {
		if _, err := w.Check(c.at, c.of, c.state, c.answer); !errors.Is(err, fault.Unauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Named("garbage"); !errors.Is(err, fault.Unauthenticated) {
		t.Error(err)
	}
	if _, err := w.Check(here, of, "garbage", good); err == nil || errors.Is(err, fault.Unauthenticated) {
		t.Errorf("a state that is none is no fault of the browser's: %v", err)
	}
}

func TestNewPasskeysThatAreNotAccepted(t *testing.T) {
	w, d := passkeys.New("Vitrine"), newDevice(t)
	question, state, err := w.AskNew(here, claire())
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := *d
	elsewhere.party.Origin = "https://evil.example"
	other := claire()
	other.Operator.ID = 8
	for name, try := range map[string]func() error{
		"garbage":          func() error { _, err := w.New(here, claire(), state, "garbage"); return err },
		"another origin":   func() error { _, err := w.New(here, claire(), state, elsewhere.makes(question)); return err },
		"another operator": func() error { _, err := w.New(here, other, state, d.makes(question)); return err },
	} {
		if err := try(); !errors.Is(err, fault.Unauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	of := d.registered(w, claire())
	question, _, err = w.AskNew(here, of)
	if err != nil {
		t.Fatal(err)
	}
	var asked struct{ ExcludeCredentials []struct{ ID string } }
	if err := json.Unmarshal([]byte(question), &asked); err != nil || len(asked.ExcludeCredentials) != 1 || asked.ExcludeCredentials[0].ID != of.Passkeys[0].ID {
		t.Errorf("the device may be asked for a second one: %s, %v", question, err)
	}
}

func TestPasskeysNeedAHostName(t *testing.T) {
	w := passkeys.New("Vitrine")
	for _, at := range []string{"http://127.0.0.1:8080", "http://[::1]:8080", "", "https://"} {
		if _, _, err := w.Ask(at, port.PasskeyHolder{}); !errors.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", at, err)
		}
		if _, _, err := w.AskNew(at, claire()); !errors.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", at, err)
		}
	}
	for _, at := range []string{"http://localhost:8080", here, "https://crm.example.org"} {
		if _, _, err := w.Ask(at, port.PasskeyHolder{}); err != nil {
			t.Errorf("%q: %v", at, err)
		}
	}
}
