package e2e_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// hush is in every secret that a request of the test is sent with.
const hush = "hushqzv"

// tokenCall asks for a token with a line of Authorization.
func (c *client) tokenCall(line string) answer {
	c.t.Helper()
	r := c.request("POST", "/api/client/token/site", "site_id=1", "Content-Type", "application/x-www-form-urlencoded", "Authorization", line)
	return c.do(r)
}

// A request that is refused because of who it says it is from names its client in the row that is
// kept, in the counts and in the log, where the store can tell; its secret is in none of them.
func TestA13_AFailedSignInNamesItsClientAndHoldsNoSecret(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			var log spy
			var lines bytes.Buffer
			w := withOwnStore(t, engine, logging(&lines), keepingRequests(func(l porttest.RequestLog) porttest.RequestLog {
				log.RequestLog = l
				return &log
			}))
			secret := hush + "-of-the-client"
			add := func(id string, disabled bool) {
				in := transfer.SetupCredential{ID: id, Secret: secret, Sites: []int64{1}, Packs: allPacks, Permissions: allPacks, Rights: allPacks, Disabled: disabled}
				if _, err := w.Transfer.Provision(t.Context(), transfer.Setup{Credentials: []transfer.SetupCredential{in}}); err != nil {
					t.Fatal(err)
				}
			}
			add("shop", false)
			add("closed", true)
			stranger := w.stranger(t)
			bearer := func() *client {
				granted := stranger.form("/api/client/token/site", "shop", secret, url.Values{"site_id": {"1"}}).is(200)
				return stranger.with(granted.text("access_token"))
			}
			keyed := func(change func(*tokens.KeyInput)) (*client, tokens.CreatedKey) {
				in := tokens.KeyInput{Credential: "shop", Packs: allPacks}
				change(&in)
				return w.keyed(t, in)
			}
			expired, revoked := bearer(), bearer()
			oldKey, _ := keyed(func(in *tokens.KeyInput) { in.Expires = w.clock.now().Add(time.Minute).Format(time.RFC3339) })
			goneKey, gone := keyed(func(*tokens.KeyInput) {})
			farKey, _ := keyed(func(in *tokens.KeyInput) { in.Addresses = []string{"192.0.2.0/24"} })
			w.revokeKey(t, gone)
			stranger.form("/api/client/token/revoke", "shop", secret, url.Values{"token": {revoked.token}}).is(200)
			w.clock.advance(2 * time.Hour)

			basic := func(id, password string) string {
				r := &http.Request{Header: http.Header{}}
				r.SetBasicAuth(id, password)
				return r.Header.Get("Authorization")
			}
			long := strings.Repeat("x", 41)
			type want struct {
				claimed access.CredentialID
				unknown string
			}
			shop, none := want{"shop", ""}, want{}
			checks := map[string]struct {
				answer answer
				want
			}{
				"a wrong secret":                  {stranger.tokenCall(basic("shop", hush)).is(401), shop},
				"no secret":                       {stranger.tokenCall(basic("shop", "")).is(401), shop},
				"id and secret in turn":           {stranger.tokenCall(basic(secret, "shop")).is(401), shop},
				"a site that there is not":        {stranger.form("/api/client/token/site", "shop", secret, url.Values{"site_id": {"99"}}).is(404), shop},
				"a site out of reach":             {stranger.form("/api/client/token/site", "shop", secret, url.Values{"site_id": {"2"}}).is(403), shop},
				"no site":                         {stranger.form("/api/client/token/site", "shop", secret, url.Values{}).is(422), shop},
				"a refresh token of nobody":       {stranger.form("/api/client/token/refresh", "shop", secret, url.Values{"refresh_token": {hush}}).is(403), shop},
				"a disabled client":               {stranger.tokenCall(basic("closed", secret)).is(403), want{"closed", ""}},
				"an unknown client":               {stranger.tokenCall(basic("a-shop", hush)).is(401), want{access.UnknownClient, "a-shop"}},
				"an unknown client, encoded":      {stranger.tokenCall(basic("a%2Dshop", hush)).is(401), want{access.UnknownClient, "a-shop"}},
				"an address for an id":            {stranger.tokenCall(basic(hush+"@example.org", hush)).is(401), want{access.UnknownClient, "‹client id, 19›"}},
				"a long id":                       {stranger.tokenCall(basic(long, hush)).is(401), want{access.UnknownClient, "‹client id, 41›"}},
				"the secret alone":                {stranger.tokenCall(basic(secret, "")).is(401), want{access.UnknownClient, ""}},
				"no colon":                        {stranger.tokenCall("Basic " + hush).is(401), none},
				"another scheme":                  {stranger.tokenCall("Bearer " + hush).is(401), none},
				"an expired token":                {expired.get("/site").refused(401, "token_expired"), shop},
				"a revoked token":                 {revoked.get("/site").is(401), shop},
				"an unknown token":                {stranger.with(hush).get("/site").is(401), want{access.UnknownClient, ""}},
				"a token where no operation is":   {stranger.with(hush).get("/nothing").is(401), want{access.UnknownClient, ""}},
				"no token":                        {stranger.get("/site").is(401), none},
				"a malformed line":                {stranger.get("/site", "Authorization", hush).is(401), none},
				"an expired key":                  {oldKey.get("/site").refused(401, "key_expired"), shop},
				"a revoked key":                   {goneKey.get("/site").is(401), shop},
				"a key from a foreign address":    {farKey.get("/site").refused(403, "address_not_allowed"), shop},
				"an unknown key":                  {(&client{t: t, w: w, key: "sk_live_" + hush}).get("/site").is(401), want{access.UnknownClient, ""}},
				"a customer, by an expired token": {expired.send("POST", "/customers", object{"lastname": hush}).is(401), shop},
			}
			w.flush(t)
			rows := map[string]trace.Request{}
			for _, r := range log.seen {
				rows[r.ID] = r
			}
			failed := map[access.CredentialID]int64{}
			for name, c := range checks {
				r, found := rows[c.answer.header.Get("X-Request-Id")]
				if !found {
					t.Errorf("%s: it is not kept", name)
				}
				if got := (want{r.Claimed, r.UnknownClient}); got != c.want || r.Credential != "" || r.Site != 0 {
					t.Errorf("%s: it is kept with %+v of %q", name, got, r.Credential)
				}
				if r.FailedSignIn() != (c.claimed != "") {
					t.Errorf("%s: it is a failed sign-in: %t", name, r.FailedSignIn())
				}
				failed[c.claimed]++
			}
			counted := map[access.CredentialID]int64{}
			hour := w.clock.now().Truncate(time.Hour)
			counts, err := log.Counts(t.Context(), 0, time.Hour, hour.Add(-4*time.Hour), hour.Add(time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range counts {
				if c.Class == 4 {
					counted[c.Credential] += c.N
				}
			}
			if !maps.Equal(counted, failed) {
				t.Errorf("there are counts %v, want %v", counted, failed)
			}
			found, err := w.Requests.FindSiteless(t.Context(), trace.Filter{SignIns: true, Claimed: []access.CredentialID{"closed"}}, "")
			if err != nil || len(found.Requests) != 1 {
				t.Errorf("of the disabled client there are %+v, %v", found.Requests, err)
			}
			logged := lines.String()
			for _, wanted := range []string{`"claimed":"shop"`, `"claimed":"closed"`, `"claimed":"(unknown)","unknown_client":"a-shop"`} {
				if !strings.Contains(logged, wanted) {
					t.Errorf("%s is not logged", wanted)
				}
			}
			if all := fmt.Sprintf("%+v", log.seen) + logged; strings.Contains(all, hush) {
				t.Errorf("a secret is kept: %.200s", all[strings.Index(all, hush)-100:])
			}
			if engine == "sqlite" {
				for _, suffix := range []string{"", "-wal", "-requests", "-requests-wal"} {
					content, err := os.ReadFile(w.database + suffix)
					if err != nil || bytes.Contains(content, []byte(hush)) {
						t.Errorf("%q holds a secret, or %v", suffix, err)
					}
				}
			}
		})
	}
}

// Whatever ids clients make up, they are counted as one.
func TestUnknownClientsAreCountedTogether(t *testing.T) {
	var log spy
	w := spying(t, "sqlite", &log)
	stranger := w.stranger(t)
	for i := range 50 {
		stranger.form("/api/client/token/site", fmt.Sprintf("made-up-%d", i), "guess", url.Values{"site_id": {"1"}}).is(401)
	}
	w.flush(t)
	counts, err := log.Counts(t.Context(), 0, time.Hour, w.clock.now().Add(-2*time.Hour), w.clock.now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	counts = slices.DeleteFunc(counts, func(c trace.Count) bool { return c.Class != 4 })
	if len(counts) > 2 || counts[0].Credential != access.UnknownClient { // an hour may begin meanwhile
		t.Errorf("they are counted as %+v", counts)
	}
}
