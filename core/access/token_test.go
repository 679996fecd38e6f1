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

// A refresh token of generation 2, presented two hours after it was issued and
// ten days after the token call.
func TestA8_RotationGraceAndReuse(t *testing.T) {
	now := start.Add(10*day + 2*time.Hour)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	type token = access.Token
	type family = access.Family
	for name, c := range map[string]struct {
		change func(*token, *family)
		want   access.Exchange
	}{
		"fresh":                                {func(*token, *family) {}, access.Granted},
		"an access token":                      {func(t *token, _ *family) { t.Refresh = false }, access.Refused},
		"revoked":                              {func(t *token, _ *family) { t.Revoked = true }, access.Refused},
		"of a revoked family":                  {func(_ *token, f *family) { f.Revoked = true }, access.Refused},
		"one tick before it expires":           {func(t *token, _ *family) { t.Expires = now.Add(1) }, access.Granted},
		"expired":                              {func(t *token, _ *family) { t.Expires = now }, access.Refused},
		"one tick before the family ends":      {func(_ *token, f *family) { f.Started = now.Add(1 - 90*day) }, access.Granted},
		"of a family of 90 days":               {func(_ *token, f *family) { f.Started = now.Add(-90 * day) }, access.Refused},
		"while its own pair is in use":         {func(_ *token, f *family) { f.Used = 2 }, access.Granted},
		"again at once":                        {func(t *token, _ *family) { t.Rotated = now }, access.Granted},
		"again, its own access token in use":   {func(t *token, f *family) { t.Rotated, f.Used = ago(time.Second), 2 }, access.Granted},
		"again, as the grace ends":             {func(t *token, _ *family) { t.Rotated = ago(time.Minute) }, access.Granted},
		"again, after the grace":               {func(t *token, _ *family) { t.Rotated = ago(time.Minute + 1) }, access.Reused},
		"again, its successor in use":          {func(t *token, f *family) { t.Rotated, f.Used = ago(time.Second), 3 }, access.Reused},
		"again, a later successor in use":      {func(t *token, f *family) { t.Rotated, f.Used = ago(time.Second), 9 }, access.Reused},
		"again, of a family revoked since":     {func(t *token, f *family) { t.Rotated, f.Used, f.Revoked = ago(time.Hour), 3, true }, access.Refused},
		"again, revoked itself since":          {func(t *token, f *family) { t.Rotated, f.Used, t.Revoked = ago(time.Hour), 3, true }, access.Refused},
		"the very first, never exchanged":      {func(t *token, f *family) { t.Generation, f.Used = 0, 0 }, access.Granted},
		"a twin of the pair in use":            {func(t *token, f *family) { t.Generation, f.Used = 3, 2 }, access.Reused},
		"a twin of an older pair":              {func(_ *token, f *family) { f.Used = 3 }, access.Reused},
		"the very first, its successor in use": {func(t *token, f *family) { t.Generation, t.Rotated, f.Used = 0, ago(time.Second), 1 }, access.Reused},
	} {
		presented := token{Refresh: true, Generation: 2, Parent: 1, Issued: ago(2 * time.Hour), Expires: ago(2 * time.Hour).Add(life.Refresh)}
		of := family{Started: start, Used: 1}
		c.change(&presented, &of)
		if got := presented.Exchange(of, life, now); got != c.want {
			t.Errorf("%s: %d, not %d", name, got, c.want)
		}
	}
}

func drawToken(t *rapid.T) (access.Token, access.Family) {
	after := func(label string, max time.Duration) time.Duration {
		return time.Duration(rapid.Int64Range(0, int64(max/time.Second)).Draw(t, label)) * time.Second
	}
	// A pair can be presented once the chain stands at its parent.
	generation := rapid.IntRange(0, 4).Draw(t, "generation")
	parent := max(0, generation-1)
	family := access.Family{Started: start, Used: rapid.IntRange(parent, 4).Draw(t, "used"), Revoked: rapid.IntRange(0, 9).Draw(t, "revoked family") == 0}
	token := access.Token{
		Refresh: true, Generation: generation, Parent: parent,
		Revoked: rapid.IntRange(0, 9).Draw(t, "revoked") == 0, Issued: start.Add(after("issued", 90*day)),
	}
	token.Expires = token.Issued.Add(life.Refresh)
	if rapid.Bool().Draw(t, "rotated") {
		token.Rotated = token.Issued.Add(after("until rotated", time.Hour))
	}
	return token, family
}

// drawMoment draws a moment around one that matters to the token.
func drawMoment(t *rapid.T, token access.Token, family access.Family, label string) time.Time {
	around := rapid.SampledFrom([]time.Time{
		token.Issued, token.Expires, family.Started.Add(life.Family), token.Rotated, token.Rotated.Add(life.Grace),
	}).Draw(t, label+" around")
	if around.Before(token.Issued) {
		around = token.Issued
	}
	return around.Add(time.Duration(rapid.Int64Range(-2, 120).Draw(t, label)) * time.Second)
}

// What a token is good for only shrinks: neither time, nor use, nor revocation
// ever gives back what was lost, and only what was exchanged can be reused.
func TestA8_ExchangeOnlyEverGetsHarder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		token, family := drawToken(t)
		early, late := drawMoment(t, token, family, "early"), drawMoment(t, token, family, "late")
		if late.Before(early) {
			early, late = late, early
		}
		before, after := token.Exchange(family, life, early), token.Exchange(family, life, late)
		if before == access.Refused && after != access.Refused || before == access.Reused && after == access.Granted {
			t.Fatalf("%d at %v becomes %d at %v: %+v", before, early, after, late, token)
		}
		if token.Rotated.IsZero() && after == access.Reused && family.Used <= token.Generation {
			t.Fatalf("a token in its place of the chain that was never exchanged is reused: %+v", token)
		}
		more := family
		more.Used += rapid.IntRange(0, 3).Draw(t, "more use")
		if used := token.Exchange(more, life, late); used == access.Granted && after != access.Granted {
			t.Fatalf("use gives %d back as granted: %+v", after, token)
		}
		more.Revoked = true
		if revoked := token.Exchange(more, life, late); revoked != access.Refused {
			t.Fatalf("a token of a revoked family: %d", revoked)
		}
	})
}

// Once the successor has been used there is no grace, and without use it is a
// minute.
func TestA8_GraceIsAMinuteUntilTheSuccessorIsUsed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		token, family := drawToken(t)
		token.Revoked, family.Revoked = false, false
		now := drawMoment(t, token, family, "now")
		got := token.Exchange(family, life, now)
		if alive := now.Before(token.Expires) && now.Before(start.Add(life.Family)); !alive {
			if got != access.Refused {
				t.Fatalf("an expired token: %d", got)
			}
			return
		}
		want := access.Granted
		if family.Used > token.Generation || !token.Rotated.IsZero() && now.Sub(token.Rotated) > time.Minute {
			want = access.Reused
		}
		if got != want {
			t.Fatalf("%v after its rotation, generation %d, used %d: %d, not %d", now.Sub(token.Rotated), token.Generation, family.Used, got, want)
		}
	})
}
