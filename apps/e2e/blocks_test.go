package e2e_test

import (
	"fmt"
	"slices"
	"testing"
)

func TestDescriptionsAreWritten(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(object{"descriptions": list{object{"language": "fr", "title": "Villa", "text": "Belle villa.", "short_text": "Belle"}}})
		read := func() answer { t.Helper(); return c.get(product(id, "?fetch=descriptions")).is(200) }
		read().equals("data.descriptions", list{object{"language": "fr", "title": "Villa", "text": "Belle villa.", "short_text": "Belle"}}).
			equals("data.title", "Villa")
		ledger := c.ledger()
		c.change(id, object{"descriptions": list{object{"language": "en", "title": "Villa", "text": "Lovely."}, object{"language": "fr", "short_text": nil}}}).is(204)
		read().equals("data.descriptions.0.short_text", nil).equals("data.descriptions.0.text", "Belle villa.").equals("data.descriptions.1.language", "en")
		c.change(id, object{"descriptions": list{object{"language": "EN", "title": "Villa"}}}).is(204)
		c.change(id, object{"descriptions": list{object{"language": "fr", "text": nil}}}).is(204)
		read().equals("data.descriptions", list{object{"language": "en", "title": "Villa", "text": "Lovely.", "short_text": nil}}).equals("data.title", nil)
		if news := ledger.news(); len(news) != 2 {
			t.Errorf("two of three updates had an effect, yet %v", news)
		}
		c.change(id, object{"descriptions": list{object{"language": "klingon", "text": "x"}}}).refused(422, "invalid_format", "descriptions[0].language")
		c.change(id, object{"descriptions": list{object{"text": "x"}}}).refused(422, "required", "descriptions[0].language")
	})
}

func TestWhatIsMissingForTheWeb(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(object{"criteria": criteria("TypeBien", "Appartement", "TypeTransaction", "Vente", "Prix", 200000, "CodePostal", "69006",
			"ChargeHonoraires", "VENDEUR", "NumeroMandat", "7", "Copropriete", 1, "NbLotsCopro", 12, "ProcedureCopro", 0, "SurfaceCarrez", 70,
			"Georisques", 1, "ConsoEner", "C", "GES", "A", "DateDPE", "2024-02-01", "DepensesEnergieMin", 900, "DepensesEnergieMax", 1200)})
		missing := func(c *client) (words []string) {
			t.Helper()
			for _, e := range c.get(product(id, "?fetch=criteres_publication_errors")).is(200).list("data.criteres_publication_errors") {
				word := e.(object)["code"].(string)
				if key, ok := e.(object)["id"].(string); ok {
					word = key + " " + word
				}
				words = append(words, word)
			}
			return words
		}
		want := []string{"Ville missing", "AnneeRefEnergie legal_mention_missing", "ChargesCopro legal_mention_missing", "photo_missing"}
		for _, reader := range []*client{c, w.website(t)} {
			if got := missing(reader); !slices.Equal(got, want) {
				t.Errorf("missing are %q", got)
			}
		}
		c.change(id, object{"criteria": criteria("Ville", "Lyon", "AnneeRefEnergie", 2023, "ChargesCopro", 1000)}).is(204)
		if got := missing(c); !slices.Equal(got, []string{"photo_missing"}) {
			t.Errorf("afterwards missing are %q", got)
		}
		c.change(id, object{"criteria": criteria("Pays", "BE", "GES", nil)}).is(204)
		if got := missing(c); !slices.Equal(got, []string{"photo_missing"}) {
			t.Errorf("in Belgium missing are %q", got)
		}
	})
}

func TestBlocksOfTheProductItself(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		const fetch = "?fetch=publications,live_visit,insee,online_booking,category,themes,sale_agreement,active_sale_agreement"
		id := c.create(object{"model": "Blocs " + t.Name(), "web_status": true, "criteria": criteria("TypeBien", "Villa", "VisiteVirtuelle", "https://visites.example.com/v/12")})
		c.get(product(id, fetch)).is(200).
			equals("data.publications", list{object{
				"channel": "website", "status": "published", "reference": "Blocs " + t.Name(), "url": nil, "published_at": nil, "error": nil,
			}}).
			equals("data.live_visit", object{"url": "https://visites.example.com/v/12", "provider": "visites.example.com", "starts_at": nil}).
			equals("data.category", object{"id": 103.0, "name": "Villa", "parent_id": nil}).
			equals("data.insee", nil).equals("data.themes", list{}).
			equals("data.online_booking.enabled", true).equals("data.online_booking.url", fmt.Sprint("https://lyon.belvedere.example/visites/", id)).
			equals("data.sale_agreement", list{}).equals("data.active_sale_agreement", nil)
		c.change(id, object{"criteria": criteria("Statut", "Vendu", "VisiteVirtuelle", nil)}).is(204)
		sold := c.get(product(id, fetch, ",log_actions")).is(200).equals("data.publications.0.status", "off").equals("data.live_visit", nil)
		sold.equals("data.online_booking", object{"enabled": false, "url": nil, "next_slots": list{}})
		sold.equals("data.log_actions.0.label", "Statut").equals("data.log_actions.0.result", "EnCours → Vendu").equals("data.log_actions.0.action_id", nil)
	})
}
