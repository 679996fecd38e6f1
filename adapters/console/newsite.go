package console

import (
	"net/url"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// newSitePath is the path of the page on which a site is made.
const newSitePath = "/sites/new"

// mayMakeSites reports whether the operator makes sites: their role holds for all of them.
func (v *pageRequest) mayMakeSites() bool {
	return v.actor.Operator.Everywhere && v.may(v.pages[newSitePath])
}

func showNewSite(v *pageRequest) (any, error) {
	if !v.mayMakeSites() {
		return nil, fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "your role does not hold for this site")
	}
	f := v.form()
	next := int64(1)
	for _, s := range v.sites {
		next = max(next, int64(s.ID)+1)
	}
	p := formPage{
		Form: f, Heading: "A new site", Button: "Make the site", Back: link(v.Prefix, "site"), BackLabel: "Site", Action: v.action("sites", "new"),
		// A form that is sent twice is about the same site.
		Kept: []choice{{Value: "site", Label: strconv.FormatInt(next, 10)}},
		Lead: "A site is a network of agencies with its listings. It begins with one agency, one user, the French vocabulary, and a client of the API that may do everything there.",
		Fields: []field{
			f.text("name", "Name of the network", "", "").required().filled("organization"),
			f.text("agency", "Name of its first agency", "If nothing is typed, that of the network.", ""),
			f.text("postal_code", "Postal code of the agency", "Five digits, such as 44000.", "").required().filled("postal-code"),
			f.text("city", "Town of the agency", "", "").required(),
			f.text("firstname", "First name of who works there first", "", "").required(),
			f.text("lastname", "Last name", "", "").required(),
			f.text("email", "E-mail", "", "").as("email").required(),
		},
	}
	if len(v.sites) == 0 {
		p.Heading, p.Back = "The first site", ""
	}
	return p, nil
}

func createSite(v *pageRequest) (done, error) {
	id, err := strconv.ParseInt(v.sent("site"), 10, 64)
	if err != nil {
		return done{}, kernel.Invalid("site", fault.CodeInvalidFormat, "site is a number of at least 1")
	}
	made, err := v.Backoffice.CreateSite(v.ctx, v.actor, backoffice.NewSite{
		ID: id, Name: v.sent("name"), Agency: v.sent("agency"), PostalCode: v.sent("postal_code"), City: v.sent("city"),
		Firstname: v.sent("firstname"), Lastname: v.sent("lastname"), Email: v.sent("email"),
	})
	went := went("site").showing("The site is made. This is the secret of its client "+made.Client+".", made.Secret, keepIt)
	went.query = url.Values{"site": {strconv.FormatInt(made.Site, 10)}}.Encode()
	return went, err
}
