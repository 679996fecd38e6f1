package sites

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// staffPages returns the forms of agencies and users.
func staffPages() []kit.Page {
	form := func(path string, title kit.Text, show func(*kit.Request) (any, error), do func(*kit.Request) (kit.Done, error)) kit.Page {
		return kit.Page{Path: path, Title: title, Template: "form", Show: show, Do: do, Under: "/site", Powers: operator.ManageSites}
	}
	return []kit.Page{
		form("/site/agencies/new", "A new agency", showNewAgency, createAgency),
		form("/site/agencies/{id}", "Agency", showAgency, changeAgency),
		form("/site/users/new", "A new user", showNewUser, createUser),
		form("/site/users/{id}", "User", showUser, changeUser),
	}
}

// textField is how a form asks for a text of a record. A section begins with the first field
// that names it.
type textField struct {
	name, kind           string
	section, label, hint kit.Text
}

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

// newTexts returns the fields for the texts of a record.
func newTexts(f *kit.Form, asked []textField, texts []transfer.Text) []kit.Field {
	fields := make([]kit.Field, len(asked))
	for i, a := range asked {
		n := slices.IndexFunc(texts, func(t transfer.Text) bool { return t.Name == a.name })
		fields[i] = f.Text(a.name, a.label, a.hint, *texts[n].Value)
		fields[i].Section = a.section
		if a.kind != "" {
			fields[i].Type = a.kind
		}
	}
	return fields
}

// readTexts sets the texts of a record to what was sent.
func readTexts(v *kit.Request, texts []transfer.Text) {
	for _, t := range texts {
		*t.Value = strings.ReplaceAll(v.Sent(t.Name), "\r\n", "\n")
	}
}

// newNumber returns a number that was sent: 0 where nothing was, and -1 for what is no number.
func newNumber(v *kit.Request, name string) int64 {
	text := strings.TrimSpace(v.Sent(name))
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
func numberField(f *kit.Form) kit.Field {
	number := f.Text("id", "Number", "If nothing is typed, the next one.", "").As("number")
	number.Narrow = true
	return number
}

const (
	activeFlag  = "active"
	scopeFlag   = "in_scope"
	visibleFlag = "web_visible"
)

// flags returns the field for what holds of a record.
func flags(f *kit.Form, offered []kit.Choice, holds map[string]bool) kit.Field {
	var first []string
	for name, is := range holds {
		if is {
			first = append(first, name)
		}
	}
	return f.Some("flags", "State", first, offered)
}

func isTicked(v *kit.Request, flag string) bool {
	return slices.Contains(v.HTTP.PostForm["flags"], flag)
}

// wholeSite returns the chosen site with all its agencies and users.
func wholeSite(v *kit.Request) (backoffice.WholeSite, error) {
	return v.Backoffice.GetSite(v.Ctx, v.Actor, kit.At(v, kernel.Nothing{}))
}

// namedAgency returns the agency that the path names, and its site.
func namedAgency(v *kit.Request) (whole backoffice.WholeSite, a site.Agency, err error) {
	id, err := v.ID("id")
	if err == nil {
		whole, err = wholeSite(v)
	}
	if err == nil {
		a, err = whole.Agency(site.AgencyID(id))
	}
	return whole, a, err
}

// namedUser returns the user that the path names, and their site.
func namedUser(v *kit.Request) (whole backoffice.WholeSite, u site.User, err error) {
	id, err := v.ID("id")
	if err == nil {
		whole, err = wholeSite(v)
	}
	if err == nil {
		u, err = whole.User(site.UserID(id))
	}
	return whole, u, err
}

func agency(f *kit.Form, a site.Agency, inScope bool) []kit.Field {
	fields := newTexts(f, agencyFields(), transfer.AgencyTexts(&a))
	fields[0] = fields[0].MustFill()
	mentions := f.Some("professional_card.mentions", "The card allows", a.Card.Mentions, []kit.Choice{
		{Value: "T", Label: f.Say("T, sales and lettings")}, {Value: "G", Label: f.Say("G, management")}, {Value: "S", Label: f.Say("S, co-owned buildings")},
	})
	mentions.Narrow = true
	amount := ""
	if a.Guarantee.Amount != 0 {
		amount = strconv.FormatFloat(a.Guarantee.Amount, 'f', -1, 64)
	}
	fields = after(fields, "professional_card.valid_until", mentions)
	fields = after(fields, "guarantee.provider", f.Text("guarantee.amount", "Amount of the guarantee", "In the currency of the site.", amount))
	fields = after(fields, "description", languages(f, a.Languages))
	return append(fields, flags(f, []kit.Choice{
		{Value: activeFlag, Label: f.Say("active: websites show it")},
		{Value: scopeFlag, Label: f.Say("of the network: clients of the API reach it, its listings and its customers")},
	}, map[string]bool{activeFlag: a.Active, scopeFlag: inScope}))
}

// after returns the fields with another one after the one with a name.
func after(fields []kit.Field, name string, another kit.Field) []kit.Field {
	return slices.Insert(fields, 1+slices.IndexFunc(fields, func(f kit.Field) bool { return f.Name == name }), another)
}

func languages(f *kit.Form, first []string) kit.Field {
	return f.Text("languages", "Languages", "Codes such as fr, separated by commas or spaces.", strings.Join(first, ", "))
}

// readAgency returns an agency with what was sent in the place of what it has.
func readAgency(v *kit.Request, a site.Agency) (backoffice.AgencyInput, error) {
	readTexts(v, transfer.AgencyTexts(&a))
	a.Card.Mentions, a.Languages, a.Active = v.HTTP.PostForm["professional_card.mentions"], kit.Separated(v.Sent("languages")), isTicked(v, activeFlag)
	amount, err := strconv.ParseFloat("0"+strings.Replace(strings.TrimSpace(v.Sent("guarantee.amount")), ",", ".", 1), 64)
	if a.Guarantee.Amount = amount; err != nil {
		return backoffice.AgencyInput{}, kit.WrongField("guarantee.amount", fault.CodeInvalidFormat, fault.Textf("%s is a number of at least 0", "guarantee.amount"))
	}
	return backoffice.AgencyInput{IfMatch: v.IfStill(), Agency: a, InScope: isTicked(v, scopeFlag)}, nil
}

func showNewAgency(v *kit.Request) (any, error) {
	f := v.Form()
	return kit.FormPage{
		Form: f, Heading: v.Say("A new agency"), Button: "Add it", Back: v.Link("site"), BackLabel: v.Say("Site"), Action: v.Action("site", "agencies", "new"),
		Fields: append([]kit.Field{numberField(f)}, agency(f, site.Agency{Active: true}, true)...),
	}, nil
}

func createAgency(v *kit.Request) (kit.Done, error) {
	in, err := readAgency(v, site.Agency{ID: site.AgencyID(newNumber(v, "id"))})
	if err == nil {
		_, err = v.Backoffice.CreateAgency(v.Ctx, v.Actor, kit.At(v, in))
	}
	return kit.Went("site").Saying("The agency is added."), err
}

func showAgency(v *kit.Request) (any, error) {
	whole, a, err := namedAgency(v)
	if err != nil {
		return nil, err
	}
	f := v.Form()
	return kit.FormPage{
		Form: f, Heading: a.Name, Button: "Save", Back: v.Link("site"), BackLabel: v.Say("Site"), Action: v.ActionOn(whole.Version, "site", "agencies", a.ID),
		Lead:   v.Say("Opening hours, online booking and coordinates are not asked for here, and stay as they are."),
		Fields: agency(f, a, whole.Record.Scope().Has(a.ID)),
	}, nil
}

func changeAgency(v *kit.Request) (kit.Done, error) {
	_, a, err := namedAgency(v)
	if err != nil {
		return kit.Done{}, err
	}
	in, err := readAgency(v, a)
	if err == nil {
		_, err = v.Backoffice.ChangeAgency(v.Ctx, v.Actor, kit.At(v, in))
	}
	return kit.Went("site").Saying("The agency is changed. Where it left the network, or returned, clients are notified of its records within ten minutes."), err
}

func user(f *kit.Form, whole backoffice.WholeSite, u site.User) []kit.Field {
	agencies := make([]kit.Choice, len(whole.Agencies))
	for i, a := range whole.Agencies {
		agencies[i] = kit.Choice{Value: strconv.FormatInt(int64(a.ID), 10), Label: a.Name}
	}
	none := kit.Choice{Value: "0", Label: f.Say("not said")}
	kinds := append([]kit.Choice{{Label: none.Label}}, kit.Named(site.StatusKinds())...)
	groups := []kit.Choice{{Value: none.Value, Label: f.Say("none")}}
	for _, g := range whole.Record.Groups {
		groups = append(groups, kit.Choice{Value: strconv.FormatInt(g.ID, 10), Label: g.Name})
	}
	fields := newTexts(f, userFields(), transfer.UserTexts(&u))
	fields = after(fields, "lastname", f.One("agency_id", "Agency", "", strconv.FormatInt(int64(u.Agency), 10), agencies))
	fields = after(fields, "biography", languages(f, u.Languages))
	fields = append(fields,
		f.One("status_kind", "Position", "", u.StatusKind, kinds),
		f.One("type", "What they are", "", strconv.FormatInt(u.Type, 10), append([]kit.Choice{none}, labelled(site.UserTypes())...)),
		f.One("gender", "Gender", "", strconv.FormatInt(u.Gender, 10), append([]kit.Choice{none}, labelled(site.Genders())...)))
	if len(groups) > 1 {
		fields = append(fields, f.One("group_id", "User group", "", strconv.FormatInt(u.Group, 10), groups))
	}
	return append(fields, flags(f, []kit.Choice{{Value: activeFlag, Label: f.Say("active: works here")}, {Value: visibleFlag, Label: f.Say("on the web: websites show them")}},
		map[string]bool{activeFlag: u.Active, visibleFlag: u.WebVisible}))
}

// labelled makes choices of the entries of a fixed list.
func labelled(labels []site.Label) []kit.Choice {
	choices := make([]kit.Choice, len(labels))
	for i, l := range labels {
		choices[i] = kit.Choice{Value: strconv.FormatInt(l.ID, 10), Label: l.Label}
	}
	return choices
}

// readUser returns a user with what was sent in the place of what they have.
func readUser(v *kit.Request, u site.User) backoffice.UserInput {
	readTexts(v, transfer.UserTexts(&u))
	u.Agency, u.StatusKind, u.Languages = site.AgencyID(newNumber(v, "agency_id")), v.Sent("status_kind"), kit.Separated(v.Sent("languages"))
	u.Type, u.Gender, u.Active, u.WebVisible = newNumber(v, "type"), newNumber(v, "gender"), isTicked(v, activeFlag), isTicked(v, visibleFlag)
	if v.HTTP.PostForm.Has("group_id") {
		u.Group = newNumber(v, "group_id")
	}
	return backoffice.UserInput{IfMatch: v.IfStill(), User: u}
}

func showNewUser(v *kit.Request) (any, error) {
	whole, err := wholeSite(v)
	if err != nil {
		return nil, err
	}
	f, u := v.Form(), site.User{Active: true, WebVisible: true}
	if first := whole.Record.Agencies; len(first) > 0 {
		u.Agency = first[0]
	}
	return kit.FormPage{
		Form: f, Heading: v.Say("A new user"), Button: "Add them", Back: v.Link("site", "users"), BackLabel: v.Say("Users"), Action: v.Action("site", "users", "new"),
		Lead:   v.Say("A user works at an agency: the API names them, and the agenda and products are theirs. It is no sign-in to this console; that is an operator."),
		Fields: append([]kit.Field{numberField(f)}, user(f, whole, u)...),
	}, nil
}

func createUser(v *kit.Request) (kit.Done, error) {
	_, err := v.Backoffice.CreateUser(v.Ctx, v.Actor, kit.At(v, readUser(v, site.User{ID: site.UserID(newNumber(v, "id"))})))
	return kit.Went("site", "users").Saying("The user is added."), err
}

func showUser(v *kit.Request) (any, error) {
	whole, u, err := namedUser(v)
	if err != nil {
		return nil, err
	}
	f := v.Form()
	return kit.FormPage{
		Form: f, Heading: u.FullName(), Button: "Save", Back: v.Link("site", "users"), BackLabel: v.Say("Users"), Action: v.ActionOn(whole.Version, "site", "users", u.ID),
		Lead:   v.Say("Their working time is not asked for here, and stays as it is."),
		Fields: user(f, whole, u),
	}, nil
}

func changeUser(v *kit.Request) (kit.Done, error) {
	_, u, err := namedUser(v)
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.ChangeUser(v.Ctx, v.Actor, kit.At(v, readUser(v, u)))
	return kit.Went("site", "users").Saying("The user is changed."), err
}
