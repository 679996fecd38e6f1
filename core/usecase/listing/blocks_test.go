package listing_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/engine/locate"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// furnished is a world whose site 1 has criteria that blocks are made of.
func furnished(t *testing.T) *world {
	w := newWorld(t)
	network := apitest.Network()
	network.Sites = network.Sites[:1]
	network.Sites[0].Criteria = append(network.Sites[0].Criteria,
		transfer.SetupCriterion{ID: 30, Key: "LienVideo", Type: "TEXT", Label: "Vidéo", IsPrivate: true},
		transfer.SetupCriterion{ID: 31, Key: "CodeInsee", Type: "TEXT", Label: "Commune"},
		transfer.SetupCriterion{ID: 32, Key: "VueMer", Type: "FLAG", Label: "Vue mer", IsCustom: true},
		transfer.SetupCriterion{ID: 33, Key: "Prestige", Type: "FLAG", Label: "Prestige", IsCustom: true, IsPrivate: true},
		transfer.SetupCriterion{ID: 34, Key: "Exclu", Type: "UNIQUE", Label: "Exclu", IsCustom: true},
		transfer.SetupCriterion{ID: 35, Key: "NumeroMandat", Type: "TEXT", Label: "Mandat", IsPrivate: true, Position: 35},
		transfer.SetupCriterion{ID: 36, Key: "Georisques", Type: "FLAG", Label: "Risques", Position: 36},
	)
	network.Sites[0].Criteria[8].IsRequiredForPublication = true
	w.Provision(network)
	return w
}

// blocks are what the two sorts of credential see of the same product.
func blocks(w *world, id int64, fetch string) (full, website listing.Product) {
	return w.ReadProduct(w.As("full", 1), id, fetch), w.ReadProduct(w.As("website", 1), id, fetch)
}

func TestLiveVisitIsALinkOfTheProduct(t *testing.T) {
	w := furnished(t)
	for _, c := range []struct{ visit, video, full, website string }{
		{"https://visite.example.com/3d?id=1", "", "https://visite.example.com/3d?id=1 visite.example.com", "https://visite.example.com/3d?id=1 visite.example.com"},
		{"http://a.example:8080/", "https://b.example/v", "http://a.example:8080/ a.example", "http://a.example:8080/ a.example"},
		{"", "https://b.example/v", "https://b.example/v b.example", ""}, // the video is private
		{"oui", "https://b.example/v", "https://b.example/v b.example", ""},
		{"ftp://a.example/v", "", "", ""}, {"https:///v", "", "", ""}, {"https://a b/", "", "", ""}, {"", "", "", ""},
	} {
		id := w.CreateProduct("VisiteVirtuelle", c.visit, "LienVideo", c.video)
		told := func(p listing.Product) string {
			if *p.LiveVisit == nil {
				return ""
			}
			return (*p.LiveVisit).URL + " " + (*p.LiveVisit).Provider
		}
		full, website := blocks(w, id, "live_visit")
		if told(full) != c.full || told(website) != c.website {
			t.Errorf("%+v: %q, and for a website %q", c, told(full), told(website))
		}
	}
}

func TestInseeIsTheCodeOfTheCommune(t *testing.T) {
	w := furnished(t)
	id := w.CreateProduct("CodeInsee", "2A004", "Ville", "Ajaccio")
	if got := *w.ReadProduct(w.As("website", 1), id, "insee").INSEE; got == nil || *got != (listing.INSEE{Code: "2A004", Commune: "Ajaccio", DepartmentCode: "2A", RegionCode: "94"}) {
		t.Errorf("%+v", got)
	}
	for _, code := range []string{"", "69006 ", "Lyon"} {
		id := w.CreateProduct("CodeInsee", code, "CodePostal", "69006", "Ville", "Lyon")
		got := *w.ReadProduct(w.As("full", 1), id, "insee").INSEE
		if known := code == "69006 "; (got != nil) != known {
			t.Errorf("%q: %+v", code, got)
		}
	}
}

// geocoder finds every address in the third arrondissement of Lyon.
type geocoder struct{}

// Locate implements port.Geocoder.
func (geocoder) Locate(context.Context, product.Address) (product.Place, error) {
	return product.Place{Position: criteria.Position{Latitude: 45.1, Longitude: 4.8}, Source: product.FromAddress, Score: 0.9, Commune: "69383"}, nil
}

func TestInseeIsWhatTheGeocoderSaysWhereTheSiteDoesNot(t *testing.T) {
	w := furnished(t)
	w.Background(func(ctx context.Context, tick <-chan time.Time) error {
		o := locate.DefaultOptions()
		o.Tick = tick
		return w.Locate.Run(ctx, geocoder{}, o)
	})
	said := w.CreateProduct("Adresse", "12 rue du Lac", "CodePostal", "69003", "Ville", "Lyon", "CodeInsee", "69123")
	unsaid := w.CreateProduct("Adresse", "12 rue du Lac", "CodePostal", "69003", "Ville", "Lyon")
	w.Eventually("the locator has caught up", func() bool {
		behind, err := w.Locate.Backlog(t.Context())
		return err == nil && behind.Events == 0 && behind.Sites == 0
	})
	for id, want := range map[int64]string{said: "69123", unsaid: "69383"} {
		if got := *w.ReadProduct(w.As("website", 1), id, "insee").INSEE; got == nil || *got != (listing.INSEE{Code: want, Commune: "Lyon", DepartmentCode: "69", RegionCode: "84"}) {
			t.Errorf("%+v, not %s", got, want)
		}
	}
}

func TestCategoryIsThePropertyType(t *testing.T) {
	w := furnished(t)
	if got := *w.ReadProduct(w.As("full", 1), w.CreateProduct("TypeBien", "Maison"), "category").Category; got == nil || *got != (listing.Category{ID: 2, Name: "Label Maison"}) {
		t.Errorf("%+v", got)
	}
	if got := *w.ReadProduct(w.As("full", 1), w.CreateProduct(), "category").Category; got != nil {
		t.Errorf("%+v", got)
	}
}

func TestThemesAreTheSitesOwnFlags(t *testing.T) {
	w := furnished(t)
	id := w.CreateProduct("VueMer", true, "Prestige", true, "Ascenseur", true)
	full, website := blocks(w, id, "themes")
	if !slices.Equal(*full.Themes, []listing.Theme{{ID: 32, Label: "Vue mer"}, {ID: 33, Label: "Prestige"}}) || !slices.Equal(*website.Themes, []listing.Theme{{ID: 32, Label: "Vue mer"}}) {
		t.Errorf("%+v, and for a website %+v", *full.Themes, *website.Themes)
	}
	if none := *w.ReadProduct(w.As("full", 1), w.CreateProduct("VueMer", false), "themes").Themes; len(none) != 0 {
		t.Errorf("%+v", none)
	}
}

func TestTheWebsiteIsAChannel(t *testing.T) {
	w := furnished(t)
	for _, c := range []struct {
		web    bool
		status string
		want   string
	}{{true, "EnCours", "published"}, {true, "Vendu", "off"}, {false, "EnCours", "off"}} {
		in := listing.CreateProduct{}
		in.AgencyID, in.WebStatus, in.Criteria = opt.Of(int64(11)), opt.Of(c.web), apitest.Criteria("Statut", c.status)
		got := *w.ReadProduct(w.As("full", 1), w.CreateProductAs(w.As("full", 1), in), "publications").Publications
		if len(got) != 1 || got[0].Channel != "website" || got[0].Status != c.want || *got[0].Reference == "" || got[0].PublishedAt != nil || got[0].Error != nil {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

func TestPublicationErrorsOfAProduct(t *testing.T) {
	w := furnished(t)
	told := func(p listing.Product) (words []string) {
		for _, e := range *p.CriteresPublicationErrors {
			id := "-"
			if e.ID != nil {
				id = *e.ID
			}
			if e.Message == "" || e.Channel != nil {
				t.Errorf("%+v", e)
			}
			words = append(words, id+" "+e.Code)
		}
		return words
	}
	id := w.CreateProduct("TypeTransaction", "Vente")
	full, website := blocks(w, id, "criteres_publication_errors")
	want := []string{"Prix legal_mention_missing", "Ville missing", "Georisques legal_mention_missing", "- photo_missing"}
	if !slices.Equal(told(website), want) {
		t.Errorf("a website is told %q", told(website))
	}
	if want = slices.Insert(want, 2, "NumeroMandat legal_mention_missing"); !slices.Equal(told(full), want) {
		t.Errorf("%q, not %q", told(full), want)
	}
	in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
	in.Criteria = apitest.Criteria("Prix", "1", "Ville", "Nice", "NumeroMandat", "1", "Georisques", false)
	if _, err := w.Listing.UpdateProduct(t.Context(), w.As("full", 1), in); err != nil {
		t.Fatal(err)
	}
	if full, _ := blocks(w, id, "criteres_publication_errors"); !slices.Equal(told(full), []string{"- photo_missing"}) {
		t.Errorf("afterwards %q", told(full))
	}
}

func TestDescriptionsInAnUpdate(t *testing.T) {
	w := newWorld(t)
	full, id := w.As("full", 1), w.CreateProduct()
	text := func(language, title, text string) product.DescriptionInput {
		d := product.DescriptionInput{Language: language, Title: opt.Of(title), Text: opt.Of(text)}
		return d
	}
	update := func(inputs ...product.DescriptionInput) error {
		in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
		in.Descriptions = opt.Of(inputs)
		_, err := w.Listing.UpdateProduct(t.Context(), w.Again(full), in)
		return err
	}
	for _, c := range []struct {
		inputs []product.DescriptionInput
		events int
		want   string
	}{
		{[]product.DescriptionInput{text("fr", "Maison", "Belle."), text("en", "House", "Nice.")}, 1, "fr Maison Belle. en House Nice. "},
		{[]product.DescriptionInput{text("FR", "Maison", " Belle. ")}, 0, "fr Maison Belle. en House Nice. "},
		{[]product.DescriptionInput{{Language: "fr", Text: opt.Of("Très belle.")}}, 1, "fr Maison Très belle. en House Nice. "},
		{[]product.DescriptionInput{{Language: "fr", Text: opt.Null[string]()}, {Language: "de", Text: opt.Null[string]()}}, 1, "en House Nice. "},
		{[]product.DescriptionInput{{Language: "de"}}, 0, "en House Nice. "},
		{[]product.DescriptionInput{text("en", "", "")}, 1, ""},
	} {
		seq := w.Seq(1)
		if err := update(c.inputs...); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range *w.ReadProduct(full, id, "descriptions").Descriptions {
			got += fmt.Sprintf("%s %s %s ", d.Language, *d.Title, d.Text)
		}
		if events := w.Events(1, seq); got != c.want || len(events) != c.events {
			t.Errorf("%+v: %q, events %q", c.inputs, got, events)
		}
	}
	apitest.RefusedField(t, update(product.DescriptionInput{Language: "french"}), fault.CodeInvalidFormat, "descriptions[0].language")
	apitest.RefusedField(t, update(text("fr", "", ""), text("fr", "", "")), fault.CodeAmbiguousField, "descriptions[1].language")
}
