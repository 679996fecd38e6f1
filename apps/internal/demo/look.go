package demo

import (
	"context"

	"github.com/vitrine-crm/vitrine/adapters/pages"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Clients returns the credentials of the sandbox, which are as public as its operator.
func Clients() []pages.Client {
	return []pages.Client{
		{ID: "sandbox-network", Secret: "sandbox-network-secret", Site: 1, Reaches: `site 1 "Réseau Belvédère", with every right`},
		{ID: "sandbox-website", Secret: "sandbox-website-secret", Site: 1, Reaches: "site 1, what a showcase site needs, lead forms and bookings too"},
		{ID: "sandbox-rival", Secret: "sandbox-rival-secret", Site: 2, Reaches: `site 2 "Agence des Quais", with every right`},
		{ID: "sandbox-group", Secret: "sandbox-group-secret", Site: 1, Reaches: "sites 1 and 2, with every right"},
	}
}

// Look returns what everybody may know of the sandbox on some ports.
func Look(ports kernel.Ports) *pages.Demo {
	return &pages.Demo{
		Operator: OperatorEmail, Password: OperatorPassword, Clients: Clients(),
		Requests: func(ctx context.Context) ([]pages.Request, error) { return Requests(ctx, ports) },
		Picture:  func() []byte { return Outside(Property{Kind: "Appartement", Reference: office.visited}).WebP },
	}
}
