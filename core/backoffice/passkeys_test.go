package backoffice_test

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

const console = "https://crm.example.org"

// webAuthn asks with numbers, and accepts the number with a name: "3 key". The
// records of its passkeys are counters, and "3 key copied" tells of a copy.
type webAuthn struct{ asked int }

func (w *webAuthn) question(at string) (question, state string, err error) {
	if at != console {
		return "", "", fault.New(fault.Invalid, fault.CodeInvalidFormat, "not here")
	}
	w.asked++
	return fmt.Sprint(w.asked), fmt.Sprint(w.asked), nil
}

// AskNew implements port.WebAuthn.
func (w *webAuthn) AskNew(at string, _ port.PasskeyHolder) (string, string, error) {
	return w.question(at)
}

// Ask implements port.WebAuthn.
func (w *webAuthn) Ask(at string, of port.PasskeyHolder) (string, string, error) {
	question, state, err := w.question(at)
	if len(of.Passkeys) == 0 {
		question += " alone"
	}
	return question, state, err
}

func refusal() error { return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "no") }

// Named implements port.WebAuthn.
func (w *webAuthn) Named(answer string) (string, error) {
	parts := strings.Fields(answer)
	if len(parts) < 2 {
		return "", refusal()
	}
	return parts[1], nil
}

// New implements port.WebAuthn.
func (w *webAuthn) New(at string, of port.PasskeyHolder, state, answer string) (operator.Passkey, error) {
	id, err := w.Named(answer)
	if err != nil || at != console || strings.Fields(answer)[0] != state {
		return operator.Passkey{}, cmp.Or(err, refusal())
	}
	return operator.Passkey{ID: id, Operator: of.Operator.ID, Record: "new"}, nil
}

// Check implements port.WebAuthn.
func (w *webAuthn) Check(at string, of port.PasskeyHolder, state, answer string) (operator.Passkey, error) {
	id, err := w.Named(answer)
	if err != nil || at != console || strings.Fields(answer)[0] != state {
		return operator.Passkey{}, cmp.Or(err, refusal())
	}
	for _, p := range of.Passkeys {
		if p.ID == id {
			p.Record = answer
			p.Copied = p.Copied || strings.HasSuffix(answer, "copied")
			return p, nil
		}
	}
	return operator.Passkey{}, refusal()
}

// answers are what a browser with a passkey says to a question.
func answers(a backoffice.Asked, key string) backoffice.Answered {
	number, _, _ := strings.Cut(a.Question, " ")
	return backoffice.Answered{Challenge: a.Challenge, Answer: number + " " + key, Origin: console}
}

func withPasskeys(t *testing.T) *world {
	t.Helper()
	w := over(t, apitest.New(t))
	var err error
	if w.Service, err = backoffice.New(w.World.Service, w.passwords, backoffice.Passkeys(&webAuthn{})); err != nil {
		t.Fatal(err)
	}
	return w
}

// adds makes a passkey of an operator.
func (w *world) adds(t *testing.T, a backoffice.Actor, key string) {
	t.Helper()
	asked := do(t, w.AskNewPasskey, a, backoffice.AskNewPasskey{Origin: console})
	do(t, w.AddPasskey, a, backoffice.AddPasskey{Answered: answers(asked, key), Name: "Key " + key})
}

func (w *world) signIn(t *testing.T) backoffice.SignedIn {
	t.Helper()
	in, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "root@example.org", Password: goodPassword, Peer: "192.0.2.1", Origin: console})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func (w *world) shows(t *testing.T, a backoffice.Answered) (backoffice.SignedIn, error) {
	t.Helper()
	return w.SignInWithPasskey(t.Context(), backoffice.SignInWithPasskey{Answered: a, Peer: "192.0.2.1", Agent: "a browser"})
}

// refused checks that somebody is not let in, and that the audit says so.
func (w *world) refused(t *testing.T, what string, a backoffice.Answered) {
	t.Helper()
	if in, err := w.shows(t, a); !errors.Is(err, fault.Unauthenticated) || in.Secret != "" {
		t.Errorf("%s: %+v, %v", what, in, err)
	}
}

func TestAPasskeyIsAskedForAfterThePassword(t *testing.T) {
	w := withPasskeys(t)
	if in := w.signIn(t); in.Passkey != nil || in.Secret == "" {
		t.Errorf("without a passkey: %+v", in)
	}
	w.adds(t, w.admin, "key")
	in := w.signIn(t)
	if in.Passkey == nil || in.Secret != "" || in.Actor.Operator.ID != 0 {
		t.Fatalf("the password alone does: %+v", in)
	}
	came, err := w.shows(t, answers(*in.Passkey, "key"))
	if err != nil || came.Actor.Operator.ID != w.admin.Operator.ID {
		t.Fatalf("%+v, %v", came, err)
	}
	if a, err := w.Identify(t.Context(), came.Secret, ""); err != nil || !a.Session.IsProved(w.Clock.Now()) {
		t.Errorf("%+v, %v", a, err)
	}
	if last := w.audit(t)[0]; last.Operation != backoffice.SignedInEntry || last.Operator != w.admin.Operator.ID {
		t.Errorf("the audit says %+v", last)
	}
}

func TestAPasskeyAlone(t *testing.T) {
	w := withPasskeys(t)
	w.adds(t, w.admin, "key")
	asked, err := w.AskPasskey(t.Context(), backoffice.AskPasskey{Origin: console})
	if err != nil || !strings.HasSuffix(asked.Question, "alone") {
		t.Fatalf("%+v, %v", asked, err)
	}
	if came, err := w.shows(t, answers(asked, "key")); err != nil || came.Actor.Operator.ID != w.admin.Operator.ID {
		t.Errorf("%+v, %v", came, err)
	}
}

func TestAnAnswerIsGoodOnceAndForFiveMinutes(t *testing.T) {
	w := withPasskeys(t)
	w.adds(t, w.admin, "key")
	first := answers(*w.signIn(t).Passkey, "key")
	if _, err := w.shows(t, first); err != nil {
		t.Fatal(err)
	}
	w.refused(t, "again", first)
	wrong := answers(*w.signIn(t).Passkey, "key")
	right := wrong.Answer
	wrong.Answer = "0 key"
	w.refused(t, "a wrong answer", wrong)
	wrong.Answer = right
	w.refused(t, "the right one after it", wrong)
	late := answers(*w.signIn(t).Passkey, "key")
	w.Clock.Advance(operator.AskedFor)
	w.refused(t, "after five minutes", late)
	soon := answers(*w.signIn(t).Passkey, "key")
	w.Clock.Advance(operator.AskedFor - time.Microsecond)
	if _, err := w.shows(t, soon); err != nil {
		t.Errorf("just before: %v", err)
	}
}

func TestPasskeysThatAreRefused(t *testing.T) {
	w := withPasskeys(t)
	w.adds(t, w.admin, "key")
	w.adds(t, w.operator(t, "paul@example.org", operator.Reader), "pauls")
	fresh := func() backoffice.Asked { return *w.signIn(t).Passkey }
	w.refused(t, "another operator's", answers(fresh(), "pauls"))
	w.refused(t, "one nobody has", answers(fresh(), "unknown"))
	if last := w.audit(t)[0]; last.Operation != backoffice.RefusedEntry {
		t.Errorf("the audit says %+v", last)
	}
	elsewhere := answers(fresh(), "key")
	elsewhere.Origin = "https://evil.example"
	w.refused(t, "from elsewhere", elsewhere)
	w.refused(t, "garbage", backoffice.Answered{Challenge: fresh().Challenge, Answer: "?", Origin: console})
	w.refused(t, "to no question", backoffice.Answered{Challenge: "made up", Answer: "1 key", Origin: console})
	registering := do(t, w.AskNewPasskey, w.admin, backoffice.AskNewPasskey{Origin: console})
	w.refused(t, "to another kind of question", answers(registering, "key"))
	confirming := do(t, w.AskConfirm, w.admin, backoffice.AskConfirm{Origin: console})
	w.Clock.Advance(operator.FailureWindow)
	w.refused(t, "to what is asked of those who are in", answers(confirming, "key"))
	paul := do(t, w.ListOperators, w.admin, kernel.Nothing{}).Operators[1]
	asked, err := w.AskPasskey(t.Context(), backoffice.AskPasskey{Origin: console})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w.DisableOperator, w.admin, backoffice.DisableOperator{ID: paul.ID, Disabled: true})
	w.refused(t, "of somebody who is kept out", answers(asked, "pauls"))
}

func TestACopiedPasskeyIsGoodForNothing(t *testing.T) {
	w := withPasskeys(t)
	w.adds(t, w.admin, "key")
	w.refused(t, "a counter that went back", answers(*w.signIn(t).Passkey, "key copied"))
	w.refused(t, "afterwards", answers(*w.signIn(t).Passkey, "key"))
	if all := do(t, w.ListPasskeys, w.admin, kernel.Nothing{}); len(all) != 1 || !all[0].Copied {
		t.Errorf("listed %+v", all)
	}
}

func TestPasskeysAreListedAndRemoved(t *testing.T) {
	w := withPasskeys(t)
	w.adds(t, w.admin, "one")
	w.Clock.Advance(time.Second)
	w.adds(t, w.admin, "two")
	all := do(t, w.ListPasskeys, w.admin, kernel.Nothing{})
	if len(all) != 2 || all[0].Name != "Key one" || all[1].ID != "two" || all[0].Used != nil || all[0].Copied {
		t.Errorf("listed %+v", all)
	}
	paul := w.operator(t, "paul@example.org", operator.Reader)
	if _, err := w.RemovePasskey(t.Context(), paul, backoffice.RemovePasskey{ID: "one"}); !errors.Is(err, fault.NotFound) {
		t.Errorf("somebody else's is removed: %v", err)
	}
	do(t, w.RemovePasskey, w.admin, backoffice.RemovePasskey{ID: "one"})
	do(t, w.RemovePasskey, w.admin, backoffice.RemovePasskey{ID: "two"})
	if in := w.signIn(t); in.Passkey != nil {
		t.Error("a passkey is asked for that was removed")
	}
	if last := w.audit(t)[1]; last.Operation != "passkey.remove" {
		t.Errorf("the audit says %+v", last)
	}
	w.Clock.Advance(operator.Recent)
	if _, err := w.RemovePasskey(t.Context(), w.admin, backoffice.RemovePasskey{ID: "one"}); !errors.Is(err, backoffice.ErrNotProved) {
		t.Errorf("without showing again who one is: %v", err)
	}
	if _, err := w.AddPasskey(t.Context(), w.admin, backoffice.AddPasskey{}); !errors.Is(err, backoffice.ErrNotProved) {
		t.Errorf("without showing again who one is: %v", err)
	}
}

func TestPasskeysThatCannotBeAdded(t *testing.T) {
	w := withPasskeys(t)
	w.adds(t, w.admin, "key")
	paul := w.operator(t, "paul@example.org", operator.Reader)
	ask := func(a backoffice.Actor) backoffice.Asked {
		return do(t, w.AskNewPasskey, a, backoffice.AskNewPasskey{Origin: console})
	}
	for name, c := range map[string]struct {
		in    backoffice.AddPasskey
		code  fault.Code
		field string
	}{
		"no name":          {backoffice.AddPasskey{Answered: answers(ask(w.admin), "new"), Name: " "}, fault.CodeRequired, "name"},
		"a long name":      {backoffice.AddPasskey{Answered: answers(ask(w.admin), "new"), Name: strings.Repeat("é", 101)}, fault.CodeOutOfRange, "name"},
		"a wrong answer":   {backoffice.AddPasskey{Answered: backoffice.Answered{Challenge: ask(w.admin).Challenge, Answer: "0 x", Origin: console}, Name: "n"}, fault.CodeInvalidFormat, "passkey"},
		"one there is":     {backoffice.AddPasskey{Answered: answers(ask(w.admin), "key"), Name: "n"}, fault.CodeNameTaken, "passkey"},
		"another's asking": {backoffice.AddPasskey{Answered: answers(ask(paul), "new"), Name: "n"}, fault.CodeInvalidFormat, "passkey"},
	} {
		_, err := w.AddPasskey(t.Context(), w.admin, c.in)
		if err == nil {
			t.Errorf("%s: it is added", name)
			continue
		}
		apitest.RefusedField(t, err, c.code, c.field)
	}
	for i := range operator.MaxPasskeys - 1 {
		w.adds(t, w.admin, fmt.Sprint("more", i))
	}
	_, err := w.AddPasskey(t.Context(), w.admin, backoffice.AddPasskey{Answered: answers(ask(w.admin), "too-many"), Name: "n"})
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "passkey")
	if _, err := w.AskNewPasskey(t.Context(), w.admin, backoffice.AskNewPasskey{Origin: "http://127.0.0.1"}); !errors.Is(err, fault.Invalid) {
		t.Errorf("where there can be no passkeys: %v", err)
	}
}

func TestAPasskeyConfirmsInPlaceOfThePassword(t *testing.T) {
	w := withPasskeys(t)
	if _, err := w.AskConfirm(t.Context(), w.admin, backoffice.AskConfirm{Origin: console}); !errors.Is(err, fault.Conflict) {
		t.Errorf("without a passkey: %v", err)
	}
	w.adds(t, w.admin, "key")
	paul := w.operator(t, "paul@example.org", operator.Reader)
	came, err := w.shows(t, answers(*w.signIn(t).Passkey, "key"))
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(operator.Recent)
	proved := func() bool {
		t.Helper()
		a, err := w.Identify(t.Context(), came.Secret, "")
		if err != nil {
			t.Fatal(err)
		}
		return a.Session.IsProved(w.Clock.Now())
	}
	if proved() {
		t.Fatal("it is proved for longer")
	}
	asked := do(t, w.AskConfirm, came.Actor, backoffice.AskConfirm{Origin: console})
	if _, err := w.ConfirmWithPasskey(t.Context(), paul, answers(asked, "key")); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("by another operator: %v", err)
	}
	asked = do(t, w.AskConfirm, came.Actor, backoffice.AskConfirm{Origin: console})
	do(t, w.ConfirmWithPasskey, came.Actor, answers(asked, "key"))
	if !proved() {
		t.Error("it is not proved")
	}
}

// Who comes back by a link has lost what they showed: all of it is gone.
func TestRecoveryForgetsPasskeys(t *testing.T) {
	w := withPasskeys(t)
	paul := w.operator(t, "paul@example.org", operator.Reader)
	w.adds(t, paul, "pauls")
	w.adds(t, w.admin, "key")
	link := do(t, w.RecoverOperator, w.admin, backoffice.OperatorPath{ID: int64(paul.Operator.ID)})
	back := w.accept(t, backoffice.Accept{Secret: link.Secret})
	if all := do(t, w.ListPasskeys, back.Actor, kernel.Nothing{}); len(all) != 0 {
		t.Errorf("they still have %+v", all)
	}
	if all := do(t, w.ListPasskeys, w.admin, kernel.Nothing{}); len(all) != 1 {
		t.Errorf("others have %+v", all)
	}
}

func TestWhoeverGuessesPasskeysIsKeptWaiting(t *testing.T) {
	w := withPasskeys(t)
	for range operator.MaxFailures {
		w.refused(t, "a guess", backoffice.Answered{Challenge: "x", Answer: "1 y", Origin: console})
	}
	if _, err := w.shows(t, backoffice.Answered{}); !errors.Is(err, fault.Limited) {
		t.Errorf("one guess more: %v", err)
	}
	for range operator.MaxFailures {
		if _, err := w.AskPasskey(t.Context(), backoffice.AskPasskey{Origin: console, Peer: "192.0.2.9"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AskPasskey(t.Context(), backoffice.AskPasskey{Origin: console, Peer: "192.0.2.9"}); !errors.Is(err, fault.Limited) {
		t.Errorf("one question more: %v", err)
	}
	// A browser in which somebody signed in before counts by itself.
	came, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "root@example.org", Password: goodPassword, Peer: "192.0.2.77"})
	if err != nil {
		t.Fatal(err)
	}
	for range operator.MaxFailures {
		if _, err := w.AskPasskey(t.Context(), backoffice.AskPasskey{Origin: console, Peer: "192.0.2.9", Browser: came.Browser}); err != nil {
			t.Fatal(err)
		}
		in := backoffice.SignInWithPasskey{Answered: backoffice.Answered{Challenge: "x", Answer: "1 y", Origin: console}, Peer: "192.0.2.1", Browser: came.Browser}
		if _, err := w.SignInWithPasskey(t.Context(), in); !errors.Is(err, fault.Unauthenticated) {
			t.Fatal(err)
		}
	}
	if _, err := w.AskPasskey(t.Context(), backoffice.AskPasskey{Origin: console, Browser: came.Browser}); !errors.Is(err, fault.Limited) {
		t.Errorf("one question more in that browser: %v", err)
	}
}

// Where nobody can check passkeys, whoever has one is not let in without it.
func TestWithoutPasskeys(t *testing.T) {
	w := withPasskeys(t)
	w.adds(t, w.admin, "key")
	var err error
	if w.Service, err = backoffice.New(w.World.Service, w.passwords); err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() error{
		"the password": func() error {
			_, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "root@example.org", Password: goodPassword})
			return err
		},
		"asking":    func() error { _, err := w.AskPasskey(t.Context(), backoffice.AskPasskey{Origin: console}); return err },
		"an answer": func() error { _, err := w.shows(t, backoffice.Answered{}); return err },
		"a new one": func() error {
			_, err := w.AskNewPasskey(t.Context(), w.admin, backoffice.AskNewPasskey{Origin: console})
			return err
		},
		"adding one": func() error {
			_, err := w.AddPasskey(t.Context(), w.admin, backoffice.AddPasskey{Name: "n"})
			return err
		},
		"confirming": func() error {
			_, err := w.AskConfirm(t.Context(), w.admin, backoffice.AskConfirm{Origin: console})
			return err
		},
		"confirming it": func() error { _, err := w.ConfirmWithPasskey(t.Context(), w.admin, backoffice.Answered{}); return err },
	} {
		if err := try(); !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
