package sqlstore_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Nested values are stored under the names of their fields. Renaming a field
// in the core would lose what is stored under the old name: when this test
// fails, write a migration before changing what it expects.
func TestTheStoredFormIsWhatItWas(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		half, two := 0.5, 2
		at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
		update(t, s, func(tx port.Tx) error {
			for _, err := range []error{
				tx.Sites().Put(site.Site{ID: 1, Agencies: []site.AgencyID{3, 1}, Settings: site.Settings{EnergyScales: []string{"fr-2021"}}}),
				tx.Agencies().Put(site.Agency{
					ID: 1, Site: 1, Card: site.ProfessionalCard{Number: "N", Mentions: []string{"T"}, IssuedBy: "I", ValidUntil: "V"},
					Guarantee: site.Guarantee{Provider: "P", Amount: 1.5}, Insurance: site.Insurance{Provider: "P", Policy: "Q"},
					Mediator: site.Mediator{Name: "N", URL: "U"}, OpeningHours: []site.OpeningHours{{Weekday: 1, Open: "09:00", Close: "10:00"}},
					Languages: []string{"fr"}, Added: at,
				}),
				tx.SourcedProducts().Put(operator.SourcedProduct{Site: 1, Product: 1, Source: 2, Own: true, Pictures: []operator.SourcedPicture{{Name: "N", Hash: "h"}}}),
				tx.Keys().Put(access.Key{Site: 1, ID: 1, Credential: "c", Packs: access.Properties | access.Agenda, Added: at}),
				tx.Criteria().Put(1, criteria.Definition{
					ID: 1, Type: criteria.MULTIPLE, Min: &half, Decimals: &two, PropertyTypes: []string{"M"},
					Choices: []criteria.Choice{{ID: 1, Code: "C", Label: "L", Active: true}},
				}),
				tx.Operators().Add(operator.Operator{ID: 1, Email: "e", Sites: []site.ID{1}, Filters: []operator.Filter{{Name: "N", Page: "/p", Query: "a=b"}}}),
				tx.ActionTypes().Put(1, customer.ActionType{ID: 1, Children: []customer.ActionChild{{ID: 2, Code: "C", Label: "L", Active: true}}}),
				tx.Credentials().Put(access.Credential{
					ID: "c", Sites: []site.ID{1}, Packs: access.Properties | access.Agenda, Permissions: []access.Permission{access.Config},
					Rights: []access.Right{access.HookList},
				}),
				tx.Products().Add(product.Product{
					ID: 1, Site: 1, Reference: "Réf  1", Criteria: criteria.Values{"Prix": criteria.Number(1)},
					Rooms: []product.Room{{
						ID: 1, Type: "T", Surface: &half, Niveau: &two, Exposition: "E", Vue: "V", Sol: "S", Commentaire: "C",
					}, {ID: 2}},
					Descriptions: []product.Description{{Language: "fr", Title: "T", Text: "X", ShortText: "S"}},
					Geocoded: product.Geocoded{
						For:   product.Address{Street: "s", PostalCode: "p", City: "c", Country: "f"},
						Place: product.Place{Position: criteria.Position{Latitude: 45.5, Longitude: -1.5}, Source: product.FromAddress, Score: 0.5, Commune: "I"},
					},
					Pictures: []product.Picture{{
						ID: 1, Visibility: product.Public, Label: "L", Width: 2, Height: 3, Size: 4, ContentType: "image/png", SHA256: "h", Sent: "s", Added: at,
					}},
				}),
				tx.Products().Add(product.Product{ID: 2, Site: 2}),
			} {
				if err != nil {
					return err
				}
			}
			return nil
		})
		db := p.raw(t)
		for _, c := range []struct{ query, want string }{
			{"SELECT agencies FROM site", `[3,1]`},
			{"SELECT energy_scales FROM site", `["fr-2021"]`},
			{"SELECT body FROM agency", `{"ID":1,"Site":1,"Name":"","LegalName":"","Address":"","PostalCode":"","City":"","Country":"","Email":"","Phone":"",` +
				`"SIREN":"","SIRET":"","Latitude":null,"Longitude":null,"LogoURL":"","Website":"","Active":false,"VATNumber":"","RCS":"","Capital":"","LegalForm":"",` +
				`"Card":{"Number":"N","Mentions":["T"],"IssuedBy":"I","ValidUntil":"V"},"Guarantee":{"Provider":"P","Amount":1.5},` +
				`"Insurance":{"Provider":"P","Policy":"Q"},"Mediator":{"Name":"N","URL":"U"},"FeesScheduleURL":"","Network":"","Description":"","TimeZone":"",` +
				`"OpeningHours":[{"Weekday":1,"Open":"09:00","Close":"10:00"}],"Languages":["fr"],` +
				`"Added":"2026-01-02T03:04:05.000006Z","Modified":"0001-01-01T00:00:00Z"}`},
			{"SELECT body FROM api_key", `{"ID":1,"Site":1,"Credential":"c","Name":"","Hash":"","Start":"","Packs":"properties agenda","Addresses":null,` +
				`"Added":"2026-01-02T03:04:05.000006Z","Expires":"0001-01-01T00:00:00Z","RevokedAt":"0001-01-01T00:00:00Z"}`},
			{"SELECT body FROM sourced_product", `{"Site":1,"Product":1,"Source":2,"Own":true,"Withdrawn":"0001-01-01T00:00:00Z","Pictures":[{"Name":"N","Hash":"h"}]}`},
			{"SELECT body FROM criterion", `{"Site":1,"Of":{"ID":1,"Key":"","Type":"MULTIPLE","Label":"","Description":"","Active":false,"Custom":false,` +
				`"CustomLabel":false,"CustomValues":false,"RequiredForPublication":false,"Searchable":false,"Private":false,"Unit":"","Min":0.5,"Max":null,` +
				`"Decimals":2,"MaxLength":0,"FullText":false,"Group":"","PropertyTypes":["M"],"Position":0,` +
				`"Choices":[{"ID":1,"Code":"C","Label":"L","Active":true}]}}`},
			{"SELECT body FROM action_type", `{"Site":1,"Of":{"ID":1,"Code":"","Label":"","Active":false,"Target":"","Color":"","Position":0,` +
				`"Children":[{"ID":2,"Code":"C","Label":"L","Active":true}]}}`},
			{"SELECT body FROM operator", `{"ID":1,"Email":"e","Name":"","Role":"","Sites":[1],"Everywhere":false,"Password":"","Disabled":false,` +
				`"Added":"0001-01-01T00:00:00Z","SignedIn":"0001-01-01T00:00:00Z","Filters":[{"Name":"N","Page":"/p","Query":"a=b"}]}`},
			{"SELECT sites FROM credential", `[1]`},
			{"SELECT packs FROM credential", `["properties","agenda"]`},
			{"SELECT permissions FROM credential", `["SITE_CONFIG"]`},
			{"SELECT rights FROM credential", `["RS:HOOK_LIST"]`},
			{"SELECT reference_key FROM product WHERE id = 1 AND deleted_at IS NULL", `ref 1`},
			{"SELECT criteria FROM product WHERE id = 1", `{"Prix":1}`},
			{"SELECT rooms FROM product WHERE id = 1", `[{"ID":1,"Type":"T","Surface":0.5,"Niveau":2,"Exposition":"E","Vue":"V","Sol":"S","Commentaire":"C"},` +
				`{"ID":2,"Type":"","Surface":null,"Niveau":null,"Exposition":"","Vue":"","Sol":"","Commentaire":""}]`},
			{"SELECT geocoded FROM product WHERE id = 1", `{"For":{"Street":"s","PostalCode":"p","City":"c","Country":"f"},` +
				`"Place":{"Latitude":45.5,"Longitude":-1.5,"Source":"address","Score":0.5,"Commune":"I"}}`},
			{"SELECT geocoded FROM product WHERE id = 2", ``},
			{"SELECT descriptions FROM product WHERE id = 1", `[{"Language":"fr","Title":"T","Text":"X","ShortText":"S"}]`},
			{"SELECT pictures FROM product WHERE id = 1", `[{"ID":1,"Visibility":"public","Label":"L","Width":2,"Height":3,"Size":4,"ContentType":"image/png",` +
				`"SHA256":"h","Sent":"s","Added":"2026-01-02T03:04:05.000006Z"}]`},
		} {
			answers(t, db, c.query, c.want)
		}
	})
}

// answers holds the one value that a query answers against what it must be.
func answers(t *testing.T, db *sql.DB, query, want string) {
	t.Helper()
	var got string
	if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
		t.Errorf("%s\n got %s (%v)\nwant %s", query, got, err, want)
	}
}
