package access_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/access/accesstest"
)

var (
	start = time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)
	life  = access.DefaultLifetimes()
)

const day = 24 * time.Hour

func TestA9_Lifetimes(t *testing.T) {
	want := access.Lifetimes{Access: 3600 * time.Second, Refresh: 30 * day, Family: 90 * day, Grace: 60 * time.Second, Former: 86400 * time.Second}
	if life != want {
		t.Errorf("%+v, not %+v", life, want)
	}
}

func TestA9_AccessTokenUntilItExpires(t *testing.T) {
	token := access.Token{Issued: start, Expires: start.Add(time.Hour)}
	for name, c := range map[string]struct {
		token access.Token
		at    time.Duration
		want  bool
	}{
		"at once":           {token, 0, true},
		"in the last tick":  {token, time.Hour - 1, true},
		"when it expires":   {token, time.Hour, false},
		"later":             {token, time.Hour + 1, false},
		"revoked":           {access.Token{Expires: token.Expires, Revoked: true}, 0, false},
		"a refresh token":   {access.Token{Expires: token.Expires, Refresh: true}, 0, false},
		"without an expiry": {access.Token{}, 0, false},
	} {
		if got := c.token.Valid(start.Add(c.at)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A refresh token presented two hours after it was issued and ten days after the
// token call.
func TestA8_WhatARefreshTokenIsGoodFor(t *testing.T) {
	now := start.Add(10*day + 2*time.Hour)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	type token = access.Token
	type family = access.Family
	again := func(first time.Duration, pairs int) func(*token, *family) {
		return func(t *token, _ *family) { t.Rotated, t.Pairs = ago(first), pairs }
	}
	for name, c := range map[string]struct {
		change func(*token, *family)
		want   access.Exchange
	}{
		"fresh":                           {func(*token, *family) {}, access.Granted},
		"an access token":                 {func(t *token, _ *family) { t.Refresh = false }, access.Refused},
		"revoked":                         {func(t *token, _ *family) { t.Revoked = true }, access.Refused},
		"of a revoked family":             {func(_ *token, f *family) { f.Revoked = true }, access.Refused},
		"one tick before it expires":      {func(t *token, _ *family) { t.Expires = now.Add(1) }, access.Granted},
		"expired":                         {func(t *token, _ *family) { t.Expires = now }, access.Refused},
		"one tick before the family ends": {func(_ *token, f *family) { f.Started = now.Add(1 - 90*day) }, access.Granted},
		"of a family of 90 days":          {func(_ *token, f *family) { f.Started = now.Add(-90 * day) }, access.Refused},
		"again at once":                   {again(0, 1), access.Granted},
		"again, as the grace ends":        {again(time.Minute, 1), access.Granted},
		"again, after the grace":          {again(time.Minute+1, 1), access.Reused},
		"for the tenth pair":              {again(time.Second, 9), access.Granted},
		"for an eleventh pair":            {again(time.Second, 10), access.Reused},
		"again, its successor exchanged": {
			func(t *token, _ *family) { t.Rotated, t.Pairs, t.Succeeded = ago(time.Second), 1, true }, access.Reused,
		},
		"again, of a family revoked since": {
			func(t *token, f *family) { t.Rotated, t.Pairs, f.Revoked = ago(time.Hour), 1, true }, access.Refused,
		},
		"again, expired since": {
			func(t *token, _ *family) { t.Rotated, t.Pairs, t.Expires = ago(time.Hour), 1, ago(time.Minute) }, access.Refused,
		},
	} {
		presented := token{Refresh: true, Issued: ago(2 * time.Hour), Expires: ago(2 * time.Hour).Add(life.Refresh)}
		of := family{Started: start}
		c.change(&presented, &of)
		if got := presented.Exchange(of, life, now); got != c.want {
			t.Errorf("%s: %d, not %d", name, got, c.want)
		}
	}
}

// Time and revocation never give back what a token was good for.
func TestA8_ExchangeOnlyEverGetsHarder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := func(label string, most time.Duration) time.Duration {
			return time.Duration(rapid.Int64Range(0, int64(most/time.Second)).Draw(t, label)) * time.Second
		}
		token := access.Token{Refresh: true, Issued: start.Add(seconds("issued", 90*day))}
		token.Expires = token.Issued.Add(life.Refresh)
		if rapid.Bool().Draw(t, "rotated") {
			token = token.Exchanged(token.Issued.Add(seconds("until rotated", time.Hour)))
			token.Succeeded = rapid.Bool().Draw(t, "succeeded")
		}
		family := access.Family{Started: start, Revoked: rapid.IntRange(0, 9).Draw(t, "revoked") == 0}
		moment := func(label string) time.Time {
			around := rapid.SampledFrom([]time.Time{token.Issued, token.Expires, start.Add(life.Family), token.Rotated, token.Rotated.Add(life.Grace)}).Draw(t, label+" around")
			if around.Before(token.Issued) {
				around = token.Issued
			}
			return around.Add(time.Duration(rapid.Int64Range(-2, 120).Draw(t, label)) * time.Second)
		}
		early, late := moment("early"), moment("late")
		if late.Before(early) {
			early, late = late, early
		}
		before, after := token.Exchange(family, life, early), token.Exchange(family, life, late)
		if before == access.Refused && after != access.Refused || before == access.Reused && after == access.Granted {
			t.Fatalf("%d at %v becomes %d at %v: %+v", before, early, after, late, token)
		}
		family.Revoked = true
		if got := token.Exchange(family, life, late); got != access.Refused {
			t.Fatalf("a token of a revoked family: %d", got)
		}
	})
}

// pure is a family that is led by the rule alone, without a store.
type pure struct {
	family access.Family
	tokens []access.Token // the refresh token of each pair
	parent []int
	now    time.Time
}

func newPure() *pure {
	f := &pure{family: access.Family{Started: start}, now: start}
	f.hand(-1)
	return f
}

func (f *pure) hand(parent int) {
	f.parent = append(f.parent, parent)
	f.tokens = append(f.tokens, access.Token{Refresh: true, Issued: f.now, Expires: f.now.Add(life.Refresh)})
}

// Refresh implements accesstest.Family.
func (f *pure) Refresh(pair int) bool {
	switch f.tokens[pair].Exchange(f.family, life, f.now) {
	case access.Granted:
		f.tokens[pair] = f.tokens[pair].Exchanged(f.now)
		if parent := f.parent[pair]; parent >= 0 {
			f.tokens[parent].Succeeded = true
		}
		f.hand(pair)
		return true
	case access.Reused:
		f.family.Revoked = true
	case access.Refused:
	}
	return false
}

// Use implements accesstest.Family.
func (f *pure) Use(int) bool { return !f.family.Revoked }

// Advance implements accesstest.Family.
func (f *pure) Advance(d time.Duration) { f.now = f.now.Add(d) }

func TestA8_WorkersInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { accesstest.CheckRefresh(t, newPure()) })
}

// Three workers who share a refresh token exchange it once each, within the grace,
// and then go on with what they got. In whatever order, nobody is refused before one
// has gone on; after that, who has not exchanged the shared token yet is.
func TestA8_EveryOrderOfThreeWorkers(t *testing.T) {
	orders := 0
	everyOrder([]int{2, 2, 2}, nil, func(order []int) {
		orders++
		f, held, wentOn, done := newPure(), make([]int, 3), false, map[int]int{}
		for _, worker := range order {
			f.Advance(time.Second)
			want := !f.family.Revoked && (!wentOn || done[worker] == 1)
			if got := f.Refresh(held[worker]); got != want {
				t.Fatalf("%v: worker %d is granted: %t", order, worker, got)
			}
			held[worker] = len(f.tokens) - 1
			wentOn = wentOn || done[worker] == 1
			done[worker]++
		}
	})
	if orders != 90 {
		t.Errorf("there are %d orders", orders)
	}
}

// everyOrder visits every order in which workers can take their turns.
func everyOrder(turns, order []int, visit func([]int)) {
	over := true
	for worker := range turns {
		if turns[worker] > 0 {
			over = false
			turns[worker]--
			everyOrder(turns, append(order, worker), visit)
			turns[worker]++
		}
	}
	if over {
		visit(order)
	}
}
