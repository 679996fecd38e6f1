package backoffice_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/alerts"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// step is how the walk takes an operation: who may carry it out, and with what request
// in a world that it prepares. The roles are typed by hand, by their first letters.
type step struct {
	roles   string
	request func(*testing.T, *world) any
}

const everybody = "AIRP"

// steps has every operation of the table.
func steps() map[string]step {
	return map[string]step{
		"session.confirm": {everybody, with(backoffice.Confirm{Password: goodPassword})},
		"session.list":    {everybody, with(kernel.Nothing{})},
		"session.end-all": {everybody, with(kernel.Nothing{})},
		"password.change": {everybody, with(backoffice.ChangePassword{Password: "5ec4e7 another good one"})},
		"session.end":     {everybody, nil}, // of the actor's own; see request
		"session.confirm.ask": {everybody, func(t *testing.T, w *world) any {
			w.adds(t, w.asking, "key")
			return backoffice.AskConfirm{Origin: console}
		}},
		"session.confirm.passkey": {everybody, func(t *testing.T, w *world) any {
			w.adds(t, w.asking, "key")
			return answers(do(t, w.AskConfirm, w.asking, backoffice.AskConfirm{Origin: console}), "key")
		}},
		"passkey.list": {everybody, with(kernel.Nothing{})},
		"passkey.ask":  {everybody, with(backoffice.AskNewPasskey{Origin: console})},
		"passkey.add": {everybody, func(t *testing.T, w *world) any {
			asked := do(t, w.AskNewPasskey, w.asking, backoffice.AskNewPasskey{Origin: console})
			return backoffice.AddPasskey{Answered: answers(asked, "key5ec4e7"), Name: "5ec4e7"}
		}},
		"passkey.remove": {everybody, func(t *testing.T, w *world) any {
			w.adds(t, w.asking, "key5ec4e7")
			return backoffice.RemovePasskey{ID: "key5ec4e7"}
		}},
		"filter.save": {everybody, with(operator.Filter{Name: "5ec4e7", Page: "/requests", Query: "code=5ec4e7"})},
		"filter.remove": {everybody, func(t *testing.T, w *world) any {
			do(t, w.SaveFilter, w.asking, operator.Filter{Name: "5ec4e7", Page: "/requests", Query: "code=5ec4e7"})
			return backoffice.RemoveFilter{Page: "/requests", Name: "5ec4e7"}
		}},
		"operator.list":     {"A", with(kernel.Nothing{})},
		"operator.invite":   {"A", with(invitation)},
		"operator.recover":  {"A", with(backoffice.OperatorPath{ID: 2})},
		"operator.withdraw": {"A", withdrawal},
		"operator.change":   {"A", with(backoffice.ChangeOperator{ID: 2, Name: "5ec4e7 Anne", Post: backoffice.Post{Role: "reader", Sites: []int64{2}}})},
		"operator.disable":  {"A", with(backoffice.DisableOperator{ID: 2, Disabled: true})},
		"audit.list":        {"AP", with(backoffice.ListAudit{})},
		"credential.list":   {"AI", with(kernel.Nothing{})},
		"credential.get":    {"AI", with(backoffice.CredentialPath{ID: "website"})},
		"credential.create": {"AI", with(portal("portal"))},
		"credential.update": {"AI", func(t *testing.T, w *world) any {
			w.portal(t)
			return portal("known")
		}},
		"credential.disable": {"AI", func(t *testing.T, w *world) any {
			w.portal(t)
			return backoffice.DisableCredential{ID: "known", Disabled: true}
		}},
		"credential.rotate": {"AI", func(t *testing.T, w *world) any {
			w.portal(t)
			return tokens.RotateSecret{Credential: "known"}
		}},
		"credential.revoke": {"AI", func(t *testing.T, w *world) any {
			w.portal(t)
			return backoffice.CredentialPath{ID: "known"}
		}},
		"credential.presets":  {"AI", with(kernel.Nothing{})},
		"credential.callable": {"AI", with(backoffice.Picked{Packs: []string{"websites"}})},
		"credential.tokens.revoke": {"AI", func(t *testing.T, w *world) any {
			w.portal(t)
			return backoffice.CredentialPath{ID: "known"}
		}},
		"key.create": {"AI", func(t *testing.T, w *world) any {
			w.portal(t)
			return tokens.KeyInput{Credential: "known", Name: "nightly", Site: 1, Packs: []string{"websites"}}
		}},
		"key.revoke": {"AI", func(t *testing.T, w *world) any {
			w.portal(t)
			made := do(t, w.CreateKey, w.admin, tokens.KeyInput{Credential: "known", Name: "nightly", Site: 1, Packs: []string{"websites"}})
			return tokens.NamedKey{Credential: "known", ID: made.ID}
		}},
		"webhook.create": {"AI", with(on(backoffice.CreateWebhook{Credential: "full", CreateHook: secretHook()}))},
		"webhook.update": {"AI", func(t *testing.T, w *world) any {
			in := hooks.UpdateHook{ID: w.hook(t), URL: opt.Of("https://portal.example.org/5ec4e7")}
			in.Origines, in.Headers = opt.Of([]string{"PRODUCT_CREATE"}), opt.Of(map[string]string{"X-Secret": "5ec4e7"})
			return on(in)
		}},
		"webhook.delete":        {"AI", func(t *testing.T, w *world) any { return on(hooks.DeleteHook{ID: w.hook(t)}) }},
		"webhook.test":          {"AI", func(t *testing.T, w *world) any { return on(hooks.HookPath{ID: w.hook(t)}) }},
		"webhook.secret.read":   {"AI", func(t *testing.T, w *world) any { return on(hooks.HookPath{ID: w.hook(t)}) }},
		"webhook.secret.rotate": {"AI", func(t *testing.T, w *world) any { return on(hooks.HookPath{ID: w.hook(t)}) }},
		"webhook.replay": {"AI", func(t *testing.T, w *world) any {
			return on(hooks.ReplayHook{ID: w.hook(t), AfterEventID: opt.Of[int64](0)})
		}},
		"webhook.redeliver": {"AI", func(t *testing.T, w *world) any {
			hook := w.suspended(t)
			page, err := w.Hooks.ListDeliveries(t.Context(), w.As("full", 1), hooks.ReadDeliveries{ID: hook})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Hooks.UpdateHook(t.Context(), w.As("full", 1), hooks.UpdateHook{ID: hook}); err != nil {
				t.Fatal(err)
			}
			return on(hooks.DeliveryPath{ID: hook, DeliveryID: page.Data[0].ID})
		}},
		"webhook.resume": {"AI", func(t *testing.T, w *world) any { return on(hooks.HookPath{ID: w.suspended(t)}) }},
		"site.create": {"A", with(backoffice.NewSite{
			Name: "5ec4e7", PostalCode: "44000", City: "5ec4e7", Firstname: "5ec4e7", Lastname: "5ec4e7", Email: "5ec4e7@example.org",
		})},
		"site.sum-up":    {everybody, with(kernel.Nothing{})},
		"site.get":       {"A", with(on(kernel.Nothing{}))},
		"agency.create":  {"A", with(on(backoffice.AgencyInput{Agency: site.Agency{Name: "5ec4e7"}}))},
		"agency.change":  {"A", with(on(backoffice.AgencyInput{Agency: site.Agency{ID: 11, Name: "5ec4e7"}, InScope: true}))},
		"user.create":    {"A", with(on(backoffice.UserInput{User: site.User{Agency: 11, Lastname: "5ec4e7", Email: "5ec4e7@example.org"}}))},
		"user.change":    {"A", with(on(backoffice.UserInput{User: site.User{ID: 101, Agency: 12, Lastname: "5ec4e7"}}))},
		"site.settings":  {"A", with(on(office.ChangeSettings{Timezone: opt.Of("Europe/Brussels")}))},
		"site.criterion": {"A", with(on(office.ChangeCriterionValues{Criteria: "Equipements", Values: reversed("ALARME", "CHEMINEE", "PISCINE")}))},
		"site.list":      {"A", with(on(office.ChangeListValues{List: 2, Values: reversed("S", "N")}))},
		"import.list":    {"AI", with(on(transfer.ListImportRuns{}))},
		"import.get":     {"AI", func(t *testing.T, w *world) any { return on(transfer.ImportRunPath{ID: w.imported(t)}) }},
		"import.report": {"AI", func(t *testing.T, w *world) any {
			return on(transfer.ReadImportReport{ID: w.imported(t)})
		}},
		"import-source.list":   {"AI", with(on(kernel.Nothing{}))},
		"import-source.get":    {"AI", func(t *testing.T, w *world) any { return on(transfer.ImportSourcePath{ID: w.sourced(t)}) }},
		"import-source.run":    {"AI", func(t *testing.T, w *world) any { return on(transfer.RunImportSource{ID: w.sourced(t)}) }},
		"import-source.save":   {"AI", with(on(transfer.SetupImportSource{Name: "Nantes", URL: "https://u:5ec4e7@feeds.example/x", AgencyID: 11}))},
		"import-source.delete": {"AI", func(t *testing.T, w *world) any { return on(transfer.ImportSourcePath{ID: w.sourced(t)}) }},
		"publication-target.save": {"AI", with(on(transfer.SetupPublicationTarget{
			Name: "Portail", URL: "https://u:5ec4e7@portal.example/x", Agencies: map[string]int64{"A": 11},
		}))},
		"publication-target.delete": {"AI", func(t *testing.T, w *world) any { return on(portals.TargetPath{ID: w.targeted(t)}) }},
		"import-source.pause": {"AI", func(t *testing.T, w *world) any {
			return on(transfer.PauseImportSource{ID: w.sourced(t), Paused: true})
		}},
		"publication-target.list":  {"AI", with(on(kernel.Nothing{}))},
		"publication-target.get":   {"AI", func(t *testing.T, w *world) any { return on(portals.TargetPath{ID: w.targeted(t)}) }},
		"publication-target.send":  {"AI", func(t *testing.T, w *world) any { return on(portals.TargetPath{ID: w.targeted(t)}) }},
		"publication-target.pause": {"AI", func(t *testing.T, w *world) any { return on(portals.PauseTarget{ID: w.targeted(t), Paused: true}) }},
		"publication-target.reject": {"AI", func(t *testing.T, w *world) any {
			return on(portals.RejectListing{ID: w.targeted(t), Product: 1, Reason: "no"})
		}},
		"alert.list": {"A", with(kernel.Nothing{})},
		"alert.silence": {"A", func(t *testing.T, w *world) any {
			key := alert.Key{Cause: "import-source", Site: 1, Subject: "1"}
			if err := w.Kernel().Store.Update(t.Context(), func(tx port.Tx) error {
				return tx.Alerts().PutBoard(alert.Board{ID: alert.TheBoard, Standing: []alert.Standing{{Condition: alert.Condition{Key: key}}}})
			}); err != nil {
				t.Fatal(err)
			}
			return alerts.Silence{Key: key}
		}},
		"alert-channel.create": {"A", with(alertChannel)},
		"alert-channel.update": {"A", func(t *testing.T, w *world) any {
			return alerts.UpdateChannel{ID: w.alertChannel(t), ChannelInput: alertChannel, NewSecret: true}
		}},
		"alert-channel.test":    {"A", func(t *testing.T, w *world) any { return alerts.ChannelPath{ID: w.alertChannel(t)} }},
		"alert-channel.delete":  {"A", func(t *testing.T, w *world) any { return alerts.ChannelPath{ID: w.alertChannel(t)} }},
		"import.start":          {"AI", func(*testing.T, *world) any { return listings() }},
		"import.carry-out":      {"AI", func(t *testing.T, w *world) any { return on(transfer.ImportRunPath{ID: w.tried(t)}) }},
		"import.undo":           {"AI", func(t *testing.T, w *world) any { return on(transfer.ImportRunPath{ID: w.done(t)}) }},
		"import.stop":           {"AI", func(t *testing.T, w *world) any { return on(transfer.ImportRunPath{ID: w.imported(t)}) }},
		"request.find":          {"AIR", with(backoffice.FindRequests{Sites: []site.ID{1}})},
		"request.get":           {"AIR", with(on(backoffice.RequestPath{ID: "req_plain"}))},
		"request.count":         {"AIR", with(on(backoffice.CountRequests{Step: time.Minute}))},
		"request.sign-ins":      {"AIR", with(on(backoffice.CountRequests{Step: time.Minute}))},
		"request.find-siteless": {"AIR", with(backoffice.FindRequests{})},
		"request.readiness":     {"AIR", with(on(kernel.Nothing{}))},
		"lead.hand-on": {"A", func(t *testing.T, w *world) any {
			return on(people.UpdateLead{ID: w.lead(t), UserID: opt.Of[int64](101)})
		}},
		"person.find":      {"AP", with(on(backoffice.FindPerson{Email: "eloise@example.org"}))},
		"person.export":    {"AP", with(on(people.CustomerPath{ID: 1001}))},
		"person.anonymize": {"AP", with(on(backoffice.AnonymizePerson{ID: 1001, Name: "éloïse lefèvre "}))},
	}
}

var invitation = backoffice.InviteOperator{Email: "5ec4e7@example.org", Name: "5ec4e7", Post: backoffice.Post{Role: "reader", Sites: []int64{1, 2}}}

var alertChannel = alerts.ChannelInput{Kind: "webhook", Signed: true, Address: "https://portal.example.org/5ec4e7", Least: "warning", Digest: "at once"}

// alertChannel is a channel of alerts.
func (w *world) alertChannel(t *testing.T) int64 {
	t.Helper()
	return int64(do(t, w.CreateAlertChannel, w.admin, alertChannel).ID)
}

// with is a request that needs no preparation.
func with(in any) func(*testing.T, *world) any { return func(*testing.T, *world) any { return in } }

// on is a request about site 1.
func on[In any](in In) backoffice.At[In] { return backoffice.At[In]{Site: 1, In: in} }

func reversed(models ...string) (values []office.ValueChange) {
	for _, model := range models {
		values = append(values, office.ValueChange{Model: model})
	}
	return values
}

func secretHook() hooks.CreateHook {
	in := apitest.HookFor("PRODUCT_CREATE")
	in.URL, in.Headers = opt.Of("https://portal.example.org/5ec4e7?key=5ec4e7"), opt.Of(map[string]string{"Authorization": "5ec4e7"})
	return in
}

func portal(id string) tokens.CredentialInput {
	return tokens.CredentialInput{
		ID: id, Name: "Portal", Secret: "5ec4e7", Sites: []int64{1}, Packs: []string{"websites", "webhooks"}, Permissions: []string{"SITE_PRODUCT:READ"},
		Rights: []string{"RS:PRODUCT_GET"},
	}
}

func (w *world) portal(t *testing.T) {
	t.Helper()
	in := portal("known")
	in.Packs = []string{"websites"}
	do(t, w.CreateCredential, w.admin, in)
}

// hook is an active webhook that an event waits for.
func (w *world) hook(t *testing.T) int64 {
	t.Helper()
	id := w.Subscribe(w.As("full", 1), secretHook())
	w.CreateProduct("Ville", "Lyon")
	return id
}

// suspended is a webhook that missed an event.
func (w *world) suspended(t *testing.T) int64 {
	t.Helper()
	id := w.hook(t)
	in := hooks.UpdateHook{ID: id, Status: opt.Of("suspended")}
	if _, err := w.Hooks.UpdateHook(t.Context(), w.As("full", 1), in); err != nil {
		t.Fatal(err)
	}
	return id
}

func (w *world) lead(t *testing.T) int64 {
	t.Helper()
	in := people.CreateBuyerLead{}
	in.AgencyID, in.Lastname, in.Email = opt.Of[int64](11), opt.Of("5ec4e7"), opt.Of("5ec4e7@example.org")
	made, err := w.People.CreateBuyerLead(t.Context(), w.As("full", 1), in)
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// listings is a request to import a file, whose name may tell of people.
func listings() backoffice.At[transfer.StartImport] {
	return on(transfer.StartImport{Agency: opt.Of[int64](11), Name: "5ec4e7.csv", File: strings.NewReader("5ec4e7")})
}

// imported is a dry run that nobody carries out yet.
func (w *world) imported(t *testing.T) int64 {
	t.Helper()
	return do(t, w.StartImport, w.admin, listings()).ID
}

// sourced is an import source.
func (w *world) sourced(t *testing.T) int64 {
	t.Helper()
	if err := w.Kernel().Store.Update(t.Context(), func(tx port.Tx) error {
		return tx.ImportSources().Put(operator.ImportSource{ID: 1, Site: 1, Name: "Nantes", Settings: operator.SourceSettings{Agency: 11}})
	}); err != nil {
		t.Fatal(err)
	}
	return 1
}

// targeted is a publication target that has a product.
func (w *world) targeted(t *testing.T) int64 {
	t.Helper()
	if err := w.Kernel().Store.Update(t.Context(), func(tx port.Tx) error {
		if err := tx.PublicationTargets().Put(operator.PublicationTarget{ID: 1, Site: 1, Name: "Portail"}); err != nil {
			return err
		}
		return tx.Placements().Put(operator.Placements{Site: 1, Product: 1, On: []operator.Placement{{Target: 1}}})
	}); err != nil {
		t.Fatal(err)
	}
	return 1
}

// tried is a dry run that is over.
func (w *world) tried(t *testing.T) int64 {
	t.Helper()
	id := w.imported(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Imports.Run(ctx, oneListing{}, transfer.ImportOptions{Tick: make(chan time.Time), Trouble: func(err error) { t.Error(err) }})
	}()
	for range 5000 {
		if do(t, w.GetImport, w.admin, on(transfer.ImportRunPath{ID: id})).State != operator.ImportRunning {
			break
		}
		time.Sleep(time.Millisecond)
	}
	stop()
	<-ended
	return id
}

// done is a real run that is over.
func (w *world) done(t *testing.T) int64 {
	t.Helper()
	id := w.imported(t)
	if err := w.Kernel().Store.Update(t.Context(), func(tx port.Tx) error {
		run, err := tx.Imports().Get(1, operator.ImportRunID(id))
		if err != nil {
			return err
		}
		run.DryRun, run.State, run.Created = false, operator.ImportDone, 1
		return tx.Imports().Save(run, nil)
	}); err != nil {
		t.Fatal(err)
	}
	return id
}

// oneListing reads any file as one with a listing that says nothing.
type oneListing struct{}

// Open implements transfer.ImportFiles.
func (oneListing) Open(_ context.Context, content io.Reader, _ string) (transfer.ImportFile, error) {
	_, err := io.Copy(io.Discard, content)
	return oneListing{}, err
}

// Count implements transfer.ImportFile.
func (oneListing) Count(context.Context) (int, error) { return 1, nil }

// Listings implements transfer.ImportFile.
func (oneListing) Listings(context.Context) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) { yield(transfer.Listing{Reference: "A-1"}, nil) }
}

// Close implements transfer.ImportFile.
func (oneListing) Close() error { return nil }

func withdrawal(t *testing.T, w *world) any {
	do(t, w.InviteOperator, w.admin, invitation)
	return backoffice.WithdrawInvitation{ID: do(t, w.ListOperators, w.admin, kernel.Nothing{}).Invitations[0].ID}
}

// requestOf prepares the world for an operation of an actor.
func (s step) requestOf(t *testing.T, w *world, a backoffice.Actor) any {
	t.Helper()
	w.asking = a
	if s.request == nil {
		return backoffice.EndSession{ID: string(a.Session.Hash)}
	}
	return s.request(t, w)
}

// watched is a store that counts what is committed, and refuses entries of the audit
// when it is told to.
type watched struct {
	port.Store
	commits atomic.Int64
	noAudit atomic.Bool
}

var errNoAudit = errors.New("no entry can be stored")

// Update implements port.Store.
func (s *watched) Update(ctx context.Context, fn func(port.Tx) error) error {
	err := s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: watchedTx{tx.Roles, s}}) })
	if err == nil {
		s.commits.Add(1)
	}
	return err
}

type watchedTx struct {
	port.Roles
	s *watched
}

// Records implements port.Roles.
func (t watchedTx) Records() port.Records { return watchedRecords{t.Roles.Records(), t.s} }

type watchedRecords struct {
	port.Records
	s *watched
}

// Put implements port.Records.
func (r watchedRecords) Put(k port.Kind, record any) error {
	if _, isEntry := record.(*operator.Entry); isEntry && r.s.noAudit.Load() {
		return errNoAudit
	}
	return r.Records.Put(k, record)
}

// second is a world with somebody else in it, operator 2, over a watched store.
func second(t *testing.T) (*world, *watched) {
	t.Helper()
	store := &watched{Store: memstore.New()}
	w := over(t, withRequests(t, apitest.Over(t, store)))
	var err error
	if w.Service, err = backoffice.New(w.World.Service, w.passwords, backoffice.Passkeys(&webAuthn{})); err != nil {
		t.Fatal(err)
	}
	w.operator(t, "anne@example.org", operator.Integrator, 1)
	return w, store
}

func TestTheWalkTakesEveryOperation(t *testing.T) {
	w, known := newWorld(t), steps()
	for _, o := range w.Operations() {
		if _, taken := known[o.ID]; !taken {
			t.Errorf("%s is not in steps: say who may do it, and with what request", o.ID)
		}
		delete(known, o.ID)
	}
	for id := range known {
		t.Errorf("there is no operation %s", id)
	}
}

// unaudited are the operations that store something and leave no entry: what a browser
// is asked, and that somebody showed who they are.
var unaudited = map[string]bool{
	"session.confirm": true, "session.confirm.ask": true, "session.confirm.passkey": true, "passkey.ask": true,
}

// spent are the units that an operation commits whatever comes of it: a challenge is
// good once, and an id is drawn before the file is kept under it.
var spent = map[string]int64{"passkey.add": 1, "import.start": 1}

// TestWhatChangesSomethingLeavesOneEntry: and what changes nothing leaves none; no
// entry has a secret in it, or anything personal.
func TestWhatChangesSomethingLeavesOneEntry(t *testing.T) {
	for id, s := range steps() {
		t.Run(id, func(t *testing.T) {
			w, store := second(t)
			o := w.line(t, id)
			in := s.requestOf(t, w, w.admin)
			before, commits := len(w.audit(t)), store.commits.Load()
			answer, err := o.Call(t.Context(), w.admin, in)
			if err != nil {
				t.Fatal(err)
			}
			entries := w.audit(t)
			left := entries[:len(entries)-before]
			if !o.Audited {
				if committed := store.commits.Load() - commits; committed > 0 && !unaudited[id] || len(left) > 0 {
					t.Errorf("%d units were committed, and %d entries left, by what is not audited", committed, len(left))
				}
				return
			}
			if len(left) != 1 || left[0].Operation != id || left[0].Operator != w.admin.Operator.ID || left[0].Peer != w.admin.Peer {
				t.Fatalf("it left %+v", left)
			}
			text := strings.ToLower(fmt.Sprintf("%+v", left[0]))
			for _, secret := range secretsOf(answer) {
				if strings.Contains(text, strings.ToLower(secret)) {
					t.Errorf("%q is in the entry %s", secret, text)
				}
			}
		})
	}
}

// secretsOf are what no entry may say: canaries of requests, a person, a password, and
// the secret that is answered.
func secretsOf(answer any) []string {
	secrets := []string{"5ec4e7", "eloise", "lefèvre", goodPassword, "root@example.org", "anne@example.org"}
	switch answer := answer.(type) {
	case backoffice.Secret:
		secrets = append(secrets, answer.Secret)
	case backoffice.Link:
		secrets = append(secrets, answer.Secret)
	case alerts.SavedChannel:
		secrets = append(secrets, answer.Secret)
	case tokens.CreatedKey:
		secrets = append(secrets, answer.Text)
	case hooks.HookSecret:
		secrets = append(secrets, answer.Secret)
	}
	return secrets
}

// TestNothingIsDoneThatCannotBeWrittenDown: where the entry cannot be stored, neither
// is the effect, nor is a secret handed out.
func TestNothingIsDoneThatCannotBeWrittenDown(t *testing.T) {
	for id, s := range steps() {
		t.Run(id, func(t *testing.T) {
			w, store := second(t)
			o := w.line(t, id)
			if !o.Audited {
				t.Skip("leaves no entry")
			}
			in := s.requestOf(t, w, w.admin)
			store.noAudit.Store(true)
			before := store.commits.Load()
			answer, err := o.Call(t.Context(), w.admin, in)
			if !errors.Is(err, errNoAudit) {
				t.Errorf("answered %+v, %v", answer, err)
			}
			if committed := store.commits.Load() - before; committed > spent[id] {
				t.Errorf("%d units were committed", committed)
			}
		})
	}
}

// TestRolesDoWhatTheTableSays: what a role may not do is refused whoever asks and
// wherever, changes nothing and leaves no entry.
func TestRolesDoWhatTheTableSays(t *testing.T) {
	for id, s := range steps() {
		t.Run(id, func(t *testing.T) {
			for _, role := range operator.Roles() {
				w, store := second(t)
				o := w.line(t, id)
				sites := []int64{1, 2}
				if everywhere[id] {
					sites = nil
				}
				a := w.operator(t, "somebody@example.org", role, sites...)
				in := s.requestOf(t, w, a)
				before, commits := len(w.audit(t)), store.commits.Load()
				_, err := o.Call(t.Context(), a, in)
				may := strings.Contains(s.roles, strings.ToUpper(string(role[:1])))
				if may {
					if err != nil {
						t.Errorf("%s is refused: %v", role, err)
					}
					continue
				}
				if !errors.Is(err, fault.Forbidden) || store.commits.Load() != commits || len(w.audit(t)) != before {
					t.Errorf("%s: %v, with %d units and %d entries", role, err, store.commits.Load()-commits, len(w.audit(t))-before)
				}
			}
		})
	}
}

// TestASiteIsOutOfReachWithoutTheRoleThere takes every operation about a site to an
// administrator of another one.
func TestASiteIsOutOfReachWithoutTheRoleThere(t *testing.T) {
	taken := 0
	for id, s := range steps() {
		w, store := second(t)
		elsewhere := w.operator(t, "elsewhere@example.org", operator.Administrator, 2)
		o := w.line(t, id)
		if !strings.HasPrefix(o.In.Name(), "At[") {
			continue
		}
		taken++
		in := s.requestOf(t, w, elsewhere)
		before, commits := len(w.audit(t)), store.commits.Load()
		_, err := o.Call(t.Context(), elsewhere, in)
		apitest.Refused(t, err, fault.Forbidden, fault.CodeSiteOutOfScope)
		if store.commits.Load() != commits || len(w.audit(t)) != before {
			t.Errorf("%s changed something", id)
		}
	}
	if taken < 15 {
		t.Errorf("only %d operations are about a site", taken)
	}
	w, _ := second(t)
	elsewhere := w.operator(t, "elsewhere@example.org", operator.Administrator, 2)
	if _, err := w.Enter(t.Context(), elsewhere, 1); !errors.Is(err, fault.Forbidden) {
		t.Errorf("to enter: %v", err)
	}
	if found, err := w.Sites(t.Context(), elsewhere); err != nil || len(found) != 1 || found[0].ID != 2 {
		t.Errorf("the sites are %+v, %v", found, err)
	}
}

// everywhere are the operations that are for operators of all sites, typed by hand.
var everywhere = map[string]bool{
	"site.create": true, "request.find-siteless": true, "alert-channel.create": true, "alert-channel.update": true, "alert-channel.test": true, "alert-channel.delete": true,
}

// mustProve are the operations that ask for the password again, typed by hand.
var mustProve = map[string]bool{
	"password.change": true, "passkey.add": true, "passkey.remove": true, "operator.invite": true, "operator.recover": true, "operator.withdraw": true, "operator.change": true,
	"operator.disable": true, "credential.create": true, "credential.rotate": true, "credential.revoke": true, "key.create": true,
	"webhook.secret.read": true, "webhook.secret.rotate": true, "person.anonymize": true, "site.create": true,
}

func TestThePasswordIsAskedForAgain(t *testing.T) {
	w, _ := second(t)
	w.Clock.Advance(operator.Recent)
	for id, s := range steps() {
		o := w.line(t, id)
		if o.Reauthenticate != mustProve[id] {
			t.Errorf("%s requires authentication: %v", id, o.Reauthenticate)
		}
		if !o.Reauthenticate {
			continue
		}
		if _, err := o.Call(t.Context(), w.admin, w.staleRequest(t, s)); !errors.Is(err, backoffice.ErrNotProved) || !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", id, err)
		}
	}
	do(t, w.Confirm, w.admin, backoffice.Confirm{Password: goodPassword})
	if _, err := w.Confirm(t.Context(), w.admin, backoffice.Confirm{Password: "wrong"}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("a wrong password: %v", err)
	}
}

// staleRequest is a request of the right type, which is refused before it is looked at.
func (w *world) staleRequest(t *testing.T, s step) any {
	t.Helper()
	fresh, _ := second(t)
	return s.requestOf(t, fresh, fresh.admin)
}

func TestNobodyDoesAnythingUnlessSignedIn(t *testing.T) {
	w, store := second(t)
	for id, s := range steps() {
		in := w.staleRequest(t, s)
		commits := store.commits.Load()
		if _, err := w.line(t, id).Call(t.Context(), backoffice.Actor{}, in); !errors.Is(err, fault.Unauthenticated) || store.commits.Load() != commits {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// line is an operation of the table.
func (w *world) line(t *testing.T, id string) backoffice.Operation {
	t.Helper()
	for _, o := range w.Operations() {
		if o.ID == id {
			return o
		}
	}
	t.Fatalf("there is no operation %s", id)
	return backoffice.Operation{}
}
