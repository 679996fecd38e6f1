package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// A client of the API makes a webhook in its portal, tests it, sees the delivery and resends it. Its session is over
// as soon as it is disabled, and another client has seen nothing of it.
func TestAClientLooksAfterItsWebhooksInThePortal(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		got := make(chan string, 10)
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got <- string(body)
			w.WriteHeader(http.StatusNoContent)
		}))
		defer receiver.Close()
		p, words := started(t, "sandbox", "--listen=127.0.0.1:0", "--rate-limit=0", "--geocoder=none", "--no-pictures", "--database", database)
		address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
		for p.world == nil {
			if found := address.FindString(words()); found != "" {
				p.world = &world{url: found, http: &http.Client{}, tokens: map[string]string{}}
			}
		}
		operator := p.operator(words)
		mine := p.client("sandbox-network")

		page, at := mine.send("/portal/webhooks/new?site=1", url.Values{"url": {receiver.URL + "/5ec4e7"}, "origines": {"PRODUCT_CREATE"}})
		if !strings.HasPrefix(at, "/portal/webhooks/") || !strings.Contains(page, "5ec4e7") {
			t.Fatalf("a webhook is made at %s:\n%s", at, page)
		}
		mine.send(mine.action(page, "/test"), nil)
		if body := <-got; !strings.Contains(body, "HOOK_TEST") {
			t.Errorf("the test is %s", body)
		}
		resend := ""
		eventually(t, "the delivery is over", func() bool {
			page = mine.page(at + "?site=1")
			found := regexp.MustCompile(`action="([^"]*/resend[^"]*)"`).FindStringSubmatch(page)
			if found != nil {
				resend = found[1]
			}
			return found != nil
		})
		mine.send(strings.ReplaceAll(resend, "&amp;", "&"), nil)
		if body := <-got; !strings.Contains(body, "HOOK_TEST") {
			t.Errorf("what is sent again is %s", body)
		}
		if page := mine.page("/portal/?site=1"); !strings.Contains(page, "5ec4e7") {
			t.Errorf("the overview lacks the webhook:\n%s", page)
		}

		other := p.client("sandbox-website")
		for _, path := range []string{"/portal/?site=1", "/portal/webhooks?site=1", "/portal/requests?site=1"} {
			if page := other.page(path); strings.Contains(page, "5ec4e7") || strings.Contains(page, "sandbox-network") {
				t.Errorf("%s says something of another client:\n%s", path, page)
			}
		}
		if status := other.status(at); status != http.StatusNotFound {
			t.Errorf("the webhook of another client is answered with %d", status)
		}

		operator.send("/console/credentials/sandbox-network/disable", url.Values{"disabled": {"yes"}})
		answer, err := mine.http.Get(p.url + at)
		if err != nil {
			t.Fatal(err)
		}
		if _, at := mine.read(answer); at != "/portal/sign-in" {
			t.Errorf("a disabled client is at %s", at)
		}
		if audit := operator.page("/console/audit"); !strings.Contains(audit, "webhook.redeliver") || !strings.Contains(audit, ">sandbox-network<") {
			t.Errorf("the audit lacks what the client did:\n%s", audit)
		}
		p.stop()
	})
}

// client is a client of the sandbox who has signed in to its portal.
func (p *process) client(id string) *operator {
	p.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	o := &operator{t: p.t, w: p.world, http: &http.Client{Jar: jar}}
	if page, at := o.send("/portal/sign-in", url.Values{"client_id": {id}, "client_secret": {id + "-secret"}}); at != "/portal/" {
		p.t.Fatalf("%s is not let in, at %s: %s", id, at, page)
	}
	return o
}

// status is what a path is answered with.
func (o *operator) status(path string) int {
	o.t.Helper()
	answer, err := o.http.Get(fmt.Sprint(o.w.url, path, "?site=1"))
	if err != nil {
		o.t.Fatal(err)
	}
	o.read(answer)
	return answer.StatusCode
}
