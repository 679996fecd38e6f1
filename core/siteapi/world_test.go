package siteapi_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/hooks"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/office"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/people"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/tokens"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

// world is a service over a store in memory, with a clock that stands still
// until it is moved.
type world struct {
	*siteapi.Service
	// The use cases themselves: who may call them is tested elsewhere.
	Office  office.API
	Tokens  tokens.API
	Listing listing.API
	People  people.API
	Hooks   hooks.API

	t     *testing.T
	store port.Store
	clock *clock
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// dice are random bytes that are the same in every run.
type dice struct {
	mu     sync.Mutex
	stream *rand.ChaCha8
}

func (d *dice) Read(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stream.Read(p)
}

// newWorld has site 1 with the agencies 11 and 12, and 13 that has left the
// network; site 2 with agency 21; and the credentials full, website, rival,
// group and disabled.
func newWorld(t *testing.T) *world { return newWorldOver(t, memstore.New()) }

func newWorldOver(t *testing.T, store port.Store) *world {
	t.Helper()
	w := serviceOver(t, store, &clock{now: time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)})
	if _, err := w.Transfer.Provision(t.Context(), smallNetwork()); err != nil {
		t.Fatal(err)
	}
	return w
}

// serviceOver is another process on the same store.
func serviceOver(t *testing.T, store port.Store, c *clock) *world {
	t.Helper()
	service, err := siteapi.New(
		api.Ports{Store: store, Now: c.Now, Rand: &dice{stream: rand.NewChaCha8([32]byte{1})}, Zone: time.LoadLocation, E164: dial},
		api.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)},
	)
	if err != nil {
		t.Fatal(err)
	}
	return &world{
		Service: service, Office: service.Office.Unchecked(), Tokens: service.Tokens.Unchecked(), Listing: service.Listing.Unchecked(),
		People: service.People.Unchecked(), Hooks: service.Hooks.Unchecked(), t: t, store: store, clock: c,
	}
}

func smallNetwork() transfer.Setup {
	no := false
	choices := func(codes ...string) (out []transfer.SetupChoice) {
		for i, code := range codes {
			out = append(out, transfer.SetupChoice{ID: int64(i + 1), Model: code, Label: "Label " + code})
		}
		return out
	}
	zero := 0.0
	criteria := []transfer.SetupCriterion{
		{ID: 1, Key: "TypeBien", Type: "UNIQUE", Label: "Type", Position: 1, Values: choices("Appartement", "Maison", "Terrain")},
		{ID: 2, Key: "TypeTransaction", Type: "UNIQUE", Label: "Transaction", Position: 2, Values: choices("Vente", "Location")},
		{ID: 3, Key: "Statut", Type: "UNIQUE", Label: "Statut", Position: 3, Values: choices("EnCours", "Projet", "Vendu", "Archive")},
		{ID: 4, Key: "NbPieces", Type: "NUMBER", Label: "Pièces", Position: 4},
		{ID: 5, Key: "Surface", Type: "NUMBER", Label: "Surface", Unit: "m²", Position: 5, Min: &zero},
		{ID: 6, Key: "Prix", Type: "NUMBER", Label: "Prix", Position: 6, Min: &zero},
		{ID: 7, Key: "Adresse", Type: "TEXT", Label: "Adresse", Position: 7},
		{ID: 8, Key: "CodePostal", Type: "TEXT", Label: "Code postal", Position: 8},
		{ID: 9, Key: "Ville", Type: "TEXT", Label: "Ville", Position: 9},
		{ID: 10, Key: "Alentour", Type: "TEXT", Label: "Position", Position: 10},
		{ID: 11, Key: "Ascenseur", Type: "FLAG", Label: "Ascenseur", Position: 11},
		{ID: 12, Key: "Equipements", Type: "MULTIPLE", Label: "Équipements", Position: 12, Values: choices("PISCINE", "CHEMINEE", "ALARME")},
		{ID: 13, Key: "DateMandat", Type: "DATE", Label: "Date du mandat", Position: 13},
		{ID: 14, Key: "VisiteVirtuelle", Type: "TEXT", Label: "Visite", Position: 14},
		{ID: 15, Key: "AdresseMasquee", Type: "FLAG", Label: "Adresse masquée", Position: 15},
		{ID: 16, Key: "Remarques", Type: "TEXT", Label: "Remarques", Position: 16, IsFulltext: true, IsSearchable: &no, IsPrivate: true},
		{ID: 17, Key: "Gardien", Type: "FLAG", Label: "Gardien", Position: 17, IsActive: &no},
	}
	lists := []transfer.SetupList{
		{ID: 1, Key: "room_types", Label: "Pièces", Values: choices("SEJOUR", "CHAMBRE", "CUISINE")},
		{ID: 2, Key: "expositions", Label: "Expositions", Values: choices("N", "S")},
		{ID: 3, Key: "views", Label: "Vues", Values: choices("JARDIN", "MER")},
		{ID: 4, Key: "floor_types", Label: "Sols", Values: choices("PARQUET", "CARRELAGE")},
	}
	closed := transfer.SetupChoice{ID: 32, Model: "CR_FAX", Label: "Par télécopie", IsActive: &no}
	actions := []transfer.SetupActionType{
		{ID: 1, Model: "APPEL", Label: "Appel", Target: "product", Position: 2},
		{ID: 2, Model: "VISITE", Label: "Visite", Target: "both", Position: 1, Color: "#27ae60", Children: []transfer.SetupChoice{
			{ID: 21, Model: "PREMIERE", Label: "Première visite"}, {ID: 22, Model: "CONTRE", Label: "Contre-visite", IsActive: &no},
		}},
		{ID: 3, Model: "COMPTE_RENDU", Label: "Compte rendu", Target: "product", Position: 3, Children: []transfer.SetupChoice{closed}},
		{ID: 4, Model: "TELECOPIE", Label: "Télécopie", Target: "both", Position: 3, IsActive: &no},
		{ID: 5, Model: "RELANCE", Label: "Relance", Target: "customer", Position: 4},
	}
	everything := func(id string, sites ...int64) transfer.SetupCredential {
		all := []string{access.All}
		return transfer.SetupCredential{ID: id, Secret: id + "-secret", Sites: sites, Packs: all, Permissions: all, Rights: all}
	}
	disabled := everything("disabled", 1)
	disabled.Disabled = true
	return transfer.Setup{
		Sites: []transfer.SetupSite{
			{
				ID: 1, Name: "Réseau", Criteria: criteria, Lists: lists, ActionTypes: actions,
				Agencies: []transfer.SetupAgency{
					{ID: 11, Name: "Onze", SIREN: "001234567"}, {ID: 12, Name: "Douze"}, {ID: 13, Name: "Treize", InScope: &no},
				},
				Users: []transfer.SetupUser{
					{ID: 101, AgencyID: 11, Firstname: "Anne", Lastname: "Arnaud"},
					{ID: 102, AgencyID: 12, Firstname: "Bruno", Lastname: "Blanc", IsActive: &no},
					{ID: 103, AgencyID: 13, Firstname: "Chloé", Lastname: "Caron"},
				},
				Customers: []transfer.SetupCustomer{
					{ID: 1001, AgencyID: 11, Type: "VENDEUR", Firstname: "Éloïse", Lastname: "Lefèvre", Email: "eloise@example.org"},
					{ID: 1003, AgencyID: 13, Type: "VENDEUR", Lastname: "Dehors"},
				},
			},
			{
				ID: 2, Name: "Quais", DefaultStatus: "Projet", Criteria: criteria, Lists: lists,
				Agencies:  []transfer.SetupAgency{{ID: 21, Name: "Vingt-et-un"}},
				Users:     []transfer.SetupUser{{ID: 201, AgencyID: 21, Firstname: "Denis", Lastname: "Duval"}},
				Customers: []transfer.SetupCustomer{{ID: 2001, AgencyID: 21, Type: "VENDEUR", Lastname: "Rival"}},
			},
		},
		Credentials: []transfer.SetupCredential{
			everything("full", 1), everything("rival", 2), everything("group", 1, 2), disabled,
			{
				ID: "website", Secret: "website-secret", Sites: []int64{1}, Packs: []string{"websites", "webhooks"},
				Permissions: []string{"SITE_PRODUCT:READ", "SITE_CONFIG", "SITE_HOOK:READ"},
				Rights:      []string{"RS:PRODUCT_SEARCH", "RS:PRODUCT_GET", "RS:CRITERE_PRODUCT_ALL", "RS:HOOK_LIST"},
			},
		},
	}
}

func basic(id string) tokens.Basic {
	return tokens.Basic{ClientID: id, ClientSecret: id + "-secret"}
}

// token obtains a pair of tokens.
func (w *world) token(client, siteID string) tokens.TokenResponse {
	w.t.Helper()
	answer, err := w.Tokens.IssueToken(w.t.Context(), api.Caller{}, tokens.IssueToken{Basic: basic(client), SiteID: opt.Of(siteID)})
	if err != nil {
		w.t.Fatal(err)
	}
	return answer
}

// as is a caller with a fresh token of the client for a site.
func (w *world) as(client string, id site.ID) api.Caller {
	w.t.Helper()
	text := map[site.ID]string{1: "1", 2: "2"}[id]
	return w.identify(w.token(client, text).AccessToken)
}

func (w *world) identify(token string) api.Caller {
	w.t.Helper()
	caller, err := w.Identify(w.t.Context(), token)
	if err != nil {
		w.t.Fatal(err)
	}
	return caller
}

// again is the caller at its next request, when it sees what has happened
// since.
func (w *world) again(c api.Caller) api.Caller {
	w.t.Helper()
	caller, err := w.Admit(w.t.Context(), c.Grant)
	if err != nil {
		w.t.Fatal(err)
	}
	return caller
}

// criterion is one criterion of a request.
func criterion(id string, value any) product.CriterionInput {
	return product.CriterionInput{ID: id, Value: criteria.Raw{V: value}}
}

func criteriaOf(inputs ...product.CriterionInput) opt.Field[[]product.CriterionInput] {
	return opt.Of(inputs)
}

// create adds a product to agency 11 of site 1.
func (w *world) create(inputs ...product.CriterionInput) int64 {
	w.t.Helper()
	in := listing.CreateProduct{}
	in.AgencyID, in.Criteria = opt.Of(int64(11)), criteriaOf(inputs...)
	return w.createAs(w.as("full", 1), in)
}

func (w *world) createAs(c api.Caller, in listing.CreateProduct) int64 {
	w.t.Helper()
	created, err := w.Listing.CreateProduct(w.t.Context(), c, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return created.ID
}

// read is a product as the caller sees it now.
func (w *world) read(c api.Caller, id int64, fetch string) listing.Product {
	w.t.Helper()
	record, err := w.Listing.GetProduct(w.t.Context(), w.again(c), listing.ReadProduct{ID: id, Fetch: listing.Fetch(fetch)})
	if err != nil {
		w.t.Fatal(err)
	}
	all, err := record.All(w.t.Context())
	if err != nil || len(all) != 1 {
		w.t.Fatalf("reading product %d: %d records, %v", id, len(all), err)
	}
	return all[0]
}

// found are the ids a search finds, in order.
func (w *world) found(c api.Caller, in listing.SearchProducts) []int64 {
	w.t.Helper()
	result, err := w.Listing.SearchProducts(w.t.Context(), w.again(c), in)
	if err != nil {
		w.t.Fatal(err)
	}
	records, err := result.Data.All(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	ids := []int64{}
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	return ids
}

// events are the types of all events of a site after a sequence.
func (w *world) events(id site.ID, after int64) (types []string) {
	w.t.Helper()
	err := w.store.View(w.t.Context(), func(tx port.Tx) error {
		types = nil
		found, err := tx.Ledger().After(id, after, 1000)
		for _, e := range found {
			types = append(types, string(e.Type))
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return types
}

func (w *world) seq(id site.ID) int64 {
	w.t.Helper()
	head, err := w.store.Head(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return head.Seq
}

// refused checks that err is a fault of a kind with a code.
func refused(t *testing.T, err error, kind fault.Kind, code fault.Code) {
	t.Helper()
	var known *fault.Error
	if !errors.As(err, &known) || known.Kind != kind || known.Code != code {
		t.Errorf("got %v, want %v with the code %s", err, kind, code)
	}
}

// refusedField checks that err is Invalid with one detail.
func refusedField(t *testing.T, err error, code fault.Code, field string) {
	t.Helper()
	refused(t, err, fault.Invalid, code)
	var known *fault.Error
	if errors.As(err, &known) && (len(known.Details) != 1 || known.Details[0].Field != field) {
		t.Errorf("the details are %+v, want one about %s", known.Details, field)
	}
}

// dial knows French numbers, which is enough for tests.
func dial(number, country string) string {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number)
	switch {
	case strings.HasPrefix(digits, "0033"):
		return "+" + digits[2:]
	case strings.HasPrefix(digits, "33") && len(digits) == 11:
		return "+" + digits
	case country == "FR" && len(digits) == 10:
		return "+33" + digits[1:]
	}
	return ""
}
