package hooks

import (
	"context"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// MaxSecret bounds the texts of an authentication configuration.
const MaxSecret = 2048

func (s *Service) createHookAuth(ctx context.Context, c kernel.Caller, in HookAuthInput) (kernel.Created, error) {
	var auth webhook.Auth
	var problems fault.Problems
	in.describe(&auth, s.k.Options.Hooks, &problems)
	if err := problems.Err(); err != nil {
		return kernel.Created{}, err
	}
	if auth.Type == webhook.AuthEd25519 {
		var err error
		if auth.Secret, auth.PublicKey, err = webhook.NewEd25519(s.k.Rand); err != nil {
			return kernel.Created{}, err
		}
	}
	return writes(s, unit.addAuth)(ctx, c, auth)
}

func (u unit) addAuth(a webhook.Auth) (kernel.Created, error) {
	id, err := kernel.NextID[webhook.AuthID](u, port.WebhookAuthIDs)
	if err != nil {
		return kernel.Created{}, err
	}
	a.ID, a.Site, a.Added, a.Modified = id, u.Site.ID, u.Now, u.Now
	return u.Created("/hooks/auths/", int64(id)), u.WebhookAuths().Put(a)
}

// describe applies a request to a configuration and reports what its type
// lacks. The type of an existing configuration cannot change.
func (in HookAuthInput) describe(a *webhook.Auth, allowed webhook.Allowance, problems *fault.Problems) {
	if given := webhook.AuthType(in.Type.Or(string(a.Type))); a.Type == "" {
		a.Type = given
	} else if given != a.Type {
		problems.Add("type", fault.CodeInvalidFormat, "the type of a configuration cannot change; add another one")
		return
	}
	if in.Name.Set {
		a.Name = strings.TrimSpace(in.Name.Or(""))
		kernel.CheckText("name", a.Name, kernel.MaxText, problems)
	}
	text := func(field string, target *string, given opt.Field[string], required bool) {
		if given.Given() {
			*target = given.Value
			kernel.CheckText(field, given.Value, MaxSecret, problems)
		}
		if required && *target == "" {
			problems.Add(field, fault.CodeRequired, "%s is required for this type", field)
		}
	}
	switch a.Type {
	case webhook.AuthBasic:
		text("username", &a.Username, in.Username, true)
		text("password", &a.Secret, in.Password, true)
	case webhook.AuthBearer:
		text("token", &a.Secret, in.Token, true)
	case webhook.AuthAPIKey:
		text("header", &a.Header, in.Header, true)
		text("value", &a.Secret, in.Value, true)
		if _, err := webhook.CheckHeaders(map[string]string{a.Header: a.Secret}); a.Header != "" && err != nil {
			problems.Add("header", fault.CodeInvalidHeader, "%s", err)
		}
	case webhook.AuthOAuth2:
		text("token_url", &a.TokenURL, in.TokenURL, true)
		text("client_id", &a.ClientID, in.ClientID, true)
		text("client_secret", &a.Secret, in.ClientSecret, true)
		text("scope", &a.Scope, in.Scope, false)
		if err := allowed.CheckURL(a.TokenURL); a.TokenURL != "" && err != nil {
			problems.Wrong("token_url", fault.CodeInvalidURL, webhook.Shown(a.TokenURL), "%v", err)
		}
	case webhook.AuthEd25519:
	default:
		var names []string
		for _, t := range webhook.AuthTypes() {
			names = append(names, string(t))
		}
		code := fault.CodeInvalidFormat
		if a.Type == "" {
			code = fault.CodeRequired
		}
		problems.Append(fault.Detail{Field: "type", Code: code, Message: fault.Textf("type says how deliveries authenticate"), Accepted: names})
	}
	if strings.ContainsAny(a.Username+a.Secret, "\r\n") {
		problems.Add("type", fault.CodeInvalidFormat, "names and secrets have no line breaks")
	}
}

func (u unit) listAuths(kernel.Nothing) ([]HookAuth, error) {
	records := []HookAuth{}
	all, err := u.WebhookAuths().Of(u.Site.ID)
	for _, a := range all {
		records = append(records, hookAuth(a))
	}
	return records, err
}

// auth reads an authentication configuration of the caller's site.
func (u unit) auth(id webhook.AuthID) (webhook.Auth, error) {
	a, err := u.WebhookAuths().Get(u.Site.ID, id)
	return a, kernel.AbsentIs(err, kernel.Unknown("no authentication configuration has this id"))
}

func (u unit) getAuth(in HookAuthPath) (HookAuth, error) {
	a, err := u.auth(webhook.AuthID(in.ID))
	return hookAuth(a), err
}

func (u unit) updateAuth(in UpdateHookAuth) (HookAuth, error) {
	a, err := u.auth(webhook.AuthID(in.ID))
	if err != nil {
		return HookAuth{}, err
	}
	var problems fault.Problems
	in.describe(&a, u.Options.Hooks, &problems)
	if err := kernel.FirstError(problems.Err(), in.IfMatch.Check(authVersion(a))); err != nil {
		return HookAuth{}, err
	}
	a.Modified = kernel.Latest(u.Now, a.Modified.Add(time.Microsecond))
	return hookAuth(a), u.WebhookAuths().Put(a)
}

// authVersion returns when the configuration was changed; no two changes have the
// same moment.
func authVersion(a webhook.Auth) kernel.Version { return kernel.Version(a.Modified.UnixMicro()) }

func (u unit) deleteAuth(in DeleteHookAuth) (kernel.None, error) {
	a, err := u.auth(webhook.AuthID(in.ID))
	if err != nil {
		return kernel.None{}, err
	}
	hooks, err := u.Webhooks().Of(u.Site.ID)
	if err != nil {
		return kernel.None{}, err
	}
	for _, w := range hooks {
		if w.Auth == a.ID {
			return kernel.None{}, fault.New(fault.Conflict, fault.CodeConflict, "webhook %d uses this configuration", w.ID)
		}
	}
	if err := in.IfMatch.Check(authVersion(a)); err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.WebhookAuths().Delete(u.Site.ID, a.ID)
}

func hookAuth(a webhook.Auth) HookAuth {
	return HookAuth{
		ID: int64(a.ID), Name: kernel.Nullable(a.Name), Type: string(a.Type), Username: kernel.Nullable(a.Username), Header: kernel.Nullable(a.Header),
		TokenURL: kernel.Nullable(a.TokenURL), ClientID: kernel.Nullable(a.ClientID), Scope: kernel.Nullable(a.Scope), PublicKey: kernel.Nullable(a.PublicKey),
		DateAdded: kernel.Instant{Time: a.Added}, LastModified: kernel.Instant{Time: a.Modified}, Version: authVersion(a),
	}
}
