package overview

import (
	"errors"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// addOwn adds what a client sees of itself, at the sites that the page is about.
func addOwn(v *kit.Request, p *overviewPage) error {
	p.NoHooks.Text = "A webhook is an address to which Vitrine sends what happens."
	names := []string{v.Actor.Operator.Name}
	for _, s := range v.Shown() {
		names = append(names, s.Name)
	}
	p.Lead = strings.Join(names, " · ")
	for _, add := range []func(*kit.Request, *overviewPage) error{addHooks, addTraffic, addEndingKeys} {
		if err := add(v, p); err != nil && !errors.Is(err, fault.Forbidden) {
			return err
		}
	}
	return nil
}

// endsSoon is how long before its end a key needs attention.
const endsSoon = 14 * 24 * time.Hour

// addEndingKeys adds the keys of the client that end soon.
func addEndingKeys(v *kit.Request, p *overviewPage) error {
	own, err := v.Backoffice.GetCredential(v.Ctx, v.Actor, backoffice.CredentialPath{ID: string(v.Actor.Client())})
	for _, k := range own.Keys {
		if left := k.Expires.Sub(v.Time); !k.Revoked() && !k.Expires.IsZero() && left > 0 && left <= endsSoon {
			p.Attention = append(p.Attention, attention{
				Tone: kit.Wanted, Title: v.Say("The key %s ends soon", k.Name), Text: v.Say("It is refused in %s. Make another one.", v.Span(left)),
				Href: v.Link("credentials", own.ID),
			})
		}
	}
	return err
}
