package access_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/access"
)

var (
	start = time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)
	life  = access.DefaultLifetimes()
)

const day = 24 * time.Hour

func TestA9_Lifetimes(t *testing.T) {
	want := access.Lifetimes{Access: 3600 * time.Second, Refresh: 30 * day, Family: 90 * day, Grace: 60 * time.Second}
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

// A refresh token of generation 3, the exchange of generation 1, presented two
// hours after it was issued and ten days after the token call.
func TestA8_RotationGraceAndReuse(t *testing.T) {
	now := start.Add(10*day + 2*time.Hour)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	type token = access.Token
	type family = access.Family
	for name, c := range map[string]struct {
		change func(*token, *family)
		want   access.Exchange
	}{
		"fresh":                            {func(*token, *family) {}, access.Granted},
		"an access token":                  {func(t *token, _ *family) { t.Refresh = false }, access.Refused},
		"revoked":                          {func(t *token, _ *family) { t.Revoked = true }, access.Refused},
		"of a revoked family":              {func(_ *token, f *family) { f.Revoked = true }, access.Refused},
		"one tick before it expires":       {func(t *token, _ *family) { t.Expires = now.Add(1) }, access.Granted},
		"expired":                          {func(t *token, _ *family) { t.Expires = now }, access.Refused},
		"one tick before the family ends":  {func(_ *token, f *family) { f.Started = now.Add(1 - 90*day) }, access.Granted},
		"of a family of 90 days":           {func(_ *token, f *family) { f.Started = now.Add(-90 * day) }, access.Refused},
		"its access token in use":          {func(_ *token, f *family) { f.Used = 3 }, access.Granted},
		"its elder sister in use":          {func(_ *token, f *family) { f.Used = 2 }, access.Reused},
		"its younger sister in use":        {func(_ *token, f *family) { f.Used = 4 }, access.Reused},
		"again at once":                    {func(t *token, f *family) { t.Rotated, f.Used = now, 3 }, access.Granted},
		"again, as the grace ends":         {func(t *token, f *family) { t.Rotated, f.Used = ago(time.Minute), 3 }, access.Granted},
		"again, after the grace":           {func(t *token, f *family) { t.Rotated, f.Used = ago(time.Minute+1), 3 }, access.Reused},
		"again, its successor in use":      {func(t *token, f *family) { t.Rotated, f.Used = ago(time.Second), 4 }, access.Reused},
		"again, a later successor in use":  {func(t *token, f *family) { t.Rotated, f.Used = ago(time.Second), 9 }, access.Reused},
		"again, of a family revoked since": {func(t *token, f *family) { t.Rotated, f.Used, f.Revoked = ago(time.Hour), 4, true }, access.Refused},
		"again, revoked itself since":      {func(t *token, f *family) { t.Rotated, f.Used, t.Revoked = ago(time.Hour), 4, true }, access.Refused},
		"the very first":                   {func(t *token, f *family) { t.Generation, t.Parent, f.Used = 0, 0, 0 }, access.Granted},
		"the very first again":             {func(t *token, f *family) { t.Generation, t.Parent, t.Rotated, f.Used = 0, 0, ago(time.Second), 0 }, access.Granted},
		"the very first, its successor in use": {
			func(t *token, f *family) { t.Generation, t.Parent, t.Rotated, f.Used = 0, 0, ago(time.Second), 1 }, access.Reused,
		},
	} {
		presented := token{Refresh: true, Generation: 3, Parent: 1, Issued: ago(2 * time.Hour), Expires: ago(2 * time.Hour).Add(life.Refresh)}
		of := family{Started: start, Issued: 3, Used: 1}
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
		token := access.Token{Refresh: true, Generation: rapid.IntRange(0, 4).Draw(t, "generation"), Issued: start.Add(seconds("issued", 90*day))}
		token.Parent = rapid.IntRange(0, token.Generation).Draw(t, "parent")
		token.Expires = token.Issued.Add(life.Refresh)
		if rapid.Bool().Draw(t, "rotated") {
			token.Rotated = token.Issued.Add(seconds("until rotated", time.Hour))
		}
		family := access.Family{Started: start, Used: rapid.IntRange(0, 5).Draw(t, "used"), Revoked: rapid.IntRange(0, 9).Draw(t, "revoked") == 0}
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

// chain is a family as the token operations lead it: exchanges hand out the next
// generation, and the first use of a pair moves the family on to it.
type chain struct {
	family access.Family
	tokens []access.Token // the refresh token of each generation
	now    time.Time
}

func newChain() *chain {
	c := &chain{family: access.Family{Started: start}, now: start}
	c.hand(0)
	return c
}

func (c *chain) hand(parent int) {
	c.tokens = append(c.tokens, access.Token{
		Refresh: true, Generation: c.family.Issued, Parent: parent, Issued: c.now, Expires: c.now.Add(life.Refresh),
	})
}

func (c *chain) exchange(generation int) access.Exchange {
	token := &c.tokens[generation]
	verdict := token.Exchange(c.family, life, c.now)
	switch verdict {
	case access.Granted:
		if token.Rotated.IsZero() {
			token.Rotated = c.now
		}
		c.family.Used = generation
		c.family.Issued++
		c.hand(generation)
	case access.Reused:
		c.family.Revoked = true
	case access.Refused:
	}
	return verdict
}

// use uses the access token of a generation and says whether it may.
func (c *chain) use(generation int) bool {
	token := c.tokens[generation]
	if token.Stray(c.family) {
		c.family.Revoked = true
	}
	if c.family.Revoked {
		return false
	}
	c.family.Used = max(c.family.Used, generation)
	return true
}

// Whoever else holds a refresh token, the chain goes on in one line: of the
// pairs that one token was exchanged for, only one is ever exchanged itself, and
// an attempt at another ends the family.
func TestA8_TheChainNeverForks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newChain()
		heir := map[int]int{} // of a generation, the one of its pairs that was exchanged
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			generation := rapid.IntRange(max(0, len(c.tokens)-4), len(c.tokens)-1).Draw(t, "generation")
			token, revoked := c.tokens[generation], c.family.Revoked
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				c.now = c.now.Add(time.Duration(rapid.IntRange(0, 61).Draw(t, "seconds")) * time.Second)
			case 1:
				if c.use(generation) && revoked {
					t.Fatalf("generation %d is used after the family was revoked", generation)
				}
			default:
				verdict := c.exchange(generation)
				if revoked != (verdict == access.Refused) {
					t.Fatalf("generation %d of a family revoked %t: %d", generation, revoked, verdict)
				}
				if verdict != access.Granted {
					continue
				}
				if c.now.Sub(token.Rotated) > time.Minute && !token.Rotated.IsZero() {
					t.Fatalf("generation %d is exchanged again %v later", generation, c.now.Sub(token.Rotated))
				}
				if other, ok := heir[token.Parent]; generation > 0 && ok && other != generation {
					t.Fatalf("generations %d and %d, both made of %d, are both exchanged", other, generation, token.Parent)
				}
				if generation > 0 {
					heir[token.Parent] = generation
				}
			}
		}
	})
}

// A client that presents what it last received, and repeats itself within the
// grace when an answer was lost, is never refused.
func TestA8_AnHonestClientIsNeverRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newChain()
		held := 0
		for range rapid.IntRange(1, 12).Draw(t, "refreshes") {
			if rapid.Bool().Draw(t, "calls") && !c.use(held) {
				t.Fatalf("the access token of generation %d is refused: %+v", held, c.family)
			}
			for lost := rapid.IntRange(0, 3).Draw(t, "lost answers"); lost >= 0; lost-- {
				if verdict := c.exchange(held); verdict != access.Granted {
					t.Fatalf("the refresh token of generation %d: %d, %+v", held, verdict, c.family)
				}
				if lost > 0 {
					c.now = c.now.Add(20 * time.Second)
				}
			}
			held = len(c.tokens) - 1
			c.now = c.now.Add(time.Duration(rapid.IntRange(0, 3600).Draw(t, "seconds")) * time.Second)
		}
	})
}
