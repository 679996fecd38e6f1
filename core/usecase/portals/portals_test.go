package portals_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// portal is the one that a target is about, as an outbox: what it has, and what it answers.
type portal struct {
	has, adding []string
	err         error
	// during is called before a file is handed over.
	during func()
	sent   int
}

func (p *portal) Begin(operator.PublicationTarget, bool) (portals.File, error) {
	p.adding = nil
	return p, nil
}

func (p *portal) Add(_ context.Context, e transfer.Exported) error {
	p.adding = append(p.adding, fmt.Sprintf("%s of %s at %v", e.Reference, e.AgencyCode, e.Criteria["Prix"]))
	return nil
}

func (p *portal) HandOver(ctx context.Context) (string, int64, error) {
	if p.during != nil {
		p.during()
	}
	if err := errors.Join(ctx.Err(), p.err); err != nil {
		return "", 0, err
	}
	p.has = p.adding
	p.sent++
	return "annonces.zip", int64(len(p.has)), nil
}

func (p *portal) Close() error { return nil }

// world has a target of site 1, which is paused at first.
type world struct {
	*apitest.World
	portal *portal
	c      kernel.Caller
}

func newWorld(t *testing.T, change func(*transfer.SetupPublicationTarget)) world {
	t.Helper()
	w := world{apitest.New(t), &portal{}, kernel.Caller{}}
	w.target(change)
	c, err := w.Kernel().System(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	w.c = c
	return w
}

// target provisions the target with other settings.
func (w world) target(change func(*transfer.SetupPublicationTarget)) {
	w.T.Helper()
	s := apitest.Network()
	target := transfer.SetupPublicationTarget{ID: 1, Name: "Portail", Folder: "portail", Agencies: map[string]int64{"NICE": 11, "CANNES": 12}}
	if change != nil {
		change(&target)
	}
	s.Sites[0].PublicationTargets = []transfer.SetupPublicationTarget{target}
	w.Provision(s)
}

// looks has the target looked at when it is due, and returns how that ended.
func (w world) looks() string {
	w.T.Helper()
	w.Clock.Advance(operator.DefaultEvery)
	return w.ends()
}

func (w world) ends() string {
	w.T.Helper()
	return apitest.Once(w.T, func(ctx context.Context, o lease.Options) { w.Portals.Run(ctx, w.portal, o) })
}

func (w world) now() portals.TargetRecord {
	w.T.Helper()
	r, err := w.Portals.Get(w.T.Context(), w.c, portals.TargetPath{ID: 1})
	if err != nil {
		w.T.Fatal(err)
	}
	return r
}

func (w world) is(what, outcome, want, has string) {
	w.T.Helper()
	if got := strings.Join(w.portal.has, "; "); outcome != want || got != has {
		w.T.Errorf("%s: %q, and the portal has %q; want %q and %q; problem: %s", what, outcome, got, want, has, w.now().State.Problem)
	}
}

// report is the report of the last run.
func (w world) report() string {
	w.T.Helper()
	var lines []string
	for _, l := range w.now().Runs[0].Lines {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s", l.Action, l.Reference, l.Why)))
	}
	return strings.Join(lines, "; ")
}

// lists adds a listing that is for the web.
func (w world) lists(reference string, agency, price int64, more ...any) int64 {
	w.T.Helper()
	in := apitest.InAgency(agency)
	in.Model, in.WebStatus = opt.Of(reference), opt.Of(true)
	in.Criteria = apitest.Criteria(append([]any{
		"TypeBien", "Maison", "TypeTransaction", "Vente", "CodePostal", "06000", "Ville", "Nice", "Statut", "EnCours", "Prix", int(price),
	}, more...)...)
	return w.CreateProductAs(w.As("full", 1), in)
}

func (w world) publications(id int64) string {
	w.T.Helper()
	var shown []string
	for _, p := range *w.ReadProduct(w.As("full", 1), id, "publications").Publications {
		text := p.Channel + " " + p.Status
		if p.Error != nil {
			text += " " + *p.Error
		}
		if p.PublishedAt != nil {
			text += " since " + p.PublishedAt.Format(time.TimeOnly)
		}
		shown = append(shown, text)
	}
	return strings.Join(shown, "; ")
}

func TestAPortalHasWhatIsPublishedAndNoMore(t *testing.T) {
	w := newWorld(t, nil)
	a, b := w.lists("A", 11, 1), w.lists("B", 12, 2)
	w.is("at first", w.looks(), "sent", "A of NICE at 1; B of CANNES at 2")
	if got := w.report(); got != "added A; added B" {
		t.Error(got)
	}
	w.is("nothing has changed", w.looks(), "unchanged", "A of NICE at 1; B of CANNES at 2")
	if run := w.now().Runs[0]; len(w.now().Runs) != 1 || w.portal.sent != 1 || run.Listings != 2 || run.File != "annonces.zip" || run.Size != 2 || run.State != operator.TargetSent {
		t.Errorf("%+v", run)
	}
	w.SetCriteria(a, "Prix", 3)
	if _, err := w.Listing.DeleteProduct(t.Context(), w.As("full", 1), listing.DeleteProduct{ID: b}); err != nil {
		t.Fatal(err)
	}
	w.lists("C", 11, 4)
	w.is("one is new, one is changed, one is deleted", w.looks(), "sent", "A of NICE at 3; C of NICE at 4")
	if got := w.report(); got != "changed A; added C; withdrawn B" {
		t.Error(got)
	}
	if err := w.UpdateProduct(a, func(in *listing.UpdateProduct) { in.WebStatus = opt.Of(false) }); err != nil {
		t.Fatal(err)
	}
	w.is("one is taken off the web", w.looks(), "sent", "C of NICE at 4")
	if got := w.publications(a); got != "website off" {
		t.Error(got)
	}
}

func TestAnEmptyFileIsSentOnlyIfSomethingWasThere(t *testing.T) {
	w := newWorld(t, nil)
	w.is("nothing is published", w.looks(), "sent", "")
	w.is("still nothing", w.looks(), "unchanged", "")
}

func TestATargetChoosesByAgencyAndCriteria(t *testing.T) {
	w := newWorld(t, func(s *transfer.SetupPublicationTarget) {
		s.Agencies = map[string]int64{"NICE": 11}
		s.Criterias = []transfer.SetupTargetCondition{{ID: "Equipements", Operator: "EGAL", Value: "PISCINE"}, {ID: "Prix", Operator: "SUPERIEUR", Value: 5}}
	})
	w.lists("A", 11, 9, "Equipements", []any{"PISCINE"})
	w.lists("B", 11, 9)
	w.lists("C", 11, 4, "Equipements", []any{"PISCINE"})
	w.lists("D", 12, 9, "Equipements", []any{"PISCINE"})
	w.is("with a choice", w.looks(), "sent", "A of NICE at 9")
	w.target(func(s *transfer.SetupPublicationTarget) { s.Agencies = nil })
	w.is("with another choice", w.looks(), "sent", "A of  at 9; B of  at 9; C of  at 4; D of  at 9")
}

func TestWhatNoPortalTakesIsLeftOutWithTheReason(t *testing.T) {
	w := newWorld(t, nil)
	w.SetCriteria(w.lists("A", 11, 1), "Ville", "", "TypeBien", "")
	w.lists("B", 11, 2)
	w.is("without a town", w.looks(), "sent", "B of NICE at 2")
	if got := w.report(); got != "left out A it has no TypeBien, Ville; added B" {
		t.Error(got)
	}
	w.target(func(s *transfer.SetupPublicationTarget) { s.Complete = true })
	w.is("only complete ones", w.looks(), "sent", "")
	if got := w.report(); !strings.Contains(got, "left out B ") || !strings.Contains(got, "the product has no public photo") || !strings.HasSuffix(got, "withdrawn B") {
		t.Error(got)
	}
}

func TestAFileThatIsNotHandedOverIsTriedAgain(t *testing.T) {
	w := newWorld(t, func(s *transfer.SetupPublicationTarget) { s.Every = "24h" })
	w.lists("A", 11, 1)
	w.portal.err = errors.New("the server answers 503 Service Unavailable")
	w.Clock.Advance(24 * time.Hour)
	w.is("a server in trouble", w.ends(), "failed", "")
	w.Clock.Advance(operator.TargetRetry)
	w.is("again", w.ends(), "failed", "")
	r := w.now()
	if len(r.Runs) != 1 || r.Runs[0].Problem != w.portal.err.Error() || r.State.Problem != w.portal.err.Error() || !r.State.Good.IsZero() {
		t.Errorf("%+v", r)
	}
	w.portal.err = nil
	w.Clock.Advance(operator.TargetRetry)
	w.is("it answers", w.ends(), "sent", "A of NICE at 1")
	if r := w.now(); r.State.Problem != "" || len(r.Runs) != 2 || !r.State.Good.Equal(w.Clock.Now()) || !r.State.Due.Equal(w.Clock.Now().Add(24*time.Hour)) {
		t.Errorf("%+v", r.State)
	}
}

func TestARejectionIsShownUntilTheListingChanges(t *testing.T) {
	w := newWorld(t, nil)
	a := w.lists("A", 11, 1)
	reject := func(product int64, reason string) error {
		_, err := w.Portals.Reject(t.Context(), w.c, portals.RejectListing{ID: 1, Product: product, Reason: reason})
		return err
	}
	apitest.Refused(t, reject(a, "too few words"), fault.NotFound, fault.CodeNotFound)
	w.looks()
	sent := w.Clock.Now().Format(time.TimeOnly)
	if got := w.publications(a); got != "website published; Portail published since "+sent {
		t.Error(got)
	}
	if err := reject(a, "too few words"); err != nil {
		t.Fatal(err)
	}
	if got := w.publications(a); got != "website published; Portail error too few words since "+sent {
		t.Error(got)
	}
	if got := *w.ReadProduct(w.As("full", 1), a, "criteres_publication_errors").CriteresPublicationErrors; !slices.ContainsFunc(got, func(e listing.PublicationError) bool {
		return e.Message == "too few words" && e.Channel != nil && *e.Channel == "Portail"
	}) {
		t.Errorf("%+v", got)
	}
	if got := len(*w.ReadProduct(w.As("website", 1), a, "publications").Publications); got != 1 {
		t.Errorf("a website is shown %d channels", got)
	}
	w.SetCriteria(a, "Prix", 2)
	w.looks()
	if got := w.publications(a); !strings.HasPrefix(got, "website published; Portail published since ") {
		t.Error(got)
	}
	apitest.RefusedField(t, reject(a, strings.Repeat("x", kernel.MaxText+1)), fault.CodeOutOfRange, "reason")
}

func TestAPausedTargetGetsNothingAndAnAskedOneGetsAll(t *testing.T) {
	w := newWorld(t, nil)
	w.lists("A", 11, 1)
	w.looks()
	ask := func() error {
		_, err := w.Portals.SendNow(t.Context(), w.c, portals.TargetPath{ID: 1})
		return err
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	w.is("asked for", w.ends(), "sent", "A of NICE at 1")
	if got := w.report(); got != "" || w.portal.sent != 2 {
		t.Errorf("%q, %d files", got, w.portal.sent)
	}
	if _, err := w.Portals.Pause(t.Context(), w.c, portals.PauseTarget{ID: 1, Paused: true}); err != nil {
		t.Fatal(err)
	}
	apitest.Refused(t, ask(), fault.Conflict, fault.CodeConflict)
	w.Clock.Advance(operator.DefaultEvery)
	due := 0
	w.View(func(tx port.Tx) error {
		all, err := tx.PublicationTargets().Due(w.Clock.Now(), 10)
		due = len(all)
		return err
	})
	if due != 0 {
		t.Error("a paused target is due")
	}
}

// Two processes: one falls silent while it hands over, another takes the target, and the first one changes
// nothing any more.
func TestWhoeverLostTheLeaseStoresNothing(t *testing.T) {
	store, clock := memstore.New(), apitest.NewClock()
	w := world{apitest.Empty(t, store, clock), &portal{}, kernel.Caller{}}
	w.target(nil)
	w.lists("A", 11, 1)
	w.c, _ = w.Kernel().System(t.Context(), 1)
	other := world{apitest.Empty(t, store, clock), &portal{}, w.c}
	w.portal.during = func() {
		clock.Advance(operator.ImportSilence)
		if got := other.ends(); got != "sent" {
			t.Errorf("the other one: %q", got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := false
	w.portal.during = func(during func()) func() { return func() { during(); defer cancel() } }(w.portal.during)
	w.Portals.Run(ctx, w.portal, lease.Options{Ended: func(string) { ended = true }, Trouble: func(err error) { t.Error(err) }})
	if r := w.now(); ended || len(r.Runs) != 1 || r.State.Run != 0 || r.State.Problem != "" {
		t.Errorf("%v, %+v", ended, r)
	}
	if got := w.report(); got != "added A" {
		t.Error(got)
	}
}

func TestAnInterruptedRunBeginsAnew(t *testing.T) {
	w := newWorld(t, nil)
	w.lists("A", 11, 1)
	ctx, cancel := context.WithCancel(t.Context())
	w.portal.during = cancel
	w.Portals.Run(ctx, w.portal, lease.Options{Trouble: func(err error) { t.Error(err) }})
	if r := w.now(); len(r.Runs) != 0 || r.State.Run != 0 || r.State.Due.After(w.Clock.Now()) {
		t.Errorf("%+v", r)
	}
	w.portal.during = nil
	w.is("after it", w.ends(), "sent", "A of NICE at 1")
}

func TestOnlySoManyRunsAreKept(t *testing.T) {
	w := newWorld(t, nil)
	a := w.lists("A", 11, 1)
	for n := range operator.MaxTargetRuns + 3 {
		w.SetCriteria(a, "Prix", n+2)
		w.looks()
	}
	if got := len(w.now().Runs); got != operator.MaxTargetRuns {
		t.Errorf("%d runs", got)
	}
}

func TestATargetIsDescribedWell(t *testing.T) {
	for problem, change := range map[string]func(*transfer.SetupPublicationTarget){
		"folder: give a folder or an address, and not both":                        func(s *transfer.SetupPublicationTarget) { s.URL = "https://portail.example.org/" },
		"such as agence/nantes (\"../x\")":                                         func(s *transfer.SetupPublicationTarget) { s.Folder = "../x" },
		"format: the formats are":                                                  func(s *transfer.SetupPublicationTarget) { s.Format = "csv" },
		"pictures: pictures is files, urls or none (\"some\")":                     func(s *transfer.SetupPublicationTarget) { s.Pictures = "some" },
		"every: the least is one minute (\"10s\")":                                 func(s *transfer.SetupPublicationTarget) { s.Every = "10s" },
		"the site has no agency 13":                                                func(s *transfer.SetupPublicationTarget) { s.Agencies = map[string]int64{"X": 13} },
		"criterias[0].id: no criterion has this key or id":                         condition("Piscine", "EGAL", 1),
		"criterias[0].operator: no operator has this name":                         condition("Prix", "PLUS", 1),
		"name: name is required":                                                   func(s *transfer.SetupPublicationTarget) { s.Name = "" },
		`publication target 1 "Portail": every: a time such as 15m or 1h ("soon")`: func(s *transfer.SetupPublicationTarget) { s.Every = "soon" },
	} {
		w := apitest.New(t)
		s := apitest.Network()
		target := transfer.SetupPublicationTarget{ID: 1, Name: "Portail", Folder: "portail"}
		change(&target)
		s.Sites[0].PublicationTargets = []transfer.SetupPublicationTarget{target}
		if _, err := w.Transfer.Provision(t.Context(), s); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v, want %s", err, problem)
		}
	}
}

func condition(id, by string, value any) func(*transfer.SetupPublicationTarget) {
	return func(s *transfer.SetupPublicationTarget) {
		s.Criterias = []transfer.SetupTargetCondition{{ID: id, Operator: by, Value: value}}
	}
}
