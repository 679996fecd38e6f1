package backoffice_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// client is a client of apitest.Network who has signed in to its portal.
func (w *world) client(t *testing.T, id string) backoffice.Actor {
	t.Helper()
	came, err := w.SignInClient(t.Context(), backoffice.SignInClient{ID: id, Secret: id + "-secret", Peer: "192.0.2.9"})
	if err != nil {
		t.Fatal(err)
	}
	return came.Actor
}

// ownSteps are the requests of what clients do, typed by hand: about what is that of the client full. Those that
// are nil are the ones of steps.
func ownSteps() map[string]func(*testing.T, *world) any {
	key := tokens.KeyInput{Credential: "full", Name: "5ec4e7", Site: 1, Packs: []string{"websites"}}
	return map[string]func(*testing.T, *world) any{
		"session.confirm": with(backoffice.Confirm{Password: "full-secret"}), "session.end": nil,
		"credential.get": with(backoffice.CredentialPath{ID: "full"}), "credential.callable": nil,
		"key.create": with(key),
		"key.revoke": func(t *testing.T, w *world) any {
			return tokens.NamedKey{Credential: "full", ID: do(t, w.CreateKey, w.admin, key).ID}
		},
		"webhook.create": nil, "webhook.update": nil, "webhook.delete": nil, "webhook.test": nil, "webhook.redeliver": nil, "webhook.replay": nil,
		"webhook.resume": nil, "webhook.secret.read": nil, "webhook.secret.rotate": nil,
		"request.find": func(t *testing.T, w *world) any {
			w.asked("full")
			return backoffice.FindRequests{Sites: []site.ID{1}}
		},
		"request.get": func(t *testing.T, w *world) any {
			w.asked("full")
			return on(backoffice.RequestPath{ID: "req_of_full"})
		},
		"request.count":     func(t *testing.T, w *world) any { return on(w.asked("full")) },
		"request.sign-ins":  func(t *testing.T, w *world) any { return on(w.asked("full")) },
		"request.readiness": func(t *testing.T, w *world) any { w.asked("full"); return on(kernel.Nothing{}) },
	}
}

// asked keeps a request of a client at site 1, and one that says it is from it, and returns what asks for their counts.
func (w *world) asked(by access.CredentialID) backoffice.CountRequests {
	now, log := w.Clock.Now(), w.Requests
	id := "req_of_" + string(by)
	log.Record(trace.Request{ID: id, Site: 1, At: now, Operation: "customer.get", Credential: by, Status: 200, Path: "/5ec4e7", Agent: "5ec4e7"})
	log.Record(trace.Request{ID: id + "_refused", At: now, Operation: "token.site", Claimed: by, Status: 401, Agent: "5ec4e7"})
	log.Seen(requests.Seen{Kind: trace.Kind{Site: 1, Operation: "customer.get", Credential: by, Class: 2}, ID: id, At: now, Deprecated: []string{"5ec4e7"}})
	log.Seen(requests.Seen{Kind: trace.Kind{Operation: "5ec4e7", Credential: by, Class: 4}, ID: id, At: now})
	if err := log.Flush(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
	return backoffice.CountRequests{From: now.Add(-time.Hour), Until: now.Add(time.Minute), Step: time.Minute}
}

// ownRequest prepares the world for an operation that is about what is that of the client full.
func ownRequest(t *testing.T, w *world, id string, full backoffice.Actor) any {
	t.Helper()
	if own := ownSteps()[id]; own != nil {
		return own(t, w)
	}
	return steps()[id].requestOf(t, w, full)
}

// TestClientsDoOnlyWhatIsMarked: a client carries out what the table marks, and leaves an entry that names it;
// anything else is refused and changes nothing.
func TestClientsDoOnlyWhatIsMarked(t *testing.T) {
	own := ownSteps()
	for id, s := range steps() {
		w, store := second(t)
		full, o := w.client(t, "full"), w.line(t, id)
		_, marked := own[id]
		if o.Clients != marked {
			t.Errorf("%s is done by clients: %v", id, o.Clients)
		}
		var in any
		if marked {
			in = ownRequest(t, w, id, full)
		} else {
			in = w.staleRequest(t, s)
		}
		before, commits := len(w.audit(t)), store.commits.Load()
		_, err := o.Call(t.Context(), full, in)
		entries := w.audit(t)
		if !marked {
			if !errors.Is(err, fault.Forbidden) || store.commits.Load() != commits || len(entries) != before {
				t.Errorf("%s by a client: %v", id, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s by a client: %v", id, err)
			continue
		}
		if left := entries[:len(entries)-before]; o.Audited && (len(left) != 1 || left[0].Client != "full" || left[0].Operator != 0 || left[0].Peer != "192.0.2.9") {
			t.Errorf("%s left %+v", id, left)
		}
	}
}

// TestAClientHearsNothingOfAnother takes whatever a client does to what is another client's of the same site.
func TestAClientHearsNothingOfAnother(t *testing.T) {
	// What is about nobody else's: what comes of it must say nothing of the other one.
	general := map[string]bool{"credential.callable": true, "webhook.create": true, "request.find": true, "request.count": true, "request.sign-ins": true, "request.readiness": true}
	for id := range ownSteps() {
		w, _ := second(t)
		full, group := w.client(t, "full"), w.client(t, "group")
		in := ownRequest(t, w, id, full)
		before := len(w.audit(t))
		out, err := w.line(t, id).Call(t.Context(), group, in)
		switch {
		case general[id]:
			if text := fmt.Sprintf("%+v", out); err != nil || strings.Contains(text, "5ec4e7") || strings.Contains(text, "full") {
				t.Errorf("%s says %s, %v", id, text, err)
			}
		case id == "session.confirm":
			if !errors.Is(err, fault.Unauthenticated) {
				t.Errorf("another secret: %v", err)
			}
		case !errors.Is(err, fault.NotFound) || len(w.audit(t)) != before:
			t.Errorf("%s of another client: %+v, %v", id, out, err)
		}
	}
	w, _ := second(t)
	group := w.client(t, "group")
	hook := w.hook(t)
	c, err := w.Enter(t.Context(), group, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, missing := w.Hooks.GetHook(t.Context(), c, hooks.HookPath{ID: hook})
	_, uncounted := w.World.Service.Hooks.CountDeliveries(t.Context(), c, hooks.CountDeliveries{ID: hook, Step: time.Minute})
	_, unlisted := w.Hooks.ListDeliveries(t.Context(), c, hooks.ReadDeliveries{ID: hook})
	for _, err := range []error{missing, uncounted, unlisted} {
		apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	}
	if listed, err := w.Hooks.ListHooks(t.Context(), c, hooks.ListHooks{}); err != nil || len(listed.Data) > 0 {
		t.Errorf("it lists %+v, %v", listed.Data, err)
	}
	w.asked("full")
	w.asked("group")
	for id, sees := range map[string]bool{"req_of_group": true, "req_of_group_refused": true, "req_of_full": false, "req_of_full_refused": false} {
		if _, err := w.GetRequest(t.Context(), group, on(backoffice.RequestPath{ID: id})); sees != (err == nil) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// TestASessionOfAClientEndsWithItsSecret: and when the client is disabled or revoked, or the time of sessions is over.
func TestASessionOfAClientEndsWithItsSecret(t *testing.T) {
	for name, ends := range map[string]func(*world){
		"disabled": func(w *world) {
			do(t, w.DisableCredential, w.admin, backoffice.DisableCredential{ID: "full", Disabled: true})
		},
		"revoked": func(w *world) { do(t, w.RevokeCredential, w.admin, backoffice.CredentialPath{ID: "full"}) },
		"rotated": func(w *world) { do(t, w.RotateCredential, w.admin, tokens.RotateSecret{Credential: "full"}) },
		"idle":    func(w *world) { w.Clock.Advance(operator.Idle) },
		"over": func(w *world) {
			for range operator.Longest / (20 * time.Minute) {
				w.Clock.Advance(20 * time.Minute)
			}
		},
	} {
		w := newWorld(t)
		came, err := w.SignInClient(t.Context(), backoffice.SignInClient{ID: "full", Secret: "full-secret"})
		if err != nil {
			t.Fatal(err)
		}
		if a, err := w.Identify(t.Context(), came.Secret, "192.0.2.9"); err != nil || a.Client() != "full" || a.Grant(1).Credential != "full" {
			t.Fatalf("%s: the session is of %q, %v", name, a.Client(), err)
		}
		ends(w)
		_, err = w.Identify(t.Context(), came.Secret, "192.0.2.9")
		apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	}
}

// TestAWrongSecretOfAClientCountsAsAFailedSignIn: whoever guesses is limited by address, and the client itself never.
func TestAWrongSecretOfAClientCountsAsAFailedSignIn(t *testing.T) {
	w, _ := second(t)
	in := backoffice.SignInClient{ID: "full", Secret: "5ec4e7", Peer: "192.0.2.9"}
	for range operator.MaxFailures {
		_, err := w.SignInClient(t.Context(), in)
		apitest.Refused(t, err, fault.Unauthenticated, fault.CodeInvalidClient)
	}
	_, err := w.SignInClient(t.Context(), in)
	apitest.Refused(t, err, fault.Limited, fault.CodeRateLimited)
	_, err = w.SignInClient(t.Context(), backoffice.SignInClient{ID: "nobody", Secret: "5ec4e7", Peer: "192.0.2.10"})
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeInvalidClient)
	_, err = w.SignInClient(t.Context(), backoffice.SignInClient{ID: "disabled", Secret: "disabled-secret", Peer: "192.0.2.10"})
	if !errors.Is(err, fault.Forbidden) {
		t.Errorf("a disabled client: %v", err)
	}
	full := w.client(t, "full")
	if err := w.Requests.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	failed := do(t, w.FindRequests, full, backoffice.FindRequests{Sites: []site.ID{1}, Filter: trace.Filter{SignIns: true}})
	if len(failed.Requests) != operator.MaxFailures+1 || failed.Requests[0].Operation != backoffice.PortalSignIn || failed.Requests[0].Claimed != "full" {
		t.Errorf("it is told of %+v", failed.Requests)
	}
	now := w.Clock.Now()
	count := on(backoffice.CountRequests{From: now.Add(-time.Hour), Until: now.Add(time.Minute), Step: time.Minute})
	for _, s := range do(t, w.CountSignIns, full, count) {
		if want := map[int]int64{2: 1, 4: operator.MaxFailures + 1}[s.Class]; s.Credential != "full" || s.Sum().N != want {
			t.Errorf("there are %d of %s of class %d", s.Sum().N, s.Credential, s.Class)
		}
	}
}

// TestAClientShowsItsSecretAgain before it makes a key or reads the secret of a webhook.
func TestAClientShowsItsSecretAgain(t *testing.T) {
	w := newWorld(t)
	full := w.client(t, "full")
	w.Clock.Advance(operator.Recent)
	in := tokens.KeyInput{Credential: "full", Name: "nightly", Site: 1, Packs: []string{"websites"}}
	if _, err := w.CreateKey(t.Context(), full, in); !errors.Is(err, backoffice.ErrNotProved) {
		t.Errorf("a key is made: %v", err)
	}
	if _, err := w.Confirm(t.Context(), full, backoffice.Confirm{Password: "wrong"}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("a wrong secret: %v", err)
	}
	do(t, w.Confirm, full, backoffice.Confirm{Password: "full-secret"})
	full.Session.Proved = w.Clock.Now()
	do(t, w.CreateKey, full, in)
}

func TestNobodyIsInvitedAsAClient(t *testing.T) {
	w := newWorld(t)
	in := invitation
	in.Role = string(operator.Client)
	_, err := w.InviteOperator(t.Context(), w.admin, in)
	apitest.RefusedField(t, err, fault.CodeInvalidFormat, "role")
}
