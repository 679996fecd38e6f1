package console

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// staffPages returns the forms of agencies and users.
func staffPages() []page {
	form := func(path, title string, show func(*pageRequest) (any, error), do func(*pageRequest) (done, error)) page {
		return page{path: path, title: title, template: "form", show: show, do: do, under: "/site", powers: operator.ManageSites}
	}
	return []page{
		form("/site/agencies/new", "A new agency", showNewAgency, createAgency),
		form("/site/agencies/{id}", "Agency", showAgency, changeAgency),
		form("/site/users/new", "A new user", showNewUser, createUser),
		form("/site/users/{id}", "User", showUser, changeUser),
	}
}

// textField is how a form asks for a text of a record. A section begins with the first field
// that names it.
type textField struct{ name, section, label, hint, kind string }

func agencyFields() []textField {
	return []textField{
		{name: "name", label: "Name"},
		{name: "address", section: "Where it is", label: "Address"},
		{name: "postal_code", label: "Postal code"},
		{name: "city", label: "Town"},
		{name: "country", label: "Country", hint: "A code of ISO 3166, such as FR."},
		{name: "timezone", label: "Time zone", hint: "As the IANA names it, such as Indian/Reunion; empty for that of the site."},
		{name: "email", section: "What the public sees", label: "E-mail", kind: "email"},
		{name: "phone", label: "Phone", kind: "tel"},
		{name: "website", label: "Website", kind: "url"},
		{name: "logo_url", label: "Address of its logo", kind: "url"},
		{name: "fees_schedule_url", label: "Address of its fees", kind: "url"},
		{name: "network", label: "Network", hint: "The brand it works under."},
		{name: "description", label: "Description", kind: "area"},
		{name: "legal_name", section: "The company", label: "Legal name"},
		{name: "legal_form", label: "Legal form", hint: "Such as SARL."},
		{name: "capital", label: "Capital"},
		{name: "siren", label: "SIREN"},
		{name: "siret", label: "SIRET"},
		{name: "vat_number", label: "VAT number"},
		{name: "rcs", label: "RCS", hint: "Town and number of the register."},
		{name: "professional_card.number", section: "Its licence to trade", label: "Professional card"},
		{name: "professional_card.issued_by", label: "Issued by"},
		{name: "professional_card.valid_until", label: "Valid until", kind: "date"},
		{name: "guarantee.provider", label: "Guarantor"},
		{name: "insurance.provider", label: "Insurer"},
		{name: "insurance.policy", label: "Insurance policy"},
		{name: "mediator.name", label: "Mediator of consumers"},
		{name: "mediator.url", label: "Address of the mediator", kind: "url"},
	}
}

func userFields() []textField {
	return []textField{
		{name: "firstname", label: "First name"},
		{name: "lastname", label: "Last name"},
		{name: "email", section: "What the public sees", label: "E-mail", kind: "email"},
		{name: "phone", label: "Phone", kind: "tel"},
		{name: "mobile", label: "Mobile", kind: "tel"},
		{name: "job_title", label: "Job"},
		{name: "zone", label: "Where they work"},
		{name: "photo_url", label: "Address of their photo", kind: "url"},
		{name: "biography", label: "Biography", kind: "area"},
		{name: "rsac", section: "Their right to trade", label: "RSAC"},
		{name: "siret", label: "SIRET"},
		{name: "professional_card", label: "Professional card"},
	}
}

// texts returns the fields for the texts of a record.
func (f *form) texts(asked []textField, texts []transfer.Text) []field {
	fields := make([]field, len(asked))
	for i, a := range asked {
		n := slices.IndexFunc(texts, func(t transfer.Text) bool { return t.Name == a.name })
		fields[i] = f.text(a.name, a.label, a.hint, *texts[n].Value)
		fields[i].Section = a.section
		if a.kind != "" {
			fields[i].Type = a.kind
		}
	}
	return fields
}

// readTexts sets the texts of a record to what was sent.
func (v *pageRequest) readTexts(texts []transfer.Text) {
	for _, t := range texts {
		*t.Value = strings.ReplaceAll(v.sent(t.Name), "\r\n", "\n")
	}
}

// number returns a number that was sent: 0 where nothing was, and -1 for what is no number.
func (v *pageRequest) number(name string) int64 {
	text := strings.TrimSpace(v.sent(name))
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// numberField is the field for the id of a new record.
func (f *form) numberField() field {
	number := f.text("id", "Number", "If nothing is typed, the next one.", "").as("number")
	number.Narrow = true
	return number
}

const (
	activeFlag  = "active"
	scopeFlag   = "in_scope"
	visibleFlag = "web_visible"
)

// flags returns the field for what holds of a record.
func (f *form) flags(offered []choice, holds map[string]bool) field {
	var first []string
	for name, is := range holds {
		if is {
			first = append(first, name)
		}
	}
	return f.some("flags", "State", first, offered)
}

func (v *pageRequest) isTicked(flag string) bool { return slices.Contains(v.r.PostForm["flags"], flag) }

// wholeSite returns the chosen site with all its agencies and users.
func (v *pageRequest) wholeSite() (backoffice.WholeSite, error) {
	return v.Backoffice.GetSite(v.ctx, v.actor, at(v, kernel.Nothing{}))
}

// namedAgency returns the agency that the path names, and its site.
func (v *pageRequest) namedAgency() (whole backoffice.WholeSite, a site.Agency, err error) {
	id, err := v.id("id")
	if err == nil {
		whole, err = v.wholeSite()
	}
	if err == nil {
		a, err = whole.Agency(site.AgencyID(id))
	}
	return whole, a, err
}

// namedUser returns the user that the path names, and their site.
func (v *pageRequest) namedUser() (whole backoffice.WholeSite, u site.User, err error) {
	id, err := v.id("id")
	if err == nil {
		whole, err = v.wholeSite()
	}
	if err == nil {
		u, err = whole.User(site.UserID(id))
	}
	return whole, u, err
}

func (f *form) agency(a site.Agency, inScope bool) []field {
	fields := f.texts(agencyFields(), transfer.AgencyTexts(&a))
	fields[0] = fields[0].required()
	mentions := f.some("professional_card.mentions", "The card allows", a.Card.Mentions, []choice{
		{Value: "T", Label: "T, sales and lettings"}, {Value: "G", Label: "G, management"}, {Value: "S", Label: "S, co-owned buildings"},
	})
	mentions.Narrow = true
	amount := ""
	if a.Guarantee.Amount != 0 {
		amount = strconv.FormatFloat(a.Guarantee.Amount, 'f', -1, 64)
	}
	fields = after(fields, "professional_card.valid_until", mentions)
	fields = after(fields, "guarantee.provider", f.text("guarantee.amount", "Amount of the guarantee", "In the currency of the site.", amount))
	fields = after(fields, "description", f.languages(a.Languages))
	return append(fields, f.flags([]choice{
		{Value: activeFlag, Label: "active: websites show it"},
		{Value: scopeFlag, Label: "of the network: clients of the API reach it, its listings and its customers"},
	}, map[string]bool{activeFlag: a.Active, scopeFlag: inScope}))
}

// after returns the fields with another one after the one with a name.
func after(fields []field, name string, another field) []field {
	return slices.Insert(fields, 1+slices.IndexFunc(fields, func(f field) bool { return f.Name == name }), another)
}

func (f *form) languages(first []string) field {
	return f.text("languages", "Languages", "Codes such as fr, separated by commas or spaces.", strings.Join(first, ", "))
}

// readAgency returns an agency with what was sent in the place of what it has.
func (v *pageRequest) readAgency(a site.Agency) (backoffice.AgencyInput, error) {
	v.readTexts(transfer.AgencyTexts(&a))
	a.Card.Mentions, a.Languages, a.Active = v.r.PostForm["professional_card.mentions"], separated(v.sent("languages")), v.isTicked(activeFlag)
	amount, err := strconv.ParseFloat("0"+strings.Replace(strings.TrimSpace(v.sent("guarantee.amount")), ",", ".", 1), 64)
	if a.Guarantee.Amount = amount; err != nil {
		return backoffice.AgencyInput{}, wrongField("guarantee.amount", fault.CodeInvalidFormat, fault.Textf("%s is a number of at least 0", "guarantee.amount"))
	}
	return backoffice.AgencyInput{IfMatch: v.ifStill(), Agency: a, InScope: v.isTicked(scopeFlag)}, nil
}

func showNewAgency(v *pageRequest) (any, error) {
	f := v.form()
	return formPage{
		Form: f, Heading: "A new agency", Button: "Add it", Back: link(v.Prefix, "site"), BackLabel: "Site", Action: v.action("site", "agencies", "new"),
		Fields: append([]field{f.numberField()}, f.agency(site.Agency{Active: true}, true)...),
	}, nil
}

func createAgency(v *pageRequest) (done, error) {
	in, err := v.readAgency(site.Agency{ID: site.AgencyID(v.number("id"))})
	if err == nil {
		_, err = v.Backoffice.CreateAgency(v.ctx, v.actor, at(v, in))
	}
	return went("site").saying("The agency is added."), err
}

func showAgency(v *pageRequest) (any, error) {
	whole, a, err := v.namedAgency()
	if err != nil {
		return nil, err
	}
	f := v.form()
	return formPage{
		Form: f, Heading: a.Name, Button: "Save", Back: link(v.Prefix, "site"), BackLabel: "Site", Action: v.actionOn(whole.Version, "site", "agencies", a.ID),
		Lead:   "Opening hours, online booking and coordinates are not asked for here, and stay as they are.",
		Fields: f.agency(a, whole.Record.Scope().Has(a.ID)),
	}, nil
}

func changeAgency(v *pageRequest) (done, error) {
	_, a, err := v.namedAgency()
	if err != nil {
		return done{}, err
	}
	in, err := v.readAgency(a)
	if err == nil {
		_, err = v.Backoffice.ChangeAgency(v.ctx, v.actor, at(v, in))
	}
	return went("site").saying("The agency is changed. Where it left the network, or returned, clients are told of what is of it within ten minutes."), err
}

func (f *form) user(whole backoffice.WholeSite, u site.User) []field {
	agencies := make([]choice, len(whole.Agencies))
	for i, a := range whole.Agencies {
		agencies[i] = choice{Value: strconv.FormatInt(int64(a.ID), 10), Label: a.Name}
	}
	none := choice{Value: "0", Label: "not said"}
	kinds := append([]choice{{Label: none.Label}}, named(site.StatusKinds())...)
	groups := []choice{{Value: none.Value, Label: "none"}}
	for _, g := range whole.Record.Groups {
		groups = append(groups, choice{Value: strconv.FormatInt(g.ID, 10), Label: g.Name})
	}
	fields := f.texts(userFields(), transfer.UserTexts(&u))
	fields = after(fields, "lastname", f.one("agency_id", "Agency", "", strconv.FormatInt(int64(u.Agency), 10), agencies))
	fields = after(fields, "biography", f.languages(u.Languages))
	fields = append(fields,
		f.one("status_kind", "Position", "", u.StatusKind, kinds),
		f.one("type", "What they are", "", strconv.FormatInt(u.Type, 10), append([]choice{none}, labelled(site.UserTypes())...)),
		f.one("gender", "Gender", "", strconv.FormatInt(u.Gender, 10), append([]choice{none}, labelled(site.Genders())...)))
	if len(groups) > 1 {
		fields = append(fields, f.one("group_id", "User group", "", strconv.FormatInt(u.Group, 10), groups))
	}
	return append(fields, f.flags([]choice{{Value: activeFlag, Label: "active: works here"}, {Value: visibleFlag, Label: "on the web: websites show them"}},
		map[string]bool{activeFlag: u.Active, visibleFlag: u.WebVisible}))
}

// labelled makes choices of the entries of a fixed list.
func labelled(labels []site.Label) []choice {
	choices := make([]choice, len(labels))
	for i, l := range labels {
		choices[i] = choice{Value: strconv.FormatInt(l.ID, 10), Label: l.Label}
	}
	return choices
}

// readUser returns a user with what was sent in the place of what they have.
func (v *pageRequest) readUser(u site.User) backoffice.UserInput {
	v.readTexts(transfer.UserTexts(&u))
	u.Agency, u.StatusKind, u.Languages = site.AgencyID(v.number("agency_id")), v.sent("status_kind"), separated(v.sent("languages"))
	u.Type, u.Gender, u.Active, u.WebVisible = v.number("type"), v.number("gender"), v.isTicked(activeFlag), v.isTicked(visibleFlag)
	if v.r.PostForm.Has("group_id") {
		u.Group = v.number("group_id")
	}
	return backoffice.UserInput{IfMatch: v.ifStill(), User: u}
}

func showNewUser(v *pageRequest) (any, error) {
	whole, err := v.wholeSite()
	if err != nil {
		return nil, err
	}
	f, u := v.form(), site.User{Active: true, WebVisible: true}
	if first := whole.Record.Agencies; len(first) > 0 {
		u.Agency = first[0]
	}
	return formPage{
		Form: f, Heading: "A new user", Button: "Add them", Back: link(v.Prefix, "site", "users"), BackLabel: "Users", Action: v.action("site", "users", "new"),
		Lead:   "A user works at an agency: the API names them, and the agenda and products are theirs. It is no sign-in to this console; that is an operator.",
		Fields: append([]field{f.numberField()}, f.user(whole, u)...),
	}, nil
}

func createUser(v *pageRequest) (done, error) {
	_, err := v.Backoffice.CreateUser(v.ctx, v.actor, at(v, v.readUser(site.User{ID: site.UserID(v.number("id"))})))
	return went("site", "users").saying("The user is added."), err
}

func showUser(v *pageRequest) (any, error) {
	whole, u, err := v.namedUser()
	if err != nil {
		return nil, err
	}
	f := v.form()
	return formPage{
		Form: f, Heading: u.FullName(), Button: "Save", Back: link(v.Prefix, "site", "users"), BackLabel: "Users", Action: v.actionOn(whole.Version, "site", "users", u.ID),
		Lead:   "Their working time is not asked for here, and stays as it is.",
		Fields: f.user(whole, u),
	}, nil
}

func changeUser(v *pageRequest) (done, error) {
	_, u, err := v.namedUser()
	if err != nil {
		return done{}, err
	}
	_, err = v.Backoffice.ChangeUser(v.ctx, v.actor, at(v, v.readUser(u)))
	return went("site", "users").saying("The user is changed."), err
}
