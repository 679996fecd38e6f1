package sqlstore_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	listed "github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Records that are rendered from rows, each in the memory of the one before, are those that a
// unit of work makes, whatever blocks are asked for and whoever asks.
func TestRecordsDrawnFromRowsAreThoseOfAUnitOfWork(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		s := memstore.New()
		drawnAsInAUnit(t, s, s.ProductRows())
	})
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		drawnAsInAUnit(t, s, s.ProductRows())
	})
}

func drawnAsInAUnit(t *testing.T, store port.Store, rows port.ProductRows) {
	w := apitest.Drawing(t, store, rows)
	ids := []int64{w.CreateProduct("Prix", 1), w.CreateProduct("Prix", 2), w.CreateProduct("Prix", 3)}
	full, website := w.As("full", 1), w.As("website", 1)
	var known []*criteria.Definition
	for d := range full.Site.Dictionary.All() {
		known = append(known, d)
	}
	rapid.Check(t, func(t *rapid.T) {
		w.Update(func(tx port.Tx) error {
			for _, id := range ids {
				recorded, err := tx.Ledger().Append(1, time.UnixMicro(1).UTC(), []event.Event{{Type: event.ProductUpdate, Resource: id, Agency: 11}})
				if err != nil {
					return err
				}
				p := anyProduct(t, known)
				p.ID, p.Version, p.Reference = product.ID(id), recorded.Seq, fmt.Sprint(id, " ", p.Reference)
				if err := tx.Products().Replace(p); err != nil {
					return err
				}
			}
			return nil
		})
		for _, c := range []kernel.Caller{w.Again(full), w.Again(website)} {
			parts := product.Parts(rapid.Uint32().Draw(t, "parts")) & product.AllParts
			if rapid.Bool().Draw(t, "versioned") {
				parts &^= product.Owner | product.ActionsHistory | product.LogActions | product.SaleAgreement |
					product.ActiveSaleAgreement | product.Statistic | product.OnlineBooking | product.LiveVisit
			}
			if c.IsPublic() {
				parts &^= product.Owner | product.ActionsHistory | product.LogActions | product.SaleAgreement | product.ActiveSaleAgreement | product.Statistic
			}
			parts |= product.Rooms // a search for no block has ids alone
			fetch := listed.Fetch(strings.Join(parts.Names(), ","))
			page, err := w.Listing.SearchProducts(w.T.Context(), c, listed.SearchProducts{Fetch: fetch})
			if err != nil {
				t.Fatal(err)
			}
			agree(w, t, page.Data, fetch)
			for _, id := range ids {
				one, err := w.Listing.GetProduct(w.T.Context(), c, listed.ReadProduct{ID: id, Fetch: fetch})
				if err != nil {
					t.Fatal(err)
				}
				agree(w, t, one.Records, fetch)
			}
		}
	})
}

// agree compares what is given one after the other with what is built at once.
func agree[T any](w *apitest.World, t *rapid.T, answer listed.Records[T], fetch listed.Fetch) {
	whole, err := answer.All(w.T.Context())
	if err != nil {
		t.Fatal(err)
	}
	places := make([]int, len(answer.Keys()))
	for i := range places {
		places[i] = i
	}
	var rendered []string
	err = answer.Each(w.T.Context(), places, func(i int, record any) error {
		text, err := json.Marshal(record)
		rendered = append(rendered, string(text))
		return err
	})
	if err != nil || len(rendered) != len(whole) || len(rendered) != len(places) {
		t.Fatalf("%d records in place of %d: %v", len(rendered), len(whole), err)
	}
	for i := range whole {
		if want, err := json.Marshal(&whole[i]); err != nil || rendered[i] != string(want) {
			t.Fatalf("with %s\n got %s\nwant %s\n%v", fetch, rendered[i], want, err)
		}
	}
}

var (
	anyWord   = rapid.SampledFrom([]string{"", "a", "Lyon", "12 rue \"Haute\"", "l'été\n& <b>", "🏠\u2028", `\`, "https://v.example/x", "48.856600,2.352200", "69001"})
	anyMoment = rapid.Custom(func(t *rapid.T) time.Time { return time.UnixMicro(rapid.Int64Range(0, 2e15).Draw(t, "micros")).UTC() })
)

// anyProduct is a product of the first site with any of its criteria, and some that it does not know.
func anyProduct(t *rapid.T, known []*criteria.Definition) product.Product {
	flag := func(label string) bool { return rapid.Bool().Draw(t, label) }
	word := func(label string) string { return anyWord.Draw(t, label) }
	number := func(label string) float64 { return rapid.Float64Range(-1e6, 1e22).Draw(t, label) }
	p := product.Product{
		Site: 1, Agency: site.AgencyID(rapid.SampledFrom([]int{11, 12}).Draw(t, "agency")), User: site.UserID(rapid.IntRange(0, 130).Draw(t, "user")),
		CreatedBy: site.UserID(rapid.IntRange(0, 130).Draw(t, "creator")), Reference: word("reference"),
		WebStatus: flag("web"), Intercabinet: flag("shared"), SellerStatistics: flag("statistics"), Color: rapid.IntRange(0, 5).Draw(t, "color"),
		NextContact: rapid.SampledFrom([]string{"", "2026-09-20"}).Draw(t, "contact"), Criteria: criteria.Values{"inconnu": criteria.Text(word("unknown"))},
		Derived: product.Derived{Energy: flag("energy"), Climate: flag("climate"), Regime: rapid.SampledFrom([]string{"", "fr-2021"}).Draw(t, "regime")},
		Added:   anyMoment.Draw(t, "added"), Modified: anyMoment.Draw(t, "modified"),
	}
	for _, d := range known {
		if flag("has " + d.Key) {
			p.Criteria[d.Key] = anyValueOf(t, d)
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "rooms") {
		surface, level := number("surface"), rapid.IntRange(-1, 9).Draw(t, "level")
		room := product.Room{ID: product.RoomID(len(p.Rooms) + 1), Type: word("type"), Exposition: word("side"), Vue: word("view"), Sol: word("floor"), Commentaire: word("comment")}
		if flag("measured") {
			room.Surface, room.Niveau = &surface, &level
		}
		p.Rooms = append(p.Rooms, room)
	}
	for _, language := range []string{"fr", "en"} {
		if flag("in " + language) {
			p.Descriptions = append(p.Descriptions, product.Description{Language: language, Title: word("title"), Text: word("text"), ShortText: word("short")})
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "pictures") {
		p.Pictures = append(p.Pictures, product.Picture{
			ID: product.PictureID(len(p.Pictures) + 1), Visibility: rapid.SampledFrom([]product.Visibility{product.Public, product.Private}).Draw(t, "seen"),
			Label: word("label"), Width: 1000, Height: 700, Size: 5, ContentType: "image/png", SHA256: "ab", Sent: "cd", Added: anyMoment.Draw(t, "taken"),
		})
	}
	if flag("located") {
		p.Geocoded = product.Geocoded{For: p.Address().Folded(), Place: product.Place{
			Position: criteria.Position{Latitude: 45.5, Longitude: -1.5}, Source: product.FromAddress, Score: rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "score"), Commune: "69123",
		}}
	}
	return p
}

func anyValueOf(t *rapid.T, d *criteria.Definition) criteria.Value {
	codes := []string{"unknown"}
	for _, c := range d.Choices {
		codes = append(codes, c.Code)
	}
	switch d.Type {
	case criteria.UNIQUE:
		return criteria.Unique(rapid.SampledFrom(codes).Draw(t, d.Key))
	case criteria.NUMBER:
		return criteria.Number(rapid.Float64Range(-1e6, 1e22).Draw(t, d.Key))
	case criteria.FLAG:
		return criteria.Flag(rapid.Bool().Draw(t, d.Key))
	case criteria.MULTIPLE:
		return criteria.Multiple(rapid.SliceOfN(rapid.SampledFrom(codes), 0, 3).Draw(t, d.Key))
	case criteria.DATE:
		at := anyMoment.Draw(t, d.Key)
		if rapid.Bool().Draw(t, "timed") {
			return criteria.Date{At: at, Timed: true}
		}
		return criteria.Date{At: at.Truncate(24 * time.Hour)}
	case criteria.TEXT:
	}
	return criteria.Text(anyWord.Draw(t, d.Key))
}
