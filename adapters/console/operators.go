package console

import (
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// operatorPages returns the pages about who may sign in.
func operatorPages() []page {
	one, manages := "/operators/{id}", operator.ManageOperators
	return []page{
		{
			path: "/operators", siteless: true, title: "Operators", template: "operators", show: showOperators, powers: manages,
			menu: &menu{section: network, label: "Operators", icon: "shield"},
		},
		{path: "/operators/invite", siteless: true, title: "Invite somebody", template: "form", show: showInvite, do: inviteOperator, under: "/operators", powers: manages},
		{path: "/operators/withdraw", siteless: true, do: withdrawInvitation, on: "/operators", powers: manages},
		{path: one, siteless: true, title: "Operator", template: "operator", show: showOperator, do: changeOperator, under: "/operators", powers: manages},
		{path: one + "/disable", siteless: true, do: disableOperator, on: one, powers: manages},
		{path: one + "/recover", siteless: true, do: recoverOperator, on: one, powers: manages},
	}
}

// operatorsPage is who may sign in, and who is invited.
type operatorsPage struct {
	Form          *form
	Rows          []operatorRow
	Invitations   []invitationRow
	NoInvitations empty
}

type operatorRow struct {
	ID                       int64
	Name, Email, Role, Sites string
	State                    state
	Added, SignedIn          moment
	Managed, Disabled        bool
}

type invitationRow struct {
	ID                       string
	Name, Email, Role, Sites string
	Expires                  moment
}

func showOperators(v *pageRequest) (any, error) {
	listed, err := v.Backoffice.ListOperators(v.ctx, v.actor, kernel.Nothing{})
	if err != nil {
		return nil, err
	}
	p := operatorsPage{
		Form:          v.form(),
		NoInvitations: empty{Title: "Nobody is invited", Text: "An invitation stays here until it is accepted, or for 72 hours."},
	}
	for _, o := range listed.Operators {
		p.Rows = append(p.Rows, v.operatorRow(o))
	}
	for _, i := range listed.Invitations {
		p.Invitations = append(p.Invitations, invitationRow{
			ID: i.ID, Name: i.Name, Email: i.Email, Role: string(i.Role), Sites: sitesInWords(i.Sites, i.Everywhere), Expires: v.when(i.Expires.Time),
		})
	}
	return p, nil
}

func (v *pageRequest) operatorRow(o backoffice.OperatorRecord) operatorRow {
	row := operatorRow{
		ID: o.ID, Name: o.Name, Email: o.Email, Role: string(o.Role), Sites: sitesInWords(o.Sites, o.Everywhere), State: state{well, "may sign in"},
		Added: v.when(o.Added.Time), SignedIn: v.instant(o.SignedIn), Managed: o.Managed, Disabled: o.Disabled,
	}
	if o.Disabled {
		row.State = state{over, "kept out"}
	}
	return row
}

// sitesInWords says for which sites a role holds.
func sitesInWords(sites []site.ID, everywhere bool) string {
	if everywhere {
		return "all"
	}
	return strings.Join(ids(sites), ", ")
}

// roleHints say what each role is there for.
func roleHints() []choice {
	return []choice{
		{Value: string(operator.Reader), Label: "reader: sees listings, webhooks and requests"},
		{Value: string(operator.Integrator), Label: "integrator: also makes credentials and webhooks"},
		{Value: string(operator.Privacy), Label: "privacy: finds, exports and anonymises persons"},
		{Value: string(operator.Administrator), Label: "administrator: everything"},
	}
}

// everySite is the choice of all sites there are and will be.
const everySite = "all"

// postFields returns the fields that say what somebody is there for.
func (v *pageRequest) postFields(f *form, role operator.Role, sites []site.ID, everywhere bool) []field {
	var choices []choice
	if v.actor.Operator.Everywhere {
		choices = append(choices, choice{Value: everySite, Label: "all sites, those to come too"})
	}
	choices = append(choices, v.siteChoices()...)
	chosen := ids(sites)
	if everywhere {
		chosen = append(chosen, everySite)
	}
	return []field{
		f.one("role", "Role", "", string(role), roleHints()),
		f.some("sites", "For which sites", chosen, choices),
	}
}

// post reads these fields.
func (v *pageRequest) post() backoffice.Post {
	p := backoffice.Post{Role: v.sent("role")}
	for _, chosen := range v.r.PostForm["sites"] {
		if chosen == everySite {
			p.Everywhere = true
		} else if id, err := strconv.ParseInt(chosen, 10, 64); err == nil {
			p.Sites = append(p.Sites, id)
		}
	}
	return p
}

func showInvite(v *pageRequest) (any, error) {
	f := v.form()
	fields := []field{
		f.text("name", "Name", "As others see it in the audit.", "").required(),
		f.text("email", "E-mail", "They sign in with it. Nothing is ever sent there: you hand the link on yourself.", "").as("email").required(),
	}
	return formPage{
		Form: f, Heading: "Invite somebody", Button: "Make the link", Back: link(v.Prefix, "operators"), BackLabel: "Operators",
		Action: v.action("operators", "invite"), Fields: append(fields, v.postFields(f, operator.Reader, []site.ID{v.site}, false)...),
	}, nil
}

func inviteOperator(v *pageRequest) (done, error) {
	made, err := v.Backoffice.InviteOperator(v.ctx, v.actor, backoffice.InviteOperator{Email: v.sent("email"), Name: v.sent("name"), Post: v.post()})
	return went("operators").showing("The link for "+v.sent("name")+" is good for 72 hours, and once.", v.invitationLink(made.Secret), handOn), err
}

// invitationLink returns the whole address of an invitation.
func (v *pageRequest) invitationLink(secret string) string {
	return v.origin(v.r) + link(v.Prefix, "invitations", secret)
}

func withdrawInvitation(v *pageRequest) (done, error) {
	_, err := v.Backoffice.WithdrawInvitation(v.ctx, v.actor, backoffice.WithdrawInvitation{ID: v.sent("invitation")})
	return went("operators").saying("The invitation is withdrawn: its link is worth nothing any more."), err
}

// operatorPage is one operator.
type operatorPage struct {
	operatorRow
	Form   *form
	Fields []field
}

func (p operatorPage) title() string { return p.Name }

// findOperator returns the operator that the path names.
func (v *pageRequest) findOperator() (backoffice.OperatorRecord, error) {
	id, err := v.id("id")
	if err != nil {
		return backoffice.OperatorRecord{}, err
	}
	listed, err := v.Backoffice.ListOperators(v.ctx, v.actor, kernel.Nothing{})
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

func showOperator(v *pageRequest) (any, error) {
	o, err := v.findOperator()
	if err != nil {
		return nil, err
	}
	f := v.form()
	return operatorPage{
		operatorRow: v.operatorRow(o), Form: f,
		Fields: append([]field{f.text("name", "Name", "", o.Name).required()}, v.postFields(f, o.Role, o.Sites, o.Everywhere)...),
	}, nil
}

func changeOperator(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	_, err = v.Backoffice.ChangeOperator(v.ctx, v.actor, backoffice.ChangeOperator{ID: id, Name: v.sent("name"), Post: v.post()})
	return went("operators", id).saying("Saved."), err
}

func disableOperator(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	disabled := v.sent("disabled") == "yes"
	_, err = v.Backoffice.DisableOperator(v.ctx, v.actor, backoffice.DisableOperator{ID: id, Disabled: disabled})
	if disabled {
		return went("operators", id).saying("They cannot sign in any more, and are signed out everywhere."), err
	}
	return went("operators", id).saying("They can sign in again."), err
}

func recoverOperator(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	made, err := v.Backoffice.RecoverOperator(v.ctx, v.actor, backoffice.OperatorPath{ID: id})
	return went("operators", id).showing("By this link they choose a new password. It is good for 72 hours, and once.", v.invitationLink(made.Secret), handOn), err
}
