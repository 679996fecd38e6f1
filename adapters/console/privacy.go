package console

import (
	"encoding/json"
	"fmt"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// privacyPages are for people who ask what is kept about them, or want it gone. As on
// the pages about customers, nothing of a person is in an address or in a title.
func privacyPages() []page {
	one, handles := "/privacy/{id}", operator.HandlePersons
	return []page{
		{
			path: "/privacy", title: "Privacy", template: "privacy", show: showPrivacy, asks: true, powers: handles,
			menu: &menu{section: data, label: "Privacy", icon: "lock"},
		},
		{path: one, title: "A person", template: "person", show: showPerson, under: "/privacy", powers: handles},
		{path: one + "/export", do: exportPerson, on: one, powers: handles},
		{path: one + "/anonymize", do: anonymizePerson, on: one, powers: handles},
	}
}

// privacyPage finds people.
type privacyPage struct {
	Form   *form
	Fields []field
	// Asked reports that somebody was looked for.
	Asked bool
	Rows  []personRow
	Empty empty
}

func showPrivacy(v *pageRequest) (any, error) {
	f := v.form()
	p := privacyPage{
		Form: f, Asked: v.typed != nil && v.refused == nil,
		Fields: []field{
			f.text("phone", "Phone", "", "").as("tel").filled("off"),
			f.text("email", "E-mail", "", "").as("email").filled("off"),
		},
		Empty: empty{Title: "Nobody is known by that", Text: "Ask whether they gave another number or address. Each agency that is in scope was looked through."},
	}
	if !p.Asked {
		return p, nil
	}
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	found, err := v.Backoffice.FindPerson(v.ctx, v.actor, at(v, backoffice.FindPerson{Phone: v.sent("phone"), Email: v.sent("email")}))
	for _, one := range found {
		p.Rows = append(p.Rows, v.personRow(c, one))
	}
	return p, err
}

// personPage is somebody whose rights are seen to.
type personPage struct {
	Form     *form
	ID       int64
	Name     string
	State    state
	Contacts []contactRow
	// Known reports that there is something left to remove.
	Known bool
	Typed field
}

func (p personPage) title() string { return fmt.Sprintf("Customer %d", p.ID) }

func showPerson(v *pageRequest) (any, error) {
	id, _, who, err := readNamed(v, v.Site.People.GetCustomer, func(id int64) people.CustomerPath { return people.CustomerPath{ID: id} })
	if err != nil {
		return nil, err
	}
	f := v.form()
	return personPage{
		Form: f, ID: id, Name: backoffice.NameOf(who.CustomerSummary), State: customerState(who), Contacts: contactRows(who), Known: who.AnonymizedAt == nil,
		Typed: f.text("name", "Type the name to confirm", "As it stands at the top of this page.", "").required().filled("off"),
	}, nil
}

func exportPerson(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	kept, err := v.Backoffice.ExportPerson(v.ctx, v.actor, at(v, people.CustomerPath{ID: id}))
	if err != nil {
		return done{}, err
	}
	text, err := json.MarshalIndent(kept, "", "  ")
	return handing(download{Name: fmt.Sprintf("customer-%d.json", id), Type: "application/json", Content: text}), err
}

func anonymizePerson(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	_, err = v.Backoffice.AnonymizePerson(v.ctx, v.actor, at(v, backoffice.AnonymizePerson{ID: id, Name: v.sent("name")}))
	return went("privacy", id).saying("Everything personal about them is removed, for good."), err
}
