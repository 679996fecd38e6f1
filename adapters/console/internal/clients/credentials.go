package clients

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/requests"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// credentialPages returns the pages about the clients of the API.
func credentialPages() []kit.Page {
	one, manages := "/credentials/{id}", operator.ManageCredentials
	return []kit.Page{
		{
			Path: "/credentials", Clients: true, Siteless: true, Title: "Credentials", Template: "credentials", Show: showCredentials, Powers: manages,
			Menu: &kit.Menu{Section: kit.Integrations, Label: "Credentials", Icon: "key"},
		},
		{Path: "/credentials/new", Title: "New credential", Template: "picker", Show: showNewCredential, Do: createCredential, Under: "/credentials", Powers: manages},
		{Path: one, Clients: true, Siteless: true, Title: "Credential", Template: "credential", Show: showCredential, Under: "/credentials", Powers: manages},
		{Path: one + "/edit", Siteless: true, Title: "Change a credential", Template: "picker", Show: showEditCredential, Do: updateCredential, Under: "/credentials", Powers: manages},
		{Path: one + "/rotate", Siteless: true, Title: "End the present secret", Template: "form", Show: showRotateAtOnce, Do: rotateCredential, On: one, Under: "/credentials", Powers: manages},
		{Path: one + "/tokens", Siteless: true, Do: revokeTokens, On: one, Powers: manages},
		{Path: one + "/disable", Siteless: true, Title: "Disable a credential", Template: "form", Show: showDisable, Do: disableCredential, On: one, Under: "/credentials", Powers: manages},
		{Path: one + "/revoke", Siteless: true, Title: "Revoke a credential", Template: "form", Show: showRevoke, Do: revokeCredential, Under: "/credentials", Powers: manages},
		{Path: one + "/keys/new", Clients: true, Title: "New key", Template: "form", Show: showNewKey, Do: createKey, Under: "/credentials", Powers: manages},
		{Path: one + "/keys/{key}/revoke", Clients: true, Siteless: true, Title: "Revoke a key", Template: "form", Show: showRevokeKey, Do: revokeKey, On: one, Under: "/credentials", Powers: manages},
	}
}

// credentialsPage is the list of clients.
type credentialsPage struct {
	MayWrite bool
	Rows     []credentialRow
	Empty    kit.Empty
}

type credentialRow struct {
	ID, Name, Sites, Packs        string
	State                         kit.State
	Used                          kit.Moment
	Requests, Refused, Deprecated string
}

func showCredentials(v *kit.Request) (any, error) {
	if v.Portal {
		return nil, kit.Redirect(v.Link("credentials", v.Actor.Client()))
	}
	known, err := v.Backoffice.ListCredentials(v.Ctx, v.Actor, kernel.Nothing{})
	if err != nil {
		return nil, err
	}
	asked, err := requests.AskedLately(v)
	if err != nil {
		return nil, err
	}
	p := credentialsPage{
		MayWrite: v.Actor.May(operator.ManageCredentials) && len(v.Sites) > 0,
		Empty:    kit.Empty{Title: "No credentials yet", Text: "A credential is what an integrator obtains tokens with. Make one, and hand over its id and secret."},
	}
	for _, c := range known {
		row := credentialRow{
			ID: c.ID, Name: c.Name, Sites: v.SitesInWords(c.Sites, false), Packs: packsInWords(v.Language, c.Packs), State: credentialState(c), Used: v.Instant(c.LastUsed), Requests: "0",
		}
		if by := asked[access.CredentialID(c.ID)]; by != nil {
			row.Requests = v.Count(by.Answered + by.Refused)
			row.Refused = v.UnlessZero(by.Refused)
			row.Deprecated = v.UnlessZero(by.Deprecated)
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// packsInWords lists packs.
func packsInWords(l kit.Language, packs access.Packs) string {
	if packs == access.AllPacks {
		return l.Say("all")
	}
	return cmp.Or(packs.String(), l.Say("none"))
}

// namesInWords lists permissions or rights.
func namesInWords[T ~string](l kit.Language, names []T) string {
	switch {
	case len(names) == 0:
		return l.Say("none")
	case len(names) == 1 && string(names[0]) == access.All:
		return l.Say("all")
	}
	return strings.Join(kit.Texts(names), ", ")
}

func credentialState(c backoffice.CredentialRecord) kit.State {
	switch {
	case c.Revoked != nil:
		return kit.State{Tone: kit.Over, Word: "revoked"}
	case c.Disabled:
		return kit.State{Tone: kit.Wanted, Word: "disabled"}
	}
	return kit.State{Tone: kit.Well, Word: "active"}
}

// credentialPage is one client with its keys.
type credentialPage struct {
	Form            *kit.Form
	ID, Name, Sites string
	State           kit.State
	Added           kit.Moment
	RequestsHref    string
	// MayChange reports that the operator may, and that the client has not ended.
	MayChange, Disabled bool
	// ByOperator reports that an operator looks at it, and not the client itself, which makes and revokes keys alone.
	ByOperator                 bool
	Figures                    []kit.Figure
	Packs, Permissions, Rights string
	Callable                   callable
	Keys                       []keyRow
	NoKeys                     kit.Empty
	// Former is until when the former secret is good; nil when it is not.
	Former *kit.Moment
}

func (p credentialPage) TabTitle() string { return p.ID }

type keyRow struct {
	ID                                  int64
	Name, Start, Site, Packs, Addresses string
	State                               kit.State
	Expires, Used                       kit.Moment
	Living                              bool
}

// findCredential returns the client that the path names.
func findCredential(v *kit.Request) (backoffice.CredentialDetail, error) {
	return v.Backoffice.GetCredential(v.Ctx, v.Actor, backoffice.CredentialPath{ID: v.HTTP.PathValue("id")})
}

func showCredential(v *kit.Request) (any, error) {
	c, err := findCredential(v)
	if err != nil {
		return nil, err
	}
	asked, err := requests.AskedLately(v)
	if err != nil {
		return nil, err
	}
	p := credentialPage{
		Form: v.Form(), ID: c.ID, Name: c.Name, Sites: v.Plural(int64(len(c.Sites)), "site", "sites") + " " + v.SitesInWords(c.Sites, false), State: credentialState(c.CredentialRecord), Added: v.When(c.Added.Time),
		RequestsHref: requests.By(v, access.CredentialID(c.ID)), MayChange: c.Managed && c.Revoked == nil, ByOperator: !v.Portal, Disabled: c.Disabled,
		Figures: credentialFigures(v, c.CredentialRecord, asked[access.CredentialID(c.ID)]),
		Packs:   packsInWords(v.Language, c.Packs), Permissions: namesInWords(v.Language, c.Permissions), Rights: namesInWords(v.Language, c.Rights),
		NoKeys: kit.Empty{Title: "No API keys", Text: "A key is sent instead of a token. It is valid for one site and some packs, and can be bound to addresses."},
	}
	if c.FormerEnds != nil && c.FormerEnds.After(v.Time) {
		former := v.Instant(c.FormerEnds)
		p.Former = &former
	}
	for _, k := range c.Keys {
		p.Keys = append(p.Keys, newKeyRow(v, k))
	}
	p.Callable, err = callableWith(v, pickedOf(c.CredentialRecord))
	return p, err
}

func credentialFigures(v *kit.Request, c backoffice.CredentialRecord, asked *requests.ClientTraffic) []kit.Figure {
	if asked == nil {
		asked = &requests.ClientTraffic{}
	}
	used := v.Instant(c.LastUsed)
	return []kit.Figure{
		{Label: "Last used", Time: &used},
		{Label: "Live tokens", Value: v.Count(int64(c.LiveTokens)), Unit: refusedNow(v.Language, c)},
		{Label: "Requests", Value: v.Count(asked.Answered + asked.Refused), Unit: "in the last hour"},
		{Label: "Refused", Value: v.Count(asked.Refused), Unit: "of them"},
		{Label: "Deprecated names", Value: v.Count(asked.Deprecated), Unit: "in 90 days", Link: v.Link("requests", "readiness")},
	}
}

// refusedNow says that tokens which have not ended are refused all the same; empty when
// they are good.
func refusedNow(l kit.Language, c backoffice.CredentialRecord) kit.Text {
	if (c.Disabled || c.Revoked != nil) && c.LiveTokens > 0 {
		return kit.Text(l.Say("refused while it is %s", credentialState(c).Word))
	}
	return ""
}

func newKeyRow(v *kit.Request, k backoffice.KeyRecord) keyRow {
	row := keyRow{
		ID: int64(k.ID), Name: k.Name, Start: k.Start, Site: strconv.FormatInt(int64(k.Site), 10), Packs: packsInWords(v.Language, k.Packs),
		Addresses: cmp.Or(strings.Join(k.Addresses, ", "), v.Say("anywhere")), State: kit.State{Tone: kit.Well, Word: "active"}, Expires: v.When(k.Expires), Used: v.Instant(k.LastUsed),
	}
	switch {
	case k.Revoked():
		row.State, row.Expires = kit.State{Tone: kit.Over, Word: "revoked"}, v.When(k.RevokedAt)
	case k.Expired(v.Time):
		row.State = kit.State{Tone: kit.Over, Word: "ended"}
	default:
		row.Living = true
	}
	return row
}

func showNewCredential(v *kit.Request) (any, error) {
	f := tried(v)
	p := pickerPage{
		Form: f, Heading: v.Say("New credential"), Button: "Make it", Back: v.Link("credentials"), BackLabel: v.Say("Credentials"),
		Action: v.Action("credentials", "new"), Here: v.Link("credentials", "new"),
		Fields: []kit.Field{
			f.Text("id", "Id", "The client id, such as portal-immo. It never changes.", "").MustFill(),
			f.Text("name", "Name", "Whose software it is, and what for.", ""),
			f.Some("sites", "Sites", []string{strconv.FormatInt(int64(v.SiteID), 10)}, v.SiteChoices()),
		},
	}
	err := addPicker(v, &p, backoffice.Picked{})
	return p, err
}

func showEditCredential(v *kit.Request) (any, error) {
	c, err := findCredential(v)
	if err != nil {
		return nil, err
	}
	f := tried(v)
	p := pickerPage{
		Form: f, Heading: v.Say("Change %s", c.ID), Button: "Save", Back: v.Link("credentials", c.ID), BackLabel: c.ID,
		Action: v.Action("credentials", c.ID, "edit"), Here: v.Link("credentials", c.ID, "edit"),
		Fields: []kit.Field{
			f.Text("name", "Name", "Whose software it is, and what for.", c.Name),
			f.Some("sites", "Sites", kit.IDs(c.Sites), v.SiteChoices()),
		},
	}
	err = addPicker(v, &p, pickedOf(c.CredentialRecord))
	return p, err
}

func showRevoke(v *kit.Request) (any, error) {
	c, err := findCredential(v)
	if err != nil {
		return nil, err
	}
	f := v.Form()
	return kit.FormPage{
		Form: f, Heading: v.Say("Revoke %s", c.ID), Button: "Revoke it for good", Danger: true, Back: v.Link("credentials", c.ID), BackLabel: c.ID,
		Action: v.Action("credentials", c.ID, "revoke"),
		Fields: []kit.Field{f.Text("confirm", "Type the id to confirm", "It ends now, with all tokens and keys, and nobody can bring it back.", "").MustFill()},
	}, nil
}

// confirmation returns a page that asks whether to do something to a client that stops its
// requests. What is kept is sent along.
func confirmation(v *kit.Request, c backoffice.CredentialDetail, heading, lead string, button kit.Text, kept []kit.Choice, path ...any) kit.FormPage {
	return kit.FormPage{
		Form: v.Form(), Heading: heading, Lead: lead, Button: button, Danger: true, Kept: kept, Back: v.Link("credentials", c.ID), BackLabel: c.ID,
		Action: v.Action(append([]any{"credentials", c.ID}, path...)...),
	}
}

func showRotateAtOnce(v *kit.Request) (any, error) {
	c, err := findCredential(v)
	if err != nil {
		return nil, err
	}
	return confirmation(v, c, v.Say("Rotate the secret of %s at once", c.ID), v.Say("Its present secret ends now: until the new one is put in, it cannot obtain tokens. The tokens that it has stay valid until they expire."),
		"Rotate, and end the present one", []kit.Choice{{Value: "at_once", Label: "yes"}}, "rotate"), nil
}

func showDisable(v *kit.Request) (any, error) {
	c, err := findCredential(v)
	if err != nil {
		return nil, err
	}
	return confirmation(v, c, v.Say("Disable %s", c.ID), v.Say("All its requests are refused from the next one on, with tokens and with keys, until it is enabled again. Its webhooks receive nothing meanwhile."),
		"Disable it", []kit.Choice{{Value: "disabled", Label: "yes"}}, "disable"), nil
}

func showRevokeKey(v *kit.Request) (any, error) {
	c, err := findCredential(v)
	if err != nil {
		return nil, err
	}
	id, err := v.ID("key")
	if err != nil {
		return nil, err
	}
	n := slices.IndexFunc(c.Keys, func(k backoffice.KeyRecord) bool { return int64(k.ID) == id })
	if n < 0 {
		return nil, kernel.Unknown("the credential has no such key")
	}
	k := c.Keys[n]
	return confirmation(v, c, v.Say("Revoke the key %s", k.Name), v.Say("The key %s… for site %d ends now, and nobody can bring it back.", k.Start, k.Site),
		"Revoke it for good", nil, "keys", id, "revoke"), nil
}

func showNewKey(v *kit.Request) (any, error) {
	c, err := findCredential(v)
	if err != nil {
		return nil, err
	}
	f := v.Form()
	packs := f.Some("packs", "Packs", c.Packs.Names(), kit.Named(c.Packs.Names()))
	packs.Narrow = true
	var sites []kit.Choice
	for _, s := range v.SiteChoices() {
		if slices.Contains(kit.IDs(c.Sites), s.Value) {
			sites = append(sites, s)
		}
	}
	return kit.FormPage{
		Form: f, Heading: v.Say("New key"), Button: "Make it", Back: v.Link("credentials", c.ID), BackLabel: c.ID,
		Action: v.Action("credentials", c.ID, "keys", "new"),
		Fields: []kit.Field{
			f.Text("name", "Name", "What it is for, such as nightly export.", "").MustFill(),
			f.One("key_site", "Site", "A key is valid for one site.", strconv.FormatInt(int64(v.SiteID), 10), sites, "site"),
			packs,
			f.Text("expires", "Ends on", "May be empty: then it ends when somebody revokes it.", "").As("date"),
			f.Text("addresses", "Only from", "Addresses or networks such as 192.0.2.0/24, separated by commas or spaces. Empty is anywhere.", ""),
		},
	}, nil
}
