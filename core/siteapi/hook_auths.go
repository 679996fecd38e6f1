package siteapi

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// CreateHookAuth adds an authentication configuration that webhooks can refer
// to by auth_id.
func (s *Service) CreateHookAuth(ctx context.Context, c Caller, in HookAuthInput) (Created, error) {
	now := s.now()
	auth := webhook.Auth{Site: c.Site(), Added: now, Modified: now}
	var problems fault.Problems
	s.describeAuth(&auth, in, &problems)
	if err := problems.Err(); err != nil {
		return Created{}, err
	}
	if auth.Type == webhook.AuthEd25519 {
		var err error
		if auth.Secret, auth.PublicKey, err = webhook.NewEd25519(s.ports.Rand); err != nil {
			return Created{}, err
		}
	}
	return write(ctx, s, c, func(tx port.Tx) (Created, error) {
		ids, err := tx.NextIDs(port.WebhookAuthIDs, 1)
		if err != nil {
			return Created{}, err
		}
		a := auth
		a.ID = webhook.AuthID(ids[0])
		return s.created("/hooks/auths/", ids[0]), tx.WebhookAuths().Put(a)
	})
}

// describeAuth applies a request to a configuration and reports what its type
// lacks. The type of an existing configuration cannot change.
func (s *Service) describeAuth(a *webhook.Auth, in HookAuthInput, problems *fault.Problems) {
	if given := webhook.AuthType(in.Type.Or(string(a.Type))); a.Type == "" {
		a.Type = given
	} else if given != a.Type {
		problems.Add("type", fault.CodeInvalidFormat, "the type of a configuration cannot change; add another one")
		return
	}
	if in.Name.Set {
		a.Name = strings.TrimSpace(in.Name.Or(""))
		checkText("name", a.Name, maxKeyword, problems)
	}
	text := func(field string, target *string, given Opt[string], required bool) {
		if given.Given() {
			*target = given.Value
			checkText(field, given.Value, maxSecret, problems)
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
		if err := s.options.Hooks.CheckURL(a.TokenURL); a.TokenURL != "" && err != nil {
			problems.Wrong("token_url", fault.CodeInvalidURL, a.TokenURL, "%v", err)
		}
	case webhook.AuthEd25519:
	default:
		var names []string
		for _, t := range webhook.AuthTypes() {
			names = append(names, string(t))
		}
		problems.Append(fault.Detail{Field: "type", Code: fault.CodeInvalidFormat, Message: "type says how deliveries authenticate", Accepted: names})
	}
	if strings.ContainsAny(a.Username+a.Secret, "\r\n") {
		problems.Add("type", fault.CodeInvalidFormat, "names and secrets have no line breaks")
	}
}

// maxSecret bounds the texts of an authentication configuration.
const maxSecret = 2048

// ListHookAuths lists the authentication configurations of the site.
func (s *Service) ListHookAuths(ctx context.Context, c Caller, _ Nothing) ([]HookAuth, error) {
	records := []HookAuth{}
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		all, err := tx.WebhookAuths().Of(c.Site())
		for _, a := range all {
			records = append(records, hookAuth(a))
		}
		return err
	})
	return records, err
}

// GetHookAuth reads one authentication configuration.
func (s *Service) GetHookAuth(ctx context.Context, c Caller, in HookAuthPath) (record HookAuth, err error) {
	err = s.ports.Store.View(ctx, func(tx port.Tx) error {
		a, err := tx.WebhookAuths().Get(c.Site(), webhook.AuthID(in.ID))
		record = hookAuth(a)
		return absentIs(err, unknownAuth(err))
	})
	return record, err
}

func unknownAuth(err error) error {
	if !errors.Is(err, fault.NotFound) {
		return err
	}
	return fault.New(fault.NotFound, fault.CodeNotFound, "no authentication configuration has this id")
}

// UpdateHookAuth changes the given fields of an authentication configuration.
// Deliveries use it from the next attempt on.
func (s *Service) UpdateHookAuth(ctx context.Context, c Caller, in UpdateHookAuth) (HookAuth, error) {
	return changeHookAuth(ctx, s, c, in.ID, func(tx port.Tx, a webhook.Auth) (HookAuth, error) {
		var problems fault.Problems
		s.describeAuth(&a, in.HookAuthInput, &problems)
		if err := firstError(problems.Err(), in.IfMatch.check(authVersion(a))); err != nil {
			return HookAuth{}, err
		}
		a.Modified = latest(s.now(), a.Modified.Add(time.Microsecond))
		return hookAuth(a), tx.WebhookAuths().Put(a)
	})
}

// authVersion is when the configuration was changed; no two changes have the
// same moment.
func authVersion(a webhook.Auth) Version { return Version(a.Modified.UnixMicro()) }

func changeHookAuth[Out any](ctx context.Context, s *Service, c Caller, id int64, edit func(port.Tx, webhook.Auth) (Out, error)) (Out, error) {
	return write(ctx, s, c, func(tx port.Tx) (out Out, err error) {
		a, err := tx.WebhookAuths().Get(c.Site(), webhook.AuthID(id))
		if err != nil {
			return out, unknownAuth(err)
		}
		return edit(tx, a)
	})
}

// DeleteHookAuth removes an authentication configuration that no webhook refers
// to.
func (s *Service) DeleteHookAuth(ctx context.Context, c Caller, in DeleteHookAuth) (None, error) {
	return changeHookAuth(ctx, s, c, in.ID, func(tx port.Tx, a webhook.Auth) (None, error) {
		hooks, err := tx.Webhooks().Of(c.Site())
		if err != nil {
			return None{}, err
		}
		for _, w := range hooks {
			if w.Auth == a.ID {
				return None{}, fault.New(fault.Conflict, fault.CodeConflict, "webhook %d uses this configuration", w.ID)
			}
		}
		if err := in.IfMatch.check(authVersion(a)); err != nil {
			return None{}, err
		}
		return None{}, tx.WebhookAuths().Delete(c.Site(), a.ID)
	})
}

func hookAuth(a webhook.Auth) HookAuth {
	return HookAuth{
		ID: int64(a.ID), Name: nullable(a.Name), Type: string(a.Type), Username: nullable(a.Username), Header: nullable(a.Header),
		TokenURL: nullable(a.TokenURL), ClientID: nullable(a.ClientID), Scope: nullable(a.Scope), PublicKey: nullable(a.PublicKey),
		DateAdded: Instant{a.Added}, LastModified: Instant{a.Modified}, Version: authVersion(a),
	}
}
