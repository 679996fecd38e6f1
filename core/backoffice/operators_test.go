package backoffice_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

func TestAnInvitationIsGoodOnceAndForThreeDays(t *testing.T) {
	w := newWorld(t)
	link := do(t, w.InviteOperator, w.admin, invitation)
	offered, err := w.Invitation(t.Context(), link.Secret)
	if err != nil || offered.Email != invitation.Email || offered.Role != operator.Reader || offered.SetUp || offered.Known {
		t.Errorf("it offers %+v, %v", offered, err)
	}
	w.accept(t, backoffice.Accept{Secret: link.Secret})
	in := backoffice.Accept{Secret: link.Secret, Password: goodPassword}
	if _, err := w.Accept(t.Context(), in); !errors.Is(err, fault.NotFound) {
		t.Errorf("the second time: %v", err)
	}
	another := invitation
	another.Email = "late@example.org"
	in.Secret = do(t, w.InviteOperator, w.admin, another).Secret
	w.Clock.Advance(operator.InvitedFor)
	if _, err := w.Accept(t.Context(), in); !errors.Is(err, fault.NotFound) {
		t.Errorf("too late: %v", err)
	}
}

// TestTheLastInvitationOfSomebodyIsTheOneThatIsGood: and none is left when they came.
func TestTheLastInvitationOfSomebodyIsTheOneThatIsGood(t *testing.T) {
	w := newWorld(t)
	first := do(t, w.InviteOperator, w.admin, invitation)
	second := do(t, w.InviteOperator, w.admin, invitation)
	if _, err := w.Accept(t.Context(), backoffice.Accept{Secret: first.Secret, Password: goodPassword}); !errors.Is(err, fault.NotFound) {
		t.Errorf("the former link: %v", err)
	}
	invitations := func() int { return len(do(t, w.ListOperators, w.admin, kernel.Nothing{}).Invitations) }
	if n := invitations(); n != 1 {
		t.Errorf("%d invitations are listed", n)
	}
	// Another server may have made one at the same moment.
	meanwhile := operator.Invitation{Hash: "made elsewhere", Email: invitation.Email, Name: "A", Role: operator.Reader, Sites: []site.ID{1}, Expires: w.Clock.Now().Add(time.Hour)}
	w.Update(func(tx port.Tx) error { return tx.Invitations().Put(meanwhile) })
	came := w.accept(t, backoffice.Accept{Secret: second.Secret})
	if n := invitations(); n != 0 {
		t.Errorf("%d invitations are left", n)
	}
	back := backoffice.OperatorPath{ID: int64(came.Actor.Operator.ID)}
	lost := do(t, w.RecoverOperator, w.admin, back)
	do(t, w.RecoverOperator, w.admin, back)
	if _, err := w.Accept(t.Context(), backoffice.Accept{Secret: lost.Secret, Password: goodPassword}); !errors.Is(err, fault.NotFound) {
		t.Errorf("the former link of who lost a password: %v", err)
	}
}

// TestNobodyReplacesAnInvitationToMoreThanTheyMayGive: whoever manages the operators of
// one site leaves alone whom somebody else invited to all.
func TestNobodyReplacesAnInvitationToMoreThanTheyMayGive(t *testing.T) {
	w := newWorld(t)
	local := w.operator(t, "l@example.org", operator.Administrator, 2)
	wide := invitation
	wide.Post = backoffice.Post{Role: "administrator", Everywhere: true}
	link := do(t, w.InviteOperator, w.admin, wide)
	narrow := invitation
	narrow.Post = backoffice.Post{Role: "reader", Sites: []int64{2}}
	if _, err := w.InviteOperator(t.Context(), local, narrow); !errors.Is(err, fault.Invalid) {
		t.Errorf("%v", err)
	}
	w.accept(t, backoffice.Accept{Secret: link.Secret})
}

func TestNobodysPasswordIsTheirEmailOrName(t *testing.T) {
	w := empty(t)
	link, _, err := w.SetUp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []string{"claire@example.org", "Claire Example"} {
		in := backoffice.Accept{Secret: link.Secret, Email: "claire@example.org", Name: "Claire", Password: known}
		if _, err := w.Accept(t.Context(), in); !errors.Is(err, fault.Invalid) {
			t.Errorf("%q at the first set-up: %v", known, err)
		}
	}
	w.admin = w.accept(t, backoffice.Accept{Secret: link.Secret, Email: "claire@example.org", Name: "Claire"}).Actor
	if _, err := w.ChangePassword(t.Context(), w.admin, backoffice.ChangePassword{Password: "claire@example.org"}); !errors.Is(err, fault.Invalid) {
		t.Errorf("for another one: %v", err)
	}
	invited := do(t, w.InviteOperator, w.admin, invitation)
	if _, err := w.Accept(t.Context(), backoffice.Accept{Secret: invited.Secret, Password: invitation.Email}); !errors.Is(err, fault.Invalid) {
		t.Errorf("by an invitation: %v", err)
	}
}

// TestWhoComesInFromOutsideHasNoSession: it would be one that nobody has the secret of.
func TestWhoComesInFromOutsideHasNoSession(t *testing.T) {
	w := empty(t)
	link, _, err := w.SetUp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if came := w.accept(t, backoffice.Accept{Secret: link.Secret, Email: "a@example.org", Name: "A", Outside: true}); came.Secret != "" {
		t.Error("they got the secret of a session")
	}
	in, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "a@example.org", Password: goodPassword})
	if err != nil {
		t.Fatal(err)
	}
	if all := do(t, w.ListSessions, in.Actor, kernel.Nothing{}); len(all) != 1 {
		t.Errorf("the sessions are %+v", all)
	}
}

// TestTheAuditSaysWhatItIsAbout: also where what is done makes the name, or needs more
// than one.
func TestTheAuditSaysWhatItIsAbout(t *testing.T) {
	w, _ := second(t)
	w.portal(t)
	about := func(operation string) operator.Entry {
		t.Helper()
		return do(t, w.ListAudit, w.admin, backoffice.ListAudit{Operation: operation}).Entries[0].Entry
	}
	link := do(t, w.InviteOperator, w.admin, invitation)
	invited := about("operator.invite").Subject
	named := func() string {
		return do(t, w.ListAudit, w.admin, backoffice.ListAudit{Operation: "operator.invite"}).Entries[0].About
	}
	if got := named(); got != invitation.Name {
		t.Errorf("%q is invited", got)
	}
	if !strings.HasPrefix(invited, "invitation ") {
		t.Errorf("the invitation is %q", invited)
	}
	w.accept(t, backoffice.Accept{Secret: link.Secret})
	if got := named(); got != invitation.Name {
		t.Errorf("%q was invited, and came", got)
	}
	if came := about(backoffice.AcceptedEntry); came.Subject != invited || came.Operator == 0 {
		t.Errorf("who came is %+v", came)
	}
	key := do(t, w.CreateKey, w.admin, tokens.KeyInput{Credential: "known", Name: "nightly", Site: 1, Packs: []string{"websites"}})
	do(t, w.RevokeKey, w.admin, tokens.NamedKey{Credential: "known", ID: key.ID})
	if got, want := about("key.revoke").Subject, fmt.Sprintf("credential known, key %d", key.ID); got != want {
		t.Errorf("the key is %q, not %q", got, want)
	}
	begun := w.imported(t)
	if got, want := about("import.start").Subject, fmt.Sprintf("import %d", begun); got != want {
		t.Errorf("the import is %q, not %q", got, want)
	}
	do(t, w.RotateCredential, w.admin, tokens.RotateSecret{Credential: "known"})
	fields := func() (names []string) {
		for _, c := range about("credential.rotate").Changes {
			names = append(names, c.Field)
		}
		return names
	}
	if got := fields(); !slices.Equal(got, []string{"Secret", "Former.Hash", "Former.Until"}) {
		t.Errorf("a rotation changed %q", got)
	}
	do(t, w.RotateCredential, w.admin, tokens.RotateSecret{Credential: "known", AtOnce: true})
	if got := fields(); !slices.Equal(got, []string{"AtOnce", "Secret", "Former.Hash", "Former.Until"}) {
		t.Errorf("a rotation at once changed %q", got)
	}
}

// The link is good once: there is nothing else that would stop it.
func TestALostPasswordIsReplacedOnceAndEndsSessions(t *testing.T) {
	w := newWorld(t)
	in := backoffice.SignIn{Email: "root@example.org", Password: goodPassword}
	former, err := w.SignIn(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	link := do(t, w.RecoverOperator, w.admin, backoffice.OperatorPath{ID: int64(w.admin.Operator.ID)})
	accept := backoffice.Accept{Secret: link.Secret, Password: "another horse battery"}
	came, err := w.Accept(t.Context(), accept)
	if err != nil || came.Actor.Operator.ID != w.admin.Operator.ID {
		t.Fatalf("%+v, %v", came, err)
	}
	if _, err := w.Accept(t.Context(), accept); !errors.Is(err, fault.NotFound) {
		t.Errorf("the second time: %v", err)
	}
	if _, err := w.Identify(t.Context(), former.Secret, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("the session of whoever knew the former password: %v", err)
	}
	if _, err := w.SignIn(t.Context(), in); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("the former password: %v", err)
	}
}

func TestANewPasswordEndsTheOtherSessions(t *testing.T) {
	w := newWorld(t)
	in := backoffice.SignIn{Email: "root@example.org", Password: goodPassword}
	here, _ := w.SignIn(t.Context(), in)
	there, _ := w.SignIn(t.Context(), in)
	do(t, w.ChangePassword, here.Actor, backoffice.ChangePassword{Password: "another horse battery"})
	if _, err := w.Identify(t.Context(), here.Secret, ""); err != nil {
		t.Errorf("here: %v", err)
	}
	if _, err := w.Identify(t.Context(), there.Secret, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("there: %v", err)
	}
	if _, err := w.ChangePassword(t.Context(), here.Actor, backoffice.ChangePassword{Password: "short"}); !errors.Is(err, fault.Invalid) {
		t.Errorf("a short one: %v", err)
	}
}

func TestNobodyEndsTheSessionOfSomebodyElse(t *testing.T) {
	w := newWorld(t)
	a := w.operator(t, "a@example.org", operator.Administrator)
	if _, err := w.EndSession(t.Context(), a, backoffice.EndSession{ID: string(w.admin.Session.Hash)}); !errors.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
	if left := do(t, w.ListSessions, w.admin, kernel.Nothing{}); len(left) != 1 || !left[0].Current {
		t.Errorf("%+v", left)
	}
}

func TestSomebodyIsLeftWhoCanDoEverything(t *testing.T) {
	w := newWorld(t)
	root := int64(w.admin.Operator.ID)
	demote := backoffice.ChangeOperator{ID: root, Name: "Root", Post: backoffice.Post{Role: "administrator", Sites: []int64{1}}}
	w.operator(t, "limited@example.org", operator.Administrator, 1, 2)
	refused := func() {
		t.Helper()
		for _, err := range []error{
			failing(w.DisableOperator(t.Context(), w.admin, backoffice.DisableOperator{ID: root, Disabled: true})),
			failing(w.ChangeOperator(t.Context(), w.admin, demote)),
		} {
			if !errors.Is(err, fault.Conflict) {
				t.Errorf("%v", err)
			}
		}
	}
	refused()
	other := w.operator(t, "other@example.org", operator.Administrator)
	do(t, w.DisableOperator, w.admin, backoffice.DisableOperator{ID: int64(other.Operator.ID), Disabled: true})
	refused()
	do(t, w.DisableOperator, w.admin, backoffice.DisableOperator{ID: int64(other.Operator.ID)})
	do(t, w.ChangeOperator, w.admin, demote)
}

func TestADisabledOperatorIsOutAtOnce(t *testing.T) {
	w := newWorld(t)
	w.operator(t, "a@example.org", operator.Reader)
	in := backoffice.SignIn{Email: "a@example.org", Password: goodPassword, Peer: "192.0.2.1"}
	came, err := w.SignIn(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	do(t, w.DisableOperator, w.admin, backoffice.DisableOperator{ID: int64(came.Actor.Operator.ID), Disabled: true})
	if _, err := w.Identify(t.Context(), came.Secret, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("the session: %v", err)
	}
	if _, err := w.SignIn(t.Context(), in); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("to sign in: %v", err)
	}
	if last := w.audit(t)[0]; last.Operation != backoffice.RefusedEntry || last.Operator != came.Actor.Operator.ID {
		t.Errorf("the audit says %+v", last)
	}
}

// TestTheLockoutHolds: ten failures from an address, a hundred of an account from
// whichever, and ten in a browser where its operator signed in before, keep even the
// right password out of that address, of all addresses, and of that browser, until the
// minute is over. From another address, and in such a browser, there is a way in meanwhile.
func TestTheLockoutHolds(t *testing.T) {
	const owner, away = "198.51.100.1", "203.0.113.77"
	from := func(peer string) backoffice.SignIn {
		return backoffice.SignIn{Email: "root@example.org", Password: "wrong", Peer: peer}
	}
	for name, c := range map[string]struct {
		failures int
		wrong    func(i int, browser string) backoffice.SignIn
		// keptOut are whether the owner's address, another one, and the browser are.
		keptOut [3]bool
	}{
		"of the account, from one address": {operator.MaxFailures, func(int, string) backoffice.SignIn { return from(owner) }, [3]bool{true, false, false}},
		"of the account, from ten addresses": {operator.MaxFailures, func(i int, _ string) backoffice.SignIn {
			return from(fmt.Sprint("192.0.2.", i))
		}, [3]bool{}},
		"of the account, from a hundred addresses": {operator.MaxAccountFailures, func(i int, _ string) backoffice.SignIn {
			return from(fmt.Sprint("192.0.2.", i))
		}, [3]bool{true, true, false}},
		"of others, from one address": {operator.MaxFailures, func(i int, _ string) backoffice.SignIn {
			return backoffice.SignIn{Email: fmt.Sprintf("o%d@example.org", i), Password: "wrong", Peer: owner}
		}, [3]bool{true, false, false}},
		"in the browser": {operator.MaxFailures, func(i int, browser string) backoffice.SignIn {
			in := from(fmt.Sprint("192.0.2.", i))
			in.Browser = browser
			return in
		}, [3]bool{false, false, true}},
		"in a browser of somebody else": {operator.MaxFailures, func(int, string) backoffice.SignIn {
			in := from(owner)
			in.Browser = "1.made up.0123"
			return in
		}, [3]bool{true, false, false}},
	} {
		w := newWorld(t)
		came, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "root@example.org", Password: goodPassword, Peer: owner})
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.failures {
			if _, err := w.SignIn(t.Context(), c.wrong(i, came.Browser)); !errors.Is(err, fault.Unauthenticated) {
				t.Fatalf("%s, failure %d: %v", name, i, err)
			}
			w.Clock.Advance(time.Millisecond)
		}
		right := backoffice.SignIn{Email: "root@example.org", Password: goodPassword}
		ways := []backoffice.SignIn{right, right, right}
		ways[0].Peer, ways[1].Peer, ways[2].Peer, ways[2].Browser = owner, away, owner, came.Browser
		longest := time.Duration(0)
		for i, right := range ways {
			checks := w.passwords.checks
			again, err := w.SignIn(t.Context(), right)
			if !c.keptOut[i] {
				if err != nil || right.Browser != "" && again.Browser != right.Browser {
					t.Errorf("%s, try %d: %+v, %v", name, i, again, err)
				}
				continue
			}
			if !errors.Is(err, fault.Limited) || w.passwords.checks != checks {
				t.Fatalf("%s, try %d: %v", name, i, err)
			}
			wait := fault.From(err).Wait
			if wait <= 0 || wait > time.Minute {
				t.Errorf("%s, try %d: wait %s", name, i, wait)
			}
			longest = max(longest, wait)
		}
		w.Clock.Advance(longest)
		for i, right := range ways {
			if _, err := w.SignIn(t.Context(), right); err != nil {
				t.Errorf("%s, try %d, after the wait: %v", name, i, err)
			}
		}
	}
}

// TestOneWhoIsInConfirmsWhateverOthersTry: who has signed in is counted apart.
func TestOneWhoIsInConfirmsWhateverOthersTry(t *testing.T) {
	w := newWorld(t)
	came, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "root@example.org", Password: goodPassword, Peer: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range operator.MaxAccountFailures {
		_, _ = w.SignIn(t.Context(), backoffice.SignIn{Email: "root@example.org", Password: "wrong", Peer: fmt.Sprint("192.0.2.", i)})
	}
	if _, err := w.Confirm(t.Context(), came.Actor, backoffice.Confirm{Password: goodPassword}); err != nil {
		t.Error(err)
	}
	for range operator.MaxFailures {
		if _, err := w.Confirm(t.Context(), came.Actor, backoffice.Confirm{Password: "wrong"}); !errors.Is(err, fault.Unauthenticated) {
			t.Fatal(err)
		}
	}
	if _, err := w.Confirm(t.Context(), came.Actor, backoffice.Confirm{Password: goodPassword}); !errors.Is(err, fault.Limited) {
		t.Error(err)
	}
}

// TestTheAuditShowsWhatConcernsTheRole: of one site its own entries, and to those who
// handle persons only what was done about persons.
func TestTheAuditShowsWhatConcernsTheRole(t *testing.T) {
	w := newWorld(t)
	privacy := w.operator(t, "p@example.org", operator.Privacy)
	local := w.operator(t, "l@example.org", operator.Administrator, 2)
	do(t, w.ExportPerson, privacy, backoffice.At[people.CustomerPath]{Site: 1, In: people.CustomerPath{ID: 1001}})
	do(t, w.ExportPerson, local, backoffice.At[people.CustomerPath]{Site: 2, In: people.CustomerPath{ID: 2001}})
	sees := func(a backoffice.Actor, in backoffice.ListAudit) (seen []string) {
		for _, e := range do(t, w.ListAudit, a, in).Entries {
			seen = append(seen, fmt.Sprintf("%s %d by %s", e.Operation, e.Site, e.Name))
		}
		return seen
	}
	here, there := "person.export 1 by Somebody", "person.export 2 by Somebody"
	for name, c := range map[string]struct {
		got, want []string
	}{
		"who handles persons":        {sees(privacy, backoffice.ListAudit{}), []string{there, here}},
		"who asks for more":          {sees(privacy, backoffice.ListAudit{Operation: "operator.invite"}), nil},
		"an administrator of a site": {sees(local, backoffice.ListAudit{}), []string{there}},
		"who asks for another site":  {sees(local, backoffice.ListAudit{Site: 1}), nil},
		"one operation":              {sees(w.admin, backoffice.ListAudit{Operation: "person.export"}), []string{there, here}},
		"one site":                   {sees(w.admin, backoffice.ListAudit{Site: 1}), []string{here}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s sees %v, want %v", name, c.got, c.want)
		}
	}
}

func TestAPersonIsAnonymisedByNameAlone(t *testing.T) {
	w := newWorld(t)
	a := w.operator(t, "p@example.org", operator.Privacy)
	for _, wrong := range []string{"", "Lefèvre", "Somebody Else"} {
		if _, err := w.AnonymizePerson(t.Context(), a, on(backoffice.AnonymizePerson{ID: 1001, Name: wrong})); !errors.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	find := on(backoffice.FindPerson{Email: "eloise@example.org"})
	if found := do(t, w.FindPerson, a, find); len(found) != 1 || found[0].ID != 1001 {
		t.Errorf("found %+v", found)
	}
	do(t, w.AnonymizePerson, a, on(backoffice.AnonymizePerson{ID: 1001, Name: "Éloïse Lefèvre"}))
	if found := do(t, w.FindPerson, a, find); len(found) > 0 {
		t.Errorf("found %+v", found)
	}
	if _, err := w.FindPerson(t.Context(), a, on(backoffice.FindPerson{})); !errors.Is(err, fault.Invalid) {
		t.Errorf("nobody: %v", err)
	}
}

// TestOneOfSeveralSetUpLinksMakesTheFirstOperator: two servers that start at once may
// each have drawn one.
func TestOneOfSeveralSetUpLinksMakesTheFirstOperator(t *testing.T) {
	w := empty(t)
	first, _, err := w.SetUp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second, needed, err := w.SetUp(t.Context())
	if err != nil || !needed {
		t.Fatal(needed, err)
	}
	in := backoffice.Accept{Secret: first.Secret, Email: "a@example.org", Name: "A", Password: goodPassword}
	if _, err := w.Accept(t.Context(), in); !errors.Is(err, fault.NotFound) {
		t.Errorf("a link that was drawn anew: %v", err)
	}
	meanwhile := operator.SetUp(access.Pepper(make([]byte, 32)).Hash("drawn elsewhere"), w.Clock.Now())
	w.Update(func(tx port.Tx) error { return tx.Invitations().Put(meanwhile) })
	in.Secret = second.Secret
	for _, wrong := range []backoffice.Accept{
		{Secret: in.Secret, Email: "nonsense", Name: "A", Password: goodPassword}, {Secret: in.Secret, Email: in.Email, Password: goodPassword},
		{Secret: in.Secret, Email: in.Email, Name: "A", Password: "password12345"}, {Secret: in.Secret, Email: in.Email, Name: "A", Password: "short"},
	} {
		if _, err := w.Accept(t.Context(), wrong); !errors.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	if came, err := w.Accept(t.Context(), in); err != nil || came.Actor.Operator.ID != 1 {
		t.Errorf("%+v, %v", came, err)
	}
	in.Secret, in.Email = "drawn elsewhere", "b@example.org"
	if came, err := w.Accept(t.Context(), in); !errors.Is(err, fault.NotFound) {
		t.Errorf("another first operator: %+v, %v", came, err)
	}
}
