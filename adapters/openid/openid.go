// Package openid signs operators in at a provider of OpenID Connect, by the library go-oidc.
package openid

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// patience bounds how long the provider may take for an answer.
const patience = 10 * time.Second

// Config says which provider it is, and how the console is known there.
type Config struct {
	Issuer, ClientID, ClientSecret string
	// GroupsClaim is the claim that has the groups of somebody.
	GroupsClaim string
}

// Provider implements port.Provider by the authorisation code flow with PKCE. What the issuer says
// of itself is read when it is first needed, until that succeeds.
type Provider struct {
	config Config
	client *http.Client
	found  atomic.Pointer[oidc.Provider]
}

var _ port.Provider = (*Provider)(nil)

// New returns a provider. It asks nobody anything yet.
func New(c Config) *Provider {
	return &Provider{config: c, client: &http.Client{Timeout: patience}}
}

// discover returns what the issuer says of itself.
func (p *Provider) discover(ctx context.Context) (*oidc.Provider, error) {
	if known := p.found.Load(); known != nil {
		return known, nil
	}
	found, err := oidc.NewProvider(ctx, p.config.Issuer)
	if err != nil {
		return nil, unavailable("reading the configuration of the provider", err)
	}
	p.found.Store(found)
	return found, nil
}

// oauth returns the client of OAuth for a flow.
func (p *Provider) oauth(found *oidc.Provider, redirect string) oauth2.Config {
	c := oauth2.Config{
		ClientID: p.config.ClientID, ClientSecret: p.config.ClientSecret, Endpoint: found.Endpoint(), RedirectURL: redirect,
		Scopes: []string{oidc.ScopeOpenID, "profile", "email"},
	}
	var says struct {
		Scopes  []string `json:"scopes_supported"`
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	_ = found.Claims(&says) // both are optional
	// Some providers tell groups only to who asks for them, others refuse a scope they do not know.
	if slices.Contains(says.Scopes, p.config.GroupsClaim) {
		c.Scopes = append(c.Scopes, p.config.GroupsClaim)
	}
	// A library that tries one after the other sends the code twice.
	c.Endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if slices.Contains(says.Methods, "client_secret_post") && !slices.Contains(says.Methods, "client_secret_basic") {
		c.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return c
}

// Begin implements port.Provider.
func (p *Provider) Begin(ctx context.Context, f port.ProviderFlow) (string, error) {
	found, err := p.discover(oidc.ClientContext(ctx, p.client))
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)}
	if f.Again {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	c := p.oauth(found, f.Redirect)
	return c.AuthCodeURL(f.State, options...), nil
}

// Finish implements port.Provider.
func (p *Provider) Finish(ctx context.Context, f port.ProviderFlow, code string) (port.ProviderClaims, error) {
	ctx = oidc.ClientContext(ctx, p.client)
	found, err := p.discover(ctx)
	if err != nil {
		return port.ProviderClaims{}, err
	}
	c := p.oauth(found, f.Redirect)
	token, err := c.Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return port.ProviderClaims{}, exchangeError(err)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := found.Verifier(&oidc.Config{ClientID: c.ClientID}).Verify(ctx, raw)
	if err != nil {
		return port.ProviderClaims{}, wrong(err)
	}
	if id.Nonce != f.Nonce || id.Subject == "" {
		return port.ProviderClaims{}, wrong(errors.New("the ID token has another nonce, or no subject"))
	}
	var said claims
	if err := id.Claims(&said); err != nil {
		return port.ProviderClaims{}, wrong(err)
	}
	if party := said.text("azp"); party != "" && party != c.ClientID {
		return port.ProviderClaims{}, wrong(errors.New("the ID token is for another party"))
	}
	if err := p.complete(ctx, found, token, said); err != nil {
		return port.ProviderClaims{}, err
	}
	return p.read(id.Subject, said), nil
}

// complete adds to the claims of an ID token what only the user info has.
func (p *Provider) complete(ctx context.Context, found *oidc.Provider, token *oauth2.Token, said claims) error {
	if said[p.config.GroupsClaim] != nil && said["email"] != nil || found.UserInfoEndpoint() == "" {
		return nil
	}
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return unavailable("reading the user info", err)
	}
	var more claims
	if err := info.Claims(&more); err != nil {
		return wrong(err)
	}
	if info.Subject != said.text("sub") {
		return wrong(errors.New("the user info is about another subject"))
	}
	for _, name := range []string{p.config.GroupsClaim, "name"} {
		if said[name] == nil {
			said[name] = more[name]
		}
	}
	if said["email"] == nil { // whether it is verified is said where it is
		said["email"], said["email_verified"] = more["email"], more["email_verified"]
	}
	return nil
}

// read returns the claims that the console looks at.
func (p *Provider) read(subject string, said claims) port.ProviderClaims {
	c := port.ProviderClaims{Issuer: p.config.Issuer, Subject: subject, Name: said.text("name"), Email: said.text("email"), Groups: said.texts(p.config.GroupsClaim)}
	verified := said["email_verified"]
	c.EmailVerified = verified == true || verified == "true"
	if at, ok := said["auth_time"].(float64); ok {
		c.Authenticated = time.Unix(int64(at), 0)
	}
	return c
}

// claims are what a provider says of somebody, by name.
type claims map[string]any

func (c claims) text(name string) string {
	text, _ := c[name].(string)
	return text
}

// texts returns a claim that is a text, or several.
func (c claims) texts(name string) (all []string) {
	switch value := c[name].(type) {
	case string:
		return []string{value}
	case []any:
		for _, v := range value {
			if text, ok := v.(string); ok {
				all = append(all, text)
			}
		}
	}
	return all
}

// exchangeError returns the error of a code that was not exchanged. What the provider says beyond
// its code is not told: some repeat what they were sent.
func exchangeError(err error) error {
	var refused *oauth2.RetrieveError
	switch {
	case !errors.As(err, &refused):
		return unavailable("exchanging a code", err)
	case refused.ErrorCode == "invalid_grant":
		return wrong(errors.New("the provider answers invalid_grant"))
	case refused.Response.StatusCode >= http.StatusInternalServerError:
		return unavailable("exchanging a code", errors.New(refused.Response.Status))
	}
	return fmt.Errorf("the provider does not exchange codes for this client: %s, error %q", refused.Response.Status, refused.ErrorCode)
}

// wrong returns the error of an answer that is not right. Why is for the log.
func wrong(cause error) error {
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the provider was not believed").Because(cause)
}

func unavailable(doing string, cause error) error {
	const enough = 300 // an answer may be a whole page
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "the provider does not answer").Because(fmt.Errorf("%s: %.*s", doing, enough, cause))
}
