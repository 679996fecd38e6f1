package operators

import (
	"strconv"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// operatorPages returns the pages about who may sign in.
func operatorPages() []kit.Page {
	one, manages := "/operators/{id}", operator.ManageOperators
	return []kit.Page{
		{
			Path: "/operators", Siteless: true, Title: "Operators", Template: "operators", Show: showOperators, Powers: manages,
			Menu: &kit.Menu{Section: kit.Network, Label: "Operators", Icon: "shield"},
		},
		{Path: "/operators/invite", Siteless: true, Title: "Invite somebody", Template: "form", Show: showInvite, Do: inviteOperator, Under: "/operators", Powers: manages},
		{Path: "/operators/withdraw", Siteless: true, Do: withdrawInvitation, On: "/operators", Powers: manages},
		{Path: one, Siteless: true, Title: "Operator", Template: "operator", Show: showOperator, Do: changeOperator, Under: "/operators", Powers: manages},
		{Path: one + "/disable", Siteless: true, Do: disableOperator, On: one, Powers: manages},
		{Path: one + "/recover", Siteless: true, Do: recoverOperator, On: one, Powers: manages},
	}
}

// operatorsPage is who may sign in, and who is invited.
type operatorsPage struct {
	Form          *kit.Form
	Rows          []operatorRow
	Invitations   []invitationRow
	NoInvitations kit.Empty
}

type operatorRow struct {
	ID                 int64
	Name, Email, Sites string
	Role               kit.Text
	State              kit.State
	Added, SignedIn    kit.Moment
	Managed, Disabled  bool
}

type invitationRow struct {
	ID                 string
	Name, Email, Sites string
	Role               kit.Text
	Expires            kit.Moment
}

func showOperators(v *kit.Request) (any, error) {
	listed, err := v.Backoffice.ListOperators(v.Ctx, v.Actor, kernel.Nothing{})
	if err != nil {
		return nil, err
	}
	p := operatorsPage{
		Form:          v.Form(),
		NoInvitations: kit.Empty{Title: "Nobody is invited", Text: "An invitation stays here until it is accepted, or for 72 hours."},
	}
	for _, o := range listed.Operators {
		p.Rows = append(p.Rows, newOperatorRow(v, o))
	}
	for _, i := range listed.Invitations {
		p.Invitations = append(p.Invitations, invitationRow{
			ID: i.ID, Name: i.Name, Email: i.Email, Role: kit.Text(i.Role), Sites: v.SitesInWords(i.Sites, i.Everywhere), Expires: v.When(i.Expires.Time),
		})
	}
	return p, nil
}

func newOperatorRow(v *kit.Request, o backoffice.OperatorRecord) operatorRow {
	row := operatorRow{
		ID: o.ID, Name: o.Name, Email: o.Email, Role: kit.Text(o.Role), Sites: v.SitesInWords(o.Sites, o.Everywhere), State: kit.State{Tone: kit.Well, Word: "may sign in"},
		Added: v.When(o.Added.Time), SignedIn: v.Instant(o.SignedIn), Managed: o.Managed, Disabled: o.Disabled,
	}
	if o.Disabled {
		row.State = kit.State{Tone: kit.Over, Word: "disabled"}
	}
	return row
}

// roleHints say what each role is there for.
func roleHints(l kit.Language) []kit.Choice {
	return []kit.Choice{
		{Value: string(operator.Reader), Label: l.Say("reader: sees listings, webhooks and requests")},
		{Value: string(operator.Integrator), Label: l.Say("integrator: also makes credentials and webhooks")},
		{Value: string(operator.Privacy), Label: l.Say("privacy: finds, exports and anonymises persons")},
		{Value: string(operator.Administrator), Label: l.Say("administrator: everything")},
	}
}

// everySite is the choice of all sites there are and will be.
const everySite = "all"

// postFields returns the fields that say what somebody is there for.
func postFields(v *kit.Request, f *kit.Form, role operator.Role, sites []site.ID, everywhere bool) []kit.Field {
	var choices []kit.Choice
	if v.Actor.Operator.Everywhere {
		choices = append(choices, kit.Choice{Value: everySite, Label: v.Say("all sites, those to come too")})
	}
	choices = append(choices, v.SiteChoices()...)
	chosen := kit.IDs(sites)
	if everywhere {
		chosen = append(chosen, everySite)
	}
	return []kit.Field{
		f.One("role", "Role", "", string(role), roleHints(v.Language)),
		f.Some("sites", "For which sites", chosen, choices),
	}
}

// post reads these fields.
func post(v *kit.Request) backoffice.Post {
	p := backoffice.Post{Role: v.Sent("role")}
	for _, chosen := range v.HTTP.PostForm["sites"] {
		if chosen == everySite {
			p.Everywhere = true
		} else if id, err := strconv.ParseInt(chosen, 10, 64); err == nil {
			p.Sites = append(p.Sites, id)
		}
	}
	return p
}

func showInvite(v *kit.Request) (any, error) {
	f := v.Form()
	fields := []kit.Field{
		f.Text("name", "Name", "As others see it in the audit.", "").MustFill(),
		f.Text("email", "E-mail", "They sign in with it. Nothing is ever sent there: you hand the link on yourself.", "").As("email").MustFill(),
	}
	return kit.FormPage{
		Form: f, Heading: v.Say("Invite somebody"), Button: "Make the link", Back: v.Link("operators"), BackLabel: v.Say("Operators"),
		Action: v.Action("operators", "invite"), Fields: append(fields, postFields(v, f, operator.Reader, []site.ID{v.SiteID}, false)...),
	}, nil
}

func inviteOperator(v *kit.Request) (kit.Done, error) {
	made, err := v.Backoffice.InviteOperator(v.Ctx, v.Actor, backoffice.InviteOperator{Email: v.Sent("email"), Name: v.Sent("name"), Post: post(v)})
	return kit.Went("operators").Showing(kit.Text(v.Say("The link for %s is valid for 72 hours, and once.", v.Sent("name"))), invitationLink(v, made.Secret), kit.HandOn), err
}

// invitationLink returns the whole address of an invitation.
func invitationLink(v *kit.Request, secret string) string {
	return v.OriginOf(v.HTTP) + v.Link("invitations", secret)
}

func withdrawInvitation(v *kit.Request) (kit.Done, error) {
	_, err := v.Backoffice.WithdrawInvitation(v.Ctx, v.Actor, backoffice.WithdrawInvitation{ID: v.Sent("invitation")})
	return kit.Went("operators").Saying("The invitation is withdrawn: its link is not valid any more."), err
}

// operatorPage is one operator.
type operatorPage struct {
	operatorRow
	Form   *kit.Form
	Fields []kit.Field
}

func (p operatorPage) TabTitle() string { return p.Name }

// findOperator returns the operator that the path names.
func findOperator(v *kit.Request) (backoffice.OperatorRecord, error) {
	id, err := v.ID("id")
	if err != nil {
		return backoffice.OperatorRecord{}, err
	}
	listed, err := v.Backoffice.ListOperators(v.Ctx, v.Actor, kernel.Nothing{})
	if err != nil {
		return backoffice.OperatorRecord{}, err
	}
	for _, o := range listed.Operators {
		if o.ID == id {
			return o, nil
		}
	}
	return backoffice.OperatorRecord{}, kernel.Unknown("there is no such operator")
}

func showOperator(v *kit.Request) (any, error) {
	o, err := findOperator(v)
	if err != nil {
		return nil, err
	}
	f := v.Form()
	return operatorPage{
		operatorRow: newOperatorRow(v, o), Form: f,
		Fields: append([]kit.Field{f.Text("name", "Name", "", o.Name).MustFill()}, postFields(v, f, o.Role, o.Sites, o.Everywhere)...),
	}, nil
}

func changeOperator(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.ChangeOperator(v.Ctx, v.Actor, backoffice.ChangeOperator{ID: id, Name: v.Sent("name"), Post: post(v)})
	return kit.Went("operators", id).Saying("Saved."), err
}

func disableOperator(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	disabled := v.Sent("disabled") == "yes"
	_, err = v.Backoffice.DisableOperator(v.Ctx, v.Actor, backoffice.DisableOperator{ID: id, Disabled: disabled})
	if disabled {
		return kit.Went("operators", id).Saying("They cannot sign in any more, and are signed out everywhere."), err
	}
	return kit.Went("operators", id).Saying("They can sign in again."), err
}

func recoverOperator(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	made, err := v.Backoffice.RecoverOperator(v.Ctx, v.Actor, backoffice.OperatorPath{ID: id})
	return kit.Went("operators", id).Showing("By this link they choose a new password. It is valid for 72 hours, and once.", invitationLink(v, made.Secret), kit.HandOn), err
}
