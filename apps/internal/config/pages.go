package config

import (
	"net/http"

	"github.com/vitrine-crm/vitrine/adapters/pages"
)

// Pages says what browsers are shown that open the API's address.
type Pages struct {
	NoFrontPage bool `env:"VITRINE_NO_FRONT_PAGE" help:"Answer browsers at / as any other client, with 404: for servers whose proxy has a page of its own there."`
	// Demo is what everybody may know of a server with invented data, nil of others.
	Demo *pages.Demo `kong:"-"`
	// Faces are the logos and portraits of a server with invented data, nil of others.
	Faces http.Handler `kong:"-"`
}
