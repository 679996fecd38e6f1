package console

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// credentialPages returns the pages about the clients of the API.
func credentialPages() []page {
	one, manages := "/credentials/{id}", operator.ManageCredentials
	return []page{
		{
			path: "/credentials", siteless: true, title: "Credentials", template: "credentials", show: showCredentials, powers: manages,
			menu: &menu{section: integrations, label: "Credentials", icon: "key"},
		},
		{path: "/credentials/new", title: "New credential", template: "picker", show: showNewCredential, do: createCredential, under: "/credentials", powers: manages},
		{path: one, siteless: true, title: "Credential", template: "credential", show: showCredential, under: "/credentials", powers: manages},
		{path: one + "/edit", siteless: true, title: "Change a credential", template: "picker", show: showEditCredential, do: updateCredential, under: "/credentials", powers: manages},
		{path: one + "/rotate", siteless: true, title: "End the present secret", template: "form", show: showRotateAtOnce, do: rotateCredential, on: one, under: "/credentials", powers: manages},
		{path: one + "/tokens", siteless: true, do: revokeTokens, on: one, powers: manages},
		{path: one + "/disable", siteless: true, title: "Disable a credential", template: "form", show: showDisable, do: disableCredential, on: one, under: "/credentials", powers: manages},
		{path: one + "/revoke", siteless: true, title: "Revoke a credential", template: "form", show: showRevoke, do: revokeCredential, under: "/credentials", powers: manages},
		{path: one + "/keys/new", title: "New key", template: "form", show: showNewKey, do: createKey, under: "/credentials", powers: manages},
		{path: one + "/keys/{key}/revoke", siteless: true, title: "Revoke a key", template: "form", show: showRevokeKey, do: revokeKey, on: one, under: "/credentials", powers: manages},
	}
}

// credentialsPage is the list of clients.
type credentialsPage struct {
	MayWrite bool
	Rows     []credentialRow
	Empty    empty
}

type credentialRow struct {
	ID, Name, Sites, Packs        string
	State                         state
	Used                          moment
	Requests, Refused, Deprecated string
}

// listCredentials lists the clients that the operator may see; nobody for a role that
// has nothing to do with them.
func (v *pageRequest) listCredentials() ([]backoffice.CredentialRecord, error) {
	known, err := v.Backoffice.ListCredentials(v.ctx, v.actor, kernel.Nothing{})
	if errors.Is(err, fault.Forbidden) {
		return nil, nil
	}
	return known, err
}

// credentialNames returns the ids of the clients that reach the site.
func (v *pageRequest) credentialNames() ([]string, error) {
	known, err := v.listCredentials()
	var names []string
	for _, c := range known {
		if slices.Contains(c.Sites, v.site) {
			names = append(names, c.ID)
		}
	}
	return names, err
}

func showCredentials(v *pageRequest) (any, error) {
	known, err := v.Backoffice.ListCredentials(v.ctx, v.actor, kernel.Nothing{})
	if err != nil {
		return nil, err
	}
	asked, err := v.askedLately()
	if err != nil {
		return nil, err
	}
	p := credentialsPage{
		MayWrite: v.actor.May(operator.ManageCredentials),
		Empty:    empty{Title: "No credentials yet", Text: "A credential is what an integrator obtains tokens with. Make one, and hand over its id and secret."},
	}
	for _, c := range known {
		row := credentialRow{
			ID: c.ID, Name: c.Name, Sites: sitesInWords(c.Sites, false), Packs: packsInWords(c.Packs), State: credentialState(c), Used: v.instant(c.LastUsed), Requests: "0",
		}
		if by := asked[access.CredentialID(c.ID)]; by != nil {
			row.Requests = count(by.answered + by.refused)
			row.Refused = unlessZero(by.refused)
			row.Deprecated = unlessZero(by.deprecated)
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// unlessZero returns the number, or nothing.
func unlessZero(n int64) string {
	if n == 0 {
		return ""
	}
	return count(n)
}

// packsInWords lists packs.
func packsInWords(packs access.Packs) string {
	if packs == access.AllPacks {
		return "all"
	}
	return cmp.Or(packs.String(), "none")
}

// namesInWords lists permissions or rights.
func namesInWords[T ~string](names []T) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(texts(names), ", ")
}

func credentialState(c backoffice.CredentialRecord) state {
	switch {
	case c.Revoked != nil:
		return state{over, "revoked"}
	case c.Disabled:
		return state{wanted, "disabled"}
	}
	return state{well, "active"}
}

// credentialPage is one client with its keys.
type credentialPage struct {
	Form            *form
	ID, Name, Sites string
	State           state
	Added           moment
	RequestsHref    string
	// MayChange reports that the operator may, and that the client has not ended.
	MayChange, Disabled        bool
	Figures                    []figure
	Packs, Permissions, Rights string
	Callable                   callable
	Keys                       []keyRow
	NoKeys                     empty
	// Former is until when the former secret is good; nil when it is not.
	Former *moment
}

func (p credentialPage) title() string { return p.ID }

type keyRow struct {
	ID                                  int64
	Name, Start, Site, Packs, Addresses string
	State                               state
	Expires, Used                       moment
	Living                              bool
}

// findCredential returns the client that the path names.
func (v *pageRequest) findCredential() (backoffice.CredentialDetail, error) {
	return v.Backoffice.GetCredential(v.ctx, v.actor, backoffice.CredentialPath{ID: v.r.PathValue("id")})
}

func showCredential(v *pageRequest) (any, error) {
	c, err := v.findCredential()
	if err != nil {
		return nil, err
	}
	asked, err := v.askedLately()
	if err != nil {
		return nil, err
	}
	p := credentialPage{
		Form: v.form(), ID: c.ID, Name: c.Name, Sites: plural(len(c.Sites), "site ", "sites ") + sitesInWords(c.Sites, false), State: credentialState(c.CredentialRecord), Added: v.when(c.Added.Time),
		RequestsHref: v.requestsBy(access.CredentialID(c.ID)), MayChange: c.Managed && c.Revoked == nil, Disabled: c.Disabled,
		Figures: v.credentialFigures(c.CredentialRecord, asked[access.CredentialID(c.ID)]),
		Packs:   packsInWords(c.Packs), Permissions: namesInWords(c.Permissions), Rights: namesInWords(c.Rights),
		NoKeys: empty{Title: "No API keys", Text: "A key is sent instead of a token. It is good for one site and some packs, and can be bound to addresses."},
	}
	if c.FormerEnds != nil && c.FormerEnds.After(v.now) {
		former := v.instant(c.FormerEnds)
		p.Former = &former
	}
	for _, k := range c.Keys {
		p.Keys = append(p.Keys, v.keyRow(k))
	}
	p.Callable, err = v.callableWith(pickedOf(c.CredentialRecord))
	return p, err
}

func (v *pageRequest) credentialFigures(c backoffice.CredentialRecord, asked *clientTraffic) []figure {
	if asked == nil {
		asked = &clientTraffic{}
	}
	used := v.instant(c.LastUsed)
	return []figure{
		{Label: "Last used", Time: &used},
		{Label: "Live tokens", Value: count(c.LiveTokens), Unit: refusedNow(c)},
		{Label: "Requests", Value: count(asked.answered + asked.refused), Unit: "in the last hour"},
		{Label: "Refused", Value: count(asked.refused), Unit: "of them"},
		{Label: "Deprecated names", Value: count(asked.deprecated), Unit: "in 90 days", Link: link(v.Prefix, "requests", "readiness")},
	}
}

// refusedNow says that tokens which have not ended are refused all the same; empty when
// they are good.
func refusedNow(c backoffice.CredentialRecord) string {
	if (c.Disabled || c.Revoked != nil) && c.LiveTokens > 0 {
		return "refused while it is " + credentialState(c).Word
	}
	return ""
}

func (v *pageRequest) keyRow(k backoffice.KeyRecord) keyRow {
	row := keyRow{
		ID: int64(k.ID), Name: k.Name, Start: k.Start, Site: strconv.FormatInt(int64(k.Site), 10), Packs: packsInWords(k.Packs),
		Addresses: strings.Join(k.Addresses, ", "), State: state{well, "active"}, Expires: v.when(k.Expires), Used: v.instant(k.LastUsed),
	}
	if row.Addresses == "" {
		row.Addresses = "anywhere"
	}
	switch {
	case k.Revoked():
		row.State, row.Expires = state{over, "revoked"}, v.when(k.RevokedAt)
	case k.Expired(v.now):
		row.State = state{over, "ended"}
	default:
		row.Living = true
	}
	return row
}

// siteChoices returns the sites of the operator, in their order.
func (v *pageRequest) siteChoices() []choice {
	var list []choice
	for _, s := range v.sites {
		list = append(list, choice{Value: strconv.FormatInt(int64(s.ID), 10), Label: fmt.Sprintf("%d · %s", s.ID, s.Name)})
	}
	return list
}

// ids returns the ids of sites as forms have them.
func ids(sites []site.ID) []string {
	list := make([]string, len(sites))
	for i, id := range sites {
		list[i] = strconv.FormatInt(int64(id), 10)
	}
	return list
}

func showNewCredential(v *pageRequest) (any, error) {
	f := v.tried()
	p := pickerPage{
		Form: f, Heading: "New credential", Button: "Make it", Back: link(v.Prefix, "credentials"), BackLabel: "Credentials",
		Action: v.action("credentials", "new"), Here: link(v.Prefix, "credentials", "new"),
		Fields: []field{
			f.text("id", "Id", "The client id, such as portal-immo. It never changes.", "").required(),
			f.text("name", "Name", "Whose software it is, and what for.", ""),
			f.some("sites", "Sites", []string{strconv.FormatInt(int64(v.site), 10)}, v.siteChoices()),
		},
	}
	err := v.addPicker(&p, backoffice.Picked{})
	return p, err
}

func showEditCredential(v *pageRequest) (any, error) {
	c, err := v.findCredential()
	if err != nil {
		return nil, err
	}
	f := v.tried()
	p := pickerPage{
		Form: f, Heading: "Change " + c.ID, Button: "Save", Back: link(v.Prefix, "credentials", c.ID), BackLabel: c.ID,
		Action: v.action("credentials", c.ID, "edit"), Here: link(v.Prefix, "credentials", c.ID, "edit"),
		Fields: []field{
			f.text("name", "Name", "Whose software it is, and what for.", c.Name),
			f.some("sites", "Sites", ids(c.Sites), v.siteChoices()),
		},
	}
	err = v.addPicker(&p, pickedOf(c.CredentialRecord))
	return p, err
}

func showRevoke(v *pageRequest) (any, error) {
	c, err := v.findCredential()
	if err != nil {
		return nil, err
	}
	f := v.form()
	return formPage{
		Form: f, Heading: "Revoke " + c.ID, Button: "Revoke it for good", Danger: true, Back: link(v.Prefix, "credentials", c.ID), BackLabel: c.ID,
		Action: v.action("credentials", c.ID, "revoke"),
		Fields: []field{f.text("confirm", "Type the id to confirm", "It ends now, with all tokens and keys, and nobody can bring it back.", "").required()},
	}, nil
}

// confirmation returns a page that asks whether to do something to a client that stops its
// requests. What is kept is sent along.
func (v *pageRequest) confirmation(c backoffice.CredentialDetail, heading, lead, button string, kept []choice, path ...any) formPage {
	return formPage{
		Form: v.form(), Heading: heading, Lead: lead, Button: button, Danger: true, Kept: kept, Back: link(v.Prefix, "credentials", c.ID), BackLabel: c.ID,
		Action: v.action(append([]any{"credentials", c.ID}, path...)...),
	}
}

func showRotateAtOnce(v *pageRequest) (any, error) {
	c, err := v.findCredential()
	if err != nil {
		return nil, err
	}
	return v.confirmation(c, "Rotate the secret of "+c.ID+" at once", "Its present secret ends now: until the new one is put in, it cannot obtain tokens. The tokens it has stay good until they end.",
		"Rotate, and end the present one", []choice{{Value: "at_once", Label: "yes"}}, "rotate"), nil
}

func showDisable(v *pageRequest) (any, error) {
	c, err := v.findCredential()
	if err != nil {
		return nil, err
	}
	return v.confirmation(c, "Disable "+c.ID, "All its requests are refused from the next one on, with tokens and with keys, until it is enabled again. Its webhooks hear nothing meanwhile.",
		"Disable it", []choice{{Value: "disabled", Label: "yes"}}, "disable"), nil
}

func showRevokeKey(v *pageRequest) (any, error) {
	c, err := v.findCredential()
	if err != nil {
		return nil, err
	}
	id, err := v.id("key")
	if err != nil {
		return nil, err
	}
	n := slices.IndexFunc(c.Keys, func(k backoffice.KeyRecord) bool { return int64(k.ID) == id })
	if n < 0 {
		return nil, kernel.Unknown("the credential has no such key")
	}
	k := c.Keys[n]
	return v.confirmation(c, "Revoke the key "+k.Name, "The key "+k.Start+"… for site "+strconv.FormatInt(int64(k.Site), 10)+" ends now, and nobody can bring it back.",
		"Revoke it for good", nil, "keys", id, "revoke"), nil
}

func showNewKey(v *pageRequest) (any, error) {
	c, err := v.findCredential()
	if err != nil {
		return nil, err
	}
	f := v.form()
	packs := f.some("packs", "Packs", c.Packs.Names(), named(c.Packs.Names()))
	packs.Narrow = true
	var sites []choice
	for _, s := range v.siteChoices() {
		if slices.Contains(ids(c.Sites), s.Value) {
			sites = append(sites, s)
		}
	}
	return formPage{
		Form: f, Heading: "New key", Button: "Make it", Back: link(v.Prefix, "credentials", c.ID), BackLabel: c.ID,
		Action: v.action("credentials", c.ID, "keys", "new"),
		Fields: []field{
			f.text("name", "Name", "What it is for, such as nightly export.", "").required(),
			f.one("key_site", "Site", "A key is good for one site.", strconv.FormatInt(int64(v.site), 10), sites, "site"),
			packs,
			f.text("expires", "Ends on", "May be empty: then it ends when somebody revokes it.", "").as("date"),
			f.text("addresses", "Only from", "Addresses or networks such as 192.0.2.0/24, separated by commas or spaces. Empty is anywhere.", ""),
		},
	}, nil
}
