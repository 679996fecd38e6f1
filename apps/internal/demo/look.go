package demo

import (
	"time"

	"github.com/vitrine-crm/vitrine/adapters/pages"
)

// Look is what everybody may know of the sandbox, on a day.
func Look(day time.Time) *pages.Demo {
	from := day.UTC().Truncate(24 * time.Hour)
	return &pages.Demo{
		Operator: OperatorEmail, Password: OperatorPassword,
		Clients: []pages.Client{
			{ID: "sandbox-network", Secret: "sandbox-network-secret", Site: 1, Reaches: `site 1 "Réseau Belvédère", with every right`},
			{ID: "sandbox-website", Secret: "sandbox-website-secret", Site: 1, Reaches: "site 1, what a showcase site needs, lead forms and bookings too"},
			{ID: "sandbox-rival", Secret: "sandbox-rival-secret", Site: 2, Reaches: `site 2 "Agence des Quais", with every right`},
			{ID: "sandbox-group", Secret: "sandbox-group-secret", Site: 1, Reaches: "sites 1 and 2, with every right"},
		},
		Values: map[string]any{
			"agencyId": 11, "agency_id": 11, "userId": 101, "user_id": 101, "customerId": 1001, "customer_id": 1001, "productId": 1, "product_id": 1, "criteriaId": "TypeBien", "listeId": 1, "site_id": "1",
			"facets": []any{map[string]any{"id": "TypeBien"}},
			"from":   from, "to": from.AddDate(0, 0, 7), "start_at": from, "end_at": from.Add(time.Hour),
		},
	}
}
