package people

import (
	"encoding/json"
	"fmt"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// privacyPages are for people who ask what is kept about them, or want it gone. As on
// the pages about customers, nothing of a person is in an address or in a title.
func privacyPages() []kit.Page {
	one, handles := "/privacy/{id}", operator.HandlePersons
	return []kit.Page{
		{
			Path: "/privacy", Title: "Privacy", Template: "privacy", Show: showPrivacy, Asks: true, Powers: handles,
			Menu: &kit.Menu{Section: kit.Data, Label: "Privacy", Icon: "lock"},
		},
		{Path: one, Title: "Customer", Template: "person", Show: showPerson, Under: "/privacy", Powers: handles},
		{Path: one + "/export", Do: exportPerson, On: one, Powers: handles},
		{Path: one + "/anonymize", Do: anonymizePerson, On: one, Powers: handles},
	}
}

// privacyPage finds people.
type privacyPage struct {
	Form   *kit.Form
	Fields []kit.Field
	// Asked reports that somebody was looked for.
	Asked bool
	Rows  []personRow
	Empty kit.Empty
}

func showPrivacy(v *kit.Request) (any, error) {
	f := v.Form()
	p := privacyPage{
		Form: f, Asked: v.Typed != nil && v.Refused == nil,
		Fields: []kit.Field{
			f.Text("phone", "Phone", "", "").As("tel").Filled("off"),
			f.Text("email", "E-mail", "", "").As("email").Filled("off"),
		},
		Empty: kit.Empty{Title: "Nobody is known by that", Text: "Ask whether they gave another number or address. Each agency that is in scope was looked through."},
	}
	if !p.Asked {
		return p, nil
	}
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	found, err := v.Backoffice.FindPerson(v.Ctx, v.Actor, kit.At(v, backoffice.FindPerson{Phone: v.Sent("phone"), Email: v.Sent("email")}))
	for _, one := range found {
		p.Rows = append(p.Rows, newPersonRow(v, c, one))
	}
	return p, err
}

// personPage is somebody whose rights are seen to.
type personPage struct {
	Form     *kit.Form
	ID       int64
	Name     string
	State    kit.State
	Contacts []contactRow
	// Known reports that there is something left to remove.
	Known bool
	Typed kit.Field
}

func showPerson(v *kit.Request) (any, error) {
	id, _, who, err := kit.ReadNamed(v, v.Site.People.GetCustomer, func(id int64) people.CustomerPath { return people.CustomerPath{ID: id} })
	if err != nil {
		return nil, err
	}
	f := v.Form()
	return personPage{
		Form: f, ID: id, Name: backoffice.NameOf(who.CustomerSummary), State: customerState(who), Contacts: contactRows(v, who), Known: who.AnonymizedAt == nil,
		Typed: f.Text("name", "Type the name to confirm", "As it stands at the top of this page.", "").MustFill().Filled("off"),
	}, nil
}

func exportPerson(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	kept, err := v.Backoffice.ExportPerson(v.Ctx, v.Actor, kit.At(v, people.CustomerPath{ID: id}))
	if err != nil {
		return kit.Done{}, err
	}
	text, err := json.MarshalIndent(kept, "", "  ")
	return kit.Handing(kit.Download{Name: fmt.Sprintf("customer-%d.json", id), Type: "application/json", Content: text}), err
}

func anonymizePerson(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.AnonymizePerson(v.Ctx, v.Actor, kit.At(v, backoffice.AnonymizePerson{ID: id, Name: v.Sent("name")}))
	return kit.Went("privacy", id).Saying("Everything personal about them is removed, for good."), err
}
