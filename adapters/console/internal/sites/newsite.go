package sites

import (
	"net/url"
	"strconv"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func showNewSite(v *kit.Request) (any, error) {
	if !v.MayMakeSites() {
		return nil, fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "your role does not hold for this site")
	}
	f := v.Form()
	next := int64(1)
	for _, s := range v.Sites {
		next = max(next, int64(s.ID)+1)
	}
	p := kit.FormPage{
		Form: f, Heading: v.Say("A new site"), Button: "Make the site", Back: v.Link("site"), BackLabel: v.Say("Site"), Action: v.Action("sites", "new"),
		// A form that is sent twice is about the same site.
		Kept: []kit.Choice{{Value: "site", Label: strconv.FormatInt(next, 10)}},
		Lead: v.Say("A site is a network of agencies with its listings. It begins with one agency, one user, the French vocabulary, and a client of the API that may do everything there."),
		Fields: []kit.Field{
			f.Text("name", "Name of the network", "", "").MustFill().Filled("organization"),
			f.Text("agency", "Name of its first agency", "If nothing is typed, that of the network.", ""),
			f.Text("postal_code", "Postal code of the agency", "Five digits, such as 44000.", "").MustFill().Filled("postal-code"),
			f.Text("city", "Town of the agency", "", "").MustFill(),
			f.Text("firstname", "First name of who works there first", "", "").MustFill(),
			f.Text("lastname", "Last name", "", "").MustFill(),
			f.Text("email", "E-mail", "", "").As("email").MustFill(),
		},
	}
	if len(v.Sites) == 0 {
		p.Heading, p.Back = v.Say("The first site"), ""
	}
	return p, nil
}

func createSite(v *kit.Request) (kit.Done, error) {
	id, err := strconv.ParseInt(v.Sent("site"), 10, 64)
	if err != nil {
		return kit.Done{}, kernel.Invalid("site", fault.CodeInvalidFormat, "site is a number of at least 1")
	}
	made, err := v.Backoffice.CreateSite(v.Ctx, v.Actor, backoffice.NewSite{
		ID: id, Name: v.Sent("name"), Agency: v.Sent("agency"), PostalCode: v.Sent("postal_code"), City: v.Sent("city"),
		Firstname: v.Sent("firstname"), Lastname: v.Sent("lastname"), Email: v.Sent("email"),
	})
	went := kit.Went("site").Showing(kit.Text(v.Say("The site is made. This is the secret of its client %s.", made.Client)), made.Secret, kit.KeepIt)
	went.Query = url.Values{"site": {strconv.FormatInt(made.Site, 10)}}.Encode()
	return went, err
}
