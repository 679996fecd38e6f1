package e2e_test

import (
	"errors"
	"net/url"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/access/accesstest"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

var networkClient = tokens.Basic{ClientID: "sandbox-network", ClientSecret: "sandbox-network-secret"}

// family is a family of tokens in a world.
type family struct {
	t     *testing.T
	w     *world
	pairs []tokens.TokenResponse
}

func newFamily(t *testing.T, w *world) *family {
	t.Helper()
	first, err := w.Tokens.IssueToken(t.Context(), kernel.Caller{}, tokens.IssueToken{Basic: networkClient, SiteID: opt.Of("1")})
	if err != nil {
		t.Fatal(err)
	}
	return &family{t, w, []tokens.TokenResponse{first}}
}

// Refresh implements accesstest.Family.
func (f *family) Refresh(pair int) bool {
	next, err := f.w.Tokens.RefreshToken(f.t.Context(), kernel.Caller{}, tokens.RefreshToken{Basic: networkClient, Token: f.pairs[pair].RefreshToken})
	if err == nil {
		f.pairs = append(f.pairs, next)
		return true
	}
	if fault.From(err).Code != fault.CodeInvalidGrant {
		f.t.Error(err)
	}
	return false
}

// Use implements accesstest.Family.
func (f *family) Use(pair int) bool {
	_, err := f.w.Identify(f.t.Context(), f.pairs[pair].AccessToken)
	if err != nil && !errors.Is(err, fault.Unauthenticated) {
		f.t.Error(err)
	}
	return err == nil
}

// Advance implements accesstest.Family.
func (f *family) Advance(d time.Duration) { f.w.clock.advance(d) }

func TestA8_WorkersInAnyOrder(t *testing.T) {
	separately(t, func(t *testing.T, w *world) {
		rapid.Check(t, func(r *rapid.T) { accesstest.CheckRefresh(r, newFamily(t, w)) })
	}, standingStill(time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)))
}

// Ten workers who share a refresh token exchange it at once, work, and go on with
// what each of them got, at once again.
func TestA8_WorkersRefreshTogether(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.stranger(t)
		refresh := func(pair answer) answer {
			return c.form("/api/client/token/refresh", networkClient.ClientID, networkClient.ClientSecret, url.Values{"refresh_token": {pair.text("refresh_token")}})
		}
		good := func(pair answer) { c.with(pair.text("access_token")).get("/site").is(200) }
		together := func(step func(worker int)) {
			var group sync.WaitGroup
			for worker := range access.MaxPairs {
				group.Go(func() { step(worker) })
			}
			group.Wait()
		}
		shared := c.grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200)
		var first, second [access.MaxPairs]answer
		together(func(worker int) {
			if first[worker] = refresh(shared); first[worker].status == 200 {
				good(first[worker])
			}
		})
		for _, pair := range first {
			pair.is(200)
			good(pair)
		}
		together(func(worker int) {
			if second[worker] = refresh(first[worker]); second[worker].status == 200 {
				good(second[worker])
			}
		})
		for worker, pair := range second {
			good(pair.is(200))
			good(first[worker])
		}
		good(shared)
		refresh(shared).refused(403, "invalid_grant")
		c.with(shared.text("access_token")).get("/site").refused(401, "unauthenticated")
		for _, pair := range second {
			c.with(pair.text("access_token")).get("/site").refused(401, "unauthenticated")
			refresh(pair).refused(403, "invalid_grant")
		}
	}, racing)
}
